"""Files of NVIDIA's machine code that a program loads: no rename reaches what is in them, and AMD's GPUs cannot run it.

The name of such a file may be given to a wrapper and loaded elsewhere, so that a name is taken where anything in the
repository loads modules. Whether the kernels can be compiled for AMD, their source says: a source whose name the file's
begins with, or a build that makes such files. A file that is in the repository beside no such source is all there is.
What the program writes itself is no such file, nor is what a linker at run time calls code that it gets from memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import takewhile

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Inventory, Span, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import utf8

MACHINE_CODE, COMPILED = "build/machine-code-file", "build/compiled-module-file"
"""A file whose source is not there, and one that the repository's own source is compiled to."""
MADE = "build/made-module-name"
"""One whose name begins with what only the running program knows, so that it may be called after any source."""
IN_MEMORY = "build/module-in-memory"
"""Machine code that is loaded from memory, where nothing compiles it and no file of it is named."""
_FROM_MEMORY = frozenset(
    ("cuModuleLoadData", "cuModuleLoadDataEx", "cuModuleLoadFatBinary", "cuLibraryLoadData", "cudaLibraryLoadData")
)
_COMPILES = ("nvrtc", "nvPTXCompiler", "nvJitLink", "cuLink")
"""How the functions begin that make machine code while the program runs."""
_LOADERS = frozenset(("cuModuleLoad", "cuModuleLoadData", "cuModuleLoadDataEx", "cuModuleLoadFatBinary",
                      "cuLibraryLoadFromFile", "cuLibraryLoadData", "cudaLibraryLoadFromFile", "cudaLibraryLoadData",
                      "cuLinkAddFile", "cuLinkAddData"))  # fmt: skip
"""What loads machine code, or PTX, that was compiled before."""
_AS_TEXT = ("build/ptx-module", "build/ptx-text")
_MAKERS = ("build/flag-code-object", "build/flag-ptx", "build/nvcc-started")
"""Findings on what makes such files: options of a build, and a compiler that the program starts itself."""
_PUT_TOGETHER = re.compile(r"%[-+ #0]*[\d*.]*(?:l{1,2}|h{1,2}|z|j|t)?[diouxXsc]|\{[\w:.]*\}")
"""What formats put into a name: `%08x`, `{}`."""
_ENDINGS = (b".cubin", b".fatbin", b".ptx")
_GO, _BY_GO = "go", ("api/cgo-header", "api/cgo-library")
_GO_TOKEN = re.compile(
    rb"//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|(?P<quote>[\"`])(?P<text>[^\"`\\\n]*)(?P=quote)", re.DOTALL
)
"""A comment, a character, or a text without escapes."""
_LITERALS = tuple(end + b'"' for end in _ENDINGS)
_SOURCE = ".cu"
_LABEL = (b"cuLinkAddData", 4)
"""The argument by which messages call code that is in memory."""
_WRITERS = frozenset((b"ofstream", b"basic_ofstream"))
_MODES = frozenset((b'"w"', b'"wb"', b'"w+"', b'"wb+"', b'"w+b"', b'"a"', b'"ab"'))
_CLOSING, _OPENING = frozenset((b")", b"]", b"}")), frozenset((b"(", b"[", b"{"))
_MOST, _NEAR = 400, 10
"""So many tokens before one are looked at for what it is given to, and so many behind what opens a file."""


def with_module_files(
    results: Sequence[FileResult], book: Rulebook, port: PortFacts, inventory: Inventory, read: Read
) -> list[FileResult]:
    """The results, with a finding at each name of a file of machine code, where the repository loads such files."""
    languages = _loading(results)
    if not languages:
        return list(results)
    made_here = any(one.rule in _MAKERS for result in results for one in result.findings)
    stems = {_stem(entry.path) for entry in inventory.entries if entry.path.endswith(_SOURCE)}
    there = {path.rpartition("/")[2] for path in inventory.modules}
    marks = [name.encode() for name in (*cuda.GUARDS, *port.marks) if not name.startswith("^")]
    changed = []
    for result in results:
        source = read(result.path) if result.language in languages and result.skip is None else None
        found = []
        if source is not None and any(end in source.data for end in _ENDINGS):
            names = _in_go(source.data, there) if result.language == _GO else _named(lexed(source), marks)
            for name, span in names:
                own = any(_is_of(name, stem) for stem in stems) or (made_here and name not in there)
                rule = book.rules.get(COMPILED if own else MADE if _PUT_TOGETHER.match(name) else MACHINE_CODE)
                if rule is not None and not rule.silent:
                    use = Use("name", name, span, span, (), "unknown", "token")
                    found.append(engine.finding(source, Hit(rule.id, use, {"name": name}), rule))
        changed.append(engine.with_more(result, found))
    named = any(one.rule in (MACHINE_CODE, COMPILED, MADE) for result in changed for one in result.findings)
    return changed if made_here or named else _with_loads(changed, book, read)


