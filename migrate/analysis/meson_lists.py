"""Which strings of a Meson file are options that nvcc alone gets.

Those of the argument `cuda_args`, of `add_project_arguments(..., language: 'cuda')`, and of a variable that such places
alone read. Source: Meson's manual, "build targets", `<lang>_args`, and "add_project_arguments".
"""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re

_TOKEN = re.compile(
    rb"#[^\n]*|'''.*?'''|'(?P<text>(?:[^'\\\n]|\\.)*)'|(?P<word>[A-Za-z_]\w*)|(?P<sign>\+=|[=!<>]=|[()\[\]{}:,.=\n])",
    re.DOTALL,
)
_OPENS, _CLOSES = (b"(", b"[", b"{"), (b")", b"]", b"}")
_GIVES = (b"add_project_arguments", b"add_global_arguments")
_PASSES = (b"get_supported_arguments", b"first_supported_argument", b"")
"""Methods whose value is their arguments, and brackets that call nothing."""
_CUDA, _LANGUAGE = b"key cuda_args", b"key language"


@dataclass(slots=True)
class _Bracket:
    """An open bracket: what is called, the name of the argument that it is at, and who gets what is in it."""

    called: bytes
    owner: bytes
    outer: bytes
    languages: list[bytes] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """What is read of a file: strings with who gets them, and who reads a variable."""

    strings: list[tuple[int, bytes]] = field(default_factory=list)
    readers: dict[bytes, set[bytes]] = field(default_factory=dict)
    nvcc: set[bytes] = field(default_factory=lambda: {_CUDA})
    _open: list[_Bracket] = field(default_factory=list)
    _assigned: bytes = b""

    def read(self, data: bytes) -> None:
        """Take the tokens in."""
        tokens = [match for match in _TOKEN.finditer(data) if match.lastgroup]
        before = b""
        for match, following in zip(tokens, [*tokens[1:], None], strict=True):
            if match["text"] is not None:
                self._text(match)
            elif match["word"]:
                self._word(match["word"], following["sign"] if following is not None else None)
            else:
                self._sign(match["sign"], before, match.start())
            before = match["word"] or b""

    @property
    def _owner(self) -> bytes:
        return self._open[-1].owner if self._open else self._assigned

    def _text(self, match: re.Match[bytes]) -> None:
        self.strings.append((match.start("text"), self._owner))
        call = next((one for one in reversed(self._open) if one.called), None)
        if call is not None and self._owner == _LANGUAGE:
            call.languages.append(match["text"])

    def _word(self, word: bytes, sign: bytes | None) -> None:
        if sign == b":" and self._open:
            self._open[-1].owner = b"key " + word
        elif sign in (b"=", b"+=") and not self._open:
            self._assigned = b"variable " + word
        elif sign != b"(":
            self.readers.setdefault(word, set()).add(self._owner)

    def _sign(self, sign: bytes, before: bytes, at: int) -> None:
        if sign in _OPENS:
            called = before if sign == b"(" else b""
            own = self._owner if called in _PASSES else b"call %d" % at
            self._open.append(_Bracket(called, own, own))
        elif sign in _CLOSES and self._open:
            closed = self._open.pop()
            self.nvcc |= {closed.outer} if closed.called in _GIVES and {*closed.languages} == {b"cuda"} else set()
        elif sign == b"," and self._open:
            self._open[-1].owner = self._open[-1].outer
        elif sign == b"\n" and not self._open:
            self._assigned = b""


def of_nvcc(data: bytes) -> frozenset[int]:
    """Where the texts of those strings begin."""
    if b"cuda" not in data:
        return frozenset()
    found = _Reader()
    found.read(data)
    names, size = found.nvcc, 0
    while size != len(names):
        size = len(names)
        for name, readers in found.readers.items():
            others = readers - {b"variable " + name}
            names |= {b"variable " + name} if others and others <= names else set()
    return frozenset(start for start, owner in found.strings if owner in names)
