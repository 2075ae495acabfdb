"""Directives -> conditional branches, and whether HIP compiles them.

Result: every branch of every conditional with its range, and the include guard. Conditions are evaluated in three
values: only the HIP macros are known, everything else may be either.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from cudamigrate.cuda.branches_beside import settled
from cudamigrate.cuda.conditions import value_with
from cudamigrate.cuda.lexer import COMMENT, CONTINUED, Directive, Lexed
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_CUDAS = re.compile(
    rb"[\s(]*(?:defined\b[\s(]*)?(\w*(?:CUDA|NVCC|NVIDIA)\w*)\s*\)?\s*(?:>=?\s*\(?[1-9]\w*|==\s*[1-9]\w*|!=\s*0)?[\s)]*",
)
"""A condition that fails without a macro of CUDA's: `defined(USE_CUDA)`, `CUDA_VERSION >= 11000`; `>= 0` would hold."""
_REFUSES = re.compile(rb"(?:^|_)(?:NO|NOT|NON|WITHOUT|DISABLED?|SKIP)(?:_|$)|HIP|ROCM|AMD")
"""Names that say the contrary (`NO_CUDA`, `DISABLE_NVCC`), or that a port to AMD has: `HIP_PLATFORM_NVCC`."""
_ELSE = b"1"
OPENING = ("if", "ifdef", "ifndef")
"""The directives that begin a conditional."""
_GOES_ON = ("elif", "else", "elifdef", "elifndef", "endif")
CONDITIONS = ("if", "elif", "ifdef", "ifndef", "elifdef", "elifndef")
"""The directives that ask for something."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a conditional. `hip` is True where it is compiled only for HIP, False where never, else None.

    `start` and `end` enclose the lines between two directives; `depth` counts the conditionals around it, an
    include guard not counted. `conditions` are those of the chain up to its own; `chain` is where the first starts.
    """

    start: int
    end: int
    depth: int
    hip: bool | None
    conditions: tuple[bytes, ...] = ()
    chain: int = -1


_NOTHING: Mapping[bytes, int] = {}
_SWITCH = re.compile(
    rb"\s*\(*\s*(?:defined\s*\(?\s*(?P<asked>[A-Za-z_]\w*)\s*\)?|(?P<set>[A-Za-z_]\w*)(?:\s*(?P<sign>==|>=|>)\s*(?P<than>\d+))?)\s*\)*\s*"
)
"""One part of a condition that holds only where a macro is set: `defined(X)`, `X`, `X == 1`."""
_LONGEST = 200
"""Conditions kept of one chain. Each branch has those of all before it."""


def switches(parts: Sequence[Branch], offset: int, given: Mapping[bytes, int] = _NOTHING) -> tuple[str, ...]:
    """The macros without which the code at `offset` is not compiled, outermost first; `given` as for `switches_of`."""
    before = itertools.takewhile(lambda branch: branch.start <= offset, parts)
    around = (branch for branch in before if offset < branch.end)
    return switches_of((branch.conditions[-1] if branch.conditions else b"" for branch in around), given)


def switches_of(conditions: Iterable[bytes], given: Mapping[bytes, int] = _NOTHING) -> tuple[str, ...]:
    """The macros without which none of some conditions, one inside the other, holds.

    Macros that code has set to the numbers `given` are none of them where that is what a condition asks for.
    """
    found: list[bytes] = []
    for own in conditions:
        if b"||" not in own:
            matches = (_SWITCH.fullmatch(part) for part in own.split(b"&&"))
            found += [match["asked"] or match["set"] for match in matches if match and not _holds(match, given)]
    return tuple(name.decode("ascii", "replace") for name in dict.fromkeys(found) if not name.isdigit())


def _holds(part: re.Match[bytes], given: Mapping[bytes, int]) -> bool:
    """Whether a part of a condition holds by the numbers that macros have been set to."""
    number = given.get(part["asked"] or part["set"])
    if number is None or part["asked"]:
        return number is not None
    than = int(part["than"] or 0)
    return {b"==": number == than, b">=": number >= than, b">": number > than}.get(part["sign"], number != 0)


