"""A library's namespace that the repository opens and fills itself is no library that has to be replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

LOAD = "template <typename T> __device__ T load(T *p) { return *p; }\n"
PLAIN = "namespace mgpu {\n" + LOAD + "}\n"
MACROS = "#define BEGIN_OURS namespace mgpu {\n#define END_OURS }\n"
USE = '#include "a.h"\n__global__ void k(int *p) {{ *p = mgpu::{}; }}\n'


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        pytest.param({"a.h": PLAIN, "k.cu": USE.format("load(p)")}, False, id="own"),
        pytest.param(
            {"a.h": MACROS + "BEGIN_OURS\n" + LOAD + "END_OURS\n", "k.cu": USE.format("load(p)")},
            False,
            id="by a macro",
        ),
        pytest.param(
            {
                "meta.h": MACROS,
                "a.h": '#include "meta.h"\nBEGIN_OURS\n' + LOAD + "END_OURS\n",
                "k.cu": USE.format("load(p)"),
            },
            False,
            id="by another file's macro",
        ),
        pytest.param({"a.h": PLAIN, "k.cu": USE.format("merge(p)")}, True, id="not among them"),
        pytest.param(
            {"a.h": "namespace mgpu { class context_t; }\n", "k.cu": USE.format("context_t()")}, True, id="ahead"
        ),
        pytest.param(
            {"a.h": "namespace ours {\n" + LOAD + "}\n", "k.cu": USE.format("load(p)")}, True, id="another name"
        ),
        pytest.param({"a.h": MACROS + LOAD, "k.cu": USE.format("load(p)")}, True, id="never opened"),
        pytest.param(
            {"a.h": PLAIN, "k.cu": "#include <moderngpu/kernel_scan.hxx>\n" + USE.format("load(p)")},
            True,
            id="its header",
        ),
    ],
)
def test_names_of_an_own_namespace(tmp_path: Path, files: dict[str, str], reported: bool) -> None:
    found = [one for one in scanned(tmp_path, files).findings if one.rule == "library/moderngpu"]
    assert bool(found) is reported
