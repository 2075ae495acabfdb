"""What a Python file calls the functions of one module: `import a.b as c`, `from a import b as c`, `from a.b import *`.

Works on `ast`. A name means the same in the whole file; the module is known by its last name, whatever it is a part of.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from cudamigrate.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Imported:
    """The names of a file for a module that is called `last`, and for its functions, each with the function's own."""

    last: str
    modules: frozenset[str]
    functions: Mapping[str, str]
    has_all: bool = False

    def of(self, node: ast.AST) -> str:
        """The function of the module that an expression is, by its own name; empty for anything else."""
        match node:
            case ast.Name(id=name):
                return self.functions.get(name, name if self.has_all else "")
            case ast.Attribute(value=owner, attr=name) if self._is_module(owner):
                return name
        return ""

    def calls(self, tree: ast.AST, function: str) -> Iterator[ast.Call]:
        """The calls of one function of the module, in the whole of a file or in a part of it."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and self.of(node.func) == function:
                yield node

    def _is_module(self, node: ast.expr) -> bool:
        match node:
            case ast.Name(id=name):
                return name == self.last or name in self.modules
            case ast.Attribute(attr=name):
                return name == self.last
        return False


def read(tree: ast.AST, last: str) -> Imported:
    """What a file calls the module, and what it takes out of it; a variable set to an attribute is a name too."""
    modules, functions, has_all = set[str](), dict[str, str](), False
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules |= {one.asname for one in names if one.asname and _last(one.name) == last}
            case ast.ImportFrom(module=module, names=names) if _last(module or "") == last:
                functions |= {one.asname or one.name: one.name for one in names}
                has_all = has_all or names[0].name == "*"
            case ast.ImportFrom(names=names):
                modules |= {one.asname for one in names if one.asname and one.name == last}
    return _with_variables(tree, Imported(last, frozenset(modules), functions, has_all))


def _with_variables(tree: ast.AST, found: Imported) -> Imported:
    """The names together with those of variables: `build = c.load`, `c = a.b`."""
    held = [
        (target.id, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    modules = found.modules | {name for name, value in held if value.attr == found.last}
    known = Imported(found.last, modules, found.functions, found.has_all)
    functions = {name: function for name, value in held if (function := known.of(value))}
    return Imported(found.last, modules, {**functions, **found.functions}, found.has_all)


def _last(module: str) -> str:
    return module.rpartition(".")[2]
