"""Sizes of the wave that a program keeps to print: it describes the GPU, and 32 would be false of it.

`info.warp_size = prop.warpSize;` where all that any file does with a `warp_size` is to print it, and
`dict["warpSize"] = prop.warpSize;` where no file asks for that key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.words import among
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed

_RULE = "warp/queried-size"
_LANGUAGES = ("cuda", "cxx")
_KEPT = re.compile(rb"[\w\])](?:\.|->)(\w+)\s*=\s*\Z")
"""What is before a value that a member is given: `info.warp_size = `, up to the value."""
_KEYED = re.compile(rb"[\w)]\s*\[\s*([\"'][\w .\[\]-]+[\"'])\s*\]\s*=\s*\Z")
"""What is before a value that is kept under a key of text: `dict["warpSize"] = `, up to the value."""
_SETS = re.compile(rb"\s*\]\s*=(?!=)|\s*:(?!:)")
"""What is behind a key that is set: `all["lanes"] = `, `{"lanes": 32}`, also as a notebook shows a result."""
_ALONE = re.compile(rb"\s*;")
_NEAR = 200
_QUOTES = (b'"', b"'")
_PRINTS = re.compile(rb"\s*(?:std::)?(?:printf|fprintf|snprintf|puts)\s*\(")
_BOUNDS = (b";", b"{", b"}")


def without_described_waves(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on sizes that are kept in a member, and read only to be printed."""
    kept = {}
    for result in results:
        found = [one for one in result.findings if one.rule == _RULE]
        source = read(result.path) if found else None
        for one in found if source is not None else ():
            name = _member(source, one)
            if name:
                kept[result.path, one.span] = name
    if not kept:
        return list(results)
    keys = frozenset(name for name in kept.values() if name[:1] in _QUOTES)
    printed = _printed(frozenset(kept.values()) - keys, results, read) | _unasked(keys, results, read)
    made = []
    for result in results:
        left = tuple(one for one in result.findings if kept.get((result.path, one.span)) not in printed)
        made.append(result if len(left) == len(result.findings) else replace(result, findings=left))
    return made


def _member(source: SourceFile | None, finding: Finding) -> bytes:
    """The member that is given the value of a finding and nothing else, or the key in its quotes."""
    if source is None or _ALONE.match(source.data, finding.span.end) is None:
        return b""
    start = finding.span.start
    near = max(0, start - _NEAR)
    found = _KEPT.search(source.data, near, start) or _KEYED.search(source.data, near, start)
    return b"" if found is None else found[1]


def _unasked(keys: frozenset[bytes], results: Iterable[FileResult], read: Read) -> frozenset[bytes]:
    """Those of some keys that all files only set: what is kept under one goes to whoever asks for the whole."""
    asked = set[bytes]()
    for result in results if keys else ():
        source = read(result.path) if result.skip is None else None
        if source is not None:
            asked.update(key for key in keys - asked if _asks(source.data, key, result.language in _LANGUAGES))
    return keys - asked


def _asks(data: bytes, key: bytes, in_code: bool) -> bool:
    """Whether a text names a key and sets nothing there; in Python a member may be it, too."""
    word = re.escape(key[1:-1])
    member = b"" if in_code else rb"|\.%s\b" % word
    places = re.compile(rb"[\"']%s[\"']" % word + member).finditer(data)
    return any(_SETS.match(data, one.end()) is None for one in places)


def _printed(names: frozenset[bytes], results: Iterable[FileResult], read: Read) -> frozenset[bytes]:
    """Those of some members that some file prints, and that none reads for anything else."""
    said = dict[bytes, set[str]]()
    for result in results:
        source = read(result.path) if result.skip is None else None
        here = among(source.data, set(names)) if source is not None else set[bytes]()
        if source is None or not here:
            continue
        if result.language not in _LANGUAGES:  # as a binding for Python, which passes it on
            for name in here:
                said.setdefault(name, set()).add("read")
            continue
        for name, what in _uses(lexed(source), frozenset(here)):
            said.setdefault(name, set()).add(what)
    return frozenset(name for name, what in said.items() if "print" in what and "read" not in what)


def _uses(known: Lexed, names: frozenset[bytes]) -> Iterator[tuple[bytes, str]]:
    """Each name in code, and what is done with it: `write`, `declare`, `print` or `read`."""
    for start in known.words(names):
        token = known.token(start)
        if token is None:
            continue
        before, after = known.text(known.before(start)), known.text(known.after(token))
        accessed = before in (b".", b"->")
        if known.directive_at(start) is not None:
            yield known.text(token), "read"
        elif after == b"=":
            yield known.text(token), "write" if accessed else "declare"
        elif not accessed and after in (b";", b"{") and re.fullmatch(rb"[A-Za-z_]\w*", before) and before != b"return":
            yield known.text(token), "declare"
        else:
            yield known.text(token), "print" if _is_printed(known, start) else "read"


def _is_printed(known: Lexed, start: int) -> bool:
    """Whether the statement around a place writes text: a stream takes it beside a literal, or a function prints it."""
    begin = max(known.data.rfind(sign, 0, start) for sign in _BOUNDS) + 1
    end = known.data.find(b";", start)
    statement = known.data[begin : end if end >= 0 else len(known.data)]
    if b'"' not in statement:
        return False
    return _PRINTS.match(statement) is not None or b"<<" in known.data[begin:start]
