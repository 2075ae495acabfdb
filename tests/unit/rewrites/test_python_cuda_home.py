"""Tests for CUDA's folder that decide whether PyTorch builds an extension."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import python
from cudamigrate.model import SourceFile
from cudamigrate.rewrites import python_cuda_home

NAME = "torch.utils.cpp_extension.CUDA_HOME"
HEAD = "from torch.utils.cpp_extension import CUDA_HOME, CUDAExtension\n"
BOTH = "from torch.utils.cpp_extension import CUDA_HOME, ROCM_HOME, CUDAExtension\n"


def moved(text: str) -> str:
    """The text after all its edits, each made once."""
    source = SourceFile(path="setup.py", language="python", data=text.encode())
    parsed = python.parse(source)
    found = {edit for use in parsed.uses if use.name == NAME for edit in python_cuda_home.edits(parsed, use, ())}
    data = source.data
    for edit in sorted(found, key=lambda one: one.span, reverse=True):
        data = data[: edit.span.start] + edit.replacement + data[edit.span.end :]
    return data.decode()


@pytest.mark.parametrize(
    ("test", "new"),
    [
        ("if CUDA_HOME is not None:", "if CUDA_HOME is not None or ROCM_HOME is not None:"),
        ("if CUDA_HOME is None and a:", "if (CUDA_HOME is None and ROCM_HOME is None) and a:"),
        ("if CUDA_HOME == None:", "if CUDA_HOME == None and ROCM_HOME == None:"),
        ("if not CUDA_HOME or a:", "if not (CUDA_HOME or ROCM_HOME) or a:"),
        ("if a and (CUDA_HOME or b):", "if a and ((CUDA_HOME or ROCM_HOME) or b):"),
        ("if not (a and CUDA_HOME != None):", "if not (a and (CUDA_HOME != None or ROCM_HOME != None)):"),
        ("if a:\n    pass\nelif CUDA_HOME:", "if a:\n    pass\nelif (CUDA_HOME or ROCM_HOME):"),
        ("print(CUDA_HOME)\nif CUDA_HOME:", "print(CUDA_HOME)\nif (CUDA_HOME or ROCM_HOME):"),
    ],
)
def test_a_test_for_the_folder_asks_for_rocms_too(test: str, new: str) -> None:
    assert moved(f"{HEAD}{test}\n    made = CUDAExtension('a', ['a.cu'])\n") == (
        f"{BOTH}{new}\n    made = CUDAExtension('a', ['a.cu'])\n"
    )


def test_a_variable_and_a_choice_ask_for_both() -> None:
    text = "gpu = CUDA_HOME is not None\nmake = CUDAExtension if CUDA_HOME else other\n"
    new = "gpu = CUDA_HOME is not None or ROCM_HOME is not None\nmake = CUDAExtension if (CUDA_HOME or ROCM_HOME) else "
    assert moved(HEAD + text) == f"{BOTH}{new}other\n"


def test_a_module_gives_both() -> None:
    made = "    m = cpp_extension.CUDAExtension\n"
    text = f"from torch.utils import cpp_extension\nif cpp_extension.CUDA_HOME is not None:\n{made}"
    asked = "cpp_extension.CUDA_HOME is not None"
    assert moved(text) == text.replace(asked, f"{asked} or cpp_extension.ROCM_HOME is not None")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{HEAD}if CUDA_HOME:\n    run(CUDA_HOME + '/bin/nvcc')\n", id="the folder is used"),
        pytest.param(f"{HEAD}home = CUDA_HOME or '/usr/local/cuda'\n", id="it is a value"),
        pytest.param(f"{HEAD}home = a and CUDA_HOME\nif home:\n    CUDAExtension('a', [])\n", id="it is kept"),
        pytest.param(HEAD.replace(", CUDAExtension", "") + "if CUDA_HOME is None:\n    stop()\n", id="no extension"),
        pytest.param(f"{HEAD}if CUDA_HOME:\n    a()\nelif ROCM_HOME:\n    b()\n", id="it knows ROCm's"),
        pytest.param(
            f"import torch\n{HEAD}if CUDA_HOME:\n    a()\nelif torch.version.hip:\n    b()\n", id="a branch for ROCm"
        ),
        pytest.param(
            f"try:\n    {HEAD}except ImportError:\n    CUDA_HOME = None\nif CUDA_HOME:\n    a()\n",
            id="it may be its own",
        ),
        pytest.param(f"{HEAD}if CUDA_HOME == other:\n    a()\n", id="it is compared"),
    ],
)
def test_what_is_no_test_of_an_unported_build_stays(text: str) -> None:
    assert moved(text) == text
