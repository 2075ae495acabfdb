"""A program in Python that builds -> what it shows of a HIP port: where it asks for HIP, and what it sets then."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from cudamigrate.analysis import port_builders, port_nvcc
from cudamigrate.analysis.port_make import DEFINED
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.port_facts import BuildMacro, BuildSource, FileEvidence
from cudamigrate.syntax import python_imports, python_tree

_MODULE, _SETUP, _LOADS = "cpp_extension", "CUDAExtension", ("load", "load_inline")
"""PyTorch's module that builds, what makes an extension of a setup.py, and what builds one when it is first used."""
_WORDS = (b"setup", b"CUDAExtension", b"hipify", b"cpp_extension")
_BUILDS = re.compile(rb"\b(?:(?:setup|CUDAExtension|hipify)\s*\(|cpp_extension\b)")
"""What a program in Python that builds CUDA code calls; others ask for HIP for reasons of their own."""

_SOURCE = re.compile(r"\.(?:cu|c|cc|cpp|cxx)$")


def builds(data: bytes) -> bool:
    """Whether a program in Python may build CUDA code."""
    return any(word in data for word in _WORDS) and _BUILDS.search(data) is not None


def of(source: SourceFile, text: str) -> FileEvidence:
    """A setup.py: what it sets where it has found that PyTorch or the machine is ROCm's."""
    try:
        tree = python_tree.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return FileEvidence(source.path)
    macros, build, names = list[BuildMacro](), None, names_for_hip(tree)
    builders = port_builders.of(tree, names)
    if not builds(source.data):
        return FileEvidence(source.path, builders=builders)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and asks_for_hip(node.test, names):
            build = build or (node.lineno, f"if {ast.unparse(node.test)}"[:100])
            macros += [BuildMacro(name, line, hip=True, sure=True) for name, line in set_by(node.body)]
            macros += [BuildMacro(name, line, hip=False, sure=True) for name, line in set_by(node.orelse)]
    for choice in _choices(tree, text) if build is None else ():
        if asks_for_hip(choice.test, names):
            build = build or (choice.lineno, f"if {ast.unparse(choice.test)}"[:100])
    reached = port_nvcc.extensions(tree, _made(tree, text), lambda test: asks_for_hip(test, names))
    if reached and not any(one.is_open for one in reached):  # what it asks of ROCm compiles nothing for it
        return FileEvidence(source.path, macros=tuple(macros), sources=tuple(_sources(tree, reached, False)))
    return FileEvidence(
        source.path,
        macros=tuple(macros),
        build=build,
        sources=tuple(_sources(tree, reached, build is not None)),
        hipifies=_called(tree, text, "hipify"),
        builders=builders,
        extension=_called(tree, text, _SETUP) or _imported(tree, text) or _named(tree, text, _SETUP),
    )


def asks_for_hip(test: ast.expr, names: frozenset[str]) -> bool:
    """`torch.version.hip`, `IS_HIP_EXTENSION`, or one of the `names` that hold such an answer, asked positively.

    Where something else is enough too, `rocm or torch.cuda.is_available()`, HIP is not what is asked for.
    """
    if isinstance(test, ast.BoolOp):
        return (any if isinstance(test.op, ast.And) else all)(asks_for_hip(one, names) for one in test.values)
    if isinstance(test, ast.IfExp):
        return _is_true(test.body) and asks_for_hip(test.test, names)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return False
    words = {node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in ast.walk(test)}
    none = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is)
    return not none and not words.isdisjoint(names)


_OF_HIP = frozenset(("hip", "IS_HIP_EXTENSION", "ROCM_HOME", "HIP_HOME"))
"""What PyTorch calls its answers: `torch.version.hip`, and names of `torch.utils.cpp_extension`."""


def names_for_hip(tree: ast.Module) -> frozenset[str]:
    """The names that are true for ROCm alone: PyTorch's own, variables made of them, functions that return them."""
    found = set(_OF_HIP)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and asks_for_hip(node.value, _OF_HIP):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    found |= _switched(tree)
    known = _OF_HIP | _answers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            returned = [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None]
            if returned and all(asks_for_hip(value, known) for value in returned):
                found.add(node.name)
    return frozenset(found)


def _switched(tree: ast.Module) -> frozenset[str]:
    """The variables that are set to true where a condition asks for HIP, and to false otherwise."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and node.orelse and asks_for_hip(node.test, _OF_HIP):
            found |= _set_to(node.body, True) & _set_to(node.orelse, False)
    return frozenset(found)


def _set_to(body: Sequence[ast.stmt], value: bool) -> set[str]:
    """The variables that statements set to a truth value."""
    values = (
        (one, one.value.value) for one in body if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant)
    )
    return {name for one, found in values if found is value for name in _targets(one)}


def _answers(tree: ast.Module) -> frozenset[str]:
    """The variables that keep whether something is for ROCm, and nothing of ROCm's as a folder would be."""
    found = set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Compare() | ast.BoolOp() as value):
                found |= {name} if asks_for_hip(value, _OF_HIP) else set()
    return frozenset(found)


