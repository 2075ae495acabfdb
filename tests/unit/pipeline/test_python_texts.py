"""A CUDA file that Python reads and compiles as text gets no header of ours: it could not be found from there."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import SourceFile, Target
from cudamigrate.pipeline import prove, python_texts
from cudamigrate.verification import run as verification

KERNEL = """extern "C" __global__ void top(float *a) {
  __stcs(a, 1.0f);
  a[1] = __shfl_xor_sync(0xffffffff, a[2], 4);
}
"""
READS = """import cupy as cp
with open(where("kernels", "cuda", {name}), {mode}) as f:
    code = f.read().replace("_N_", "4")
kernel = cp.{maker}(code=code, name="top")
"""


@pytest.mark.parametrize(
    ("name", "mode", "maker", "is_text"),
    [
        ('"top.cu"', '"r"', "RawKernel", True),
        ('f"top{v}.cu"', "'rt'", "RawModule", True),
        ('"other.cu"', '"r"', "RawKernel", False),
        ('"sub", "top.cu"', '"r"', "RawKernel", False),
        ('"top.cu"', '"w"', "RawKernel", False),
        ('"top.cu"', '"r"', "ndarray", False),
    ],
)
def test_a_kernel_that_is_read_as_text_includes_no_header_of_ours(
    name: str, mode: str, maker: str, is_text: bool, tmp_path: Path
) -> None:
    reads = READS.format(name=name, mode=mode, maker=maker)
    written(tmp_path, {"p/kernels/cuda/top.cu": KERNEL, "p/run.py": reads})
    findings = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.path.endswith("top.cu")]
    fixes = [edit.replacement for one in findings if one.fix is not None for edit in one.fix.edits]
    assert any(b"#include" in text for text in fixes) is not is_text
    stored = next(one for one in findings if one.excerpt.startswith("__stcs"))
    assert (stored.resolution == "manual") is is_text
    assert any(b"__shfl_xor" in text or text == b"" or b"32" in text for text in fixes)


@pytest.mark.parametrize(
    ("kernel", "reads", "filled"),
    [
        ("__global__ void k(float *a) { a[_N_] = 1; }\n", READS, {"p/kernels/cuda/top.cu"}),
        ("__global__ void k(float *a) { a[N] = 1; }\n", READS, set()),
        ("__global__ void k(float *a) { a[_N_] = 1; }\n", READS.replace("replace", "strip"), set()),
    ],
)
def test_a_text_with_words_that_python_replaces_is_no_code(
    kernel: str, reads: str, filled: set[str], tmp_path: Path
) -> None:
    reads = reads.format(name='"top.cu"', mode='"r"', maker="RawKernel")
    texts = {"p/kernels/cuda/top.cu": kernel, "p/run.py": reads}

    def read(path: str) -> SourceFile | None:
        return SourceFile(path, texts[path].encode(), "") if path in texts else None

    assert python_texts.filled_by_python(["p/kernels/cuda/top.cu"], frozenset(texts), read) == filled
    if filled:
        found = verification.toolchain("clang", Target())
        if isinstance(found, str):
            pytest.skip(found)
        judged = prove.verify(written(tmp_path, texts), Config(jobs=1), "clang").verdicts
        assert [(one.word, one.headers) for one in judged] == [
            ("unresolved", ("text that Python fills in and compiles when it runs",))
        ]


LOADS = """import os
import cupy as cp
folder = os.path.join(os.path.dirname(__file__), {folder})
def load(name, words={{}}):
    path = "%s/%s{ending}" % (folder, name)
    with open(path, "r") as f:
        kernel = f.read()
    for key, value in words.{how}():
        kernel = kernel.replace(key, str(value))
    return cp.RawModule(code=kernel)
"""


@pytest.mark.parametrize(
    ("folder", "ending", "how", "filled"),
    [
        ("'kernels', 'cuda'", ".cu", "items", True),
        ("'kernels', 'other'", ".cu", "items", False),
        ("'kernels', 'cuda'", ".txt", "items", False),
        ("'kernels', 'cuda'", ".cu", "pairs", False),
    ],
)
def test_words_that_callers_give_to_a_text_are_filled_in_too(folder: str, ending: str, how: str, filled: bool) -> None:
    path = "p/kernels/cuda/top.cu"
    texts = {path: KERNEL, "p/run.py": LOADS.format(folder=folder, ending=ending, how=how)}

    def read(name: str) -> SourceFile | None:
        return SourceFile(name, texts[name].encode(), "") if name in texts else None

    assert (path in python_texts.filled_by_python([path], frozenset(texts), read)) is filled


@pytest.mark.parametrize(("name", "compiles"), [('"top.cu"', True), ('"other.cu"', False)])
def test_a_text_needs_no_header_of_the_runtime_to_be_judged(name: str, compiles: bool, tmp_path: Path) -> None:
    """What compiles text at run time declares `blockIdx` unasked; hipcc does not, and takes no file for such a text."""
    found = verification.toolchain("clang", Target())
    if isinstance(found, str):
        pytest.skip(found)
    kernel = "#include <math.h>\n__device__ int at() { return blockIdx.x; }\n"
    texts = {"p/kernels/cuda/top.cu": kernel, "p/run.py": READS.format(name=name, mode='"r"', maker="RawKernel")}
    judged = prove.verify(written(tmp_path, texts), Config(jobs=1), "clang").verdicts
    assert [one.word == "failed" for one in judged] == [not compiles]


INLINE = """from pathlib import Path
from torch.utils.cpp_extension import load_inline
text = (Path(__file__).parent / {name}).read_text()
cpp = "void f();"
m = load_inline(name="m", cpp_sources=[cpp], cuda_sources=[{text}], functions=["f"])
"""


@pytest.mark.parametrize(
    ("name", "text", "unread"),
    [
        ("'top.cu'", "text", False),
        ("'other.cu'", "text", True),  # not in the tree
        ("'top.cu'", "text + make()", True),
        ("'top.cu'", "text, make()", True),
    ],
)
def test_source_in_a_file_of_the_tree_is_none_that_was_not_read(
    name: str, text: str, unread: bool, tmp_path: Path
) -> None:
    written(tmp_path, {"top.cu": KERNEL, "run.py": INLINE.format(name=name, text=text)})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.rule == "python/kernel-source-computed" for one in findings) is unread


@pytest.mark.parametrize(("more", "by_torch"), [("", True), ("import cupy\nk = cupy.RawKernel(text, 'top')\n", False)])
def test_what_compiles_the_text_says_how_a_header_is_given(more: str, by_torch: bool, tmp_path: Path) -> None:
    written(tmp_path, {"top.cu": KERNEL, "run.py": INLINE.format(name="'top.cu'", text="text") + more})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    said = [one.message for one in findings if one.path == "top.cu" and "Not changed" in one.message]
    assert said and all(("extra_include_paths" in one) is by_torch for one in said)
    assert all(("hipRTC" in one) is not by_torch for one in said)
