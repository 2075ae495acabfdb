"""Classes in Python that have PyTorch build extensions -> the sources that its build for ROCm compiles.

A class gives what a method returns to `CUDAExtension` or `load`, and classes made from it, in whatever file, return
their sources there. PyTorch's build runs hipify on these. Nothing shows that a class is built for ROCm but that it asks
for it: what it gives ROCm in place of something else is there for that build.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.model.port_facts import FileEvidence
from cudamigrate.model.python_builders import PythonBuilder
from cudamigrate.syntax import python_imports
from cudamigrate.syntax.python_imports import Imported

_SETUP = "CUDAExtension"
_BUILDS = (_SETUP, "load")
_SOURCES = (".cu", ".cpp", ".cc", ".c", ".cxx")
_TOP = ("ABC", "object")


def may(data: bytes) -> bool:
    """Whether a file may have such a class: one that names sources for the GPU in its methods."""
    return b"class " in data and (b".cu'" in data or b'.cu"' in data)


def of(tree: ast.Module, hip: Set[str]) -> tuple[PythonBuilder, ...]:
    """The classes of a file that say something of a build; `hip` are names in it that are true for ROCm alone."""
    called = python_imports.read(tree, "cpp_extension")
    made = (_class(node, hip, called) for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return tuple(one for one in made if one.gives or one.sources or one.asks or one.hip)


def _class(node: ast.ClassDef, hip: Set[str], called: Imported) -> PythonBuilder:
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    return PythonBuilder(
        name=node.name,
        bases=tuple(ast.unparse(one).rpartition(".")[2] for one in node.bases),
        gives=tuple(sorted({name for one in methods for name in _given(one, called)})),
        sources=tuple((one.name, files) for one in methods if (files := tuple(sorted(set(_files(one)))))),
        asks=tuple(sorted({name for one in methods if not _refuses(one) for name in _asked(one)})),
        refuses=tuple(sorted({name for one in methods for name in _refused(one)})),
        hip=tuple(one.name for one in methods if one.name in hip),
    )


def _given(method: ast.FunctionDef, called: Imported) -> Iterator[str]:
    """The methods whose result is given to PyTorch's build as sources: `CUDAExtension(sources=self.sources())`.

    Variables of the method may be between.
    """
    for node in ast.walk(method):
        if isinstance(node, ast.Call) and (called.of(node.func) or _own_name(node.func)) in _BUILDS:
            given = [one.value for one in node.keywords if one.arg == "sources"] or node.args[1:2]
            names = {one.id for value in given for one in ast.walk(value) if isinstance(one, ast.Name)}
            given += [
                one.value
                for one in ast.walk(method)
                if isinstance(one, ast.Assign)
                and any(isinstance(to, ast.Name) and to.id in names for to in one.targets)
            ]
            yield from (name for value in given for name in _own_calls(value))


def _own_name(function: ast.expr) -> str:
    """The name `CUDAExtension`, which says enough wherever it is from; nothing for any other."""
    return _SETUP if ast.unparse(function).rpartition(".")[2] == _SETUP else ""


def _own_calls(node: ast.AST) -> Iterator[str]:
    """The methods of the object itself that an expression calls."""
    for one in ast.walk(node):
        match one:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield name


def _files(node: ast.AST) -> Iterator[str]:
    """The sources that a method names, but for those that another of its methods decides on."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and next(_own_calls(child.test), None) is not None:
            continue
        if isinstance(child, ast.Constant) and isinstance(child.value, str) and child.value.endswith(_SOURCES):
            yield child.value
        yield from _files(child)


def _asked(method: ast.FunctionDef) -> Iterator[str]:
    """The methods that conditions of a method ask."""
    for node in ast.walk(method):
        if isinstance(node, ast.If | ast.IfExp):
            yield from _own_calls(node.test)


def _refuses(method: ast.FunctionDef) -> bool:
    """Whether a method answers a question: what it asks chooses nothing that is built."""
    returned = [one.value for one in ast.walk(method) if isinstance(one, ast.Return)]
    return any(isinstance(one, ast.Constant) and isinstance(one.value, bool) for one in returned)


def _refused(method: ast.FunctionDef) -> Iterator[str]:
    """The methods for whose truth a method says no: `if self.is_rocm(): return False`."""
    for node in ast.walk(method):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Call):
            ends = [one.value for one in node.body if isinstance(one, ast.Return)]
            if any(isinstance(one, ast.Constant) and one.value is False for one in ends):
                yield from _own_calls(node.test)


def compiled(evidence: Sequence[FileEvidence], paths: Set[str]) -> frozenset[str]:
    """The sources, of the `paths` of a repository, that classes have PyTorch build for ROCm."""
    classes = {one.name: one for file in evidence for one in file.builders}
    if not any(one.gives for one in classes.values()):
        return frozenset()
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        if path.endswith(_SOURCES):
            by_name[path.rpartition("/")[2]].append(path)
    found = set[str]()
    for one in classes.values():
        line = list(_line(one, classes))
        given = {name for each in line for name in each.gives}
        hip = {name for each in line for name in each.hip}
        if hip.isdisjoint(one.asks) or not hip.isdisjoint(one.refuses):
            continue
        found.update(path for name, files in one.sources if name in given for path in _located(files, by_name))
    return frozenset(found)


def _line(one: PythonBuilder, classes: Mapping[str, PythonBuilder]) -> Iterator[PythonBuilder]:
    """A class and those that it is made from."""
    seen, left = set[str](), [one.name]
    while left:
        name = left.pop()
        if name in seen or name in _TOP or name not in classes:
            continue
        seen.add(name)
        yield classes[name]
        left += classes[name].bases


def _located(files: Sequence[str], by_name: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The paths that are meant: they end as the names are written, and each name fits one."""
    for name in files:
        fits = [path for path in by_name.get(name.rpartition("/")[2], ()) if f"/{path}".endswith(f"/{name}")]
        yield from fits if len(fits) == 1 else ()
