"""Names of CUDA's form that a repository defines itself: they are its own where they are seen, and CUDA's elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

LOADER = "#pragma once\ntypedef int CUdevice;\ntypedef int CUresult;\nextern CUresult (*cuInit)(unsigned);\n"
WRAPPER = "#pragma once\nnamespace mine { namespace inner { typedef int CUdevice; } }\n"
CALLER = "#include <cuda.h>\nCUdevice pick() { CUdevice one = 0; return one; }\n"


def named(root: Path, files: dict[str, str], name: str) -> list[str]:
    """The files with findings on a name."""
    written(root, files)
    return sorted({one.path for one in pipeline.scan(root, Config(jobs=1)).findings if one.name == name})


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        pytest.param({"load/api.h": LOADER, "a.cpp": CALLER}, ["a.cpp"], id="a header that others read"),
        pytest.param(
            {"load/api.h": LOADER, "load/one.cpp": '#include "api.h"\nCUdevice one;\n', "a.cpp": CALLER},
            ["a.cpp"],
            id="read by its own sources alone",
        ),
        pytest.param({"api.h": LOADER, "a.cpp": '#include "api.h"\n' + CALLER}, [], id="read by the file"),
        pytest.param(
            {"api.h": LOADER, "mid.h": '#include "api.h"\n', "a.cpp": '#include "mid.h"\n' + CALLER},
            [],
            id="read through another",
        ),
        pytest.param(
            {
                "api.h": LOADER,
                "part.h": "#pragma once\n#include <cuda.h>\nCUdevice part();\n",
                "a.cpp": '#include "api.h"\n#include "part.h"\n',
            },
            [],
            id="a part that is read together with it",
        ),
        pytest.param(
            {"load.cpp": "typedef int CUdevice;\nCUdevice own;\n", "a.cpp": CALLER}, ["a.cpp"], id="another source's"
        ),
        pytest.param(
            {"api.h": WRAPPER, "a.cpp": '#include "api.h"\nusing namespace mine::inner;\nCUdevice one;\n'},
            [],
            id="of a namespace that the file opens",
        ),
        pytest.param(
            {"api.h": WRAPPER, "a.cpp": '#include "api.h"\nusing namespace other;\n' + CALLER},
            ["a.cpp"],
            id="of a namespace that the file does not open",
        ),
        pytest.param(
            {"api.h": WRAPPER, "a.cpp": "using namespace mine::inner;\n" + CALLER},
            ["a.cpp"],
            id="of a namespace in a header that the file does not read",
        ),
        pytest.param({"a.cpp": "typedef int CUdevice;\n#include <cuda.h>\nCUdevice own;\n"}, [], id="the file's"),
    ],
)
def test_a_name_is_own_where_its_definition_is_seen(files: dict[str, str], reported: list[str], tmp_path: Path) -> None:
    if "load/api.h" in files:  # some file reads it: what no file includes, the build may give to all
        files = {**files, "load/load.cpp": '#include "api.h"\nCUresult (*cuInit)(unsigned);\n'}
    assert named(tmp_path, files, "CUdevice") == reported


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        pytest.param({"a.cpp": CALLER.replace("<cuda.h>", "<vector>")}, [], id="nothing else declares the name"),
        pytest.param({"a.cpp": CALLER.replace("cuda.h", "cuda_runtime.h")}, [], id="another header of CUDA's"),
        pytest.param({"a.cpp": CALLER}, ["a.cpp"], id="the file reads CUDA's header"),
        pytest.param(
            {
                "part.h": "#pragma once\ninline CUdevice part() { return 0; }\n",
                "a.cpp": '#include <cuda.h>\n#include "part.h"\n',
            },
            ["part.h"],
            id="who includes the file reads CUDA's header",
        ),
        pytest.param(
            {"a.cpp": CALLER, "Makefile": "a: a.cpp\n\tg++ -include load/config.h a.cpp\n"}, [], id="the build gives it"
        ),
        pytest.param(
            {"a.cpp": CALLER, "Makefile": "a: a.cpp\n\tg++ -include other.h a.cpp\n"}, ["a.cpp"], id="it gives another"
        ),
    ],
)
def test_a_header_that_no_file_includes_counts_where_cudas_own_is_not_read(
    files: dict[str, str], reported: list[str], tmp_path: Path
) -> None:
    assert named(tmp_path, {"load/config.h": LOADER, **files}, "CUdevice") == reported


MOCK = "#pragma once\n#define cudaFree(x) (void)0\n"
MOCKED = """\
#ifdef {macro}
#include <cuda_runtime.h>
#else
#include "mock.h"
#endif
#include "release.h"
void all(void *p) {{ cudaFree(p); }}
"""
RELEASE = "#pragma once\ninline void release(void *p) { cudaFree(p); }\n"


@pytest.mark.parametrize(
    ("source", "macro", "reported"),
    [
        pytest.param("a.cu", "__CUDACC__", ["a.cu", "release.h"], id="for other compilers than nvcc"),
        pytest.param("a.cu", "__NVCC__", ["a.cu", "release.h"], id="by its other macro"),
        pytest.param("a.cu", "WITH_GPU", [], id="chosen by a build"),
        pytest.param("a.cpp", "__CUDACC__", [], id="a file that nvcc does not compile"),
    ],
)
def test_a_mock_for_other_compilers_is_not_what_nvcc_reads(
    source: str, macro: str, reported: list[str], tmp_path: Path
) -> None:
    files = {"mock.h": MOCK, "release.h": RELEASE, source: MOCKED.format(macro=macro)}
    assert named(tmp_path, files, "cudaFree") == reported


def test_a_definition_for_nvcc_too_stays_the_projects(tmp_path: Path) -> None:
    files = {"mock.h": MOCK, "release.h": RELEASE, "a.cu": '#include "mock.h"\n' + MOCKED.format(macro="__CUDACC__")}
    assert named(tmp_path, files, "cudaFree") == []


def test_a_call_behind_a_macro_is_no_definition(tmp_path: Path) -> None:
    text = """#include <cuda_runtime.h>
