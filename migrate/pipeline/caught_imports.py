"""Python imports of what AMD has not, whose failure the code catches: what it goes on with then.

A handler that sets a flag lets the program run on without its GPU code, and nothing fails: the finding says so. One
that does nothing, of an import which only asks whether a value is of a type of that library, is right on AMD: there is
no such value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.imported_packages import catches
from cudamigrate.pipeline.own_names import Read
from cudamigrate.syntax import python_tree

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_OF_TYPE = ("isinstance", "issubclass")
_Import = ast.Import | ast.ImportFrom
_Place = tuple[_Import, ast.Try | None]
"""An import, and the `try` around it whose handlers catch its failure."""


def with_caught(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, with such findings worded for what the handler does, and without those that it makes needless."""
    return [_judged(one, read) if any(map(_may_be, one.findings)) else one for one in results]


def _may_be(finding: Finding) -> bool:
    return finding.group == "python" and finding.outcome == "compile-error" and "import" in finding.excerpt


def _judged(result: FileResult, read: Read) -> FileResult:
    source = read(result.path) if result.language == "python" else None
    tree = python_tree.known(source.data) if source is not None and b"except" in source.data else None
    if source is None or tree is None:
        return result
    imports, kept = list(_imports(tree, None)), list[Finding]()
    for one in result.findings:
        place = _place(one, imports) if _may_be(one) else None
        if place is None:
            kept.append(one)
        elif not _is_needless(place[0], imports, tree):
            kept.append(_worded(one, place[1], source))
    return replace(result, findings=tuple(kept))


def _imports(node: ast.AST, around: ast.Try | None) -> Iterator[_Place]:
    """The imports below a node, each with what catches its failure; a function fails where it is called."""
    if isinstance(node, _Import):
        yield node, around
        return
    inside = None if isinstance(node, _FUNCTIONS) else around
    own = node if isinstance(node, ast.Try) and any(map(catches, node.handlers)) else None
    body = {id(one) for one in own.body} if own is not None else set[int]()
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, own if id(child) in body else inside)


def _place(finding: Finding, imports: Sequence[_Place]) -> _Place | None:
    """The import that a finding is in."""
    line = finding.position.line
    return next((one for one in imports if one[0].lineno <= line <= (one[0].end_lineno or one[0].lineno)), None)


def _is_needless(node: _Import, imports: Sequence[_Place], tree: ast.Module) -> bool:
    """Whether a file imports a package for nothing but to ask for its types, and does nothing where it is missing."""
    packages = _packages(node)
    same = [one for one in imports if not packages.isdisjoint(_packages(one[0]))]
    return all(_asks_for_type(one, around, tree) for one, around in same)


def _packages(node: _Import) -> set[str]:
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").partition(".")[0]} if node.level == 0 else set()
    return {one.name.partition(".")[0] for one in node.names}


def _asks_for_type(node: _Import, around: ast.Try | None, tree: ast.Module) -> bool:
    """Whether all names of an import are in questions for a type, in the `try` whose handlers do nothing."""
    if around is None or any(not isinstance(one, ast.Pass) for held in around.handlers for one in held.body):
        return False
    bound = {(one.asname or one.name).partition(".")[0] for one in node.names}
    inside = {id(one) for statement in around.body for one in _named(statement)}
    named = [one for one in _named(tree) if one.id in bound]
    asked = {id(one) for call in ast.walk(tree) if isinstance(call, ast.Call) for one in _asked(call)}
    return bool(named) and all(id(one) in inside and id(one) in asked for one in named)


def _named(node: ast.AST) -> Iterator[ast.Name]:
    return (one for one in ast.walk(node) if isinstance(one, ast.Name))


def _asked(call: ast.Call) -> Iterator[ast.Name]:
    """The names in the types that `isinstance` is given."""
    if isinstance(call.func, ast.Name) and call.func.id in _OF_TYPE and len(call.args) == 2:
        yield from _named(call.args[1])


def _worded(finding: Finding, around: ast.Try | None, source: SourceFile) -> Finding:
    """A finding that says what the program goes on with, where a handler sets it."""
    handler = next((one for one in around.handlers if catches(one)), None) if around is not None else None
    flag = next(filter(None, map(_unset, handler.body)), None) if handler is not None else None
    if handler is None or flag is None or any(map(_stops, handler.body)):
        return finding
    said = ast.get_source_segment(source.data.decode("utf-8", "replace"), flag) or ""
    if not said or "\n" in said:
        return finding
    text = f"The code catches that the import fails: with `{said}` it goes on without this library, and nothing stops."
    return replace(finding, message=f"{finding.message} {text}")


def _unset(node: ast.stmt) -> ast.stmt | None:
    """An assignment of a value that stands for nothing: `HAS_GPU = False`, `cuda = None`."""
    value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    return node if isinstance(value, ast.Constant) and not value.value else None


def _stops(node: ast.stmt) -> bool:
    """Whether a statement of a handler may end the program, or import something else in the place."""
    ends = ("exit", "_exit", "quit", "abort", "skip")
    for one in ast.walk(node):
        if isinstance(one, (ast.Raise, ast.Import, ast.ImportFrom)):
            return True
        if isinstance(one, ast.Call):
            name = one.func.attr if isinstance(one.func, ast.Attribute) else getattr(one.func, "id", "")
            if name in ends:
                return True
    return False
