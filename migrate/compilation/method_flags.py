"""Classes of Python that have PyTorch build with the options which a method returns -> the macros among those.

`load(..., extra_cuda_cflags=self.nvcc_flags())`: the class says what all of its extensions get, and each that is made
from it adds to what `super()` returns. Nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from cudamigrate.syntax import python_tree

_CUDA = "extra_cuda_cflags"


class MethodFlags(NamedTuple):
    """The macros that a method of a class gives to the compiler for GPUs, as `NAME` or `NAME=VALUE`.

    `bases` are the names of what the class is made from.
    """

    method: str
    macros: tuple[str, ...]
    bases: frozenset[str] = frozenset()


def read(text: str) -> list[MethodFlags]:
    """The methods of the classes in a file that builds; none where it is no Python."""
    found = []
    for one in _classes(text) or ():
        called = {name for node in ast.walk(one) for name in _asked(node)}
        for method in (part for part in one.body if isinstance(part, ast.FunctionDef) and part.name in called):
            if macros := tuple(_macros(method)):
                found.append(MethodFlags(method.name, macros, _bases(one)))
    return found


def keeps(text: str, given: MethodFlags) -> bool:
    """Whether each definition of the method in a file returns what its base class does, and more.

    A class made from the same as the one that builds is none of those made from that.
    """
    classes, method = _classes(text), given.method
    if classes is None:
        return False
    made = (one for one in classes if not (_bases(one) and _bases(one) <= given.bases))
    named = (part for one in made for part in one.body if isinstance(part, ast.FunctionDef) and part.name == method)
    return all(any(_is_of_base(part, method) for part in ast.walk(one)) or any(_macros(one)) for one in named)


def _classes(text: str) -> list[ast.ClassDef] | None:
    """The classes of a file; None where it is no Python."""
    try:
        return [one for one in ast.walk(python_tree.parse(text)) if isinstance(one, ast.ClassDef)]
    except (SyntaxError, ValueError, RecursionError):
        return None


def _bases(one: ast.ClassDef) -> frozenset[str]:
    return frozenset(ast.unparse(base).rpartition(".")[2] for base in one.bases)


def _asked(node: ast.AST) -> Iterator[str]:
    """The methods of its own object that a call takes the options for GPUs from."""
    for given in node.keywords if isinstance(node, ast.Call) else ():
        if given.arg == _CUDA:
            for part in ast.walk(given.value):
                match part:
                    case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[]):
                        yield name


def _macros(method: ast.FunctionDef) -> Iterator[str]:
    """The macros in a list that is all a method returns."""
    returned = [one.value for one in ast.walk(method) if isinstance(one, ast.Return)]
    for word in returned[0].elts if len(returned) == 1 and isinstance(returned[0], ast.List) else ():
        if isinstance(word, ast.Constant) and isinstance(word.value, str) and word.value.startswith("-D"):
            yield word.value.removeprefix("-D").strip()


def _is_of_base(node: ast.AST, method: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name)):
            return name == method
    return False
