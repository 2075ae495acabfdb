"""An extension whose files PyTorch's build converts in part: what is written for the rest, and what is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.model import Finding
from cudamigrate.portable import cuda_side

SETUP = (
    "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
    "setup(ext_modules=[CUDAExtension('e', ['{}'])])\n"
)
KERNEL = '#include <cuda_runtime.h>\n#include "{}"\n__global__ void k(float *p) {{ p[0] = one(); }}\n'
PART = (
    "#pragma once\n#include <cuda_runtime.h>\ninline __device__ float one() { return 1; }\n"
    "inline void drop(float *p, cudaStream_t s) { cudaFreeAsync(p, s); }\n"
)
VALUE = "build/torch-launch-value"
RULES = ("build/torch-include", "build/torch-names", "build/torch-encoding", "build/torch-launch", VALUE)


def applied(folder: Path, files: dict[str, str], style: str = "auto") -> pipeline.Applied:
    return pipeline.apply(written(folder, files), Config(jobs=1, style=style), debug=True)


def texts(made: pipeline.Applied) -> dict[str, str]:
    """The files as they are written, and as PyTorch's build then leaves them where the name ends in `built`."""
    found = {c.path: c.after.decode() for c in made.conversions}
    return found | {f"{c.path} built": c.as_built.after.decode() for c in made.conversions}


def reported(made: pipeline.Applied) -> list[Finding]:
    return [finding for finding in made.report.findings if finding.rule in RULES]


def unchanged_for_cuda(made: pipeline.Applied) -> bool:
    code = [c for c in made.conversions if Path(c.path).suffix in cuda.FILES]
    return all(cuda_side.first_difference(c.before, c.after, cuda.GUARDS) is None for c in code)


def test_a_file_that_hipify_leaves_holds_hips_names_itself(tmp_path: Path) -> None:
    made = applied(tmp_path, {"setup.py": SETUP.format("a.cu"), "a.cu": KERNEL.format("b.inl"), "b.inl": PART})
    after = texts(made)
    assert "hipFreeAsync(p, s)" in after["b.inl"]
    assert after["b.inl"] == after["b.inl built"]
    assert "#else\n#include <cuda_runtime.h>\n#endif" in after["b.inl"]
    assert reported(made) == []
    assert unchanged_for_cuda(made)


def test_what_one_build_converts_is_not_left_by_another_at_first_use(tmp_path: Path) -> None:
    load = (
        "import os\nfrom torch.utils.cpp_extension import load\nload(name='e', sources=[os.path.join('e', 'a.cu')])\n"
    )
    files = {"e/a.cu": KERNEL.format("include/b.cuh"), "e/include/b.cuh": PART, "e/jit.py": load}
    alone = applied(tmp_path / "alone", files)
    assert "e/include/b.cuh" in {c.path for c in alone.conversions if c.after != c.before}
    both = applied(tmp_path / "both", {**files, "setup.py": SETUP.format("e/a.cu")})
    assert "e/include/b.cuh" not in {c.path for c in both.conversions if c.after != c.before}
    assert reported(both) == []


APP = (
    "cmake_minimum_required(VERSION 3.18)\nproject(app LANGUAGES CXX CUDA)\n"
    "find_package(CUDAToolkit REQUIRED)\nadd_executable(app {})\ntarget_link_libraries(app CUDA::cudart)\n"
)
MAIN = '#include <cuda_runtime.h>\n#include "own.h"\nint main() { float *p; cudaMalloc(&p, 4); drop(p, 0); }\n'


def test_a_program_that_no_extension_has_is_built_for_both_vendors(tmp_path: Path) -> None:
    files = {
        "ops/setup.py": SETUP.format("a.cu"),
        "ops/a.cu": KERNEL.format("b.cuh"),
        "ops/b.cuh": PART,
        "app/CMakeLists.txt": APP.format("main.cpp"),
        "app/main.cpp": MAIN,
        "app/own.h": PART,
    }
    made = applied(tmp_path, files)
    after = texts(made)
    assert made.report.style is not None and made.report.style.name == "portable"
    assert "find_package(hip REQUIRED)" in after["app/CMakeLists.txt"]
    assert "find_package(CUDAToolkit REQUIRED)" in after["app/CMakeLists.txt"]
    assert "hip/hip_runtime.h" in after["app/main.cpp built"]
    assert "hipFreeAsync(p, s)" in after["app/own.h built"]
    assert {"ops/a.cu", "ops/b.cuh"}.isdisjoint(c.path for c in made.conversions if c.after != c.before)
    assert unchanged_for_cuda(made)


