"""The command `cudamigrate`, also as `python -m migrate`.

`check` runs before every commit. Without options it needs no option parser, which takes longer to start than a file
takes to check; all else goes through `cli/app.py`.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that was typed, and end the process with its exit code."""
    words = sys.argv[1:]
    if words[:1] == ["check"] and not any(word.startswith("-") for word in words):
        from pathlib import Path

        from migrate.cli import console, hook

        console.end(lambda: hook.run([Path(word) for word in words[1:]]))
    from migrate.cli import app

    app.main(words)


if __name__ == "__main__":
    main()
