"""Code of a port that no build reaches: macros that nothing sets, branches that a file decides itself, unread headers.

A macro counts as set by nobody where no file of the repository defines it, no build file or documentation names it, and
code names it nowhere but in conditions. What another library's header may define counts as set.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence, Set

from cudamigrate.analysis.port_guards import OF_TOOLS
from cudamigrate.cuda.include_paths import IncludeGraph, spelled
from cudamigrate.cuda.lexer import Directive, Lexed, lex
from cudamigrate.cuda.preprocessor import branches, holds_for_hip
from cudamigrate.cuda.words import among
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.port_macros import MacroNames
from cudamigrate.rulebase.predefined_macros import is_predefined

_WORD = re.compile(rb"[A-Za-z_]\w*")
_CONDITIONS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef")
_OPENING = ("if", "ifdef", "ifndef")
_INCLUDE = re.compile(rb'[<"]([^>"\n]+)[>"]')
_STEM = re.compile(r"_*([a-z]+[0-9]*)")
_OURS = re.compile(r"cuda|cu[a-z]*$|cub$|thrust|nv|hip|roc|device_|vector_|texture_|math|surface_|driver_")
"""How headers of CUDA and HIP begin: a macro of CUDA's that HIP lacks is not set where HIP compiles."""
_KEPT = re.compile(
    rb"_(?!_)\w*|HAVE_\w+|(?:HIP|ROC|AMD|hip|roc)\w*|\w*_H(?:PP|XX)?_?|\w*_(?:VERSION|MAJOR|MINOR|PATCH|MAX|MIN)(?:_\w*)?|[a-z_\d]+"
)
"""Names that compilers, the tests of a configure script or headers of HIP and C may set, releases, include guards."""
_GIVEN = re.compile(rb"[-/]D\s*([A-Za-z_]\w*)")
_PARTS = re.compile(rb"\$\{[^{}\s]*\}|\$\(\w+\)|\{\w*\}|%s|@\w+@|\$<[^<>\s]*>")
"""A part of a name that is not known here: `${name}`, `$(NAME)`, `{name}`, `%s`, `@NAME@`."""
_SIGNS = (b"$", b"{", b"%s", b"@", b"\0")
"""What is in all of those."""
_MADE = re.compile(rb"\x00[\w\x00]*")
"""A name from its first unknown part on."""
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_NUMBER = re.compile(rb"[1-9]\d*[uUlL]*")


def names(source: SourceFile, own: Set[str]) -> MacroNames:
    """What a file asks, defines and includes; `own` are the last parts of the paths of the repository."""
    asked, defined, included = set[bytes](), set[bytes](), list[str]()
    for one in lex(source.data).directives if b"#" in source.data else ():
        argument = one.argument(source.data)
        if one.name in _CONDITIONS:
            asked.update(_WORD.findall(argument))
        elif one.name == "define":
            defined.update(_WORD.findall(argument)[:1])
        elif one.name == "include" and (match := _INCLUDE.match(argument)) is not None:
            included.append(match[1].decode("latin-1"))
    switches = frozenset(name for name in _text(asked) if is_switch(name))
    return MacroNames(switches, _text(defined), stems(included, own))


def is_switch(name: str) -> bool:
    """Whether a macro may be a switch of the repository's own, and none of compilers, headers or configure scripts."""
    word = name.encode("latin-1")
    return not (_KEPT.fullmatch(word) or OF_TOOLS.fullmatch(word) or is_predefined(name))


def stems(headers: Iterable[str], own: Set[str]) -> frozenset[str]:
    """How the headers of other libraries begin among some, as files spell them; `own` as in `names`."""
    found = set[str]()
    for header in headers:
        path = header.lower()
        if path.rpartition("/")[2] not in own and header.rpartition("/")[2] not in own:
            parts = {path.partition("/")[0], path.rpartition("/")[2]}
            found |= {stem[1] for part in parts if (stem := _STEM.match(part)) and not _OURS.match(part)}
    return frozenset(one for one in found if len(one) > 1)


def open_names(found: Iterable[MacroNames]) -> frozenset[str]:
    """The macros that some file asks for, none defines, and no foreign library has by their beginning."""
    every = list(found)
    asked = frozenset[str]().union(*(one.asked for one in every))
    defined = frozenset[str]().union(*(one.defined for one in every))
    foreign = frozenset[str]().union(*(one.foreign for one in every))
    return frozenset(name for name in asked - defined if not is_foreign(name, foreign))


