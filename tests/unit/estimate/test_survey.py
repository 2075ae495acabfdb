"""Clues are read from bounded parts of the files that a scan reads, and only say what is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.estimate import clues
from cudamigrate.estimate.frameworks import uses
from cudamigrate.estimate.survey import Survey
from cudamigrate.estimate.tables import table
from tests.unit.estimate.trees import EXTENSION, KERNEL, TRITON, estimate, survey, write


def look(root: Path, files: dict[str, str]) -> Survey:
    return survey(write(root, files))


def names(found: Survey) -> set[str]:
    return {use.name for use in uses(found, [], {}, table("frameworks"))}


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("requirements.txt", "# x\nflash_attn>=2\n", "FlashAttention 2"),
        ("requirements/cuda.txt", "xformers==0.0.30\n", "xformers"),
        (
            "pyproject.toml",
            '[project]\ndependencies = [\n  "Transformer-Engine[pytorch]>=1",\n]\n',
            "Transformer Engine",
        ),
        ("environment.yml", "dependencies:\n  - pip:\n    - bitsandbytes\n", "bitsandbytes"),
        ("setup.py", 'setup(install_requires=["deepspeed>=0.9"])\n', "DeepSpeed"),
        ("a.py", "from vllm import LLM\n", "vLLM"),
        ("a.py", "import os, sglang as sgl\n", "SGLang"),
        ("a.py", "def f():\n    from numba import cuda\n", "Numba CUDA"),
        ("a.py", "import nvidia.dali.fn as fn\n", "DALI"),
        ("Dockerfile", "FROM nvcr.io/nvidia/tritonserver:24.01-py3\n", "Triton Inference Server"),
        ("Dockerfile", "RUN pip install \\\n    awscli \\\n    apex\n", "Apex"),
        ("compose.yml", "image: nvcr.io/nim/meta/llama3\n", "NIM"),
        ("run.sh", "nsys profile python a.py\n", "Nsight"),
    ],
)
def test_framework_is_found_with_its_line(path: str, text: str, name: str, tmp_path: Path) -> None:
    found = look(tmp_path, {path: text})
    (use,) = (use for use in uses(found, [], {}, table("frameworks")) if use.name == name)
    place = use.evidence[0]
    assert place.path == path
    assert text.splitlines()[place.line - 1].strip() == place.text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("requirements.txt", "# vllm\n"),
        ("a.py", "# import vllm\nx = 'import vllm'\n"),
        ("a.py", "from mine import vllm_tools\n"),
        ("Dockerfile", "RUN echo apex is not installed here\n"),
        ("notes.txt", "vllm\n"),
        ("requirements.txt", "vllm-mock\n"),
    ],
)
def test_neighbour_is_left_alone(path: str, text: str, tmp_path: Path) -> None:
    assert names(look(tmp_path, {path: text})) == set()


def test_vendored_ignored_and_generated_files_do_not_speak_for_the_project(tmp_path: Path) -> None:
    files = {
        "third_party/x/setup.py": "import vllm\n",
        "build/a.py": "import vllm\n",
        ".gitignore": "build/\n",
        "a.egg-info/requires.txt": "vllm\n",
    }
    assert names(look(tmp_path, files)) == set()


def test_links_are_not_followed_and_long_files_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clues, "LIMIT", 64)
    outside = write(tmp_path / "outside", {"a.py": "import vllm\n"})
    inside = write(tmp_path / "inside", {"b.py": "#" * 80 + "\nimport sglang\n", "c.py": "import apex\n"})
    os.symlink(outside / "a.py", inside / "a.py")
    assert names(survey(inside)) == {"Apex"}


def test_bytes_that_are_no_text_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"\xff\xfeimport vllm\0\n")
    (tmp_path / "b.py").write_bytes(b"# caf\xe9\nimport apex\n")
    assert names(survey(tmp_path)) == {"Apex"}


def test_a_file_counts_once_however_often_it_shows_a_clue(tmp_path: Path) -> None:
    found = look(tmp_path, {f"{name}.py": "import vllm\nfrom vllm import LLM\n" for name in "abcdefgh"})
    clue = found.of(".", "import vllm")
    assert clue.files == 8
    assert [(place.path, place.line) for place in clue.places] == [(f"{name}.py", 1) for name in "abcde"]


def test_first_place_counts_whichever_word_shows_it(tmp_path: Path) -> None:
    found = look(tmp_path, {"a.py": "cp.my_RawModule_x\nk = cp.RawModule(code)\nj = cp.RawKernel(code)\n"})
    assert [place.line for place in found.places("raw-kernel")] == [2]


def test_decorators_count_at_the_beginning_of_a_line(tmp_path: Path) -> None:
    found = look(tmp_path, {"a.py": f"# @triton.jit\n{TRITON}class A:\n    @triton.jit\n    def m(x): ...\n"})
    assert found.triton == {"a.py": 2}
    assert [place.line for place in found.places("triton-kernel")] == [6]


def test_kernels_in_python_strings_count(tmp_path: Path) -> None:
    generated = "class A:\n    @pccm.cuda.cuda_global_function\n    def k(self):\n        return code\n"
    written = 'SOURCE = """extern "C" __global__ void k(float *x) {}"""\n'
    missed = "# __global__ void old() {}\nname = '__global__'\ncuda_global_function = None\n"
    asked = "parts = code.split('__global__ void')\n"
    asked += 'code = code.replace("__global__ void", \'extern "C" __global__ void\')\n'
    joined = 'code = "__global__ void " + name + "(float *x) {}"\n'
    files = {"a.py": generated * 2, "b.py": written, "c.py": missed, "e.py": asked, "f.py": joined}
    found = look(tmp_path, {**files, "tests/d.py": written})
    assert found.strings == {"a.py": 2, "b.py": 1, "f.py": 1}


def test_kernels_in_python_that_were_read_are_no_gaps(tmp_path: Path) -> None:
    read = 'import torch\nrun("""__global__ void k(float *x) { x[threadIdx.x] *= 2; }""")\n'
    joined = 'import torch\nrun("__global__ void " + name + "(float *x) { x[threadIdx.x] *= 2; }")\n'
    parts = 'import torch\ncode = "__global__ void k(float *x) { x[threadIdx.x] *= 2;"\ncode += more\n'
    kinds = []
    for at, text in enumerate((read, joined, parts)):
        made = estimate(tmp_path / str(at), {"a.py": text, "setup.py": "from setuptools import setup\nsetup()\n"})
        kinds.append([one.group for one in made.items if one.kind == "integration"])
    assert kinds == [["plain"], ["gaps"], ["gaps"]]


def test_clues_of_files_that_cannot_be_parsed_count(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.py": f"{TRITON}def broken(:\n", "setup.py": EXTENSION + ")))", "b.cu": KERNEL})
    assert found.components[0].category == "pytorch-cuda-extension"
    assert found.components[0].also == ("pytorch-triton",)


def test_places_in_tests_come_last(tmp_path: Path) -> None:
    found = look(tmp_path, {"examples/a.py": "import vllm\n", "src/b.py": "import vllm\n"})
    assert [place.path for place in found.places("import vllm")] == ["src/b.py", "examples/a.py"]
    assert (found.of(".", "import vllm").files, found.of(".", "import vllm").aside) == (1, 1)


def test_code_is_never_executed(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    look(tmp_path / "tree", {"setup.py": f"open({str(mark)!r}, 'w')\nimport torch\n"})
    assert not mark.exists()


def test_library_of_a_finding_shows_a_framework(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.cpp": "#include <cudnn.h>\n#include <nccl.h>\nvoid f() { cudnnHandle_t h; }\n"})
    shown = {use.name: use.evidence[0] for use in found.frameworks}
    assert set(shown) == {"cuDNN", "NCCL"}
    assert (shown["cuDNN"].path, shown["cuDNN"].line) == ("a.cpp", 1)


def test_what_is_common_without_gpus_makes_no_gpu_user(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"requirements.txt": "xgboost\nray\n", "a.py": "import ray\n"})
    assert found.category == "no-gpu"
    assert {use.name for use in found.frameworks} == {"Ray", "XGBoost"}


def test_apply_makes_no_estimate(tmp_path: Path) -> None:
    root = write(tmp_path, {"a.cu": KERNEL})
    assert pipeline.apply(root, Config(jobs=1)).report.estimate is None


def test_a_package_does_not_use_itself(tmp_path: Path) -> None:
    test = {"tests/test_a.py": "import gsplat\nimport vllm\n"}
    own = {"gsplat/__init__.py": "import torch\n", "gsplat/vllm/__init__.py": "", **test}
    assert {"gsplat", "vLLM"} <= names(look(tmp_path / "user", test))
    assert names(look(tmp_path / "own", own)) & {"gsplat", "vLLM"} == {"vLLM"}
