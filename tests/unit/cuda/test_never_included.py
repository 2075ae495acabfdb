"""Code for who includes a header of CUDA's that no header for AMD takes the place of."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

TEXT = "{0}\nint a = NVJPEG_STATUS_SUCCESS;\n#endif\nint b;\n"


def compiled(opening: str) -> tuple[bool | None, int]:
    parsed = cuda.parse(SourceFile("a.cu", TEXT.format(opening).encode(), "cuda"), frozenset())
    return parsed.hip(parsed.data.index(b"int a")), len(parsed.ported)


@pytest.mark.parametrize("opening", ["#ifdef NVJPEGAPI", "#if defined(NV_NPPIDEFS_H)"])
def test_it_is_not_compiled_for_amd_and_no_port(opening: str) -> None:
    assert compiled(opening) == (False, 0)


@pytest.mark.parametrize("opening", ["#ifdef CUBLAS_API_H_", "#ifndef NVJPEGAPI", "#ifdef NVJPEGAPI_2", "#if 1"])
def test_other_conditions_say_nothing(opening: str) -> None:
    assert compiled(opening) == (None, 0)


def test_what_editors_alone_read_is_no_code_and_its_other_branch_no_port() -> None:
    text = "#ifdef __INTELLISENSE__\nint a();\n#else\nint b();\n#endif\n"
    text += "#ifndef __INTELLISENSE__\nint c();\n#else\nint d();\n#endif\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert [parsed.hip(text.index(f"int {name}")) for name in "abcd"] == [False, None, None, False]
    assert parsed.ported == []


def test_what_nvcc_compiled_for_emulated_gpus_is_compiled_no_more() -> None:
    text = "#ifdef __DEVICE_EMULATION__\nint a();\n#endif\n"
    text += "#ifndef __DEVICE_EMULATION__\nint b();\n#else\nint c();\n#endif\n"
    text += "#ifdef DEVICE_EMULATION\nint d();\n#endif\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert [parsed.hip(text.index(f"int {name}")) for name in "abcd"] == [False, None, False, None]
    assert parsed.ported == []
