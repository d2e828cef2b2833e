"""A user's action as tests follow it: what the bot answered, and when."""

from __future__ import annotations

from tests.discord_server import state
from tests.discord_server.rest.interactions import FIRST_RESPONSE_SECONDS
from tests.discord_server.state import CallbackType, Json, MessageFlag
from tests.discord_server.views import Message, Modal, NotPossible
from tests.discord_server.world import World


class Interaction:
    """A command, click, menu choice, autocomplete or modal, and its answers."""

    def __init__(self, world: World, data: state.Interaction) -> None:
        self.world = world
        self.data = data

    def __repr__(self) -> str:
        return f"<Interaction {self.data.id} callback={self.data.callback}>"

    @property
    def id(self) -> int:
        """The snowflake."""
        return self.data.id

    @property
    def callback(self) -> CallbackType | None:
        """The kind of the first response; None so long as there is none."""
        return None if self.data.callback is None else CallbackType(self.data.callback)

    @property
    def deferred(self) -> bool:
        """Whether the first response was a deferral, of either kind."""
        return self.callback in (CallbackType.DEFERRED_MESSAGE, CallbackType.DEFERRED_UPDATE)

    @property
    def seconds_to_answer(self) -> float | None:
        """The time the first response took."""
        answered_at = self.data.answered_at
        return None if answered_at is None else answered_at - self.data.created_at

    @property
    def original(self) -> Message | None:
        """The message of the first response, or the one that it updates."""
        found = self.data.original
        return None if found is None else Message(self.world, found)

    @property
    def followups(self) -> list[Message]:
        """Further messages, deleted ones too."""
        return [Message(self.world, each) for each in self.data.followups]

    @property
    def modal(self) -> Modal | None:
        """The modal that was opened."""
        return None if self.data.modal is None else Modal.of(self.data.modal)

    @property
    def choices(self) -> list[Json] | None:
        """What autocomplete offered, as name and value."""
        return self.data.choices

    @property
    def messages(self) -> list[Message]:
        """New messages that can be read: the original, unless it is an update, and follow-ups."""
        found = list(self.followups)
        original = self.original
        if (
            original is not None
            and self.callback in (CallbackType.MESSAGE, CallbackType.DEFERRED_MESSAGE)
            and not original.loading
        ):
            found.insert(0, original)
        return [each for each in found if not each.deleted]

    @property
    def text(self) -> str:
        """All that can be read in its new messages."""
        return "\n".join(each.text for each in self.messages)

    @property
    def ephemeral(self) -> bool:
        """Whether the response is visible to the user alone; False before there is one."""
        original = self.data.original
        return original is not None and bool(original.flags & MessageFlag.EPHEMERAL)

    async def response(self, within: float = FIRST_RESPONSE_SECONDS) -> CallbackType:
        """Wait for the first response.

        Raises:
            TimeoutError: none came: the user sees "The application did not respond".
        """
        found = await self.world.wait_for(lambda: self.callback, within)
        return CallbackType(found or 0)

    async def reply(self, within: float = 5.0) -> Message:
        """Wait for a message that can be read: an answer, or a follow-up.

        Raises:
            TimeoutError: none came.
        """
        return (await self.world.wait_for(lambda: self.messages, within))[0]

    async def update(self, within: float = 5.0) -> Message:
        """Wait until the message that was clicked has been changed in answer.

        Raises:
            TimeoutError: it was not.
        """
        source = self.data.message
        if source is None:
            raise NotPossible("this interaction comes from no message")
        since = self.data.created_at

        def changed() -> bool:
            return source.edited_at is not None and source.edited_at >= since

        await self.world.wait_for(changed, within)
        return Message(self.world, source)
