"""`--style`: which one `auto` chooses, and what portable style makes of a tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import edits, pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.model import Finding, Report, Style
from cudamigrate.portable import cuda_side
from cudamigrate.reporting.basis import basis

KERNEL = """\
#include <cuda_runtime.h>
#include "helper.h"

__global__ void sum(float *out, const float *in, unsigned mask) {
    float v = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
    if (__ballot_sync(mask, v > 0) == 0) v = 0;
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}

int main() {
    float *p;
    cudaMalloc(&p, 4);
    cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
    sum<<<1, 32>>>(p, p, 7u);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""
SETUP = (
    "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
    "setup(ext_modules=[CUDAExtension('e', ['a.cu'], extra_compile_args={'nvcc': ['-lineinfo']})])\n"
)
CMAKE = "cmake_minimum_required(VERSION 3.24)\nproject(p LANGUAGES CXX CUDA)\nadd_executable(p a.cu)\n"


def applied(folder: Path, files: dict[str, str], style: str = "auto") -> pipeline.Applied:
    return pipeline.apply(written(folder, files), Config(jobs=1, style=style), debug=True)


def texts(made: pipeline.Applied) -> dict[str, str]:
    return {c.path: c.after.decode() for c in made.conversions} | {p: d.decode() for p, d in made.added.items()}


def style_of(made: pipeline.Applied) -> Style:
    assert made.report.style is not None
    return made.report.style


def unchanged_for_cuda(made: pipeline.Applied) -> bool:
    code = [c for c in made.conversions if Path(c.path).suffix in cuda.FILES]
    return all(cuda_side.first_difference(c.before, c.after, cuda.GUARDS) is None for c in code)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.cu": KERNEL}, "hip"),
        ({"a.cu": KERNEL, "CMakeLists.txt": CMAKE}, "hip"),
        ({"a.cu": KERNEL, "setup.py": SETUP}, "portable"),
        ({"a.cu": KERNEL, "e.py": "from torch.utils.cpp_extension import load\nload('e', ['a.cu'])\n"}, "portable"),
        ({"a.cu": KERNEL, "e.py": "import torch.utils.cpp_extension as ext\next.load('e', ['a.cu'])\n"}, "portable"),
        ({"a.cu": KERNEL, "e.py": "from torch.utils import cpp_extension as ce\nce.load('e', ['a.cu'])\n"}, "portable"),
        ({"a.cu": KERNEL, "e.py": "from torch.utils.cpp_extension import CUDAExtension as C\nC('e', s)\n"}, "portable"),
        ({"a.cu": KERNEL, "e.py": "import torch.utils.cpp_extension as ext, json\njson.load('e', ['a.cu'])\n"}, "hip"),
        ({"a.cu": KERNEL, "e.py": "from json import load\nload('CUDAExtension')\n"}, "hip"),
        ({"a.cu": KERNEL, "Makefile.hip": "all:\n\thipcc a.cu\n"}, "portable"),
        ({"a.cu": KERNEL, "b.h": "#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n#endif\n"}, "portable"),
        ({"a.cu": KERNEL, "b.h": "#ifdef LIB_AMD\nint hips;\n#endif\n"}, "hip"),
    ],
)
def test_auto_follows_what_the_project_shows(tmp_path, files, expected):
    made = applied(tmp_path, {"helper.h": "", **files})
    assert style_of(made).name == expected
    assert style_of(made).reason


