"""One fuzz target in this process: `python -m tests.fuzz.one TARGET [options of libFuzzer]`."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["cudamigrate"]):
    from tests.fuzz import targets


def main() -> None:
    """Fuzz until the options say that it is enough."""
    name = sys.argv.pop(1)
    atheris.Setup(sys.argv, lambda data: targets.run(name, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
