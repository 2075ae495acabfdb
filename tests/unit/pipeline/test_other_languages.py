"""Files of languages that nothing reads are named where there is CUDA code: what they call is not counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.reporting.basis import basis
from cudamigrate.reporting.formats import text as formats
from cudamigrate.reporting.headline import sentence
from cudamigrate.reporting.summary import summarize

CGO = 'package a\n\n//#include <cuda.h>\nimport "C"\n'
KERNEL = "__global__ void k() {}\nvoid f() { cudaDeviceSynchronize(); }\n"
SAID = "Not read: files of other languages (1 CUDA Fortran, 2 Go). Their use of CUDA is not counted."


def lines(folder: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    report = pipeline.scan(folder, Config(jobs=1))
    assert not summarize(report).skipped and all(skip.notice for skip in report.skipped)
    return basis(report)


def test_beside_cuda_code_they_are_named(tmp_path: Path) -> None:
    assert SAID in lines(tmp_path, {"a.cu": KERNEL, "a.go": "// CUDA\n", "b/b.go": "", "c.cuf": ""})


def test_without_cuda_code_nothing_is_said(tmp_path: Path) -> None:
    assert not any(line.startswith("Not read") for line in lines(tmp_path, {"a.cpp": "int a;\n", "a.go": ""}))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.cl", "#ifdef __NVCC__\n#define DEVICE __device__\n#endif\n", "OpenCL"),
        ("a.cl", 'void f(uint *r) { asm("mov.u32 %0, 1;" : "=r"(*r)); }\n', "OpenCL"),
        ("a.cl", "__kernel void k() {}\n", ""),
        ("a.rs", 'const NAME: &str = "nvcc";\n', "Rust"),
        ("a.rs", "fn main() {}\n", ""),
        ("A.java", "import jcuda.Pointer;\n", "Java"),
        ("A.java", "class A {}\n", ""),
    ],
)
def test_languages_that_name_cuda_are_in_the_sentence(tmp_path: Path, name: str, text: str, said: str) -> None:
    found = lines(tmp_path, {"a.cpp": "int a;\n", name: text})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    decision, shown = sentence(report), formats.render(report)
    if not said:
        assert decision == "Nothing to port: no GPU code was found."
        assert not any("ot read" in line for line in found) and "There is no GPU code" not in decision
        return
    assert decision == f"No GPU code was found, but {said} files name CUDA and were not read."
    assert "so nothing needs to move" not in shown
    assert any(line.startswith(("Not read: ", "OpenCL is here too")) and said in line for line in found)


def test_vendored_ones_do_not_count(tmp_path: Path) -> None:
    said = lines(tmp_path, {"a.cu": KERNEL, "third_party/go/a.go": ""})
    assert not any(line.startswith("Not read") for line in said)


def test_opencl_beside_cuda_code_runs_on_amd_already(tmp_path: Path) -> None:
    said = lines(tmp_path, {"a.cu": KERNEL, "cl/a.cl": "__kernel void k() {}\n", "cl/b.cl": ""})
    assert any(line.startswith("OpenCL is here too (2 files, not read), and AMD GPUs run it.") for line in said)
    assert not any(line.startswith("Not read") for line in said)


def test_days_that_leave_out_most_files_say_so_in_the_decision(tmp_path: Path) -> None:
    lines(tmp_path, {"a.cu": KERNEL, "b.cu": KERNEL, "a.go": "", "b.go": "", "c.cl": "", "d.cl": "", "e.cl": ""})
    assert "not read" not in sentence(pipeline.scan(tmp_path, Config(jobs=1)))
    lines(tmp_path, {"c.go": ""})
    assert "not read" not in sentence(pipeline.scan(tmp_path, Config(jobs=1)))  # none of them uses CUDA
    lines(tmp_path, {"c.go": CGO})
    said = sentence(pipeline.scan(tmp_path, Config(jobs=1)))
    assert said.endswith(". Not counted, because not read: 3 Go files.")


@pytest.mark.parametrize(("ending", "name"), [("scala", "Scala"), ("kt", "Kotlin"), ("java", "Java"), ("jl", "Julia")])
def test_languages_that_call_cuda_by_bindings_are_named(ending: str, name: str, tmp_path: Path) -> None:
    said = lines(tmp_path, {"a.cu": KERNEL, f"a.{ending}": "import jcuda.Pointer\n"})
    assert f"Not read: files of other languages (1 {name}). Their use of CUDA is not counted." in said


@pytest.mark.parametrize("names", [False, True])
def test_wrappers_that_do_not_name_cuda_leave_nothing_out(names: bool, tmp_path: Path) -> None:
    wrappers = {f"{name}.java": "class A { native void f(); }\n" for name in "abc"}
    last = "import jcuda.Pointer;\n" if names else "class B {}\n"
    said = lines(tmp_path, {"a.cu": KERNEL, **wrappers, "d.java": last})
    counted = sentence(pipeline.scan(tmp_path, Config(jobs=1))).endswith(" because not read: 4 Java files.")
    assert counted == names == ("Not read: files of other languages that do not name CUDA (4 Java)." not in said)


def test_what_most_code_for_cuda_is_in_decides(tmp_path: Path) -> None:
    """Where most files that use CUDA were not read, nothing says that all of it can be ported."""
    said = lines(tmp_path, {"a.cu": KERNEL, "a.go": CGO, "c.go": "package a\n"})
    assert any(
        "(2 Go). Their use of CUDA is not counted, but for one place a file in 1 Go file." in one for one in said
    )
    assert sentence(pipeline.scan(tmp_path, Config(jobs=1))).startswith("Port it. ")
    lines(tmp_path, {"b.go": CGO})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    decided = "Look at the Go code first: 2 of 3 files that use CUDA are of it and were not read. "
    assert sentence(report).startswith(decided)
    assert report.estimate is not None
    assert report.estimate.verdicts[-1].because.startswith("Most files that use CUDA were not read: 2 Go files.")


def test_cython_that_names_cuda_is_told_and_said_to_be_not_read(tmp_path: Path) -> None:
    declared = 'cdef extern from "cuda_runtime_api.h":\n    int cudaSetDevice(int)\n    int cudaFree(void *)\n'
    called = "from a cimport cudaSetDevice\ncudaSetDevice(0)\ncudaSetDevice(1)\n"
    files = {"a.pxd": declared, "b.pyx": called, "c.pyx": "from a cimport d\n", "k.cu": KERNEL}
    assert any("(3 Cython). Their use of CUDA is not counted, but for" in line for line in lines(tmp_path, files))
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [(one.path, one.rule) for one in found if one.path != "k.cu"] == [
        ("a.pxd", "python/cython-header"),
        ("b.pyx", "python/cython-call"),
    ]


def test_calls_in_cython_are_those_of_a_port(tmp_path: Path) -> None:
    ported = "#ifdef USE_HIP\n#include <hip/hip_runtime.h>\n#define cudaFree hipFree\n#else\n"
    ported += "#include <cuda_runtime.h>\n#endif\n"
    build = "option(USE_HIP)\nif(USE_HIP)\n  find_package(hip)\n  add_compile_definitions(USE_HIP)\nendif()\n"
    own = 'cdef extern from "own.h":\n    int cudaFree(void *)\n\ncudaFree(NULL)\n'
    lines(tmp_path, {"own.h": ported, "CMakeLists.txt": build, "a.pyx": own, "k.cu": f'#include "own.h"\n{KERNEL}'})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert report.port is not None and not [one for one in report.findings if one.path == "a.pyx"]


def test_rust_that_uses_cuda_is_told_for_each_file_and_build_scripts_are_read(tmp_path: Path) -> None:
    script = 'fn main() { println!("cargo:rustc-link-lib=cudart"); }\n'
    files = {"src/a.rs": "use cudarc::driver;\n", "src/b.rs": "mod a;\n", "build.rs": script, "k.cu": KERNEL}
    said = lines(tmp_path, files)
    assert any(
        "(2 Rust). Their use of CUDA is not counted, but for one place a file in 1 Rust file." in one for one in said
    )
    assert any(line.startswith("2 files read") for line in said)
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [(one.path, one.rule) for one in found if one.path != "k.cu"] == [
        ("build.rs", "build/cargo-link"),
        ("src/a.rs", "api/rust-binding"),
    ]


def test_fortran_that_binds_cuda_is_told_beside_cuda_code(tmp_path: Path) -> None:
    bound = 'interface\nfunction release(p) bind(C, name="cudaFree")\nend function\nend interface\n'
    files = {"a.f90": bound, "b.f90": "end\n", "c.cuf": bound, "k.cu": KERNEL}
    said = "(1 CUDA Fortran, 2 Fortran). Their use of CUDA is not counted, but for one place a file in 1 Fortran file."
    assert any(said in one for one in lines(tmp_path, files))
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [(one.path, one.rule) for one in found if one.path != "k.cu"] == [("a.f90", "api/fortran-binding")]


def test_no_rust_file_is_said_to_be_counted_where_none_has_a_finding(tmp_path: Path) -> None:
    said = lines(tmp_path, {"src/a.rs": "use own::driver; // of CUDA\n", "k.cu": KERNEL})
    assert "Not read: files of other languages (1 Rust). Their use of CUDA is not counted." in said
