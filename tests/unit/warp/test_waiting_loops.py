"""Loops and recursions of device code that another thread has to end are told, whatever they read memory by."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RULES = {"memory/block-spin", "warp/lane-spin", "warp/waits-for-own-wave", "warp/waits-for-turn"}
DECLARED = """\
typedef volatile int* flags_t; using Word = volatile int;
__device__ int ld(const int* p) { int v;
    asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ int lda(const int* p) { int v;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ void get(const int* p, int& v) { v = *(volatile const int*)p; }
__device__ void getp(const int* p, int* v) { *v = *(volatile const int*)p; }
struct F { volatile int* p; __device__ bool operator()() const { return *p != 0;
    } __device__ operator bool() const { return *p; } };
struct Box { Word v; __device__ int read() { return v;
    } __device__ bool operator==(int o) const { return v == o; } };
#define READY(p) (atomicAdd(p, 0) != 0)
__device__ int unseen(int* p);
#include <cuda/atomic>
struct Backoff { unsigned ns; __device__ void pause() { __nanosleep(ns); if (ns < 256) ns *= 2; } };
__device__ void wait(unsigned& ns) { __nanosleep(ns); ns = ns < 256 ? 2 * ns : ns; }
struct It { int i, n; const int* d; __device__ bool next(int& v) { if (i >= n) return false; v = d[i++];
    return true; } };
struct Stack { int s[32]; int top; __device__ bool empty() const { return top == 0;
    } __device__ int pop() { return s[--top]; } };
struct Node { Node* next; int key; };
__device__ void step(int& i, int n) { i = (i * 5 + 1) % n; }
struct Rng { unsigned s; __device__ unsigned operator()() { s ^= s << 13; return s; } };
__device__ bool take(int& n) { return --n > 0; }
struct Queue { int n; __device__ bool next(int& v) { v = n; return --n > 0; } __device__ void advance() { --n;
    } __device__ bool valid() const { return n > 0; } };
struct Ls { int head; int next[8]; };
__device__ int ldv(const volatile int* p, int i) { return p[i]; }
__device__ half ldh(const volatile half* p, int i) { __half_raw r; r.x = ((const volatile __half_raw*)p)[i].x;
    return half(r); }
struct Pair { int first, second; };
__device__ Pair polled(const int* p) { return {0, ld(p)}; }
struct Root { float dx; bool valid; };
__device__ Root newton(float x) { return {x * x - 2.0f, x > 0.0f}; }
__device__ bool unset(int a) { int r;
    asm volatile("{ set.eq.s32.s32 %0, %1, %2; }" : "=r"(r) : "r"(a), "r"(0x8000)); return r; }
"""
WAITING = [
    "__device__ int f(volatile int* p) { do { if (p[0] == 1) break; if (p[0] == 2) break; } while (1); return 1; }",
    "__device__ int f(int* p, int h) { while (1) { int* e = p + h; if (*e != -1) return *e; } }",
    "__device__ int f(volatile int* p, int h) { while (1) { int v(p[h]); if (v != 0) break; } return h; }",
    "__device__ void f(int* p) { bool ready = false; while (!ready) { if (ld(p)) ready = true; } }",
    "__device__ void f(int* p) { unsigned s, f; do { s = ld(p); f = s >> 31; } while (!f); }",
    "__device__ void f(int* p, int* q, int w) { int s = 0; while (!s) { if (w) s = ld(p); else s = ld(q); } }",
    "__device__ void f(int* p) { bool ok = false; while (!ok) { ok |= lda(p) == 1; } }",
    "__device__ void f(int* p) { int v = 0; while (v < 5) v = max(v, __ldcg(p)); }",
    "__device__ void f(int* p) { int v = 0; while (!v) get(p, v); }",
    "__device__ void f(int* p) { int v = 0; while (!v) getp(p, &v); }",
    "__device__ void f(int* p) { int v = 0; auto poll = [&] { v = ld(p); }; while (!v) poll(); }",
    "__device__ void f(int* p) { auto poll = [=] { return ld(p) != 0; }; while (!poll()) ; }",
    "__device__ void f(F f) { while (!f()) ; }",
    "__device__ void f(F f) { while (!f) ; }",
    "__device__ void f(Box& b) { while (b.read() == 0) ; }",
    "__device__ void f(Box& b) { while (!(b == 1)) ; }",
    "__device__ void f(int* p) { while (!READY(p)) ; }",
    "__device__ void f(int* p) { if (ld(p) == 0) f(p); }",
    "__device__ int f(int* p, int j) { return ld(p) ? j : f(p, j); }",
    (
        "__device__ void f(int* p) { for (;;) { int v = ld(p); if (v == 1) return; if (v == 2) break; "
        "__nanosleep(20); } }"
    ),
    "__device__ void f(int* p) { again: if (ld(p) == 0) goto again; }",
    "__device__ int f(int* p) { for (int t = 0; t < 1000; ++t) if (ld(p)) return 1; return 0; }",
    "__device__ void f(int* p) { for (bool go = ld(p); !go; go = ld(p)) ; }",
    "__device__ void f(flags_t f) { while (!f[threadIdx.x]) ; }",
    "__device__ void f(int* p) { auto& w = *(volatile int*)p; while (w == 0) ; }",
    "__device__ void f(int* p) { unsigned ns = 8; while (ld(p) == 0) { __nanosleep(ns); if (ns < 256) ns *= 2; } }",
    "__device__ void f(int* p) { for (unsigned ns = 8; ld(p) == 0; ns = ns < 256 ? ns * 2 : ns) __nanosleep(ns); }",
    (
        "__device__ bool f(int* p, int tries) { if (ld(p)) return true; if (tries == 0) return false; "
        "return f(p, tries - 1); }"
    ),
    "template <class W> __device__ void f(W* p) { while (*p == 0) ; }",
    "__device__ void f(int* p) { int old = *p; while (old == 0) old = *(volatile int*)p; }",
    "__device__ void f(int* p) { do { __syncwarp(); } while (!__any_sync(~0u, ld(p))); }",
    (
        "__device__ void f(int* p) { bool done = false; do { if (threadIdx.x % 32 == 0) done = ld(p) == "
        "1; done = __shfl_sync(~0u, done, 0); } while (!done); }"
    ),
    "__device__ void f(int* p) { int n = 0; while (true) { if (ld(p)) { n = 1; break; } } p[1] = n; }",
    "__device__ void f(int* p) { while (!unseen(p)) ; }",
    (
        "__device__ void f(int* p) { bool a = false, b = false; while (!(a && b)) { a = a || ld(p); b = "
        "b || ld(p + 1); } }"
    ),
    "__device__ void f(int* p) { switch (ld(p)) { case 0: f(p); break; default: break; } }",
    "__device__ void f(Box* b, int n) { for (int i = 0; i < n; ++i) while (b[i].v == 0) ; }",
    "__device__ void f(int* p) { while (ld(p) == 0) { if (ld(p + 1)) return; } }",
    (
        "__device__ void f(int* p) { int state = 0; while (state != 2) { switch (state) { case 0: if "
        "(ld(p)) state = 1; break; case 1: state = 2; break; } } }"
    ),
    (
        '__device__ void f(int* f) { int v; do { asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : '
        '"l"(f)); } while (v == 0); }'
    ),
    (
        '__device__ void f(unsigned b, unsigned ph) { int ok = 0; while (!ok) { asm volatile("{ .reg '
        '.pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(ok) : '
        '"r"(b), "r"(ph)); } }'
    ),
    (
        "__device__ void f(int* p) { cuda::atomic_ref<int, cuda::thread_scope_device> r(*p); while "
        "(r.load(cuda::memory_order_acquire) == 0) ; }"
    ),
    (
        '__device__ void f(unsigned p) { int v = 0; while (!v) asm volatile("ld.volatile.shared.u32 %0, '
        '[%1];" : "=r"(v) : "r"(p) : "memory"); }'
    ),
    "__device__ void f(int* p) { Backoff b{8}; while (ld(p) == 0) b.pause(); }",
    "__device__ void f(int* p) { unsigned ns = 8; while (ld(p) == 0) wait(ns); }",
    "__device__ void f(int* p) { Backoff b{8}; while (ld(p) == 0) b.ns *= 2; }",
    "__device__ void f(int* p, int* turns) { while (ld(p) == 0) turns[threadIdx.x] += 1; }",
    ("__device__ void f(int* p, int* turns) { while (!*(volatile int*)p) { turns[threadIdx.x]++; __threadfence(); } }"),
    (
        "__device__ void f(int* p, int n) { bool ok = false; while (!ok) { ok = true; for (int u = 0; u < "
        "n; u++) ok &= ld(p + u) > 2; } }"
    ),
    (
        "__device__ void f(volatile int* p, int n) { bool ok = false; while (!ok) { ok = true; for (int u ="
        " 0; u < n; u++) { ok &= (p[u] >= n); } } }"
    ),
    (
        "__device__ void f(int* p, int n) { bool ok = false; int u; while (!ok) { ok = true; for (u = 0; u "
        "< n; u++) ok &= ld(p + u) > 2; } }"
    ),
    (
        "__device__ void f(volatile int* p, int n) { bool ok = false; while (!ok) { ok = true; for (int u ="
        " 0; u < n; u++) if (p[u] < n) ok = false; } }"
    ),
    (
        "__device__ void f(volatile int* p, int n) { bool ok; do { ok = true; for (int u = 0; u < n; u++) "
        "ok = ok && p[u] != 0; } while (!ok); }"
    ),
    (
        "template<int N> __device__ void f(volatile int* p, int *o, int n) { int v[N]; bool ok = false; "
        "while (!ok) { ok = true; for (int b = 0; b < N; b++) { v[b] = ldv(p, n + b); } for (int b = 0; b <"
        " N; b++) { ok &= !unset(v[b]); } } o[0] = v[0]; }"
    ),
    (
        "template<int N> __device__ void f(volatile int* p, int *o, int n) { int v[N][4]; bool ok = false; "
        "while (!ok) { ok = true; for (int b = 0; b < N; b++) for (int c = 0; c < 4; ++c) { v[b][c] = "
        "ldv(p, n + b); } for (int b = 0; b < N; b++) for (int c = 0; c < 4; ++c) { ok &= !unset(v[b][c]); "
        "} } o[0] = v[0][0]; }"
    ),
    (
        "__device__ void f(int* p, int n) { int seen = 0; while (seen < n) { seen = 0; for (int u = 0; u < "
        "n; u++) seen += ld(p + u); } }"
    ),
    (
        "template <int N> __device__ void f(volatile int* p, int* o, int n) { int v[N]; bool ok = false; "
        "while (!ok) { ok = true; for (int b = 0; b < N; b++) v[b] = elsewhere(p, n + b); for (int b = 0; b"
        " < N; b++) ok &= v[b] > 0; } o[0] = v[0]; }"
    ),
    (
        "template <int N> __device__ void f(volatile half* p, int* o, int n) { half v[N]; bool ok = false; "
        "while (!ok) { ok = true; for (int b = 0; b < N; b++) v[b] = ldh(p, n + b); for (int b = 0; b < N; "
        "b++) ok &= __hgt(v[b], 0); } o[0] = 1; }"
    ),
    """__device__ void f(const int* p) {
        while (true) { auto [ready, at] = Pair{ld(p), 0}; if (ready) break; } }""",
    """__device__ void f(const int* p) {
        while (true) { auto const& [at, ready] = polled(p); if (ready != 0) { break; } } }""",
]
GOING_ON = [
    "__device__ int f(volatile int* p) { do { if (ld(p) == 1) break; if (ld(p) == 2) break; } while (0); return 1; }",
    (
        "__device__ int f(int* p, int h, int n) { while (1) { int* e = &p[h]; int was = atomicCAS(e, -1, -2); "
        "if (was == -1) { atomicExch(e, n); return h; } else { if (was == n) return h; } h++; if (h == n) h = 0; } }"
    ),
    "__device__ void f(int* p, int h, int n) { while (1) { int* e = p + h; if (*e < 0) return; if (++h > n) h = 0; } }",
    (
        "__device__ int f(const int* v, const int* w, int n) { int at = 0; for (int i = 0; i < n; ++i) { int e = v[i]; "
        "int a(w[2 * e]), b(w[2 * e + 1]); if (a == -1 || b == -1) { at = i; break; } } return at; }"
    ),
    (
        "__device__ float mul(float a, float b) { return a * b; } __global__ void f(float* p, int at, int n) { "
        "float* mine = p + at; for (int i = 0; i < n; ++i) { float* other = p + i; if (other[1] >= mine[1]) { "
        "float v = mul(mine[0], other[0]); if (v > 1) { mine[2] = 0; return; } } } }"
    ),
    "__device__ void f(int* a, int n) { int i = 0; while (i < n) { a[i] = 0; ++i; } }",
    (
        "__device__ int f(const int* a, int n) { int lo = 0, hi = n; while (lo < hi) { int m = (lo + hi) "
        "/ 2; if (a[m] < 5) lo = m + 1; else hi = m; } return lo; }"
    ),
    "__device__ int f(const Node* p, int k) { while (p && p->key != k) p = p->next; return p != 0; }",
    (
        "__device__ int f(const unsigned* pool, unsigned b, unsigned key, int lane) { unsigned next = b; "
        "while (true) { const unsigned data = pool[next * 32 + lane]; if (__ballot_sync(~0u, data == "
        "key)) return 1; const unsigned link = __shfl_sync(~0u, data, 31); if (link == 7) return 0; next "
        "= link; } }"
    ),
    "__device__ int f(It it) { int v, s = 0; while (it.next(v)) s += v; return s; }",
    "__device__ int f() { Stack st; st.top = 3; int s = 0; while (!st.empty()) s += st.pop(); return s; }",
    "__device__ int f(int n) { int i = 1; auto adv = [&] { ++i; }; while (i < n) adv(); return i; }",
    "__device__ int f(int n) { int i = 1; while (i != 3) step(i, n); return i; }",
    "__device__ int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }",
    "__device__ int f(const Node* p, int k) { if (!p) return 0; if (p->key == k) return 1; return f(p->next, k); }",
    (
        "__device__ void f(float* a, float v) { float old = *a, assumed; do { assumed = old; old = "
        "__int_as_float(atomicCAS((int*)a, __float_as_int(assumed), __float_as_int(v + assumed))); } "
        "while (assumed != old); }"
    ),
    (
        "__device__ int f(int* t, int k) { int h = k % 64; while (atomicCAS(&t[h], -1, k) != -1) h = (h "
        "+ 1) % 64; return h; }"
    ),
    "__device__ int f(unsigned m) { int s = 0; while (m) { int b = __ffs(m) - 1; s += b; m &= m - 1; } return s; }",
    (
        "__device__ int f(unsigned q) { bool done = false; int s = 0; while (!done) { if (s++ > 10) done "
        "= true; } return s; }"
    ),
    ("__device__ float f(float x) { float y = x; while (fabsf(y * y - x) > 1e-5f) y = 0.5f * (y + x / y); return y; }"),
    "__device__ void f(Queue q, int* a) { for (; q.valid(); q.advance()) a[0] += 1; }",
    "__device__ void f(const int* next, int i) { for (int at = ld(next + i); at; at = ld(next + at)) ; }",
    (
        "__device__ int f(const int* row, int c, int e, int* col) { int k = row[c]; for (; k < row[c + "
        "1]; ++k) if (col[k] == e) break; return k; }"
    ),
    (
        "__device__ unsigned f(unsigned* s, unsigned n) { unsigned x; do { *s = *s * 1664525u + "
        "1013904223u; x = *s; } while (x >= n); return x; }"
    ),
    (
        "__device__ unsigned f(unsigned& s, unsigned n) { unsigned x; do { s = s * 1664525u + "
        "1013904223u; x = s >> 3; } while (x >= n); return x; }"
    ),
    (
        "__device__ void f(float* a, int n) { bool again = true; while (again) { again = false; for (int "
        "i = 0; i + 1 < n; ++i) if (a[i] > a[i + 1]) { float t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; "
        "again = true; } } }"
    ),
    (
        "__device__ int f(const int* parent, int v) { int p = parent[v]; while (p != v) { v = p; p = "
        "parent[v]; } return v; }"
    ),
    "__device__ int f(int* parent, int v) { int p; while ((p = parent[v]) != v) v = p; return v; }",
    "__device__ unsigned f(Rng r) { unsigned x = r(); while (x > 100) x = r(); return x; }",
    "__device__ unsigned f(Rng& r) { unsigned x; do x = r(); while (x > 100); return x; }",
    (
        "__device__ void f(int n, int* a) { for (int i = threadIdx.x; i < n; i += blockDim.x) { int j = "
        "0; for (; j < a[i]; j++) ; a[i] = j; } }"
    ),
    (
        "__device__ int f(const int* a, int l, int r, int v) { if (l >= r) return l; int m = (l + r) / "
        "2; return a[m] < v ? f(a, m + 1, r, v) : f(a, l, m, v); }"
    ),
    "__device__ void f(int* a, int lo, int hi) { if (lo < hi) { a[lo] = 0; f(a, lo + 1, hi); } }",
    "__device__ int f(const char* s) { int n = 0; while (s[n]) ++n; return n; }",
    "__device__ int f(const char* s) { const char* e = s; while (*e) e++; return e - s; }",
    "__device__ int f(const int* s) { int n = 0; while (s[n++]) ; return n; }",
    "__device__ void f(long long t) { long long t0 = clock64(); while (clock64() - t0 < t) ; }",
    (
        '__device__ void f(unsigned t) { unsigned t0, t1; asm volatile("mov.u32 %0, %%clock;" : '
        '"=r"(t0)); do { asm volatile("mov.u32 %0, %%clock;" : "=r"(t1)); } while (t1 - t0 < t); }'
    ),
    "__device__ int f(int x) { int a[4]; int n = 0; do { a[n & 3] = x; x >>= 1; ++n; } while (x); return a[0]; }",
    "template <int N> __device__ void f(int* p) { if (p[0] > N) return; f<N - 1>(p); }",
    (
        "__device__ unsigned f(unsigned m, unsigned v) { unsigned left = m; while (left) { unsigned k = "
        "__shfl_sync(m, v, __ffs(left) - 1); unsigned peers = __ballot_sync(m, v == k); left &= ~peers; "
        "} return v; }"
    ),
    (
        "__device__ int f(const int* a, int n, int v) { int at = -1; bool found = false; int i = 0; "
        "while (!found && i < n) { if (a[i] == v) { found = true; at = i; } ++i; } return at; }"
    ),
    "__device__ int f(int n) { int s = 0; while (take(n)) ++s; return s; }",
    (
        "__device__ int f(const int* a, int i, int n) { bool more = true; while (more) { more = false; "
        "if (i < n && a[i] < 0) { ++i; more = true; } } return i; }"
    ),
    (
        "__device__ int f(const char* s, int i) { int st = 0; while (st != 2) { char c = s[i]; ++i; "
        "switch (st) { case 0: if (c == 'a') st = 1; break; case 1: if (c == 'b') st = 2; break; } } "
        "return i; }"
    ),
    (
        "struct Low { __device__ static int f() { return 1; } }; struct High { __device__ static int f() "
        '{ static_assert(sizeof(int) == 4, ""); if (Low::f() > 3) return 2; return Low::f(); } };'
    ),
    "struct Tr { Tr* l; int v; __device__ int f(int k) { if (v == k) return 1; return l ? l->f(k) : 0; } };",
    "__device__ int f(int n) { Queue q{n}; int x; bool more = true; while (more) { more = q.next(x); } return x; }",
    (
        "__device__ int f(int n) { Queue q{n}; bool more = true; while (more) { q.advance(); more = "
        "q.valid(); } return q.n; }"
    ),
    "__device__ void f(int* s) { while (s[0] > 0) s[--s[0]] = 1; }",
    "__device__ int f(Queue& q) { int k = 0; while (q.n > 0) { q.n -= 1; ++k; } return k; }",
    (
        "__device__ void f(int* a, int n) { int k = n; while (k > 1) { int m = 0; for (int i = 1; i < k; "
        "++i) if (a[i - 1] > a[i]) { int t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; m = i; } k = m; } }"
    ),
    "__device__ void f(Ls* l) { while (l->head >= 0) { int h = l->head; l->head = l->next[h]; l->next[h] = -1; } }",
    (
        "__device__ void f(float* h, int i, int n) { while (2 * i + 1 < n) { int c = 2 * i + 1; if (h[c] "
        "> h[i]) { float t = h[c]; h[c] = h[i]; h[i] = t; i = c; } else break; } }"
    ),
    (
        "__device__ void f(int* d, int* f) { while (*f) { *f = 0; for (int i = 0; i < 4; ++i) if (d[i] > "
        "d[i + 1]) *f = 1; } }"
    ),
    (
        "__device__ int f(int d) { int n = 0; double e = 0; clock_t s = clock(); do { clock_t now = "
        "clock(); e = (double)(now - s) * 1e9 / CLOCKS_PER_SEC; ++n; } while (e < (double)d); return n; }"
    ),
    (
        "__device__ int f(int *o) { int a[4]; for (int i = 0; i < 4; ++i) a[i] = o[i]; bool again = true; "
        "while (again) { again = false; for (int i = 0; i < 3; ++i) if (a[i] > a[i + 1]) { int t = a[i]; "
        "a[i] = a[i + 1]; a[i + 1] = t; again = true; } } return a[0]; }"
    ),
    (
        "__device__ int f(const int *a, int n) { bool ok = false; int u = 0; while (!ok) { ok = true; for "
        "(; u < n; u++) { ok = a[u] > 0; if (!ok) { ++u; break; } } } return u; }"
    ),
    (
        "__device__ int f() { int v[2] = {1, 1}; bool ok = false; while (!ok) { ok = true; for (int b = 0; "
        "b < 2; b++) v[b] = v[b] * 2; for (int b = 0; b < 2; b++) ok &= v[b] > 100; } return v[0]; }"
    ),
    (
        "__device__ void f(int *p) { bool ok = false; while (!ok) { ok = true; for (int b = 0; b < 2; b++) "
        "{ ok &= p[b] > 3; p[b] = p[b] + 1; } } }"
    ),
    (
        "__device__ void f(float *x, float *y, int n) { bool ok = false; while (!ok) { ok = true; for (int "
        "i = 0; i < n; i++) y[i] = (x[i] + 1) / 2; for (int i = 0; i < n; i++) { ok &= y[i] == x[i]; x[i] ="
        " y[i]; } } }"
    ),
    ("__device__ int f(int s) { int t = 0; while (t < 10) { for (int i = t; i < 3; ++i) s += i; t += s; } return s; }"),
    (
        "__device__ int f(int n) { int m = n; bool ok = false; while (!ok) { ok = true; for (int d = 2; d *"
        " d <= m; d++) if (m % d == 0) ok = false; if (!ok) ++m; } return m; }"
    ),
    (
        "__device__ void f(Rng r, float *o) { float v[3]; do { for (int i = 0; i < 3; i++) v[i] = r() * "
        "2.f; } while (v[0] + v[1] + v[2] > 1); o[0] = v[0]; }"
    ),
    (
        "__device__ void f(float *o) { float v[3], w[3]; w[0] = o[0]; do { for (int i = 0; i < 3; i++) v[i]"
        " = w[i] / 2; for (int i = 0; i < 3; i++) w[i] = v[i] - 1; } while (v[0] > 1); o[0] = v[0]; }"
    ),
    (
        "__device__ void f(float *o, int *q) { float v[3]; int at = 0; do { for (int i = 0; i < 3; i++) "
        "v[i] = o[at + i]; at = q[at]; } while (v[0] > 1); o[0] = v[0]; }"
    ),
    (
        "__device__ int f(const int *a, int n) { int u, k = 0; do { for (u = k; u < n; u++) if (a[u]) "
        "break; k = u + 1; } while (u < n); return k; }"
    ),
    (
        "__device__ int f(int *a) { int v[4]; int k = 0; while (v[k] > 0) { for (int i = 0; i < 3; i++) "
        "v[k] = a[i]; k = v[k]; } return k; }"
    ),
    (
        "__device__ int f(const int *a, int n) { int t = 0; do { int x = 3; for (int i = 0; i < 3; ++i) x ="
        " a[x]; t += x; } while (t < n); return t; }"
    ),
    (
        "__device__ void f(int* p, int n) { bool ok = false; while (!ok) { ok = true; int* q = p + n; *q +="
        " 1; ok &= *q > 7; } }"
    ),
    (
        "__device__ void f(int* p, int n) { bool ok = false; while (!ok) { ok = true; int* q = p + n; *q = "
        "*p + 1; ok &= *q > 7; } }"
    ),
    (
        "__device__ int f(int* p, int n) { int v[4]; int* q = v; bool ok = false; while (!ok) { ok = true; "
        "q[0] += 1; v[1] = 3; ok &= v[0] > 7; } return v[1]; }"
    ),
    (
        "__device__ int f(int* p, int n) { int u = 0; bool ok = false; while (u < n) { for (int u = 0; u < "
        "3; ++u) p[u] = 1; u++; } return u; }"
    ),
    (
        "__device__ int f(int* p, int n) { static int s; bool ok = false; while (!ok) { static int u = 0; "
        "ok = p[u] > 0; u++; } return 0; }"
    ),
    (
        "template <int N> __device__ void f(volatile int* q, int* o, int n) { int v[N]; bool ok = false; "
        "while (!ok) { ok = true; for (int b = 0; b < N; b++) { v[b] = o[b]; put(q, n + b, v[b]); } for "
        "(int b = 0; b < N; b++) ok &= v[b] > 0; } }"
    ),
    """__device__ float f(float x) { int i = 0;
        while (i < 20) { i++; auto const [dx, valid] = newton(x); if (!valid) break; x += dx; } return x; }""",
    """__device__ float f(float x) {
        while (true) { auto const [dx, valid] = newton(x); x += dx; if (!valid) break; } return x; }""",
]

_ROUND = (
    "__device__ void f(int* p, int i) {{ for (bool run = true; run;) {{ unsigned act = __activemask(); "
    "int k = {}; if ({}) run = false; }} }}"
)
_LEADER = "__shfl_sync(act, p[i], __ffs(act) - 1)"
_ALL_LANES = "__shfl_sync(0xffffffffu, p[i], 0)"
GOING_ON += [
    _ROUND.format(_LEADER, "k == p[i]"),
    _ROUND.format("__shfl_sync(act, p[i], 31 - __clz(act))", "p[i] == k"),
    "__device__ void f(int* p, int i) { while (true) { unsigned act = __activemask(); int first = __ffs(act) - 1; "
    "if (__shfl_sync(act, p[i], first) == p[i]) break; } }",
]
_SERVED = (
    "__global__ void f(const int* p, int i, int* o) {{ int pos = 0; unsigned todo; bool served = p[i] % 5 == 0; "
    "while ({}) {{ if ({}) {{ o[i] = pos; served = true; }} ++pos; }} }}"
)
_TODO = "(todo = __ballot_sync(~0u, !served)) != 0"
_FIRST = "__shfl_sync(~0u, p[i], __ffs(todo) - 1) == p[i]"
GOING_ON += [
    _SERVED.format(_TODO, "__ffs(todo) == (threadIdx.x & 31) + 1"),
    _SERVED.format(_TODO, "__ffs(todo) - 1 == threadIdx.x % 32"),
    _SERVED.format(_TODO, _FIRST),
    _SERVED.format("todo = __ballot_sync(~0u, !served)", _FIRST),
]
WAITING += [
    _SERVED.format(_TODO, "__shfl_sync(~0u, p[i], __ffs(todo) - 1) == 1"),
    _SERVED.format(_TODO, "p[threadIdx.x] == 1"),
    _SERVED.format("(todo = __ballot_sync(~0u, served)) != 0xffffffffu", _FIRST),
    _SERVED.format("(todo = __ballot_sync(~0u, p[i] == 0)) != 0", _FIRST),
    _SERVED.format(_TODO, "__shfl_sync(~0u, p[i], __ffs(threadIdx.x)) == p[i]"),
    _ROUND.format(_LEADER, "k == 1"),
    _ROUND.format(_LEADER, "k == p[i + 1]"),
    _ROUND.format(_ALL_LANES, "k == p[i]"),
    _ROUND.format(_LEADER, "k == p[i] && p[0] == 1"),
]


def waits(function: str) -> bool:
    found = find_in_text(f"{DECLARED}{function}\n", "a.cu", None).findings
    return any(one.rule in RULES and one.span.start >= len(DECLARED) for one in found)


@pytest.mark.parametrize("function", WAITING)
def test_what_others_must_end_is_told(function: str) -> None:
    assert waits(function)


@pytest.mark.parametrize("function", GOING_ON)
def test_what_goes_on_by_itself_is_not(function: str) -> None:
    assert not waits(function)


SERVES = (
    "__device__ void f({todo} &todo, const unsigned &lane, const unsigned *data, unsigned &n) { unsigned work = 0;"
    " while ((work = __ballot_sync(0xFFFFFFFF, todo))) { unsigned src = __ffs(work) - 1; n += data[src];"
    " if (lane == src) {set} } }"
)


@pytest.mark.parametrize(
    ("todo", "set_", "waits"),
    [
        ("bool", "todo = false;", False),  # each lane ends its own work
        ("volatile bool", "todo = false;", True),  # said to change meanwhile
        ("bool", "n += 1;", True),  # nobody here ends it
    ],
)
def test_a_flag_behind_a_reference_that_the_loop_sets_is_the_lanes_own(todo: str, set_: str, waits: bool) -> None:
    found = find_in_text(DECLARED + SERVES.replace("{todo}", todo).replace("{set}", set_), "a.cu").findings
    assert ("warp/waits-for-own-wave" in {one.rule for one in found}) is waits


WAIT_IN_TURNS = (
    "__device__ bool tried(int *p) { return atomicCAS(p, 0, 1) == 0; }\n__device__ void use(int i);\n"
    "__global__ void k(int *p, volatile int *v, int n) { @ p[n] = 1; }\n"
)


@pytest.mark.parametrize(
    ("loop", "is_wait"),
    [
        (
            "for (int t = 0; t < n; ++t) { bool f = false; "
            "for (int i = 0; i < 4; ++i) if (tried(p + i)) { use(i); f = true; break; } if (f) return; }",
            False,
        ),
        (
            "for (int t = 0; t < n; ++t) { switch (p[t]) { case 0: if (tried(p)) { use(t); break; } use(1); } "
            "if (v[0] > t) break; }",
            False,
        ),
        ("for (;;) { int i = 0; for (; i < 4; ++i) if (v[i] == 0) break; if (i == 4) break; }", True),
        ("while (v[0] == 0) { for (int i = 0; i < 4; ++i) { if (v[i] > 2) break; __nanosleep(9); } }", True),
        ("for (int t = 0; t < n; ++t) { if (v[0] > 2) break; __nanosleep(20); }", True),
    ],
)
def test_a_break_ends_the_loop_that_is_next_around_it(loop: str, is_wait: bool) -> None:
    found = find_in_text(WAIT_IN_TURNS.replace("@", loop), "a.cu").findings
    assert bool(RULES & {one.rule for one in found}) is is_wait


@pytest.mark.parametrize(
    ("head", "again", "is_wait"),
    [
        ("template <class Blend>", "put(p, n)", False),
        ("template <int kTurns>", "put(p, n)", False),
        ("template <class Blend = int>", "put(p, n)", True),
        ("template <class T>", "put((T *)p, n)", True),
        ("", "put(p, n)", True),
    ],
)
def test_a_template_that_is_not_told_an_argument_calls_an_overload(head: str, again: str, is_wait: bool) -> None:
    of = "T" if "class T" in head else "int"
    wait = f"{head} __device__ void put({of} *p, int n) {{ if (atomicAdd(p, 0) == 0) {{ {again}; }} }}\n"
    found = find_in_text(f"{wait}__global__ void k(int *p) {{ p[1] = 1; }}\n", "a.cu").findings
    assert bool(RULES & {one.rule for one in found}) is is_wait


JUMPS = """__global__ void f(int *out, volatile int *in) {{
    __shared__ int at[256];
    int off = threadIdx.x / 32 * 32;
    at[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    bool active = true;
    do {{
        if ({asked}) {{ {done} }} {other}
        active = out[threadIdx.x] && at[threadIdx.x] < 32;
    }} while ({voted});
    out[threadIdx.x] = at[threadIdx.x];
}}
"""
_ASKED, _JUMP = "at[threadIdx.x] < 32", "at[threadIdx.x] = at[off + at[threadIdx.x]];"


@pytest.mark.parametrize(
    ("asked", "done", "other", "voted", "is_wait"),
    [
        (_ASKED, _JUMP, "", "__any_sync(~0u, active)", False),
        (_ASKED, _JUMP, "", "__ballot_sync(~0u, active)", False),
        (_ASKED, _JUMP, "", f"__any_sync(~0u, {_ASKED})", False),
        ("at[threadIdx.x] < 16", _JUMP, "", "__any_sync(~0u, active)", True),
        (_ASKED, "", f"else {{ {_JUMP} }}", "__any_sync(~0u, active)", True),
    ],
)
def test_lanes_that_vote_to_go_on_and_get_further_wait_for_nobody(
    asked: str, done: str, other: str, voted: str, is_wait: bool
) -> None:
    assert waits(JUMPS.format(asked=asked, done=done, other=other, voted=voted)) is is_wait
