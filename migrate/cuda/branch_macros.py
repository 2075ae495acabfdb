"""Macros that are the head of a branch: `#define IF_FRONT if (lane < 16)`, for `IF_FRONT { ... } else { ... }`.

The grammar knows no statement of that form and loses what is around. In the text that it reads, a branch is in the
place of the name, byte for byte, which asks a name that no code has: `if($RONT) { ... } else { ... }`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re

_DEFINED = re.compile(rb"([A-Za-z_]\w{4,})(\([\w\s,]*\))?(?!\w)\s*if\s*(?:constexpr\s*)?(\(.*\))\s*", re.DOTALL)
"""The name, the parameters and the condition. A shorter name leaves no room for what takes its place."""
_BEFORE = (b"{", b"}", b";", b")", b":", b"else", b"do")
"""What is before a statement."""
_OPENS, _MARK = b"if(", b"$"
_BLANKS = {b" ": b")", b"\t": b")", b"\r": b")", b"\n ": b")\n", b"\n\t": b")\n"}
"""What is behind a macro's arguments, and what takes its place: the bracket, and the end of the line a byte later."""


def conditions(lexed: Lexed) -> Mapping[bytes, bytes]:
    """The macros of a file that are the head of a branch, each with the name that stands for its condition."""
    found = dict[bytes, bytes]()
    for line in lexed.directives:
        match = _DEFINED.fullmatch(line.argument(lexed.data)) if line.name == "define" else None
        if match is not None and _is_one(match[3]):
            found[match[1]] = _MARK + match[1][4 if match[2] is not None else 5 :]
    return found


def stand_ins(lexed: Lexed) -> Iterator[tuple[int, bytes]]:
    """What the grammar reads in the place of such macros, with where it begins."""
    known = conditions(lexed)
    for start in lexed.words(frozenset(known)) if known else ():
        token, name = lexed.token(start), known.get(lexed.text(lexed.token(start)))
        if token is None or name is None or lexed.text(lexed.before(start)) not in _BEFORE:
            continue
        if lexed.directive_at(start) is not None:
            continue
        if len(name) + len(_OPENS) < token.end - start:
            yield start, _OPENS + name + b")"
        elif lexed.data[token.end : token.end + 1] == b"(" and (closing := lexed.closing(token.end)) > 0:
            given, after = lexed.data[token.end : closing + 1], lexed.data[closing + 1 : closing + 3]
            closed = _BLANKS.get(after[:1], _BLANKS.get(after))
            if closed is not None:
                yield start, _OPENS + name + given + closed
            elif b"\n" not in given:
                yield start, (_OPENS + name + b")").ljust(closing + 1 - start)


def put(data: bytes, branches: Iterable[tuple[int, bytes]]) -> bytes:
    """The text with branches in the place of macros."""
    found = list(branches)
    if not found:
        return data
    text = bytearray(data)
    for start, branch in found:
        text[start : start + len(branch)] = branch
    return bytes(text)


def spelled(data: bytes, start: int, read: bytes) -> bytes:
    """A condition as the file has it, where `read` is what the grammar has in its place."""
    if not read.startswith(b"(" + _MARK):
        return read
    begin = start + 1 - len(_OPENS)
    return data[begin : begin + len(read) + len(_OPENS) - 1].rstrip()


def _is_one(text: bytes) -> bool:
    """Whether the first bracket closes at the end."""
    depth = 0
    for at, byte in enumerate(text):
        depth += (byte == ord("(")) - (byte == ord(")"))
        if depth == 0:
            return at == len(text) - 1
    return False
