"""Macros of a tree that are called as names in a header of ours -> the header without them while it is read.

A header of AMD's or of the C++ library's lives with macros of any name that its documentation leaves to a program; ours
comes into code that was written without it: `-D N=1024` in a Makefile, `#define half` in a header. Behind it they
are there again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cudamigrate.compilation import build_files, include_closure
from cudamigrate.cuda.lexer import WORD, lex
from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import read_linked
from cudamigrate.syntax import utf8

_DEFINED = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_GIVEN = re.compile(
    rb"(?:-D|--define-macro)[ \t=]*[\"']?([A-Za-z_]\w*)"
    rb"|(?i:compile_definitions|add_definitions)[ \t]*\(([^()]*)\)"
    rb"|(?<!\w)\([ \t]*[\"']([A-Za-z_]\w*)[\"'][ \t]*,"
)
"""A macro in a build file: as an option, of CMake's commands, or of a setup.py's `define_macros`. A word more than are
macros does no harm: it is not defined before or behind."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_OF_OTHERS = re.compile(rb"__|_[A-Z]|(?i:hip|roc)|cudamigrate|CUDAMIGRATE")
"""How names begin that compilers and AMD's headers give to macros themselves."""
_OPENING = re.compile(rb"^namespace (?:cudamigrate|nvcuda) \{", re.MULTILINE)
_CLOSING = re.compile(rb"^\}  // namespace \w+\n", re.MULTILINE)
_ENDS = (".cmake", ".sh", ".mk", ".inc")


def macros(root: Path, converted: Mapping[str, bytes]) -> frozenset[bytes]:
    """The macros that build files and headers of a tree, and files as they were `converted`, define in any case."""
    found = set[bytes]()
    for name in include_closure.headers(root).difference(converted):
        found.update(_DEFINED.findall(_read(root / name)))
    for data in converted.values():
        found.update(_DEFINED.findall(data))
    for path in build_files.of(root, _ENDS):
        for option, several, pair in _GIVEN.findall(_read(path)):
            found.update(filter(None, (option, pair, *_WORD.findall(several))))
    return frozenset(found)


def protected(header: bytes, known: Iterable[bytes]) -> bytes:
    """A header of ours without those of some macros while it is read that are called as names in its code."""
    opening, closings = _OPENING.search(header), list(_CLOSING.finditer(header))
    names = sorted(_names(header).intersection(known)) if opening and closings else []
    if opening is None or not names:
        return header
    before = b"".join(b'#pragma push_macro("%b")\n#undef %b\n' % (name, name) for name in names)
    after = b"".join(b'#pragma pop_macro("%b")\n' % name for name in reversed(names))
    start, end = opening.start(), closings[-1].end()
    why = b"// Names of this header that the project has macros of: these are not defined up to its end.\n"
    return b"".join((header[:start], why, before, b"\n", header[start:end], b"\n", after, header[end:]))


def _names(header: bytes) -> set[bytes]:
    """The names in the code of a header, and in the bodies of its macros; none that its conditions ask for."""
    lexed = lex(header)
    words = {lexed.text(token) for token in lexed.tokens(0, len(header)) if token.kind == WORD}
    asked = set(_DEFINED.findall(header))
    for one in lexed.directives:
        named = _WORD.findall(one.argument(header))
        (words if one.name == "define" else asked).update(named)
    return {word for word in words - asked if not _OF_OTHERS.match(word)}


def _read(path: Path) -> bytes:
    try:
        return read_linked(path)
    except OSError:
        return b""
