"""Memory of the main process of a scan as a tree grows.

Usage: python tests/bench/memory.py [--every] [FILES...]. Trees are made in a temporary folder: mostly C++ and Python
without CUDA, one file in ten CUDA with findings; with `--every` each file is CUDA with findings. The figure is the
most memory that the process which started the scan ever held (`VmHWM` of Linux): workers are processes of their own,
whose memory does not grow with the tree. `CUDAMIGRATE_TREES` names a folder in which trees are kept between runs.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

MEASURED = """
import sys
from cudamigrate.__main__ import main
try:
    main()
finally:
    lines = open("/proc/self/status").read().splitlines()
    print(next(line for line in lines if line.startswith("VmHWM")), file=sys.stderr)
"""
CXX = """#pragma once
#include <vector>
#include <string>
namespace {name} {{
struct Widget{n} {{
    std::vector<int> values;
    std::string label = "{name} {n}";
    int total() const {{ int s = 0; for (int v : values) s += v * {n}; return s; }}
}};
{more}
}}
"""
PYTHON = """import os
import numpy as np

class Loader{n}:
    def __init__(self, path):
        self.path = path

    def rows(self):
        with open(self.path) as file:
            return [np.array(line.split(), dtype=float) for line in file]
{more}
"""
CUDA = """#include <cuda_runtime.h>
#include <cstdio>
// {name}
__global__ void reduce{n}(const float* in, float* out, int count) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < count ? in[i] : 0.f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}}
float run{n}(const float* host, int count) {{
    float *in, *out, result;
    cudaMalloc(&in, count * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaMemcpy(in, host, count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(float));
    reduce{n}<<<(count + 255) / 256, 256>>>(in, out, count);
    if (cudaGetLastError() != cudaSuccess) printf("failed\\n");
    cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return result;
}}
"""


def tree(root: Path, files: int, every: bool) -> None:
    """Write a tree; the same files for the same numbers."""
    draw = random.Random(files)
    for number in range(files):
        folder = root / f"part{number // 500}" / f"unit{number // 50 % 10}"
        if number % 50 == 0:
            folder.mkdir(parents=True, exist_ok=True)
        kind = 0 if every else draw.randrange(10)
        more, name = draw.randrange(1, 8), f"part{number % 97}"
        if kind == 0:
            (folder / f"k{number}.cu").write_text(CUDA.format(name=name, n=number))
        elif kind < 8:
            extra = "".join(f"int helper{number}_{one}(int x) {{ return x + {one}; }}\n" for one in range(more))
            (folder / f"w{number}.{'hpp' if kind < 5 else 'cpp'}").write_text(
                CXX.format(name=name, n=number, more=extra)
            )
        else:
            extra = "".join(f"\n    def step{one}(self):\n        return {one}\n" for one in range(more))
            (folder / f"m{number}.py").write_text(PYTHON.format(n=number, more=extra))


def measured(root: Path, *words: str) -> tuple[float, float, int]:
    """Megabytes of the main process, seconds of processor time with the workers', and bytes of the report."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as place:
        report = Path(place, "report")
        command = [sys.executable, "-c", MEASURED, "scan", str(root), "-o", str(report), *words]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        size = report.stat().st_size if report.exists() else 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = next((line for line in done.stderr.splitlines() if line.startswith("VmHWM")), "VmHWM: 0 kB")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(peak.split()[1]) / 1024, seconds, size


def main(given: list[str]) -> None:
    """Print a row for each size and format."""
    every = "--every" in given
    sizes = [int(word) for word in given if word.isdigit()] or [1_000, 10_000, 100_000]
    formats = [word.removeprefix("--format=") for word in given if word.startswith("--format=")] or ["json"]
    cache = [word for word in given if word in ("--cache", "--no-cache")] or ["--no-cache"]
    with tempfile.TemporaryDirectory() as temporary:
        for size in sizes:
            kept = Path(os.environ.get("CUDAMIGRATE_TREES", temporary), f"{'every' if every else 'mixed'}-{size}")
            if not kept.exists():
                tree(kept, size, every)
            for name in formats:
                peak, seconds, written = measured(kept, "-j", "2", "-f", name, *cache)
                print(
                    f"{kept.name} {name}: {peak:.0f} MB, {seconds:.1f} s of processor time,"
                    f" report {written / 1e6:.1f} MB",
                    flush=True,
                )


if __name__ == "__main__":
    main(sys.argv[1:])