def _choices(tree: ast.Module, text: str) -> Iterator[ast.IfExp]:
    """The choices in what is given to PyTorch's build, or in the variables that are: `flags + (a if hip else b)`."""
    given = [
        one
        for call in _made(tree, text)
        for value in (*call.args, *(each.value for each in call.keywords))
        for one in ast.walk(value)
    ]
    names = {one.id for one in given if isinstance(one, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign) and names & _targets(node):
            given += ast.walk(node.value)
    yield from (one for one in given if isinstance(one, ast.IfExp))


def _made(tree: ast.Module, text: str) -> list[ast.Call]:
    """The calls that have PyTorch build something."""
    imported = python_imports.read(tree, _MODULE) if _MODULE in text else None
    calls = [call for name in (_SETUP, *_LOADS) for call in imported.calls(tree, name)] if imported else []
    own = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == _SETUP)
    return list({id(call): call for call in (*calls, *own)}.values())


def _sources(tree: ast.Module, reached: Sequence[port_nvcc.Reach], hip: bool) -> Iterator[BuildSource]:
    """The sources that extensions name: those that no build for ROCm gets to, at the line that runs `nvcc`.

    `hip` tells that the program asks for ROCm: then an extension that nothing keeps ROCm from, and whose sources are
    listed once and for all, is compiled for it. Of one in a branch that is not ROCm's nothing is said: the other branch
    may do its work.
    """
    for one in reached:
        given = [*one.call.args[1:2], *(each.value for each in one.call.keywords if each.arg == "sources")]
        names = {each.id for value in given for each in ast.walk(value) if isinstance(each, ast.Name)}
        held = [node for node in ast.walk(tree) if names & _targets(node)]
        values = [*given, *(node.value for node in held if isinstance(node, ast.Assign | ast.AugAssign))]
        listed = hip and len(held) <= 1 and all(isinstance(value, ast.List | ast.Name) for value in values)
        for each in (inner for value in values for inner in _literals(value)):
            if _SOURCE.search(each) and not one.cuda and (one.nvcc or listed):
                yield BuildSource(each, one.nvcc or one.call.lineno, hip=not one.nvcc, cuda=bool(one.nvcc))


def _targets(node: ast.AST) -> set[str]:
    """The variables that a statement sets."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    return {one.id for one in targets if isinstance(one, ast.Name)}


def _literals(value: ast.expr) -> Iterator[str]:
    """The texts in an expression that are whole by themselves, and no part of one that is put together."""
    parts = {id(inner) for one in ast.walk(value) if isinstance(one, ast.JoinedStr) for inner in ast.walk(one)}
    for one in ast.walk(value):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in parts:
            yield one.value


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def set_by(body: Sequence[ast.stmt]) -> Iterator[tuple[str, int]]:
    """The macros that statements give a compiler, each with its line."""
    for node in (inner for statement in body for inner in ast.walk(statement)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            match = DEFINED.fullmatch(node.value.partition("=")[0])
            if match is not None:
                yield match[1], node.lineno
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2:
            name, value = node.elts
            if isinstance(name, ast.Constant) and isinstance(name.value, str) and isinstance(value, ast.Constant):
                yield name.value, node.lineno


def _imported(tree: ast.Module, text: str) -> tuple[int, str] | None:
    """The first line that has PyTorch build sources by a function of its module, whatever the file calls either."""
    if _MODULE not in text:
        return None
    names = python_imports.read(tree, _MODULE)
    lines = [call.func.lineno for name in (_SETUP, *_LOADS) for call in names.calls(tree, name)]
    return (min(lines), _line(text, min(lines))) if lines else None


def _named(tree: ast.Module, text: str, wanted: str) -> tuple[int, str] | None:
    """The first line that takes a function of that name, to call it by another."""
    lines = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == wanted]
    return (min(lines), _line(text, min(lines))) if lines else None


def _line(text: str, number: int) -> str:
    return text.splitlines()[number - 1].strip()[:100]


def _called(tree: ast.Module, text: str, wanted: str) -> tuple[int, str] | None:
    """The first line that calls a function of that name."""
    for node in ast.walk(tree):
        called = node.func if isinstance(node, ast.Call) else None
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if called is not None and name == wanted:
            return called.lineno, _line(text, called.lineno)
    return None
