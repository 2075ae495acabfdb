"""Errors that do not depend on the header that is missing: they are certain, whatever is in it.

Behind an include of a header that nobody has, most of what a compiler says may follow from that. These errors cannot:

- one that the compiler reported before it came to the first such include;
- a type whose definition was read, of HIP's headers, lacks a member that code asks a variable of that type for;
- a function for the host of HIP's headers is called with another number of arguments than all its declarations take;
- the first error of a pass is one of syntax, in a statement that has no name but those that were read.

A macro of the missing header may decide whether code is compiled at all, so no error counts whose conditionals ask for
a macro that nothing read defines. Nor does a name in capitals that nothing read has: it may be a macro.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from cudamigrate.cuda.lexer import CHAR, STRING, Lexed, lex
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import Checked, Diagnostic, Place, Toolchain, Unit
from cudamigrate.syntax import utf8
from cudamigrate.verification import open_regions

_MEMBER = re.compile(r"no member named '(\w+)' in '(\w+)'\Z")
_FEWER_OR_MORE = re.compile(r"candidate function (?:template )?not viable: requires .* w(?:as|ere) provided\Z")
"""Why a candidate is none: `candidate function not viable: requires 2 arguments, but 1 was provided`."""
_COUNT = re.compile(r"too (?:few|many) arguments to function call, ")
_NO_MATCH = "no matching function for call to '"
_OBJECT = re.compile(rb"(?<![\w.>:)\]])(?:[A-Za-z_]\w*(?:\[[^\[\]()]*\])*\s*(?:\.|->)\s*)+\Z")
"""What a member is asked of, where it is no result of a call: `prop.`, `this->all[i].`."""
_DEFINED = rb"\b(?:struct|class|union)\b[^;{}()]*\b%s\b[^;{}()]*\{|\}\s*%s\s*;"
"""The definition of a type: `struct T : B {`, `typedef struct { ... } T;`."""
_RENAMED = rb"#[ \t]*define[ \t]+(\w+)[ \t]+%s\b"
"""A macro that stands for a type: `#define hipDeviceProp_t hipDeviceProp_tR0600`."""
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_FOR_DEVICE = re.compile(rb"device", re.IGNORECASE)
_BRACES = re.compile(r"'[{}]'|\bbrace")
"""What an error is about that a macro with one bracket of a pair may have caused."""
_OF_A_KIND = re.compile(r"expected (?:a )?(?:namespace|class|type|template|concept)\b|typename|'template' keyword")
"""What an error of syntax is about that depends on what a name is: the missing header may declare it otherwise."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CAPITALS = re.compile(rb"[A-Z_][A-Z0-9_]+\Z")
_ENDS = frozenset((b";", b"{", b"}"))
_WHOLE = frozenset(("include", "define", "undef", "pragma"))
"""Directives that a statement ends at; others choose between parts of it."""
_LONGEST = 4_000
"""Bytes of a statement that is looked at."""
_DECLARED = re.compile(
    rb"(?:(?<![\w.])(?!(?:return|else|throw|new|case|delete|goto|do|not|typename|co_return)\b)[A-Za-z_]\w*\s+|[>*&]\s*)"
    rb"([A-Za-z_]\w*)\s*(?:[;=,:\[{)]|\([^()]*\)\s*(?:[;{:]|const\b|noexcept\b))"
)
"""A name in a declaration: behind a type, and before what may follow: `int n =`, `T *p)`, `void f(int n) {`. A macro
that is before a declaration, as in `void BOUNDS(256) f()`, is none."""
_DIRECTIVE = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_OBJECT_LIKE = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n\\]*)$", re.MULTILINE)
"""A macro without parameters and what it stands for, in one line."""
_KEYWORDS = frozenset(
    b"alignas alignof and auto bool break case catch char class const constexpr const_cast continue decltype default"
    b" delete do double dynamic_cast else enum explicit extern false float for friend goto if inline int long mutable"
    b" namespace new noexcept not nullptr operator or private protected public register reinterpret_cast return short"
    b" signed sizeof static static_assert static_cast struct switch template this throw true try typedef typeid"
    b" typename union unsigned using virtual void volatile wchar_t while".split()
)


