"""CUDA files that Python passes by name to a package of the repository which compiles kernels when the program runs.

`tool.tune("sum", "sum.cu", ...)` reads a file that becomes HIP, and the package compiles it as it did before: by
PyCUDA, by NVRTC's bindings, by CuPy or by nvcc. The file is nothing for these then: the call is where HIP is chosen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline import python_paths, python_texts
from cudamigrate.pipeline.followed_texts import READS
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.rule_base import project_rules
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import python_tree

RULE = "python/passed-kernel-file"
_OPTIONS = "python/kernel-options"
_GPU = re.compile(r"--?(?:gpu-architecture|gpu-code|arch|code|gencode)=(?:arch=)?(?:sm|compute)_\d+\S*")
"""An option of nvcc's that names a GPU: `-arch=sm_80`."""
_COMPILES = ("python/kernel-source-computed", "python/pycuda", "python/cuda-python", "python/nvcc-run")
"""Rules on what compiles kernels for CUDA when Python runs."""
_NAMES_FILE = re.compile(rb"\.cuh?(?!\w)")
"""The end of the name of such a file: `sum.cu`, in `torch.cuda` there is none."""
_DEPTH = 4
"""So many names are followed, one to the next."""
_Held = Mapping[str, list[ast.expr]]


def with_passed_kernel_files(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each call of such a package that is given the name of a file which changes."""
    code = [one.path for one in results if one.path.endswith(python_paths.ENDINGS) and _changes(one)]
    packages = frozenset(_packages(results)) if code else frozenset[str]()
    rules = project_rules(book.goal, book.extra).rules if packages else {}
    if RULE not in rules or rules[RULE].silent:
        return list(results)
    return [
        engine.with_more(one, list(_found(source, packages, code, rules)))
        if (source := _asked(one, packages, read)) is not None
        else one
        for one in results
    ]


def _changes(result: FileResult) -> bool:
    return result.skip is None and any(one.automatic for one in result.findings)


def _packages(results: Sequence[FileResult]) -> Iterator[str]:
    """The packages of the tree in which kernels are compiled, by the names that they are imported by."""
    modules = {one.path for one in results if one.language == "python"}
    for one in results:
        if one.path in modules and any(finding.rule in _COMPILES for finding in one.findings):
            folders, name = one.path.split("/")[:-1], ""
            while folders and "/".join((*folders, "__init__.py")) in modules:
                name = folders.pop()
            if name:
                yield name


def _asked(result: FileResult, packages: Set[str], read: Read) -> SourceFile | None:
    """The source of a Python file that names a CUDA file and such a package."""
    source = read(result.path) if result.path.endswith(".py") and result.skip is None else None
    if source is None or _NAMES_FILE.search(source.data) is None:
        return None
    return source if any(one.encode() in source.data for one in packages) else None


def _found(source: SourceFile, packages: Set[str], code: Sequence[str], rules: Mapping[str, Rule]) -> Iterator[Finding]:
    tree = python_tree.known(source.data)
    if tree is None:
        return
    bound, held, starts = dict(_bound(tree, packages)), _held(tree), python_tree.line_starts(source.data)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = _full(call.func, bound)
        given = [*call.args, *(one.value for one in call.keywords)] if name else []
        named = next((file for one in given if (file := _file(one, held, code))), "")
        if named:
            words = {"name": name, "file": named.rpartition("/")[2]}
            yield _finding(source, python_tree.place(starts, call.func), words, rules[RULE])
            places = (python_tree.place(starts, one) for one in _options(given))
            yield from (_finding(source, one, {}, rules[_OPTIONS]) for one in places)


def _options(given: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """The texts among arguments and in lists of these that choose one of NVIDIA's GPUs."""
    for one in given:
        inner = one.elts if isinstance(one, ast.List | ast.Tuple) else (one,)
        yield from (text for text in inner if any(_GPU.fullmatch(word) for word in _words(text)))


def _words(node: ast.expr) -> Sequence[str]:
    return node.value.split() if isinstance(node, ast.Constant) and isinstance(node.value, str) else ()


def _bound(tree: ast.AST, packages: Set[str]) -> Iterator[tuple[str, str]]:
    """The names that imports of the packages bring, each with what it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in packages:
            yield from ((one.asname or one.name, f"{node.module}.{one.name}") for one in node.names)
        elif isinstance(node, ast.Import):
            for one in node.names:
                root = one.name.partition(".")[0]
                if root in packages:
                    yield one.asname or root, one.name if one.asname else root


def _full(function: ast.expr, bound: Mapping[str, str]) -> str:
    """What a call calls, in full; empty where it is nothing of the packages."""
    parts: list[str] = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    head = bound.get(function.id, "") if isinstance(function, ast.Name) else ""
    return ".".join([head, *reversed(parts)]) if head else ""


def _held(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """What the variables of a file are given by assignments, and by `with open("sum.cu") as file`."""
    held = python_texts.assigned(tree)
    for node in ast.walk(tree):
        for one in node.items if isinstance(node, ast.With) else ():
            if isinstance(one.optional_vars, ast.Name):
                held.setdefault(one.optional_vars.id, []).append(one.context_expr)
    return held


def _file(node: ast.expr, held: _Held, code: Sequence[str], depth: int = _DEPTH) -> str:
    """The file among `code` that an argument names or has the text of: alone, in a list, by variables, read from it."""
    if isinstance(node, ast.Dict | ast.Lambda) or depth == 0:
        return ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        node = node.func.value if node.func.attr in READS else node
    if isinstance(node, ast.List | ast.Tuple):
        inner: Sequence[ast.expr] = node.elts
    elif isinstance(node, ast.Name):
        inner = held.get(node.id, ())
    else:
        words = [one for one in python_paths.strings(node) if not python_texts.MODE.fullmatch(one)]
        return next((one for one in code if python_paths.is_named(one, words)), "")
    return next((file for one in inner if (file := _file(one, held, code, depth - 1))), "")


def _finding(source: SourceFile, place: tuple[int, int], words: Mapping[str, str], rule: Rule) -> Finding:
    span = Span(*place)
    use = Use("call" if "name" in words else "string", words.get("name", ""), span, span, (), "host", "syntax")
    return engine.finding(source, Hit(RULE, use, words), rule)
