"""TensorRT is no blocker where only the numbers of its release are used, and one wherever a file uses the library."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

ASKS = "#include <NvInfer.h>\n#include <cuda_runtime.h>\n#if NV_TENSORRT_MAJOR > 8\nint a;\n#endif\n"
VERSION, LIBRARY = "library/version-header", "library/tensorrt"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({}, {("a.cpp", VERSION)}, id="its version"),
        pytest.param({"b.h": '#include "NvInfer.h"\n'}, {("a.cpp", VERSION), ("b.h", VERSION)}, id="a header too"),
        pytest.param({"b.cpp": "// nvinfer1::Dims\nint b;\n"}, {("a.cpp", VERSION)}, id="comment"),
        pytest.param({"a.cpp": "#include <NvInfer.h>\n"}, {("a.cpp", LIBRARY)}, id="nothing says what for"),
        pytest.param({"b.cpp": "nvinfer1::Dims b;\n"}, {("a.cpp", LIBRARY), ("b.cpp", LIBRARY)}, id="used elsewhere"),
        pytest.param({"b.cpp": "struct B { IRuntime *r; };\n"}, {("a.cpp", LIBRARY)}, id="an interface"),
        pytest.param(
            {"b.cpp": "#include <NvOnnxParser.h>\n"}, {("a.cpp", LIBRARY), ("b.cpp", LIBRARY)}, id="another header"
        ),
    ],
)
def test_tensorrt_for_its_version_alone_is_little_work(
    tmp_path: Path, files: dict[str, str], told: set[tuple[str, str]]
) -> None:
    written(tmp_path, {"a.cpp": ASKS, **files})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert {(one.path, one.rule) for one in findings if one.rule in (VERSION, LIBRARY)} == told
