// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Export.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#ifdef __HIPCC__
#define C10_HOST_DEVICE __host__ __device__
#define C10_HOST __host__
#define C10_DEVICE __device__
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__((C10_MAX_THREADS_PER_BLOCK((threads))))
#define C10_LAUNCH_BOUNDS_2(threads, blocks) \
  __launch_bounds__((C10_MAX_THREADS_PER_BLOCK((threads))), (C10_MIN_BLOCKS_PER_SM((threads), (blocks))))
#else
#define C10_HOST_DEVICE
#define C10_HOST
#define C10_DEVICE
#endif
#define C10_HIP_HOST_DEVICE C10_HOST_DEVICE

#define CUDA_MAX_THREADS_PER_SM 2048
#define CUDA_MAX_THREADS_PER_BLOCK 1024
#define CUDA_THREADS_PER_BLOCK_FALLBACK 256
#define C10_MAX_THREADS_PER_BLOCK(n) (((n) <= CUDA_MAX_THREADS_PER_BLOCK) ? (n) : CUDA_THREADS_PER_BLOCK_FALLBACK)
#define C10_MIN_BLOCKS_PER_SM(threads, blocks) \
  ((((threads) * (blocks) <= CUDA_MAX_THREADS_PER_SM) ? (blocks) \
      : ((CUDA_MAX_THREADS_PER_SM + (threads) - 1) / (threads))))

#define C10_ALWAYS_INLINE __attribute__((__always_inline__)) inline
#define C10_ALWAYS_INLINE_UNLESS_MOBILE C10_ALWAYS_INLINE
#define C10_ALWAYS_INLINE_ATTRIBUTE __attribute__((__always_inline__))
#define C10_NOINLINE __attribute__((noinline))
#define C10_LIKELY(e) (__builtin_expect(static_cast<bool>(e), 1))
#define C10_UNLIKELY(e) (__builtin_expect(static_cast<bool>(e), 0))
#define C10_UNUSED __attribute__((__unused__))
#define C10_USED __attribute__((__used__))
#define C10_RESTRICT __restrict
#define C10_NODISCARD [[nodiscard]]
#define C10_FALLTHROUGH [[fallthrough]]
#define C10_LIFETIMEBOUND
#define C10_DEPRECATED [[deprecated]]
#define C10_DEPRECATED_MESSAGE(text) [[deprecated(text)]]
#define C10_DEFINE_DEPRECATED_USING(name, type) using name [[deprecated]] = type;
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_CONCATENATE_IMPL(a, b) a##b
#define C10_CONCATENATE(a, b) C10_CONCATENATE_IMPL(a, b)
#define C10_MACRO_EXPAND(x) x
#define C10_UID __COUNTER__
#define C10_ANONYMOUS_VARIABLE(name) C10_CONCATENATE(name, C10_UID)
#define C10_NAME_ID C10_UID
#define AT_DISALLOW_COPY_AND_ASSIGN(name) \
  name(const name&) = delete;             \
  void operator=(const name&) = delete
#define __ubsan_ignore_float_divide_by_zero__
#define __ubsan_ignore_undefined__
#define __ubsan_ignore_signed_int_overflow__
#define CONSTEXPR_EXCEPT_WIN_CUDA constexpr
#define C10_HOST_CONSTEXPR_EXCEPT_WIN_CUDA constexpr
#define C10_CLANG_DIAGNOSTIC_IGNORE(flag)
#define C10_CLANG_DIAGNOSTIC_POP()
#define C10_CLANG_DIAGNOSTIC_PUSH()
#define C10_CLANG_HAS_WARNING(flag) 0
#define C10_DIAGNOSTIC_POP()
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning)
#define HIDDEN_NAMESPACE_BEGIN_CHOOSE(a, b, c, name, ...) name
#define HIDDEN_NAMESPACE_BEGIN_1(a) namespace a {
#define HIDDEN_NAMESPACE_BEGIN_2(a, b) namespace a::b {
#define HIDDEN_NAMESPACE_BEGIN_3(a, b, c) namespace a::b::c {
#define HIDDEN_NAMESPACE_BEGIN(...)                                                                                  \
  HIDDEN_NAMESPACE_BEGIN_CHOOSE(__VA_ARGS__, HIDDEN_NAMESPACE_BEGIN_3, HIDDEN_NAMESPACE_BEGIN_2, \
      HIDDEN_NAMESPACE_BEGIN_1) \
  (__VA_ARGS__)
#define HIDDEN_NAMESPACE_END(...) }

namespace c10 {
namespace cuda {}
namespace hip {}
}  // namespace c10
namespace caffe2 {
using namespace c10;
}
namespace at {
using namespace c10;
namespace cuda {
using namespace c10::cuda;
using namespace c10::hip;
}  // namespace cuda
namespace hip {
using namespace c10::hip;
}
}  // namespace at

// A wavefront's width is known in device code only; on the host it is a call.
namespace at::cuda {
int warp_size();
}
#ifdef __HIPCC__
static __host__ inline int C10_WARP_SIZE_INTERNAL() { return at::cuda::warp_size(); }
#ifdef __GFX9__
static __device__ inline constexpr int C10_WARP_SIZE_INTERNAL() { return 64; }
#define C10_WARP_SIZE_LOWER_BOUND 64
#define C10_WARP_SIZE_UPPER_BOUND 64
#else
static __device__ inline constexpr int C10_WARP_SIZE_INTERNAL() { return 32; }
#define C10_WARP_SIZE_LOWER_BOUND 32
#define C10_WARP_SIZE_UPPER_BOUND 32
#endif
#else
inline int cudamigrate_warp_size() { return at::cuda::warp_size(); }
#define C10_WARP_SIZE_INTERNAL cudamigrate_warp_size
#define C10_WARP_SIZE_UPPER_BOUND 64
#define C10_WARP_SIZE_LOWER_BOUND 32
#endif
#define C10_WARP_SIZE (C10_WARP_SIZE_INTERNAL())

#define CUDA_KERNEL_ASSERT(cond) \
  if (C10_UNLIKELY(!(cond))) {   \
    abort();                     \
  }
#define CUDA_KERNEL_ASSERT_MSG(cond, msg) CUDA_KERNEL_ASSERT(cond)
#define CUDA_KERNEL_ASSERT_PRINTF(cond, ...) CUDA_KERNEL_ASSERT(cond)
#define CUDA_KERNEL_ASSERT_VERBOSE(cond, ...) CUDA_KERNEL_ASSERT(cond)
#define SYCL_KERNEL_ASSERT(cond) CUDA_KERNEL_ASSERT(cond)