def is_foreign(macro: str, foreign: Set[str]) -> bool:
    """Whether a foreign header may define a macro: it begins as one of them does, or has its name for a word."""
    name = macro.lower().lstrip("_")
    return name.startswith(tuple(foreign)) or not foreign.isdisjoint(name.split("_"))


def spoken(data: bytes, wanted: Set[str]) -> frozenset[str]:
    """The macros that a file which is no code names, or may make the names of: `USE_${kind}` is any `USE_`."""
    found = wanted & _text(among(data, frozenset(name.encode("latin-1") for name in wanted)))
    left = wanted - found
    if any(name.encode("latin-1") in data for name in left):  # as in `3FOO`, and behind an option in `-DFOO`
        found |= wanted & _text((*_WORD.findall(data), *_GIVEN.findall(data)))
        left = wanted - found
    if not left:
        return frozenset(found)
    every = "\n".join(left)  # few of the patterns of a file have parts that are in any of the names
    likely = [parts for parts in _made(data) if all(part in every for part in parts)]
    return frozenset(found).union(name for name in left if any(_is_made(name, parts) for parts in likely))


def _made(data: bytes) -> list[list[str]]:
    """The names that a text puts together, each as its fixed parts; one without any has no say."""
    if not any(sign in data for sign in _SIGNS):
        return []
    text, found = _PARTS.sub(b"\0", data), set[bytes]()
    for match in _MADE.finditer(text):
        start = match.start()
        while start and text[start - 1] in _LETTERS:
            start -= 1
        found.add(text[start : match.end()])
    return [one.decode("latin-1").split("\0") for one in found if one.strip(b"\0_")]


def _is_made(name: str, parts: Sequence[str]) -> bool:
    """Whether a name begins with the first part, ends with the last, and has the others between, in their order."""
    first, *middle, last = parts
    at, end = len(first), len(name) - len(last)
    if not (name.startswith(first) and name.endswith(last)):
        return False
    for part in middle:
        found = name.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return at <= end


def mentioned(source: SourceFile, wanted: Set[str]) -> frozenset[str]:
    """The macros that code names elsewhere than in conditions: in code, literals, or as `-DNAME` in a comment."""
    found = set(_text(_GIVEN.findall(source.data)) & wanted)
    near = wanted & _text(among(source.data, frozenset(name.encode("latin-1") for name in wanted)))
    if near <= found:
        return frozenset(found)
    lexed = lex(source.data)
    for name in near - found:
        if any(_is_beside_conditions(lexed, at) for at in lexed.places(name.encode("latin-1"))):
            found.add(name)
    return frozenset(found)


def _is_beside_conditions(lexed: Lexed, at: int) -> bool:
    """Whether a place is in code, in a literal, or in a directive that asks nothing."""
    directive = lexed.directive_at(at)
    return not _in_comment(lexed, at) and (directive is None or directive.name not in (*_CONDITIONS, "undef"))


def _in_comment(lexed: Lexed, start: int) -> bool:
    """Whether a place is in a comment, or in one at the end of a directive."""
    at = bisect_right(lexed.starts, start) - 1
    inside = at >= 0 and start < lexed.ends[at]
    return inside and lexed.data[lexed.starts[at] : lexed.starts[at] + 2] in (b"//", b"/*")


def dead(source: SourceFile) -> tuple[tuple[int, int], ...]:
    """The first and last lines of branches that the file itself never compiles: it defines the macro that is asked.

    The definition is before the condition, in the same branch or one around it, and nothing takes it back.
    """
    if b"define" not in source.data or b"#" not in source.data:
        return ()
    known = _Definitions(source.data)
    for one in lex(source.data).directives:
        known.read(one)
    lines = ((source.position(start).line + 1, source.position(end).line - 1) for start, end in known.dead)
    return tuple((first, last) for first, last in lines if first <= last)


