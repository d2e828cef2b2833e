"""The tokens that stand in a view where names and markup were.

A view is lower case throughout; these tokens are the only upper-case words in it, so
nothing a member types can be taken for one. A model that folds case must add them to
its vocabulary first.

While a text is being read, the marks are single private-use code points (which no
comment keeps: they are dropped from what members write).
"""

from typing import Final

TARGET: Final = "TARGET"
"""The person asked about."""
PERSON: Final = "PERSON"
"""Any other person talked about."""
MEMBER: Final = "MEMBER"
"""A member of the channel who is mentioned (`@name`, `<@id>`)."""

QUOTE: Final = "QUOTE"
"""Opens words of somebody else."""
UNQUOTE: Final = "UNQUOTE"
"""Closes words of somebody else."""
CODE: Final = "CODE"
"""A code span or code block stood here."""
LINK: Final = "LINK"
"""A link stood here."""
CHANNEL: Final = "CHANNEL"
"""A channel was mentioned here."""

ROLES: Final = frozenset({TARGET, PERSON, MEMBER})
MARKS: Final = frozenset({QUOTE, UNQUOTE, CODE, LINK, CHANNEL})

QUOTE_MARK: Final = "\ue000"
UNQUOTE_MARK: Final = "\ue001"
CODE_MARK: Final = "\ue002"
LINK_MARK: Final = "\ue003"
CHANNEL_MARK: Final = "\ue004"
MEMBER_MARK: Final = "\ue005"

TOKEN_OF_MARK: Final = {
    QUOTE_MARK: QUOTE,
    UNQUOTE_MARK: UNQUOTE,
    CODE_MARK: CODE,
    LINK_MARK: LINK,
    CHANNEL_MARK: CHANNEL,
    MEMBER_MARK: MEMBER,
}
