"""Kernels that Python compiles from a CUDA file of the tree, which a function reads: that file is read here too.

`code = source_of("top")` passes on the text of `kernels/top.cu` where `source_of` opens a file of that folder. What the
text holds is found in the file itself, and is no question for a reader of the Python.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.model import FileResult, Finding
from cudamigrate.pipeline import python_paths, python_scopes, python_texts
from cudamigrate.pipeline.followed_texts import Text, Texts, source_of
from cudamigrate.pipeline.own_names import Read
from cudamigrate.syntax import python_tree
from cudamigrate.wording import series

_RULE = "python/kernel-source-computed"


@dataclass(frozen=True, slots=True)
class _Reader:
    """A function that returns the text of a CUDA file, and the module that defines it by the last part of its name."""

    name: str
    module: str
    path: str


def without_read_kernels(results: Sequence[FileResult], paths: Set[str], read: Read) -> list[FileResult]:
    """The results without findings on kernels whose text is that of CUDA files of the tree."""
    asking = {one.path for one in results if any(finding.rule == _RULE for finding in one.findings)}
    code = [one for one in paths if one.endswith(python_paths.ENDINGS)]
    if not asking or not code:
        return list(results)
    readers, texts = list(_readers(code, paths, read)), Texts(code, paths, read)
    known = (_without(one, readers, read) if one.path in asking else one for one in results)
    return [_described(one, texts, read) if one.path in asking else one for one in known]


def _described(result: FileResult, texts: Texts, read: Read) -> FileResult:
    """The result, where findings on text of known files say what is put into it, or go where nothing but values is."""
    source = read(result.path)
    if source is None or not any(one.rule == _RULE for one in result.findings):
        return result
    starts = python_tree.line_starts(source.data)
    known = {python_tree.place(starts, call.func)[0]: text for call, text in texts.compiled(result.path)}
    found = [_said(one, known.get(one.span.start)) if one.rule == _RULE else one for one in result.findings]
    return replace(result, findings=tuple(one for one in found if one is not None)) if known else result


def _said(finding: Finding, text: Text | None) -> Finding | None:
    """A finding on such text; None where it is read in the files, and what is put in is no code."""
    if text is None or not text.unread:
        return finding if text is None else None
    what = finding.message.partition(" compiles ")[0]
    file = f"`{min(text.files)}`" if len(text.files) == 1 else f"one of {len(text.files)} CUDA files of the repository"
    words = series(f"`{one}`" for one in sorted(text.unread) if one)
    there = f" for {words}" if words else ""
    message = f"{what} compiles the text of {file}, which was read, with text put in{there} that was not. "
    return replace(finding, message=f"{message}Check what is put in for CUDA names.")


def _without(result: FileResult, readers: Sequence[_Reader], read: Read) -> FileResult:
    source = read(result.path)
    tree = python_tree.known(source.data) if source is not None else None
    if source is None or tree is None:
        return result
    starts = python_tree.line_starts(source.data)
    names = set(_known(tree, result.path, readers))
    known = {
        python_tree.place(starts, one.func)[0]
        for one, around in python_scopes.calls(tree)
        if _is_read(one, around, names)
    }
    kept = tuple(one for one in result.findings if not _is_known(one, known))
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)


def _is_known(finding: Finding, known: Set[int]) -> bool:
    return finding.rule == _RULE and finding.span.start in known


def _readers(code: Sequence[str], paths: Set[str], read: Read) -> Iterator[_Reader]:
    """The functions of the tree that open a CUDA file of it for reading and return something."""
    for path in sorted(one for one in paths if one.endswith(".py")):
        source = read(path)
        tree = python_tree.known(source.data) if source is not None and b".cu" in source.data else None
        for node in ast.walk(tree) if tree is not None else ():
            if not isinstance(node, ast.FunctionDef) or not any(isinstance(one, ast.Return) for one in ast.walk(node)):
                continue
            if any(python_paths.is_named(one, words) for words in _opened(node) for one in code):
                yield _Reader(node.name, path.removesuffix(".py").rpartition("/")[2], path)


def _opened(function: ast.FunctionDef) -> Iterator[list[str]]:
    """The strings of the paths that a function opens, through one variable of its own."""
    for call in python_texts.calls(function, python_texts.READERS):
        parts = [call, *(value for name in _names(call) for value in _values(function, name))]
        yield from (list(python_paths.strings(one)) for one in parts)


def _names(node: ast.AST) -> list[str]:
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]


def _values(around: ast.AST, name: str) -> list[ast.expr]:
    """What is assigned to a variable in a function or a file, alone or as one of several."""
    made = (one for one in ast.walk(around) if isinstance(one, ast.Assign))
    return [one.value for one in made if any(name in _names(target) for target in one.targets)]


def _known(tree: ast.Module, path: str, readers: Sequence[_Reader]) -> Iterator[str]:
    """The names by which a file calls such functions: its own, and those that it imports from their modules."""
    yield from (one.name for one in readers if one.path == path)
    for node in ast.walk(tree):
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            module = (getattr(node, "module", None) or "").rpartition(".")[2]
            if any((one.name, one.module) == (alias.name, module) for one in readers):
                yield alias.asname or alias.name


def _is_read(call: ast.Call, around: ast.AST, names: Set[str]) -> bool:
    """Whether the source that a call is given is what such a function returns, whatever is assigned to its name."""
    given = source_of(call)
    values = _values(around, given[0].id) if given and isinstance(given[0], ast.Name) else given
    return bool(values) and all(isinstance(one, ast.Call) and _called(one) in names for one in values)


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""
