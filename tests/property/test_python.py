"""What holds for every Python file and notebook: no crash, comments and other lines kept, applying twice is once."""

from __future__ import annotations

import ast
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from cudamigrate.frontends import python
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text
from tests.draws import examples

LINES = [
    "import torch",
    "import torch.backends.cudnn as cudnn",
    "from torch.utils.cpp_extension import CUDAExtension, load_inline",
    "import cupy as cp",
    "import triton.language as tl",
    "from triton.language.extra.cuda import libdevice",
    "import onnxruntime",
    "import tensorflow as tf",
    "import os  # os.environ['CUDA_LAUNCH_BLOCKING'] = '1'",
    "assert torch.version.cuda is not None",
    "os.environ['CUDA_LAUNCH_BLOCKING'] = \"1\"",
    "os.environ[\"CUDA_LAUNCH_BLOCKING\"] = '0'  # back",
    "nvcc_flags = ['-O3', \"--use_fast_math\", '-gencode', 'arch=compute_80,code=sm_80']",
    "nvcc_flags.append('--expt-relaxed-constexpr')",
    "nvcc_flags += [f'-DN={n}', '-lineinfo',  # last\n  '-G']",
    "x = {'nvcc': ['-Xcompiler -fPIC', '--threads', '4'], 'cxx': ['-O2']}",
    "k = cp.RawKernel(r'''__global__ void k(int *p) { p[0] = __shfl_sync(0xffffffff, p[1], 0); cudaFree(p); }''', 'k')",
    "k = cp.RawKernel('void f() {\\n cudaFree(p); }\\n', 'k')",
    "load_inline('x', cuda_sources='void f() { cudaFree(0); }')",
    "y = tl.inline_asm_elementwise('ex2.approx.f32 $0, $1;', '=f,f', [x], dtype=tl.float32, is_pure=True, pack=1)",
    "y = libdevice.tanh(x) + tl.extra.cuda.libdevice.exp(x)",
    "s = onnxruntime.InferenceSession('m', providers=['CUDAExecutionProvider'])",
    "if tf.test.is_built_with_cuda(): pass",
    "if torch.version.hip:\n    pass\nelse:\n    assert torch.version.cuda",
    "text = 'torch.version.cuda nvcc'",
]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A plausible program of lines that each hold a use, or something like one."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join(draw(st.lists(st.sampled_from(LINES), max_size=9))).replace("\r\n", "\n").replace("\n", end) + end


def apply(text: str, path: str = "setup.py") -> str:
    return find_in_text(text, path, unsafe=True).after


@settings(deadline=None, max_examples=examples(200))
@given(st.binary(max_size=300))
def test_front_end_never_raises_on_any_bytes(data: bytes) -> None:
    python.parse(SourceFile("setup.py", data, "python"))
    python.broken(data)


@settings(deadline=None, max_examples=examples(150))
@given(st.text(alphabet="import torch.(){}[]'\"\\\n ,:=#rf-", max_size=120))
def test_broken_syntax_is_left_as_it_is_or_read(text: str) -> None:
    apply("import torch\nnvcc_flags = ['-lineinfo'\n" + text)


@settings(deadline=None, max_examples=examples(150))
@given(programs())
def test_applying_twice_changes_nothing_more(text: str) -> None:
    once = apply(text)
    assert apply(once) == once


@settings(deadline=None, max_examples=examples(150))
@given(programs())
def test_program_stays_a_program_with_its_comments(text: str) -> None:
    ast.parse(text)
    after = apply(text)
    ast.parse(after)
    assert after.count("#") == text.count("#")
    assert ("\r\n" in after) == ("\r\n" in text) or not text.strip()
    assert after.replace("\r\n", "").count("\n") == (0 if "\r\n" in text else after.count("\n"))


@settings(deadline=None, max_examples=examples(100))
@given(programs())
def test_notebook_changes_as_the_program_does_or_not_at_all(text: str) -> None:
    text = text.replace("\r\n", "\n")
    cells = [{"cell_type": "code", "source": text.splitlines(keepends=True)}]
    after = json.loads(apply(json.dumps({"cells": cells}, indent=1), "a.ipynb"))
    program = "".join(after["cells"][0]["source"])
    ast.parse(program)
    assert apply(json.dumps({"cells": after["cells"]}, indent=1), "a.ipynb") == json.dumps(
        {"cells": after["cells"]}, indent=1
    )
