"""Kernels in files that a program hands to NVRTC: what includes HIP's runtime header there leaves it out for hipRTC.

hipRTC has the header built in and finds none on the machine unless it is given a folder. That a file is compiled at run
time shows in a tree that uses NVRTC where a text in code names it, where Rust takes its text in, or where no build does
and nothing includes it; and in any tree where CMake makes a list of bytes of it, which is text for such a compiler,
whatever library calls that. With the condition a file can be compiled by hipcc, too.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cudamigrate.analysis import cmake_texts
from cudamigrate.analysis.cmake_endings import placed
from cudamigrate.analysis.cmake_targets import MAKES
from cudamigrate.cuda.include_insertion import for_hipcc_alone
from cudamigrate.cuda.include_paths import nearest
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import BUILDS, Read
from cudamigrate.pipeline.read_again import asked, include_graph, lexed
from cudamigrate.pipeline.run_time_headers import with_run_time_headers
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake, rust_texts

_CODE = ("cuda", "cxx")
_COMPILES = re.compile(rb"\b(?:nvrtcCreateProgram|nvrtcCompileProgram|hiprtcCreateProgram)\b")
"""A call by which a program compiles text; a library that wraps it, as Jitify, has it in a header of its own."""
_RUST = "rust"
_COMPILES_IN_RUST = re.compile(rb"\b(?:nvrtc(?:CreateProgram|CompileProgram)\b|nvrtc\s*::)")
"""The same in Rust, by bindings of its own or by a crate's module: `cudarc::nvrtc::compile_ptx`."""
_PLACEHOLDER = re.compile(r"\$\w+\$|\$\{\w+\}|@\w+@|%\w+%|\{\{ ?\w+ ?\}\}|<<\w+>>|##\w+##")
"""A word that stands for what a program puts in its place: no code of C++ or CUDA has it so."""
_LISTS = re.compile(rb"\bHEX\b|\b(?:xxd|bin2c|bin2h)\b")
"""What a CMake file holds that makes lists of bytes."""
_NAMED = re.compile(rb"([\w.+-]+\.cuh?)(?![\w.])")
_ANY = re.compile(
    rb"[*%]\.(?:cu\b|c?\*)|(?<=[/\"'])\*(?=[\s\"')])|\.cu\b[^\n]*(?:walk|glob|find|wildcard)|aux_source_directory"
)
"""What may collect all sources of a folder: `*.cu`, `src/*`."""


def with_run_time_sources(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, where such files, and what they include, get the runtime's header for hipcc alone.

    So they get headers of C and C++. That the program has to give hipRTC the other headers they get is reported.
    """
    reached = _reached(_Tree.of(results), read)
    made = [_guarded(one) if one.path in reached else one for one in results]
    return with_run_time_headers(made, reached, book, read)


def compiled(files: Iterable[FileEntry | FileResult], read: Read) -> frozenset[str]:
    """Those of the `files` of a tree that are compiled at run time, or included there, and by no build that names them.

    Where a build may compile all files of a folder, nobody can say, and those that a text in code names count.
    """
    tree = _Tree.of(files)
    texts = frozenset(_embedded(tree, read))
    return frozenset(
        path
        for path in _reached(tree, read)
        if not (_is_compiled(path, tree.builds, read) if path in texts else _is_named(path, tree.builds, read))
    )


def filled(paths: Collection[str], files: Iterable[FileEntry | FileResult], read: Read) -> set[str]:
    """Those of some files of kernels in which a program fills in words: as the text is in the file, it is no code.

    The file that takes the text has such a word among its texts, `"$RANK$"`, between signs that no name of C++ has.
    """
    found, tree = set[str](), _Tree.of(files)
    for reader in (*tree.code, *tree.rust) if paths else ():
        taken = {path for path in _named_in(reader, tree, read) if path in paths}
        words = (asked(read, reader, _words) or ()) if taken else ()
        texts = [(path, source.data) for path in sorted(taken) if (source := read(path)) is not None]
        found |= {path for path, data in texts if any(word.encode() in data for word in words)}
    return found


class _Tree(NamedTuple):
    """The files of a tree by what they say here: code of C++ and CUDA, code of Rust, and build files.

    `named` has the code by the last part of its path.
    """

    code: Sequence[str]
    rust: Sequence[str]
    builds: Sequence[str]
    named: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, files: Iterable[FileEntry | FileResult]) -> _Tree:
        """The same of files, without those that were skipped."""
        kept = [(one.path, one.language) for one in files if getattr(one, "skip", None) is None]
        code, named = [path for path, language in kept if language in _CODE], dict[str, list[str]]()
        for path in code:
            named.setdefault(posixpath.basename(path), []).append(path)
        rust = [path for path, language in kept if language == _RUST]
        return cls(code, rust, [path for path, language in kept if language in BUILDS], named)


def _reached(tree: _Tree, read: Read) -> frozenset[str]:
    """The files that are compiled at run time, and what they include."""
    code, texts = tree.code, frozenset(_embedded(tree, read))
    if not any(asked(read, path, _compiles) for path in (*code, *tree.rust)):
        return include_graph(read, code).below(texts) if texts else texts
    taken = {path for reader in (*code, *tree.rust) for path in _named_in(reader, tree, read)}
    graph = include_graph(read, code)
    sources = [path for path in code if path.endswith(".cu")]
    alone = [path for path in sources if not graph.users.get(path)] if not _collect(tree.builds, read) else []
    loose = {path for path in alone if not _is_named(path, tree.builds, read)}
    return graph.below(taken | loose | texts)


def _embedded(tree: _Tree, read: Read) -> Iterator[str]:
    """The sources of kernels that CMake makes a list of bytes of."""
    texts = {path: source.data for path in tree.builds if (source := read(path)) is not None and _is_cmake(source)}
    if not any(b".cu" in data and _LISTS.search(data) for data in texts.values()):
        return
    commands = {path: list(placed(path, cmake.read(data))) for path, data in texts.items()}
    for path, word in cmake_texts.embedded(commands):
        tail = word.rpartition("}/")[2]
        alike = [one for one in tree.named.get(posixpath.basename(tail), ()) if f"/{one}".endswith(f"/{tail}")]
        yield from nearest(path, [one for one in alike if one.endswith((".cu", ".cuh"))])


def _is_cmake(source: SourceFile) -> bool:
    return source.language == "cmake"


def _is_compiled(path: str, builds: Sequence[str], read: Read) -> bool:
    """Whether a command of a CMake file that makes a target names a source, as far as words tell."""
    name = posixpath.basename(path)
    found = ((source := read(one)) is not None and _is_cmake(source) and source.data for one in builds)
    commands = (command for data in found if data for command in cmake.read(data))
    return any(one.name in MAKES and any(word.endswith(name) for word in one.words()) for one in commands)


def _named_in(reader: str, tree: _Tree, read: Read) -> Iterator[str]:
    """The files of kernels that texts in a file's code name: in C++ by their names alone, in Rust by their paths."""
    for name in asked(read, reader, _taken if reader.endswith(".rs") else _texts) or ():
        alike = tree.named.get(posixpath.basename(name), ())
        if not reader.endswith(".rs"):
            yield from alike
        elif name.startswith("/"):  # the end of a path that a macro puts together
            yield from (path for path in alike if f"/{path}".endswith(name))
        else:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(reader), name))
            yield from (path,) if path in alike else ()


