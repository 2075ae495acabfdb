"""Go: which files use CUDA by cgo."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

IMPORT = 'import "C"\n'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("//#include <cuda.h>\n" + IMPORT, ["cuda.h"]),
        ("/*\n#include <stdio.h>\n#include <cublas_v2.h>\n*/\n" + IMPORT, ["cublas_v2.h"]),
        ('/* #include "cuda_runtime.h" */\n' + IMPORT, ["cuda_runtime.h"]),
        ('import (\n\t// #include <cufft.h>\n\t"C"\n)\n', ["cufft.h"]),
        ("// #cgo linux,amd64 LDFLAGS: -L/usr/local/cuda/lib64 -lm -lcudart\n" + IMPORT, ["-lcudart"]),
        ("// #cgo pkg-config: zlib cudart-12.4\n" + IMPORT, ["cudart-12.4"]),
        ("// #cgo LDFLAGS: -lcuda\n// #include <cuda.h>\n" + IMPORT, ["cuda.h"]),
        ("//#include <cuda.h>\n\n" + IMPORT, []),
        ('//#include <cuda.h>\nimport "fmt"\n' + IMPORT, []),
        ("////#include <cuda.h>\n" + IMPORT, []),
        ("/*\n//#include <cuda.h>\n*/\n" + IMPORT, []),
        ("//#include <cuda_pool.h>\n// #cgo LDFLAGS: -lcudapool\n// #cgo CFLAGS: -lcuda\n" + IMPORT, []),
        ("//#include <cuda.h>\n//#include <hip/hip_runtime.h>\n" + IMPORT, []),
        ('//#include <cuda.h>\nvar c = []string{\n\t"C",\n}\n', []),
    ],
)
def test_one_place_stands_for_a_file(text: str, found: list[str]) -> None:
    text = "package a\n\n" + text
    result = find_in_text(text, "src/a.go", unsafe=True)
    data = text.encode()
    assert [data[one.span.start : one.span.end].decode() for one in result.findings] == found
    assert all(one.rule.startswith("api/cgo-") for one in result.findings) and result.after == text