def test_another_build_of_an_extensions_sources_is_left(tmp_path: Path) -> None:
    files = {
        "setup.py": SETUP.format("a.cu"),
        "a.cu": KERNEL.format("b.cuh"),
        "b.cuh": PART,
        "CMakeLists.txt": APP.format("a.cu"),
        "other/main.cpp": MAIN,
        "own.h": PART,
    }
    made = applied(tmp_path, files)
    assert {"CMakeLists.txt", "other/main.cpp"}.isdisjoint(c.path for c in made.conversions if c.after != c.before)


UNSEEN = SETUP.replace("['{}']", "[os.path.join(os.environ['MADE'], 'bindings.cpp')]").replace(
    "from setuptools", "import os\nfrom setuptools"
)


@pytest.mark.parametrize(
    ("folder", "more", "style"),
    [
        ("demo/torch/", {}, "hip"),
        ("demo/torch/", {"demo/torch/b.cu": MAIN}, "portable"),
        ("", {}, "portable"),
    ],
)
def test_an_extension_that_is_apart_from_all_cuda_code_says_nothing_of_its_build(
    tmp_path: Path, folder: str, more: dict[str, str], style: str
) -> None:
    files = {f"{folder}setup.py": UNSEEN, "src/main.cpp": MAIN, "src/own.h": PART, **more}
    chosen = applied(tmp_path, files).report.style
    assert chosen is not None and chosen.name == style


def test_an_extension_elsewhere_may_name_the_cuda_code(tmp_path: Path) -> None:
    script = UNSEEN.replace("'bindings.cpp')", "'bindings.cpp'), *map(found, ['main.cpp'])")
    made = applied(tmp_path, {"demo/setup.py": script, "src/main.cpp": MAIN, "src/own.h": PART})
    assert made.report.style is not None and made.report.style.name == "portable"


LOAD = "from torch.utils.cpp_extension import load\ndef build(o):\n    load('e', ['a.cu'], extra_cuda_cflags=o)\n"
OPTIONS = "make('f', sources=['a.cu'], extra_cuda_cflags=['-include', f'{here}/b.cuh'])\n"
FORCED = SETUP.format("a.cu").replace("])])", "], extra_compile_args={'nvcc': ['-include', 'b.cuh']})])")


@pytest.mark.parametrize(
    "files",
    [
        {"jit.py": LOAD.replace("=o", "=['-include', os.path.join(here, 'b.cuh')]")},
        {"jit.py": LOAD, "use.py": OPTIONS},
        {"setup.py": FORCED},
    ],
)
def test_a_header_that_only_an_option_includes_holds_hips_names_itself(tmp_path: Path, files: dict[str, str]) -> None:
    kernel = KERNEL.format("x").replace('#include "x"\n', "")
    made = applied(tmp_path, {**files, "a.cu": kernel, "b.cuh": PART})
    after = texts(made)
    assert "hipFreeAsync(p, s)" in after["b.cuh"]
    assert after["b.cuh"] == after["b.cuh built"]


def test_a_header_that_a_source_includes_besides_is_left_to_hipify(tmp_path: Path) -> None:
    both = applied(tmp_path, {"setup.py": FORCED, "a.cu": KERNEL.format("b.cuh"), "b.cuh": PART})
    assert "b.cuh" not in {c.path for c in both.conversions if c.after != c.before}


@pytest.mark.parametrize("name", ["b.h", "b.cuh"])
def test_a_file_that_hipify_converts_is_left_to_it(tmp_path: Path, name: str) -> None:
    made = applied(tmp_path, {"setup.py": SETUP.format("a.cu"), "a.cu": KERNEL.format(name), name: PART})
    assert name not in {c.path for c in made.conversions if c.after != c.before}
    assert reported(made) == []