def fails(condition: bytes, given: Mapping[bytes, int]) -> bool:
    """Whether a condition does not hold by the numbers that macros have been set to, whatever else it asks."""
    if b"||" in condition:
        return False
    matches = (_SWITCH.fullmatch(part) for part in condition.split(b"&&"))
    return any(match["set"] in given and not _holds(match, given) for match in matches if match is not None)


def holds_for_hip(parts: Sequence[Branch], guards: frozenset[bytes]) -> bool:
    """Whether HIP compiles what is in all of the branches, whatever other macros are than the guards."""
    return all(_is_reached(branch.conditions, guards) for branch in parts)


def _is_reached(conditions: Sequence[bytes], guards: frozenset[bytes]) -> bool:
    *earlier, own = conditions
    return value_with(own, guards, hip=True) is True and all(
        value_with(one, guards, hip=True) is False for one in earlier
    )


def include_guard(lexed: Lexed) -> tuple[Directive, Directive] | None:
    """The `#ifndef` and `#endif` of a guard that encloses the whole file, or None."""
    directives = [directive for directive in lexed.directives if directive.name != "pragma"]
    if len(directives) < 3 or directives[0].name not in ("ifndef", "if"):
        return None
    opening, define = directives[:2]
    first = lexed.token(0)
    before = lexed.directives[0].start if first is not None else 0
    if first is None or first.start < min(before, opening.start):
        return None
    name = opening.argument(lexed.data).replace(b"!", b"").replace(b"defined", b"").strip(b" ()")
    if define.name != "define" or define.argument(lexed.data).split()[:1] != [name]:
        return None
    depth = 0
    for directive in directives:
        if directive.name in ("if", "ifdef", "ifndef"):
            depth += 1
        elif directive.name == "endif":
            depth -= 1
            if depth == 0:
                return None if lexed.token(directive.end) is not None else (opening, directive)
        elif depth == 1 and directive.name in ("else", "elif", "elifdef", "elifndef"):
            return None
    return None


def guards_among(marks: Iterable[str]) -> list[bytes]:
    """Of the marks that a file is read with those that conditions ask for.

    The others stand for what it sees in other files: constants, `^kWarp`, and directives, `:using namespace cub;`. One
    with `~` is of a macro that is no guard here, whatever it is elsewhere: nothing sets it.
    """
    every = list(marks)
    unset = {one[1:] for one in every if one[0] == "~"}
    return [one.encode() for one in every if one[0] not in "^:~" and one not in unset]


def branches(lexed: Lexed, guards: Iterable[bytes]) -> list[Branch]:
    """All conditional branches of a file in order of their start; `guards` are the macros that mark HIP.

    A guard is a macro's name, `NAME==VALUE` for one value of it, `?NAME` where it is set for HIP only but not always,
    `!NAME` or `!NAME==VALUE` where that holds for CUDA and not for HIP, `-NAME` where it is set for CUDA only but not
    always, or `NAME=NUMBER` where HIP has that number and nothing is known of CUDA.
    """
    names = frozenset(guards)
    guard = include_guard(lexed)
    result: list[Branch] = []
    stack: list[_Open] = []
    for directive in lexed.directives:
        if guard is not None and directive in guard:
            continue
        if directive.name in ("if", "ifdef", "ifndef"):
            stack.append(_Open([_condition(lexed.data, directive)], directive.end, directive.end))
        elif directive.name in ("elif", "else", "elifdef", "elifndef") and stack:
            result.append(_branch(stack[-1], directive.start, len(stack), names))
            stack[-1].go_on(_condition(lexed.data, directive), directive.end, names)
        elif directive.name == "endif" and stack:
            chain = stack.pop()
            result.append(_branch(chain, directive.start, len(stack) + 1, names))
            _mark_cuda_only(result, chain.conditions, len(stack) + 1)
            _mark_mirrored(result, chain.conditions, len(stack) + 1, names)
    for depth, chain in enumerate(stack, 1):
        result.append(_branch(chain, len(lexed.data), depth, names))
    result.sort(key=lambda branch: (branch.start, -branch.end))
    return settled(result, lexed.data, _asks_for_cuda)