HOST_ONLY = SETUP.replace("'a.cu'", "'b.cpp'")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"setup.py": HOST_ONLY, "Makefile": "libk.so: a.cu\n\tnvcc -shared a.cu -o libk.so\n"}, "hip"),
        ({"setup.py": HOST_ONLY, "Makefile": "%.o: %.cu\n\tnvcc -c $< -o $@\n"}, "hip"),
        (
            {"build/set.py": HOST_ONLY.replace("['b.cpp']", "glob('*.cpp')"), "Makefile": "all:\n\tnvcc a.cu\n"},
            "hip",
        ),
        (
            {"setup.py": HOST_ONLY, "a.cu": "", "k.cu.cc": KERNEL, "Makefile": "all:\n\tnvcc -x cu k.cu.cc\n"},
            "hip",
        ),
        ({"setup.py": HOST_ONLY, "Makefile": "b.o: b.cpp\n\tg++ -c b.cpp\n"}, "portable"),
        ({"setup.py": HOST_ONLY, "Makefile": "all:\n\tnvcc other.cu\n"}, "portable"),
        ({"setup.py": SETUP, "Makefile": "all:\n\tnvcc a.cu\n"}, "portable"),
        ({"setup.py": SETUP.replace("['a.cu']", "found()"), "Makefile": "all:\n\tnvcc a.cu\n"}, "portable"),
        (
            {
                "setup.py": HOST_ONLY,
                "j.py": "from torch.utils.cpp_extension import load_inline as j\nj('e', '', open('a.cu').read())\n",
                "Makefile": "all:\n\tnvcc a.cu\n",
            },
            "portable",
        ),
    ],
)
def test_an_extension_without_kernels_says_nothing_of_those_that_another_build_compiles(tmp_path, files, expected):
    made = applied(tmp_path, {"a.cu": KERNEL, "helper.h": "", "b.cpp": "int f() { return 0; }\n", **files})
    assert style_of(made).name == expected
    assert ("Makefile" in style_of(made).reason) == (expected == "hip")


def test_what_is_asked_for_counts(tmp_path):
    assert style_of(applied(tmp_path, {"a.cu": KERNEL, "setup.py": SETUP}, "hip")).name == "hip"


def test_names_go_to_one_header_and_the_code_keeps_them(tmp_path):
    made = applied(
        tmp_path, {"src/a.cu": KERNEL, "src/helper.h": "#include <cuda_runtime.h>\nvoid f(cudaStream_t);\n"}, "portable"
    )
    after = texts(made)
    header = after["cudamigrate_portable.h"]
    assert "#define cudaMalloc hipMalloc\n" in header
    assert "#define cudaStream_t hipStream_t\n" in header
    assert "#define __ballot_sync cudamigrate::ballot_sync\n" in header
    assert (
        "#define cudaFuncSetAttribute(first, ...) hipFuncSetAttribute(reinterpret_cast<const void*>(first), " in header
    )
    assert '#include "cudamigrate_hip.h"' in header
    assert "cudaMemcpy" not in header
    assert "#else\n#include <cuda_runtime.h>\n#endif\n" in after["src/a.cu"]
    assert '#include "../cudamigrate_portable.h"' in after["src/helper.h"]
    assert "hipMalloc" not in after["src/a.cu"]
    assert "v += __shfl_down(v, d, 32);\n#else\n" in after["src/a.cu"]
    assert after["src/a.cu"].count("__ballot_sync") == 1
    assert set(made.added) == {"cudamigrate_hip.h", "cudamigrate_portable.h"}
    assert unchanged_for_cuda(made)


def test_a_name_that_not_all_places_change_is_written_where_it_is(tmp_path):
    own = "__device__ unsigned __ballot_sync(unsigned m, struct pair v);\n"
    made = applied(tmp_path, {"a.cu": KERNEL, "helper.h": own}, "portable")
    assert "__ballot_sync" not in texts(made)["cudamigrate_portable.h"]
    assert "if (cudamigrate::ballot_sync(mask, v > 0)" in texts(made)["a.cu"]
    assert unchanged_for_cuda(made)


def test_a_use_in_the_global_scope_reads_the_macro_too(tmp_path: Path) -> None:
    source = KERNEL.replace("v > 0) == 0", "v > 0) == 0 || ::__ballot_sync(mask, v > 1) == 0")
    made = applied(tmp_path, {"a.cu": source, "helper.h": ""}, "portable")
    assert "#define __ballot_sync cudamigrate::ballot_sync\n" in texts(made)["cudamigrate_portable.h"]
    assert texts(made)["a.cu"].count("ballot_sync") == 2
    assert unchanged_for_cuda(made)


