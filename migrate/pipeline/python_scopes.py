"""What names stand for in the Python files of a tree: values of variables, arguments of calls, imported functions.

Everything here is of source that is read and never run: a name has all the values that it is given anywhere.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping, Set

from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.pipeline.own_names import Read
from cudamigrate.syntax import python_tree


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file: its functions, and the names that its imports bring, each with the file and what it is there."""

    path: str
    tree: ast.Module
    functions: Mapping[str, ast.FunctionDef]
    imports: Mapping[str, tuple[str, str]]
    known: dict[tuple[ast.AST, str], tuple[ast.expr, ...]] = field(default_factory=dict)

    def assigned(self, around: ast.AST, name: str) -> tuple[ast.expr, ...]:
        """What a variable is given in one of the functions, or by the statements of the file outside them."""
        if (around, name) not in self.known:
            parts = self.tree.body if around is self.tree else (around,)
            self.known[around, name] = tuple(one for part in parts for one in _assigned(part, name, around))
        return self.known[around, name]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a name is looked up: in a function with its arguments, each with the scope it is from, and in its file."""

    module: Module
    around: ast.AST
    given: Mapping[str, tuple[ast.expr, Scope]] = field(default_factory=dict)

    def values(self, name: str) -> list[tuple[ast.expr, Scope]]:
        """What a name is given in the function and by its caller, else in the file; each with where that is read."""
        inside = [(one, self) for one in self.module.assigned(self.around, name)]
        if name in self.given:
            inside.append(self.given[name])
        if inside or self.around is self.module.tree:
            return inside
        outer = Scope(self.module, self.module.tree)
        return [(one, outer) for one in self.module.assigned(outer.around, name)]


class Modules:
    """The Python files of a tree by path; each is parsed when it is asked for."""

    def __init__(self, paths: Set[str], read: Read) -> None:
        self._read = read
        self._named: dict[str, list[str]] = {}
        for path in paths:
            if path.endswith(".py"):
                self._named.setdefault(path.rpartition("/")[2], []).append(path)
        self._known: dict[str, Module | None] = {}

    def at(self, path: str) -> Module | None:
        """The file of a path; None of what is no Python of today."""
        if path not in self._known:
            source = self._read(path)
            tree = python_tree.known(source.data) if source is not None else None
            self._known[path] = None if tree is None else self._described(path, tree)
        return self._known[path]

    def called(self, call: ast.Call, scope: Scope) -> Scope | None:
        """The inside of the function of the tree that a call calls, with what it is given; None of another one."""
        found = self._function(call.func, scope.module)
        if found is None:
            return None
        function, module = found
        own = Scope(module, function)
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        defaults = function.args.defaults
        given = {name: (one, own) for name, one in zip(names[len(names) - len(defaults) :], defaults, strict=True)}
        given |= {name: (one, scope) for name, one in zip(names, call.args, strict=False)}
        given |= {one.arg: (one.value, scope) for one in call.keywords if one.arg is not None}
        return replace(own, given=given)

    def _function(self, function: ast.expr, module: Module) -> tuple[ast.FunctionDef, Module] | None:
        """The function that is called by its name, or as `module.name`."""
        path, name = "", ""
        if isinstance(function, ast.Name):
            path, name = module.imports.get(function.id, (module.path, function.id))
        elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            path, what = module.imports.get(function.value.id, ("", ""))
            name = "" if what else function.attr
        found = self.at(path) if path and name else None
        return (found.functions[name], found) if found is not None and name in found.functions else None

    def _described(self, path: str, tree: ast.Module) -> Module:
        imports = {
            one.asname or one.name: found
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for one in node.names
            if (found := self._imported(path, node, one.name)) is not None
        }
        return Module(path, tree, {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}, imports)

    def _imported(self, path: str, node: ast.ImportFrom, name: str) -> tuple[str, str] | None:
        """The file that an import is from and the name there, which is empty where the file itself is brought."""
        parts = [one for one in (node.module or "").split(".") if one]
        folder = path
        for _ in range(node.level):
            folder = posixpath.dirname(folder)
        for inner, what in ((parts, name), ([*parts, name], "")):
            file = "/".join(inner) + ".py" if inner else ""
            found = self._file(posixpath.join(folder, file) if node.level else file, node.level > 0) if file else ""
            if found:
                return found, what
        return None

    def _file(self, file: str, is_whole: bool) -> str:
        """The file of the tree at a path, or the only one whose path ends so."""
        named = self._named.get(file.rpartition("/")[2], ())
        if file in named:
            return file
        found = [] if is_whole else [one for one in named if one.endswith("/" + file)]
        return found[0] if len(found) == 1 else ""


def calls(tree: ast.Module) -> Iterator[tuple[ast.Call, ast.AST]]:
    """The calls of a file, each with the innermost function that it is in, else with the file."""
    waiting: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, ast.Call):
            yield node, around
        inner = node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else around
        waiting.extend((child, inner) for child in ast.iter_child_nodes(node))


def returned(function: ast.AST) -> list[ast.expr]:
    """What a function returns."""
    return [one.value for one in ast.walk(function) if isinstance(one, ast.Return) and one.value is not None]


def _assigned(part: ast.AST, name: str, around: ast.AST) -> Iterator[ast.expr]:
    """What a variable of a function or a file is given in a part of it; functions in a file have their own."""
    if part is around or not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for node in ast.walk(part):
            yield from _given(node, name)


def _given(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a statement gives a variable, as `with open("a.cu") as file` does, too."""
    if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id == name for one in node.targets):
        yield node.value
    elif isinstance(node, ast.With):
        for one in node.items:
            if isinstance(one.optional_vars, ast.Name) and one.optional_vars.id == name:
                yield one.context_expr
    elif isinstance(node, ast.AugAssign | ast.For | ast.NamedExpr | ast.AnnAssign):
        target = node.target
        if isinstance(target, ast.Name) and target.id == name:
            yield _changed(node)


def _changed(node: ast.AugAssign | ast.For | ast.NamedExpr | ast.AnnAssign) -> ast.expr:
    """What such a statement gives a variable: `a += b` is `a + b`, and an element of a list is not known."""
    if isinstance(node, ast.AugAssign):
        return ast.BinOp(ast.Name(getattr(node.target, "id", "")), node.op, node.value)
    if isinstance(node, ast.For) or node.value is None:
        return ast.Set([])
    return node.value