def _condition(data: bytes, directive: Directive) -> bytes:
    argument = directive.argument(data)
    if directive.name in ("ifdef", "elifdef"):
        return b"defined(" + argument + b")"
    if directive.name in ("ifndef", "elifndef"):
        return b"!defined(" + argument + b")"
    return _ELSE if directive.name == "else" else argument


@dataclass(slots=True)
class _Open:
    """A chain that is not closed yet: its conditions, where its last branch and its first start, and whether one of
    the conditions before the last holds, for HIP and for CUDA."""

    conditions: list[bytes]
    start: int
    first: int
    behind: dict[bool, bool] = field(default_factory=lambda: {True: False, False: False})

    def go_on(self, condition: bytes, start: int, guards: frozenset[bytes]) -> None:
        """Begin the next branch."""
        for hip, known in self.behind.items():
            self.behind[hip] = known or value_with(self.conditions[-1], guards, hip) is True
        self.conditions.append(condition)
        self.start = start


def _kept(conditions: Sequence[bytes]) -> tuple[bytes, ...]:
    """The conditions of a branch: of a chain of hundreds, those in the middle are left out."""
    return tuple(conditions) if len(conditions) <= _LONGEST else (*conditions[: _LONGEST - 1], conditions[-1])


def _branch(chain: _Open, end: int, depth: int, guards: frozenset[bytes]) -> Branch:
    hip = _compiled_after(chain.behind, chain.conditions[-1], guards)
    if hip is False and len(chain.conditions) <= _LONGEST and for_host(chain.conditions, guards):
        hip = None
    return Branch(chain.start, end, depth, hip, _kept(chain.conditions), chain.first)


def compiled_for_hip(conditions: Sequence[bytes], guards: frozenset[bytes]) -> bool | None:
    """True where a branch is compiled only for HIP, False where never, None where guards do not tell.

    A branch is compiled when all conditions before its own are false and its own is true.
    """
    earlier = conditions[:-1]
    behind = {hip: any(value_with(text, guards, hip) for text in earlier) for hip in (True, False)}
    return _compiled_after(behind, conditions[-1], guards)


def _compiled_after(behind: Mapping[bool, bool], condition: bytes, guards: frozenset[bytes]) -> bool | None:
    """`compiled_for_hip` where it is known whether one of the conditions before holds, for HIP and for CUDA."""
    others = guards & _FOR_NVIDIA
    if others and value_with(condition, others, hip=True) is False and value_with(condition, _NONE, hip=True) is None:
        return False  # whatever the other guards say of CUDA
    active = {hip: False if behind[hip] or value_with(condition, guards, hip) is False else None for hip in behind}
    if active[True] is active[False]:
        return False if behind[True] and not behind[False] else None  # HIP never gets there, whatever else is known
    return active[False] is False


def for_host(conditions: Sequence[bytes], guards: frozenset[bytes]) -> bool:
    """Whether the host's compiler gets a branch that neither nvcc nor HIP's compiler does, in a build for HIP too.

    The `#else` of `#if defined(__CUDACC__) || defined(__HIPCC__)`, which says nothing of the vendor.
    """
    *earlier, own = conditions

    def never(known: frozenset[bytes], hip: bool) -> bool:
        return value_with(own, known, hip) is False or any(value_with(text, known, hip) for text in earlier)

    return never(guards | _BY_NVCC, hip=False) and not never(guards - _BY_HIPCC, hip=True)


def _mark_cuda_only(result: list[Branch], conditions: Sequence[bytes], depth: int) -> None:
    """Say of a chain that has just been closed which branches are CUDA's alone: those before one for HIP.

    Who writes one after the other has builds that define either; without a branch for HIP the same condition may be
    what a port defines too.
    """
    if not any(map(_asks_for_cuda, conditions[:-1])):
        return
    own = (at for at in range(len(result) - 1, -1, -1) if result[at].depth == depth)
    places = list(islice(own, len(conditions)))[::-1]  # from the end, where the chain is
    for_hip = [number for number, at in enumerate(places) if number and result[at].hip is True]
    for number in range(for_hip[0]) if for_hip and _ELSE not in conditions[: for_hip[0] + 1] else ():
        if result[places[number]].hip is None and _asks_for_cuda(conditions[number]):
            result[places[number]] = replace(result[places[number]], hip=False)


