"""Files that commands of a Makefile or a script copy or install by their names or patterns, and automake's headers.

`install -m 644 $(HEADERS) $(PREFIX)/include`, `cp include/*.cuh $(PREFIX)/include`, `include_HEADERS = a.h`: what a
variable holds that such a command is given counts, too. Source: POSIX, "cp"; GNU coreutils, "install"; automake manual,
"Header files".
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from cudamigrate.analysis.cmake_installed import Named
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_COMMAND = re.compile(
    rb"(?:^[ \t]*[@+-]*|(?:&&|;)[ \t]*)(?:sudo[ \t]+)?(?:cp|install|\$[({](?:CP|\w*INSTALL\w*)[)}])[ \t]+"
    rb"(?P<given>(?:\\\r?\n|[^\n;&|#])*)",
    re.MULTILINE,
)
_SETS = re.compile(
    rb"^[ \t]*(?P<name>[A-Za-z_]\w*)[ \t]*[:+?]{0,3}=[ \t]*[\"']?(?P<value>(?:\\\r?\n|[^\n#\"'])*)", re.MULTILINE
)
_WORD = re.compile(rb"[^\s\\]+")
_READS = re.compile(rb"\$[({]?(\w+)[)}]?")
_HEADERS = re.compile(rb"(?P<kept>nobase_)?\w*_HEADERS")
"""A variable of automake's whose files are installed; `nobase_` keeps their folders."""
_HERE = re.compile(r"(?:\$[({](?:CURDIR|srcdir|abs_srcdir)[)}]/|\./)?([\w.+*?-][\w.+*?/-]*)")
_TOP = re.compile(r"\$[({](?:abs_)?top_srcdir[)}]/([\w.+*?-][\w.+*?/-]*)")


def named(path: str, data: bytes) -> Iterator[Named]:
    """The files that are copied or installed, but for the place they go to."""
    given, wanted = list[tuple[re.Match[bytes], bool, str]](), dict[bytes, str]()
    for command in _COMMAND.finditer(data):
        words = list(_WORD.finditer(data, *command.span("given")))[:-1]
        held = [one[1] for word in words if (one := _READS.fullmatch(word[0])) is not None]
        group = next((wanted[name] for name in held if name in wanted), str(command.start()))
        wanted.update(dict.fromkeys(held, group))
        given += [(word, False, group) for word in words]
    for one in _SETS.finditer(data):
        automake = _HEADERS.fullmatch(one["name"]) if path.endswith(".am") else None
        if automake is not None or one["name"] in wanted:
            kept = automake is not None and automake["kept"] is not None
            group = wanted.get(one["name"], one["name"].decode())
            given += [(word, kept, group) for word in _WORD.finditer(data, *one.span("value"))]
    for word, kept, group in given:
        text = word[0].decode("utf-8", "replace")
        found = _path(path, text)
        if found is not None:
            yield Named(found, Span(*word.span()), text, " ", kept=kept, group=group)


def _path(path: str, word: str) -> str | None:
    """The file that a word names, by its path in the tree."""
    here, top = _HERE.fullmatch(word), _TOP.fullmatch(word)
    if here is not None:
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), here[1]))
    return posixpath.normpath(top[1]) if top is not None else None
