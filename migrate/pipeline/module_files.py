"""Files of NVIDIA's machine code that a program loads: no rename reaches what is in them, and AMD's GPUs cannot run it.

The name of such a file may be given to a wrapper and loaded elsewhere, so that a name is taken where anything in the
repository loads modules. Whether the kernels can be compiled for AMD, their source says: a source whose name the file's
begins with, or a build that makes such files. A file that is in the repository beside no such source is all there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import STRING, WORD, Lexed
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Hit, Inventory, Span, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

MACHINE_CODE, COMPILED = "build/machine-code-file", "build/compiled-module-file"
"""A file whose source is not there, and one that the repository's own source is compiled to."""
_LOADERS = frozenset(("cuModuleLoad", "cuModuleLoadData", "cuModuleLoadDataEx", "cuModuleLoadFatBinary",
                      "cuLibraryLoadFromFile", "cuLibraryLoadData", "cudaLibraryLoadFromFile", "cudaLibraryLoadData",
                      "cuLinkAddFile", "cuLinkAddData"))  # fmt: skip
"""What loads machine code, or PTX, that was compiled before."""
_LABELED = (b"cuLinkAddData", b"cuLinkAddData_v2")
_LABEL = 4
"""The parameter of those by which messages call what is in memory already."""
_OUTPUTS = (b"ofstream", b"fopen")
_WRITES = re.compile(rb'"[wa][^"]*"')
_MAKERS = ("build/flag-code-object", "build/flag-ptx")
_ENDINGS = (b".cubin", b".fatbin", b".ptx")
_SOURCE = ".cu"


def with_module_files(
    results: Sequence[FileResult], book: Rulebook, port: PortFacts, inventory: Inventory, read: Read
) -> list[FileResult]:
    """The results, with a finding at each name of a file of machine code, where the repository loads such files."""
    if not any(one.name in _LOADERS for result in results for one in result.findings):
        return list(results)
    made_here = any(one.rule in _MAKERS for result in results for one in result.findings)
    stems = {_stem(entry.path) for entry in inventory.entries if entry.path.endswith(_SOURCE)}
    there = {path.rpartition("/")[2] for path in inventory.modules}
    marks = [name.encode() for name in (*cuda.GUARDS, *port.marks) if not name.startswith("^")]
    changed = []
    for result in results:
        source = read(result.path) if result.language in ("cuda", "cxx") and result.skip is None else None
        found = []
        if source is not None and any(end in source.data for end in _ENDINGS):
            for name, span in _named(lexed(source), marks):
                own = any(_is_of(name, stem) for stem in stems) or (made_here and name not in there)
                rule = book.rules.get(COMPILED if own else MACHINE_CODE)
                if rule is not None and not rule.silent:
                    use = Use("name", name, span, span, (), "unknown", "token")
                    found.append(engine.finding(source, Hit(rule.id, use, {"name": name}), rule))
        changed.append(engine.with_more(result, found))
    return changed


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _is_of(name: str, stem: str) -> bool:
    """Whether a file of machine code is called after a source: `kernel_sm89.cubin` after `kernel.cu`."""
    return name.startswith(stem) and not name[len(stem) :][:1].isalpha()


def _named(tokens: Lexed, marks: Sequence[bytes]) -> Iterator[tuple[str, Span]]:
    """The files that literals name, with the places; none in code that has a branch for AMD, and no ending alone."""
    parts = branches(tokens, marks)
    answered = {part.chain for part in parts if part.hip}
    labels, made = list(_labels(tokens)), set(_written(tokens))
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        comment = tokens.data.startswith((b"//", b"/*"), start)
        if comment or tokens.data[end - 1 : end] != b'"' or not tokens.data[start : end - 1].endswith(_ENDINGS):
            continue
        text = tokens.data[start : end - 1].partition(b'"')[2].decode("utf-8", "replace").replace("\\", "/")
        name = text.rpartition("/")[2]
        if name.startswith(".") or " " in name or name.removeprefix("-l") in made:
            continue
        if any(label <= start < after for label, after in labels):
            continue
        if not any(part.start <= start < part.end and part.chain in answered for part in parts):
            yield name, Span(start, end)


def _labels(tokens: Lexed) -> Iterator[tuple[int, int]]:
    """The arguments that only say in messages what code in memory is called."""
    for word in _LABELED:
        for given in _given(tokens, word):
            yield from given[_LABEL : _LABEL + 1]


def _written(tokens: Lexed) -> Iterator[str]:
    """The files that the code opens for writing, by their names: what is in them, the program makes itself."""
    for word in _OUTPUTS:
        for given in _given(tokens, word):
            mode = tokens.data[given[1][0] : given[1][1]] if len(given) > 1 else b""
            if given and (word == b"ofstream" or _WRITES.fullmatch(mode)):
                yield from _file_names(tokens, *given[0])


def _given(tokens: Lexed, word: bytes) -> Iterator[list[tuple[int, int]]]:
    """What each call of a function is given, and each variable of a type is made from."""
    for at in tokens.places(word):
        opening = tokens.after(tokens.token(at)) if tokens.is_code(at) else None
        if opening is not None and opening.kind == WORD:  # the variable's name
            opening = tokens.after(opening)
        if opening is not None and tokens.text(opening) in (b"(", b"{"):
            yield tokens.arguments(opening.start, tokens.closing(opening.start))


def _file_names(tokens: Lexed, start: int, end: int, depth: int = 1) -> Iterator[str]:
    """The names of files in an expression, and in what its variables are made from."""
    for token in tokens.tokens(start, end):
        text = tokens.text(token)
        if token.kind == STRING:
            yield text.partition(b'"')[2][:-1].decode("utf-8", "replace").replace("\\", "/").rpartition("/")[2]
        elif token.kind == WORD and depth:
            for at in tokens.places(text):
                opening = tokens.after(tokens.token(at)) if tokens.is_code(at) and at != token.start else None
                sign = tokens.text(opening)
                if opening is None or sign not in (b"(", b"{", b"="):
                    continue
                closing = tokens.data.find(b";", at) if sign == b"=" else tokens.closing(opening.start)
                yield from _file_names(tokens, opening.end, closing, depth - 1)
