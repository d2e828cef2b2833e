"""Errors that Fanguard raises on purpose."""


class FanguardError(Exception):
    """The base of every error of this project."""


class UserError(FanguardError):
    """Bad input or set-up that the user can mend.

    The message is shown as it is: one short paragraph that says what is wrong and
    what to do. The command line prints it to stderr and exits with code 2.
    """
