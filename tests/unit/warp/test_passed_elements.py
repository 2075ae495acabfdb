"""Elements of volatile shared memory that other lanes read, in arrays of several dimensions and through pointers."""

from __future__ import annotations

import pytest

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

ROWS = "__shared__ volatile int s[8][48];"
PLAIN = "extern __shared__ int s[];"
SCAN = "for (int d = 1; d < 32; d *= 2) { int u = l >= d ? %s : 0; v += u; %s = v; }"

PASSED = {
    "two dimensions": f"{ROWS} s[w][l] = v; g[t] = s[w][31 - l];",
    "a scan in two dimensions": f"{ROWS} s[w][l] = v; {SCAN % ('s[w][l - d]', 's[w][l]')}",
    "three dimensions": "__shared__ volatile int s[2][8][48]; s[n][w][l] = v; g[t] = s[n][w][31 - l];",
    "a pointer to a row": f"{ROWS} volatile int *p = s[w]; p[l] = v; g[t] = p[31 - l];",
    "a pointer into a row": f"{ROWS} volatile int *p = &s[w][16]; p[l] = v; {SCAN % ('p[l - d]', 'p[l]')}",
    "a pointer and its array": f"{ROWS} volatile int *p = s[w] + 16; p[l] = v; g[t] = s[w][16 + 31 - l];",
    "a pointer that reads again": f"{PLAIN} volatile int *p = s + w * 48; p[l] = v; g[t] = p[31 - l];",
    "a pointer by a pointer": f"{ROWS} volatile int *p = s[w]; volatile int *q = &p[4]; q[l] = v; g[t] = q[31 - l];",
    "a pointer that is set later": f"{ROWS} volatile int *p; p = s[w]; p[l] = v; g[t] = *(p + (31 - l));",
    "a pointer that begins elsewhere in each lane": (
        f"{PLAIN} volatile int *p = s + w * 48; volatile int *q = p + l; *q = v; q[0] = v; g[t] = p[31 - l];"
    ),
    "one dimension": "__shared__ volatile int s[64]; s[t] = v; g[t] = s[31 - t];",
}
APART = {
    "the lane's own place": f"{ROWS} s[w][l] = v; g[t] = s[w][l];",
    "the lane's own place by a pointer": f"{ROWS} volatile int *p = s[w]; p[l] = v; g[t] = s[w][l];",
    "a barrier": f"{ROWS} s[w][l] = v; __syncwarp(); g[t] = s[w][31 - l];",
    "a barrier behind a pointer": f"{ROWS} volatile int *p = s[w]; p[l] = v; __syncthreads(); g[t] = p[31 - l];",
    "another row": "__shared__ volatile int s[2][48]; s[0][l] = v; g[t] = s[1][31 - l];",
    "rows of other warps": f"{ROWS} s[w][l] = v; for (int k = 0; k < 8; ++k) v += s[k][l]; g[t] = v;",
    "memory that is not read again": f"{PLAIN} int *p = s + w * 48; p[l] = v; g[t] = p[31 - l];",
    "another array": f"{ROWS} __shared__ volatile int o[8][48]; volatile int *p = o[w]; p[l] = v; g[t] = s[w][31 - l];",
    "a pointer that moves": f"{PLAIN} volatile int *p = s + w * 48; p[l] = v; p += n; g[t] = p[31 - l];",
    "pointers that memory holds": "__shared__ volatile int *s[8]; volatile int *p = s[w]; p[l] = v; g[t] = p[31 - l];",
    "parts of an array": (
        f"{PLAIN} volatile int *p = s + w * (n + 64); volatile int *q = p + n; q[l] = v; g[t] = p[31 - l];"
    ),
    "parts from the beginning on": (
        f"{PLAIN} volatile int *p = s; volatile int *q = s + n; q[l] = v; g[t] = p[31 - l];"
    ),
    "memory of the thread": "volatile int s[8][48]; s[w][l] = v; g[t] = s[w][31 - l];",
}


def found(body: str) -> list[str]:
    code = (
        "__global__ void k(int *g, int n) { int t = threadIdx.x, w = threadIdx.x >> 5, l = threadIdx.x & 31, v = g[t];"
        f" {body} }}"
    )
    parsed = cuda.parse(SourceFile("a.cu", code.encode(), "cuda"), frozenset())
    return [hit.rule for hit in engine.hits("volatile_lanes", parsed)]


@pytest.mark.parametrize("name", PASSED)
def test_what_one_lane_writes_and_another_one_reads_is_found(name: str) -> None:
    assert found(PASSED[name]) == ["warp/unheld-lanes"]


@pytest.mark.parametrize("name", APART)
def test_what_is_apart_or_held_is_not(name: str) -> None:
    assert found(APART[name]) == []
