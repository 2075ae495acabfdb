"""A program in Python that builds CUDA code -> which of its extensions PyTorch for ROCm gets to build.

Such a program may run `nvcc` on its way, to ask for its release. PyTorch for ROCm knows no folder of CUDA
(`CUDA_HOME` of `torch.utils.cpp_extension` is `None` there), so that a build for ROCm ends at that line, whatever the
program asks of ROCm elsewhere. Only what runs on every way to an extension counts: nothing in a branch, a loop or a
`try` that the extension is not in itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence, Set

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re

_NVCC = re.compile(r"(?:^|/)nvcc$|^nvcc\s")
"""A command, or the end of its path: `/bin/nvcc`, `nvcc --version`."""
_RUNS = frozenset(("check_output", "check_call", "run", "call", "Popen", "system", "popen", "getoutput"))
"""Functions of `subprocess` and `os` that run a command."""
_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_MAYBE = (ast.IfExp, ast.BoolOp)
_TURNS = 4
"""How deep functions that call such functions are followed."""


@dataclass(frozen=True, slots=True)
class Reach:
    """An extension that a program has built. `nvcc` is the line that runs `nvcc` before it, 0 where none does; `cuda`
    tells that it is in a branch that is not taken for ROCm."""

    call: ast.Call
    nvcc: int
    cuda: bool

    @property
    def is_open(self) -> bool:
        """Whether nothing keeps PyTorch for ROCm from building it."""
        return not self.nvcc and not self.cuda


def extensions(tree: ast.Module, calls: Sequence[ast.Call], asks: Callable[[ast.expr], bool]) -> tuple[Reach, ...]:
    """What each of some calls needs that make extensions; `asks` tells whether a condition asks for ROCm."""
    if not calls:
        return ()
    search = _Search(frozenset(map(id, calls)), _runners(tree), asks)
    return tuple(search.block(tree.body, 0, False))


class _Search:
    def __init__(self, wanted: Set[int], runners: Set[str], asks: Callable[[ast.expr], bool]) -> None:
        self.wanted, self.runners, self.asks = wanted, runners, asks

    def block(self, body: Sequence[ast.stmt], nvcc: int, cuda: bool) -> Iterator[Reach]:
        """The extensions in some statements, of which those before run first."""
        for one in body:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from self.block(one.body, 0, False)  # who calls it, and when, is not followed
                continue
            inner = list(_bodies(one))
            if not inner:
                nvcc = nvcc or _line_of_run(one, self.runners)
                calls = (node for node in ast.walk(one) if isinstance(node, ast.Call) and id(node) in self.wanted)
                yield from (Reach(call, nvcc, cuda) for call in calls)
            for number, each in enumerate(inner):
                yield from self.block(each, nvcc, cuda or self._is_for_cuda(one, number))
            if isinstance(one, ast.With):
                nvcc = nvcc or next((line for each in one.body if (line := _line_of_run(each, self.runners))), 0)

    def _is_for_cuda(self, one: ast.stmt, number: int) -> bool:
        """Whether a branch is not taken for ROCm: what is behind `not rocm`, or the other side of `if rocm`."""
        if not isinstance(one, ast.If):
            return False
        return self.asks(one.test) if number else self._denies(one.test)

    def _denies(self, test: ast.expr) -> bool:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            return any(self._denies(value) for value in test.values)
        return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and self.asks(test.operand)


def _bodies(one: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks in a statement; of a condition first what it is true for, then the rest."""
    for name in ("body", "orelse", "finalbody"):
        yield from ([found] if (found := getattr(one, name, None)) else [])
    yield from (handler.body for handler in getattr(one, "handlers", ()))


def _runners(tree: ast.Module) -> frozenset[str]:
    """The functions that run `nvcc` whatever they are given, by themselves or through others."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    found = frozenset[str]()
    for _ in range(_TURNS):
        more = frozenset(one.name for one in functions if _runs_always(one.body, found))
        if more == found:
            break
        found = more
    return found


def _runs_always(body: Sequence[ast.stmt], runners: Set[str]) -> bool:
    """Whether a function runs `nvcc` before anything in it may end it."""
    for one in body:
        if next(_bodies(one), None) is None:
            if _line_of_run(one, runners):
                return True
            if isinstance(one, ast.Return | ast.Raise):
                return False
        elif any(isinstance(each, ast.Return | ast.Raise) for each in ast.walk(one)):
            return False
    return False


def _line_of_run(one: ast.stmt, runners: Set[str]) -> int:
    """The line of a statement that runs `nvcc`, 0 where it does not do so in any case."""
    if next(_bodies(one), None) is not None:
        return 0
    return next((call.lineno for call in _sure_calls(one) if _is_run(call, runners)), 0)


def _sure_calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that a statement makes in any case."""
    if isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*_LATER, *_MAYBE)):
            yield from _sure_calls(child)


def _is_run(call: ast.Call, runners: Set[str]) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if isinstance(call.func, ast.Name) and name in runners:
        return True
    if name not in _RUNS or not call.args:
        return False
    command = call.args[0].elts[0] if isinstance(call.args[0], ast.List | ast.Tuple) and call.args[0].elts else None
    texts = (one.value for one in ast.walk(command or call.args[0]) if isinstance(one, ast.Constant))
    return any(isinstance(text, str) and _NVCC.search(text) for text in texts)
