"""What a build configures -> macros: headers that CMake or configure fill in, and what configure defines with HIP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import BuildMacro, FileEvidence, PortGuard

_HEADER = re.compile(r"\.(?:h|hh|hpp|hxx|cuh)(?:(?:\.cmake)?\.in|\.cmakein|\.cmake)$")
"""A template of a header: `config.h.in`, `config.h.cmake.in`, `config.hpp.cmake`, `config.h.cmakein`."""
_SCRIPT = re.compile(r"(?:^|/)configure(?:\.ac|\.in)?$|\.m4$|(?:^|/)acinclude\.m4$")
"""A script of Autoconf or a part of one: `configure.ac`, `m4/cuda.m4`; not `my_configure` (a whole file name)."""
_PLACE = re.compile(
    r"(?m)^[ \t]*#[ \t]*(?:cmakedefine(?:01)?|undef)[ \t]+(\w+)|^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+@\w+@"
)
"""A place in a template: `#cmakedefine HAVE_X`, `#undef HAVE_X`, or `#define HAVE_X @HAVE_X@`."""
_DEFINES = re.compile(r"\bAC_DEFINE(?:_UNQUOTED)?\(\s*\[?(\w+)|#define (\w+) [^\n]*>>\s*\"?confdefs\.h")
"""A macro that a script defines: `AC_DEFINE([HAVE_X]`, or `echo "#define HAVE_X 1" >>confdefs.h` as generated."""
_SETS_UP = re.compile(
    r"\bhipcc\b|\bHIPCC\b|(?:\b|-l)amdhip64\b|(?<![\w-])-x hip\b|\bhip_(?:runtime|version)\w*\.h|--offload-arch"
    r"|\b(?:-l)?hsa-runtime64\b|__HIP_PLATFORM_AMD__"
)
"""What says that a block of a script sets up HIP: `hipcc`, the libraries `amdhip64` and `hsa-runtime64`, `-x hip`,
`hip/hip_runtime.h`."""
_CUDA = re.compile(r"\bnvcc\b|-lcudart|-gencode|\bcuda_runtime\.h")
"""What says that a block of a script sets up CUDA: `nvcc`, `-lcudart`, `-gencode`, `cuda_runtime.h`."""
_COMMENT = re.compile(r"(?m)\bdnl\b.*$|^[ \t]*#(?!define).*$")
_SHELL = re.compile(
    r"(?m)^[ \t]*(?P<open>if\b)|^[ \t]*(?P<next>elif\b|else\b)|^[ \t]*(?P<close>fi\b)|(?P<call>\b(?:AS_IF|AC_DEFUN)\()"
)
"""What opens, divides and closes a condition: `if`, `elif`, `fi` first in a line, or a call of `AS_IF` or
`AC_DEFUN`."""
_CHECK = re.compile(r"\b(?:A[CXM]|PKG)_(?:CHECK|SEARCH|TRY|COMPILE|LINK|RUN|PREPROC|HAVE)\w*\(")
"""A call that asks the machine for something: `AC_CHECK_LIB(`, `PKG_CHECK_MODULES(`."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A branch of a script, from `start` to `end`, and the text of its condition."""

    start: int
    end: int
    condition: str


def configures(path: str) -> bool:
    """Whether a file, by its name, is one that a build is configured with."""
    return _HEADER.search(path) is not None or _SCRIPT.search(path) is not None


def of(path: str, data: bytes) -> FileEvidence | None:
    """What such a file shows of HIP; None where it shows nothing."""
    words = (b"hip", b"rocm", b"cuda") if _HEADER.search(path) else (b"hip", b"rocm")
    if not any(word in data.lower() for word in words):
        return None
    text = data.decode("utf-8", "replace")
    if _HEADER.search(path):
        return FileEvidence(path, configured=tuple(_places(text)))
    macros, others = _defined(_COMMENT.sub("", text))
    return FileEvidence(path, macros=macros, configured=others) if macros or others else None


def is_script(path: str) -> bool:
    """Whether a file, by its name, is a script of Autoconf or a part of one."""
    return _SCRIPT.search(path) is not None


def passed_on(data: bytes) -> tuple[tuple[str, int, str], ...]:
    """The variables that a header passes on from the build, whatever it is called: `#cmakedefine LIB_HIP`."""
    return tuple(_places(data.decode("utf-8", "replace"))) if b"#cmakedefine" in data else ()


def of_hip(evidence: Iterable[FileEvidence], switches: Set[str]) -> Iterator[PortGuard]:
    """Guards: variables that turn HIP on in a build, where a header passes them on to the code.

    A build for HIP may leave one of them off, as that of a library which it does without.
    """
    for file in evidence:
        for name, line, _ in file.configured:
            if name in switches:
                yield PortGuard(
                    name, "implies", file.path, line, "passed on from the build, which turns HIP on with it"
                )


def of_cuda(evidence: Iterable[FileEvidence], switches: Set[str], hip: Set[str]) -> Iterator[PortGuard]:
    """The same of CUDA, where a header passes on what turns HIP on, too.

    Their branches include CUDA's headers, which HIP has not: where it compiles, they are not set.
    """
    for file in evidence:
        beside = not hip.isdisjoint(name for name, _, _ in file.configured)
        for name, line, _ in file.configured if beside else ():
            if name in switches:
                reason = "passed on from the build, which turns CUDA on with it"
                yield PortGuard(name, "implies-cuda", file.path, line, reason)


