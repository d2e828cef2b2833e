"""Limits of messages and embeds."""

from __future__ import annotations

from tests.discord_server.components import validate_components
from tests.discord_server.errors import FormErrors, empty_message
from tests.discord_server.state import Json, MessageFlag

CONTENT_LENGTH = 2000
EMBED_TOTAL = 6000
SENDABLE_FLAGS = (
    MessageFlag.SUPPRESS_EMBEDS
    | MessageFlag.EPHEMERAL
    | MessageFlag.SUPPRESS_NOTIFICATIONS
    | MessageFlag.IS_COMPONENTS_V2
)


def validate_message(body: Json, *, flags: int, base: tuple[str, ...] = ()) -> None:
    """Refuse a body that breaks one of Discord's limits; `base` is where it stands.

    Raises:
        ApiError: 50035.
    """
    errors = FormErrors(base)
    errors.length(["content"], body.get("content"), 0, CONTENT_LENGTH)
    nonce = body.get("nonce")
    if nonce is not None:
        errors.length(["nonce"], str(nonce), 0, 25)
    validate_embeds(body.get("embeds") or [], errors)
    _validate_allowed_mentions(body.get("allowed_mentions"), errors)
    if flags & ~SENDABLE_FLAGS & ~MessageFlag.HAS_THREAD:
        errors.add(["flags"], "MESSAGE_FLAGS_INVALID", "Message flags are invalid")
    v2 = bool(flags & MessageFlag.IS_COMPONENTS_V2)
    for name in ("content", "embeds", "poll", "sticker_ids"):
        if v2 and body.get(name):
            errors.add(
                [name],
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )
    validate_components(body.get("components") or [], errors, v2=v2)
    errors.check()


def require_something(
    *, content: str, embeds: list[Json], components: list[Json], attachments: int
) -> None:
    """Refuse a message without content.

    Raises:
        ApiError: 50006.
    """
    if not content.strip() and not embeds and not components and not attachments:
        raise empty_message()


def validate_embeds(embeds: object, errors: FormErrors) -> None:
    """Check up to ten embeds, each part and the total of all."""
    if not isinstance(embeds, list):
        errors.add(["embeds"], "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        return
    errors.length(["embeds"], embeds, 0, 10)
    total = sum(_embed(embed, ["embeds", index], errors) for index, embed in enumerate(embeds))
    if total > EMBED_TOTAL:
        errors.add(
            ["embeds"],
            "MAX_EMBED_SIZE_EXCEEDED",
            f"Embed size exceeds maximum size of {EMBED_TOTAL}",
        )


def _embed(embed: Json, path: list[str | int], errors: FormErrors) -> int:
    """Check one embed; its characters that count toward the total."""
    errors.length([*path, "title"], embed.get("title"), 0, 256)
    errors.length([*path, "description"], embed.get("description"), 0, 4096)
    errors.length([*path, "footer", "text"], (embed.get("footer") or {}).get("text"), 0, 2048)
    errors.length([*path, "author", "name"], (embed.get("author") or {}).get("name"), 0, 256)
    color = embed.get("color")
    if color is not None and not 0 <= color <= 0xFFFFFF:
        limit = 0xFFFFFF
        errors.add(
            [*path, "color"],
            "NUMBER_TYPE_MAX",
            f"int value should be less than or equal to {limit}.",
        )
    fields = embed.get("fields") or []
    errors.length([*path, "fields"], fields, 0, 25)
    for index, each in enumerate(fields):
        spot = [*path, "fields", index]
        for name, highest in (("name", 256), ("value", 1024)):
            value = each.get(name)
            errors.length([*spot, name], value or None, 0, highest, needed=True)
    parts = [
        embed.get("title"),
        embed.get("description"),
        (embed.get("footer") or {}).get("text"),
        (embed.get("author") or {}).get("name"),
        *(each.get(name) for each in fields for name in ("name", "value")),
    ]
    return sum(len(part) for part in parts if isinstance(part, str))


def _validate_allowed_mentions(allowed: object, errors: FormErrors) -> None:
    if allowed is None:
        return
    path = ["allowed_mentions"]
    if not isinstance(allowed, dict):
        errors.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return
    parse = allowed.get("parse") or []
    for index, kind in enumerate(parse):
        if kind not in ("users", "roles", "everyone"):
            message = "Value must be one of ('roles', 'users', 'everyone')."
            errors.add([*path, "parse", index], "BASE_TYPE_CHOICES", message)
    for kind in ("users", "roles"):
        errors.length([*path, kind], allowed.get(kind), 0, 100)
        if kind in parse and allowed.get(kind):
            errors.add(
                path,
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.',
            )
