"""How programs that run on the emulated GPU are compiled: with the headers and the library of the package."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from cudamigrate.emulation import build, host_sources
from cudamigrate.model.verification import Flags

RUNTIME = build.RUNTIME
EMULATION = Path(__file__).parent / "emulation"
HIP = build.CPP / "hip"


def objects() -> list[str]:
    """The emulated GPU, compiled once for all tests."""
    found = build.compiler()
    assert found is not None
    return list(build.machine(found))


def compiled(compiler: str, words: Sequence[str], *, seen: bool = True) -> subprocess.CompletedProcess[str]:
    """Run the compiler; `seen` are programs whose every access the emulation follows."""
    found = build.compiler()
    assert found is not None
    plain = ["-std=c++17", "-O0", "-U_FORTIFY_SOURCE", "-fno-omit-frame-pointer", "-Wall", "-Wextra", f"-isystem{HIP}"]
    plain.append("-D__HIPCC__=1")
    flags = build.options(found, "hip", Flags("17"), 64) if seen else plain
    return subprocess.run([compiler, "-no-pie", *flags, *words, "-pthread"], capture_output=True, text=True)


def built(compiler: str, code: str, target: Path, *words: str) -> Path:
    """A program of HIP code, linked with the emulated GPU as the package links it."""
    source = target.with_suffix(".cpp")
    source.write_bytes(host_sources.for_host(code.encode(), source.name))
    unit = target.with_suffix(".o")
    done = subprocess.run(
        [compiler, *_options(tuple(word for word in words if word.startswith("-D"))), *words, "-c", source, "-o", unit],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = build.compiler()
    assert found is not None
    build.link(found, [str(unit)], target)
    return target


@cache
def _options(defines: tuple[str, ...]) -> tuple[str, ...]:
    """The package's options for a program, with the header that each program begins with compiled once."""
    found = build.compiler()
    assert found is not None
    options = build.options(found, "hip", Flags("17"), 64)
    if found.is_clang:
        return tuple(options)
    at = options.index("-include") + 1
    header = _folder() / "first.h"
    header.write_text(f'#include "{options[at]}"\n')
    rest = [*options[: at - 1], *options[at + 1 :]]
    words = [found.program, *rest, *defines, "-x", "c++-header", str(header), "-o", f"{header}.gch"]
    subprocess.run(words, check=True)
    return ("-include", str(header), *rest)


def _folder() -> Path:
    """A folder that lives as long as the tests."""
    folder = Path(tempfile.mkdtemp(prefix="cudamigrate-prefix-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def ran(program: Path, wave: int, *words: str, schedule: str = "lockstep") -> subprocess.CompletedProcess[str]:
    """A program's run on wavefronts of a width, in an order of lanes."""
    settings = {"CUDAMIGRATE_EMULATION_WAVE": str(wave), "CUDAMIGRATE_EMULATION_SCHEDULE": schedule}
    settings["CUDAMIGRATE_EMULATION_VENDOR"] = "amd"
    environment = {**os.environ, **settings}
    return subprocess.run([str(program), *words], env=environment, capture_output=True, text=True, timeout=60)


@cache
def prefix(compiler: str) -> Path:
    """A header with what the programs of `emulation/` include first, compiled once for all of them."""
    header = _folder() / "prefix.h"
    names = ("cstdio", "cstring", "functional", "map", "random", "string", "vector")
    header.write_text("".join(f"#include <{name}>\n" for name in names) + '#include "wavefront.h"\n')
    words = [f"-I{EMULATION}", "-x", "c++-header", str(header), "-o", f"{header}.gch"]
    done = compiled(compiler, words, seen=False)
    assert done.returncode == 0, done.stderr
    return header


def program(compiler: str, wavefront: list[str], name: str, header: tuple[str, str], folder: Path, *more: str) -> str:
    """The program `name` of `emulation/` with a header of that name and text, on the emulated GPU; its path."""
    (folder / header[0]).write_text(header[1])
    made = folder / name
    source = str(EMULATION / f"{name}.cpp")
    words = [
        *more,
        "-include",
        str(prefix(compiler)),
        f"-I{folder}",
        f"-I{EMULATION}",
        source,
        *wavefront,
        "-o",
        str(made),
        f"-I{RUNTIME}",
    ]
    done = compiled(compiler, words, seen=False)
    assert done.returncode == 0, done.stderr
    return str(made)
