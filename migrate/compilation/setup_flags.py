"""setup.py -> the compiler options that it gives whatever the machine: include folders, macros, the C++ standard.

Nothing is run: folders are followed through variables and the functions of `os.path` and `pathlib`, and a list of
options in a condition counts for its C++ standard alone.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping, Sequence

_LARGEST = 1 << 20
"""Characters of a text that variables are put together to."""


def read(text: str) -> Iterator[list[str]]:
    """Lists of options as on a command line, folders relative to that of the file; none where it is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = _path(node.value, names)
            if value is not None:
                names.setdefault(node.targets[0].id, value)
    conditional = _conditional(tree)
    for node in ast.walk(tree):
        folders = (_path(expression, names) for expression in _include_lists(node))
        yield from (["-I", folder or "."] for folder in folders if folder is not None)
        if isinstance(node, ast.List):
            words = [entry.value for entry in node.elts if isinstance(entry, ast.Constant)]
            texts = [word for word in words if isinstance(word, str)]
            yield [word for word in texts if id(node) not in conditional or word.startswith("-std")]


def _conditional(tree: ast.Module) -> set[int]:
    """The `id` of each node inside of an `if`, of which nobody knows whether it is taken."""
    found: set[int] = set()
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, inside = waiting.pop()
        inside = inside or isinstance(node, ast.If)
        if inside:
            found.add(id(node))
        waiting += ((child, inside) for child in ast.iter_child_nodes(node))
    return found


def _include_lists(node: ast.AST) -> Iterator[ast.expr]:
    """The elements of what is given to, assigned to or appended to something named for includes."""
    value: ast.expr | None = None
    named = isinstance(node, ast.keyword) and "include" in (node.arg or "")
    if isinstance(node, ast.keyword | ast.Assign):
        targets = [] if isinstance(node, ast.keyword) else [ast.unparse(target) for target in node.targets]
        value = node.value if named or any("include" in target for target in targets) else None
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "extend"):
        value = node.args[0] if node.args and "include" in ast.unparse(node.func.value) else None
    if isinstance(value, (ast.List, ast.Tuple)):
        yield from value.elts
    elif value is not None:
        yield value


def _path(node: ast.expr, names: Mapping[str, str]) -> str | None:
    """The path that an expression gives, relative to the folder of the file; None where it cannot be known."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return "setup.py" if node.id == "__file__" else names.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _joined([_path(node.left, names), _path(node.right, names)])
    if isinstance(node, ast.JoinedStr):
        parts = [_path(part.value if isinstance(part, ast.FormattedValue) else part, names) for part in node.values]
        return None if None in parts else bounded("".join(part for part in parts if part is not None))
    if isinstance(node, ast.Attribute) and node.attr == "parent":
        return _around(_path(node.value, names))
    if isinstance(node, ast.Call):
        return _called(node, names)
    return None


def _called(node: ast.Call, names: Mapping[str, str]) -> str | None:
    function = ast.unparse(node.func).rpartition(".")[2]
    given = [_path(argument, names) for argument in node.args]
    if function == "join":
        return _joined(given)
    if function == "getcwd":
        return "."
    if function == "dirname":
        return _around(given[0]) if given else None
    if function in ("abspath", "realpath", "Path", "str", "normpath"):
        return given[0] if given else None
    if isinstance(node.func, ast.Attribute) and function in ("resolve", "absolute", "as_posix"):
        return _path(node.func.value, names)
    return None


def _around(path: str | None) -> str | None:
    """The folder that holds a path: that of `setup.py` is `.`, and that of `.` is `..`."""
    return None if path is None else posixpath.normpath(f"{path}/..")


def _joined(parts: Sequence[str | None]) -> str | None:
    """A path of its parts, as `os.path.join` makes it; None where a part is not known, or there is none."""
    known = [part for part in parts if part is not None]
    return bounded(posixpath.join(*known)) if known and len(known) == len(parts) else None


def bounded(text: str) -> str:
    """A text that was put together of others. Raises ValueError where it is longer than anybody writes."""
    if len(text) > _LARGEST:
        raise ValueError("its variables make more text than can be read")
    return text
