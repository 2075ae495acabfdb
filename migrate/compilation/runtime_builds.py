"""Python that has PyTorch compile sources when it runs -> the macros that it gives their compiler.

Nothing is run. `load(sources=[f"a_{version}.cu"], extra_cuda_cflags=[f"-DWIDTH={width}"])`: a part of a source's name
that is put in may be any, and a value is followed through variables as far as they are numbers and texts.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from cudamigrate.compilation import method_flags, python_values, spread_arguments
from cudamigrate.compilation.build_settings import FORCED
from cudamigrate.compilation.python_values import Scopes
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import read_linked, walk
from cudamigrate.syntax import python_tree

_CUDA, _HOST = "extra_cuda_cflags", "extra_cflags"
_WORTH = re.compile(rb"extra_(?:cuda_)?cflags")
"""Bytes without which a file compiles nothing as it runs."""
_GIVES = re.compile(rb"-[DU]|-include\b")
"""Options that are read of it."""
_ANY = "[^/]*"
"""A part that is not known, in a pattern of paths."""
_MACRO = re.compile(r"-D\s*([A-Za-z_]\w*)(?:=(.*))?", re.DOTALL)
"""An option that gives a macro: `-DFAST`, `-DWIDTH=64`."""
_TAKEN = re.compile(r"-U\s*([A-Za-z_]\w*)")
"""An option that takes one back: `-U__HIP_NO_HALF_CONVERSIONS__`, of what PyTorch gives."""
_WRITES = re.compile(rb"-D[A-Za-z_]\w*=\{")
"""What puts a value into a macro on a command line: `-DWIDTH={width}`."""
_VALUED = re.compile(r"(?<![\w-])-D([A-Za-z_]\w*)=[\\\"']*\Z")
"""A macro at the end of a text that its value follows, in quotes or not."""
_LARGEST = 1 << 20
"""Bytes of the largest file of Python that is read."""
_DEPTH = 8
"""So many variables are followed, one to the next."""


@dataclass(frozen=True, slots=True)
class Macros:
    """Macros that a build gives: `known` as `NAME` or `NAME=VALUE`, `open` whose value is not, or not alone, known.

    `some` are those that it gives on some of its ways, `scripts` the files that say so. `written` are those whose
    values programs put into command lines, each with the program. `forced` are the headers that it includes before
    each file, by their paths below the root, as patterns until `read` has found the files; `several` those of them that
    are one of several which may be meant. `taken` are macros that options take back.
    """

    known: tuple[str, ...] = ()
    open: frozenset[str] = frozenset()
    some: frozenset[str] = frozenset()
    scripts: tuple[str, ...] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    forced: tuple[str, ...] = ()
    several: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RuntimeBuild:
    """A call that compiles: patterns of its sources' paths, relative to the root, and macros of each compiler.

    `script` is the path of the file that calls. Without `sources` it is a command line that a program puts together, of
    which only the names of macros are known: it may compile any file.
    """

    script: str
    sources: tuple[str, ...]
    for_gpu: Macros = field(default_factory=Macros)
    for_host: Macros = field(default_factory=Macros)


def read(root: Path) -> list[RuntimeBuild]:
    """The builds in the Python files below `root`."""
    found: list[RuntimeBuild] = []
    for place, data in _scripts(root):
        if _GIVES.search(data) and (_WORTH.search(data) or _WRITES.search(data)):
            text = data.decode("utf-8", "replace")
            found += [*builds(place, text), *command_lines(place, text), *_of_classes(root, place, text)]
    if not any(one.for_gpu.forced or one.for_host.forced for one in found):
        return found
    paths = sorted(_files(root))
    return [
        replace(one, for_gpu=_with_files(one.for_gpu, paths), for_host=_with_files(one.for_host, paths))
        for one in found
    ]


def forced_headers(path: str, text: str, paths: Iterable[str]) -> frozenset[str]:
    """Those of the `paths` that the builds of the file at `path` may include before each source for GPUs."""
    patterns = [pattern for one in builds(path, text) for pattern in one.for_gpu.forced]
    fits = re.compile("|".join(patterns)) if patterns else None
    return frozenset(one for one in paths if fits is not None and fits.fullmatch(one))


def _files(root: Path) -> Iterator[str]:
    """The paths of all files below a folder, relative to it; hidden folders are not entered."""
    for folder, inner, names in walk(root):
        inner[:] = [name for name in inner if not name.startswith(".")]
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in names)


def _with_files(given: Macros, paths: Sequence[str]) -> Macros:
    """The macros with the files that their patterns fit: of several the first, and with none what is sought."""
    forced, several = list[str](), set[str]()
    for pattern in given.forced:
        fitting = [path for path in paths if re.fullmatch(pattern, path)]
        first = fitting[0] if fitting else re.sub(r"\\(.)", r"\1", pattern.split("|")[-1].replace(_ANY, "*"))
        forced.append(first)
        several.update([first] if len(fitting) > 1 else ())
    return replace(given, forced=tuple(forced), several=frozenset(several))


def _scripts(root: Path) -> Iterator[tuple[str, bytes]]:
    """The Python files below a folder that are not too large, by their paths there."""
    for folder, inner, names in walk(root):
        inner[:] = [name for name in inner if not name.startswith(".")]
        for path in (Path(folder) / name for name in names if name.endswith(".py")):
            with suppress(OSError):
                yield path.relative_to(root).as_posix(), read_linked(path) if path.stat().st_size <= _LARGEST else b""


def _of_classes(root: Path, path: str, text: str) -> Iterator[RuntimeBuild]:
    """What a class gives to all sources for GPUs below its folder, where those made from it keep it."""
    folder = os.path.dirname(path)
    for one in method_flags.read(text):
        name = f"def {one.method}".encode()
        others = (data for _, data in _scripts(root / folder) if name in data)
        kept = all(method_flags.keeps(data.decode("utf-8", "replace"), one) for data in others)
        names = frozenset(macro.partition("=")[0] for macro in one.macros)
        given = Macros(one.macros) if kept else Macros(some=names)
        yield RuntimeBuild(path, (f"{re.escape(folder)}/.*\\.cu" if folder else ".*\\.cu",), given)


def command_lines(path: str, text: str) -> Iterator[RuntimeBuild]:
    """The macros whose values a program puts into a command line: `f"{compiler} -DWIDTH={width} {source}"`.

    A program that calls CMake gives CMake such words, and a setup.py is read by itself.
    """
    if os.path.basename(path) == "setup.py" or "cmake" in text.lower() or not _WRITES.search(text.encode()):
        return
    try:
        nodes = [node for node in ast.walk(python_tree.parse(text)) if isinstance(node, ast.JoinedStr)]
    except (SyntaxError, ValueError, RecursionError):
        return
    names = {name for node in nodes for part in _before_values(node) for name in _VALUED.findall(part)}
    if names:
        given = Macros(open=frozenset(names))
        yield RuntimeBuild(path, (), given, given)


def _before_values(text: ast.JoinedStr) -> Iterator[str]:
    """The literal parts of a formatted text that a value follows."""
    for part, following in zip(text.values, text.values[1:], strict=False):
        if isinstance(part, ast.Constant) and isinstance(following, ast.FormattedValue):
            yield str(part.value)


def builds(path: str, text: str) -> list[RuntimeBuild]:
    """The builds of the file at `path`, relative to the root; none where it is no Python."""
    try:
        tree = python_tree.parse(text)
        calls = [
            (node, given, scopes)
            for node, scopes in python_values.scoped(tree)
            if isinstance(node, ast.Call)
            and not (given := spread_arguments.values(node, scopes)).keys().isdisjoint((_CUDA, _HOST))
        ]
        return [build for call, given, scopes in calls if (build := _build(path, call, given, scopes)).sources]
    except (SyntaxError, ValueError, RecursionError):
        return []


def of(root: Path, known: Iterable[RuntimeBuild], path: str) -> Macros:
    """What the builds together give the source at the absolute `path` below `root`.

    A macro that only some of them give is one of `some`; of several values the last counts, and the macro is open.
    """
    path = os.path.relpath(path, root).replace(os.sep, "/")
    known = list(known)
    fitting = [one for one in known if any(re.fullmatch(pattern, path) for pattern in one.sources)]
    written = {name: one.script for one in reversed(known) if not one.sources for name in one.for_gpu.open}
    given = [one.for_gpu if path.endswith(".cu") else one.for_host for one in fitting]
    named = [{define.partition("=")[0]: define for define in one.known} for one in given]
    values = {name: {one[name] for one in named if name in one} for one in named for name in one}
    shared = [name for name in values if all(name in one for one in named)]
    last = {name: define for one in named for name, define in one.items()}
    opened = {name for one in given for name in one.open} | {name for name in shared if len(values[name]) > 1}
    some = {name for one in given for name in one.some} | (values.keys() - set(shared))
    scripts = tuple(sorted({one.script for one in fitting}))
    opened |= written.keys() - last.keys()
    forced = tuple(dict.fromkeys(name for one in given for name in one.forced))
    several = frozenset(name for name in forced if any(name in one.several or name not in one.forced for one in given))
    known_macros = tuple(last[name] for name in shared)
    taken = frozenset(name for one in given for name in one.taken if all(name in other.taken for other in given))
    return Macros(known_macros, frozenset(opened), frozenset(some), scripts, written, forced, several, taken)


def _build(path: str, call: ast.Call, given: Mapping[str, ast.expr], scopes: Scopes) -> RuntimeBuild:
    """What a call compiles, of whose arguments the named ones are `given`."""
    listed = given.get("sources", next((one for one in call.args if isinstance(one, ast.List | ast.Tuple)), None))
    folder = os.path.dirname(path)
    patterns = [_pattern(one) for one, _ in _elements(listed, scopes)]
    bases = dict.fromkeys((f"{re.escape(folder)}/" if folder else "", ""))  # it may run in its folder, or at the root
    sources = tuple(f"{base}{one}" for one in patterns if re.search(r"\w", one.replace(_ANY, "")) for base in bases)
    of = partial(_given, scopes=scopes, bases=tuple(bases))
    return RuntimeBuild(path, sources, of(given.get(_CUDA)), of(given.get(_HOST)))


def _given(listed: ast.expr | None, scopes: Scopes, bases: Sequence[str]) -> Macros:
    """What a list of options gives: macros, and headers that it includes before each file."""
    forced = ("|".join(f"{base}{one}" for base in bases) for one in _forced(listed, scopes))
    return replace(_macros(listed, scopes), forced=tuple(forced))


def _forced(listed: ast.expr | None, scopes: Scopes) -> Iterator[str]:
    """Patterns of the files that a list of options includes before each file."""
    is_next = False
    for word, _ in _elements(listed, scopes):
        if is_next and re.search(r"\w", (pattern := _pattern(_behind(word, scopes))).replace(_ANY, "")):
            yield pattern
        is_next = isinstance(word, ast.Constant) and word.value in FORCED


def _behind(word: ast.expr, scopes: Scopes) -> ast.expr:
    """What a variable was set to last; any other expression is itself."""
    name = word.id if isinstance(word, ast.Name) else ""
    held = next((one.values[name] for one in scopes if name in one.values), [])
    return next((one for one in reversed(held) if one is not None), word)


def _elements(listed: ast.expr | None, scopes: Scopes, depth: int = 0) -> Iterator[tuple[ast.expr, bool]]:
    """The elements of a list, of lists put together and of variables; whether each is there on some ways alone."""
    if listed is None or depth > _DEPTH:
        return
    below = partial(_elements, scopes=scopes, depth=depth + 1)
    match listed:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from below(part.value) if isinstance(part, ast.Starred) else ((part, False),)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from (*below(left), *below(right))
        case ast.IfExp(body=body, orelse=orelse):
            yield from ((one, True) for branch in (body, orelse) for one, _ in below(branch))
        case ast.Name(id=name):
            yield from _of_variable(name, listed, scopes, depth)


def _of_variable(name: str, use: ast.expr, scopes: Scopes, depth: int) -> Iterator[tuple[ast.expr, bool]]:
    """The elements of the list in a variable: the one set last before its use, and all that is added."""
    scope = next((one for one in scopes if name in one.values), None)
    if scope is None:
        return
    before = [
        one for one in scope.values[name] if one is not None and (one.lineno < use.lineno or scope is not scopes[0])
    ]
    yield from _elements(before[-1] if before else None, scopes, depth + 1)
    for added, is_branch in scope.added.get(name, ()):
        yield from ((one, some or is_branch) for one, some in _elements(added, scopes, depth + 1))


def _macros(listed: ast.expr | None, scopes: Scopes) -> Macros:
    known: list[str] = []
    opened, some, taken = set[str](), set[str](), set[str]()
    for word, is_some in _elements(listed, scopes):
        text, alone = python_values.text(word, scopes) or (python_values.beginning(word), False)
        taken.update(_TAKEN.findall(text) if not is_some else ())
        macro = _MACRO.match(text)
        if macro is None:
            continue
        if is_some:
            some.add(macro[1])
        elif python_values.UNKNOWN not in text:
            known.append(text[2:].strip())
        if not is_some and not alone:
            opened.add(macro[1])
    return Macros(tuple(known), frozenset(opened), frozenset(some), taken=frozenset(taken))


def _pattern(node: ast.expr) -> str:
    """A source's path as a regular expression: what is put in is any text without a folder."""
    match node:
        case ast.Constant(value=str(text)):
            return re.escape(os.path.normpath(text))
        case ast.JoinedStr(values=parts):
            return _text(parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text((left, right))
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _under([left, right])
        case ast.Call(func=ast.Attribute(attr="join"), args=parts):
            return _under(parts)
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            return _pattern(inner)
    return _ANY


def _text(parts: Sequence[ast.expr]) -> str:
    """Parts of a text put together: what is not known before a folder may be that of the script, or another."""
    written = (_pattern(one) if not isinstance(one, ast.Constant) else re.escape(str(one.value)) for one in parts)
    found = "".join(written)
    return f"(?:{_ANY}/)?{found.removeprefix(f'{_ANY}/')}" if found.startswith(f"{_ANY}/") else found


def _under(parts: Sequence[ast.expr]) -> str:
    """Parts of a path put together: folders that are not known at its beginning are that of the script, or others."""
    found = [_pattern(one) for one in parts]
    while found and found[0] == _ANY:
        found = found[1:]
    return "/".join(found)
