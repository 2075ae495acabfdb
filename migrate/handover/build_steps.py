"""The files of a project -> how it is built and tested on AMD.

Result: shell commands, taken from the build files that are there. Nothing is run. Where no build file is known, there
is none, and the notes say so.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from cudamigrate.lazy_re import re
from cudamigrate.project import file_access

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_CTEST = re.compile(rb"(?im)^[ \t]*(?:enable_testing\s*\(|include\s*\(\s*CTest\s*\))")
"""What gives a CMake project tests: `enable_testing(` or `include(CTest)`, in any case."""
_KIND = b"CMAKE_BUILD_TYPE"
"""What chooses how a project is built; where nothing does, clang compiles kernels with `-O0`, and nvcc with `-O3`."""
_TEST_TARGET = re.compile(rb"(?m)^(test|check|tests)[ \t]*:(?!=)")
"""A target of a makefile that tests: `check:`; an assignment, `test :=`, is none (lookahead)."""
_MOST = 1_000_000
"""Bytes of a build file that are read."""


@dataclass(frozen=True, slots=True)
class Steps:
    """One way to build: its title, the commands that build, and those that test; none where no test was seen."""

    title: str
    build: tuple[str, ...]
    test: tuple[str, ...] = ()


def of(root: Path, paths: Iterable[str], converted: Mapping[str, bytes], arch: Sequence[str]) -> list[Steps]:
    """The ways to build the project at `root`, whose files are `paths`, for GPUs of the architectures `arch`.

    The one that its users take comes first: `pip` for an extension of PyTorch.
    """
    listed = sorted(paths, key=lambda path: (path.count("/"), path))
    read = _Reader(root, converted)
    python, cmake, make = _python(root, listed, read, arch), _cmake(listed, read, arch), _make(listed, read)
    extension = python is not None and "PYTORCH_ROCM_ARCH" in python.build[0]
    found = (python, cmake, make) if extension else (cmake, python, make)
    return [steps for steps in found if steps is not None]


@dataclass(frozen=True, slots=True)
class _Reader:
    root: Path
    converted: Mapping[str, bytes]

    def __call__(self, path: str) -> bytes:
        if path in self.converted:
            return self.converted[path]
        try:
            return file_access.read_regular(self.root, path, _MOST)
        except OSError:
            return b""


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent)


def _cmake(paths: Sequence[str], read: _Reader, arch: Sequence[str]) -> Steps | None:
    """CMake, from the outermost list file."""
    lists = [path for path in paths if PurePosixPath(path).name == "CMakeLists.txt"]
    if not lists:
        return None
    folder = _folder(lists[0])
    gpus = ";".join(arch)
    kind = "" if any(_KIND in read(path) for path in lists) else " -DCMAKE_BUILD_TYPE=Release"
    folders = f"cmake -S {shlex.quote(folder)} -B build -DCMAKE_PREFIX_PATH=/opt/rocm"
    configure = f'{folders} -DCMAKE_HIP_ARCHITECTURES="{gpus}"{kind}'
    tested = any(_CTEST.search(read(path)) for path in lists)
    test = ("ctest --test-dir build --output-on-failure",) if tested else ()
    return Steps(f"CMake ({lists[0]})", (configure, "cmake --build build --parallel"), test)


def _python(root: Path, paths: Sequence[str], read: _Reader, arch: Sequence[str]) -> Steps | None:
    """A Python package, at the root; the GPUs are named where PyTorch builds its extensions."""
    names = [name for name in ("setup.py", "pyproject.toml") if name in paths or (root / name).is_file()]
    if not names:
        return None
    torch = any(b"cpp_extension" in read(path) for path in paths if PurePosixPath(path).name == "setup.py")
    before = f'PYTORCH_ROCM_ARCH="{";".join(arch)}" ' if torch else ""
    install = f"{before}python -m pip install --no-build-isolation -v ."
    tested = any((root / name).is_dir() for name in ("test", "tests"))
    return Steps(f"Python ({names[0]})", (install,), ("python -m pytest",) if tested else ())


def _make(paths: Sequence[str], read: _Reader) -> Steps | None:
    """Make, with the outermost Makefile, where that builds code."""
    makefiles = [path for path in paths if PurePosixPath(path).name in _MAKEFILES]
    if not makefiles:
        return None
    where = "" if _folder(makefiles[0]) == "." else f" -C {shlex.quote(_folder(makefiles[0]))}"
    target = _TEST_TARGET.search(read(makefiles[0]))
    test = (f"make{where} {target[1].decode()}",) if target is not None else ()
    return Steps(f"Make ({makefiles[0]})", (f"make{where}",), test)
