PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
DEMO_ARGS ?=
CHAOS_ARGS ?=

.PHONY: install demo test test-long chaos overload lint format words lock clean

install: $(VENV)/.installed

$(VENV)/.installed: requirements/dev.txt pyproject.toml
	@echo "Setting up (a minute or two, once)…"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

demo: install
	$(BIN)/fanguard demo $(DEMO_ARGS)

test: install
	$(BIN)/python -m pytest

test-long: install
	$(BIN)/python -m pytest -m long

# Ten minutes: 5,000 messages while the bot is killed and Discord fails. See docs/reliability.md.
chaos: install
	$(BIN)/python -m tests.chaos --write docs/reliability.md $(CHAOS_ARGS)

# A minute or two: 2,000 messages in a second.
overload: install
	$(BIN)/python -m tests.chaos.overload --write docs/reliability.md

lint: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Brings the catalogues in bot/words/locales up to date with the texts in the code.
words: install
	mkdir -p build
	$(BIN)/pybabel --quiet extract --mapping-file pyproject.toml --add-location file --sort-by-file --no-wrap --project Fanguard --output build/fanguard.pot bot
	$(BIN)/pybabel --quiet update --input-file build/fanguard.pot --output-dir bot/words/locales --domain fanguard --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date --no-wrap

# Needs uv; rewrites the two locks from pyproject.toml.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header pyproject.toml requirements/build.in -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header --extra dev pyproject.toml requirements/build.in -o requirements/dev.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
