"""What only the build says: macros of which it is not known whether it gives them, and `#error` for want of one.

That a name is missing which a file declares where the build gives a macro is no error of the code: the build may give
it. Nor is an `#error` whose condition asks for macros that nothing read defines: a build that is configured gives them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, partial

from cudamigrate.compilation.build_settings import UNNAMED
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Diagnostic, Unit
from cudamigrate.syntax import utf8
from cudamigrate.verification.conditional_lines import split

_MISSING = re.compile(
    r"(?:no member named|use of undeclared identifier|unknown type name|no type named|no template named"
    r"|out-of-line definition of|explicit (?:instantiation|specialization) of) '(\w+)'"
)
"""How clang says that a name is not declared, with the name: `no member named 'scale' in namespace 'fp8'`."""
_CONDITION = re.compile(utf8.MARK + rb"[ \t]*#[ \t]*(if|elif|else|endif)(.*)")
"""A directive of a conditional, with what it asks: `#ifdef FAST`, `# if defined(FAST)`."""
_OF_HIP = frozenset(("__HIP_PLATFORM_AMD__", "__HIPCC__", "__HIP__"))
"""Macros that a compiler for HIP gives itself, whatever the build says."""
_WORD, _WORDS = re.compile(rb"\w+"), re.compile(r"\w+")


def judged(
    entries: Sequence[Diagnostic], some: Set[str], unit: Unit, read: Iterable[str], text: Callable[[str], bytes]
) -> list[Diagnostic]:
    """The complaints about a unit; an error about a name that a file has in a region of a macro may be none.

    `some` are macros that builds may give, `read` the absolute paths that the unit read; `text` gives the bytes of one
    of the tree. One whose name is not known may be any that a file asks for and none defines.
    """
    known = unit.flags.macros
    open_ = some - (known if unit.host or unit.language != "hip" else known | _OF_HIP)
    if not open_:
        return list(entries)
    macros = frozenset(name.encode() for name in open_ if name != UNNAMED)
    paths = [os.path.relpath(path, unit.root) for path in read if path.startswith(unit.root + os.sep)]
    if UNNAMED in open_ and any(entry.kind == "error" for entry in entries):
        macros |= _undefined(map(text, paths), {name.encode() for name in known})
    region = cache(partial(_region, macros=macros, paths=paths, text=text))  # many complaints are about few names
    return [_judged(entry, region) for entry in entries]


def asking(
    entries: Iterable[Diagnostic], open_: Mapping[str, Set[str]], text: Callable[[str], bytes]
) -> list[Diagnostic]:
    """The complaints; an error in a line that asks for what only the build knows may be none."""
    return [_asking(entry, open_, text) for entry in entries]


def _asking(entry: Diagnostic, open_: Mapping[str, Set[str]], text: Callable[[str], bytes]) -> Diagnostic:
    if entry.kind != "error" or not open_:
        return entry
    lines = text(entry.place.path).decode("utf-8", "replace").splitlines()[entry.place.line - 1 : entry.place.line]
    named = set(_WORDS.findall(" ".join((entry.message, *lines))))
    pasted = named.intersection(_WORDS.findall(entry.message)) if "undeclared identifier" in entry.message else ()
    asked = next((title for title, names in sorted(open_.items()) if names & named or _in_part(names, pasted)), None)
    return entry if asked is None else replace(entry, kind="stand-in", header=asked)


def _in_part(names: Iterable[str], words: Iterable[str]) -> bool:
    """Whether a word is made of one of the names and something else, as `##` pastes them: `sm_ARCH`."""
    return any(word.endswith(f"_{name}") or word.startswith(f"{name}_") for name in names for word in words)


_ERROR = re.compile(rb"[ \t]*#[ \t]*error\b")
_VENDORS = r"(?:CUDA|CUDART|CUDNN|CUB|THRUST|NCCL|NV|HIP|ROCM|ROC|AMD)[A-Z]*_"
_NUMBERS = r"(?:NAN|INFINITY)\Z"
OF_COMPILERS = re.compile(rf"_|{_VENDORS}|{_NUMBERS}".encode())
"""Names that compilers and their libraries define, as far as names show: `__CUDA_ARCH__`, `CUDART_VERSION`."""
_RESERVED = re.compile(rf"__|{_VENDORS}(?:[A-Z]+_)*(?:VER(?:SION)?|MAJOR|MINOR|PATCH)(?:_|\Z)|{_NUMBERS}".encode())
"""Those of them that no build invents; `_SYSTEM_POSIX_` and `CUDA_ENABLED` may be a project's own."""
OF_PLATFORMS = re.compile(rb"_?WIN(?:32|64)\Z|_MSC_VER|__(?:APPLE|MACH|linux|unix|GNUC|clang|INTEL|x86_64|aarch64|arm)")
"""Names that the host's compiler defines by the machine: which one is meant says nothing of how a build is set up."""
_DEFINED = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_ASKED = re.compile(rb"[A-Za-z_]\w*")


