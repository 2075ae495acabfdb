"""Memory that blocks hand to each other by a counter or a lock is reported where no fence orders it."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

DECLARED = """\
struct Box { float low, high; };
template <class T> struct Tree { Box box; Tree* left; Tree* right; Tree* parent; };
template <class T> using TreePtr = Tree<T>*;
struct Jobs { int lock, next; float sum; };
struct Mutex { int state; __device__ void lock() { while (atomicExch(&state, 1)) { } }
    __device__ void unlock() { atomicExch(&state, 0); } };
struct Pool { Mutex guard; int used; };
"""
ARRIVALS = {
    "from the leaves": """template <class T> __global__ void k(TreePtr<T> inner, TreePtr<T> leaves, int* counts) {
        TreePtr<T> leaf = leaves + threadIdx.x; leaf->box = Box();
        TreePtr<T> at = leaf->parent;
        int came = atomicAdd(counts + (at - inner), 1);
        while (true) { if (came == 0) break; Box a = at->left->box; at->box = a; at = at->parent; FENCE
            came = atomicAdd(counts + (at - inner), 1); } }""",
    "stored a turn before": """__global__ void k(const int* parent, const int* left, Box* boxes, unsigned* seen) {
        int at = parent[threadIdx.x];
        while (at >= 0) { FENCE if (atomicAdd(&seen[at], 1u) == 0) return;
            FENCE Box a = boxes[left[at]]; boxes[at] = a; at = parent[at]; } }""",
    "last block": """__global__ void k(float* part, float* out, unsigned* count) {
        __shared__ bool last;
        if (threadIdx.x == 0) { part[blockIdx.x] = 1; last = atomicInc(count, gridDim.x) == gridDim.x - 1; }
        __syncthreads(); FENCE
        if (last) out[0] += part[threadIdx.x]; }""",
    "exchanged": """__global__ void k(Box* boxes, int* other, int n) {
        int i = threadIdx.x; boxes[i].low = n;
        int found = atomicExch(&other[i / 2], i); FENCE
        if (found != -1) boxes[n].low = boxes[found].low; }""",
    "claimed": """__global__ void k(float* v, int* seen) {
        v[threadIdx.x] = 1; FENCE
        if (atomicCAS(seen, 0, 1) == 0) return;
        FENCE v[threadIdx.x] += v[threadIdx.x ^ 1]; }""",
}
ARRIVED = {
    "stored behind the loop": """__global__ void k(const int* left, int* boxes, unsigned* seen, int n) {
        while (n > 0) { if (atomicAdd(&seen[n], 1u) == 0) return; n += boxes[left[n]]; }
        boxes[n] = 1; }""",
    "first goes on": """__global__ void k(float* v, int* seen) {
        v[threadIdx.x] = 1; if (atomicCAS(seen, 0, 1) == 0) v[0] = v[threadIdx.x ^ 1]; }""",
    "own element": """__global__ void k(float* v, int* seen) {
        v[threadIdx.x] = 1; if (atomicAdd(seen, 1) == 0) return; v[threadIdx.x] = v[threadIdx.x] + 1; }""",
    "of the block": """__global__ void k(float* out) { __shared__ float v[64]; __shared__ int seen;
        v[threadIdx.x] = 1; if (atomicAdd(&seen, 1) == 0) return; out[threadIdx.x] = v[threadIdx.x ^ 1]; }""",
    "counter of the block": """__global__ void k(float* v) { __shared__ int seen;
        v[threadIdx.x] = 1; if (atomicAdd(&seen, 1) == 0) return; v[threadIdx.x] = v[threadIdx.x ^ 1]; }""",
    "stored afterwards": """__global__ void k(float* v, int* at, int n) {
        int i = atomicAdd(at, 1); if (i == n) v[0] = v[1]; else v[i] = 1; }""",
    "table of keys": """__global__ void k(int* keys, int x, int n) {
        keys[threadIdx.x] = -1; int h = x;
        while (true) { int was = atomicCAS(&keys[h], -1, x); if (was == -1) break; if (keys[h] == x) break;
            h = h % n; } }""",
    "past the caches": """__global__ void k(float* v, int* seen) {
        v[threadIdx.x] = 1; if (atomicAdd(seen, 1) == 0) return; v[0] = __ldcg(&v[threadIdx.x ^ 1]); }""",
    "volatile": """__global__ void k(volatile float* v, int* seen) {
        v[threadIdx.x] = 1; if (atomicAdd(seen, 1) == 0) return; v[0] = v[threadIdx.x ^ 1]; }""",
}
LOCKS = {
    "exchanged": """__device__ void k(Jobs* j) {
        while (atomicCAS(&j->lock, 0, 1)) { } FENCE j->next += 8; FENCE atomicExch(&j->lock, 0); }""",
    "in a branch": """__global__ void k(int* l, float* s) {
        if (atomicCAS(l, 0, 1) == 0) { FENCE s[1] += 2; FENCE atomicExch(l, 0); } }""",
    "of an object": """__device__ void k(Pool* p) {
        p->guard.lock(); FENCE p->used = p->used + 1; FENCE p->guard.unlock(); }""",
    "in a kernel": """__global__ void k(int* l, float* s) {
        while (atomicExch(l, 1)) { } FENCE *s += 2; FENCE atomicAnd(l, 0); }""",
}
GUARDED = {
    "published": """__device__ void k(int* s, Jobs* j) {
        if (atomicCAS(s, 0, 1) == 0) { j->sum = 1; atomicExch(s, 2); } }""",
    "two locks": """__device__ void k(int* a, int* b, Jobs* j) {
        if (!atomicExch(a, 1)) j->next += 1; atomicExch(b, 0); }""",
    "of the block": """__global__ void k(float* s) {
        __shared__ int l; while (atomicCAS(&l, 0, 1)) { } s[1] += 2; atomicExch(&l, 0); }""",
    "of its own": """__device__ void k(int* l, float x) {
        while (atomicExch(l, 1)) { } float y[2]; y[0] += x; atomicExch(l, 0); }""",
    "added": """__device__ void k(Jobs* j) {
        while (atomicCAS(&j->lock, 0, 1)) { } atomicAdd(&j->next, 1); atomicExch(&j->lock, 0); }""",
}


def handovers(code: str) -> list[tuple[str, str]]:
    """What is said of the order of memory in a function."""
    found = find_in_text(f"{DECLARED}{code}\n", "a.cu", None).findings
    return [(one.rule, one.message) for one in found if one.rule.startswith("memory/unfenced")]


@pytest.mark.parametrize("name", ARRIVALS)
def test_what_others_stored_before_they_counted_is_told(name: str) -> None:
    code = ARRIVALS[name]
    assert [rule for rule, _ in handovers(code.replace("FENCE", ""))] == ["memory/unfenced-arrival"]


@pytest.mark.parametrize("name", ["exchanged", "last block", "claimed"])
def test_a_fence_behind_the_count_is_enough_to_know_of_it(name: str) -> None:
    assert handovers(ARRIVALS[name].replace("FENCE", "__threadfence();")) == []


def test_a_fence_on_the_side_of_the_writers_alone_is_told_apart() -> None:
    code = ARRIVALS["claimed"].replace("FENCE", "__threadfence();", 1).replace("FENCE", "")
    ((_, message),) = handovers(code)
    assert message.endswith("Call `__threadfence()` behind it, before the reads.")


@pytest.mark.parametrize("name", ARRIVED)
def test_what_no_other_block_stored_is_not(name: str) -> None:
    assert handovers(ARRIVED[name]) == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_that_orders_nothing_is_told(name: str) -> None:
    assert [rule for rule, _ in handovers(LOCKS[name].replace("FENCE", ""))] == ["memory/unfenced-lock"]
    assert handovers(LOCKS[name].replace("FENCE", "__threadfence();")) == []


@pytest.mark.parametrize(
    ("first", "second", "where"),
    [("", "__threadfence();", "after taking it."), ("__threadfence();", "", "before the release.")],
)
@pytest.mark.parametrize("name", LOCKS)
def test_each_side_of_what_a_lock_guards_needs_its_fence(name: str, first: str, second: str, where: str) -> None:
    ((rule, message),) = handovers(LOCKS[name].replace("FENCE", first, 1).replace("FENCE", second))
    assert rule == "memory/unfenced-lock" and message.endswith(f"Call `__threadfence()` {where}")


@pytest.mark.parametrize("name", GUARDED)
def test_what_a_lock_does_not_guard_is_not(name: str) -> None:
    assert handovers(GUARDED[name]) == []
