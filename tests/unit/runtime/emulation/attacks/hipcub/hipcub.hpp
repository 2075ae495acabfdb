// A stand-in for a few of hipCUB's (CUB's) warp functions. The wave is a constant of the compilation: ATTACK_WAVE.
#ifndef ATTACK_HIPCUB
#define ATTACK_HIPCUB
#include <hip/hip_runtime.h>
#define CUB_PTX_WARP_THREADS ATTACK_WAVE
#define CUB_WARP_THREADS(arch) ATTACK_WAVE
#define CUB_LOG_WARP_THREADS(arch) (ATTACK_WAVE == 32 ? 5 : 6)
#define CUB_PTX_LOG_WARP_THREADS (ATTACK_WAVE == 32 ? 5 : 6)
#define HIPCUB_WARP_THREADS ATTACK_WAVE
#define HIPCUB_DEVICE_WARP_THREADS ATTACK_WAVE
namespace hipcub {
inline unsigned LaneId() { return __lane_id(); }
inline unsigned WarpId() { return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / ATTACK_WAVE; }
struct Sum { template <typename T> T operator()(T a, T b) const { return a + b; } };
struct Max { template <typename T> T operator()(T a, T b) const { return a < b ? b : a; } };
struct Min { template <typename T> T operator()(T a, T b) const { return b < a ? b : a; } };
template <typename T, int W = ATTACK_WAVE, int ARCH = 0> struct WarpReduce {
    struct TempStorage { T x; };
    explicit WarpReduce(TempStorage &) {}
    template <typename Op> T Reduce(T v, Op op) { return Reduce(v, op, W); }
    template <typename Op> T Reduce(T v, Op op, int n) {
        const int me = (int)__lane_id() % W;
        for (int by = 1; by < W; by *= 2) { T o = __shfl_down(v, by, W); if (me + by < n) v = op(v, o); }
        return v;
    }
    T Sum(T v) { return Reduce(v, hipcub::Sum()); }
    T Sum(T v, int n) { return Reduce(v, hipcub::Sum(), n); }
};
template <typename T, int W = ATTACK_WAVE, int ARCH = 0> struct WarpScan {
    struct TempStorage { T x; };
    explicit WarpScan(TempStorage &) {}
    template <typename Op> void InclusiveScan(T v, T &out, Op op) {
        const int me = (int)__lane_id() % W;
        for (int by = 1; by < W; by *= 2) { T o = __shfl_up(v, by, W); if (me >= by) v = op(o, v); }
        out = v;
    }
    void InclusiveSum(T v, T &out) { InclusiveScan(v, out, hipcub::Sum()); }
    void InclusiveSum(T v, T &out, T &total) { InclusiveSum(v, out); total = __shfl(out, W - 1, W); }
    void ExclusiveSum(T v, T &out) { T in; InclusiveSum(v, in); out = in - v; }
    void ExclusiveSum(T v, T &out, T &total) { T in; InclusiveSum(v, in, total); out = in - v; }
    T Broadcast(T v, unsigned from) { return __shfl(v, (int)from, W); }
};
}
#endif
