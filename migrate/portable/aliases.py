"""Which renames a header can make for all files, so that the code keeps CUDA's spelling.

A macro stands for every use of a name. So a rename becomes one only where all of its uses in the repository want the
same text, and, for a name that HIP may declare too, where no use stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.cuda.lexer import Lexed, Token, lex
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Fix
from cudamigrate.portable import torch

_SPACE = re.compile(rb"[a-z]+(?:_[a-z]+)*")
"""How CUDA spells namespaces: `cub`, `cooperative_groups`. Before `::` may be an enumeration too, `cudaError_t`."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_OWN = re.compile(rb"cudamigrate::[\w:<>, ]+")
_OWN_INCLUDE = re.compile(rb'\s*#include "(?:\.\./)*(cudamigrate_\w+\.h)"\s*')
_SYMBOL = ((b"HIP_SYMBOL(", b")"), (b"HIP_SYMBOL((", b"))"))
"""What HIP wraps symbols in, those with a comma twice; for AMD the macro is its argument: it may be left out."""
_ATTRIBUTE = re.compile(rb"__\w+__")
"""A name that only marks a declaration, and that HIP goes without: `__grid_constant__` becomes an empty macro."""
_CONDITIONAL = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef"))
_QUALIFIED = (b"::", b".", b"->", b"##")


@dataclass(frozen=True, slots=True)
class Source:
    """A file of code and its fixes for HIP, each with the group of its rule."""

    path: str
    data: bytes
    fixes: Sequence[tuple[Fix, str]]


@dataclass(frozen=True, slots=True)
class Call:
    """A call that HIP spells with something around its first argument: `name(before first after, ...)`."""

    name: bytes
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Names:
    """What the header gives to HIP: macros, namespaces, and the headers of our own that their texts need.

    `calls` are macros with arguments. In an extension of PyTorch's they are called as its build leaves them.
    """

    macros: Mapping[bytes, bytes] = field(default_factory=dict)
    calls: Mapping[bytes, Call] = field(default_factory=dict)
    spaces: Mapping[bytes, bytes] = field(default_factory=dict)
    own: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.macros or self.spaces or self.calls)


@dataclass(frozen=True, slots=True)
class Rename:
    """An edit that replaces one name by another; `space` where it is that of a namespace."""

    edit: Edit
    name: bytes
    text: bytes
    space: bool
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """The edits of a file by who makes them: the header, PyTorch's build, or the file itself."""

    by_header: tuple[Edit, ...]
    by_torch: tuple[Edit, ...]
    left: tuple[Edit, ...]


def names(files: Iterable[Source], others: Iterable[bytes], marks: Sequence[str], extension: bool) -> Names:
    """The renames of `files` that a header can make. `others` is the text of all other code.

    `marks` are the guards for HIP. In an `extension`, what PyTorch's build renames needs no macro.
    """
    wanted: dict[bytes, set[bytes]] = {}
    spaces: dict[bytes, set[bytes]] = {}
    own: dict[bytes, set[str]] = {}
    edited: dict[bytes, int] = {}
    known = list(files)
    for file in known:
        lexed = lex(file.data)
        for one in _renames(file, lexed):
            if extension and torch.renames(one.name, one.space):
                continue
            (spaces if one.space else wanted).setdefault(one.name, set()).add(one.text)
            own.setdefault(one.name, set()).update(one.own)
            edited[one.name] = edited.get(one.name, 0) + 1
    doubtful = {name for name, texts in wanted.items() if any(text.startswith(b"cudamigrate") for text in texts)}
    used = _uses(doubtful, [*(file.data for file in known), *others], marks) if doubtful else {}
    mixed = {name for name in doubtful if used.get(name, 0) != edited[name]}
    macros = {name: min(texts) for name, texts in wanted.items() if len(texts) == 1 and name not in mixed}
    needed = frozenset(header for name in macros for header in own[name])
    calls = _calls(known, extension)
    macros = {name: text for name, text in macros.items() if name not in calls}
    single = {name: min(texts) for name, texts in spaces.items() if len(texts) == 1}
    return Names(macros, calls, single, needed)


