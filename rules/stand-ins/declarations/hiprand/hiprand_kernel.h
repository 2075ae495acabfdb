// cudamigrate declarations: device side of hipRAND 3; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPRAND_KERNEL
#define CUDAMIGRATE_DECLARES_HIPRAND_KERNEL
#include <hip/hip_runtime.h>
#include <hiprand/hiprand.h>
#include <type_traits>

#ifndef QUALIFIERS
#define QUALIFIERS __forceinline__ __device__
#endif

#define CM_STATE(name, words) \
    struct name { \
        __host__ __device__ name() {} \
        unsigned int cm_words[words]; \
    }; \
    typedef struct name name##_t;
CM_STATE(hiprandState, 12)
CM_STATE(hiprandStateXORWOW, 12)
CM_STATE(hiprandStatePhilox4_32_10, 16)
CM_STATE(hiprandStateMRG32k3a, 18)
CM_STATE(hiprandStateMtgp32, 1040)
CM_STATE(hiprandStateSobol32, 36)
CM_STATE(hiprandStateScrambledSobol32, 36)
CM_STATE(hiprandStateSobol64, 136)
CM_STATE(hiprandStateScrambledSobol64, 136)
#undef CM_STATE

namespace cudamigrate_hiprand {
template <class S> struct pseudo : std::false_type {};
template <> struct pseudo<hiprandState> : std::true_type {};
template <> struct pseudo<hiprandStateXORWOW> : std::true_type {};
template <> struct pseudo<hiprandStatePhilox4_32_10> : std::true_type {};
template <> struct pseudo<hiprandStateMRG32k3a> : std::true_type {};
template <class S> struct known : pseudo<S> {};
template <> struct known<hiprandStateMtgp32> : std::true_type {};
template <> struct known<hiprandStateSobol32> : std::true_type {};
template <> struct known<hiprandStateScrambledSobol32> : std::true_type {};
template <> struct known<hiprandStateSobol64> : std::true_type {};
template <> struct known<hiprandStateScrambledSobol64> : std::true_type {};
}
#define CM_KNOWN(S) static_assert(cudamigrate_hiprand::known<S>::value, "not a state of a hipRAND generator")
#define CM_PSEUDO(S) static_assert(cudamigrate_hiprand::pseudo<S>::value, "not a state that starts from a seed")

template <class S>
__device__ void hiprand_init(unsigned long long, unsigned long long, unsigned long long, S *) { CM_PSEUDO(S); }
__device__ void hiprand_init(hiprandDirectionVectors32_t, unsigned int, hiprandStateSobol32_t *);
__device__ void hiprand_init(
    hiprandDirectionVectors32_t, unsigned int, unsigned int, hiprandStateScrambledSobol32_t *);
__device__ void hiprand_init(hiprandDirectionVectors64_t, unsigned int, hiprandStateSobol64_t *);
__device__ void hiprand_init(
    hiprandDirectionVectors64_t, unsigned long long, unsigned int, hiprandStateScrambledSobol64_t *);
template <class S> __device__ void skipahead(unsigned long long, S *) { CM_KNOWN(S); }
template <class S> __device__ void skipahead_sequence(unsigned long long, S *) { CM_PSEUDO(S); }
template <class S> __device__ void skipahead_subsequence(unsigned long long, S *) { CM_PSEUDO(S); }

template <class S> __device__ auto hiprand(S *) -> typename std::conditional<
    std::is_same<S, hiprandStateSobol64>::value || std::is_same<S, hiprandStateScrambledSobol64>::value,
    unsigned long long, unsigned int>::type;
#define CM_DRAWS(type, name) template <class S> __device__ type name(S *) { CM_KNOWN(S); return type(); }
#define CM_LOG_DRAWS(type, real, name) \
    template <class S> __device__ type name(S *, real, real) { CM_KNOWN(S); return type(); }
CM_DRAWS(float, hiprand_uniform)
CM_DRAWS(double, hiprand_uniform_double)
CM_DRAWS(float, hiprand_normal)
CM_DRAWS(double, hiprand_normal_double)
CM_DRAWS(float2, hiprand_normal2)
CM_DRAWS(double2, hiprand_normal2_double)
CM_LOG_DRAWS(float, float, hiprand_log_normal)
CM_LOG_DRAWS(double, double, hiprand_log_normal_double)
CM_LOG_DRAWS(float2, float, hiprand_log_normal2)
CM_LOG_DRAWS(double2, double, hiprand_log_normal2_double)
#undef CM_DRAWS
#undef CM_LOG_DRAWS
template <class S> __device__ unsigned int hiprand_poisson(S *, double) { CM_KNOWN(S); return 0; }
template <class S> __device__ unsigned int hiprand_discrete(S *, hiprandDiscreteDistribution_t) { CM_KNOWN(S); return 0; }
#undef CM_KNOWN
#undef CM_PSEUDO

__device__ uint4 hiprand4(hiprandStatePhilox4_32_10_t *);
__device__ float4 hiprand_uniform4(hiprandStatePhilox4_32_10_t *);
__device__ double2 hiprand_uniform2_double(hiprandStatePhilox4_32_10_t *);
__device__ double4 hiprand_uniform4_double(hiprandStatePhilox4_32_10_t *);
__device__ float4 hiprand_normal4(hiprandStatePhilox4_32_10_t *);
__device__ double4 hiprand_normal4_double(hiprandStatePhilox4_32_10_t *);
__device__ float4 hiprand_log_normal4(hiprandStatePhilox4_32_10_t *, float, float);
__device__ double4 hiprand_log_normal4_double(hiprandStatePhilox4_32_10_t *, double, double);
__device__ uint4 hiprand_poisson4(hiprandStatePhilox4_32_10_t *, double);
__device__ uint4 hiprand_discrete4(hiprandStatePhilox4_32_10_t *, hiprandDiscreteDistribution_t);

typedef struct mtgp32_params mtgp32_kernel_params_t;
typedef struct mtgp32_fast_params mtgp32_fast_param_t;
__device__ void hiprand_mtgp32_block_copy(hiprandStateMtgp32_t *, hiprandStateMtgp32_t *);
__device__ void hiprand_mtgp32_set_params(hiprandStateMtgp32_t *, mtgp32_kernel_params_t *);
#endif
