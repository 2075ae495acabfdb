"""The engine that compiles: a real hipcc, code generation for each architecture included.

It comes from a ROCm installation or a distribution's packages, and sees what a type check cannot: instructions that
the assembler does not know, and calls that do not link into a kernel.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from cudamigrate.compilation import toolchain as machine
from cudamigrate.compilation.engines import _messages
from cudamigrate.lazy_re import re
from cudamigrate.model import Target
from cudamigrate.model.verification import Checked, Diagnostic, Kind, Place, Side, Toolchain, Unit
from cudamigrate.project.scratch import scratch

_LINE = re.compile(r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): (?P<level>\w+(?: error)?): (?P<text>.*)$")
"""`a.cu:3:5: error: text`; no colon in the path, no blank before it; the level may be `fatal error`."""
_INLINE = re.compile(r"^<inline asm>:\d+:\d+: error: (.*)$")
_BARE = re.compile(r"^(?:fatal )?error: (.*)$")
_PASS = re.compile(r"generated when compiling for (host|gfx\w+)")
"""Which pass a summary is about: `1 error generated when compiling for gfx942`, or `for host`."""
_FROM = re.compile(r"^In file included from (?P<path>[^:]+):(?P<line>\d+)")
"""One line of the chain of includes before a message: `In file included from a.cu:3`."""
_LINKER = re.compile(r"amdgcn-link command failed|undefined (?:hidden )?symbol|^>>> ")
"""What the linker says, without a place in a source: `error: undefined hidden symbol: f`, `>>> referenced by`."""
_BLANK = re.compile(r"(?<!\\)\s+")
"""What separates the files of a dependency listing: a blank of a name has a backslash before it."""
_ESCAPED = re.compile(r"\\([ #])")
_Said = tuple[str, Place, str, list[tuple[str, Place]], list[Place]]
"""A message as it was read: its level, place and words, the places of its notes, and of the includes before it."""
_SHORTENED = "[-Wshorten-64-to-32]"
_LIMIT = 600
"""Seconds after which a compilation is given up."""
_BROKEN = re.compile(
    r"^\S+: error: (?:unable to execute command: (.*)|.* command failed due to signal.*)$", re.MULTILINE
)
"""What clang's driver says where the compiler itself ended: it crashed, or a limit of time or memory ended it."""


def find(target: Target) -> Toolchain | str:
    """The hipcc of this machine."""
    program = machine.hipcc()
    if not program:
        return "no hipcc is installed: install ROCm, or your distribution's hipcc and libamdhip64-dev"
    headers = machine.hip_headers_of(program)
    if headers is None:
        return f"{program} has no HIP headers: install libamdhip64-dev or ROCm's hip-dev"
    arch = tuple(name for name in target.arch if _knows(program, name))
    if not arch:
        return f"{program} (HIP {headers.release}) knows none of {', '.join(target.arch)}: it is too old for them"
    torch = machine.torch_headers()
    return Toolchain(
        engine="hipcc",
        title=f"{program} (HIP {headers.release})",
        release=headers.release,
        headers=(*headers.folders, *torch),
        arch=arch,
        declarations=machine.declarations(),
        program=program,
        key=f"hipcc {program} {headers.release} {os.stat(program).st_mtime_ns}",
    )


@cache
def _knows(program: str, arch: str) -> bool:
    """True where the compiler makes code for the architecture: asked with an empty file."""
    command = [program, f"--offload-arch={arch}", "-x", "hip", "-nogpuinc", "-nogpulib", "-fsyntax-only", os.devnull]
    done = subprocess.run(command, capture_output=True, env=_environment())
    return done.returncode == 0


def _environment() -> dict[str, str]:
    """The variables of this process, and that code is for AMD: hipcc would compile for NVIDIA where nvcc is there."""
    return {**os.environ, "HIP_PLATFORM": "amd"}


