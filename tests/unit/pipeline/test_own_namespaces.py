"""A namespace `cuda` of the project's own is not libcu++, where the file reads the header that declares its names."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

OWN = "namespace mine { namespace cuda {\ntemplate <typename T> struct maximum {};\nint ceil_div(int a);\n} }\n"
USE = '#include "a.h"\nnamespace mine {{\n__global__ void k() {{ auto m = cuda::{}; }}\n}}\n'


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        pytest.param({"a.h": OWN, "k.cu": USE.format("maximum<int>()")}, False, id="own"),
        pytest.param(
            {"a.h": '#include "b.h"\n', "b.h": OWN, "k.cu": USE.format("ceil_div(3)")}, False, id="through another"
        ),
        pytest.param(
            {"a.h": OWN.replace("cuda", "gpu"), "k.cu": USE.format("maximum<int>()")}, True, id="another name"
        ),
        pytest.param({"a.h": OWN, "k.cu": USE.format("minimum<int>()")}, True, id="not among them"),
        pytest.param({"b.h": OWN, "a.h": "", "k.cu": USE.format("maximum<int>()")}, True, id="not read"),
    ],
)
def test_names_of_an_own_namespace(tmp_path: Path, files: dict[str, str], reported: bool) -> None:
    found = [one for one in scanned(tmp_path, files).findings if one.rule == "library/cccl-names"]
    assert bool(found) is reported