def _calls(files: Sequence[Source], extension: bool) -> dict[bytes, Call]:
    """The calls that one macro can make right in all places: each use of the name is such a call."""
    found: dict[bytes, set[Call | None]] = {}
    for file in files:
        lexed = lex(file.data)
        for fix, group in file.fixes:
            for edit in fix.edits if group == "api" and len(fix.edits) > 1 else ():
                name = file.data[edit.span.start : edit.span.end]
                if _NAME.fullmatch(name) and not _is_own([one for one in fix.edits if one != edit]):
                    found.setdefault(name, set()).add(_call(fix, edit, lexed))
    uses = _uses(set(found), [file.data for file in files], ())
    counted = {name: sum(_made(file, name) for file in files) for name in found}
    made = {name: min(calls, key=str) for name, calls in found.items() if len(calls) == 1}
    return {
        (call.name if extension and torch.renames(name) else name): call
        for name, call in made.items()
        if call is not None and uses.get(name, 0) == counted[name]
    }


def _made(file: Source, name: bytes) -> int:
    """How many fixes of a file rename a name."""
    return sum(file.data[e.span.start : e.span.end] == name for fix, _ in file.fixes for e in fix.edits)


def _call(fix: Fix, rename: Edit, lexed: Lexed) -> Call | None:
    """What a fix does to a call, None where it is more than to put something around the first argument."""
    data = lexed.data
    rest = sorted((edit for edit in fix.edits if edit != rename), key=lambda edit: edit.span.start)
    if len(rest) != 2 or any(edit.span.start != edit.span.end for edit in rest):
        return None
    first, last = (edit.span.start for edit in rest)
    opening = lexed.token(rename.span.end)
    begins = lexed.token(opening.end) if opening is not None and lexed.text(opening) == b"(" else None
    if begins is None or not opening.end <= first <= begins.start or lexed.text(lexed.token(last)) != b",":  # type: ignore[union-attr]
        return None
    depth = 0
    for token in lexed.tokens(first, last):
        text = data[token.start : token.end]
        depth += (text == b"(") - (text == b")")
        if text == b"," and depth == 0:
            return None
    return Call(rename.replacement, rest[0].replacement, rest[1].replacement)


def split(file: Source, given: Names, extension: bool) -> Split:
    """Who makes each edit of a file, once it is known what the header gives."""
    lexed = lex(file.data)
    by_header, by_torch = set[Edit](), set[Edit]()
    for one in _renames(file, lexed):
        if extension and torch.renames(one.name, one.space):
            by_torch.add(one.edit)
        elif (given.spaces if one.space else given.macros).get(one.name) == one.text:
            by_header.add(one.edit)
    if extension:
        by_torch |= set(_includes(file, lexed))
    by_header |= set(_called(file, given, extension))
    carried = by_header | by_torch
    needless = set[Edit]()
    for fix, _ in file.fixes:
        rest = [edit for edit in fix.edits if edit not in carried]
        if len(rest) < len(fix.edits) and (_is_own(rest) or _is_symbol(rest)):
            (needless if by_header.isdisjoint(fix.edits) else by_header).update(rest)
    gone = by_header | needless
    shared = {edit for edit in gone if _OWN_INCLUDE.fullmatch(edit.replacement) and _needed(edit, file, carried)}
    still = {edit for fix, _ in file.fixes for edit in fix.edits if edit not in gone | by_torch}
    return Split(tuple(by_header - shared), tuple(by_torch), tuple(still | shared))


def without_doubtful(given: Names) -> Names:
    """What the header gives to a file that PyTorch's build does not convert.

    One version of hipify renames some of its names in the header itself, and then nothing gives them to HIP.
    """
    macros = {name: text for name, text in given.macros.items() if not torch.may_rename(name)}
    calls = {name: call for name, call in given.calls.items() if not torch.may_rename(name)}
    return replace(given, macros=macros, calls=calls)


def _called(file: Source, given: Names, extension: bool) -> Iterator[Edit]:
    """The edits of calls that the header makes right."""
    for fix, group in file.fixes:
        for edit in fix.edits if group == "api" and len(fix.edits) == 3 else ():
            name = file.data[edit.span.start : edit.span.end]
            key = edit.replacement if extension and torch.renames(name) else name
            call = given.calls.get(key)
            if call is not None and call.name == edit.replacement:
                yield from (one for one in fix.edits if one != edit or not (extension and torch.renames(name)))


def _needed(edit: Edit, file: Source, carried: set[Edit]) -> bool:
    """Whether a fix that the header does not make brings the same include."""
    return any(edit in fix.edits and not carried & set(fix.edits) for fix, _ in file.fixes)


def _is_own(rest: Sequence[Edit]) -> bool:
    return all(_OWN_INCLUDE.fullmatch(edit.replacement) for edit in rest)


