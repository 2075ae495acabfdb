"""Kernels in files that a program hands to NVRTC: hipRTC finds no header of HIP's."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import FileEntry
from cudamigrate.model.verification import Verdict, Word
from cudamigrate.pipeline import late_texts

KERNEL = "__global__ void twice(int *a) { a[threadIdx.x] *= 2; }\n"
LOADER = "#include <nvrtc.h>\nvoid build(nvrtcProgram *p, const char *s) { nvrtcCreateProgram(p, s, 0, 0, 0, 0); }\n"
BUILD = "project(a LANGUAGES CXX CUDA)\nadd_executable(a main.cu)\n"
NAMED = 'void f() { load(dir() + "/kernel.cu"); }\n'
GUARDED = "#if !defined(__HIPCC_RTC__)\n#include <hip/hip_runtime.h>\n#endif\n"


def made(root: Path, files: dict[str, str]) -> str:
    """`kernel.cu` as converted."""
    written(root, {"CMakeLists.txt": BUILD, "kernel.cu": KERNEL, **files})
    done = pipeline.apply(root, Config(jobs=1, cache=False))
    return next(one.after.decode() for one in done.conversions if one.path == "kernel.cu")


@pytest.mark.parametrize(
    "files",
    [
        {"load.cpp": LOADER, "main.cu": NAMED},
        {"load.cpp": LOADER, "main.cu": NAMED + '#include "kernel.cu"\n'},  # hipcc compiles it, too
        {"load.cpp": LOADER, "main.cu": "int main() {}\n"},  # in no build, and in no other file
        {
            "load.cpp": LOADER,
            "main.cu": '#include "kernel.cu"\nvoid f() { load("other.cu"); }\n',
            "other.cu": '#include "kernel.cu"\n',
        },
    ],
)
def test_a_file_that_is_compiled_at_run_time(tmp_path: Path, files: dict[str, str]) -> None:
    assert made(tmp_path, files) == GUARDED + KERNEL


@pytest.mark.parametrize(
    "files",
    [
        {"main.cu": NAMED},  # nothing compiles at run time
        {"load.cpp": LOADER, "main.cu": '#include "kernel.cu"\n'},
        {"load.cpp": LOADER, "main.cu": '#include "kernel.cu"\n// "kernel.cu"\nvoid f() { load("my_kernel.cu"); }\n'},
        {
            "load.cpp": LOADER,
            "main.cu": "int main() {}\n",
            "CMakeLists.txt": BUILD.replace("main.cu", "main.cu kernel.cu"),
        },
        {
            "load.cpp": LOADER,
            "main.cu": "int main() {}\n",
            "CMakeLists.txt": "file(GLOB all *.cu)\nadd_executable(a ${all})\n",
        },
    ],
)
def test_a_file_that_a_build_compiles(tmp_path: Path, files: dict[str, str]) -> None:
    assert made(tmp_path, files) == "#include <hip/hip_runtime.h>\n" + KERNEL


ACTIVE = "__global__ void twice(int *a) { a[0] = __popc(__activemask()); }\n"


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        ({"load.cpp": LOADER, "main.cu": NAMED}, ["kernel.cu"]),
        ({"load.cpp": LOADER, "main.cu": NAMED, "kernel.cu": '#include "part.h"\n', "part.h": ACTIVE}, ["part.h"]),
        ({"load.cpp": LOADER, "main.cu": '#include "kernel.cu"\n'}, []),  # a build compiles it
        ({"main.cu": NAMED}, []),
    ],
)
def test_that_the_program_gives_our_header_to_the_compiler_is_reported(
    tmp_path: Path, files: dict[str, str], reported: list[str]
) -> None:
    written(tmp_path, {"CMakeLists.txt": BUILD, "kernel.cu": ACTIVE, **files})
    found = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    assert [one.path for one in found if one.rule == "build/run-time-header"] == reported


RUST = 'const TEXT: &str = include_str!("kernel.cu");\nfn f() { fill(TEXT, &[("$TYPE$", "int")]); }\n'
NVRTC = "fn g() { unsafe { nvrtcCreateProgram(p, s, n, 0, h, i); } }\n"
CHECKED = "__global__ void twice(int *a) { assert(a); a[threadIdx.x] *= 2; }\n"
MADE = "#if !defined(__HIPCC_RTC__)\n#include <hip/hip_runtime.h>\n#endif\n"
CASSERT = "#include <cassert>\n"


def in_rust(root: Path, files: dict[str, str]) -> str:
    """`kernel.cu` as converted."""
    written(root, {"src/kernel.cu": CHECKED, **files})
    done = pipeline.apply(root, Config(jobs=1, cache=False))
    return next(one.after.decode() for one in done.conversions if one.path == "src/kernel.cu")


@pytest.mark.parametrize(
    "text",
    [RUST, RUST.replace('"kernel.cu"', 'concat!(env!("CARGO_MANIFEST_DIR"), "/src/kernel.cu")')],
)
def test_a_file_whose_text_rust_takes_in_gets_no_header_at_run_time(tmp_path: Path, text: str) -> None:
    other = {"src/other.cpp": '#include "kernel.cu"\n'}  # so that it does not stand alone
    after = in_rust(tmp_path, {"src/a.rs": text, "src/b.rs": NVRTC, **other})
    assert MADE in after and after.count("#if !defined(__HIPCC_RTC__)") == after.count("#include") == 2
    assert f"#if !defined(__HIPCC_RTC__)\n{CASSERT}#endif\n" in after


@pytest.mark.parametrize(
    "files",
    [
        {"src/a.rs": RUST},  # nothing compiles at run time
        {"src/a.rs": "// " + RUST.partition("\n")[0], "src/b.rs": NVRTC},  # a comment
        {"src/a.rs": RUST.replace("kernel.cu", "x/kernel.cu"), "src/b.rs": NVRTC},  # another file
    ],
)
def test_a_file_that_rust_does_not_compile(tmp_path: Path, files: dict[str, str]) -> None:
    after = in_rust(tmp_path, {**files, "src/other.cpp": '#include "kernel.cu"\n'})
    assert "__HIPCC_RTC__" not in after and CASSERT in after


FILLED = "typedef $TYPE$ T;\n__global__ void twice(T *a) { a[threadIdx.x] *= 2; }\n"
TREE = {"src/a.rs": RUST, "src/b.rs": NVRTC}


@pytest.mark.parametrize(
    ("files", "word"),
    [
        ({**TREE, "src/kernel.cu": FILLED}, "unresolved"),
        ({**TREE, "src/kernel.cu": FILLED.replace("$", "@")}, "failed"),  # the program knows no such word
        ({"src/kernel.cu": FILLED}, "failed"),  # no program takes the text
    ],
)
def test_a_text_that_is_filled_in_is_no_code(tmp_path: Path, files: dict[str, str], word: Word) -> None:
    entries = [FileEntry(path, "rust" if path.endswith(".rs") else "cuda", 0) for path in files]
    verdicts = late_texts.without_filled([Verdict("src/kernel.cu", "failed")], written(tmp_path, files), entries)
    assert [one.word for one in verdicts] == [word]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (TREE, {"src/kernel.cu"}),
        ({"load.cpp": LOADER, "main.cpp": NAMED}, {"src/kernel.cu"}),
        ({"load.cpp": LOADER, "main.cpp": NAMED, "Makefile": "all:\n\tnvcc src/kernel.cu\n"}, set()),
        ({"main.cpp": NAMED}, set()),
    ],
)
def test_what_a_check_of_types_knows_of_texts(tmp_path: Path, files: dict[str, str], expected: set[str]) -> None:
    files = {**files, "src/kernel.cu": KERNEL}
    kinds = {".rs": "rust", ".cpp": "cxx", ".cu": "cuda"}
    entries = [FileEntry(path, kinds.get(Path(path).suffix, "make"), 0) for path in files]
    assert late_texts.compiled(written(tmp_path, files), entries) == expected


LIST = """function(as_bytes INPUT OUTPUT)
  file(READ "${INPUT}" content HEX)
  string(REGEX REPLACE "(..)" "0x\\\\1," bytes "${content}")
  file(WRITE "${OUTPUT}" "${bytes}0x00")