def marked(done: Checked, unit: Unit, chosen: Toolchain, text: Callable[[str], bytes]) -> Checked:
    """The answer with the errors marked that are certain, where a header is missing.

    `text` gives the bytes of a file of the tree.
    """
    if not any(entry.kind == "missing-header" for entry in done.diagnostics):
        return done
    facts = _Facts(unit, chosen, done.read, text)
    return replace(done, diagnostics=tuple(replace(one, certain=_is_certain(one, facts)) for one in done.diagnostics))


def _is_certain(entry: Diagnostic, facts: _Facts) -> bool:
    if entry.kind != "error" or not entry.place.path or os.path.isabs(entry.place.path):
        return False
    if entry.apart == "before":
        return True
    sure = _lacks_member(entry, facts) or _counts_wrong(entry, facts) or _is_of_syntax(entry, facts)
    return sure and all(facts.is_compiled(place) for place in (entry.place, *entry.included))


def _lacks_member(entry: Diagnostic, facts: _Facts) -> bool:
    """Whether a variable's type is defined in a header that was read, and has no such member."""
    match = _MEMBER.match(entry.message)
    if match is None or not facts.is_defined_outside(match[2]):
        return False
    name, (data, at) = match[1].encode(), facts.at(entry.place)
    asked = data.startswith(name, at) and _OBJECT.search(data, max(0, at - _LONGEST), at) is not None
    return asked and not _CAPITALS.match(name)


def _counts_wrong(entry: Diagnostic, facts: _Facts) -> bool:
    """Whether a call has another number of arguments than all declarations of a function of HIP's for the host."""
    one = _COUNT.match(entry.message) is not None and len(entry.said) == 1
    several = entry.message.startswith(_NO_MATCH) and all(map(_FEWER_OR_MORE.match, entry.said))
    places = entry.notes if entry.said and (one or several) else ()
    called = bool(places) and len(places) == len(entry.said) and all(map(facts.is_for_host, places))
    return called and b"..." not in facts.statement(entry.place)


def _is_of_syntax(entry: Diagnostic, facts: _Facts) -> bool:
    """Whether the first error is in a statement all of whose names were read."""
    if entry.apart != "syntax" or _BRACES.search(entry.message) or _OF_A_KIND.search(entry.message):
        return False
    statement = facts.statement(entry.place)
    words = frozenset(_WORD.findall(statement)) - _KEYWORDS
    return bool(statement) and facts.are_known(words)


