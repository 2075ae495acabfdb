"""Where the compilers and headers of this machine are.

Result: header folders with their release, and programs. Nothing is run or imported to find them.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from cudamigrate.compilation import header_store
from cudamigrate.compilation.header_store import distance
from cudamigrate.lazy_re import re
from cudamigrate.model import release
from cudamigrate.model.verification import Toolchain
from cudamigrate.shipped_data import stand_ins

_HIP_VERSION = re.compile(r"#\s*define\s+HIP_VERSION_(MAJOR|MINOR)\s+(\d+)")
"""A part of HIP's version in its header: `#define HIP_VERSION_MAJOR 7`."""
_CUDA_VERSION = re.compile(r"#\s*define\s+(?:CUDART_VERSION|CUDA_VERSION)\s+(\d+)")
"""CUDA's version in either header: `#define CUDART_VERSION 12080` of the runtime, `CUDA_VERSION` of the driver."""
SYSTEM = ("/usr/include", "/usr/local/include", "/usr/include/x86_64-linux-gnu")
"""Folders that a compiler looks into unasked."""
TORCH_DECLARATIONS = "torch-headers"
"""The folder among our declarations that stands in for PyTorch's headers."""


@dataclass(frozen=True, slots=True)
class Headers:
    """One set of headers: `title` for readers, its release, its include folders, and whether it is a whole ROCm."""

    title: str
    release: str
    folders: tuple[str, ...]
    whole: bool = False


def hip_headers(aimed: str) -> Headers | None:
    """The HIP headers to judge by: a ROCm installation, else those whose release is nearest to the one aimed at.

    A distribution's package, fetched headers and the Triton wheel may all be there, years apart; the nearer one judges
    better.
    """
    found = [*_rocm(), *_system(), *_fetched(), *_triton()]
    whole = [headers for headers in found if headers.whole]
    return min(whole or found, key=lambda headers: distance(headers.release, aimed), default=None)


def _rocm() -> Iterator[Headers]:
    """ROCm installations: the folder that `ROCM_PATH` or `HIP_PATH` names, then those under /opt."""
    named = [os.environ.get(name, "") for name in ("ROCM_PATH", "HIP_PATH")]
    for folder in [*filter(None, named), "/opt/rocm", *sorted(map(str, Path("/opt").glob("rocm-*")), reverse=True)]:
        version = _hip_release(Path(folder) / "include")
        if version and Path(folder) != Path("/usr"):
            yield Headers(f"ROCm in {folder}", version, (f"{folder}/include",), whole=True)


def _system() -> Iterator[Headers]:
    version = _hip_release(Path("/usr/include"))
    if version:
        yield Headers("the system's HIP headers", version, ("/usr/include",))


def _fetched() -> Iterator[Headers]:
    """The headers that `headers install` put into the user's cache."""
    for wheel, folder in header_store.installed():
        yield Headers(f"the HIP headers of {wheel.project} {wheel.version}", wheel.hip, (str(folder),))


def _triton() -> Iterator[Headers]:
    """The headers in the Triton wheel, which has those of the HIP runtime alone."""
    try:
        wheel = distribution("triton")
    except PackageNotFoundError:
        return
    folder = Path(str(wheel.locate_file("triton/backends/amd/include")))
    version = _hip_release(folder)
    if version:
        yield Headers(f"the HIP headers of triton {wheel.version}", version, (str(folder),))


def _hip_release(include: Path) -> str:
    """HIP's release as its version header says it, empty where there is none."""
    try:
        text = (include / "hip" / "hip_version.h").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    parts = dict(_HIP_VERSION.findall(text))
    return f"{parts['MAJOR']}.{parts['MINOR']}" if len(parts) == 2 else ""


def hipcc() -> str:
    """Path of a hipcc, empty where there is none."""
    named = [Path(os.environ[name]) / "bin" for name in ("ROCM_PATH", "HIP_PATH") if os.environ.get(name)]
    for folder in [*named, Path("/opt/rocm/bin")]:
        if os.access(folder / "hipcc", os.X_OK):
            return str(folder / "hipcc")
    return shutil.which("hipcc") or ""


