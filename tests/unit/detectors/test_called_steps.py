"""Steps of lanes through shared memory that a function takes, one at each call."""

from __future__ import annotations

import pytest

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

LOWER = "__device__ void lower(int i, int j, float *best, volatile float *s) { s[i] = *best = fminf(*best, s[j]); }\n"
BY = "__device__ void by(volatile float *s, int t, int n) { s[t] += s[t + n]; }\n"
PUT = "__device__ void put(float &into, float more) { into += more; }\n"
ROW = "lower(tid, tid + 16, o, s); lower(tid, tid + 8, o, s); lower(tid, tid + 4, o, s);"
SHARED = "__shared__ float s[64]; int tid = threadIdx.x;"


def found(helper: str, body: str, declared: str = SHARED) -> list[str]:
    text = f"{helper}__global__ void k(float *o, int n) {{ {declared} {body} o[threadIdx.x] = s[0]; }}"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return [hit.rule for hit in engine.hits("volatile_lanes", parsed)]


@pytest.mark.parametrize(
    ("helper", "body", "declared"),
    [
        (LOWER, ROW, SHARED),
        (LOWER, "if (n > 32) { lower(tid, tid + 32, o, s); } " + ROW, SHARED),
        (BY, "by(s, tid, 16); by(s, tid, 8); by(s, tid, 4);", SHARED),
        (PUT, "put(s[tid], s[tid + 16]); put(s[tid], s[tid + 8]); put(s[tid], s[tid + 4]);", SHARED),
        ("", ROW, SHARED),  # the function is in another file
        ("", ROW, "volatile float *s = (volatile float *)(o + n); int tid = threadIdx.x;"),
    ],
)
def test_calls_in_a_row_are_found(helper: str, body: str, declared: str) -> None:
    assert found(helper, body, declared) == ["warp/unheld-lanes"]


@pytest.mark.parametrize(
    ("helper", "body", "declared"),
    [
        (LOWER, ROW.replace("; ", "; __syncwarp(); "), SHARED),
        (LOWER.replace("s[j]);", "s[j]); __syncwarp();"), ROW, SHARED),  # the function waits itself
        (LOWER.replace("s[j]", "o[j]"), ROW, SHARED),  # it reads other memory
        (PUT.replace("&", ""), "put(s[tid], s[tid + 16]); put(s[tid], s[tid + 8]); put(s[tid], s[tid + 4]);", SHARED),
        (BY, "by(s, tid, 16); by(s, tid, 3); by(s, tid, 4);", SHARED),
        (LOWER, ROW, "float s[64]; int tid = threadIdx.x;"),
        (LOWER, ROW.replace("tid", "row"), "__shared__ float s[64]; int row = n;"),
        ("", ROW, "float *s = o + n; int tid = threadIdx.x;"),  # nothing says that lanes share it
        ("#define lower(a, b, c, d)\n", ROW, SHARED),
    ],
)
def test_what_waits_or_passes_nothing_on_is_not(helper: str, body: str, declared: str) -> None:
    assert found(helper, body, declared) == []


EMPTY = "#ifdef EMULATION\n#define WAIT __syncthreads();\n#else\n#define WAIT\n#endif\n"
STEPS = "{ s[tid] += s[tid + 16]; WAIT; } { s[tid] += s[tid + 8]; WAIT; }"


@pytest.mark.parametrize(
    ("macro", "rules"),
    [
        (EMPTY, ["warp/volatile-lanes"]),
        ("#define WAIT\n", ["warp/volatile-lanes"]),
        ("#define WAIT __syncwarp()\n", []),
        (EMPTY.replace("#define WAIT\n", "#define WAIT __syncwarp()\n"), []),
    ],
)
def test_a_macro_is_a_barrier_where_all_its_definitions_are(macro: str, rules: list[str]) -> None:
    assert found(macro, STEPS, "__shared__ volatile float s[64]; int tid = threadIdx.x; s[tid] = n;") == rules
