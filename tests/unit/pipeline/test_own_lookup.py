"""Names of CUDA's form that C++ finds in scopes of the project: in bases of classes, and where `using` brings them."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

POOL = """#pragma once
namespace store { namespace pool {
inline int cudaMalloc(void **p, unsigned long n) { *p = nullptr; return 5; }
inline int cudaFree(int page) { return page; }
typedef int cudaStream_t;
enum Level { cudaSuccess = 7 };
inline int cublasCreate(int *h) { return 0; }
} }
"""
BASE = """#pragma once
namespace store {
struct Counted { int live; int cudaMalloc(void **p, unsigned long n) { return ++live; } enum { cudaSuccess = 3 }; };
template <class T> struct Shared : Counted { T held; };
}
"""
HEAD = '#include <cuda_runtime.h>\n#include <cublas_v2.h>\n#include "pool.h"\n#include "base.h"\n'
ALLOCATES = "int {}(void **p) {{ return cudaMalloc(p, 8); }}"


def places(root: Path, code: str, name: str, **files: str) -> list[tuple[int, bool]]:
    """The lines of the code with findings on a name, and whether each is fixed."""
    written(root, {"pool.h": POOL, "base.h": BASE, **files, "a.cu": HEAD + code + "\n"})
    found = [one for one in pipeline.scan(root, Config(jobs=1)).findings if one.path == "a.cu" and one.name == name]
    return [(one.position.line - HEAD.count("\n"), one.fix is not None) for one in found]


MALLOC = "cudaMalloc(p, 8);\n}\nint g(void **p) {\n  return cudaMalloc(p, 8);\n}"


@pytest.mark.parametrize(
    ("code", "name", "found"),
    [
        pytest.param(
            f"int f(void **p) {{\n  using store::pool::cudaMalloc;\n  return {MALLOC}",
            "cudaMalloc",
            [(6, True)],
            id="a block",
        ),
        pytest.param(
            f"int f(void **p) {{\n  {{ using store::pool::cudaMalloc; }}\n  return {MALLOC}",
            "cudaMalloc",
            [(3, True), (6, True)],
            id="another block",
        ),
        pytest.param(
            f"int f(void **p) {{\n  using ::cudaMalloc;\n  return {MALLOC}",
            "cudaMalloc",
            [(2, True), (3, True), (6, True)],
            id="the global one",
        ),
        pytest.param(
            f"namespace m = store::pool;\nint f(void **p) {{ using m::cudaMalloc;\n  return {MALLOC}",
            "cudaMalloc",
            [(6, True)],
            id="an alias",
        ),
        pytest.param(
            f"int f(void **p) {{ using other::cudaMalloc;\n\n  return {MALLOC}",
            "cudaMalloc",
            [(3, False), (6, True)],
            id="not seen",
        ),
        pytest.param(
            "int f() {\n  using store::pool::cudaStream_t;\n  cudaStream_t s = 1;\n}\ncudaStream_t g();",
            "cudaStream_t",
            [(5, True)],
            id="a type",
        ),
        pytest.param(
            "int f() {\n  using store::pool::cudaSuccess;\n  return cudaSuccess;\n}\nint g = cudaSuccess;",
            "cudaSuccess",
            [(5, True)],
            id="an enumerator",
        ),
        pytest.param(
            "int f(int *h) {\n  using store::pool::cublasCreate;\n  return cublasCreate(h);\n}\n"
            "int g(cublasHandle_t *h) { return cublasCreate(h); }",
            "cublasCreate",
            [(5, True)],
            id="a library's",
        ),
        pytest.param(
            f"namespace store {{ using pool::cudaMalloc;\nint f(void **p) {{\n  return {MALLOC} }}\n"
            "int h(void **p) { return cudaMalloc(p, 8); }",
            "cudaMalloc",
            [(8, True)],
            id="a namespace",
        ),
    ],
)
def test_what_using_brings_is_the_projects_in_its_scope(
    code: str, name: str, found: list[tuple[int, bool]], tmp_path: Path
) -> None:
    assert places(tmp_path, code, name) == found


@pytest.mark.parametrize(
    ("code", "name", "found"),
    [
        pytest.param(
            "using store::pool::cudaFree;\nint a = cudaFree(1);", "cudaFree", [(2, False)], id="either may be meant"
        ),
        pytest.param(
            "void f(void *p) { using namespace store::pool; }\nvoid g(void *p) { cudaFree(p); }",
            "cudaFree",
            [(2, True)],
            id="opened in another block",
        ),
        pytest.param(
            "using namespace store::pool;\nint f(void *p) { return cudaFree(1); }",
            "cudaFree",
            [(2, False)],
            id="opened",
        ),
        pytest.param(
            "using namespace store;\nint f(void *p) { return cudaFree(p); }",
            "cudaFree",
            [(2, True)],
            id="the outer one is opened",
        ),
        pytest.param(
            "using namespace store::pool;\nint f(void **p) { return cudaFree(p, 8); }",
            "cudaFree",
            [(2, True)],
            id="no such function",
        ),
        pytest.param(
            "namespace store {\nint f() { using namespace pool; return cudaFree(1); } }",
            "cudaFree",
            [],
            id="nearer than CUDA's",
        ),
    ],
)
def test_functions_of_opened_namespaces_overload_cudas(
    code: str, name: str, found: list[tuple[int, bool]], tmp_path: Path
) -> None:
    assert places(tmp_path, code, name) == found


def test_an_overload_is_known_by_how_many_arguments_it_takes(tmp_path: Path) -> None:
    pool = (
        "#pragma once\nnamespace pool { inline int cudaMalloc(int pages) { return pages; } }\nusing namespace pool;\n"
    )
    code = "int f(void **p) {\n  cudaMalloc(p, 8);\n  return cudaMalloc(1);\n}"
    assert places(tmp_path, code, "cudaMalloc", **{"pool.h": pool}) == [(2, True)]


ARENA = "struct Arena : {} {{\n  int take(void **p) {{ return cudaMalloc(p, 8); }}\n}};\n"
ARENA += "int g(void **p) {{ return cudaMalloc(p, 8); }}"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        pytest.param(ARENA.format("store::Counted"), [(4, True)], id="a base"),
        pytest.param(ARENA.format("public virtual store::Counted, private Other"), [(4, True)], id="among others"),
        pytest.param(ARENA.format("store::Shared<int>"), [(4, True)], id="a base's base"),
        pytest.param("using Kept = store::Shared<int>;\n" + ARENA.format("Kept"), [(5, True)], id="by another name"),
        pytest.param("using namespace store;\n" + ARENA.format("Counted"), [(5, True)], id="of an opened namespace"),
        pytest.param(
            "template <class T>\n" + ARENA.format("store::Shared<T>"), [(3, True), (5, True)], id="it depends"
        ),
        pytest.param("template <class B>\n" + ARENA.format("B"), [(3, True), (5, True)], id="a parameter"),
        pytest.param("struct Other {};\n" + ARENA.format("Other"), [(3, True), (5, True)], id="a base without it"),
        pytest.param(ARENA.format("lib::Unseen"), [(2, False), (4, True)], id="a base that is not seen"),
        pytest.param(ARENA.format("std::enable_shared_from_this<Arena>"), [(2, True), (4, True)], id="the library's"),
        pytest.param(
            ARENA.format("store::Counted").replace("return cuda", "return ::cuda"),
            [(2, True), (4, True)],
            id="CUDA's is named",
        ),
        pytest.param(
            "struct Arena : store::Counted { int take(void **p); };\n"
            "int Arena::take(void **p) {\n  return cudaMalloc(p, 8);\n}",
            [],
            id="a member outside of its class",
        ),
    ],
)
def test_what_a_base_declares_is_the_projects_in_the_class(
    code: str, found: list[tuple[int, bool]], tmp_path: Path
) -> None:
    assert places(tmp_path, code, "cudaMalloc") == found


def test_an_enumerator_of_a_base_is_the_projects(tmp_path: Path) -> None:
    code = "struct Arena : store::Counted {\n  int f() { return cudaSuccess; }\n};\nint g() { return cudaSuccess; }"
    assert places(tmp_path, code, "cudaSuccess") == [(4, True)]


def test_a_header_that_the_file_does_not_read_declares_nothing_for_it(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            "base.h": BASE,
            "b.cu": '#include "base.h"\n',
            "a.cu": "#include <cuda_runtime.h>\n" + ARENA.format("Counted"),
        },
    )
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.name == "cudaMalloc"]
    assert [(one.path, one.fix is not None) for one in found] == [("a.cu", True), ("a.cu", True)]


CHECKED = '#define CHECKED(call) if (state = (call)) { cudaError("failed", __FILE__, __LINE__); return state; }\n'
REPORTING = """struct Job {
  int state;
  void cudaError(const char *what, const char *file, int line);
  int run();
};
"""
METHODS = """void Job::cudaError(const char *what, const char *file, int line) { state = line; }
int Job::run() { CHECKED(state); return 0; }
"""
FREED = "#define FREED(p) cudaFree(p)\nstruct Pages { int cudaFree(void *p); int f(void *p) { return FREED(p); } };\n"


@pytest.mark.parametrize(
    ("code", "name", "found"),
    [
        pytest.param(CHECKED + REPORTING + METHODS, "cudaError", [], id="used in members"),
        pytest.param(CHECKED + REPORTING, "cudaError", [], id="three values are no conversion to a type"),
        pytest.param(
            '#define STATE(n) cudaError("a", n)\n' + REPORTING, "cudaError", [(1, True)], id="another number of values"
        ),
        pytest.param(
            "#define STATE(n) cudaError(n)\nint f() { return STATE(1); }\n" + REPORTING,
            "cudaError",
            [(1, True)],
            id="a conversion to CUDA's type",
        ),
        pytest.param(FREED, "cudaFree", [], id="a function of CUDA's that the class has too"),
        pytest.param(FREED + "int g(void *p) { return FREED(p); }", "cudaFree", [(1, False)], id="used outside too"),
        pytest.param(
            FREED.replace("return FREED", "return ") + "int g(void *p) { return FREED(p); }",
            "cudaFree",
            [(1, True)],
            id="used outside alone",
        ),
    ],
)
def test_what_a_macro_names_is_looked_up_where_it_is_used(
    code: str, name: str, found: list[tuple[int, bool]], tmp_path: Path
) -> None:
    assert places(tmp_path, code, name) == found
