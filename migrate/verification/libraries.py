"""Libraries by their headers: which package brings a header, and which complaints only an incomplete stand-in makes.

A stand-in that has a part of a library's interface cannot show that code uses the library wrongly. Facts are in
`rules/stand-ins/libraries.toml`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from cudamigrate.compilation.toolchain import SYSTEM
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import NOWHERE, Diagnostic, Place, Unit
from cudamigrate.shipped_data import stand_ins, table

FOR_CPP = "C, while the declarations used here are made for C++"
"""Why a file in C is not judged by our declarations."""
_QUOTED = re.compile(r"'([^']+)'")
_MEMBER = re.compile(r"no (?:member|type|template) named '([^']+)' in (?:namespace )?'([^']+)'")
"""What has no member of a name: `no member named 'details' in namespace 'cooperative_groups'`."""
_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'")
CONVERSION = re.compile(
    r"\bfrom '(?P<from>[^']+)'(?: \(aka '(?P<one>[^']*)'\))? to '(?P<to>[^']+)'(?: \(aka '(?P<other>[^']*)'\))?"
)
"""What is not converted: `no matching conversion for functional-style cast from 'half' to 'bf16'`."""
_WORD = re.compile(r"[A-Za-z_]\w*")
OF_CUDA = re.compile(r"cu(?:da)?[A-Z]|CU(?:DA\w*)?_")
"""How CUDA's names begin: `cudaErrorIllegalAddress`, `CU_STREAM_DEFAULT`. No release of HIP has one in its types."""
_MOST = 3
"""Headers named in one line."""
_ANY = ("",)
"""The prefixes where a header may declare any name but those of CUDA's form: a program's own may be called so."""
_CUDA, _PYTORCH = "CUDA's", "PyTorch's, for CUDA"
OTHER_SIDE = ("__host__ function)", "__device__ function)", "__global__ function)")
"""How clang ends a complaint that a function is there, for the other side: `(call to __device__ function from ...`."""
_ASSERTED = "static assertion failed"
"""How a complaint begins that code breaks what a header asserts."""
_REFERENCE = re.compile(r"reference to __\w+__ function '.*' in __\w+__ ")
"""The same of an operator or of a function whose address is taken, before which function refers to it."""
_FROM_BRACES = re.compile(r"use of overloaded operator '=' is ambiguous \(with operand types .* and 'void'\)")
"""An assignment of `{}`, which several operators take alike: one more would be no better."""
_CALL = re.compile(r"no matching function for call to '(\w+)'\Z")
_CLASS = re.compile(r"(?:template <.*>\s*)?(?:struct|class)\s+(\w+)\s*\{")
"""The head of a class in a header of ours: `struct DeviceReduce {`."""
_ABSENT = (
    "use of undeclared identifier",
    "unknown type name",
    "unknown class name",
    "no template named",
    "no type named",
    "no member named",
    "no matching ",
    "no viable ",
    "expected namespace name",
    "invalid operands to binary expression",
    "implicit instantiation of undefined template",
)
"""How clang begins to say that something was not declared."""


@dataclass(frozen=True, slots=True)
class Library:
    """A library whose headers code includes; see the table for what the fields say."""

    title: str
    headers: tuple[str, ...]
    package: str = ""
    partial: bool = False
    namespaces: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    within: str = ""
    absent: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()


@cache
def known() -> tuple[Library, ...]:
    """All libraries of the table. Raises RuleError where it cannot be read."""
    return tuple(
        Library(
            row["title"],
            tuple(row["headers"]),
            row.get("package", ""),
            row.get("partial", False),
            frozenset(row.get("namespaces", ())),
            tuple(row.get("prefixes", ())),
            frozenset(row.get("names", ())),
            row.get("within", ""),
            frozenset(row.get("absent", ())),
            frozenset(row.get("whole", ())),
        )
        for row in table("stand-ins/libraries")["library"]
    )


def of_header(name: str) -> Library | None:
    """The library that brings a header, by how the include spells it; None where the table knows none."""
    return next((library for library in known() if name.startswith(library.headers)), None)


def brings(name: str) -> bool:
    """Whether one of AMD's libraries has a header of this very name, which CUDA's library has too: `nccl_device.h`.

    A folder of both, `thrust/`, has the same headers but for those of CUDA's own system.
    """
    folders = () if "/cuda/" in name else tuple(name[: at + 1] for at, letter in enumerate(name) if letter == "/")
    return any(one in library.headers for library in known() for one in (name, *folders))


def package(name: str) -> str:
    """A header with the package that brings it, as far as that is known."""
    library = of_header(name)
    return f"{name} ({library.package})" if library is not None and library.package else name


