"""How strict a guild is: its own threshold, and what becomes of it with another model.

A threshold means nothing to another model; the share of ordinary messages that it queues
does. So a guild's own threshold is kept as that share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, TypeVar

from bot.errors import UserError
from bot.store import ChannelSettings, GuildSettings, Store, ThresholdNotice
from bot.words import _

SettingsT = TypeVar("SettingsT", GuildSettings, ChannelSettings)


class Scale(Protocol):
    """What a model knows of its own scores."""

    @property
    def version(self) -> str:
        """The model's version."""
        ...

    @property
    def threshold(self) -> float:
        """The threshold it was shipped with."""
        ...

    def share_queued(self, threshold: float) -> float | None:
        """The share of ordinary messages that a threshold queues; None if that is unknown."""
        ...

    def threshold_for(self, share: float) -> float:
        """The threshold that queues a share of ordinary messages."""
        ...


class Preset(StrEnum):
    """How strict, by what the standard threshold queues: half as much, as much, twice as much."""

    RELAXED = "relaxed"
    STANDARD = "standard"
    STRICT = "strict"


_OF_STANDARD = {Preset.RELAXED: 0.5, Preset.STRICT: 2.0}


@dataclass(frozen=True, slots=True)
class Strictness:
    """From which score messages are queued, and which share of the ordinary ones that is.

    `share` is None where the model does not know it; `preset` is None for a threshold of
    the guild's own. `set_for` is the version of another model that the threshold was set
    for, where it could not be moved to this one.
    """

    threshold: float
    share: float | None
    preset: Preset | None = None
    set_for: str | None = None


class Thresholds:
    """The thresholds of guilds under one model."""

    def __init__(self, store: Store, model: Scale, default: float | None = None) -> None:
        """Use what `model` knows of its scores.

        Args:
            store: where guilds' settings are.
            model: the model in use.
            default: the threshold of guilds that set none; None means the model's own.
        """
        self._store = store
        self._model = model
        self._default = default

    @property
    def model(self) -> str:
        """The version of the model in use."""
        return self._model.version

    def of(self, settings: GuildSettings) -> Strictness:
        """Say how strict a guild is; `settings` as the store has them."""
        if settings.threshold is None:
            return self._preset(Preset.STANDARD)
        current = self.moved(settings)
        threshold = settings.threshold if current.threshold is None else current.threshold
        if current.threshold_model != self._model.version:
            return Strictness(threshold, None, set_for=current.threshold_model)
        offered = {
            one.threshold: one.preset for one in self.presets() if one.preset in _OF_STANDARD
        }
        return Strictness(
            threshold, self._model.share_queued(threshold), preset=offered.get(threshold)
        )

    def presets(self) -> list[Strictness]:
        """Return what can be chosen by name; the standard alone where shares are unknown."""
        standard = self._preset(Preset.STANDARD)
        return [standard] if standard.share is None else [self._preset(one) for one in Preset]

    def with_preset(self, settings: GuildSettings, preset: Preset) -> GuildSettings:
        """Return the settings with a preset chosen.

        Raises:
            UserError: the model does not know what share its thresholds queue.
        """
        if preset is Preset.STANDARD:
            return replace(settings, threshold=None, threshold_share=None, threshold_model=None)
        chosen = self._preset(preset)
        if chosen.share is None:
            raise UserError(
                _(
                    "This model does not say how many messages a threshold queues. "
                    "Choose standard, or give a score of your own."
                )
            )
        return self._with(settings, chosen.threshold, chosen.share)

    def with_threshold(self, settings: GuildSettings, threshold: float) -> GuildSettings:
        """Return the settings with a threshold of the guild's own.

        Raises:
            UserError: it is not between 0 and 1.
        """
        if not 0.0 < threshold < 1.0:
            raise UserError(_("A score is a number between 0 and 1, such as 0.4."))
        return self._with(settings, threshold, self._model.share_queued(threshold))

    def for_channel(self, settings: ChannelSettings, threshold: float | None) -> ChannelSettings:
        """Return a channel's settings with a threshold of its own, or with none."""
        if threshold is None:
            return replace(settings, threshold=None, threshold_share=None, threshold_model=None)
        return self._with(settings, threshold, self._model.share_queued(threshold))

    async def move_channels(self, guild_id: str) -> list[tuple[ChannelSettings, ChannelSettings]]:
        """Store the thresholds of a guild's channels as moved to the model in use.

        Returns:
            Those that were set for another model, before and after.
        """
        told = []
        for before in (await self._store.channels.all(guild_id)).values():
            after = self.moved(before)
            if after != before:
                await self._store.channels.put(after)
                if before.threshold_model is not None:
                    told.append((before, after))
        return told

    def moved(self, settings: SettingsT) -> SettingsT:
        """Return the settings with a guild's or channel's own threshold moved to the model in use.

        A threshold of no known model is taken for one of this model. One whose share is
        unknown, to it or to the model, stays where it is.
        """
        threshold, share = settings.threshold, settings.threshold_share
        if threshold is None or settings.threshold_model == self._model.version:
            return settings
        if settings.threshold_model is None:
            return self._with(settings, threshold, self._model.share_queued(threshold))
        if share is None or self._model.share_queued(threshold) is None:
            return settings
        return self._with(settings, self._model.threshold_for(share), share)

    async def move(self, settings: GuildSettings) -> GuildSettings:
        """Store a guild's threshold as moved to the model in use, with a notice if it was moved.

        Args:
            settings: as the store has them.

        Returns:
            The settings as they are now.
        """
        moved = self.moved(settings)
        if moved == settings:
            return settings
        tell = settings.threshold_model is not None
        if await self._store.guilds.move_threshold(settings, moved, tell=tell):
            return moved
        return await self._store.guilds.get(settings.guild_id) or settings

    async def notice(self, guild_id: str) -> ThresholdNotice | None:
        """Return what a guild's moderators are to be told; one that they made void is dropped."""
        found = await self._store.notices.pending(guild_id)
        if found is None:
            return None
        settings = await self._store.guilds.get(guild_id)
        if settings is not None and settings.threshold == found.after:
            return found
        await self._store.notices.drop(found.id)
        return None

    def _preset(self, preset: Preset) -> Strictness:
        standard = self._model.threshold if self._default is None else self._default
        share = self._model.share_queued(standard)
        if preset is Preset.STANDARD or share is None:
            return Strictness(standard, share, preset)
        wanted = min(share * _OF_STANDARD[preset], 1.0)
        return Strictness(self._model.threshold_for(wanted), wanted, preset)

    def _with(self, settings: SettingsT, threshold: float, share: float | None) -> SettingsT:
        return replace(
            settings,
            threshold=threshold,
            threshold_share=share,
            threshold_model=self._model.version,
        )
