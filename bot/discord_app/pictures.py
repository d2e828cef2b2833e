"""Pictures of figures as attachments, with their text alternative."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal, TypeAlias

import discord

from bot.drawing import Picture, Theme, alt_text

if TYPE_CHECKING:
    from bot.discord_app.client import FanguardBot

Ground: TypeAlias = Literal["dark", "light"]


async def attachment_of(
    bot: FanguardBot, picture: Picture, ground: Ground, name: str
) -> discord.File:
    """Draw a picture.

    Raises:
        DrawingError: that failed.
    """
    content = await bot.studio.draw(picture, theme=Theme(ground))
    return discord.File(io.BytesIO(content), name, description=alt_text(picture))
