"""Reading: from a message as written to who is discussed and what a model is shown.

Pure: no I/O beyond the word lists, no model. `read` is the way in.
"""

from bot.reading.people import Kind
from bot.reading.reading import Candidate, Mention, Reading, View, read

__all__ = ["Candidate", "Kind", "Mention", "Reading", "View", "read"]
