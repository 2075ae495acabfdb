"""Loops that wait at one place after the other are told; those that get further in each turn are not."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RULES = {"memory/block-spin", "warp/lane-spin", "warp/waits-for-own-wave", "warp/waits-for-turn"}
DECLARED = """\
__device__ int ld(const int* p) { int v;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ void look(const volatile int* p, int k, int& v) { v = p[k]; }
__device__ void work(int* p, int k) { p[k] = k; }
"""
WAITING = {
    "index": "__device__ void f(volatile int* p, int n) { int k = 0; while (k < n) { if (p[k]) ++k; } }",
    "stride": "__device__ void f(int* p, int n) { int k = threadIdx.x; while (k < n) if (ld(p + k)) k += 32; }",
    "count": "__device__ void f(volatile int* p) { int left = 1; while (left > 0) { if (p[0] == 2) { left--; } } }",
    "mask": (
        "__device__ void f(volatile int* p, unsigned open) { while (open) { int k = __ffs(open) - 1; "
        "if (p[k]) open &= open - 1; } }"
    ),
    "look back": (
        "__device__ int f(volatile int* p, volatile int* v, int at) { int sum = 0; while (at >= 0) { int s = p[at]; "
        "if (s == 0) continue; if (s == 2) { sum += v[at]; break; } sum += v[at]; --at; } return sum; }"
    ),
    "for": (
        "__device__ void f(volatile int* p, const int* c, int n) { for (int j = 0; j < n; ) { if (!p[c[j]]) continue; "
        "work((int*)p, j); j += 32; } }"
    ),
    "other way out": (
        "__device__ void f(int* p, int w) { int k = 0; do { if (k == w) break; if (atomicAdd(p + k, 0)) k++; } "
        "while (true); }"
    ),
    "flag": (
        "__device__ void f(volatile int* p) { bool ok = false; for (long t = 0; !ok && t < (1l << 40); ++t) "
        "if (p[0] == 1) { p[1] = 1; ok = true; } }"
    ),
    "bound in memory": (
        "__device__ void f(volatile int* p, const int* b, int v) { int k = 0; while (k < b[v]) { const bool there = "
        "p[k] != 0; k += there ? 32 : 0; } }"
    ),
    "publishes and returns": (
        "__device__ void f(const int* c, volatile int* p, int i) { int j = 0; while (true) { const int at = c[j]; "
        "if (at == i) { p[i] = 1; return; } if (p[at]) ++j; } }"
    ),
    "answer": "__device__ void f(volatile int* p, int n) { for (int k = 0; k < n; k += p[k] != 0) ; }",
    "what memory holds": "__device__ void f(int* p, int n) { for (int k = 0; k < n; k += ld(p + k)) { } }",
    "by reference": (
        "__device__ void f(volatile int* p, int n) { int k = 0; while (k < n) { int v; look(p, k, v); if (v) ++k; } }"
    ),
    "queue": (
        "__device__ void f(volatile int* put, volatile int* got, int* item, int n) { int k = 0; while (k < n) { "
        "if (*put - *got < 64) { item[k % 64] = k; __threadfence_block(); *put = ++k; } } }"
    ),
}
GOING_ON = {
    "merge": (
        "__device__ int f(const int* a, const int* b, int n, int m) { int i = 0, j = 0, c = 0; while (i < n && j < m) "
        "{ if (a[i] == b[j]) { ++c; ++i; ++j; } else if (a[i] < b[j]) ++i; else ++j; } return c; }"
    ),
    "merge in three": (
        "__device__ int f(int* a, int* b, int n, int m) { int i = 0, j = 0, c = 0; while (i < n && j < m) { int x = "
        "a[i], y = b[j]; c += x == y; if (x <= y) ++i; if (y <= x) ++j; } return c; }"
    ),
    "search": (
        "__device__ int f(int* a, int n, int x) { int lo = 0, hi = n; while (lo < hi) { int mid = (lo + hi) / 2; "
        "if (a[mid] < x) lo = mid + 1; else hi = mid; } return lo; }"
    ),
    "probe": (
        "__device__ int f(int* t, int n, int x) { int found = 0, at = 0; while (found < 3) { if (t[at] == x) ++found; "
        "at = (at + 1) % n; } return at; }"
    ),
    "count": (
        "__device__ int f(int* p, int n) { int c = 0; for (int k = 0; k < n && c < 4; ++k) if (p[k]) ++c; return c; }"
    ),
    "stack": (
        "__device__ int f(int* p) { int s[32], top = 1, c = 0; s[0] = 0; while (top > 0) { int at = s[--top]; "
        "if (p[at]) { s[top++] = 2 * at + 1; s[top++] = 2 * at + 2; } else ++c; } return c; }"
    ),
    "work by the warp": (
        "__device__ void f(int* p, bool todo) { unsigned open; int lane = threadIdx.x & 31; while ((open = "
        "__ballot_sync(~0u, todo)) != 0) { int from = __ffs(open) - 1; work(p, lane); for (int i = 0; i < 4; ++i) { "
        "if (p[i] == from) break; } if (lane == from) todo = false; } }"
    ),
    "list": (
        "__device__ int f(int* next, int* key, int at, int x) { bool found = false; while (!found) { if (key[at] == x) "
        "found = true; else at = next[at]; } return at; }"
    ),
    "items taken": (
        "__device__ int f(int* p, int n) { int c = 0; while (c < n) { int was = atomicAdd(p, 1); if (was & 1) ++c; } "
        "return c; }"
    ),
    "together": (
        "__device__ void f(int* s, int* o) { bool again = false; while (true) { if (again) { o[threadIdx.x] = s[0]; "
        "again = false; } __syncthreads(); again = __syncthreads_and(s[threadIdx.x] < 4); if (again) continue; "
        "if (threadIdx.x == 0) s[0] = s[1]; __syncthreads(); if (s[0] == 0) break; } }"
    ),
    "two places": (
        "__device__ int f(int* c, int* p, int i) { int j = 0; while (true) { if (c[j] == i) return j; "
        "if (c[j] < p[j]) ++j; if (c[j] >= p[j]) j += 2; } }"
    ),
    "searches while it counts": (
        "__device__ int f(int* p, int t) { int at = -1; for (int k = t; k > 0 && p[t] != 7; --k) "
        "{ if (p[k - 1] == p[t]) at = k - 1; } return at; }"
    ),
    "records": ("__device__ int f(int* p, int n) { int c = 0; for (int k = 0; k < n; k += p[k]) ++c; return c; }"),
    "steps": "__device__ void f(int* p, const int* by, int n) { for (int k = 0; k < n; k += by[0]) p[k] = k; }",
    "skips": (
        "__device__ int f(int* p, int n) { int k = 0, c = 0; while (k < n) { if (p[k] == 0) { ++k; continue; } c += "
        "p[k]; ++k; } return c; }"
    ),
}


def waits(function: str) -> bool:
    """Whether anything is said of a function's loops."""
    found = find_in_text(f"{DECLARED}{function}\n", "a.cu", None).findings
    return any(one.rule in RULES and one.span.start >= len(DECLARED) for one in found)


@pytest.mark.parametrize("name", WAITING)
def test_a_wait_that_goes_from_place_to_place_is_told(name: str) -> None:
    assert waits(WAITING[name])


@pytest.mark.parametrize("name", GOING_ON)
def test_a_loop_that_gets_further_by_itself_is_not(name: str) -> None:
    assert not waits(GOING_ON[name])


def test_lanes_of_one_wave_that_wait_for_each_other_are_found() -> None:
    """Warp after warp adds what the ones before it have left, in one wave of 64 lanes."""
    body = """
    int w = threadIdx.x >> 5, lane = threadIdx.x & 31; float c = 0.f;
    if (lane == 0) {
        int k = 0;
        while (k < w) { if (f[k]) { c += v[k]; ++k; } }
        v[w] = c; __threadfence_block(); f[w] = 1;
    }
    """
    kernel = f"__global__ void need(volatile int* f, volatile float* v) {{ {body} }}\nvoid run(int* f, float* v) {{"
    found = find_in_text(f"{kernel} need<<<1, 256>>>(f, v); }}\n", "a.cu", None).findings
    assert "warp/waits-for-own-wave" in {one.rule for one in found}