def test_where_the_sources_are_not_seen_a_file_of_another_ending_is_known_by_who_includes_it(tmp_path: Path) -> None:
    setup = SETUP.format("a.cu").replace("['a.cu']", "sources()")
    made = applied(tmp_path, {"setup.py": setup, "a.cu": KERNEL.format("b.inl"), "b.inl": PART, "c.inl": PART})
    after = texts(made)
    assert "hipFreeAsync" in after["b.inl"]
    assert "hipFreeAsync" not in after.get("c.inl", "")  # nobody includes it


def test_an_include_from_a_folder_that_moves_holds_from_both(tmp_path: Path) -> None:
    code = {"src/cudax/a.cu": KERNEL.format("b.inl"), "src/cudax/b.inl": PART}
    files = {"setup.py": SETUP.format("src/cudax/a.cu"), **code}
    made = applied(tmp_path, files)
    after = texts(made)["src/cudax/a.cu"]
    assert '#include "../cudax/b.inl"\n' in after
    assert after.index("#else") < after.index('#include "b.inl"')
    assert [finding.rule for finding in reported(made)] == ["build/torch-include"]
    assert unchanged_for_cuda(made)
    again = applied(tmp_path, {**files, **{c.path: c.after.decode() for c in made.conversions}})
    assert reported(again) == []


def test_an_include_that_leaves_the_folder_holds_as_it_is(tmp_path: Path) -> None:
    files = {"setup.py": SETUP.format("cuda/a.cu"), "cuda/a.cu": KERNEL.format("../b.inl"), "b.inl": PART}
    assert reported(applied(tmp_path, files)) == []


def test_an_include_of_a_header_that_moves_along_is_left(tmp_path: Path) -> None:
    files = {"setup.py": SETUP.format("cuda/a.cu"), "cuda/a.cu": KERNEL.format("b.h"), "cuda/b.h": PART}
    assert reported(applied(tmp_path, files)) == []


@pytest.mark.parametrize("style", ["portable", "hip"])
def test_the_converted_header_is_asked_for_where_hipify_does_not_spell_the_include(tmp_path: Path, style: str) -> None:
    made = applied(
        tmp_path,
        {
            "setup.py": SETUP.format("a.cu"),
            "a.cu": KERNEL.format("b.inl") + '#include "c.h"\n',
            "b.inl": '#include "c.h"\n' + PART,
            "c.h": PART.replace("one", "two"),
        },
        style,
    )
    code = texts(made)["b.inl"]
    assert '#define CUDAMIGRATE_C_HIP_H "c_hip.h"\n#if __has_include(CUDAMIGRATE_C_HIP_H)\n' in code
    assert '#if !__has_include(CUDAMIGRATE_C_HIP_H)\n#include "c.h"\n#endif\n' in code
    assert [(finding.rule, finding.path) for finding in reported(made)] == [("build/torch-include", "b.inl")]
    assert style == "hip" or unchanged_for_cuda(made)


def test_a_header_that_nothing_changes_is_included_as_it_was(tmp_path: Path) -> None:
    files = {
        "setup.py": SETUP.format("a.cu"),
        "a.cu": KERNEL.format("b.inl") + '#include "c.h"\n',
        "b.inl": '#include "c.h"\n' + PART,
        "c.h": "#pragma once\nint n();\n",
    }
    assert reported(applied(tmp_path, files)) == []


def test_an_include_that_hipify_does_not_read_is_written_as_it_does(tmp_path: Path) -> None:
    code = KERNEL.format("b.h").replace('#include "b.h"', '#include"b.h"')
    made = applied(tmp_path, {"setup.py": SETUP.format("a.cu"), "a.cu": code, "b.h": PART})
    assert '#include "b.h"\n' in texts(made)["a.cu"]  # for both: the lines differ by a blank alone
    assert '#include"b.h"' not in texts(made)["a.cu"]
    plain = code.replace('#include"b.h"', '#include"c.h"')
    (tmp_path / "plain").mkdir()
    files = {"setup.py": SETUP.format("a.cu"), "a.cu": plain, "c.h": "#pragma once\ninline float one();\n"}
    assert reported(applied(tmp_path / "plain", files)) == []


def test_a_header_that_only_the_compiler_finds_is_reported(tmp_path: Path) -> None:
    setup = SETUP.format("a.cu").replace("['a.cu']", "['a.cu', 'i/c.cu'], extra_compile_args=['-Ii']")
    files = {"setup.py": setup, "a.cu": KERNEL.format("b.h"), "i/c.cu": '#include "b.h"\n', "i/b.h": PART}
    (one,) = reported(applied(tmp_path, files))
    assert (one.rule, one.path, one.support, one.fix) == ("build/torch-include", "a.cu", "manual", None)
    assert "include_dirs" in one.message