def _undefined(files: Iterable[bytes], known: Set[bytes]) -> frozenset[bytes]:
    """The macros that conditionals of files ask for, and that neither they, the build nor a compiler defines."""
    asked, defined = set[bytes](), set[bytes]()
    for data in files:
        defined.update(_DEFINED.findall(data))
        for directive in filter(None, map(_CONDITION.match, data.splitlines())):
            asked.update(_ASKED.findall(directive[2]) if directive[1] != b"endif" else ())
    asked -= {b"def", b"ndef", b"defined"} | defined | known
    return frozenset(name for name in asked if not OF_COMPILERS.match(name) and not OF_PLATFORMS.match(name))


def configured(
    entries: Sequence[Diagnostic],
    unit: Unit,
    read: Iterable[str],
    text: Callable[[str], bytes],
    some: Set[str] = frozenset(),
) -> list[Diagnostic]:
    """The complaints about a unit; an `#error` is none where its conditional asks for macros that only a build gives.

    Such a macro is defined by no file that the unit read, and the change of the code had no part in it. Where the
    conditional asks for one that compilers or their libraries define too, the error is one, unless it is among `some`:
    those that builds of the tree may give are no compiler's, whatever they are called. A macro that the unit has
    because the code demands it has no value that is known: a comparison of it decides nothing.
    """
    found = [(entry, _conditions(text(entry.place.path), entry.place.line)) for entry in entries]
    if not any(names for _, names in found):
        return list(entries)
    valueless = {one for one in unit.flags.demanded if any(_compares(text(entry.place.path), one) for entry in entries)}
    defined = {name.encode() for name in unit.flags.macros - valueless}
    for path in read:
        if path.startswith(unit.root + os.sep):
            defined.update(_DEFINED.findall(text(os.path.relpath(path, unit.root))))
    own = {name for name in map(str.encode, some) if not _RESERVED.match(name)}
    return [_configured(entry, names, defined, own) for entry, names in found]


def _compares(data: bytes, name: str) -> bool:
    """Whether a condition of a text compares the value of a macro: `#elif (ARCH >= 30)`."""
    pattern = rb"^[ \t]*#[ \t]*(?:el)?if\b[^\n]*\b%b\b[ \t]*\)*[ \t]*[<>=!]" % re.escape(name.encode())
    return re.search(pattern, data, re.MULTILINE) is not None


_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'")


def consequences(entries: Sequence[Diagnostic], text: Callable[[str], bytes]) -> list[Diagnostic]:
    """The complaints about a unit; that a name is not declared is none where a value that is not known declares it.

    `float sums[WIDTH];` declares nothing without the value of `WIDTH`, and each use of `sums` is an error. What such a
    use declares follows as well.
    """
    names: dict[str, list[int]] = {}
    lines: dict[tuple[str, int], list[int]] = {}
    for at, entry in enumerate(entries):
        if entry.kind == "error":
            lines.setdefault((entry.place.path, entry.place.line), []).append(at)
            if missing := _UNDECLARED.match(entry.message):
                names.setdefault(missing[1], []).append(at)
    result = list(entries)
    waiting = [one for one in entries if one.kind == "stand-in" and one.header.startswith("the value of ")]
    while waiting and names:
        cause = waiting.pop()
        line = _line(text(cause.place.path), cause.place.line)
        follow = [name for name in set(re.findall(r"[A-Za-z_]\w*", line)) & names.keys() if _declares(line, name)]
        for at in (one for name in follow for first in names.pop(name) for one in _beside(result[first], lines, first)):
            if result[at].kind == "error":
                result[at] = replace(result[at], kind="stand-in", header=cause.header)
                waiting.append(result[at])
    return result


