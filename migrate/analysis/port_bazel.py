"""One Bazel file -> what it shows of a HIP port: targets and choices for ROCm, and the macros that all of them set.

Starlark reads as Python does, and is read as that. A file that does not is asked for `if_rocm([...])` alone.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import BuildMacro, FileEvidence
from cudamigrate.syntax import python_tree

_IF_ROCM = re.compile(r"if_rocm\w*\s*\(\s*\[(?P<values>[^\]]*)\]")
"""The values that are used for ROCm alone: `if_rocm(["-DUSE_ROCM=1"])`, `if_rocm_is_configured([`."""
_VALUE = re.compile(r"[\"'](?:-D)?([A-Z_][A-Z0-9_]+)(?:=1)?[\"']")
_HIP = re.compile(r"(?<![A-Za-z])(?:rocm|hip|hipcc)(?![A-Za-z])")
"""A word for HIP in a label or the name of a rule: `@local_config_rocm//rocm:hip`, `rocm_library`."""
_CUDA = re.compile(r"(?<![A-Za-z])(?:cuda|nvcc)(?![A-Za-z])")
_MACRO = re.compile(r"(?:-D\s*)?([A-Za-z_]\w*)(?:=.*)?", re.DOTALL)
_OPTIONS = ("copts", "cxxopts", "cuda_copts", "hip_copts")
_DEFINES = ("defines", "local_defines")
_COMPILER = ("--offload-arch", "-D__HIP_PLATFORM_AMD__")
Side = tuple[bool, bool]
"""Whether something is for HIP, and whether it is for CUDA; for both or neither it tells nothing."""


def of(path: str, text: str) -> FileEvidence:
    """What the file shows."""
    try:
        tree = python_tree.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return FileEvidence(path, macros=tuple(_chosen(text)))
    targets = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_target(node)]
    built = [node.lineno for node in targets if _side(node) == (True, False)]
    macros = {one: None for node in targets for one in _of_target(node)}
    macros |= {one: None for one in _chosen(text) if not any(one.name == other.name and other.hip for other in macros)}
    lines = text.splitlines()
    build = (min(built), lines[min(built) - 1].strip()[:100]) if built else None
    return FileEvidence(path, macros=tuple(macros), build=build)


def _chosen(text: str) -> Iterator[BuildMacro]:
    for match in _IF_ROCM.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        for name in _VALUE.findall(match["values"]):
            yield BuildMacro(name, line, hip=True, sure=True)


def _is_target(node: ast.Call) -> bool:
    return any(keyword.arg in ("srcs", *_OPTIONS, *_DEFINES) for keyword in node.keywords)


def _side(target: ast.Call) -> Side:
    """For whom a target is: by its rule, what it depends on without a choice, and its options."""
    said = [target.func.id if isinstance(target.func, ast.Name) else ""]
    for keyword in target.keywords:
        plain = _plain(keyword.value)
        if keyword.arg == "deps":
            said += plain
        elif keyword.arg in _OPTIONS:
            compiled = ("-x", "hip") in itertools.pairwise(plain) or "-xhip" in plain
            said += ["hip"] if compiled or any(one.startswith(_COMPILER) for one in plain) else []
    return _asks(said)


def _asks(words: list[str]) -> Side:
    return any(_HIP.search(word) for word in words), any(_CUDA.search(word) for word in words)


def _plain(node: ast.expr) -> list[str]:
    """The texts of a list, of lists added up too, but for those in a choice."""
    if isinstance(node, ast.BinOp):
        return [*_plain(node.left), *_plain(node.right)]
    if isinstance(node, ast.List):
        return [one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return []


def _of_target(target: ast.Call) -> Iterator[BuildMacro]:
    for keyword in target.keywords:
        if keyword.arg in (*_OPTIONS, *_DEFINES):
            yield from _set_in(keyword.value, _side(target), keyword.arg in _DEFINES)


def _set_in(node: ast.expr, side: Side, bare: bool) -> Iterator[BuildMacro]:
    """The macros in an expression; `bare` where they are named without `-D`."""
    if isinstance(node, ast.BinOp):
        yield from _set_in(node.left, side, bare)
        yield from _set_in(node.right, side, bare)
    elif isinstance(node, (ast.List, ast.Tuple)):
        for one in node.elts:
            yield from _set_in(one, side, bare)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        match = _MACRO.fullmatch(node.value.strip())
        if match is not None and (bare or node.value.strip().startswith("-D")):
            hip = side == (True, False)
            yield BuildMacro(match[1], node.lineno, hip, hip, cuda=side == (False, True))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from _set_by_choice(node, node.func.id, side, bare)


def _set_by_choice(node: ast.Call, name: str, side: Side, bare: bool) -> Iterator[BuildMacro]:
    """The same in `select({label: [...]})` and `if_rocm([...], otherwise)`."""
    if name == "select" and node.args and isinstance(node.args[0], ast.Dict):
        for key, value in zip(node.args[0].keys, node.args[0].values, strict=True):
            label = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
            asked = _asks([label])
            yield from _set_in(value, asked if any(asked) else (False, False), bare)
    elif name.startswith("if_"):
        for number, argument in enumerate(node.args):
            yield from _set_in(argument, _asks([name]) if not number and "not" not in name else (False, False), bare)
    else:
        for argument in node.args:
            yield from _set_in(argument, side, bare)
