"""Python that builds -> what its conditions answer where PyTorch is for ROCm: `torch.version.hip` and what holds it.

Nothing is run. What chooses between macros of the two vendors has an answer. So has a variable where all that it is
set to agree, but for the `False` or `None` it begins with; a function has one where it returns nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.lazy_re import re

_TRUE = (
    "torch.version.hip",
    "version.hip",
    *(f"{module}{name}" for module in ("", "cpp_extension.") for name in ("IS_HIP_EXTENSION", "ROCM_HOME", "HIP_HOME")),
)
"""What PyTorch has where it is built for ROCm, and not for CUDA."""
_FALSE = ("torch.version.cuda", "version.cuda")
"""What it has for CUDA alone."""
_AMD, _CUDA = frozenset(("amd",)), frozenset(("cuda",))
_MACRO = re.compile(r"-D\s*([A-Za-z_]\w*)")
_FOR_CUDA = re.compile(r"CUDA|NVIDIA|NVCC")
_ROUNDS = 3
"""So many variables are followed, one to the next."""


def known(tree: ast.Module) -> dict[str, bool]:
    """The variables and functions of a file that hold such an answer, each with what it is for ROCm."""
    names = chosen = _by_macros(tree)
    for _ in range(_ROUNDS):
        given: dict[str, set[bool | None]] = {}
        for name, values in _values(tree, names):
            given.setdefault(name, set()).update(values)
        found = chosen | {
            name: True in values for name, values in given.items() if values and len(values) == 1 - (None in values)
        }
        if found == names:
            break
        names = found
    return names


def _by_macros(tree: ast.Module) -> dict[str, bool]:
    """The variables that choose between a macro of AMD's platform and one of CUDA's: HIP's build has the one of AMD.

    `if IS_CUDA: args.append("-DHAVE_CUDA") else: args.append("-DHAVE_ROCM")`, whatever sets the variable.
    """
    found: dict[str, set[bool]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.If(test=ast.Name(id=name)) | ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name))):
                sides = [frozenset(_vendors(part)) for part in (node.body, node.orelse)]
                if sides in ([_AMD, _CUDA], [_CUDA, _AMD]):
                    found.setdefault(name, set()).add((sides[0] == _AMD) is isinstance(node.test, ast.Name))
    return {name: True in values for name, values in found.items() if len(values) == 1}


def _vendors(branch: Iterable[ast.stmt]) -> Iterator[str]:
    """The vendors that the macros of a branch name."""
    for node in (inner for part in branch for inner in ast.walk(part)):
        match = _MACRO.match(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
        if match is not None and names_hip(match[1].encode()):
            yield "amd"
        elif match is not None and _FOR_CUDA.search(match[1]):
            yield "cuda"


def _values(tree: ast.Module, names: Mapping[str, bool]) -> Iterable[tuple[str, set[bool | None]]]:
    """What variables are set to and functions return, as answers; empty for a value that only begins a variable."""
    waiting: list[tuple[ast.AST, bool | None]] = [(tree, None)]
    while waiting:
        node, branch = waiting.pop()
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, _value(value, names, branch)
            case ast.FunctionDef(name=name, args=ast.arguments(args=[])):
                returned = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
                yield name, {None if value is None else of(value, names) for value in returned} or {None}
            case ast.Name(id=name, ctx=ast.Store()) | ast.AugAssign(target=ast.Name(id=name)):
                yield name, {None}
                continue
            case ast.If(test=test, body=body, orelse=orelse):
                answer = of(test, names)
                waiting += [(part, branch if answer is None else answer) for part in body]
                waiting += [(part, branch if answer is None else not answer) for part in orelse]
                continue
        inner = [node.value] if isinstance(node, ast.Assign) and _is_named(node) else ast.iter_child_nodes(node)
        waiting += [(part, branch) for part in inner]


def _is_named(node: ast.Assign) -> bool:
    return len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)


def _value(value: ast.expr, names: Mapping[str, bool], branch: bool | None) -> set[bool | None]:
    """The answer that a variable gets: in a branch that is taken for ROCm, `True` is one, in another nothing is."""
    if branch is False or (isinstance(value, ast.Constant) and value.value in (False, None)):
        return set()
    if isinstance(value, ast.Constant) and value.value is True and branch:
        return {True}
    return {of(value, names)}


def of(test: ast.expr, names: Mapping[str, bool]) -> bool | None:
    """What a condition is where PyTorch is for ROCm; None where it asks for something else."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            answer = of(operand, names)
            return None if answer is None else not answer
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as how], comparators=[ast.Constant(value=None)]):
            answer = of(left, names) if _is_bare(left) else None
            return None if answer is None else answer == isinstance(how, ast.IsNot)
        case ast.BoolOp(op=how, values=parts):
            return _joined([of(part, names) for part in parts], deciding=isinstance(how, ast.Or))
        case ast.IfExp(test=inner, body=ast.Constant(value=True), orelse=ast.Constant(value=False)):
            return of(inner, names)
        case ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value="hip")]):
            return True if f"{ast.unparse(owner)}.hip" in _TRUE else None
        case ast.Call(func=ast.Name(id="bool"), args=[inner]):
            return of(inner, names)
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) | ast.Name(id=name) if name in names:
            return names[name]
        case ast.Attribute() | ast.Name():
            written = ast.unparse(test)
            return True if written in _TRUE else False if written in _FALSE else None
    return None


def _is_bare(value: ast.expr) -> bool:
    """Whether a value is one of PyTorch's own, which is `None` where it is not there; an answer is never `None`."""
    return ast.unparse(value) in (*_TRUE, *_FALSE)


def _joined(answers: list[bool | None], deciding: bool) -> bool | None:
    """What several conditions are together: one that is `deciding` decides, whatever the others are."""
    if deciding in answers:
        return deciding
    return None if None in answers else not deciding