def test_names_of_pytorch_in_a_file_that_hipify_leaves_are_reported_once(tmp_path: Path) -> None:
    part = "#include <ATen/cuda/CUDAContext.h>\ninline auto s() { return at::cuda::getCurrentCUDAStream(); }\n"
    files = {"setup.py": SETUP.format("a.cu"), "a.cu": KERNEL.format("b.inl"), "b.inl": part + PART}
    (one,) = reported(applied(tmp_path, files))
    assert (one.rule, one.path, one.position.line) == ("build/torch-names", "b.inl", 1)
    (tmp_path / "header").mkdir()
    beside = {"setup.py": SETUP.format("a.cu"), "a.cu": KERNEL.format("b.h"), "b.h": part + PART}
    assert reported(applied(tmp_path / "header", beside)) == []


def test_a_file_to_convert_must_be_utf_8(tmp_path: Path) -> None:
    files = {"setup.py": SETUP.format("a.cu"), "a.cu": KERNEL.format("b.h"), "b.h": PART, "c.inl": PART}
    written(tmp_path, files)
    for name in ("b.h", "c.inl"):
        (tmp_path / name).write_bytes(b"// f\xfcr\n" + PART.encode())
    made = pipeline.apply(tmp_path, Config(jobs=1), debug=True)
    (one,) = reported(made)
    assert (one.rule, one.path) == ("build/torch-encoding", "b.h")
    assert "0xfc" in one.message


def test_a_project_that_pytorch_does_not_build_has_none_of_it(tmp_path: Path) -> None:
    files = {"cuda/a.cu": KERNEL.format("b.inl"), "cuda/b.inl": PART}
    assert reported(applied(tmp_path, files)) == []


NEWER = "inline void g(cudaHostFn_t f, cudaStream_t s) { cudaLaunchHostFunc(s, f, nullptr); }\n"


def test_a_name_that_only_newer_releases_of_pytorch_rename_is_not_left_to_them(tmp_path: Path) -> None:
    code = KERNEL.format("b.h") + NEWER
    made = applied(tmp_path, {"setup.py": SETUP.format("a.cu"), "a.cu": code, "b.h": PART})
    header = made.added["cudamigrate_portable.h"].decode()
    assert "#define cudaHostFn_t hipHostFn_t\n" in header
    assert "cudaStream_t" not in header
    assert "hipHostFn_t" not in texts(made)["a.cu"]


def test_a_file_that_hipify_leaves_has_such_a_name_itself(tmp_path: Path) -> None:
    """Newer releases convert the header of names to a second one, which another file may have read before."""
    part = PART + NEWER.replace("g(", "h(")
    files = {"setup.py": SETUP.format("a.cu"), "a.cu": KERNEL.format("b.inl") + NEWER, "b.inl": part}
    made = applied(tmp_path, files)
    assert "h(hipHostFn_t f, hipStream_t s)" in texts(made)["b.inl"]
    assert unchanged_for_cuda(made)


def test_a_comment_that_speaks_of_cuda_changes_no_header(tmp_path: Path) -> None:
    part = '#include "c.h"\n' + PART
    files = {"setup.py": SETUP.format("a.cu"), "a.cu": KERNEL.format("b.inl"), "b.inl": part}
    files["c.h"] = "// for cuda and for the host\n#pragma once\nint n();\n"
    files["a.cu"] += '#include "c.h"\n'
    assert reported(applied(tmp_path, files)) == []


def test_a_launch_that_hipify_takes_apart_is_reported(tmp_path: Path) -> None:
    calls = "struct S {{ void (*f)(float *); }};\nvoid g(S *s, float *p) {{ {}<<<1, 32>>>(p); }}\n"
    files = {"setup.py": SETUP.format("a.cu"), "b.h": PART}
    (one,) = reported(applied(tmp_path, {**files, "a.cu": KERNEL.format("b.h") + calls.format("s->f")}))
    assert (one.rule, one.path, one.outcome) == ("build/torch-launch", "a.cu", "compile-error")
    (tmp_path / "plain").mkdir()
    assert reported(applied(tmp_path / "plain", {**files, "a.cu": KERNEL.format("b.h") + calls.format("k")})) == []
    (tmp_path / "alone").mkdir()
    assert (
        reported(applied(tmp_path / "alone", {"b.h": PART, "a.cu": KERNEL.format("b.h") + calls.format("s->f")})) == []
    )


