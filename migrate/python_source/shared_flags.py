"""Options for PyTorch's builds that one module of a tree takes from another: `extra_cuda_cflags=flags(1024)`.

Result: for each module the names in it whose value, or whose function's result, a build gets as nvcc's options, itself
or over further modules. Imports are followed by their paths, relative ones too; nothing is run.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.python_source import flags, names, source
from cudamigrate.python_source.source import PySource

_BUILDS = re.compile(rb"cpp_extension|extra_cuda_cflags")
"""What a file has in which PyTorch builds an extension, or that gives its parameter for nvcc's options."""
_DOTS = re.compile(r"\.*")


def given(files: Mapping[str, bytes]) -> dict[str, frozenset[str]]:
    """The names, by the path of the module that they are in."""
    return _Search(files).found() if any(map(_BUILDS.search, files.values())) else {}


@dataclass(slots=True)
class _Search:
    files: Mapping[str, bytes]
    names: dict[str, set[str]] = field(default_factory=dict)
    _read: dict[str, PySource] = field(default_factory=dict)

    def found(self) -> dict[str, frozenset[str]]:
        waiting = [path for path, data in self.files.items() if _BUILDS.search(data)]
        for path in waiting:
            for other, name in self._taken(path):
                known = self.names.setdefault(other, set())
                if name not in known and other != path:
                    known.add(name)
                    waiting.append(other)
        return {path: frozenset(known) for path, known in sorted(self.names.items()) if known}

    def _taken(self, path: str) -> Iterator[tuple[str, str]]:
        """What the options in a file are taken from: modules of the tree, and names in them."""
        if path not in self._read:
            self._read[path] = source.read(self.files[path], self.files[path], path)
        py = self._read[path]
        builds = _BUILDS.search(py.text) is not None
        taken = flags.outside(py, names.read(py), frozenset(self.names.get(path, ())), builds)
        imported = dict(_imports(py)) if taken else {}
        for name in taken:
            yield from self._resolved(path, name, imported)

    def _resolved(self, path: str, name: str, imported: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """The module and its name that a name of a file stands for: `flags`, `options.flags`; none of other trees."""
        head, _, last = name.rpartition(".")
        module, inner = imported.get(head or name, ("", ""))
        if head and inner:  # `from a import options`
            module, inner = f"{module}.{inner}" if module.strip(".") else module + inner, ""
        there = self._file(module, path) if module else ""
        if there and (last if head else inner):
            yield there, last if head else inner

    def _file(self, module: str, path: str) -> str:
        """The file of a module that a file imports; empty where the tree has none."""
        dots = _DOTS.match(module)
        up = dots.end() if dots is not None else 0
        inner = module[up:].replace(".", "/")
        folder = posixpath.dirname(path)
        bases = [posixpath.normpath(posixpath.join(folder, *[".."] * (up - 1)))] if up else _around(folder)
        for base in bases:
            for end in (".py", "/__init__.py") if inner else ("__init__.py",):
                there = posixpath.normpath(posixpath.join(base, f"{inner}{end}"))
                if there in self.files:
                    return there
        return ""


def _around(folder: str) -> list[str]:
    """A folder and those around it, up to the root of the tree."""
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:end]) for end in range(len(parts), -1, -1)]


def _imports(py: PySource) -> Iterator[tuple[str, tuple[str, str]]]:
    """What the names that a file imports are: a module, with leading dots, and the name in it, empty for all of it."""
    for node in py.kind("import"):
        module = node.child_by_field_name("module_name")
        for child in node.children_by_field_name("name"):
            alias = child.child_by_field_name("alias")
            target = child.child_by_field_name("name") if alias is not None else child
            name = _text(py, target)
            local = _text(py, alias) if alias is not None else name
            yield local, (name, "") if module is None else (_text(py, module), name)


def _text(py: PySource, node: Node | None) -> str:
    return "".join(py.raw(node).decode("utf-8", "replace").split()) if node is not None else ""