def _loading(results: Sequence[FileResult]) -> frozenset[str]:
    """The languages of a tree whose code loads modules: C++ that calls a loader, and Go where some uses CUDA."""
    found = [one for result in results for one in result.findings]
    by_cpp = ("cuda", "cxx") if any(one.name in _LOADERS for one in found) else ()
    by_go = (_GO,) if any(one.rule in _BY_GO for one in found) else ()
    return frozenset((*by_cpp, *by_go))


def _in_go(data: bytes, there: Set[str]) -> Iterator[tuple[str, Span]]:
    """The files of the tree that texts in Go name; in no comment."""
    for match in _GO_TOKEN.finditer(data):
        name = utf8.text(match["text"] or b"").rpartition("/")[2]
        if name in there and name.encode().endswith(_ENDINGS):
            yield name, Span(*match.span())


def _with_loads(results: list[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each load from memory, unless something compiles what is loaded, or it is PTX."""
    rule = book.rules.get(IN_MEMORY)
    found = [one for result in results for one in result.findings]
    if rule is None or rule.silent or any(one.rule in _AS_TEXT or one.name.startswith(_COMPILES) for one in found):
        return results
    changed = []
    for result in results:
        loads = [one for one in result.findings if one.name in _FROM_MEMORY and one.rule == f"api/{one.name}"]
        source = read(result.path) if loads else None
        more: list[Finding] = []
        if source is not None:
            uses = [Use("name", one.name, one.span, one.span, (), "unknown", "token") for one in loads]
            more = [engine.finding(source, Hit(rule.id, use, {"name": use.name}), rule) for use in uses]
        changed.append(engine.with_more(result, more))
    return changed


def _call(words: Sequence[bytes], at: int) -> tuple[bytes, int]:
    """The function or variable in whose brackets a token is, and which argument it is part of; no name for none."""
    depth = commas = 0
    for before in range(at - 1, max(-1, at - _MOST), -1):
        sign = words[before]
        if sign in (b";", b"{") and depth == 0:
            return (words[before - 1], commas) if sign == b"{" and before else (b"", 0)
        if sign in _CLOSING:
            depth += 1
        elif sign == b"(" and depth == 0:
            return (words[before - 1] if before else b""), commas
        elif sign in _OPENING:
            depth -= 1
        commas += sign == b"," and depth == 0
    return b"", 0


def _written(words: Sequence[bytes]) -> list[tuple[str, int, int]]:
    """The names of files that the program opens to write them, by a literal or by a variable that is made of one.

    Each with the first token, and the one behind the last, of the block from there on in which it is known.
    """
    found = []
    for at, word in enumerate(words):
        if word.endswith(_LITERALS):
            owner = words[at - 2] if words[at - 1 : at] == [b"="] else _call(words, at)[0]
            end = _block_end(words, at)
            if any(word in given or owner in given for given in _opened(words, max(0, at - _NEAR), end)):
                found.append((word[1:-1].decode("utf-8", "replace").rpartition("/")[2], at, end))
    return found


def _block_end(words: Sequence[bytes], at: int) -> int:
    depth = 0
    for end in range(at, len(words)):
        depth += (words[end] == b"{") - (words[end] == b"}")
        if depth < 0:
            return end
    return len(words)


def _opened(words: Sequence[bytes], start: int, end: int) -> Iterator[list[bytes]]:
    """The literals and variables that are given to what opens a file to write it."""
    for at in range(start, end):
        behind = list(takewhile(lambda word: word != b";", words[at + 1 : at + _NEAR]))
        if words[at] in _WRITERS or (words[at] == b"fopen" and not _MODES.isdisjoint(behind)):
            yield [
                word
                for place, word in enumerate(behind, at + 1)
                if words[place - 1] in (b"(", b"{") and words[place + 1 : place + 2] != [b"("]
            ]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _is_of(name: str, stem: str) -> bool:
    """Whether a file of machine code is called after a source: `kernel_sm89.cubin` after `kernel.cu`."""
    return name.startswith(stem) and not name[len(stem) :][:1].isalpha()


def _named(tokens: Lexed, marks: Sequence[bytes]) -> Iterator[tuple[str, Span]]:
    """The files that literals name, with the places; none in code that has a branch for AMD, and no ending alone."""
    order = list(tokens.tokens(0, len(tokens.data)))
    words, places = [tokens.text(one) for one in order], {one.start: at for at, one in enumerate(order)}
    written = _written(words)
    parts = branches(tokens, marks)
    answered = {part.chain for part in parts if part.hip}
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        comment = tokens.data.startswith((b"//", b"/*"), start)
        if comment or tokens.data[end - 1 : end] != b'"' or not tokens.data[start : end - 1].endswith(_ENDINGS):
            continue
        text = tokens.data[start : end - 1].partition(b'"')[2].decode("utf-8", "replace").replace("\\", "/")
        name = text.rpartition("/")[2]
        at = places.get(start, 0)
        if name.startswith(".") or " " in name or _call(words, at) == _LABEL:
            continue
        if any(name.removeprefix("-l") == own and first <= at < last for own, first, last in written):
            continue
        if not any(part.start <= start < part.end and part.chain in answered for part in parts):
            yield name, Span(start, end)