def _beside(entry: Diagnostic, lines: Mapping[tuple[str, int], Sequence[int]], at: int) -> Sequence[int]:
    """The numbers of all errors in the line of one."""
    return lines.get((entry.place.path, entry.place.line), (at,))


def _line(data: bytes, line: int) -> str:
    return b"".join(split(data)[line - 1 : line]).decode("utf-8", "replace")


def _declares(line: str, name: str) -> bool:
    """Whether a line looks as if it declares a name: a type or a comma is before it."""
    before = re.search(rf"([\w>])(?:\s+|\s*[*&]+\s*)(?:(?:const|__restrict__)\s+)*{name}\b|,\s*{name}\s*[\[=;,]", line)
    return before is not None and not re.search(rf"\b(?:return|case|goto|else)\s+{name}\b", line)


def _configured(entry: Diagnostic, names: Sequence[bytes], defined: Set[bytes], own: Set[bytes]) -> Diagnostic:
    lacking = [name for name in names if name not in defined and not OF_PLATFORMS.match(name)]
    given = [name for name in lacking if name in own]
    if entry.kind != "error" or not lacking or any(OF_COMPILERS.match(name) for name in {*lacking} - {*given}):
        return entry
    name = (given or lacking)[0]
    return replace(entry, kind="stand-in", header=f"the value of {name.decode()}, which the build gives")


def _conditions(data: bytes, line: int) -> list[bytes]:
    """The names that the conditional of an `#error` asks for, in all its branches until there; none for other lines."""
    lines = split(data)
    chains = asked(data, line) if lines and _ERROR.match(lines[min(line, len(lines)) - 1]) else []
    return list(dict.fromkeys(chains[-1])) if chains else []


def asked(data: bytes, line: int) -> list[list[bytes]]:
    """The names that the conditionals around a line ask for, in all their branches until there, outermost first."""
    lines = split(data)[:line]
    chains: list[list[bytes]] = []
    for directive in filter(None, map(_CONDITION.match, lines)):
        if directive[1] == b"if":
            chains.append([])
        if directive[1] == b"endif":
            chains = chains[:-1]
        elif chains:
            chains[-1] += [name for name in _ASKED.findall(directive[2]) if name not in (b"def", b"ndef", b"defined")]
    return chains


def _judged(entry: Diagnostic, region: Callable[[bytes], bytes]) -> Diagnostic:
    missing = _MISSING.match(entry.message) if entry.kind == "error" else None
    macro = region(missing[1].encode()) if missing is not None else b""
    if not macro:
        return entry
    return replace(entry, kind="stand-in", header=f"the value of {macro.decode()}, which the build gives")


def _region(name: bytes, macros: frozenset[bytes], paths: Iterable[str], text: Callable[[str], bytes]) -> bytes:
    """The macro in a region of which a file has a name; empty where none has."""
    for path in paths:
        data = text(path)
        macro = next(_around(data, name, macros), b"") if name in data and any(word in data for word in macros) else b""
        if macro:
            return macro
    return b""


def _around(data: bytes, name: bytes, macros: frozenset[bytes]) -> Iterator[bytes]:
    """For each line that has a name, the macro that a condition around it asks for; the same for its other branches."""
    asked: list[frozenset[bytes]] = []
    for line in data.splitlines():
        directive = _CONDITION.match(line)
        if directive is None:
            if name in line and name in _WORD.findall(line):
                yield from (macro for words in asked for macro in sorted(words))
        elif directive[1] == b"if":
            asked.append(macros.intersection(_WORD.findall(directive[2])))
        elif directive[1] == b"endif":
            asked = asked[:-1]
        elif asked:
            asked[-1] |= macros.intersection(_WORD.findall(directive[2]))