def _places(text: str) -> Iterator[tuple[str, int, str]]:
    for match in _PLACE.finditer(text):
        yield match[1] or match[2], text.count("\n", 0, match.start()) + 1, match[0].strip()


def _defined(text: str) -> tuple[tuple[BuildMacro, ...], tuple[tuple[str, int, str], ...]]:
    """The macros that configure defines, for HIP where the block around it sets up HIP and not CUDA; and the places of
    those of which no block says a vendor, as in the branches of a `case`.

    The innermost block is asked, then those of m4's around it, and those of the shell whose condition names one vendor,
    up to the first that sets up either of them. Other blocks of the shell are long and hold much that has nothing to do
    with their condition. A macro is CUDA's where all places that define it are. It is sure to be set with HIP where the
    innermost block says so and no check for anything else is around it.
    """
    blocks = sorted(_blocks(text), key=lambda block: block.end - block.start)
    checks = list(_checks(text))
    found: list[tuple[str, int, tuple[bool, bool], bool]] = []
    for match in _DEFINES.finditer(text):
        at = match.start()
        inside = [one for one in blocks if one.start <= at < one.end]
        beside = [one for one in blocks if not one.start <= at < one.end]
        asked = [_sides(text, one, not number, beside) for number, one in enumerate(inside)]
        sides = next((one for one in asked if any(one)), (False, False))
        further = any(start <= at < end and not any(_set_up(text[start:at])) for start, end in checks)
        sure = sides[0] and sides == asked[0] and not further
        found.append((match[1] or match[2], text.count("\n", 0, at) + 1, sides, sure))
    shared = {name for name, _, sides, _ in found if sides != (False, True)}
    macros = tuple(
        BuildMacro(name, line, hip, sure, cuda=cuda and name not in shared)
        for name, line, (hip, cuda), sure in found
        if hip != cuda  # what sets up both, or neither, says nothing of the macro
    )
    return macros, tuple((name, line, f"defines {name}") for name, line, sides, _ in found if not any(sides))


def _checks(text: str) -> Iterator[tuple[int, int]]:
    """Where the calls start and end that ask the machine for something."""
    for match in _CHECK.finditer(text):
        depth = 1
        for at in range(match.end(), len(text)):
            depth += (text[at] == "(") - (text[at] == ")")
            if not depth:
                yield match.start(), at
                break


def _sides(text: str, block: _Block, innermost: bool, beside: Sequence[_Block]) -> tuple[bool, bool]:
    """Whether a block sets up HIP, and CUDA; neither where it is one of the shell that need not be about a vendor.

    What it does under a further condition, with which the macro has nothing to do (`beside`), says nothing of the macro
    but where the condition of the block names the vendor itself.
    """
    sides = _set_up(text[block.start : block.end])
    if not any(sides):
        return sides
    condition = block.condition.lower()
    asked = any(word in condition for word in ("hip", "rocm")), "cuda" in condition
    if innermost or text[block.start - 1] == "[":
        own = _set_up(_without(text, block, beside))
        return own[0] or (sides[0] and asked[0]), own[1] or (sides[1] and asked[1])
    plain = "||" not in condition and "!" not in condition
    return sides if plain and sides == asked and sides[0] != sides[1] else (False, False)


def _set_up(text: str) -> tuple[bool, bool]:
    return _SETS_UP.search(text) is not None, _CUDA.search(text) is not None


def _without(text: str, block: _Block, beside: Sequence[_Block]) -> str:
    """The text of a block without the blocks in it that are `beside` what is asked about."""
    at, parts = block.start, list[str]()
    for one in sorted(beside, key=lambda one: (one.start, -one.end)):
        if at <= one.start and one.end <= block.end:
            parts.append(text[at : one.start])
            at = one.end
    return "".join((*parts, text[at : block.end]))


def _blocks(text: str) -> Iterator[_Block]:
    """The branches of `if`, and the arguments of `AS_IF` and `AC_DEFUN`."""
    starts: list[int] = []
    for match in _SHELL.finditer(text):
        if match["open"]:
            starts.append(match.end())
        elif match["call"]:
            yield from _arguments(text, match.end())
        elif starts:
            yield _of_shell(text, starts.pop(), match.start())
            if match["next"]:
                starts.append(match.end())


def _of_shell(text: str, start: int, end: int) -> _Block:
    return _Block(start, end, text[start:end].partition("\n")[0].partition(";")[0])


def _arguments(text: str, start: int) -> Iterator[_Block]:
    """The quoted arguments of a call of m4's; what is before one is its condition."""
    depth, begin, before = 0, start, ""
    for at in range(start, len(text)):
        byte = text[at]
        if byte == "[":
            begin = at + 1 if depth == 0 else begin
            depth += 1
        elif byte == "]":
            depth -= 1
            if depth == 0:
                yield _Block(begin, at, before)
                before = text[begin:at]
        elif byte == ")" and depth <= 0:
            return
