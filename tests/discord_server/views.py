"""What a person sees of a message: its text, its buttons and its menus."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.discord_server import state
from tests.discord_server.components import BUTTON, SELECTS, walk
from tests.discord_server.state import Json, MessageFlag
from tests.discord_server.world import World, text_displays


class NotPossible(Exception):  # noqa: N818 - a test asked for what a client would not let it do
    """A person could not do that in Discord: the client offers no way, or refuses."""


@dataclass(frozen=True)
class Button:
    """A button of a message."""

    label: str
    custom_id: str | None
    style: int
    disabled: bool
    url: str | None


@dataclass(frozen=True)
class Select:
    """A menu of a message; `options` are the values of a string select."""

    custom_id: str
    type: int
    placeholder: str | None
    disabled: bool
    options: tuple[str, ...]
    labels: tuple[str, ...]
    min_values: int
    max_values: int


@dataclass(frozen=True)
class Modal:
    """A modal: its title and the fields to fill in, by custom id."""

    title: str
    custom_id: str
    fields: dict[str, Json] = field(default_factory=dict)
    components: list[Json] = field(default_factory=list)

    @classmethod
    def of(cls, data: Json) -> Modal:
        """The modal of a response."""
        components = data["components"]
        fields = {each["custom_id"]: each for each in walk(components) if "custom_id" in each}
        return cls(data["title"], data["custom_id"], fields, components)


class Message:
    """A message as tests look at it. It follows edits and deletion."""

    def __init__(self, world: World, data: state.Message) -> None:
        self.world = world
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and other.data is self.data

    def __hash__(self) -> int:
        return hash(self.data.id)

    def __repr__(self) -> str:
        return f"<Message {self.id} by {self.author_name}: {self.text!r}>"

    @property
    def id(self) -> int:
        """The snowflake."""
        return self.data.id

    @property
    def channel_id(self) -> int:
        """The channel or thread it is in."""
        return self.data.channel_id

    @property
    def author_id(self) -> int:
        """The id of its user, bot or webhook."""
        return self.data.author.id

    @property
    def author_name(self) -> str:
        """The name its author shows."""
        return self.data.author.global_name or self.data.author.username

    @property
    def content(self) -> str:
        """Its text, embeds and components aside."""
        return self.data.content

    @property
    def embeds(self) -> list[Json]:
        """Its embeds, as sent."""
        return self.data.embeds

    @property
    def components(self) -> list[Json]:
        """Its components, as sent."""
        return self.data.components

    @property
    def attachments(self) -> list[state.Attachment]:
        """Its files with their bytes."""
        return self.data.attachments

    @property
    def text(self) -> str:
        """Everything there is to read: content, embeds and text displays, line by line."""
        lines: list[str | None] = [self.content]
        for embed in self.embeds:
            lines += [_part(embed, "author", "name"), embed.get("title"), embed.get("description")]
            for each in embed.get("fields") or []:
                lines += [each["name"], each["value"]]
            lines.append(_part(embed, "footer", "text"))
        lines += text_displays(self.components)
        return "\n".join(line for line in lines if line)

    @property
    def buttons(self) -> list[Button]:
        """Its buttons, from the top."""
        return [
            Button(
                each.get("label") or "",
                each.get("custom_id"),
                each["style"],
                bool(each.get("disabled")),
                each.get("url"),
            )
            for each in walk(self.components)
            if each["type"] == BUTTON
        ]

    @property
    def selects(self) -> list[Select]:
        """Its menus, from the top."""
        return [
            Select(
                each["custom_id"],
                each["type"],
                each.get("placeholder"),
                bool(each.get("disabled")),
                tuple(option["value"] for option in each.get("options") or []),
                tuple(option["label"] for option in each.get("options") or []),
                each.get("min_values", 1),
                each.get("max_values", 1),
            )
            for each in walk(self.components)
            if each["type"] in SELECTS
        ]

    @property
    def pings(self) -> state.Pings:
        """Whom it notifies; falsy if nobody."""
        return self.data.pings

    @property
    def allowed_mentions(self) -> Json | None:
        """What its author allowed, as sent."""
        return self.data.allowed_mentions

    @property
    def nonce(self) -> str | int | None:
        """The nonce it was sent with."""
        return self.data.nonce

    @property
    def deleted(self) -> bool:
        """Whether it is gone."""
        return self.data.deleted

    @property
    def edited(self) -> bool:
        """Whether it was edited."""
        return self.data.edited_at is not None

    @property
    def revisions(self) -> list[str]:
        """The contents it had before, oldest first."""
        return self.data.revisions

    @property
    def ephemeral(self) -> bool:
        """Whether only one user sees it."""
        return bool(self.data.flags & MessageFlag.EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether it still shows "thinking"."""
        return bool(self.data.flags & MessageFlag.LOADING)

    @property
    def reply_to_id(self) -> int | None:
        """The message it answers."""
        reference = self.data.reference
        return None if reference is None else int(reference["message_id"])

    @property
    def jump_url(self) -> str:
        """The link that opens it."""
        guild_id = self.world.channels[self.channel_id].guild_id or "@me"
        return f"https://discord.com/channels/{guild_id}/{self.channel_id}/{self.id}"

    def button(self, wanted: str) -> Button:
        """The button of a custom id or label.

        Raises:
            NotPossible: there is none.
        """
        for each in self.buttons:
            if wanted in (each.custom_id, each.label):
                return each
        shown = [(each.label, each.custom_id) for each in self.buttons]
        raise NotPossible(f"no button {wanted!r} among {shown}")

    def select(self, wanted: str) -> Select:
        """The menu of a custom id or placeholder.

        Raises:
            NotPossible: there is none.
        """
        for each in self.selects:
            if wanted in (each.custom_id, each.placeholder):
                return each
        raise NotPossible(f"no menu {wanted!r} among {[each.custom_id for each in self.selects]}")


def _part(embed: Json, name: str, key: str) -> Any:
    return (embed.get(name) or {}).get(key)
