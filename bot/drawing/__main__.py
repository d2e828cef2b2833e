"""`python -m bot.drawing`: an order as JSON on stdin, the picture on stdout.

What goes wrong is one line on stderr without the picture's words, which may be names.
"""

from __future__ import annotations

import sys
import traceback
import warnings


def main() -> int:
    """Draw one picture; return the exit code."""
    try:
        warnings.simplefilter("ignore")
        from bot.drawing.figures import ORDER  # noqa: PLC0415
        from bot.drawing.rendering import render  # noqa: PLC0415

        order = ORDER.validate_json(sys.stdin.buffer.read())
        content = render(order.picture, theme=order.theme, form=order.form)
    except Exception as error:  # noqa: BLE001
        place = traceback.extract_tb(error.__traceback__)[-1]
        missing = f" {error.name}" if isinstance(error, ModuleNotFoundError) else ""
        sys.stderr.write(f"{type(error).__name__}{missing} in {place.name}, line {place.lineno}\n")
        return 1
    sys.stdout.buffer.write(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