@dataclass(slots=True)
class _Facts:
    """What was read of a unit: files of the tree, and headers outside of it."""

    unit: Unit
    chosen: Toolchain
    read: Sequence[str]
    text: Callable[[str], bytes]
    _lexed: dict[str, Lexed] = field(default_factory=dict)

    def at(self, place: Place) -> tuple[bytes, int]:
        """The bytes of a file of the tree, and the offset of a place."""
        data = self._lex(place.path).data
        starts = SourceFile("", data, "").line_starts()
        return data, starts[min(place.line, len(starts)) - 1] + place.column - 1

    def statement(self, place: Place) -> bytes:
        """The code of the statement around a place; empty where a directive is in it, or it has no end.

        The first statement of a block has what is before the brace with it: `class API S { public: int n;`.
        """
        data, at = self.at(place)
        lexed = self._lex(place.path)
        token = lexed.before(min(at, len(data)))
        first = last = min(at, len(data))
        brace = True
        while token is not None and at - token.start < _LONGEST:
            if lexed.text(token) in _ENDS and not (brace and lexed.text(token) == b"{"):
                break
            brace = brace and lexed.text(token) != b"{"
            above = lexed.directive_at(token.start)
            if above is not None and above.name in _WHOLE:
                break
            first, token = token.start, lexed.before(token.start)
        token = lexed.token(at)
        while token is not None and lexed.text(token) not in _ENDS and token.end - at < _LONGEST:
            last, token = token.end, lexed.token(token.end)
        within = any(first < one.start < last for one in lexed.directives)
        words = b" ".join(lexed.text(one) for one in lexed.tokens(first, last) if one.kind not in (STRING, CHAR))
        return b"" if token is None or within else words

    def is_compiled(self, place: Place) -> bool:
        """Whether the conditionals around a place ask for nothing but macros that what was read defines."""
        if os.path.isabs(place.path):
            return True
        asked = {name for chain in open_regions.asked(self.text(place.path), place.line) for name in chain}
        open_ = {name for name in asked if not name.startswith(b"__") and not open_regions.OF_PLATFORMS.match(name)}
        given = {name.encode() for name in self.unit.flags.macros}
        return b"__has_include" not in asked and not self._without(open_ - given, _DIRECTIVE)

    def are_known(self, words: frozenset[bytes]) -> bool:
        """Whether what was read declares all of some words; those in capitals are macros, which it defines.

        What the tree's macros among them stand for is to be known as well.
        """
        left, seen = set(words), set(words)
        while more := self._within_macros(left) - seen - _KEYWORDS:
            left |= more
            seen |= more
        for data in (*map(self.text, self._inside()), *map(_bytes, self._outside())):
            if any(word in data for word in left):
                left.difference_update(_DIRECTIVE.findall(data))
                code = _COMMENT.sub(b" ", data)
                left.difference_update(one for one in _DECLARED.findall(code) if not _CAPITALS.match(one))
        return not left

    def _within_macros(self, words: set[bytes]) -> set[bytes]:
        """The names in what macros of the tree's stand for that have one of some names."""
        found = (one for path in self._inside() for one in _OBJECT_LIKE.findall(self.text(path)) if one[0] in words)
        return {word for _, text in found for word in _WORD.findall(_COMMENT.sub(b" ", text))}

    def is_defined_outside(self, name: str) -> bool:
        """Whether a header of the toolchain's defines a type, and no file of the tree one of that name.

        HIP's headers give a name of an older release to a newer type by a macro.
        """
        texts = [data for path in self._outside() if self._is_real(path) and name.encode() in (data := _bytes(path))]
        names = {name.encode(), *(one for data in texts for one in re.findall(_RENAMED % name.encode(), data))}
        definition = re.compile(_DEFINED % ((b"(?:%s)" % b"|".join(names),) * 2))
        return any(map(definition.search, texts)) and not any(definition.search(self.text(p)) for p in self._inside())

    def is_for_host(self, place: Place) -> bool:
        """Whether a declaration is in a header of the toolchain's, and says nothing of the device.

        Functions for the device are overloaded by projects: `atomicAdd`, `__shfl`.
        """
        if not self._is_real(place.path):
            return False
        data = _bytes(place.path)
        starts = SourceFile("", data, "").line_starts()
        if not 0 < place.line <= len(starts):
            return False
        before = _COMMENT.sub(b" ", data[: starts[place.line - 1] + place.column - 1])
        begun = max(before.rfind(end) for end in _ENDS)
        return _FOR_DEVICE.search(before, begun + 1) is None

    def _without(self, words: set[bytes], pattern: re.Pattern[bytes]) -> set[bytes]:
        """Those of some words that no file read has where a pattern finds them."""
        left = set(words)
        for data in (*map(self.text, self._inside()), *map(_bytes, self._outside())) if left else ():
            left.difference_update(pattern.findall(data))
        return left

    def _is_real(self, path: str) -> bool:
        """Whether a file is one of the toolchain's headers, and no declaration of ours."""
        ours = path.startswith(tuple(folder + os.sep for folder in self.chosen.declarations))
        return not ours and path.startswith(tuple(folder + os.sep for folder in self.chosen.headers))

    def _inside(self) -> list[str]:
        root = self.unit.root + os.sep
        return [os.path.relpath(path, self.unit.root) for path in self.read if path.startswith(root)]

    def _outside(self) -> list[str]:
        return [path for path in self.read if not path.startswith(self.unit.root + os.sep)]

    def _lex(self, path: str) -> Lexed:
        if path not in self._lexed:
            self._lexed[path] = lex(self.text(path))
        return self._lexed[path]


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return b""