def test_an_extension_keeps_what_pytorch_renames(tmp_path):
    made = applied(tmp_path, {"a.cu": KERNEL, "helper.h": "", "setup.py": SETUP})
    after = texts(made)
    assert "#include <cuda_runtime.h>\n#include" in after["a.cu"]
    header = after["cudamigrate_portable.h"]
    assert "cudaMalloc" not in header
    assert "#define __ballot_sync cudamigrate::ballot_sync\n" in header
    assert "torch.version.hip" in after["setup.py"]
    assert unchanged_for_cuda(made)
    built = {c.path: c.as_built.after.decode() for c in made.conversions}
    assert "hipMalloc(&p, 4)" in built["a.cu"]


def test_an_extension_is_built_where_rocms_folder_is(tmp_path: Path) -> None:
    imported = "from torch.utils.cpp_extension import CUDA_HOME, CUDAExtension\n"
    gate = "if CUDA_HOME is not None:\n    setup(ext_modules=[CUDAExtension('a', ['a.cu'])])\n"
    files = {"a.cu": KERNEL, "helper.h": "", "setup.py": f"{imported}from setuptools import setup\n{gate}"}
    made = applied(tmp_path, files)
    assert style_of(made).name == "portable"
    assert "if CUDA_HOME is not None or ROCM_HOME is not None:\n" in texts(made)["setup.py"]
    assert not any(finding.rule == "python/cuda-home" for finding, _ in made.rejected)


def test_a_second_run_changes_nothing(tmp_path):
    files = {"a.cu": KERNEL, "helper.h": "", "CMakeLists.txt": CMAKE}
    first = texts(applied(tmp_path, files, "portable"))
    again = applied(tmp_path, {**files, **first}, "portable")
    assert texts(again) == {}
    assert style_of(pipeline.apply(tmp_path, Config(jobs=1))).name == "portable"


def test_what_nvidia_needs_beside_the_code_stays(tmp_path):
    files = {"a.cu": KERNEL, "helper.h": "", "Dockerfile": "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n"}
    made = applied(tmp_path, files, "portable")
    assert "Dockerfile" not in texts(made)
    assert any(finding.path == "Dockerfile" for finding, _ in made.rejected)


def test_cmake_builds_for_both(tmp_path):
    made = applied(tmp_path, {"a.cu": KERNEL, "helper.h": "", "CMakeLists.txt": CMAKE}, "portable")
    text = texts(made)["CMakeLists.txt"]
    assert "option(USE_HIP" in text
    assert "if(USE_HIP)\n  project(p LANGUAGES CXX HIP)\n" in text
    assert "else()\n  project(p LANGUAGES CXX CUDA)\nendif()\n" in text


@pytest.mark.parametrize("top", [True, False])
def test_the_switch_is_known_around_what_asks_for_it(tmp_path: Path, top: bool) -> None:
    sub = "find_package(CUDAToolkit)\nadd_executable(p a.cu)\ntarget_link_libraries(p CUDA::cudart)\n"
    plain = "cmake_minimum_required(VERSION 3.24)\nproject(q LANGUAGES CXX)\nadd_executable(q q.cc)\n"
    files = {"b/a.cu": KERNEL, "b/helper.h": "", "a/CMakeLists.txt": plain, "a/q.cc": "int main() {}\n"}
    files["b/CMakeLists.txt"] = sub if top else CMAKE
    if top:
        files["CMakeLists.txt"] = "project(t LANGUAGES CXX)\nadd_subdirectory(a)\nadd_subdirectory(b)\n"
    found = texts(applied(tmp_path, files, "portable"))
    assert "USE_HIP" in found["b/CMakeLists.txt"]
    assert ("CMakeLists.txt" in found) is top
    assert "a/CMakeLists.txt" not in found  # a project beside it


def test_the_edits_that_made_a_file_are_known(tmp_path):
    made = applied(tmp_path, {"a.cu": KERNEL, "helper.h": "", "setup.py": SETUP, "CMakeLists.txt": CMAKE})
    for one in made.conversions:
        assert edits.apply(one.before, one.made_by).data == one.after


