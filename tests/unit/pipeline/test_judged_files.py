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


def test_changed_kernels_come_before_what_only_reads_changed_headers(tmp_path: Path) -> None:
    files = FILES | {
        "src/a_kept.cu": "int kept() { return 1; }\n",
        "src/b_host.cu": "#include <cuda_runtime.h>\nvoid stop() { cudaDeviceSynchronize(); }\n",
        "src/z.cu": "#include <cuda_runtime.h>\n__global__ void z() {}\nvoid run(cudaStream_t s) { z<<<1, 1>>>(); }\n",
        "src/z_named.cu": "#include <cuda_runtime.h>\n// __global__\ncudaStream_t s;\n",
    }
    written(tmp_path, files)
    applied = pipeline.apply(tmp_path, Config(jobs=1))
    converted = {one.path: one.after for one in applied.conversions}
    units = {
        path: one for path, one in judged_files.of(applied, tmp_path, converted).items() if not path.endswith(".h")
    }
    turns = {path: judged_files.turn(units, converted, path) for path in units}
    assert turns.pop("src/k.cu") in (0, 2)  # changed where a header is added
    assert turns == {
        "src/a_kept.cu": 2,
        "src/b_host.cu": 1,
        "src/far.cpp": 3,
        "src/near.cpp": 3,
        "src/z.cu": 0,
        "src/z_named.cu": 1,
    }
