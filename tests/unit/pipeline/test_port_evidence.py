"""Facts that tell HIP's side from CUDA's in ports as they are in public: names, builds, headers, other vendors."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, KERNEL, facts, marks, scanned

from cudamigrate.analysis import port_aliases
from cudamigrate.cuda.lexer import lex

HIP_CODE = "#include <hip/hip_runtime.h>\ninline hipError_t f() { return hipSuccess; }\n"
CUDA_CODE = "#include <cuda_runtime.h>\ninline cudaError_t f() { return cudaSuccess; }\n"
SWITCHED = (
    "project(p LANGUAGES CXX)\nconfigure_file(config.cmake.h config.h)\n"
    "if(LIB_CUDA)\n  enable_language(CUDA)\nendif()\nif(LIB_ROCM)\n  enable_language(HIP)\nendif()\n"
)
CONFIG = "#cmakedefine LIB_CUDA\n#cmakedefine LIB_ROCM\n"
HIP_SHIM = "#include <hip/hip_runtime.h>\n" + "".join(
    f"#define cuda{name} hip{name}\n" for name in ("Malloc", "Free", "Memcpy", "Error_t")
)


def rules(folder: Path, files: dict[str, str]) -> set[str]:
    return {one.rule for one in scanned(folder, files).findings}


@pytest.mark.parametrize(
    ("cuda", "hip", "expected"),
    [
        ("src/fft_cuda.cu", "src/fft_rocm.hip.cpp", True),  # `rocm` is a word for HIP as `hip` is
        ("src/cuda/cuda_kernels/a.cuh", "src/hip/hip_kernels/a.h", True),  # inner folders carry the vendor, too
        ("src/Memory/CUDA/a.cu", "src/Memory/HIP/a.hip.cpp", True),  # in any case of letters
        ("src/cuda/cuda_kernels/a.cuh", "src/hip/hip_kernels/b.h", False),
    ],
)
def test_the_side_of_a_file_is_in_its_path_and_its_code(tmp_path: Path, cuda: str, hip: str, expected: bool) -> None:
    files = {"CMakeLists.txt": BUILD % "", cuda: CUDA_CODE, hip: HIP_CODE}
    assert (facts(tmp_path, files).equivalents.get(cuda) == hip) is expected


def test_a_header_with_all_its_code_in_a_condition_has_an_equivalent(tmp_path: Path) -> None:
    inside = {"CUDA": CUDA_CODE, "ROCM": HIP_CODE}
    files = {f"fft_{one.lower()}.h": f"#ifdef LIB_{one}\n{code}#endif\n" for one, code in inside.items()}
    found = facts(tmp_path, {"CMakeLists.txt": SWITCHED, **files, "fft_rocm.hip.cpp": HIP_CODE})
    assert found.equivalents["fft_cuda.h"].startswith("fft_rocm.")


@pytest.mark.parametrize(
    ("more", "lacking"),
    [
        ({}, False),
        ({"cuda/b.cu": '#include "low.h"\n' + CUDA_CODE}, True),  # which has no equivalent itself
        ({"cuda/low.h": CUDA_CODE + KERNEL}, True),  # HIP's side has no such kernel
        ({"cuda/low.h": CUDA_CODE + KERNEL, "hip/a.hip.cpp": HIP_CODE + KERNEL}, False),
    ],
)
def test_a_header_that_only_files_with_an_equivalent_include(
    tmp_path: Path, more: dict[str, str], lacking: bool
) -> None:
    files = {"cuda/a.cu": '#include "low.h"\n' + CUDA_CODE, "cuda/low.h": CUDA_CODE, "hip/a.hip.cpp": HIP_CODE}
    found = facts(tmp_path, {"CMakeLists.txt": BUILD % "", **files, **more})
    assert ("cuda/low.h" in found.lacking) is lacking
    assert ("cuda/low.h" in found.equivalents) is not lacking


def test_what_a_folder_for_hip_holds_is_its_side_whatever_it_says(tmp_path: Path) -> None:
    silent = "struct stride : public thrust::unary_function<int, int> {};\n"
    files = {"CMakeLists.txt": BUILD % "", "HIP/a.hip.cpp": HIP_CODE, "HIP/stride.hpp": silent, "CUDA/a.cu": CUDA_CODE}
    assert "HIP/stride.hpp" in facts(tmp_path, files).hip_files
    assert not rules(tmp_path, files)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, True),
        ({"shim.h": HIP_SHIM}, False),  # CUDA's names compile for HIP: it may set the macro, too
        ({"c.h": "#ifdef LIB_CUDA\n#include <hip/hip_runtime.h>\nhipStream_t s;\n#endif\n"}, False),
        ({"config.cmake.h": "#cmakedefine LIB_CUDA\n"}, False),  # nothing shows that HIP is turned on as that is
    ],
)
def test_a_variable_that_turns_cuda_on_is_passed_on(tmp_path: Path, more: dict[str, str], expected: bool) -> None:
    code = f"#ifdef LIB_CUDA\n{CUDA_CODE}#endif\n"
    files = {"CMakeLists.txt": SWITCHED, "config.cmake.h": CONFIG, "a.h": code, "b.h": BRANCHES % "LIB_ROCM", **more}
    assert ("-LIB_CUDA" in marks(tmp_path, files)) is expected


@pytest.mark.parametrize(
    ("code", "mark"),
    [
        ("#ifdef LIB_AMD\n%s#else\n%s#endif\n", "LIB_AMD"),
        ("#ifdef LIB_AMD\n%s#elif defined(LIB_NV)\n%s#endif\n", "?LIB_AMD"),  # another macro decides on CUDA's side
        ("#ifdef LIB_AMD\n%s#else\nint f();\n// %s#endif\n", "?LIB_AMD"),
    ],
)
def test_a_macro_whose_other_branch_is_cudas_is_set_wherever_hip_is(tmp_path: Path, code: str, mark: str) -> None:
    build = "if(A)\nif(B)\nfind_package(hip REQUIRED)\nif(C)\nadd_definitions(-DLIB_AMD)\nendif()\nendif()\nendif()\n"
    both = HIP_CODE, CUDA_CODE.replace("\n", " \\\n", 0)
    if "//" in code:
        both = HIP_CODE, "nothing\n"
    found = marks(tmp_path, {"CMakeLists.txt": build, "a.h": code % both, "k.cu": KERNEL})
    assert {one for one in found if one.endswith("LIB_AMD")} == {mark}


@pytest.mark.parametrize(
    ("more", "gap"), [("", False), ("#ifdef LIB_AMD\n#define LIB_GPU 1\n#endif\n", True), ("#define LIB_GPU 1\n", True)]
)
def test_a_macro_that_is_defined_for_want_of_nothing_but_nvcc(tmp_path: Path, more: str, gap: bool) -> None:
    header = BRANCHES % "LIB_AMD" + "#ifdef __CUDACC__\n#define LIB_GPU __CUDACC__\n#endif\n" + more
    header += "#ifndef LIB_GPU\nvoid g();\n#endif\n"
    code = '#include "a.h"\n#ifdef LIB_GPU\nvoid f(cudaArray_t);\n#endif\n'
    files = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n", "a.h": header, "b.cpp": code}
    assert ("api/cudaArray_t" in rules(tmp_path, files)) is gap


@pytest.mark.parametrize(("third", "expected"), [("musa", True), ("hip", False), ("cuda", False)])
def test_a_header_that_gives_the_names_to_another_vendor(tmp_path: Path, third: str, expected: bool) -> None:
    other = HIP_SHIM.replace("#include <hip/hip_runtime.h>\n", "").replace(" hip", f" {third}")
    chain = (
        '#if defined(LIB_AMD)\n#include "vendors/hip.h"\n#elif defined(LIB_THIRD)\n#include "vendors/third.h"\n#endif\n'
    )
    files = {
        "CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n",
        "vendors/hip.h": HIP_SHIM,
        "vendors/third.h": other,
        "a.h": BRANCHES % "LIB_AMD" + chain,
    }
    assert ("-LIB_THIRD" in marks(tmp_path, files)) is expected


@pytest.mark.parametrize(("word", "free"), [("hip", False), ("rocm", False), ("shipping", True)])
def test_a_block_that_compares_with_the_word_for_hip(tmp_path: Path, word: str, free: bool) -> None:
    build = (
        BUILD % "  add_definitions(-DLIB_AMD)\n" + f'if(KIND STREQUAL "{word}")\n  set(LIB_GPU ON)\nendif()\n'
        'if(KIND STREQUAL "cuda")\n  set(LIB_GPU ON)\nendif()\n'
    )
    both = BRANCHES % "LIB_AMD" + "#ifdef LIB_GPU\n#include <cuda_runtime.h>\n#endif\n"
    files = {"CMakeLists.txt": build, "a.h": both, "b.h": both, "c.h": both, "config.h.in": "#cmakedefine LIB_GPU\n"}
    assert ("-LIB_GPU" in marks(tmp_path, files)) is free


@pytest.mark.parametrize(
    ("code", "gap"),
    [
        ("#define CUB_IGNORE_DEPRECATED_CPP_DIALECT\n", False),  # the project defines it, for headers that ask
        ("int f() {\n#if A \\\n  && !defined(__NVCC__)\n  return 1;\n#endif\n  return 0;\n}\n", False),
        ("cudaArray_t a;\n", True),
    ],
)
def test_what_compiles_for_both_is_no_gap(tmp_path: Path, code: str, gap: bool) -> None:
    files = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n", "a.h": BRANCHES % "LIB_AMD"}
    found = scanned(tmp_path, {**files, "b.cu": '#include "a.h"\n' + code}).findings
    assert bool(found) is gap


@pytest.mark.parametrize(
    ("body", "line", "gap"),
    [
        ("0", "cublasSetMathMode(h(), CUBLAS_DEFAULT_MATH)", False),  # HIP's compiler never sees the argument
        ("set(handle)", "CHECK(cublasSetMathMode(h(), CUBLAS_DEFAULT_MATH))", False),
        ("set(handle, mode)", "cublasSetMathMode(h(), CUBLAS_DEFAULT_MATH)", True),
        ("0", "cublasSetMathMode(h(), 0); use(CUBLAS_DEFAULT_MATH)", True),
        ("0", "cublasSetMathMode(h(),\n      CUBLAS_DEFAULT_MATH)", False),
        ("0", "cublasSetMathMode(\n      h(), 0); use(\n      CUBLAS_DEFAULT_MATH)", True),
        ("(...)", "cublasSetMathMode(h(), CUBLAS_DEFAULT_MATH)", False),
        ("(handle, ...) use(handle)", "cublasSetMathMode(h(), CUBLAS_DEFAULT_MATH)", False),
        ("(mode, ...) use(mode)", "cublasSetMathMode(CUBLAS_DEFAULT_MATH, h())", True),
        ("(...) set(__VA_ARGS__)", "cublasSetMathMode(h(), CUBLAS_DEFAULT_MATH)", True),
    ],
)
def test_an_argument_that_a_shim_leaves_out_is_no_gap(tmp_path: Path, body: str, line: str, gap: bool) -> None:
    macro = body if body.startswith("(") else f"(handle, mode) {body}"
    files = {
        "CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n",
        "shim.h": HIP_SHIM + f"#define cublasSetMathMode{macro}\n",
        "a.h": BRANCHES % "LIB_AMD" + '#ifdef LIB_AMD\n#include "shim.h"\n#endif\n',
        "b.cu": f'#include "a.h"\nvoid f() {{ {line}; }}\n',
    }
    assert ("api/CUBLAS_DEFAULT_MATH" in rules(tmp_path, files)) is gap


PASTED = (
    "#include <hipfft/hipfft.h>\n"
    "#define TYPE(x) using cufft##x = hipfft##x\n  TYPE(Handle);\n  TYPE(Result);\n#undef TYPE\n"
    "#define CALL(x) \\\n  constexpr static auto const& cufft ## x = hipfft ## x\n  CALL(PlanMany);\n"
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (PASTED, {"cufftHandle", "cufftResult", "cufftPlanMany"}),
        ("inline constexpr auto cudaSuccess = hipSuccess;\n", {"cudaSuccess"}),
        ("void f() { auto cudaStream = hipStream; }\n", set()),  # a variable of that name is no name of CUDA's
        ("#define TYPE(x) using my##x = hipfft##x\nTYPE(Handle);\n", set()),
        ("#define TYPE(x) using cufft##x = my##x\nTYPE(Handle);\n", set()),
    ],
)
def test_names_are_given_by_constants_and_by_macros_that_paste_them(text: str, names: set[str]) -> None:
    assert set(port_aliases.of(lex(text.encode()))) == names


def test_a_header_is_reached_by_the_shim_that_includes_it(tmp_path: Path) -> None:
    user = "#include <cufft.h>\ninline void f(cufftHandle h) { cufftPlanMany(&h); cufftSetStream(h, 0); }\n"
    files = {"CMakeLists.txt": BUILD % "", "src/hipwrap.hpp": PASTED + '#include "wrap.hpp"\n', "src/wrap.hpp": user}
    found = {one.name for one in scanned(tmp_path, files | {"src/a.cu": BRANCHES % "LIB_AMD" + KERNEL}).findings}
    assert "cufftSetStream" in found
    assert not found & {"cufftHandle", "cufftPlanMany"}