def check(unit: Unit, toolchain: Toolchain) -> Checked:
    """Compile the file for all architectures and the host; the object is thrown away."""
    started = time.perf_counter()
    file = f"{unit.root}/{unit.path}"
    with scratch() as folder:
        listing = Path(folder) / "read.d"
        command = [toolchain.program, *arguments(unit, toolchain), "-MD", "-MF", str(listing), "-c", file]
        try:
            done = subprocess.run(
                [*command, "-o", f"{folder}/out.o"],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_LIMIT,
                env=_environment(),
            )
        except subprocess.TimeoutExpired:
            return Checked((), left_out=f"left out: not compiled within {_LIMIT} seconds")
        found = list(_diagnostics(done.stderr.splitlines(), unit))
        if done.returncode and all(entry.kind == "mask" for entry in found):
            if broken := _BROKEN.search(done.stderr):
                return Checked((), left_out=f"left out: the compiler itself ended ({broken[1] or 'by a signal'})")
            last = (done.stderr.strip().splitlines() or ["hipcc failed and said nothing"])[-1]
            found.append(Diagnostic("error", Place(unit.path, 1, 1), last, "device"))
        read = _read(listing)
    if any(path.startswith(tuple(toolchain.declarations)) for path in read):
        found = [entry for entry in found if not _LINKER.search(entry.message)]  # what is declared is defined nowhere
    return Checked(_once(found), (file, *read), time.perf_counter() - started)


def arguments(unit: Unit, toolchain: Toolchain) -> list[str]:
    """The options for one file; the compiler's own headers come before our declarations."""
    later = [*machine.torch_headers(), *toolchain.declarations]
    return [
        *(f"--offload-arch={arch}" for arch in unit.arch),
        *(("-x", "c" if unit.in_c else "c++", "-D__HIP_PLATFORM_AMD__=1") if unit.host else ("-x", "hip")),
        f"-std={unit.flags.standard}",
        *unit.flags.language,
        "-ferror-limit=0",
        "-ftemplate-backtrace-limit=0",
        "-Wno-everything",
        "-Wshorten-64-to-32",
        *(["-ivfsoverlay", unit.overlay] if unit.overlay else []),
        *(f"-D{macro}" for macro in unit.flags.defines),
        *(f"{'-idirafter' if folder in unit.flags.after else '-I'}{folder}" for folder in unit.flags.includes),
        *(option for folder in later for option in ("-idirafter", folder)),
        *(word for one in unit.flags.forced for word in ("-include", one)),
    ]


def _diagnostics(lines: Sequence[str], unit: Unit) -> Iterator[Diagnostic]:
    """Complaints in the order they were made; the line that ends a pass says for which architecture it was."""
    waiting: list[_Said] = []
    around: list[Place] = []
    for line in lines:
        ended, head, from_, asm = _PASS.search(line), _LINE.match(line), _FROM.match(line), _INLINE.match(line)
        bare = _BARE.match(line)
        if ended:
            yield from _pass(waiting, "" if ended[1] == "host" else ended[1])
            waiting = []
        elif from_:
            around.append(Place(_messages.relative(from_["path"], unit.root), int(from_["line"]), 1))
        elif head:
            place = Place(_messages.relative(head["path"], unit.root), int(head["line"]), int(head["column"]))
            if head["level"] == "note":
                if waiting:
                    level, at, text, notes, brought = waiting[-1]
                    more = "" if text.endswith(" function)") else _messages.side(head["text"])
                    waiting[-1] = (level, at, text + more, [*notes, (head["text"], place)], brought)
            else:
                waiting.append((head["level"], place, head["text"], [], around[::-1]))
            around = []
        elif asm or bare:
            found = asm or bare
            waiting.append(("error", Place(unit.path, 1, 1), found[1] if found else line, [], []))
    yield from _pass(waiting, next(iter(unit.arch), ""))


def _pass(said: Sequence[_Said], arch: str) -> Iterator[Diagnostic]:
    """What one pass says; it ends at the first header that is missing."""
    return _messages.in_order((_diagnostic(entry, arch), False) for entry in said)


def _diagnostic(entry: _Said, arch: str) -> Diagnostic:
    level, place, text, notes, included = entry
    side: Side = "device" if arch else "host"
    brought = tuple(included)
    if level == "warning":
        said = text.removesuffix(f" {_SHORTENED}")
        return Diagnostic("mask", place, said, side, arch, notes=_messages.leading(notes), included=brought)
    header = _messages.missing(text)
    kind: Kind = "missing-header" if header else "error"
    return Diagnostic(kind, place, text, side, arch, header, _messages.leading(notes), included=brought)


def _once(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    kept: dict[tuple[object, ...], Diagnostic] = {}
    for entry in found:
        if entry.kind != "mask" or entry.side == "device":
            kept.setdefault((entry.kind, entry.place, entry.message), entry)
    return tuple(kept.values())


def _read(listing: Path) -> tuple[str, ...]:
    """The files that a dependency listing names."""
    try:
        text = listing.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    words = _BLANK.split(text.replace("\\\n", " ").partition(": ")[2].strip())
    return tuple(os.path.normpath(_ESCAPED.sub(r"\1", word).replace("$$", "$")) for word in words if word)
