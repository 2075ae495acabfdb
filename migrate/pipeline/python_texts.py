"""CUDA files that Python reads as text and compiles when it runs: no header of the project is found from there.

`cupy.RawKernel(code=open("kernels/top.cu").read(), ...)` hands over text, which has no folder that an include in quotes
is relative to. Fixes that need a header of ours are taken back there; what they would have changed is reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, FileResult, SourceFile
from cudamigrate.model.verification import Verdict
from cudamigrate.pipeline.followed_texts import Text, Texts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.python_paths import ENDINGS, WRITING, is_named, pattern, strings
from cudamigrate.pipeline.run_time_text import without_headers
from cudamigrate.project import discovery
from cudamigrate.syntax import python_tree

_BY_TORCH = b"load_inline"
_COMPILERS = (b"RawKernel", b"RawModule", b"SourceModule", b"nvrtc", b"hiprtc", _BY_TORCH)
"""What compiles text in Python: CuPy, PyCUDA, NVRTC by its bindings, PyTorch."""
_COMPUTED = "python/kernel-source-computed"
_SOURCES = re.compile(r"code|source|\w*_sources?|\w*_src")
"""The keywords for source in a call that compiles it: `cuda_sources`, `code`."""
_FIRST = 3
"""Among so many arguments by place are sources: `load_inline(name, cpp_sources, cuda_sources)`."""
_DEPTH = 4
"""So many names are followed, one to the next."""
READERS = frozenset(("open", "read_text", "read_bytes"))
_ITEMS, _REPLACES = frozenset(("items",)), frozenset(("replace",))
_FILLED = ("text that Python fills in and compiles when it runs",)
MODE = re.compile(r"[rbt+]{1,3}")


def without_headers_in_texts(results: Sequence[FileResult], paths: Set[str], read: Read) -> list[FileResult]:
    """The results; in CUDA files that Python reads to compile their text, no fix includes a header."""
    asked = [
        one.path for one in results if one.path.endswith(ENDINGS) and any(each.adds_include for each in one.findings)
    ]
    readers = list(_readers(asked, paths, read)) if asked else []
    texts = {path for _, named in readers for path in named}
    others = {path for reader, named in readers if not _only_torch(reader.data) for path in named}
    changed = []
    for result in results:
        source = read(result.path) if result.path in texts else None
        if source is not None:
            kept = tuple(without_headers(source.data, result.findings, result.path not in others))
            result = replace(result, findings=kept)
        changed.append(result)
    return changed


def _only_torch(data: bytes) -> bool:
    """Whether PyTorch alone compiles text in a Python file."""
    return _BY_TORCH in data and not any(word in data for word in _COMPILERS if word != _BY_TORCH)


def without_read_sources(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results; source that Python reads from CUDA files of the tree is none that was not read."""
    code = [one.path for one in results if one.path.endswith(ENDINGS)]
    made = []
    for result in results:
        source = read(result.path) if code and any(one.rule == _COMPUTED for one in result.findings) else None
        if source is not None:
            known = set(_lines_with_read_sources(source.data, code))
            kept = (one for one in result.findings if one.rule != _COMPUTED or one.position.line not in known)
            result = replace(result, findings=tuple(kept))
        made.append(result)
    return made


