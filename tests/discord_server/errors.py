"""Discord's error answers: HTTP status, JSON code, message and the form's errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class ApiError(Exception):
    """A request that Discord refuses."""

    def __init__(
        self, status: int, code: int, message: str, errors: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def payload(self) -> dict[str, Any]:
        """The JSON body."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors:
            body["errors"] = self.errors
        return body


class FormErrors:
    """Collects what is wrong with a body, each under the path of its field."""

    def __init__(self, base: Sequence[str | int] = ()) -> None:
        self._base = base
        self._tree: dict[str, Any] = {}

    def add(self, path: Sequence[str | int], code: str, message: str) -> None:
        """Note one fault of the field at `path`."""
        node = self._tree
        for part in (*self._base, *path):
            node = node.setdefault(str(part), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def required(self, path: Sequence[str | int]) -> None:
        """Note that a field is missing."""
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def length(
        self, path: Sequence[str | int], value: object, low: int, high: int, *, needed: bool = False
    ) -> None:
        """Check the length of a string or list; None passes unless `needed`."""
        if value is None:
            if needed:
                self.required(path)
            return
        if not isinstance(value, str | list):
            self.add(path, "BASE_TYPE_BAD_TYPE", "This field has the wrong type.")
        elif len(value) > high and low == 0:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
        elif not low <= len(value) <= high:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")

    def choice(self, path: Sequence[str | int], value: object, allowed: Sequence[int]) -> bool:
        """Check that a value is one of `allowed`; tells whether it is."""
        if value in allowed:
            return True
        names = ", ".join(str(one) for one in allowed)
        self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of {{{names}}}.")
        return False

    def check(self) -> None:
        """Refuse the request if anything was noted.

        Raises:
            ApiError: 50035 with all faults.
        """
        if self._tree:
            raise ApiError(400, 50035, "Invalid Form Body", self._tree)


def form_error(path: Sequence[str | int], code: str, message: str) -> ApiError:
    """A 50035 with a single fault."""
    tree: dict[str, Any] = {"_errors": [{"code": code, "message": message}]}
    for part in reversed(path):
        tree = {str(part): tree}
    return ApiError(400, 50035, "Invalid Form Body", tree)


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def not_found() -> ApiError:
    return ApiError(404, 0, "404: Not Found")


def missing_access() -> ApiError:
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    return ApiError(403, 50013, "Missing Permissions")


def cannot_message_user() -> ApiError:
    return ApiError(403, 50007, "Cannot send messages to this user")


def empty_message() -> ApiError:
    return ApiError(400, 50006, "Cannot send an empty message")


def not_the_author() -> ApiError:
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def wrong_channel_type() -> ApiError:
    return ApiError(400, 50024, "Cannot execute action on this channel type")


def archived_thread() -> ApiError:
    return ApiError(
        400,
        50083,
        "Tried to perform an operation on an archived thread, such as editing a message or "
        "adding a user to the thread",
    )


def already_acknowledged() -> ApiError:
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def invalid_webhook_token() -> ApiError:
    return ApiError(401, 50027, "Invalid Webhook Token")


_UNKNOWN = {
    "Channel": 10003,
    "Guild": 10004,
    "Member": 10007,
    "Message": 10008,
    "Role": 10011,
    "User": 10013,
    "Webhook": 10015,
    "Ban": 10026,
    "Interaction": 10062,
    "application command": 10063,
}


def unknown(what: str) -> ApiError:
    """A 404 for something that does not exist, such as "Message"."""
    return ApiError(404, _UNKNOWN[what], f"Unknown {what}")
