"""Limits of message components, of both kinds, and of modals."""

from __future__ import annotations

from tests.discord_server.errors import FormErrors
from tests.discord_server.state import Json

ACTION_ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT_DISPLAY, THUMBNAIL, MEDIA_GALLERY, FILE, SEPARATOR = 9, 10, 11, 12, 13, 14
CONTAINER, LABEL, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT)
LINK_STYLE, PREMIUM_STYLE = 5, 6
TOTAL_V2 = 40
TEXT_V2 = 4000
_IN_CONTAINER = (ACTION_ROW, SECTION, TEXT_DISPLAY, MEDIA_GALLERY, FILE, SEPARATOR)
_IN_LABEL = (TEXT_INPUT, *SELECTS, FILE_UPLOAD, RADIO_GROUP, CHECKBOX_GROUP, CHECKBOX)

Path = list[str | int]


def walk(components: list[Json]) -> list[Json]:
    """All components of a tree, parents before children."""
    found: list[Json] = []
    for component in components:
        found.append(component)
        found += walk(component.get("components") or [])
        found += walk([component[key] for key in ("accessory", "component") if key in component])
    return found


def with_ids(components: list[Json]) -> list[Json]:
    """The components as Discord stores them: each has an `id`."""
    taken = {each["id"] for each in walk(components) if each.get("id")}
    number = 0
    for component in walk(components):
        if not component.get("id"):
            number += 1
            while number in taken:
                number += 1
            component["id"] = number
    return components


def validate_components(components: object, errors: FormErrors, *, v2: bool) -> None:
    """Check a message's components; `v2` tells whether IS_COMPONENTS_V2 is set."""
    path: Path = ["components"]
    if not isinstance(components, list):
        errors.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        return
    _Check(errors).message(components, path, v2=v2)


def validate_modal(modal: Json, errors: FormErrors) -> None:
    """Check the data of a modal response."""
    path: Path = ["data"]
    errors.length([*path, "title"], modal.get("title"), 1, 45, needed=True)
    errors.length([*path, "custom_id"], modal.get("custom_id"), 1, 100, needed=True)
    components = modal.get("components") or []
    errors.length([*path, "components"], components, 1, 5, needed=True)
    _Check(errors).modal(components, [*path, "components"])


