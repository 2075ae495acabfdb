"""What holds for every input: no crash, no change outside edits, literals and comments kept, idempotent."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.cuda.lexer import lex
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.pipeline import convert_file, inspect_file
from tests.draws import examples

CONFIG = Config()
BOOK = pipeline.rules(pipeline.target(CONFIG))

CODE = [
    "cudaMalloc(&p, n * sizeof(float));",
    "cudaMemcpyToSymbol(table, host, sizeof(host));",
    "k<float, 32><<<dim3(1, 2), 32>>>(p);",
    "k<< <grid, block>> >(p, q);",
    "cudaError_t e = cudaGetLastError();",
    "cub::BlockReduce<float, 64> r;",
    "mylib::cudaMalloc(3);",
    "pool->cudaFree(p);",
    'printf("cudaMalloc %d // cudaFree <<<1, 1>>>", 1);',
    'auto r = R"x(cudaMalloc <<< )x";',
    "char c = '\\'';",
    "int big = 1'000'000;",
    'asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));',
    "v += __shfl_down_sync(0xffffffff, v, o);",
    "CHECK(cudaMemcpy(a, b, cudaFuncGetAttributes(&attr, kern), cudaMemcpyHostToDevice));",
    "cudaLaunchKernel((void *)kern, g, b, args, 0, 0);",
]
TOP = [
    "#include <cuda_runtime.h>",
    '#include "cublas_v2.h"',
    "#include <vector>",
    "#include <cuda_fp16.h> // half",
    "// cudaMalloc in a comment",
    "/* cudaFree\n   on two lines */",
    "#define CALL(n) cuda##n",
    "#define CHECK(x) do { cudaError_t s = (x); } while (0)",
    "#define M(a) \\\n  cudaFree(a); \\\n  cudaFree(a)",
    "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif",
    "#ifdef __CUDACC__\n#define HD __host__ __device__\n#endif",
    "#if __CUDA_ARCH__ >= 700\nint volta;\n#endif",
    "using namespace cub;",
    "__constant__ float table[4];",
]


@st.composite
def files(draw: st.DrawFn) -> str:
    """A plausible source file put together from lines that each hold a trap or a use."""
    top = draw(st.lists(st.sampled_from(TOP), max_size=6))
    body = draw(st.lists(st.sampled_from(CODE), max_size=6))
    qualifier = draw(st.sampled_from(["", "__global__ ", "__device__ static "]))
    guard = draw(st.booleans())
    lines = [*top, f"{qualifier}void f() {{", *body, "}"]
    if guard:
        lines = ["#ifndef A_H", "#define A_H", *lines, "#endif"]
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))


def inspect(data: bytes, path: str = "a.cu") -> FileResult:
    return inspect_file.inspect(SourceFile(path, data, "cuda"), BOOK)


def convert(data: bytes, path: str = "a.cu") -> bytes:
    source = SourceFile(path, data, "cuda")
    findings = [f for f in inspect_file.inspect(source, BOOK).findings if f.fix is not None and f.fix.safety == "safe"]
    return convert_file.convert(source, findings).after


def kept(data: bytes) -> list[bytes]:
    """Comments and literals of a file, include paths and the literals of asm statements apart: those are code."""
    lexed = lex(data)
    spans = zip(lexed.starts, lexed.ends, strict=True)
    return [data[a:b] for a, b in spans if not re.search(rb"include\s*$|\basm\b[^\n]*$", data[:a])]


@settings(deadline=None, max_examples=examples(300))
@given(st.binary(max_size=400))
def test_front_end_never_raises_on_any_bytes(data: bytes) -> None:
    inspect(data)


@settings(deadline=None, max_examples=examples(200))
@given(st.text(alphabet=st.sampled_from("cuda<>(){}#\"'/*\\\n ;:,RL=0x"), max_size=200))
def test_front_end_never_raises_on_broken_syntax(text: str) -> None:
    convert(("cudaMalloc(" + text).encode())


@settings(deadline=None, max_examples=examples(200))
@given(files())
def test_applying_twice_changes_nothing_more(text: str) -> None:
    once = convert(text.encode())
    assert convert(once) == once


@settings(deadline=None, max_examples=examples(200))
@given(files())
def test_comments_and_literals_are_kept(text: str) -> None:
    data = text.encode()
    assert kept(convert(data)) == kept(data)


@settings(deadline=None, max_examples=examples(150))
@given(files())
def test_line_ends_and_byte_order_mark_are_kept(text: str) -> None:
    plain = convert(text.encode())
    windows = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert convert(windows) == b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n")


@settings(deadline=None, max_examples=examples(150))
@given(files())
def test_bytes_that_are_not_utf8_are_kept(text: str) -> None:
    latin = "// r\xe9sum\xe9 \xdf\n".encode("latin-1")
    assert convert(latin + text.encode()).startswith(latin)


@settings(deadline=None, max_examples=examples(150))
@given(files())
def test_positions_point_at_the_span(text: str) -> None:
    data = text.encode()
    lines = text.split("\n")
    for finding in inspect(data).findings:
        line = lines[finding.position.line - 1]
        start = data[finding.span.start :].decode().split("\n")[0]
        assert line[finding.position.column - 1 :] == start


@settings(deadline=None, max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(files(), min_size=2, max_size=5))
def test_number_of_jobs_does_not_matter(tmp_path_factory: object, texts: list[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for at, text in enumerate(texts):
            (Path(folder) / f"{at}.cu").write_text(text)
        reports = [pipeline.scan(Path(folder), replace(CONFIG, jobs=jobs)) for jobs in (1, 2)]
    assert reports[0].findings == reports[1].findings
    assert reports[0].files == reports[1].files