def test_no_header_of_names_is_included_where_pytorch_s_build_does_all(tmp_path):
    kernel = "#include <torch/extension.h>\n__device__ bool done;\n"
    kernel += "void g(bool *h) {{ {call}; }}\n"
    for number, call in enumerate(("cudaMemcpyToSymbol(done, h, 1)", "cudaMemcpyFromSymbol(h, done, 1, 0)")):
        made = applied(tmp_path / str(number), {"setup.py": SETUP, "a.cu": kernel.format(call=call)}, "portable")
        including = [text for text in texts(made).values() if '#include "cudamigrate_portable.h"' in text]
        assert bool(including) == ("cudamigrate_portable.h" in made.added), call


def test_a_second_runtime_header_stays_where_pytorch_renames_includes(tmp_path: Path) -> None:
    code = "#include <cuda.h>\n#include <cuda_runtime.h>\n" + KERNEL.partition("\n\n")[2]
    made = texts(applied(tmp_path / "torch", {"setup.py": SETUP, "a.cu": code}))
    assert made["a.cu"].startswith("#include <cuda.h>\n#include <cuda_runtime.h>\n")
    made = texts(applied(tmp_path / "hip", {"a.cu": code}, "hip"))
    assert made["a.cu"].startswith("#include <hip/hip_runtime.h>\n") and made["a.cu"].count("hip_runtime") == 1


def test_what_only_marks_a_declaration_is_an_empty_macro(tmp_path: Path) -> None:
    code = "#include <cuda_runtime.h>\n__global__ void k(const __grid_constant__ int n, int *p) { p[0] = n; }\n"
    made = texts(applied(tmp_path, {"a.cu": code}, "portable"))
    assert "#define __grid_constant__\n" in made["cudamigrate_portable.h"]
    assert "const __grid_constant__ int n" in made["a.cu"]
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    again = applied(tmp_path, {}, "portable")
    assert again.conversions == () and again.added == {}


@pytest.mark.parametrize(
    ("style", "offered"), [("hip", {"a.cu", "env.sh", "setup.py"}), ("portable", {"a.cu", "setup.py"})]
)
def test_what_portable_style_takes_back_is_not_offered(tmp_path: Path, style: str, offered: set[str]) -> None:
    spin = "__global__ void f(int *l) { while (atomicCAS(l, 0, 1)) ; *l = 0; }\n"
    files = {
        "a.cu": "#include <cuda_runtime.h>\n" + spin,
        "setup.py": SETUP,
        "env.sh": "export CUDA_HOME=/usr/local/cuda\n",
    }
    asked = set[str]()

    def choose(report: Report) -> list[Finding]:
        asked.update(one.path for one in report.findings if one.fix is not None)
        return []

    pipeline.apply(written(tmp_path, files), Config(jobs=1, style=style), choose=choose)
    assert asked == offered


def test_an_enumeration_that_qualifies_its_values_is_no_namespace(tmp_path: Path) -> None:
    code = (
        "#include <cub/cub.cuh>\n#include <cuda_runtime.h>\ncudaError_t good() { return cudaError_t::cudaSuccess; }\n"
    )
    more = "void f() { cub::CacheLoad<int>(); }\n"
    made = applied(tmp_path, {"a.cu": code + more}, "portable")
    (header,) = [text.decode() for path, text in made.added.items() if path == "cudamigrate_portable.h"]
    assert "#define cudaError_t hipError_t" in header and "namespace cudaError_t" not in header
    assert "namespace cub = hipcub;" in header


COPYING = """\
import os, shutil, torch.utils.cpp_extension
def plugin(sources, folder):
    for one in sources:
        {copy}
    return torch.utils.cpp_extension.load(name="e", sources=[os.path.join(folder, one) for one in sources])
"""


