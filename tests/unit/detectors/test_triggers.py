"""Detectors that look for one thing do not read a file without the words that it cannot do without.

Most state them as `WORDS`, and who runs the detectors asks for those; the others look for them on their own.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import NoReturn

import pytest

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

PLAIN = b"""
#include <cuda_runtime.h>
#if defined(FAST)
__global__ void scale(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] = 2.0f * x[i]; }
#endif
void run(float *x, int n) { scale<<<1, 64>>>(x, n); cudaDeviceSynchronize(); }
"""


@pytest.mark.parametrize(
    "name",
    [
        "arch_gate",
        "capability",
        "cccl_names",
        "device_major",
        "foreign_library",
        "inline_ptx",
        "short_float",
        "texture",
    ],
)
def test_nothing_is_read_without_a_trigger(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = cuda.parse(SourceFile("a.cu", PLAIN, "cuda"), frozenset())

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("the tokens were read")

    def look(lexed: Lexed, pattern: re.Pattern[bytes], *needles: bytes) -> Iterator[re.Match[bytes]]:
        assert needles and not any(needle.lower() in lexed.lowered for needle in needles), "the tokens were read"
        return iter(())

    for method in ("tokens", "arguments"):
        monkeypatch.setattr(Lexed, method, refuse)
    for method in ("matches", "on_lines"):
        monkeypatch.setattr(Lexed, method, look)
    detector = importlib.import_module(f"cudamigrate.detectors.{name}")
    if hasattr(detector, "WORDS"):
        words = [word if isinstance(word, tuple) else (word,) for word in detector.WORDS]
        assert not any(all(part in PLAIN for part in parts) for parts in words)
        return
    found: Iterator[object] = detector.find(parsed)
    assert list(found) == []