def hip_headers_of(program: str) -> Headers | None:
    """The HIP headers that a hipcc reads."""
    include = Path(program).resolve().parent.parent / "include"
    version = _hip_release(include)
    if version:
        return Headers(f"ROCm in {include.parent}", version, (str(include),), whole=True)
    return next(iter(_system()), None)


@cache
def standard_library() -> tuple[str, ...]:
    """Folders of the C++ standard library's headers, the newest first."""
    found = sorted(Path("/usr/include/c++").glob("*"), key=lambda path: release(path.name), reverse=True)
    return tuple(str(path) for path in found[:1])


_NEEDED = ("cuda_runtime_api.h", "crt/host_defines.h", "nv/target")
"""Headers of CUDA's that clang's own wrapper cannot do without."""


def cuda_headers() -> Headers | None:
    """CUDA's headers: a toolkit, else the wheels of its runtime and compiler; the first that is complete."""
    found = [*_cuda_toolkits(), *_cuda_wheels()]
    return max(found, key=lambda headers: sum(_has(headers, name) for name in _NEEDED), default=None)


def _has(headers: Headers, name: str) -> bool:
    return any(os.path.exists(os.path.join(folder, name)) for folder in headers.folders)


def _cuda_toolkits() -> Iterator[Headers]:
    named = [os.environ.get(name, "") for name in ("CUDA_HOME", "CUDA_PATH")]
    for folder in [*filter(None, named), "/usr/local/cuda"]:
        version = _cuda_release(Path(folder) / "include")
        if version:
            more = f"{folder}/include/cccl"  # where CUDA 13 keeps Thrust, CUB and libcu++
            folders = (f"{folder}/include", more) if os.path.isdir(more) else (f"{folder}/include",)
            yield Headers(f"the CUDA toolkit in {folder}", version, folders)


def _cuda_wheels() -> Iterator[Headers]:
    """The wheels of CUDA 12, one folder each, and those of CUDA 13, which share one."""
    for entry in _site_folders():
        for pattern in ("nvidia/cu1[3-9]/include", "nvidia/*/include"):
            folders = tuple(str(path) for path in sorted(entry.glob(pattern)) if path.is_dir())
            version = next(filter(None, (_cuda_release(Path(folder)) for folder in folders)), "")
            if version:
                more = tuple(f"{folder}/cccl" for folder in folders if os.path.isdir(f"{folder}/cccl"))
                yield Headers("the CUDA headers of the installed wheels", version, (*folders, *more))


def _site_folders() -> Iterator[Path]:
    for entry in sys.path:
        if entry.endswith("site-packages"):
            yield Path(entry)


def _cuda_release(include: Path) -> str:
    try:
        text = (include / "cuda_runtime_api.h").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    found = _CUDA_VERSION.search(text)
    return f"{int(found[1]) // 1000}.{int(found[1]) % 1000 // 10}" if found else ""


def searched(toolchain: Toolchain) -> list[str]:
    """The options that make clang find a toolchain's headers, and our declarations after them.

    The system's own folders are never named: clang searches them unasked, and named early they come before the C++
    library's, which includes theirs by `#include_next`. Headers of HIP that are the system's come before declarations.
    """
    named = [folder for folder in toolchain.headers if folder not in SYSTEM]
    after = "-idirafter" if len(named) < len(toolchain.headers) else "-isystem"
    options = [("-isystem", folder) for folder in named] + [(after, folder) for folder in toolchain.declarations]
    return [word for pair in options for word in pair]


def declarations() -> tuple[str, ...]:
    """The folders of our declarations; those of PyTorch only where its own headers are not available."""
    ours = stand_ins("declarations")
    return (str(ours),) if torch_headers() else (str(ours), str(ours / TORCH_DECLARATIONS))


@cache
def torch_headers() -> tuple[str, ...]:
    """Include folders of an installed PyTorch that was built for ROCm; empty where there is none."""
    for entry in _site_folders():
        include = entry / "torch" / "include"
        if (include / "ATen" / "hip").is_dir() or (include / "c10" / "hip" / "impl").is_dir():
            return str(include), str(include / "torch" / "csrc" / "api" / "include")
    return ()