@pytest.mark.parametrize(
    ("call", "count"),
    [
        pytest.param("n ? k<<<1, 32>>>(p) : k<<<1, 64>>>(p);", 2, id="both arms"),
        pytest.param(
            "n > 1 && f(n ? 1 : 2) ? ns::j<1, true>\n <<<1, 32>>>(p) : ns::j<2, false><<<1, 64>>>(p);", 2, id="names"
        ),
        pytest.param("return k<<<1, 32>>>(p);", 1, id="what is returned"),
        pytest.param("if (n ? f(1) : f(2)) k<<<1, 32>>>(p); else k<<<1, 64>>>(p);", 0, id="statements"),
        pytest.param(
            "switch (n ? 1 : 2) { case 1: k<<<1, 32>>>(p); break; default: k<<<1, 64>>>(p); }", 0, id="labels"
        ),
        pytest.param("auto go = [=] { k<<<1, 32>>>(p); }; n ? go() : go();", 0, id="a function that launches"),
    ],
)
def test_a_launch_in_an_expression_is_reported(tmp_path: Path, call: str, count: int) -> None:
    calls = (
        "namespace ns { template <int N, bool B> __global__ void j(float *); }\nint f(int);\n"
        f"void g(int n, float *p) {{ {call} }}\n"
    )
    files = {"setup.py": SETUP.format("a.cu"), "b.h": PART, "a.cu": KERNEL.format("b.h") + calls}
    assert [one.rule for one in reported(applied(tmp_path, files))] == [VALUE] * count


def test_a_launch_over_lines_of_a_macro_is_read(tmp_path: Path) -> None:
    """hipify passes over the sign that joins lines; that the arms of `?:` do not compile is another matter."""
    macro = "#define ONE(n) n ? k \\\n  <<<1, 32>>>(p) : k \\\n  <<<1, n>>>(p)\n"
    macro += "#define TWO(n) if (n) k  \\\n  <<<1, n>>>(p)\n"
    files = {"setup.py": SETUP.format("a.cu"), "b.h": PART, "a.cu": KERNEL.format("b.h") + macro}
    assert [one.rule for one in reported(applied(tmp_path, files))] == [VALUE] * 2


@pytest.mark.parametrize(
    ("code", "script", "outcome"),
    [
        ("__global__ void k(float *p) { p[0] = 1; }\n", SETUP.format("a.cu"), "fine"),
        ("__device__ float one() { return 1; }\n", SETUP.format("a.cu"), "compile-error"),
        ("__global__ void k(float *p) { p[0] = 1; }\n", "from setuptools import setup\nsetup()\n", "compile-error"),
        ("__global__ void k(float *p) { p[0] = 1; }\n", SETUP.format("b.cu"), "compile-error"),
    ],
    ids=["a kernel", "no kernel", "no extension", "in no extension"],
)
def test_the_build_includes_the_runtime_where_there_are_kernels(
    tmp_path: Path, code: str, script: str, outcome: str
) -> None:
    files = {"setup.py": script, "a.cu": code, "b.cu": "#include <cuda_runtime.h>\n__global__ void o(int *a) {}\n"}
    report = pipeline.scan(written(tmp_path, files), Config(jobs=1))
    found = [one for one in report.findings if one.rule == "build/implicit-runtime-header"]
    assert [(one.path, one.outcome) for one in found] == [("a.cu", outcome)]
    assert ("PyTorch's build includes it" in found[0].message) == (outcome == "fine")


OWN = {"setup.py": SETUP.format("ops/a.cu"), "ops/a.cu": "{}\n__global__ void k(float *p) {{ p[0] = one(); }}\n"}


def own(folder: Path, include: str, header: str) -> pipeline.Applied:
    """An extension with a source that includes a header of the project's own."""
    return applied(folder, {**OWN, "ops/a.cu": OWN["ops/a.cu"].format(include), f"ops/{header}": PART})


