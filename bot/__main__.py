"""`python -m bot` is `fanguard`."""

from bot.cli import main

if __name__ == "__main__":
    main()