def needed(
    entries: Iterable[Diagnostic],
    read: Sequence[str],
    is_own: Callable[[Diagnostic, str], bool] = lambda entry, name: False,
    brought: Callable[[str], str] = package,
) -> list[str]:
    """The headers and libraries that a file could not be judged without, with the packages that bring them.

    Of a library of which a part is declared here, the first names that were asked for in vain. Its package is not named
    where it is installed and has none of the headers declared in its place; `read` are the absolute paths read.
    `is_own` says whether a name that a complaint asks for is the tree's: then the library has what it is given.
    `brought` puts to a header what brings it.
    """
    found: dict[str, dict[str, None]] = {}
    for entry in entries:
        if entry.kind == "missing-header":
            found.setdefault(f"{entry.kind} {entry.header}", {}).setdefault(brought(entry.header))
        elif entry.kind == "stand-in":
            library = _named(entry.header, read)
            title = library.title if library is not None else entry.header
            what = _needed(entry, library, read, is_own)
            found.setdefault(f"{entry.kind} {title}", {}).setdefault(what)
    return sorted({what for named in found.values() for what in list(named)[:_MOST]})


def _named(title: str, read: Iterable[str]) -> Library | None:
    """The library of a title, or the one that brings it where headers of that were read as well; None without one."""
    library = next((one for one in known() if one.title == title and one.package), None)
    around = {one.title: one for one in map(of_stand_in, read) if one} if library and library.within else {}
    return around.get(library.within, library) if library is not None else None


def _needed(
    entry: Diagnostic, library: Library | None, read: Sequence[str], is_own: Callable[[Diagnostic, str], bool]
) -> str:
    if library is None:
        return entry.header
    prefix = _declarations()
    declared = [path[len(prefix) :] for path in read if of_stand_in(path) is library]
    installed = any(map(_is_installed, library.headers))
    helps = not installed or not declared or any(map(_is_installed, declared))
    name = "" if library.prefixes == _ANY else _asked(entry, is_own)
    headers = f"the headers of {library.title}"
    return f"{f'{name} in ' if name else ''}{headers}{f' ({library.package})' if helps else ''}"


def _asked(entry: Diagnostic, is_own: Callable[[Diagnostic, str], bool]) -> str:
    """What a message says is not there: a name, or a conversion of one type to another; empty where it says neither.

    Of a function of the tree's, and of an operator, it is a conversion of what they are given that would do.
    """
    types = CONVERSION.search(entry.message)
    if types is not None:
        return _converts(types)
    name = _QUOTED.search(entry.message) if entry.message.startswith(_ABSENT) else None
    if name is None:
        return ""
    if _WORD.search(name[1]) and not is_own(entry, name[1]):
        return f"`{name[1]}`"
    types = next(filter(None, map(CONVERSION.search, entry.said)), None)
    return _converts(types) if types is not None else ""


def _converts(types: re.Match[str]) -> str:
    return f"a conversion from `{types['from']}` to `{types['to'].removeprefix('const ')}`"


def _is_installed(header: str) -> bool:
    return any(os.path.exists(os.path.join(folder, header)) for folder in SYSTEM)


def partial(read: Iterable[str]) -> tuple[Library, ...]:
    """The libraries of which a unit read an incomplete stand-in, given the absolute paths of what it read."""
    found = (of_stand_in(path) for path in read)
    return tuple(dict.fromkeys(library for library in found if library is not None and library.partial))


def lacking(entry: Diagnostic, libraries: Iterable[Library]) -> Library | None:
    """The library whose own headers are needed to know whether a complaint is right; None where it is.

    What a declaration of ours asserts, the library's own asserts too.
    Notes lead to declarations that do not fit. Those of a name that is nowhere lead to macros and templates around it,
    and a function of the other side is there, as are all declarations of one that the library declares `whole`.
    """
    if entry.message.endswith(OTHER_SIDE) or _REFERENCE.match(entry.message) or _FROM_BRACES.match(entry.message):
        return None
    if entry.message.startswith(_ASSERTED):
        return None
    if any(_is_absent_from(library, entry.message) for library in libraries):
        return None
    called = _CALL.match(entry.message)
    alone = entry.message.startswith(NOWHERE) and "did you mean" not in entry.message
    for place in (entry.place, *(() if alone else entry.notes)):
        library = of_stand_in(place.path)
        if library is not None and library.partial and not (called and _is_whole(library, called[1], entry.notes)):
            return library
    return next((library for library in libraries if _may_lack(library, entry.message)), None)


def in_cpp(entries: Sequence[Diagnostic], unit: Unit, declared: Sequence[str]) -> list[Diagnostic]:
    """Errors in a file in C that read our declarations, which are made for C++: it may have none."""
    doubtful = unit.in_c and declared
    return [replace(one, kind="stand-in", header=FOR_CPP) if doubtful else one for one in entries]


def folder_of(name: str) -> str:
    """The folder of the library whose names begin so: `hipsparse/` for `hipsparseCreate`; empty for none."""
    return max((one for one in _folders() if name.startswith(one[1:-1])), key=len, default="")[1:]


