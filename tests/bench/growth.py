"""How the cost of one file grows with its length, for shapes of code whose cost once grew with the square of it.

Usage: python tests/bench/growth.py [NAME...], or --kernels FOLDER... for one file of real kernels. Each shape is read
by whole processes (`scan -j 1 --no-cache`), its length doubled until a run takes a second of processor time beyond that
of an empty file, or the text is longer than a file may be. What nests too deep is left out by the scan after a look; it
is here to show that the look is quick. The last column is what the last doubling cost: 2 is linear growth, and the aim
is 2.2 at most. Each figure is the least of two runs, and of six more where the aim is missed, since other work on the
machine only ever adds. Real kernels are files with `__global__`, one behind the other in one file of 1,000 lines up to
100,000; the power is the slope of a straight line by the logarithms of what is beyond an empty file.
"""

from __future__ import annotations

import json
import math
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from itertools import islice
from pathlib import Path

LONG = 1.0
"""Seconds of processor time from which a run is long enough to tell how it grows."""
LARGEST = 1_900_000
"""Bytes of text: larger files are not read."""
FIRST = 50
AIM = 2.2
AGAIN = 3
"""Pairs of runs by which a figure over the aim is confirmed."""


def _kernel(body: str) -> str:
    return f"__global__ void k(float *x, int n) {{\n  int i = threadIdx.x; float v = x[i];\n{body}\n  x[i] = v;\n}}\n"


def _lines(form: str) -> Callable[[int], str]:
    return lambda count: "".join(form.replace("@", str(number)) + "\n" for number in range(count))


def _in_kernel(form: str) -> Callable[[int], str]:
    return lambda count: _kernel(_lines(form)(count))