def _is_symbol(rest: Sequence[Edit]) -> bool:
    return tuple(edit.replacement for edit in sorted(rest, key=lambda edit: edit.span.start)) in _SYMBOL


def _renames(file: Source, lexed: Lexed) -> Iterator[Rename]:
    """The edits of a file that do no more than to replace a name."""
    for fix, group in file.fixes:
        for edit in fix.edits:
            name = file.data[edit.span.start : edit.span.end]
            if not edit.replacement and group == "api" and _ATTRIBUTE.fullmatch(name.strip()):
                yield Rename(edit, name.strip(), b"", space=False)
            if _NAME.fullmatch(name) is None or not edit.replacement or edit.replacement == name:
                continue
            rest = [other for other in fix.edits if other != edit]
            made = _rename(edit, name, rest, group, lexed)
            if made is not None:
                yield made


def _rename(edit: Edit, name: bytes, rest: Sequence[Edit], group: str, lexed: Lexed) -> Rename | None:
    directive = lexed.directive_at(edit.span.start)
    before = lexed.text(lexed.before(edit.span.start))
    after = lexed.text(lexed.token(edit.span.end))
    if (directive is not None and directive.name in _CONDITIONAL) or b"##" in (before, after):
        return None
    own = _OWN.fullmatch(edit.replacement) is not None
    global_scope = before == b"::" and _NAME.fullmatch(lexed.text(_second(lexed, edit.span.start))) is None
    # `::cudaMalloc` and `::__ballot_sync` read the macro's text after their `::`
    if before in _QUALIFIED and not (global_scope and (_NAME.fullmatch(edit.replacement) or own)):
        return None
    if group == "api" and _NAME.fullmatch(edit.replacement):
        space = _SPACE.fullmatch(name) is not None and (after == b"::" or before == b"namespace")
        if space and before == b"namespace" and after != b"::":
            return (
                None
                if lexed.text(_second(lexed, edit.span.start)) != b"using"
                else Rename(edit, name, edit.replacement, space=True)
            )
        plain = _is_own(rest) or _is_symbol(rest) or all(b"#include" in other.replacement for other in rest)
        return Rename(edit, name, edit.replacement, space) if plain or torch.renames(name, space) else None
    if own and _is_own(rest):
        found = tuple(match[1].decode() for e in rest if (match := _OWN_INCLUDE.fullmatch(e.replacement)))
        return Rename(edit, name, edit.replacement, space=False, own=found)
    return None


def _second(lexed: Lexed, offset: int) -> Token | None:
    """The token before the one before an offset."""
    first = lexed.before(offset)
    return None if first is None else lexed.before(first.start)


_INCLUDE = re.compile(rb"\s*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"][^\n]*\s*")
"""A line that includes a header: `#include <cuda_runtime.h>`."""


def _includes(file: Source, lexed: Lexed) -> Iterator[Edit]:
    """The edits of includes that PyTorch's build makes too, and of the runtime header where it adds it itself."""
    for fix, _ in file.fixes:
        for edit in fix.edits:
            directive = lexed.directive_at(edit.span.start)
            replaced = file.data[edit.span.start : edit.span.end].strip(b'<>"').decode("utf-8", "replace")
            if directive is not None and directive.name == "include" and torch.renames_header(replaced):
                yield edit
            dropped = (
                None if edit.replacement.strip() else _INCLUDE.fullmatch(file.data, edit.span.start, edit.span.end)
            )
            if dropped is not None and torch.renames_header(dropped[1].decode("utf-8", "replace")):
                yield edit  # the build makes a second include of what one above it becomes, which does no harm
            added = edit.replacement.strip() == b"#include <hip/hip_runtime.h>" and edit.span.start == edit.span.end
            if added and torch.adds_runtime(file.data):
                yield edit


def _uses(wanted: set[bytes], texts: Iterable[bytes], marks: Sequence[str]) -> dict[bytes, int]:
    """How often names stand in code that is not CUDA's alone."""
    found: dict[bytes, int] = {}
    guards = [mark.encode() for mark in marks]
    for data in texts:
        if not any(name in data for name in wanted):
            continue
        lexed = lex(data)
        cuda = [one for one in branches(lexed, guards) if one.hip is False]
        for start in lexed.words(frozenset(wanted)):
            if not any(one.start <= start < one.end for one in cuda):
                match = _NAME.match(data, start)
                name = match[0] if match is not None else b""
                found[name] = found.get(name, 0) + 1
    return found
