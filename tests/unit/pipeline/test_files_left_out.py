"""A file that a HIP port has nothing of is one gap, and its work is priced as that of native code."""

from __future__ import annotations

from pathlib import Path

from porttrees import BRANCHES, facts, marks, scanned, written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.reporting.formats import markdown

BUILD = (
    'option(NV "" ON)\noption(AMD "" OFF)\nif(NV)\n  enable_language(CUDA)\n  list(APPEND SRC fast.cu)\n'
    "elseif(AMD)\n  enable_language(HIP)\nendif()\nadd_library(l both.cu ${SRC})\n"
)
FAST = '#include "fast.cuh"\n__global__ void fast(float *a) {}\nvoid f(void **p) { cudaMalloc(p, 4); cudaFree(*p); }\n'
FILES = {
    "CMakeLists.txt": BUILD,
    "both.cu": BRANCHES % "LIB_AMD" + "__global__ void k() {}\n__global__ void l() {}\n",
    "fast.cu": FAST,
    "fast.cuh": "#include <cuda_fp16.h>\n",
}


def test_a_file_for_cuda_alone_is_one_gap_with_its_header(tmp_path: Path) -> None:
    report = scanned(tmp_path, FILES)
    assert [(one.rule, one.path, one.fix) for one in report.findings] == [("build/left-to-cuda", "fast.cu", None)]
    assert "CMakeLists.txt:5" in report.findings[0].message
    assert "4 places of CUDA's in 2 files, 1 kernel" in report.findings[0].message
    assert report.port is not None and (report.port.gaps, report.port.kernels, report.port.ported) == (1, 3, 2)
    assert report.rules["build/left-to-cuda"].title


def test_what_is_missing_is_no_error_of_the_build(tmp_path: Path) -> None:
    report = scanned(tmp_path, FILES)
    assert [one.outcome for one in report.findings] == ["missing"]
    assert "missing on AMD" in markdown.render(report)


def test_tests_of_what_is_missing_are_one_gap_for_a_folder(tmp_path: Path) -> None:
    def found(folder: str) -> list[str]:
        build = BUILD.replace("fast.cu)", f"fast.cu {folder}/a.cu {folder}/b.cu)")
        most = BRANCHES % "LIB_AMD" + "".join(f"__global__ void k{at}() {{}}\n" for at in range(9))
        more = {f"{folder}/a.cu": FAST, f"{folder}/b.cu": FAST, "both.cu": most, "CMakeLists.txt": build}
        return [one.path for one in scanned(tmp_path / folder, {**FILES, **more}).findings]

    assert found("unit_tests") == ["fast.cu", "unit_tests/a.cu"]
    assert found("contests") == ["contests/a.cu"]  # with the others that the same command names


def test_the_places_of_the_file_are_priced_and_not_the_one_gap(tmp_path: Path) -> None:
    report = scanned(tmp_path, FILES)
    assert report.estimate is not None
    items = {(one.kind, one.path, one.count) for one in report.estimate.items}
    assert {("tests", "fast.cu", 1), ("review", "fast.cu", 3), ("review", "fast.cuh", 1)} <= items
    assert sum(one.findings for one in report.estimate.components) == 1


def test_apply_leaves_the_file_alone(tmp_path: Path) -> None:
    build = BUILD.replace("if(NV)", "if(LIB_CUDA)").replace("if(AMD)", "if(LIB_HIP)")
    written(tmp_path, {**FILES, "CMakeLists.txt": build})
    made = pipeline.apply(tmp_path, Config(jobs=1), unsafe=True)
    assert not made.conversions and [one.rule for one in made.report.findings] == ["build/left-to-cuda"]


def test_a_file_that_hip_builds_keeps_each_of_its_gaps(tmp_path: Path) -> None:
    build = BUILD.replace("enable_language(HIP)", "enable_language(HIP)\n  list(APPEND SRC fast.cu)")
    found = scanned(tmp_path, {**FILES, "CMakeLists.txt": build}).findings
    assert "build/left-to-cuda" not in {one.rule for one in found}
    assert {one.name for one in found} >= {"cudaMalloc", "cudaFree"}