class _Definitions:
    """The macros that are certainly defined at a place, and the branches that they rule out, from end to end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.scopes: list[dict[bytes, bytes]] = [{}]
        self.chains: list[tuple[bool, int]] = []  # whether a branch was taken for sure, and where a dead one began
        self.dead: list[tuple[int, int]] = []

    def read(self, one: Directive) -> None:
        """Go on past a directive."""
        if one.name in ("define", "undef"):
            self._defined(one.argument(self.data), one.name == "define")
        elif one.name in _OPENING:
            self._open(taken=False, holds=_holds(one, self.data, self.scopes), start=one.end)
        elif self.chains and one.name in (*_CONDITIONS, "else", "endif"):
            taken, began = self.chains.pop()
            self.scopes.pop()
            if began >= 0:
                self.dead.append((began, one.start))
            if one.name != "endif":
                self._open(taken, one.name == "else" or _holds(one, self.data, self.scopes), one.end)

    def _open(self, taken: bool, holds: bool | None, start: int) -> None:
        self.chains.append((taken or holds is True, start if taken or holds is False else -1))
        self.scopes.append({})

    def _defined(self, argument: bytes, value: bool) -> None:
        words = _WORD.findall(argument)[:1]
        rest = argument[len(words[0]) :] if words else b"("
        if value and not rest.startswith(b"("):
            self.scopes[-1][words[0]] = rest.strip()
        elif words:
            for scope in self.scopes:
                scope.pop(words[0], None)


def _holds(one: Directive, data: bytes, scopes: Sequence[Mapping[bytes, bytes]]) -> bool | None:
    """Whether a condition on one macro holds, as far as the definitions before it tell."""
    argument = one.argument(data)
    plain = re.fullmatch(rb"(!?)\s*(?:defined\s*\(?\s*(\w+)\s*\)?|(\w+))", argument)
    if plain is None:
        return None
    asks = plain[2] is not None or one.name not in ("if", "elif")
    name = plain[2] or plain[3]
    value = next((scope[name] for scope in reversed(scopes) if name in scope), None)
    if value is None or not (asks or _NUMBER.fullmatch(value) or value == b"0"):
        return None
    negative = bool(plain[1]) or one.name in ("ifndef", "elifndef")
    return (asks or value != b"0") is not negative


def left_out(
    source: SourceFile, marks: Sequence[str], never: Collection[tuple[int, int]] = ()
) -> tuple[frozenset[str], frozenset[str]]:
    """The last parts of the includes that a file has only in branches that HIP never compiles, and of those that it has
    only on conditions of which it is not known whether HIP meets them."""
    if b"include" not in source.data or b"if" not in source.data:
        return frozenset(), frozenset()
    lexed = lex(source.data)
    includes = [one for one in lexed.directives if one.name == "include"]
    if not includes:
        return frozenset(), frozenset()
    guards = frozenset(mark.encode() for mark in marks)
    sides = branches(lexed, guards)
    found: dict[str, set[bool | None]] = {}
    for one in includes:
        match = _INCLUDE.match(one.argument(source.data))
        if match is not None:
            name, line = match[1].decode("latin-1").rpartition("/")[2], source.position(one.start).line
            inside = [side for side in sides if side.start <= one.start < side.end]
            around = {side.hip for side in inside}
            out = False in around or any(first <= line <= last for first, last in never)
            open_ = around == {None} and not holds_for_hip(inside, guards)
            found.setdefault(name, set()).add(False if out else None if open_ else True)
    maybe = frozenset(name for name, places in found.items() if None in places and True not in places)
    return frozenset(name for name, places in found.items() if places == {False}), maybe


def included(source: SourceFile) -> tuple[str, ...]:
    """What the includes of a file spell."""
    return tuple(sorted({name for name, *_ in spelled(source.data)}))


def unreached(graph: IncludeGraph, out: Mapping[str, Set[str]], gone: Set[str]) -> dict[str, str]:
    """Headers that HIP's side never includes, each with a file that includes it elsewhere.

    `out` has what each file includes in branches that HIP never compiles, `gone` are the files that it never compiles.
    """
    found: dict[str, str] = {}
    for _ in range(4):  # headers of headers
        before = len(found)
        for path, users in graph.users.items():
            name, lost = path.rpartition("/")[2], gone | found.keys()
            if users and path not in lost and all(user in lost or name in out.get(user, ()) for user in users):
                found[path] = min(users & gone, default=min(users))
        if len(found) == before:
            break
    return found


def outermost(graph: IncludeGraph, lacking: Collection[str]) -> dict[str, str]:
    """For each lacking header that lacking files include one of them that none of them includes.

    Who else includes it says nothing: the other side has not got it, whoever asks for it.
    """
    found: dict[str, str] = {}
    for path in lacking:
        above, seen = path, {path}
        while users := sorted((graph.users.get(above, frozenset()) & set(lacking)) - seen):
            above = users[0]
            seen.add(above)
        if above != path:
            found[path] = above
    return found


def _text(found: Iterable[bytes]) -> frozenset[str]:
    return frozenset(one.decode("latin-1") for one in found)