def _lines_with_read_sources(data: bytes, code: Sequence[str]) -> Iterator[int]:
    """The lines of calls whose sources are all literals or the text of files among `code`."""
    tree = python_tree.known(data)
    if tree is None:
        return
    held = assigned(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = [*node.args[:_FIRST], *(one.value for one in node.keywords if _SOURCES.fullmatch(one.arg or ""))]
            if given and all(_is_read(one, held, code) for one in given):
                yield node.lineno


def _is_read(node: ast.expr, held: Mapping[str, list[ast.expr]], code: Sequence[str], depth: int = _DEPTH) -> bool:
    """Whether an expression is a literal or the text of a file among `code`, itself or by names set once."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.List | ast.Tuple):
        return all(_is_read(one, held, code, depth) for one in node.elts)
    if isinstance(node, ast.Name):
        values = held.get(node.id, ())
        return depth > 0 and len(values) == 1 and _is_read(values[0], held, code, depth - 1)
    opened = [one for one in calls(node, READERS) if isinstance(node, ast.Call)]
    words = [word for word in strings(node) if not MODE.fullmatch(word)]
    return len(opened) > 0 and any(is_named(path, words) for path in code)


def read_by_python(asked: Sequence[str], paths: Set[str], read: Read) -> set[str]:
    """Those of some CUDA files that a Python file among `paths` reads which compiles text when it runs."""
    found = set[str]()
    for _, named in _readers(asked, paths, read):
        found |= named
    return found


def filled_by_python(asked: Sequence[str], paths: Set[str], read: Read) -> set[str]:
    """Those of them in whose text such a Python file replaces words first, `code.replace("_N_", "4")`: as the text is
    in the file, it is no code."""
    found = set[str]()
    for reader, named in _readers(asked, paths, read, followed=True):
        words = [word.encode() for word in _replaced(reader.data)]
        for path in named:
            source = read(path)
            if source is not None and any(word in source.data for word in words):
                found.add(path)
    for _, text in _followed(asked, paths, read):
        words = [word.encode() for word in text.words]
        found |= {one for one in text.files if (file := read(one)) is not None and any(w in file.data for w in words)}
    return found


def compiled(root: Path, paths: Sequence[str]) -> frozenset[str]:
    """The CUDA files of the tree at `root` whose text Python reads and compiles when it runs."""
    asked = [path for path in paths if path.endswith(ENDINGS)]
    return frozenset(read_by_python(asked, frozenset(paths), _reading(root))) if asked else frozenset()


def _reading(root: Path) -> Read:
    """How files of the tree at `root` are read."""

    def read(path: str) -> SourceFile | None:
        source = discovery.read(root, FileEntry(path, "python" if path.endswith(".py") else "cuda", 0))
        return source if isinstance(source, SourceFile) else None

    return read


def without_filled(verdicts: Sequence[Verdict], root: Path, paths: Sequence[str]) -> list[Verdict]:
    """The verdicts on files of the tree at `root`; none where Python fills in the text of a file, which is no code."""
    failed = [one.path for one in verdicts if one.word == "failed" and one.path.endswith(ENDINGS)]
    filled = filled_by_python(failed, frozenset(paths), _reading(root)) if failed else set()
    return [replace(one, word="unresolved", headers=_FILLED) if one.path in filled else one for one in verdicts]


def _readers(
    asked: Sequence[str], paths: Set[str], read: Read, followed: bool = False
) -> Iterator[tuple[SourceFile, set[str]]]:
    """The Python files that read some of the files asked for and compile text, each with those.

    With `followed` a path is one too that a variable holds: such a file may be compiled by others as well.
    """
    for path in sorted(paths):
        source = read(path) if path.endswith(".py") else None
        if source is None or b".cu" not in source.data or not any(word in source.data for word in _COMPILERS):
            continue
        named = {one for words in _files(source.data, followed) for one in asked if is_named(one, words)}
        if named:
            yield source, named
    if not followed:
        yield from ((source, set(text.files)) for source, text in _followed(asked, paths, read))


def _followed(asked: Sequence[str], paths: Set[str], read: Read) -> Iterator[tuple[SourceFile, Text]]:
    """The Python files that compile text from such files, by whatever functions of the tree read it, each with it."""
    texts = Texts(asked, paths, read) if asked else None
    for path in sorted(paths) if texts is not None else ():
        source = read(path) if path.endswith(".py") else None
        if texts is not None and source is not None:
            yield from ((source, text) for _, text in texts.compiled(path))


def _calls(data: bytes, names: Set[str]) -> Iterator[ast.Call]:
    """The calls of some functions and methods; none in what is no Python of today."""
    tree = python_tree.known(data)
    yield from calls(tree, names) if tree is not None else ()


def assigned(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """What the variables of a file are given by plain assignments."""
    held: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            held.setdefault(node.targets[0].id, []).append(node.value)
    return held


def calls(tree: ast.AST, names: Set[str]) -> Iterator[ast.Call]:
    """The calls of some functions and methods below a node."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in names:
            yield node


def _replaced(data: bytes) -> Iterator[str]:
    """The words that `replace` is given to put others in the place of; an empty one where callers give the words."""
    for node in _calls(data, frozenset(("replace",))):
        first = node.args[0] if node.args else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value:
            yield first.value
    tree = python_tree.known(data)
    for loop in ast.walk(tree) if tree is not None else ():
        if isinstance(loop, ast.For) and any(calls(loop.iter, _ITEMS)):
            given = {one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)}
            if any(getattr(one, "id", "") in given for call in calls(loop, _REPLACES) for one in call.args[:1]):
                yield ""


def _files(data: bytes, followed: bool) -> Iterator[list[str]]:
    """The strings that each call which opens a file for reading is given: the parts of a path, as patterns.

    With `followed` so is a path that a variable holds, where the file gives it a text that is put together by `%`.
    """
    tree = python_tree.known(data)
    held = assigned(tree) if tree is not None else {}
    for node in calls(tree, READERS) if tree is not None else ():
        words = list(strings(node))
        if any(WRITING.fullmatch(word) for word in words):
            continue
        yield [word for word in words if not MODE.fullmatch(word)]
        first = node.args[0] if node.args and followed else None
        yield from ([_put(one, held)] for one in held.get(getattr(first, "id", ""), ()) if isinstance(one, ast.BinOp))


def _put(node: ast.BinOp, held: Mapping[str, list[ast.expr]]) -> str:
    """The path that `"%s/%s.cu" % (folder, name)` puts together, as a pattern; empty for another operation."""
    text = pattern(node.left) if isinstance(node.op, ast.Mod) else None
    given = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    if text is None or text.count("%s") != len(given):
        return ""
    for one in given:
        values = held.get(getattr(one, "id", ""), ())
        known = "/".join(strings(values[0])) if len(values) == 1 else ""
        text = text.replace("%s", known or ".*", 1)
    return text
