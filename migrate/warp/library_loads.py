"""CUB's loads past the caches, and what hipCUB makes of them: `cub::ThreadLoad<cub::LOAD_CG>(p)`.

On NVIDIA a load with `LOAD_CG` goes past the cache of the multiprocessor, whatever its type. rocPRIM, which hipCUB
calls, has such a load for some numbers, and copies anything else by a plain load, which caches answer and a compiler
may take out of a loop. Source: rocPRIM and hipCUB of ROCm 5.2 to 7.1, `thread_load.hpp`.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.analysis import declared_types
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp import library_names
from cudamigrate.warp.element_types import pointee

NAME = "ThreadLoad"
_WORD = NAME.encode()
_PAST = re.compile(rb"\bLOAD_(?:CG|CV|VOLATILE)\b")
_ONE_COPY = re.compile(rb"\bLOAD_CG\b")
_QUALIFIERS = (b"const", b"volatile")
_PAST_CACHES = frozenset(
    b"int8_t int16_t uint8_t uint16_t uint32_t float uint64_t double size_t uint ulong ushort uchar short".split()
) | {b"unsigned", b"signed char", b"unsigned char", b"unsigned short", b"unsigned int", b"unsigned long"}
"""The types that rocPRIM has a load of its own for: no `int`, and no `unsigned long long`."""
_NUMBER = re.compile(rb"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|dim3|int|int32_t|bool|char")


def waited_for(parsed: ParsedFile) -> tuple[Node, ...]:
    """The calls of CUB's load in a file that read what other blocks write."""
    if _WORD not in parsed.data:
        return ()
    owners, bare = library_names.names(parsed, (NAME,))
    found = []
    for call in CALLS.below(parsed.tree.root_node):
        called = call.child_by_field_name("function")
        at = -1 if called is None or _PAST.search(text(called)) is None else text(called).find(_WORD)
        if called is None or at < 0:
            continue
        if library_names.qualified(parsed, called.start_byte + at, owners, bare, _WORD) >= 0:
            found.append(call)
    return tuple(found)


def cached_in(parsed: ParsedFile, loop: Span) -> str:
    """What is to be done about such a load in a loop that hipCUB answers from caches; empty where none is."""
    for call in parsed.once(waited_for):
        called = call.child_by_field_name("function")
        if not loop.start <= call.start_byte < loop.end or _ONE_COPY.search(text(called)) is None:
            continue
        given = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
        spelled = _type(parsed, pointee(given[0]) if given else b"")
        if spelled in _PAST_CACHES:
            continue
        if _NUMBER.fullmatch(spelled) is not None:
            kind = spelled.decode("latin-1")
            return (
                f"load with `__hip_atomic_load`: hipCUB's `LOAD_CG` is a plain load for `{kind}`, which caches answer"
            )
        return "see that it loads an unsigned number: for other types hipCUB's `LOAD_CG` is a plain load, from caches"
    return ""


def _type(parsed: ParsedFile, spelled: bytes) -> bytes:
    """A type without qualifiers, an alias of the file's as what it stands for."""
    words = [one for one in spelled.split() if one not in _QUALIFIERS]
    known = declared_types.named_type(parsed, b" ".join(words))
    return b" ".join(one for one in known.split() if one not in _QUALIFIERS)