endfunction()
"""
JOINED = """function(inline_headers INPUT OUTPUT)
  file(READ "${INPUT}" content)
  file(WRITE "${OUTPUT}" "${content}")
endfunction()
"""
PROJECT = "project(a LANGUAGES CXX)\nadd_library(a main.cpp)\n"
HERE = "${CMAKE_CURRENT_SOURCE_DIR}"
OUT = "${CMAKE_CURRENT_BINARY_DIR}"


@pytest.mark.parametrize(
    "build",
    [
        f'{LIST}{PROJECT}as_bytes("{HERE}/kernel.cu" "{OUT}/kernel.inc")\n',
        f'{LIST}{JOINED}{PROJECT}inline_headers("{HERE}/kernel.cu" {OUT}/t.cu)\nas_bytes({OUT}/t.cu {OUT}/k.cu)\n',
        f"{PROJECT}file(READ kernel.cu content HEX)\n",
        f"{PROJECT}configure_file(kernel.cu {OUT}/t.cu)\nfile(READ {OUT}/t.cu content HEX)\n",
        f"{PROJECT}add_custom_command(OUTPUT k.h COMMAND xxd -i {HERE}/kernel.cu k.h)\n",
    ],
    ids=["a function", "through another", "at once", "configured", "a tool"],
)
def test_a_file_that_cmake_makes_bytes_of(tmp_path: Path, build: str) -> None:
    files = {"CMakeLists.txt": build, "main.cpp": "int main() {}\n"}
    assert made(tmp_path, files) == GUARDED + KERNEL
    scan = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    assert [one.rule for one in scan.findings if one.rule == "build/cmake-cu-sources"] == []  # no target has it
    assert late_texts.compiled(tmp_path, list(scan.files)) == {"kernel.cu"}


@pytest.mark.parametrize(
    "build",
    [
        f"{JOINED}{PROJECT}inline_headers({HERE}/kernel.cu {OUT}/t.cu)\n",  # what becomes of it is not known
        f"{LIST}{PROJECT}as_bytes({HERE}/other.cu {OUT}/kernel.inc)\n",
        f"{PROJECT}file(READ kernel.cu content)\n",
        f"{PROJECT}add_custom_command(OUTPUT k.h COMMAND tool -i {HERE}/kernel.cu k.h)\n",
    ],
    ids=["written again", "another file", "as text", "another tool"],
)
def test_what_cmake_only_reads_may_be_compiled(tmp_path: Path, build: str) -> None:
    files = {"CMakeLists.txt": build, "main.cpp": "int main() {}\n"}
    assert made(tmp_path, files) == "#include <hip/hip_runtime.h>\n" + KERNEL


def test_a_function_that_makes_a_target_of_what_it_reads_compiles_it(tmp_path: Path) -> None:
    body = LIST.replace("endfunction", 'add_library(kernels "${INPUT}")\nendfunction')
    build = f"{body}project(a LANGUAGES CXX CUDA)\nas_bytes({HERE}/kernel.cu {OUT}/k.inc)\n"
    assert made(tmp_path, {"CMakeLists.txt": build}) == "#include <hip/hip_runtime.h>\n" + KERNEL


def test_a_header_that_the_host_reads_beside_such_a_text_is_for_hip_alone(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": f"{PROJECT}file(READ kernel.cu content HEX)\n",
        "kernel.cu": '#include "part.cuh"\n' + KERNEL,
        "part.cuh": "#ifndef __global__\n#define __global__\n#endif\n__global__ void twice(int *a);\n",
        "main.cpp": '#include "part.cuh"\nint main() {}\n',
    }
    written(tmp_path, files)
    done = pipeline.apply(tmp_path, Config(jobs=1, cache=False))
    part = next(one.after.decode() for one in done.conversions if one.path == "part.cuh")
    assert "#if defined(__HIPCC__) && !defined(__HIPCC_RTC__)\n#include <hip/hip_runtime.h>\n#endif\n" in part
