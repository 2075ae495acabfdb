"""Libraries that were compiled for CUDA are reported where a build links them."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = {"a.cu": "__global__ void k() {}\n"}
CMAKE = "project(app CXX CUDA)\nadd_executable(app a.cu)\ntarget_link_libraries(app PRIVATE {})\n"
KERNELS = b"\x7fELF\0__cudaRegisterFatBinary\0.nv_fatbin\0"


def found(root: Path, files: dict[str, str], libraries: dict[str, bytes]) -> list[tuple[str, str]]:
    """The files with such a finding, each with what is at it."""
    written(root, {**CODE, **files})
    for path, data in libraries.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(data)
    every = pipeline.scan(root, Config(jobs=1)).findings
    return [
        (one.path, (root / one.path).read_bytes()[one.span.start : one.span.end].decode())
        for one in every
        if one.rule == "build/prebuilt-cuda-library"
    ]


@pytest.mark.parametrize(
    ("library", "data", "linked", "expected"),
    [
        ("lib/libfast.a", KERNELS, "fast", True),
        ("lib/libfast_x86.a", KERNELS, "fast", True),
        ("lib/libfast.so", KERNELS, "-lfast", True),
        ("lib/libfast.a", b"\x7fELF\0cudaMalloc\0", "fast", False),
        ("lib/libfaster.a", KERNELS, "fast", False),
        ("lib/libcudadevrt.a", KERNELS, "cudadevrt", False),
    ],
)
def test_a_link_of_cmake(tmp_path: Path, library: str, data: bytes, linked: str, expected: bool) -> None:
    made = found(tmp_path, {"CMakeLists.txt": CMAKE.format(linked)}, {library: data})
    assert made == ([("CMakeLists.txt", linked)] if expected else [])


def test_a_library_that_the_build_makes_is_none(tmp_path: Path) -> None:
    cmake = CMAKE.format("fast") + "add_library(fast a.cu)\n"
    assert found(tmp_path / "cmake", {"CMakeLists.txt": cmake}, {"lib/libfast.a": KERNELS}) == []
    make = "app: a.cu libfast.a\n\tnvcc a.cu -L. -lfast\nlibfast.a: b.o\n\tar rcs libfast.a b.o\n"
    assert found(tmp_path / "make", {"Makefile": make}, {"libfast.a": KERNELS}) == []


def test_a_link_of_make(tmp_path: Path) -> None:
    make = "LIBS = -Llib -lfast\napp: a.cu\n\tnvcc a.cu $(LIBS) -lfast\n"
    assert found(tmp_path, {"Makefile": make}, {"lib/libfast.a": KERNELS}) == [("Makefile", "-lfast")]


PLAIN = b"!<arch>\n\x7fELF\x02\x01\0cutStartTimer\0"
MAKE = "app: a.cu\n\tnvcc -o app a.cu -Lextra -lcutil\n"


@pytest.mark.parametrize(
    ("path", "data", "reported"),
    [
        ("extra/libcutil.a", PLAIN, False),
        ("extra/libcutil.a", PLAIN + b"cudaMalloc\0", True),
        ("extra/libcutil.a", PLAIN + b"\0cuInit\0", True),
        ("extra/libcutil.a", PLAIN + b"\x7fELF\x01\x01\0", True),
        ("extra/libcutil.a", b"no library", True),
        ("other/libcutil.a", PLAIN, True),
        ("extra/libcutils.a", PLAIN, True),
    ],
)
def test_a_library_without_cuda_links_as_it_is(tmp_path: Path, path: str, data: bytes, reported: bool) -> None:
    """By its name it is NVIDIA's; the file that is linked has nothing of CUDA and is for the machine that builds."""
    assert found(tmp_path, {"Makefile": MAKE}, {path: data}) == []
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert ("build/flag-library-other" in rules) is reported
