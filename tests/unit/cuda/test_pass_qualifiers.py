"""Conditionals that do nothing but choose qualifiers by the pass of the compiler."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.pass_qualifiers import choosing, one_sided
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

TEXT = "#ifdef __CUDA_ARCH__\n#define A __device__ inline\n#else\n#define A inline\n#endif\n"


def found(text: str) -> int:
    return len(choosing(cuda.parse(SourceFile("a.h", text.encode(), "cxx"), frozenset())))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("#ifdef __CUDA_ARCH__", "#if defined(__CUDACC__) && defined(__CUDA_ARCH__)"),
        ("#define A inline\n", "#define A\n#define B\n"),
        ("#else", "// the host\n#else"),
    ],
)
def test_qualifiers_alone(old: str, new: str) -> None:
    assert found(TEXT.replace(old, new)) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#ifdef __CUDA_ARCH__", "#ifdef __CUDACC__"),
        ("#ifdef __CUDA_ARCH__", "#if __CUDA_ARCH__ >= 700"),
        ("#ifdef __CUDA_ARCH__", "#if defined(__CUDA_ARCH__) || defined(FAST)"),
        ("#ifdef __CUDA_ARCH__", "#if defined(__CUDA_ARCH__) && defined(__HIPCC__)"),
        ("#else", "#elif defined(OTHER)"),
        ("#else\n#define A inline\n", ""),
        ("__device__ inline\n", "__device__ inline\nint f();\n"),
        ("#define A inline\n", "#define A inline\n#include <cmath>\n"),
        ("#define A inline\n", "#define A inline\n#define SIZE 4\n"),
        ("#define A inline\n", "#define A __host__ __device__\n"),
        ("#define A inline\n", ""),
        ("__device__ inline", "inline"),
        ("#ifdef __CUDA_ARCH__", "#if"),
        ("#else", "#elif"),
    ],
)
def test_what_does_more_is_none(old: str, new: str) -> None:
    assert found(TEXT.replace(old, new)) == 0


MORE = """\
#ifdef __CUDA_ARCH__
#define A __host__ __device__
#define LEAST(a, b) min(a, b)
#else
#define A inline
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#endif
"""


def values(text: str) -> list[str]:
    parsed = cuda.parse(SourceFile("a.h", text.encode(), "cxx"), frozenset())
    return [one.value.decode() for one in one_sided(parsed)]


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        ("", "", "__host__ __device__ inline"),
        ("#define A inline\n", "#define A\n", "__host__ __device__"),
        ("#define A inline", "#ifndef A\n#define A inline\n#endif", "__host__ __device__ inline"),
        ("#define A inline\n", "", None),  # the device's alone
        ("#else\n#define A inline\n", "#endif\n#define A\n#ifndef __CUDA_ARCH__\n", "__host__ __device__"),
        ("#define A inline", "#define A __host__ __device__ inline", None),
        ("#define A inline", "#define A extern", None),
        ("#define A __host__ __device__", "#define A(x) __host__ __device__ x", None),
        ("#define A __host__ __device__", "#ifdef FAST\n#define A __host__ __device__\n#endif", None),
        ("#ifdef __CUDA_ARCH__", "#ifdef __CUDACC__", None),
        ("#ifdef __CUDA_ARCH__", "#if __CUDA_ARCH__ >= 700", None),
        ("#else", "#elif defined(OTHER)", None),
    ],
)
def test_qualifiers_beside_what_follows_the_pass(old: str, new: str, value: str | None) -> None:
    assert values(MORE.replace(old, new)) == ([] if value is None else [value])
