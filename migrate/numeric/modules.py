"""Build scripts -> the names under which Python imports a tree's extensions.

Result: for a C++ file, the module it is built into. C++ says only `TORCH_EXTENSION_NAME`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.syntax import python_imports, python_tree

_LOADERS = frozenset(("load", "load_inline"))
_UNITS = (".cpp", ".cu", ".cc", ".cxx", ".c")


@dataclass(frozen=True, slots=True)
class Extension:
    """A module that a build script makes, and the source names that are in its call."""

    name: str
    script: str
    units: frozenset[str]
    loaded: bool


def extensions(sources: Mapping[str, bytes]) -> list[Extension]:
    """Every extension whose name a Python file writes out."""
    found: dict[tuple[str, str], Extension] = {}
    for path, data in sources.items():
        if path.endswith(".py") and (b"Extension" in data or b"cpp_extension" in data):
            for extension in _in_script(path, data):
                found.setdefault((extension.name, path), extension)
    return list(found.values())


def module_of(path: str, known: list[Extension]) -> tuple[str, tuple[str, ...]]:
    """The module that a C++ file is built into, or none and the names to choose from."""
    naming = [extension for extension in known if any(_names(unit, path) for unit in extension.units)]
    built = [extension for extension in naming or known if not extension.loaded] or naming or known
    near = [extension for extension in built if path.startswith(_folder(extension.script))] or built
    names = tuple(dict.fromkeys(extension.name for extension in near))
    return (names[0], ()) if len(names) == 1 else ("", names)


def _folder(script: str) -> str:
    parent = PurePosixPath(script).parent.as_posix()
    return "" if parent == "." else f"{parent}/"


def _names(unit: str, path: str) -> bool:
    plain = unit.removeprefix("./")
    return path == plain or path.endswith(f"/{plain}")


def _in_script(path: str, data: bytes) -> Iterator[Extension]:
    try:
        tree = python_tree.parse(data)
    except (SyntaxError, ValueError):
        return
    assigned: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    assigned.setdefault(target.id, []).append(node.value)
    imported = python_imports.read(tree, "cpp_extension")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            built = imported.of(node.func)
            name = built or _called(node)
            if name.endswith("Extension") or built in _LOADERS:
                said = _name(node, assigned)
                if said:
                    yield Extension(said, path, frozenset(_units(node, assigned)), name in _LOADERS)


def _called(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _name(node: ast.Call, assigned: Mapping[str, list[ast.expr]]) -> str:
    given = [keyword.value for keyword in node.keywords if keyword.arg == "name"] or node.args[:1]
    for value in given:
        values = assigned.get(value.id, []) if isinstance(value, ast.Name) else [value]
        texts = [v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)]
        if len(texts) == 1 and all(part.isidentifier() for part in texts[0].split(".")):
            return texts[0]
    return ""


def _units(node: ast.Call, assigned: Mapping[str, list[ast.expr]]) -> Iterator[str]:
    waiting: list[ast.AST] = [node]
    seen: set[str] = set()
    while waiting:
        for part in ast.walk(waiting.pop()):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.endswith(_UNITS):
                yield part.value
            elif isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                waiting.extend(assigned.get(part.id, []))