CONFIG = "#cmakedefine LIB_CUDA\n#cmakedefine LIB_AMD\n"
USES = '#ifdef LIB_CUDA\n#include <cuda_runtime.h>\n#include "nv.h"\n#endif\n#ifdef LIB_AMD\n%s#endif\n'
PASSED = {
    "config.h.cmakein": CONFIG,
    "CMakeLists.txt": "project(l LANGUAGES CXX)\noption(LIB_AMD)\nif(LIB_AMD)\n  enable_language(HIP)\n"
    "  add_definitions(-DLIB_AMD)\nendif()\nconfigure_file(config.h.cmakein config.h)\nadd_library(l a.cpp)\n"
    "if(LIB_CUDA)\n  target_sources(l nv.cpp)\nendif()\n",
    "a.cpp": USES % "#include <hip/hip_runtime.h>\nhipStream_t s;\n",
    "b.cpp": USES % "hipStream_t t;\n",
    "c.cpp": USES % "hipStream_t u;\n",
    "nv.cpp": '#include "nv.h"\nvoid f(void **p) { cudaMalloc(p, 4); }\n',
    "nv.h": "void f(cudaStream_t s);\n",
}


def test_a_variable_that_a_header_passes_on_says_what_is_built_for_cuda(tmp_path: Path) -> None:
    found = facts(tmp_path, PASSED)
    assert found.cuda_only == {"nv.cpp": "CMakeLists.txt:10", "nv.h": "CMakeLists.txt:10"}


DEEP = {
    "nv.h": '#include "b1.h"\n',
    "b1.h": '#include "b2.h"\n',
    "b2.h": '#include "b3.h"\n',
    "b3.h": '#include "b4.h"\n',
}


def test_so_are_the_headers_of_its_headers_but_for_what_others_of_use_include(tmp_path: Path) -> None:
    deep = {**PASSED, **DEEP, "b4.h": "int b;\n", "unused.h": '#include "b4.h"\n'}
    assert set(facts(tmp_path / "a", deep).cuda_only) == {"nv.cpp", "nv.h", "b1.h", "b2.h", "b3.h", "b4.h"}
    used = {**deep, "c.cpp": USES % '#include "unused.h"\nhipStream_t u;\n'}
    assert "b4.h" not in facts(tmp_path / "b", used).cuda_only
    public = {name: text for name, text in deep.items() if name != "unused.h"}
    assert "b4.h" not in facts(tmp_path / "c", {**public, "include/l.h": '#include "../b4.h"\n'}).cuda_only


def test_a_header_that_hips_side_includes_too_is_not_cudas(tmp_path: Path) -> None:
    shared = {"b.cpp": '#ifdef LIB_AMD\nhipStream_t t;\n#endif\n#include "nv.h"\n'}
    assert set(facts(tmp_path, {**PASSED, **shared}).cuda_only) == {"nv.cpp"}


ENTERED = (
    "if(${NV})\n  set(LANG CUDA)\nelse()\n  set(LANG HIP)\nendif()\nproject(l LANGUAGES CXX ${LANG})\n"
    "add_subdirectory(src)\n%s"
)


def test_a_folder_that_a_build_enters_for_cuda_alone_is_cudas(tmp_path: Path) -> None:
    files = {
        "src/CMakeLists.txt": "add_library(l a.cu)\n",
        "src/a.cu": BRANCHES % "LIB_AMD",
        "try/CMakeLists.txt": "add_library(t t.cu)\n",
        "try/t.cu": "void f(void **p) { cudaMalloc(p, 4); }\n",
    }
    inside = ENTERED % "if(${NV})\n  add_subdirectory(try)\nendif()\n"
    assert facts(tmp_path / "a", {**files, "CMakeLists.txt": inside}).cuda_only == {"try/t.cu": "CMakeLists.txt:9"}
    assert facts(tmp_path / "b", {**files, "CMakeLists.txt": ENTERED % "add_subdirectory(try)\n"}).cuda_only == {}


def test_the_module_for_cuda_beside_one_for_hip_sets_what_only_cuda_has(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "project(l LANGUAGES CXX)\ninclude(${TARGET})\nadd_library(l a.cpp)\n",
        "targets/cuda/target_cuda.cmake": "enable_language(CUDA)\nif(MARKS)\n  add_definitions(-DLIB_MARKS)\nendif()\n",
        "a.cpp": BRANCHES % "LIB_AMD" + "#ifdef LIB_MARKS\n#include <nvtx3/nvToolsExt.h>\n#endif\n",
    }
    hip = {"targets/hip/target_hip.cmake": "enable_language(HIP)\nadd_definitions(-DLIB_AMD)\n"}
    assert "-LIB_MARKS" in marks(tmp_path / "a", {**files, **hip})
    alone = {"other.cmake": "enable_language(HIP)\nadd_definitions(-DLIB_AMD)\n"}
    assert "-LIB_MARKS" not in marks(tmp_path / "b", {**files, **alone})


