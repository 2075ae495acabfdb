"""Texts that a Python script writes to files of C++, which are compiled later: a generator of code.

Comes from where texts go and where names of files go: a text is written that reaches `write` of what was opened by a
name of C++, `open(f"{name}.cu", "w")`. What a script writes elsewhere may be a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.python_source.literals import inside
from cudamigrate.python_source.source import PySource, argument, arguments
from cudamigrate.python_source.value_flow import Bindings, Flow

CODE = re.compile(
    rb"\bcuda[A-Z][a-z]\w*(?:(?=\s*\()|_t\b)|\b__(?:shfl\w*|ballot|any|all|match_\w+|reduce_\w+)_sync(?=\s*\()"
    rb"|#[ \t]*include[ \t]*[<\"](?:cuda|cu(?:blas|fft|rand|solver|sparse|b/)|cooperative_groups)[\w./]*[>\"]"
)
"""A name of CUDA's as code has it: of the runtime, called or a type; a vote or shuffle, called; a header, included.
Another word may be a key or part of a message."""
_BODY = re.compile(rb"\)\s*(?:(?:const|noexcept|override)\s*)*\{")
"""The beginning of a function's body, or of a statement's."""
_CPP = re.compile(rb"\.(?:cuh?|c(?:pp|c|xx)?|h(?:pp|h|xx)?|inl)\Z")
_WRITES = ("write", "writelines", "write_text")
_OPENS = frozenset(("open", "Path", "write_text", "with_suffix", "with_name", "joinpath"))
"""What makes a file, or the path of one, of a name."""


class WrittenFiles:
    """What a script writes to files that are named like C++."""

    def __init__(self, py: PySource) -> None:
        self._py, self._text = py, Bindings(py)
        names = [one for one in py.kind("string") if _CPP.search(py.text[slice(*inside(one))])]
        files = Flow(self._text, names, made_by=_OPENS)
        self._written = list(self._given(files)) if names else []

    def takes(self, texts: Iterable[Node]) -> bool:
        """Whether one of some texts is written there."""
        if not self._written:
            return False
        flow = Flow(self._text, texts)
        return any(map(flow.carries, self._written))

    def _given(self, files: Flow) -> Iterator[Node]:
        """The arguments of what writes to such a file."""
        for call in self._py.kind("call"):
            method, object_ = self._text.method(call)
            if method in _WRITES and files.carries(object_):
                yield from arguments(call)
            elif files.carries(argument(self._py, call, -1, "file")):  # `print(..., file=file)`
                yield from (one for one in arguments(call) if one.type != "keyword_argument")


def is_function(raw: bytes) -> bool:
    """Whether a text has code with names of CUDA in a function's body, and not a statement alone."""
    return CODE.search(raw) is not None and _BODY.search(raw) is not None