@pytest.mark.parametrize("copies", [True, False])
def test_sources_that_are_copied_before_they_are_built_include_no_header_of_ours(tmp_path: Path, copies: bool) -> None:
    copy = "shutil.copyfile(one, os.path.join(folder, os.path.basename(one)))" if copies else "print(one)"
    files = {"ops/a.cu": KERNEL, "ops/helper.h": "", "setup.py": SETUP.replace("a.cu", "ops/a.cu")}
    made = texts(applied(tmp_path, files | {"build.py": COPYING.format(copy=copy)}))
    assert ("cudamigrate_portable.h" in made) is not copies
    assert ('cudamigrate_portable.h"' in made["ops/a.cu"]) is not copies
    assert ("reinterpret_cast<const void*>(sum)" in made["ops/a.cu"]) is copies


PROGRAM = KERNEL.replace('#include "helper.h"\n', "")
INLINE = (
    "from pathlib import Path\nfrom torch.utils.cpp_extension import load_inline\n"
    "load_inline('e', cpp_sources='', cuda_sources=Path('lesson/text.cu').read_text())\n"
)


def test_programs_that_pytorch_does_not_build_are_hip(tmp_path: Path) -> None:
    files = {"setup.py": SETUP, "a.cu": PROGRAM, "p/a1.cu": PROGRAM, "p/b1.cu": PROGRAM, "p/c1.cu": PROGRAM}
    made = applied(tmp_path / "most", files)
    assert (style_of(made).name, style_of(made).reason) == ("hip", "PyTorch builds 1 of 4 CUDA sources")
    lessons = {"lesson/first.py": INLINE, "lesson/text.cu": PROGRAM, "p/a1.cu": PROGRAM, "p/b1.cu": PROGRAM}
    assert style_of(applied(tmp_path / "inline", lessons)).name == "hip"
    assert style_of(applied(tmp_path / "text", {"first.py": INLINE, "lesson/text.cu": PROGRAM})).name == "portable"


def test_the_few_programs_beside_an_extension_hold_names_for_hip(tmp_path: Path) -> None:
    files = {"setup.py": SETUP.replace("['a.cu']", "['a.cu', 'b.cu']"), "a.cu": PROGRAM, "b.cu": PROGRAM}
    made = applied(tmp_path, files | {"bench/c.cu": PROGRAM})
    assert style_of(made).name == "portable"
    assert "hipMalloc" in texts(made)["bench/c.cu"]
    assert "hipMalloc" not in texts(made)["a.cu"]
    assert unchanged_for_cuda(made)


@pytest.mark.parametrize(("style", "withheld"), [("auto", ["run.sh"]), ("hip", [])])
def test_what_portable_style_leaves_says_why(tmp_path: Path, style: str, withheld: list[str]) -> None:
    files = {"setup.py": SETUP, "a.cu": PROGRAM, "run.sh": "export PATH=/usr/local/cuda/bin:$PATH\n"}
    made = pipeline.apply(written(tmp_path, files), Config(jobs=1, style=style), debug=True)
    assert [one.path for one, _ in made.rejected] == withheld
    assert all("PyTorch builds it" in why and "--style hip" in why for _, why in made.rejected)


def test_a_scan_says_which_automatic_fixes_apply_leaves_to_the_other_style(tmp_path):
    """As many as `apply` then withholds."""
    build = "find_package(CUDA REQUIRED)\ncuda_add_executable(bench bench.cu)\n"
    files = {"a.cu": KERNEL, "setup.py": SETUP, "bench/CMakeLists.txt": build}
    made = applied(tmp_path, files)
    (said,) = [one for one in basis(pipeline.scan(tmp_path, Config(jobs=1))) if "--style hip" in one]
    withheld = [one for one, _ in made.rejected if one.path.endswith("CMakeLists.txt")]
    assert withheld
    assert f"{len(withheld)} automatic fix" in said
    assert "setup.py:" in said


def test_a_scan_says_nothing_of_styles_where_apply_makes_all_of_it(tmp_path):
    applied(tmp_path, {"a.cu": KERNEL, "CMakeLists.txt": "find_package(CUDA REQUIRED)\ncuda_add_executable(a a.cu)\n"})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert report.style is None
    assert not [one for one in basis(report) if "--style hip" in one]