def _notebook(count: int) -> str:
    cell = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "source": ["import torch\n", "torch.cuda.synchronize()"],
    }
    return json.dumps({"cells": [cell] * count, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


SHAPES: dict[str, tuple[str, Callable[[int], str]]] = {
    "else-if chain": ("a.cu", _in_kernel("  if (n == @) v += @; else")),
    "nested ifs": ("a.cu", lambda n: _kernel("if (n) { " * n + "v = 1;" + " }" * n)),
    "nested calls": ("a.cu", lambda n: _kernel("v = " + "fabsf(" * n + "v" + ")" * n + ";")),
    "nested shuffles": (
        "a.cu",
        lambda n: _kernel("v = " + "__shfl_down_sync(~0u, " * n + "v" + ", 1)" * n + ";"),
    ),
    "launches": ("a.cu", lambda n: _kernel("") + "void f(float *x) {\n" + "  k<<<1, 32>>>(x, 1);\n" * n + "}\n"),
    "nested launches": (
        "a.cu",
        lambda n: _kernel("") + "void f(float *x) {\n" + "if (x) { k<<<1, 32>>>(x, 1);\n" * n + "}" * n + "}\n",
    ),
    "functions": ("a.cu", _lines("__device__ float f@(float v) { return __shfl_down_sync(~0u, v, 1); }")),
    "classes": ("a.cu", _lines("struct S@ { static void f() { cudaFree(0); } };")),
    "functions that call each other": ("a.cu", _lines("__device__ int f@(int v); int g@() { return cudaFree(0); }")),
    "shuffles": ("a.cu", _in_kernel("  v += __shfl_down_sync(0xffffffff, v, @ % 32);")),
    "ballots": ("a.cu", _in_kernel("  unsigned m@ = __ballot_sync(0xffffffff, v > @);")),
    "reduction loops": (
        "a.cu",
        _in_kernel("  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);"),
    ),
    "early returns": ("a.cu", _in_kernel("  { float w = __sinf(x[@]); if (w > v) { return; } }")),
    "jumps": ("a.cu", lambda n: _kernel(_lines("  if (x[@] < 0) goto out;")(n) + "  v = 1;\nout:")),
    "cases": ("a.cu", lambda n: _kernel("switch (n) {\n" + _lines("case @: if (v) break; v = f(@); break;")(n) + "}")),
    "turns that go on": (
        "a.cu", lambda n: _kernel("for (;;) {\n" + _lines("if (x[@]) continue; v += @;")(n) + "break; }")
    ),
    "variables": ("a.cu", _in_kernel("  float w@ = v * x[i + @]; v = w@ + __shfl_sync(0xffffffff, w@, 0);")),
    "values of each other": (
        "a.cu",
        lambda n: _kernel(
            "".join(f"int w{at} = (int)x[i + {at}];\n" for at in range(n)) + "for (int j = 0; j < n; ++j) {\n"
            + "".join(f"if (w{(at + 1) % n} < w{(at + 2) % n}) w{at} = w{(at + 3) % n} + 1;\n" for at in range(n))
            + "if (w0 < w1) { __syncwarp(); } else { __syncwarp(); }\n}"
        ),
    ),
    "steps of one variable": ("a.cu", _in_kernel("  v = v * x[@] + __sinf(v);")),
    "pointers": ("a.cu", _in_kernel("  float *p@ = x + @; p@[i] = v; v += *p@;")),
    "loops": ("a.cu", _in_kernel("  for (int j = 0; j < n; j++) { if (x[j] > @) v += x[j + @]; }")),
    "waits": ("a.cu", _in_kernel("  while (((volatile float *)x)[@] == 0) { }")),
    "shared arrays": ("a.cu", _in_kernel("  __shared__ float s@[64]; s@[i] = v; __syncthreads(); v += s@[i ^ 1];")),
    "atomics on members": (
        "a.cu",
        lambda n: "void f(S s) { cudaMallocManaged(&s.m, 4);\n" + _lines("s.a@ = s.b@; s.b@ = s.a@;")(n) + "}\n"
        + _kernel(_lines("  atomicAdd(&s.a@, 1);")(n)),
    ),
    "kernels": ("a.cu", _lines("__global__ void k@(float *x) { x[threadIdx.x] += __shfl_xor_sync(~0u, x[0], 1); }")),
    "methods that call each other": (
        "a.cu",
        lambda n: "struct H {\n  int p;\n  __device__ H(int v) { m0(v); }\n"
        + "".join(f"__device__ void m{at}(int v) {{ p = v; m{(at + 1) % n}(v); m{(at + 2) % n}(v); }}\n"
                  for at in range(n))
        + "};\n__global__ void k(int *g) { H h(threadIdx.x); if (h.p < 32) { __syncthreads(); } g[0] = h.p; }\n",
    ),
    "methods": ("a.cu", _lines("struct S@ { int l; __device__ bool f() const { return l < 16; } };")),
    "barriers in branches": ("a.cu", _in_kernel("  if (v > @) { __syncthreads(); }")),
    "#elif chain": ("a.cu", lambda n: "#if V == 0\n" + _lines("#elif V == @\nint x@ = cudaSuccess;")(n) + "#endif\n"),
    "nested #if": ("a.cu", lambda n: _lines("#if V == @")(n) + "int x = cudaSuccess;\n" + "#endif\n" * n),
    "macros": ("a.cu", lambda n: _lines("#define M@(x) cudaMalloc(x, @)")(n) + _lines("int a@ = M@(&p);")(n)),
    "escaped quotes in a directive": ("a.cu", lambda n: '#define S "' + '\\"cudaFree' * n + '"\n#define C cudaFree\n'),
    "escaped quotes in a literal": ("a.cu", lambda n: 'const char *s = "' + '\\"cudaFree' * n + '";\n'),
    "unclosed raw strings": ("a.cu", _lines('const char *s@ = R"x@(__global__ void k();')),
    "raw strings": ("a.cu", _lines('const char *s@ = R"x@(__global__ void k() { cudaFree(0); })x@";')),
    "strings with votes": ("a.cu", lambda n: 'auto s = R"k(__global__ void f() {\n' + "__ballot(1);\n" * n + '})k";\n'),
    "open brackets": ("a.cu", lambda n: "void f() { cudaFree(0); " + "g((" * n + "\n"),
    "open templates": ("a.cu", lambda n: "int x = cudaSuccess;\n" + "a<b<" * n + "\n"),
    "comments": ("a.cu", _lines("// cudaFree # @\n/* # cudaMalloc */ int x@ = cudaSuccess;")),
    "open comments": ("a.cu", lambda n: "int x = cudaSuccess;\n" + "/* cudaFree " * n + "\n"),
    "backslashes": ("a.cu", lambda n: "#define A cudaFree \\\n" * n + "\nint x = cudaSuccess;\n"),
    "asm statements": ("a.cu", _in_kernel('  asm volatile("mov.u32 %0, %%laneid;" : "=r"(i));')),
    "one asm statement": ("a.cu", lambda n: _kernel('asm("' + "add.s32 %0, %0, 1;\\n" * n + '" : "+r"(i));')),
    "one long line": ("a.cu", lambda n: "void f() { " + "cudaFree(0); " * n + "}\n"),
    "votes in nested ifs of HIP": (
        "a.cu",
        lambda n: "#include <hip/hip_runtime.h>\n" + _kernel("if (n) { g(__ballot(n)); " * n + "}" * n),
    ),
    "functions in nested ifs": (
        "a.cu",
        lambda n: "template <class T> T a;\n" + _kernel("if (n) { int g(int a = 1); " * n + "}" * n),
    ),
    "chevrons without a call": ("a.cu", lambda n: _kernel("k" + "<<<1, 32>>>" * n + ";")),
    "lambdas": ("a.cu", lambda n: _kernel("auto l = [&] { " * n + "v = 1;" + " };" * n)),
    "suppressions": ("a.cu", _lines("int x@ = cudaSuccess; // cudamigrate: ignore[api] known")),
    "# in comments of CMake": ("CMakeLists.txt", _lines("set(A@ 1) # cuda #[[ nvcc ]] # @")),
    "ifs of CMake": ("CMakeLists.txt", _lines("if(A@)\nset(CUDA_ARCH @)\nendif()")),
    "nested ifs of CMake": ("CMakeLists.txt", lambda n: _lines("if(CUDA_@)")(n) + "endif()\n" * n),
    "variables of CMake": ("CMakeLists.txt", _lines("set(A@ ${A@} cuda)\ntarget_link_libraries(t ${A@} cudart)")),
    "lines of nvcc": ("Makefile", lambda n: "all:\n" + _lines("\tnvcc -arch=sm_80 -c a@.cu -o a@.o")(n)),
    "variables of Make": ("Makefile", lambda n: _lines("A@ := nvcc $(A@)")(n) + "all:\n" + _lines("\t$(A@) a.cu")(n)),
    "conditions of Make": ("Makefile", lambda n: _lines("ifdef A@\nX = nvcc\nendif")(n) + "all:\n\tnvcc a.cu\n"),
    "one line of configure": ("configure", lambda n: "nvcc=$(which nvcc)\nx=" + '"cuda" ' * n + "\n"),
    "cells of a notebook": ("n.ipynb", _notebook),
    "calls of Python": ("s.py", lambda n: "import torch\n" + _lines("torch.cuda.set_device(@)")(n)),
    "strings of Python": ("s.py", _lines('import cupy; k@ = cupy.RawKernel("__global__ void k() {}", "k")')),
    "requirements": ("requirements.txt", _lines("nvidia-cublas-cu12==12.@  # cuda")),
    "steps of YAML": ("ci.yml", lambda n: "jobs:\n  a:\n    steps:\n" + _lines("      - run: nvidia-smi # @")(n)),
    "commands of Docker": ("Dockerfile", lambda n: "FROM nvidia/cuda:12.0\n" + _lines("RUN nvcc a@.cu && true")(n)),
}  # fmt: skip
"""Shapes by name: the file, and its text for a number of parts."""


SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
"""Lines of real kernels in one file."""


def seconds(name: str, text: str) -> float:
    """Processor time of a scan of one file, that of its worker too: the least of two runs."""
    return min(_seconds(name, text), _seconds(name, text))


def _seconds(name: str, text: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_text(text)
        if len(text) > LARGEST:
            (Path(folder) / ".cudamigrate.toml").write_text(f"max-file-size = {2 * len(text)}\n")
        command = [
            sys.executable,
            "-m",
            "cudamigrate",
            "scan",
            "-j",
            "1",
            "--no-cache",
            "-f",
            "json",
            "-o",
            "/dev/null",
        ]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*command, folder], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode and "deeper" not in done.stderr:
        print(f"    exit code {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def growth(name: str, make: Callable[[int], str]) -> tuple[int, int, float, float]:
    """The parts and bytes of the longest text, its time beyond an empty file's, and what the last doubling cost."""
    parts, idle = FIRST, seconds(name, "\n")
    while len(make(parts)) < LARGEST // 64:
        parts *= 2
    now = max(seconds(name, make(parts)) - idle, 1e-2)
    ratio = now / max(seconds(name, make(parts // 2)) - idle, 1e-2) if now >= LONG else 1.0
    while now < LONG and len(make(parts * 2)) <= LARGEST:
        parts *= 2
        earlier, now = now, max(seconds(name, make(parts)) - idle, 1e-2)
        ratio = now / earlier
    if now >= LONG and ratio > AIM:
        now, ratio = _again(name, make(parts // 2), make(parts), idle)
    return parts, len(make(parts)), now, ratio


def _again(name: str, half: str, whole: str, idle: float) -> tuple[float, float]:
    """The time of a text and what its second half cost, measured again in turns."""
    earlier, now = math.inf, math.inf
    for _ in range(AGAIN):
        idle = min(idle, _seconds(name, "\n"))
        earlier, now = min(earlier, seconds(name, half)), min(now, seconds(name, whole))
    return now - idle, (now - idle) / (earlier - idle)


def of_kernels(folders: list[str]) -> None:
    """Print a row for each size of one file of real kernels, and how they grow."""
    found = (path for folder in folders for path in Path(folder).rglob("*.cu*") if path.is_file())
    files = sorted(found, key=lambda path: sha256(path.name.encode() + path.read_bytes()).digest())
    texts = [text for path in files if "__global__" in (text := path.read_text("latin-1"))]
    rows, idle = list[tuple[int, float]](), seconds("a.cu", "\n")
    for size in SIZES:
        lines = list(islice((line for text in texts for line in text.splitlines()), size))
        if len(lines) < size:
            break
        rows.append((size, max(seconds("a.cu", "\n".join(lines)) - idle, 1e-2)))
        print(f"{size:8,} lines {rows[-1][1]:7.2f} s beyond the {idle:.2f} s of an empty file", flush=True)
    points = [(math.log(size), math.log(took)) for size, took in rows]
    print(f"grows with the power {statistics.linear_regression(*zip(*points, strict=True)).slope:.2f}")


def main(names: list[str]) -> None:
    """Print a row for each shape."""
    over = []
    if names[:1] == ["--kernels"]:
        of_kernels(names[1:])
        return
    for name, (file, make) in SHAPES.items():
        if names and name not in names:
            continue
        parts, size, took, ratio = growth(file, make)
        over += [name] if ratio > AIM else []
        mark = "  <-- more than the aim" if ratio > AIM else ""
        print(
            f"{name:32} {parts:8,} parts {size:10,} bytes {took:7.2f} s  twice the text: {ratio:4.2f}{mark}", flush=True
        )
    print(f"{len(over)} over {AIM}: {', '.join(over) or 'none'}")


if __name__ == "__main__":
    main(sys.argv[1:])
