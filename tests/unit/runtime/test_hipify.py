"""Headers that converted code includes pass unchanged through the renaming that PyTorch for ROCm does."""

from __future__ import annotations

import re

import pytest

from cudamigrate.cuda.include_insertion import OWN_HEADERS
from cudamigrate.model import Target
from cudamigrate.pipeline import own_headers
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.rulebase.code_rules import load

BOOK = load(Target())


def renamed(text: str) -> set[str]:
    """The words that are CUDA's and are called otherwise in HIP; comments count, as PyTorch renames those too."""
    words = set(re.findall(r"(?<=\W)[A-Za-z_]\w+(?=\W)", text))
    rules = {word: BOOK.names[word] for word in words if word in BOOK.names}
    return {w for w, r in rules.items() if r.change.kind == "rename" and re.match("(?i)hip|roc|rccl", r.change.text[0])}


@pytest.mark.parametrize("name", OWN_HEADERS)
def test_no_word_of_our_headers_is_one_that_is_renamed(name: str) -> None:
    text = own_headers.runtime_header(name).decode()
    assert renamed("// cudaFree(p)\n") == {"cudaFree"}
    assert renamed(text) == set()
    includes = set(re.findall(r"#include [<\"]([^>\"]+)", text)) - set(OWN_HEADERS)
    assert includes and not [path for path in includes if path.startswith(("cuda", "ATen/cuda", "c10/cuda", "THC"))]


@pytest.mark.parametrize("name", OWN_HEADERS)
def test_header_with_device_code_includes_the_runtime_itself(name: str) -> None:
    """Else PyTorch puts the include on top, and with that makes a copy under another name."""
    text = own_headers.runtime_header(name).decode()
    assert re.search(r"#include [<\"]hip/hip_runtime(?:_api)?\.h[>\"]", text) or not re.search(
        r"__(?:global|shared)__|__syncthreads\w*\(", text
    )


SOURCE = """#include <cuda_runtime.h>
#include <vector>

__global__ void k(float *x) { x[threadIdx.x] = __shfl_down_sync(0xffffffff, x[0], 16); }
void run(float *x, cudaStream_t s) { k<<<1, 32, 0, s>>>(x); cudaStreamSynchronize(s); }
"""


def test_converted_source_has_nothing_left_to_rename() -> None:
    after = find_in_text(SOURCE).after
    assert renamed(SOURCE) and not renamed(after)
    assert re.search(r"#include [<\"]hip/hip_runtime\.h", after)