MAKE = (
    "ifeq ($(USE_CUDA),TRUE)\n  CXX = nvcc\n  DEFINES += -DLIB_CUDA\nendif\nifeq ($(USE_HIP),TRUE)\n  CXX = hipcc\n"
    "  DEFINES += -DLIB_AMD\nendif\nifeq ($(USE_TRACE),TRUE)\n  ifeq ($(%s),TRUE)\n    DEFINES += -DLIB_TRACE\n"
    "  endif\nendif\n"
)


def test_a_macro_that_a_makefile_defines_for_cuda_alone_is_cudas(tmp_path: Path) -> None:
    files = {"a.cpp": BRANCHES % "LIB_AMD" + "#ifdef LIB_TRACE\n#include <cupti.h>\n#endif\n"}
    assert {"LIB_AMD", "-LIB_TRACE"} <= marks(tmp_path / "a", {**files, "Makefile": MAKE % "USE_CUDA"})
    assert "-LIB_TRACE" not in marks(tmp_path / "b", {**files, "Makefile": MAKE % "USE_MPI"})


def test_a_source_that_no_build_names_is_no_gap(tmp_path: Path) -> None:
    names = ("a.cu", "b.cu", "c.cu")
    build = (
        "project(l LANGUAGES CXX)\nif(AMD)\n  enable_language(HIP)\nendif()\nadd_library(l a.cu b.cu c.cu # old.cu\n)\n"
    )
    files = dict.fromkeys(names, BRANCHES % "LIB_AMD") | {
        "CMakeLists.txt": build,
        "old.cu": '#include "old.cuh"\nvoid f(void **p) { cudaMalloc(p, 4); }\n',
        "old.cuh": "#pragma once\nvoid g(cudaStream_t s);\n",
    }
    report = scanned(tmp_path / "a", files)
    assert report.findings == () and report.port is not None
    assert report.port.covered["in a file that no build compiles"] >= 2
    assert (
        facts(tmp_path / "b", {**files, "CMakeLists.txt": build.replace("# old.cu", "old.cu")}).unbuilt == frozenset()
    )
    listed = build.replace("a.cu b.cu", "${ALL}") + "file(GLOB ALL *.cu)\n"
    assert facts(tmp_path / "c", {**files, "CMakeLists.txt": listed}).unbuilt == frozenset()
    for word, count in (("sum_global.o", 1), ("$(wildcard *.cu)", 0)):
        make = {"Makefile": f"OBJECTS = {word}\nclean:\n\trm -f *\n"}
        assert len(facts(tmp_path / f"make{count}", {**files, **make}).unbuilt & {"old.cu"}) == count
    user = {"a.cu": BRANCHES % "LIB_AMD" + '#include "old.cu"\n'}
    assert facts(tmp_path / "d", {**files, **user}).unbuilt == frozenset()


SOLVER = (
    "%s#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 4); cudaFree(*p); }\n%svoid g(void *p) { %s; }\n"
)


def test_a_file_that_includes_what_hip_has_not_wherever_it_has_a_gap_is_one_gap(tmp_path: Path) -> None:
    def found(name: str, code: str, more: dict[str, str] | None = None) -> list[str]:
        build = BUILD.replace("both.cu", "both.cu solver.cpp") + 'option(SOLVER "" OFF)\n'
        tree = {"CMakeLists.txt": build, "both.cu": FILES["both.cu"], "solver.cpp": code, **(more or {})}
        return [one.rule for one in scanned(tmp_path / name, tree).findings if one.path == "solver.cpp"]

    assert found("all", SOLVER % ("#ifdef SOLVER\n", "#endif\n", "work()")) == ["build/left-to-cuda"]
    assert found("plain", SOLVER % ("", "", "work()")) == ["build/left-to-cuda"]
    outside = found("outside", SOLVER % ("#ifdef SOLVER\n", "#endif\n", "cudaFree(p)"))
    assert "build/left-to-cuda" not in outside and len(outside) == 4
    shim = "".join(f"#define cuda{name} hip{name}\n" for name in ("Memcpy", "Memset", "Stream_t"))
    shim = {"shim.h": f"#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n{shim}#endif\n"}
    assert "build/left-to-cuda" not in found("shim", SOLVER % ("", "", "work()"), shim)
