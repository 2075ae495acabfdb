"""A host compiler, the emulated GPU as a library, and programs that are built for it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Flags
from cudamigrate.shipped_data import user_cache
from cudamigrate.syntax import utf8

CPP = Path(__file__).parent / "cpp"
"""The emulated GPU: its sources and the headers that programs include."""
RUNTIME = Path(__file__).parent.parent / "runtime"
"""The headers that converted code includes."""
Side = Literal["cuda", "hip"]

INSTALL = "no C++ compiler was found: install g++ 11 or later, or clang++"
_SECONDS = 300
_STARTERS = ("ccache", "sccache", "distcc", "icecc", "env", "nice")
"""Programs that are given a compiler to start: `CXX="ccache g++"`."""
_MACHINE = ["-std=c++17", "-O2", "-g", "-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE"]
# Calls are known by where they are, so code keeps its form: no optimisation, which would copy or join calls.
_SEEN = ["-O0", "-g1", "-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE"]
_SEEN += ["-fsanitize=thread", "-fsanitize-coverage=trace-pc"]
_FOR = {
    "cuda": ["-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDA_ARCH__=700", "-DCUDART_VERSION=12000", "-DCUDA_VERSION=12000"],
    "hip": ["-D__HIPCC__=1", "-D__HIP__=1", "-D__HIP_PLATFORM_AMD__=1", "-D__HIP_DEVICE_COMPILE__=1"],
}
_FIRST = {"cuda": "cuda_runtime.h", "hip": "hip/hip_runtime.h"}
_CUDA_VERSION_PARTS = ["-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=0"]
_WAVE_MACROS = re.compile(rb"__AMDGCN_WAVEFRONT_SIZE|__GFX\d")
_ERROR = re.compile(r"^(?P<place>[^\s:]+:\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE)
"""The first line of a compiler's error: `a.cpp:3:7: error: text`. A column may be missing; `fatal` is left out."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C++ compiler: its path, its kind, and what it calls itself."""

    program: str
    is_clang: bool
    title: str


class BuildError(Exception):
    """A program does not build; the message says why, for a reader."""


@cache
def compiler() -> Compiler | None:
    """The one that `CXX` names, whatever starts it, else g++, else clang++; None where there is neither."""
    words = os.environ.get("CXX", "").split()
    named = [word for word in words if os.path.basename(word) not in _STARTERS][:1]
    for name in (*named, "g++", "clang++", *(f"clang++-{release}" for release in range(21, 12, -1))):
        program = shutil.which(name)
        if program is None:
            continue
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if version:
            return Compiler(program, "clang" in version.lower(), version.splitlines()[0])
    return None


def wants_wave(data: bytes) -> bool:
    """Whether a source asks for the width of wavefronts or the GPU while it is compiled."""
    return _WAVE_MACROS.search(data) is not None


@cache
def machine(chosen: Compiler) -> tuple[str, ...]:
    """The object files of the emulated GPU, built once for each version of it."""
    sources = sorted((CPP / "machine").glob("*.cpp"))
    stamp = hashlib.sha256(chosen.title.encode())
    for path in sorted((CPP / "machine").iterdir()):
        stamp.update(path.read_bytes())
    folder = user_cache("emulation") / stamp.hexdigest()[:24]
    objects = tuple(str(folder / f"{path.stem}.o") for path in sources)
    if all(os.path.exists(path) for path in objects):
        return objects
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent))
    except OSError:
        made = folder = Path(tempfile.mkdtemp(prefix="cudamigrate-"))
        objects = tuple(str(folder / f"{path.stem}.o") for path in sources)
    for path in sources:
        call([chosen.program, *_MACHINE, "-c", str(path), "-o", str(made / f"{path.stem}.o")])
    if made != folder:
        try:
            made.rename(folder)
        except OSError:  # another run was quicker
            shutil.rmtree(made, ignore_errors=True)
    return objects


_OPEN_MP = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*include[ \t]*<omp\.h>", re.MULTILINE)
"""The include that needs the option for OpenMP: `#include <omp.h>` at the start of a line, blanks allowed."""


def wants_threads(data: bytes) -> bool:
    """Whether a source uses OpenMP on the host."""
    return _OPEN_MP.search(data) is not None


def options(chosen: Compiler, side: Side, flags: Flags, wave: int) -> list[str]:
    """The options by which a source is compiled for the emulation."""
    words = [*_SEEN, "-w", "-pthread", *_FOR[side]]
    if chosen.is_clang:
        # each basic block is reported, as g++ does: a block left out may be the one by which a loop turns
        words += ["-fsanitize-coverage=bb,no-prune", "-fsanitize=array-bounds", "-mllvm", "-tsan-distinguish-volatile"]
    else:
        words += ["-fsanitize=bounds-strict", "--param", "tsan-distinguish-volatile=1", "-fpermissive"]
    if side == "cuda":
        words += _CUDA_VERSION_PARTS
    else:
        words += [f"-D__AMDGCN_WAVEFRONT_SIZE={wave}", f"-D__AMDGCN_WAVEFRONT_SIZE__={wave}"]
        # no GPU by its name, whose instructions the host has not
        words.append("-D__GFX9__=1" if wave == 64 else "-D__GFX11__=1")
    standard = flags.standard.removeprefix("c++").removeprefix("gnu++")
    words.append(f"-std=gnu++{standard if standard in ('17', '20', '23', '2a', '2b') else '17'}")
    words += [f"-I{CPP / side}", f"-I{CPP / 'libraries'}", "-include", str(CPP / side / _FIRST[side])]
    words += [f"-D{name}" for name in flags.defines] + [f"-I{folder}" for folder in flags.includes]
    return [*words, *([f"-I{RUNTIME}"] if side == "hip" else [])]


def compile_unit(chosen: Compiler, words: Sequence[str], source: Path, target: Path) -> None:
    """Compile one source. Raises BuildError."""
    kind = "c" if source.suffix == ".c" else "c++"
    if kind == "c":
        words = [word for word in words if not word.startswith(("-std=", "-fpermissive"))]
        at = words.index("-include")
        words = [*words[:at], *words[at + 2 :]]
    words = [*words, from_here(), *(["-fopenmp"] if wants_threads(source.read_bytes()) else [])]
    call([chosen.program, "-x", kind, *words, "-c", str(source), "-o", str(target)])


def link(chosen: Compiler, objects: Sequence[str], target: Path) -> None:
    """Link a program with the emulated GPU. Raises BuildError."""
    words = [chosen.program, "-no-pie", "-pthread", *objects, *machine(chosen), "-lm", "-o", str(target)]
    try:
        call(words)
    except BuildError as error:
        if "omp_" not in str(error) and "GOMP" not in str(error) and "kmpc" not in str(error):
            raise
        call([*words, "-fopenmp"])


def from_here() -> str:
    """The option by which addresses are traced back to files as the compiler calls them, from this folder on."""
    return f"-fdebug-prefix-map={os.getcwd()}=."


def call(words: Sequence[str]) -> None:
    """Run a compiler. Raises BuildError."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise BuildError(f"the compiler needs more than {_SECONDS} seconds") from None
    if done.returncode != 0:
        raise BuildError(reason(done.stderr))


def reason(errors: str) -> str:
    """The first error of a compiler or linker in one line."""
    found = _ERROR.search(errors)
    if found is not None:
        return f"{found['place']}: {found['text']}"
    undefined = re.search(r"undefined reference to [`'](.*)'", errors)
    if undefined is not None:
        return f"undefined: {undefined[1]}"
    lines = [line for line in errors.splitlines() if "rror" in line] or errors.splitlines() or ["no message"]
    return lines[0][:300]