@cache
def _folders() -> tuple[str, ...]:
    """The folders of libraries as they are in a path: `/hipsparse/`."""
    return tuple(f"/{header}" for library in known() for header in library.headers if header.endswith("/"))


def telling(read: Sequence[str], declarations: Iterable[str]) -> list[str]:
    """Of the absolute paths read, those that verdicts rest on: our declarations, and one file of each other library."""
    ours = tuple(folder + os.sep for folder in declarations)
    others = [path for path in read if not path.startswith(ours)]
    found = (next((path for path in others if folder in path), "") for folder in _folders())
    return [*(path for path in read if path.startswith(ours)), *(path for path in found if path)]


def is_absent(entry: Diagnostic) -> bool:
    """Whether a complaint says that something was not declared."""
    return entry.message.startswith(_ABSENT)


def _may_lack(library: Library, message: str) -> bool:
    """Whether a message says that something is not declared which the library may declare."""
    if not message.startswith(_ABSENT):
        return False
    member = _MEMBER.match(message)
    for quoted in _QUOTED.findall(_plain(message) if member is not None else message):
        scoped = "::" in quoted or "namespace" in message
        if scoped and library.namespaces & set(_WORD.findall(quoted)):
            return True
        if quoted in library.names:
            return True
        if library.prefixes and quoted.startswith(library.prefixes):
            return library.prefixes != _ANY or not OF_CUDA.match(quoted)
    return False


def _is_absent_from(library: Library, message: str) -> bool:
    """Whether a message is about what no release of the library has.

    That is a name, a member of a namespace or of a class whose members are all declared here, or a conversion.
    """
    member, name = _MEMBER.match(message), _UNDECLARED.fullmatch(message)
    types = CONVERSION.search(message)
    if types is not None:
        given, wanted = types["one"] or types["from"], types["other"] or types["to"]
        return f"{given.removeprefix('const ')} to {wanted.removeprefix('const ')}" in library.absent
    owner = _plain(member[2]) if member is not None else ""
    whole = f"{owner}::{member[1]}" if member is not None else name[1] if name is not None else ""
    return whole in library.absent or owner in library.whole


def _is_whole(library: Library, name: str, declared: Sequence[Place]) -> bool:
    """Whether all declarations of a function are here, given the places of some: by its name, or with its class."""
    owners = {_owner(place) for place in declared if of_stand_in(place.path) is library}
    return name in library.whole or (bool(owners) and all(f"{owner}::{name}" in library.whole for owner in owners))


def _owner(place: Place) -> str:
    """The class of a stand-in header whose declarations a place is among; empty where there is none."""
    lines = _lines(place.path)[: place.line]
    heads = (_CLASS.match(line) for line in reversed(lines))
    return next((head[1] for head in heads if head is not None), "")


@cache
def _lines(path: str) -> tuple[str, ...]:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return tuple(stream)
    except OSError:
        return ()


def is_certain(entry: Diagnostic) -> bool:
    """Whether an error that no missing header led to is one, whatever else of libraries the unit lacks.

    It asks for a member that no release has, or calls a function all of whose declarations are here.
    """
    if entry.kind != "error" or entry.apart != "before":
        return False
    called = _CALL.match(entry.message)
    whole = called is not None and any(_is_whole(one, called[1], entry.notes) for one in known() if entry.notes)
    return whole or any(_is_absent_from(library, entry.message) for library in known())


def _plain(message: str) -> str:
    """What is said without the arguments of templates: a type of the project's given `__half` is none of HIP's."""
    depth, kept = 0, []
    for letter in message:
        depth += (letter == "<") - (letter == ">")
        kept.append(letter if depth == 0 and letter != ">" else "")
    return "".join(kept)


def of_stand_in(path: str) -> Library | None:
    """The library that a declaration of ours, by its absolute path, stands in for; None for any other file."""
    prefix = _declarations()
    return of_header(path[len(prefix) :]) if path.startswith(prefix) else None


@cache
def _declarations() -> str:
    """How the paths of our declarations begin: it is asked of each file that any unit reads."""
    return str(stand_ins("declarations")) + os.sep


def foreign(headers: Sequence[str]) -> str:
    """What is said of headers that no ROCm has: whose they are, CUDA's or a PyTorch's for CUDA, by the first."""
    owners = {"THC": "old releases of PyTorch", "ATen": _PYTORCH, "c10": _PYTORCH}
    owner = owners.get(headers[0].partition("/")[0], _CUDA)
    if len(headers) == 1:
        return f"'{headers[0]}' is a header of {owner}"
    more = f" and {len(headers) - _MOST} more" if len(headers) > _MOST else ""
    return f"{', '.join(repr(header) for header in headers[:_MOST])}{more} are headers of {owner}"