_VENDOR = re.compile(rb"CUDA|NVIDIA|NVCC")
_MIRROR = {b"CUDA": b"HIP", b"NVIDIA": b"AMD", b"NVCC": b"HIPCC"}


def _mark_mirrored(result: list[Branch], conditions: Sequence[bytes], depth: int, guards: frozenset[bytes]) -> None:
    """Say of a chain which branches have a mirror for HIP in a later one: they are CUDA's.

    Of `#if CUDA || (SYCL && ON_CUDA)` it is `#elif HIP || (SYCL && ON_HIP)`: all parts say the other vendor's word, and
    the guards know one of them for what it is.
    """
    if not any(_VENDOR.search(one) for one in conditions[:-1]):
        return
    own = (at for at in range(len(result) - 1, -1, -1) if result[at].depth == depth)
    places = list(islice(own, len(conditions)))[::-1]
    for number, condition in enumerate(conditions[:-1]):
        parts = [b" ".join(part.split()) for part in condition.split(b"||")]
        if result[places[number]].hip is not None or not all(_VENDOR.search(part) for part in parts):
            continue
        mirrored = [_VENDOR.sub(lambda match: _MIRROR[match[0]], part) for part in parts]
        later = ([b" ".join(part.split()) for part in one.split(b"||")] for one in conditions[number + 1 :])
        known = any(value_with(part, guards, hip=True) is True for part in mirrored)
        if known and mirrored in later:
            result[places[number]] = replace(result[places[number]], hip=False)


def _asks_for_cuda(condition: bytes) -> bool:
    """Whether a condition never holds where no macro of CUDA's is defined: one of its joined parts asks for such."""
    parts = [] if b"||" in condition or b"?" in condition else condition.split(b"&&")
    return any(match is not None and not _REFUSES.search(match[1]) for match in map(_CUDAS.fullmatch, parts))


_BY_NVCC = frozenset((b"!__CUDACC__", b"!__NVCC__"))
_BY_HIPCC = frozenset((b"__HIPCC__", b"__HIP__", b"__HIPCC_RTC__", b"__HIP_DEVICE_COMPILE__", b"__AMDGCN__"))
"""Macros that a compiler for GPUs defines, and the host's, which compiles the other files of the build, does not."""
_BY_EDITORS = b"__INTELLISENSE__"
_BY_EMULATION = b"__DEVICE_EMULATION__"
NEVER_INCLUDED = frozenset((b"-NVJPEGAPI", b"-NV_NPPIDEFS_H", b"-" + _BY_EDITORS, b"-" + _BY_EMULATION))
"""Macros that headers of CUDA's libraries alone define (`nvjpeg.h`, `nppdefs.h`): code behind them is their users'. One
that editors define is there for no compiler, and one that nvcc defined when it emulated a GPU, up to CUDA 3.0."""
_FOR_NVIDIA = frozenset((b"-__HIP_PLATFORM_NVIDIA__", b"-__HIP_PLATFORM_NVCC__", *NEVER_INCLUDED))
"""Macros that are set where HIP compiles for NVIDIA's GPUs, or for CUDA alone, and never for AMD's."""
_NONE = frozenset[bytes]()


def is_for_no_compiler(branch: Branch) -> bool:
    """Whether a branch is chosen by what no compiler defines: it says nothing of a port to HIP."""
    return any(one in condition for condition in branch.conditions for one in (_BY_EDITORS, _BY_EMULATION))


def conditionals(directives: Iterable[Directive]) -> Iterator[list[Directive]]:
    """The directives of each conditional that is closed, from its opening to its `#endif`; inner ones come first."""
    open_ = list[list[Directive]]()
    for one in directives:
        if one.name in OPENING:
            open_.append([one])
        elif open_ and one.name in _GOES_ON:
            open_[-1].append(one)
            if one.name == "endif":
                yield open_.pop()


def condition_of(data: bytes, directive: Directive) -> Span:
    """The range of a directive's condition, without blanks and comments around it."""
    text = data[directive.rest : directive.end]
    for kind in (CONTINUED, COMMENT):
        text = kind.sub(lambda match: b" " * len(match[0]), text)
    start = directive.rest + len(text) - len(text.lstrip())
    return Span(start, start + len(text.strip()))