class _Check:
    """One pass over a tree; custom ids must be unique in it."""

    def __init__(self, errors: FormErrors) -> None:
        self._errors = errors
        self._custom_ids: set[str] = set()

    def message(self, components: list[Json], path: Path, *, v2: bool) -> None:
        if not v2:
            self._errors.length(path, components, 0, 5)
            allowed: tuple[int, ...] = (ACTION_ROW,)
        else:
            allowed = (*_IN_CONTAINER, CONTAINER)
            everything = walk(components)
            if len(everything) > TOTAL_V2:
                self._errors.add(
                    path,
                    "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                    f"The maximum number of components is {TOTAL_V2}",
                )
            texts = [str(e.get("content", "")) for e in everything if e.get("type") == TEXT_DISPLAY]
            if sum(map(len, texts)) > TEXT_V2:
                self._errors.add(
                    path,
                    "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                    f"Components displayable text size exceeds maximum size of {TEXT_V2}",
                )
        self._children(components, path, allowed)

    def modal(self, components: list[Json], path: Path) -> None:
        for index, component in enumerate(components):
            spot = [*path, index]
            if not self._is_one_of(component, spot, (ACTION_ROW, LABEL, TEXT_DISPLAY)):
                continue
            if component["type"] == ACTION_ROW:
                children = component.get("components") or []
                self._errors.length([*spot, "components"], children, 1, 1)
                for child in children:
                    child_spot = [*spot, "components", 0]
                    if self._is_one_of(child, child_spot, (TEXT_INPUT,)):
                        self._text_input(child, child_spot, labelled=True)
            elif component["type"] == LABEL:
                self._label(component, spot)

    def _label(self, component: Json, path: Path) -> None:
        self._errors.length([*path, "label"], component.get("label"), 1, 45, needed=True)
        self._errors.length([*path, "description"], component.get("description"), 0, 100)
        child = component.get("component") or {}
        spot = [*path, "component"]
        if not self._is_one_of(child, spot, _IN_LABEL):
            return
        if child["type"] == TEXT_INPUT:
            self._text_input(child, spot, labelled=False)
        elif child["type"] in SELECTS:
            self._select(child, spot)
        else:
            self._custom_id(child, spot)

    def _text_input(self, component: Json, path: Path, *, labelled: bool) -> None:
        self._custom_id(component, path)
        self._errors.choice([*path, "style"], component.get("style"), (1, 2))
        if labelled:
            self._errors.length([*path, "label"], component.get("label"), 1, 45, needed=True)
        self._errors.length([*path, "placeholder"], component.get("placeholder"), 0, 100)
        self._errors.length([*path, "value"], component.get("value"), 0, 4000)

    def _is_one_of(self, component: Json, path: Path, allowed: tuple[int, ...]) -> bool:
        if component.get("type") in allowed:
            return True
        names = ", ".join(str(each) for each in allowed)
        self._errors.add(
            [*path, "type"],
            "UNION_TYPE_CHOICES",
            f'Value of field "type" must be one of ({names},).',
        )
        return False

    def _children(self, components: list[Json], path: Path, allowed: tuple[int, ...]) -> None:
        for index, component in enumerate(components):
            spot = [*path, index]
            if self._is_one_of(component, spot, allowed):
                self._layout(component, spot)

    def _layout(self, component: Json, path: Path) -> None:
        match component["type"]:
            case 1:
                self._row(component, path)
            case 9:
                self._section(component, path)
            case 10:
                content = component.get("content")
                self._errors.length([*path, "content"], content, 1, TEXT_V2, needed=True)
            case 12:
                items = component.get("items")
                self._errors.length([*path, "items"], items, 1, 10, needed=True)
            case 17:
                children = component.get("components") or []
                self._errors.length([*path, "components"], children, 1, TOTAL_V2)
                self._children(children, [*path, "components"], _IN_CONTAINER)

    def _section(self, component: Json, path: Path) -> None:
        texts = component.get("components") or []
        self._errors.length([*path, "components"], texts, 1, 3)
        self._children(texts, [*path, "components"], (TEXT_DISPLAY,))
        accessory = component.get("accessory")
        if accessory is None:
            self._errors.required([*path, "accessory"])
            return
        spot = [*path, "accessory"]
        if self._is_one_of(accessory, spot, (BUTTON, THUMBNAIL)) and accessory["type"] == BUTTON:
            self._button(accessory, spot)

    def _row(self, row: Json, path: Path) -> None:
        children = row.get("components") or []
        spot = [*path, "components"]
        self._errors.length(spot, children, 1, 5)
        selects = [each for each in children if each.get("type") in SELECTS]
        if selects and len(children) > 1:
            self._errors.add(
                spot,
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )
        for index, child in enumerate(children):
            if self._is_one_of(child, [*spot, index], (BUTTON, *SELECTS)):
                check = self._button if child["type"] == BUTTON else self._select
                check(child, [*spot, index])

    def _custom_id(self, component: Json, path: Path) -> None:
        custom_id = component.get("custom_id")
        self._errors.length([*path, "custom_id"], custom_id, 1, 100, needed=True)
        if custom_id in self._custom_ids:
            self._errors.add(
                [*path, "custom_id"],
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        elif isinstance(custom_id, str):
            self._custom_ids.add(custom_id)

    def _button(self, button: Json, path: Path) -> None:
        style = button.get("style")
        if not self._errors.choice([*path, "style"], style, (1, 2, 3, 4, 5, 6)):
            return
        self._errors.length([*path, "label"], button.get("label"), 0, 80)
        if style == PREMIUM_STYLE:
            return
        if style == LINK_STYLE:
            self._errors.length([*path, "url"], button.get("url"), 1, 512, needed=True)
            if button.get("custom_id"):
                self._errors.add(
                    [*path, "custom_id"],
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        else:
            self._custom_id(button, path)
            if button.get("url"):
                self._errors.add(
                    [*path, "url"],
                    "BUTTON_COMPONENT_INVALID_STYLE",
                    "A url can only be specified with style Link",
                )
        if not button.get("label") and not button.get("emoji"):
            self._errors.add(
                path,
                "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
                "A button must have a label or an emoji",
            )

    def _select(self, select: Json, path: Path) -> None:
        self._custom_id(select, path)
        self._errors.length([*path, "placeholder"], select.get("placeholder"), 0, 150)
        lowest, highest = select.get("min_values", 1), select.get("max_values", 1)
        if not 0 <= lowest <= 25:
            message = "int value should be between 0 and 25."
            self._errors.add([*path, "min_values"], "NUMBER_TYPE_MAX", message)
        if not 1 <= highest <= 25 or lowest > highest:
            message = "int value should be between 1 and 25 and not less than min_values."
            self._errors.add([*path, "max_values"], "NUMBER_TYPE_MAX", message)
        if select["type"] != STRING_SELECT:
            return
        options = select.get("options")
        self._errors.length([*path, "options"], options, 1, 25, needed=True)
        seen: set[str] = set()
        for index, option in enumerate(options or []):
            spot = [*path, "options", index]
            self._errors.length([*spot, "label"], option.get("label"), 1, 100, needed=True)
            self._errors.length([*spot, "value"], option.get("value"), 1, 100, needed=True)
            self._errors.length([*spot, "description"], option.get("description"), 0, 100)
            if option.get("value") in seen:
                self._errors.add(
                    [*spot, "value"],
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            seen.add(option.get("value", ""))
