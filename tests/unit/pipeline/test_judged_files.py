"""Sources for the host that read converted headers are type-checked, whatever they name themselves."""

from __future__ import annotations

from pathlib import Path

from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.pipeline import judged_files

HEADER = "#pragma once\n#include <cuda_runtime.h>\nstruct Buffer { cudaStream_t stream; };\n"
FILES = {
    "src/buffer.h": HEADER,
    "src/plain.h": "#pragma once\nint plain();\n",
    "src/through.h": '#pragma once\n#include "buffer.h"\n',
    "src/k.cu": '#include "buffer.h"\n__global__ void k(int *p) { *p = 1; }\n',
    "src/near.cpp": '#include "buffer.h"\nint near() { return sizeof(Buffer); }\n',
    "src/far.cpp": '#include "through.h"\nint far() { return 1; }\n',
    "src/other.cpp": '#include "plain.h"\nint other() { return 2; }\n',
}


def judged(root: Path, files: dict[str, str]) -> dict[str, bytes]:
    """The files that are type-checked, with their bytes."""
    written(root, files)
    applied = pipeline.apply(root, Config(jobs=1))
    converted = {one.path: one.after for one in applied.conversions}
    return {path: source.data for path, source in judged_files.of(applied, root, converted).items()}


def test_sources_that_read_converted_headers_are_among_them(tmp_path: Path) -> None:
    found = judged(tmp_path, FILES)
    assert sorted(found) == ["src/buffer.h", "src/far.cpp", "src/k.cu", "src/near.cpp"]
    assert b"hipStream_t" in found["src/buffer.h"] and found["src/far.cpp"] == FILES["src/far.cpp"].encode()


def test_a_header_that_keeps_its_bytes_brings_none(tmp_path: Path) -> None:
    assert sorted(judged(tmp_path, FILES | {"src/buffer.h": "#pragma once\nstruct Buffer {};\n"})) == ["src/k.cu"]
