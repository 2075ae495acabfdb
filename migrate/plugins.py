"""Plug-ins: every public module of a package, by file name.

Packages are given by their dotted names. A plug-in is a module with the names its package's Protocol states; adding
the file is all it takes. Modules whose name starts with `_` are not plug-ins. Works from a source tree, a wheel, a zip
file and a frozen program, because the package's own loader lists its modules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType


def names(package: str) -> list[str]:
    """Names of a package's plug-ins, sorted; imports the package itself and none of them."""
    import pkgutil  # `one` does without

    found = pkgutil.iter_modules(import_module(package).__path__)
    return sorted(module.name for module in found if not module.name.startswith("_"))


@cache
def one(package: str, name: str) -> ModuleType | None:
    """The plug-in called `name`, imported alone; None where there is none."""
    if not name.isidentifier() or name.startswith("_"):
        return None
    try:
        return import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if error.name == f"{package}.{name}":
            return None
        raise


@cache
def load(package: str) -> Mapping[str, ModuleType]:
    """Import every plug-in of a package. An import error is not caught: a broken plug-in is a bug."""
    return {name: import_module(f"{package}.{name}") for name in names(package)}