def test_a_header_of_the_projects_that_is_called_cuda_h_is_asked_for_as_hipify_does_not_know_it(tmp_path: Path) -> None:
    """hipify takes the text `include "cuda.h` for CUDA's header before it looks beside the file."""
    made = own(tmp_path, '#include "cuda.h"', "cuda.h")
    assert '#include "./cuda.h"' in texts(made)["ops/a.cu"]
    assert [(one.rule, one.automatic) for one in reported(made)] == [("build/torch-include", True)]
    assert unchanged_for_cuda(made)
    again = own(tmp_path / "again", '#include "./cuda.h"', "cuda.h")
    assert reported(again) == []


@pytest.mark.parametrize(
    ("include", "header"),
    [
        ('#include "cuda_fp16.h"', "cuda_fp16.h"),
        ('#include "in/cuda_runtime.h"', "in/cuda_runtime.h"),
        ('#include "cublasHandle_t.h"', "cublasHandle_t.h"),
        ('#include "driver_types.h"', "driver_types.h"),
    ],
)
def test_a_name_that_hipify_replaces_in_any_path_is_reported(tmp_path: Path, include: str, header: str) -> None:
    made = own(tmp_path, include, header)
    assert [(one.rule, one.support, one.outcome) for one in reported(made)] == [
        ("build/torch-include", "manual", "compile-error")
    ]
    assert "rename this file of the project" in reported(made)[0].message
    assert include in texts(made).get("ops/a.cu", include)


@pytest.mark.parametrize(
    ("include", "header"),
    [
        ('#include "in/cuda.h"', "in/cuda.h"),
        ('#include "my_cuda_fp16.h"', "my_cuda_fp16.h"),
        ('#include "cuda_runtime_help.h"', "cuda_runtime_help.h"),
        ('#include "cub/cub.cuh"', "cub/cub.cuh"),
    ],
)
def test_a_name_that_only_looks_like_one_is_left(tmp_path: Path, include: str, header: str) -> None:
    """hipify knows `cuda.h` behind the sign alone and names as a whole; for a copy of CUB it includes HIP's."""
    assert reported(own(tmp_path, include, header)) == []


def test_such_a_header_in_a_program_that_pytorch_does_not_build_is_left(tmp_path: Path) -> None:
    files = {"a.cu": OWN["ops/a.cu"].format('#include "cuda.h"'), "cuda.h": PART}
    assert reported(applied(tmp_path, files)) == []


WRAPPED = (
    "from torch.utils.cpp_extension import load as _load\ndef load(name, sources):\n    return _load(name, sources)\n"
)
CALLER = "from .init import load\nload('e', ['{}'])\n"
PROGRAM = '#include <cuda_runtime.h>\n#include "own.h"\n{}void f() {{ float *p; cudaMalloc(&p, 4); drop(p, 0); }}\n'
MAKE = "prog: other.cu\n\tnvcc -o prog other.cu\n"


def test_a_program_is_none_of_an_extensions_sources_where_these_are_not_all_seen(tmp_path: Path) -> None:
    files = {
        "e/init.py": WRAPPED,
        "e/use.py": CALLER.format("kernel.cu"),
        "e/kernel.cu": PROGRAM.format(""),
        "e/own.h": PART,
        "app/program.cu": PROGRAM.format("int main() { return 0; }\n"),
        "app/own.h": PART,
        "app/other.cu": PROGRAM.format(""),
        "app/Makefile": MAKE,
    }
    after = texts(applied(tmp_path, files))
    assert all("hipMalloc(" in after[name] + after[f"{name} built"] for name in ("app/program.cu", "app/other.cu"))
    assert "#include <hip/hip_runtime.h>" in after["app/program.cu"]
    assert "hipFreeAsync(p, s)" in after["app/own.h"]
    assert "e/kernel.cu" not in after


@pytest.mark.parametrize("script", [CALLER.format("program.cu"), "load('e', glob('*.cu'))\n"])
def test_a_program_that_a_script_may_give_to_pytorch_is_left_to_its_build(tmp_path: Path, script: str) -> None:
    files = {
        "init.py": WRAPPED,
        "use.py": script,
        "program.cu": PROGRAM.format("int main() { return 0; }\n"),
        "own.h": PART,
    }
    made = applied(tmp_path, files)
    assert "program.cu" not in {c.path for c in made.conversions if c.after != c.before}