def _taken(source: SourceFile) -> tuple[str, ...]:
    """The files with kernels whose text a file of Rust takes in."""
    return tuple(name for name in rust_texts.taken(source.data) if name.endswith((".cu", ".cuh")))


def _words(source: SourceFile) -> tuple[str, ...]:
    """What the texts of a file hold of the form that words to fill in have."""
    if source.language == _RUST:
        held = rust_texts.literals(source.data)
    else:
        tokens = lexed(source)
        spans = zip(tokens.starts, tokens.ends, strict=True)
        held = tuple(source.data[start:end].decode("utf-8", "replace").strip('"') for start, end in spans)
    return tuple(sorted({text for text in held if _PLACEHOLDER.fullmatch(text)}))


def _compiles(source: SourceFile) -> bool:
    """Whether a file compiles text at run time."""
    pattern = _COMPILES_IN_RUST if source.language == _RUST else _COMPILES
    return b"rtc" in source.data and pattern.search(source.data) is not None


def _texts(source: SourceFile) -> tuple[str, ...]:
    """The names of files with kernels that texts in a file's code hold, without their folders."""
    names = set(_in_literals(source)) if b".cu" in source.data else ()
    return tuple(sorted(name.decode("utf-8", "replace") for name in names))


def _in_literals(source: SourceFile) -> Iterator[bytes]:
    """The same in literals, without those of includes: `"kernel.cu"`, `dir + "/kernel.cu"`."""
    tokens = lexed(source)
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        if source.data[start : start + 1] == b"/" or b".cu" not in source.data[start:end]:
            continue  # a comment
        directive = tokens.directive_at(start)
        if directive is None or directive.name == "define":
            yield from _NAMED.findall(source.data, start, end)


def _collect(builds: Sequence[str], read: Read) -> bool:
    """Whether a build file may collect sources that it does not name."""
    return any((source := read(path)) is not None and _ANY.search(source.data) is not None for path in builds)


def _is_named(path: str, builds: Sequence[str], read: Read) -> bool:
    """Whether a build file names a source, with or without its ending."""
    name = path.rpartition("/")[2].rpartition(".")[0].encode()
    return any((source := read(one)) is not None and name in source.data for one in builds)


def _guarded(result: FileResult) -> FileResult:
    """The result of such a file."""
    return replace(result, findings=tuple(map(_without_header, result.findings)))


def _without_header(finding: Finding) -> Finding:
    if finding.fix is None or not finding.adds_include:
        return finding
    edits = tuple(map(for_hipcc_alone, finding.fix.edits))
    return replace(finding, fix=replace(finding.fix, edits=edits))
