"""Macros of autoconf's that no configure script of the tree calls: nothing of them gets into a script.

What one macro calls, another that is called may. m4 expands nothing in comments. Source: autoconf's manual, "Macro
Definitions", and m4's, "Comments".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis.configured_compilers import COMMENT, SCRIPTS
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Span
from cudamigrate.pipeline.own_names import Read

_DEFINED = re.compile(rb"\b(?:AC_DEFUN(?:_ONCE)?|AU_DEFUN)[ \t]*\([ \t]*\[(\w+)\][ \t]*,\s*(?=\[)")
_QUOTE = re.compile(rb"[\[\]]")
_WORD = re.compile(rb"\w+")


def without_uncalled_macros(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings in macros that nothing calls, where the tree has what configure is made from."""
    of_autoconf = [one for one in results if one.language == "autotools" and one.skip is None]
    concerned = {one.path for one in of_autoconf if one.path.endswith(".m4") and one.findings}
    if not concerned or not any(one.path.rpartition("/")[2] in SCRIPTS for one in of_autoconf):
        return list(results)
    texts = {one.path: source.data for one in of_autoconf if (source := read(one.path)) is not None}
    bodies = {path: list(_macros(data)) for path, data in texts.items()}
    called = _called(texts, bodies)
    return [_kept(one, bodies, called) if one.path in concerned else one for one in results]


def _kept(result: FileResult, bodies: dict[str, list[tuple[bytes, Span]]], called: set[bytes]) -> FileResult:
    idle = [span for name, span in bodies.get(result.path, ()) if name not in called]
    kept = (one for one in result.findings if not any(each.start <= one.span.start < each.end for each in idle))
    return replace(result, findings=tuple(kept))


def _macros(data: bytes) -> Iterator[tuple[bytes, Span]]:
    """The macros that a file defines, with their bodies: brackets are quotes to m4, and those of a body are closed."""
    end = 0
    for match in _DEFINED.finditer(data):
        if match.start() < end:
            continue
        depth, end = 0, len(data)
        for one in _QUOTE.finditer(data, match.end()):
            depth += 1 if one[0] == b"[" else -1
            if depth == 0:
                end = one.end()
                break
        yield match[1], Span(match.start(), end)


def _called(texts: dict[str, bytes], bodies: dict[str, list[tuple[bytes, Span]]]) -> set[bytes]:
    """The words of all texts outside of macros, and those in the bodies of macros that are among them."""
    found, inside = set[bytes](), dict[bytes, set[bytes]]()
    for path, data in texts.items():
        at = 0
        for name, span in bodies[path]:
            found |= _words(data[at : span.start])
            head = data.index(name, span.start) + len(name)
            inside.setdefault(name, set()).update(_words(data[head : span.end]))
            at = span.end
        found |= _words(data[at:])
    waiting = [name for name in inside if name in found]
    for name in waiting:
        more = (inside[name] & inside.keys()) - found
        found |= more
        waiting += more
    return found


def _words(data: bytes) -> set[bytes]:
    return set(_WORD.findall(COMMENT.sub(b"", data)))
