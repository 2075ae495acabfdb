"""The command `cudamigrate`, also as `python -m cudamigrate`.

`check` runs before every commit. Its common options are read here without the option parser, which takes longer to
start than a file takes to check, and the list of commands is printed without it; all else goes through `cli/app.py`.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import Any

from cudamigrate import lazy_re

_COMPLETES = "_CUDAMIGRATE_COMPLETE"
"""The variable by which a shell asks for completion."""
_PATTERNS = "patterns"
"""The folder of the user's cache that holds compiled patterns, and what they are called there."""


def main() -> None:
    """Run the command that was typed, and end the process with its exit code."""
    lazy_re.use_kept(_kept_patterns, _keep_patterns)
    atexit.register(lazy_re.keep)
    atexit.register(gc.freeze)  # what is left goes with the process, and need not be gone through
    gc.set_threshold(500_000, 50, 50)  # there is little that refers to itself, and a report has millions of objects
    words = sys.argv[1:]
    if words[:1] == ["check"]:
        from cudamigrate.cli import console, hook

        words[1:] = hook.separated(words[1:])
        given = hook.read(words[1:])
        if given is not None:
            console.end(lambda: hook.run(given))
    if not words or words[0].startswith("-"):
        from cudamigrate.cli import listing

        if listing.is_asked(words) and _COMPLETES not in os.environ:
            from cudamigrate.cli import console

            console.end(lambda: _listed(words))
    from cudamigrate.cli import app

    app.main(words)


def _listed(words: list[str]) -> int:
    """Print the list of commands; the exit code."""
    from cudamigrate.cli import console, listing

    console.say(listing.text(_columns()))
    return console.DONE if words else console.USAGE


def _columns() -> int:
    """The width of the terminal, as the standard library finds it in a module that is slow to import."""
    asked = os.environ.get("COLUMNS", "")
    with suppress(ValueError):
        if int(asked) > 0:
            return int(asked)
    with suppress(AttributeError, ValueError, OSError):  # standard output is closed, or no terminal
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    return 80


def _kept_patterns() -> Any:
    """The compiled patterns of earlier runs."""
    from cudamigrate.shipped_data import is_private, remembered, user_cache  # help does without

    return remembered(_PATTERNS, lazy_re.kept_for(), _PATTERNS) if is_private(user_cache(_PATTERNS)) else None


def _keep_patterns(patterns: Any) -> None:
    """Leave compiled patterns to later runs. Raises OSError."""
    from cudamigrate.shipped_data import is_private, remember, user_cache

    if is_private(user_cache(_PATTERNS), make=True):
        remember(_PATTERNS, lazy_re.kept_for(), patterns, _PATTERNS)


def _leave_out_current_folder() -> None:
    """Take no module from where this was started, as `python -m` would: a repository may hold a `typer.py`."""
    try:
        here = os.getcwd()
    except OSError:  # it is gone
        return
    is_there = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) == here
    if sys.path[:1] in ([""], [here]) and not is_there and not getattr(sys.flags, "safe_path", False):
        del sys.path[0]


if __name__ == "__main__":
    _leave_out_current_folder()
    main()