#define CHECKED { if (cudaGetLastError()) return; }
void f(cudaArray *a, void *p) {
  CHECKED

  cudaMemcpy2DToArray(a, 0, 0, p, 4, 4, 1, cudaMemcpyHostToDevice);
  CHECKED
}
struct Stream { Stream(int); };
void g() { Stream cudaStream(0); }
"""
    assert named(tmp_path, {"a.cu": text}, "cudaMemcpy2DToArray") == ["a.cu"]
    assert named(tmp_path, {"a.cu": text}, "cudaStream") == []


STAND_IN = """\
#pragma once
{language}
static unsigned __ballot_sync(unsigned mask, int yes) {{ return mask & (yes ? ~0u : 0u); }}
static unsigned voted(int yes) {{ return __ballot_sync(~0u, yes); }}
"""
VOTES = (
    '#include "rt.h"\n__global__ void k(unsigned *a, int *b) { a[0] = __ballot_sync(0xffffffffu, b[threadIdx.x]); }\n'
)


@pytest.mark.parametrize(
    ("language", "reported"),
    [
        pytest.param("#define __global__ __attribute__((global))", ["a.cu"], id="in the place of CUDA's headers"),
        pytest.param("#ifndef __CUDACC__\n#define __global__\n#endif", [], id="beside them"),
        pytest.param("#define __mine__", [], id="another word"),
    ],
)
def test_who_reads_cudas_headers_sees_no_file_in_their_place(
    tmp_path: Path, language: str, reported: list[str]
) -> None:
    files = {
        "crt.h": STAND_IN.format(language=language),
        "rt.h": '#pragma once\n#ifdef AT_RUN_TIME\n#include "crt.h"\n#endif\n',
        "a.cu": VOTES,
    }
    assert sorted(set(named(tmp_path, files, "__ballot_sync"))) == reported


MEMBER = "#pragma once\nnamespace mine { struct Context { Context(); int cuInit(unsigned); int got; }; }\n"


@pytest.mark.parametrize(("function", "reported"), [("Context::Context()", []), ("void start()", ["a.cpp"])])
def test_a_constructor_calls_the_functions_of_its_class(function: str, reported: list[str], tmp_path: Path) -> None:
    code = f'#include "api.h"\nnamespace mine {{\n{function}\n    : got(0)\n{{\n    got = cuInit(0);\n}}\n}}\n'
    code = code if reported == [] else code.replace("    : got(0)\n", "").replace("got = ", "")
    assert named(tmp_path, {"api.h": MEMBER, "a.cpp": code}, "cuInit") == reported


BROKEN = """\
#pragma once
struct Starter {
    struct Policy {
        enum {
        Config &config)
    {
    #if (ARCH > 0)
#endif
    }
    API __forceinline__
    static cudaError_t start(
"""


def test_the_type_of_a_function_in_text_that_does_not_parse_is_not_declared_there(tmp_path: Path) -> None:
    files = {"b.cuh": BROKEN, "a.cu": '#include "b.cuh"\ncudaError_t last() { return cudaGetLastError(); }\n'}
    assert named(tmp_path, files, "cudaError_t") == ["a.cu", "b.cuh"]
    files["b.cuh"] = BROKEN + "typedef int cudaError_t;\n"
    files["b.cuh"] = "typedef int cudaError_t;\n" + files["b.cuh"]
    assert named(tmp_path / "own", files, "cudaError_t") == []


@pytest.mark.parametrize(
    ("path", "build", "reported"),
    [
        ("Makefile", "FLAGS = -DNCCL_MINE_LINUX\na: a.cu\n\tnvcc $(FLAGS) a.cu\n", []),
        ("CMakeLists.txt", "add_executable(a a.cu)\ntarget_compile_definitions(a PRIVATE NCCL_MINE_LINUX=1)\n", []),
        ("Makefile", "# NCCL_MINE_LINUX is set elsewhere\na: a.cu\n\tnvcc a.cu\n", ["a.cu"]),
    ],
)
def test_a_macro_that_a_build_file_gives_is_the_projects(
    tmp_path: Path, path: str, build: str, reported: list[str]
) -> None:
    code = "#include <nccl.h>\nint f() { return NCCL_MINE_LINUX; }\n"
    assert named(tmp_path, {path: build, "a.cu": code}, "NCCL_MINE_LINUX") == reported


STORE = "namespace mine { class Store { void release(); static void cudaFree(void *&p, int how); void *at; }; }\n"
RELEASED = "void Store::release() { cudaFree(at, 1); }\nvoid Store::cudaFree(void *&p, int how) { ::cudaFree(p); }\n"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        pytest.param(f"using namespace mine;\n{RELEASED}", [4], id="the namespace of the class is opened"),
        pytest.param(f"namespace mine {{\n{RELEASED}}}\n", [4], id="the namespace is around"),
        pytest.param(f"\n{RELEASED.replace('Store::', 'mine::Store::', 2)}", [4], id="the namespace is named"),
        pytest.param("\nvoid Other::release() { cudaFree(at); }\n", [3], id="of a class that has none of the name"),
        pytest.param("using namespace mine;\nvoid release(void *p) { cudaFree(p); }\n", [3], id="of no class"),
        pytest.param("using namespace other;\nvoid Store::release() { cudaFree(at); }\n", [3], id="of another class"),
    ],
)
def test_in_a_member_function_the_members_of_its_class_are_meant(code: str, lines: list[int], tmp_path: Path) -> None:
    written(tmp_path, {"inc/store.h": f"#pragma once\n{STORE}", "a.cpp": f'#include "inc/store.h"\n{code}'})
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.name == "cudaFree"]
    assert [one.position.line for one in found] == lines


REPORT = "#pragma once\n#include <cuda_runtime.h>\n#define CHECK(e) (cudaError(e, __LINE__))\n{}\n"
OWN = "void cudaError(cudaError_t e, int line);"
USER = '#include "report.h"\nvoid f(float *p) {{ {} }}\n'


@pytest.mark.parametrize(
    ("own", "code", "reported"),
    [
        pytest.param(OWN, "cudaError(cudaFree(p), 3);", [], id="a call"),
        pytest.param(f'extern "C" {{ {OWN} }}', "cudaError(cudaFree(p), 3);", [], id="of C"),
        pytest.param(f"#ifdef DEBUG\n{OWN}\n#endif", "cudaError(cudaFree(p), 3);", [], id="behind a condition"),
        pytest.param(f"inline {OWN[:-1]} {{}}", "cudaError(cudaFree(p), 3);", [], id="defined"),
        pytest.param(OWN, "enum cudaError e = cudaFree(p);", ["a.cu"], id="the type, as C says it"),
        pytest.param(OWN, "auto e = cudaError::cudaSuccess;", ["a.cu"], id="the type as a scope"),
        pytest.param("cudaError last(int line);", "last(3);", ["report.h"], id="a result of the type"),
        pytest.param("cudaError (*last)(int line);", "last(3);", ["report.h"], id="a pointer to what gives the type"),
        pytest.param("", "cudaError e = cudaFree(p);", ["a.cu", "report.h"], id="no function"),
    ],
)
def test_a_function_by_the_name_of_a_type_is_the_projects_own(
    tmp_path: Path, own: str, code: str, reported: list[str]
) -> None:
    files = {"report.h": REPORT.format(own), "a.cu": USER.format(code)}
    assert named(tmp_path, files, "cudaError") == reported


def test_a_function_by_the_name_of_a_type_is_not_seen_by_what_does_not_read_it(tmp_path: Path) -> None:
    other = "#include <cuda_runtime.h>\ncudaError g(float *p) { return cudaError(cudaFree(p)); }\n"
    files = {"report.h": REPORT.format(OWN), "a.cu": USER.format("CHECK(cudaFree(p));"), "b.cu": other}
    assert named(tmp_path, files, "cudaError") == ["b.cu"]


FUNCTIONS = ["Init", "DeviceGet", "CtxCreate", "CtxDestroy", "MemAlloc", "MemFree", "StreamCreate", "StreamDestroy"]
TYPES = """typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 } CUresult;
#if defined(__x86_64__)
typedef unsigned long long CUdeviceptr;
#else
typedef unsigned int CUdeviceptr;
#endif
typedef struct CUctx_st *CUcontext;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
#define CU_MEMHOSTALLOC_PORTABLE 0x01
"""
LOOKED_UP = "".join(f"typedef CUresult CUDAAPI tcu{name}(int *one);\n" for name in FUNCTIONS)
READER = '#include "driver.h"\nCUcontext context;\nCUdeviceptr at() { return CU_MEMHOSTALLOC_PORTABLE; }\n'


@pytest.mark.parametrize(
    "functions",
    [LOOKED_UP, LOOKED_UP.replace("CUDAAPI tcu", "(*PFN_cu").replace("(int", ")(int")],
    ids=["functions", "pointers"],
)
def test_a_header_that_declares_the_driver_stays_as_it_is(tmp_path: Path, functions: str) -> None:
    written(tmp_path, {"driver.h": f"#pragma once\n{TYPES}{functions}", "load.cpp": READER})
    assert pipeline.scan(tmp_path, Config(jobs=1)).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"#include <cuda.h>\n{LOOKED_UP}", id="with CUDA's own types"),
        pytest.param(f"{TYPES}{LOOKED_UP[: LOOKED_UP.index('typedef', 9)]}", id="one function"),
    ],
)
def test_a_header_that_uses_the_driver_is_converted(tmp_path: Path, text: str) -> None:
    written(tmp_path, {"driver.h": f"#pragma once\n{text}", "load.cpp": READER})
    assert {"CUcontext", "CUdeviceptr"} & {one.name for one in pipeline.scan(tmp_path, Config(jobs=1)).findings}
