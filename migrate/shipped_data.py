"""What ships beside the code: the folder of rules, the tables of facts in it, and the stand-in headers.

The folder is found the same way in a checkout and in an installed wheel. A table is read when it is first asked for,
once per process.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

import tomli

from migrate.errors import RuleError


@cache
def rules_folder() -> Path:
    """The shipped rules: beside the package in a checkout, inside it when installed from a wheel."""
    package = Path(__file__).parent
    for folder in (package / "_rules", package.parent / "rules"):
        if (folder / "api").is_dir():
            return folder
    raise RuleError(f"no rules found beside {package}; reinstall cudamigrate")


def stand_ins(kind: Literal["declarations", "cuda"]) -> Path:
    """The folder of headers that stand in for those not at hand.

    `declarations` are for ROCm's libraries and PyTorch, `cuda` for the CUDA toolkit. Raises RuleError where the
    installation lacks them: without, every converted file would be said to miss its headers.
    """
    folder = rules_folder() / "stand-ins" / kind
    if not folder.is_dir():
        raise RuleError(f"no stand-in headers in {folder}; reinstall cudamigrate")
    return folder


@cache
def table(name: str) -> dict[str, Any]:
    """The facts of a shipped file such as `releases`, as they stand in it. Raises RuleError where it cannot be read."""
    path = rules_folder() / f"{name}.toml"
    try:
        return tomli.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomli.TOMLDecodeError) as error:
        raise RuleError(f"{path}: {error}") from None
