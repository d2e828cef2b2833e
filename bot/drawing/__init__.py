"""Pictures of figures, as PNG or SVG, for Discord and for the web.

`figures` says what a picture shows; `Studio` has it drawn in a process of its own, so that
the bot never holds a plotting library in memory.
"""

from bot.drawing.figures import (
    ALT_LIMIT,
    Bars,
    Columns,
    Curves,
    Facts,
    Form,
    Mark,
    Panel,
    Picture,
    Series,
    Theme,
    alt_text,
    describe,
)
from bot.drawing.studio import DrawingError, Studio

__all__ = [
    "ALT_LIMIT",
    "Bars",
    "Columns",
    "Curves",
    "DrawingError",
    "Facts",
    "Form",
    "Mark",
    "Panel",
    "Picture",
    "Series",
    "Studio",
    "Theme",
    "alt_text",
    "describe",
]
