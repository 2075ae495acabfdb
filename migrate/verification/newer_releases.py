"""Complaints that headers of an older release leave open: HIP may have what they lack in the release aimed at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from cudamigrate.lazy_re import re
from cudamigrate.model import release
from cudamigrate.model.verification import Diagnostic
from cudamigrate.verification import libraries

_QUOTED = re.compile(r"'([^']+)'")
_OF_HIP = re.compile(r"no member named '\w+' in 'hip\w+'")
"""A type of HIP's runtime is in no namespace: one of `hipcub` is the library's, whose headers are another matter."""
_FUNCTION = re.compile(r"\([*&]\)\(|\w \(")
"""A function's type, or that of a pointer to one: `int (*)(const char *, int)`."""
_NUMBERS = frozenset(("const", "bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double"))
_ATOMIC = re.compile(r"atomic(?:And|Or|Xor|Add|Exch|CAS)(?:_system)?")
"""Functions of which no release of HIP takes a pointer to signed numbers of 64 bits; `atomicMin` and `atomicMax` do.

Source: amd_hip_atomic.h of ROCm 5.2 and 7.1; HIP documentation, "Atomic functions"."""
_SIGNED = re.compile(r"(?:volatile )?long(?: long)? \*")


@dataclass(frozen=True, slots=True)
class Release:
    """The release `wanted` with what `has` says of names: whether it has them; and that of the headers `there`.

    `declares` says of a name whether these have it, `since` from which release on HIP has one, as far as that is known.
    """

    wanted: str
    there: str
    has: Callable[[str], bool] = lambda name: False
    declares: Callable[[str], object] = lambda name: False
    since: Callable[[str], str] = lambda name: ""


def newer(
    entry: Diagnostic, goal: Release, read: Iterable[str] = (), is_own: Callable[[str], bool] = lambda name: False
) -> Diagnostic:
    """A complaint about what is HIP's, where the installed headers are older than the release aimed at.

    They may not have it yet, so that nothing is known: a member of a type of HIP's, another way to call a function
    that the release has, or a name that it has, of a library whose headers are among those `read`. Any other name that
    is not declared may lack its include. A function of which a file read declares one of the name that `is_own` is
    called by that declaration, which a condition may have left out.
    """
    if entry.kind != "error" or not goal.wanted or release(goal.there) >= release(goal.wanted):
        return entry
    name = next(iter(_QUOTED.findall(entry.message)), "")
    member = _OF_HIP.match(entry.message) is not None and not libraries.OF_CUDA.match(name)
    called = entry.message.startswith("no matching function for call to ") and goal.has(name) and _may_be_called(entry)
    called = called and not is_own(name)
    absent = entry.message.startswith("use of undeclared identifier ") and goal.has(name) and _is_read(name, read)
    absent = absent and not goal.declares(name)  # else its include lacks, whatever the release
    if not (member or called or absent):
        return entry
    since = goal.since(name)
    late = bool(since) and release(since) > release(goal.there)
    has = f"have `{name}`, in HIP since ROCm {since}" if late else f"may have `{name}`{' as called here' * called}"
    there = f"HIP headers newer than those of ROCm {goal.there}, which {has}"
    return replace(entry, kind="stand-in", header=there)


def _may_be_called(entry: Diagnostic) -> bool:
    """Whether a newer release may take a call that no declaration of a function fits.

    It takes none from the other side, and none with one type of HIP's for another, with a number for a pointer or with
    a function for an object: a variable that is not declared may have the name of one of C's, as `access` has. Nor
    do the headers here say anything of a function that is declared by us, which `lacking` judges.
    """
    refused = "no known conversion from" in entry.message or entry.message.endswith(libraries.OTHER_SIDE)
    ours = bool(entry.notes) and libraries.of_stand_in(entry.notes[0].path) is not None
    return not (refused or ours or _is_of_signed(entry) or any(map(_is_never_taken, entry.said)))


def _is_of_signed(entry: Diagnostic) -> bool:
    """Whether an atomic function is called for signed numbers of 64 bits, which each candidate refuses."""
    name = next(iter(_QUOTED.findall(entry.message)), "")
    types = [libraries.CONVERSION.search(one) for one in entry.said if "candidate" in one]
    given = [one["one"] or one["from"] for one in types if one is not None]
    return bool(_ATOMIC.fullmatch(name) and given) and all(map(_SIGNED.fullmatch, given))


def _is_never_taken(said: str) -> bool:
    """Whether a note says that a candidate takes a pointer where it is given a number or a function."""
    types = libraries.CONVERSION.search(said)
    if types is None or len(libraries.CONVERSION.findall(said)) != 1:
        return False
    given, wanted = types["one"] or types["from"], types["other"] or types["to"]
    is_function = _FUNCTION.search(given) is not None
    return wanted.rstrip().endswith("*") and (is_function or _NUMBERS.issuperset(given.split()))


def _is_read(name: str, read: Iterable[str]) -> bool:
    """Whether headers were read of the library whose names begin as a name does."""
    folder = libraries.folder_of(name)
    return bool(folder) and any(f"/{folder}" in path for path in read)
