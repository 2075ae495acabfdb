// cudamigrate declarations: names and types of hipRAND 10.0; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPRAND_HIPRAND_H
#define CUDAMIGRATE_DECLARES_HIPRAND_HIPRAND_H
#include <hip/hip_vector_types.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime_api.h>
#include <stdint.h>
#include <cstddef>
#include <ctime>
#include <thread>
#include <tuple>
#define HIPRAND_H_
#define HIPRAND_VERSION 300400
#define HIPRAND_DEFAULT_MAX_BLOCK_SIZE 256
#define HIPRAND_DEFAULT_MIN_WARPS_PER_EU 1
extern "C" {
struct rocrand_discrete_distribution_st { unsigned int size; unsigned int offset; unsigned int *alias; double *probability; double *cdf; };
typedef rocrand_discrete_distribution_st *rocrand_discrete_distribution;
struct rocrand_generator_base_type;
typedef rocrand_generator_base_type *rocrand_generator;
enum rocrand_status { ROCRAND_STATUS_SUCCESS = 0, ROCRAND_STATUS_VERSION_MISMATCH = 100, ROCRAND_STATUS_NOT_CREATED = 101, ROCRAND_STATUS_ALLOCATION_FAILED = 102, ROCRAND_STATUS_TYPE_ERROR = 103, ROCRAND_STATUS_OUT_OF_RANGE = 104, ROCRAND_STATUS_LENGTH_NOT_MULTIPLE = 105, ROCRAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106, ROCRAND_STATUS_LAUNCH_FAILURE = 107, ROCRAND_STATUS_INTERNAL_ERROR = 108 };
enum rocrand_rng_type { ROCRAND_RNG_PSEUDO_DEFAULT = 400, ROCRAND_RNG_PSEUDO_XORWOW = 401, ROCRAND_RNG_PSEUDO_MRG32K3A = 402, ROCRAND_RNG_PSEUDO_MTGP32 = 403, ROCRAND_RNG_PSEUDO_PHILOX4_32_10 = 404, ROCRAND_RNG_PSEUDO_MRG31K3P = 405, ROCRAND_RNG_PSEUDO_LFSR113 = 406, ROCRAND_RNG_PSEUDO_MT19937 = 407, ROCRAND_RNG_PSEUDO_THREEFRY2_32_20 = 408, ROCRAND_RNG_PSEUDO_THREEFRY2_64_20 = 409, ROCRAND_RNG_PSEUDO_THREEFRY4_32_20 = 410, ROCRAND_RNG_PSEUDO_THREEFRY4_64_20 = 411, ROCRAND_RNG_QUASI_DEFAULT = 500, ROCRAND_RNG_QUASI_SOBOL32 = 501, ROCRAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 502, ROCRAND_RNG_QUASI_SOBOL64 = 504, ROCRAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 505 };
enum rocrand_ordering { ROCRAND_ORDERING_PSEUDO_BEST = 100, ROCRAND_ORDERING_PSEUDO_DEFAULT = 101, ROCRAND_ORDERING_PSEUDO_SEEDED = 102, ROCRAND_ORDERING_PSEUDO_LEGACY = 103, ROCRAND_ORDERING_PSEUDO_DYNAMIC = 104, ROCRAND_ORDERING_QUASI_DEFAULT = 201 };
enum rocrand_direction_vector_set { ROCRAND_DIRECTION_VECTORS_32_JOEKUO6 = 101, ROCRAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102, ROCRAND_DIRECTION_VECTORS_64_JOEKUO6 = 103, ROCRAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104 };
typedef rocrand_generator_base_type hiprandGenerator_st;
typedef rocrand_discrete_distribution_st hiprandDiscreteDistribution_st;
typedef unsigned int hiprandDirectionVectors32_t[32];
typedef unsigned long long hiprandDirectionVectors64_t[64];
typedef rocrand_generator_base_type *hiprandGenerator_t;
typedef rocrand_discrete_distribution_st *hiprandDiscreteDistribution_t;
enum hiprandStatus { HIPRAND_STATUS_SUCCESS = 0, HIPRAND_STATUS_VERSION_MISMATCH = 100, HIPRAND_STATUS_NOT_INITIALIZED = 101, HIPRAND_STATUS_ALLOCATION_FAILED = 102, HIPRAND_STATUS_TYPE_ERROR = 103, HIPRAND_STATUS_OUT_OF_RANGE = 104, HIPRAND_STATUS_LENGTH_NOT_MULTIPLE = 105, HIPRAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106, HIPRAND_STATUS_LAUNCH_FAILURE = 201, HIPRAND_STATUS_PREEXISTING_FAILURE = 202, HIPRAND_STATUS_INITIALIZATION_FAILED = 203, HIPRAND_STATUS_ARCH_MISMATCH = 204, HIPRAND_STATUS_INTERNAL_ERROR = 999, HIPRAND_STATUS_NOT_IMPLEMENTED = 1000 };
typedef hiprandStatus hiprandStatus_t;
enum hiprandRngType { HIPRAND_RNG_TEST = 0, HIPRAND_RNG_PSEUDO_DEFAULT = 400, HIPRAND_RNG_PSEUDO_XORWOW = 401, HIPRAND_RNG_PSEUDO_MRG32K3A = 402, HIPRAND_RNG_PSEUDO_MTGP32 = 403, HIPRAND_RNG_PSEUDO_MT19937 = 404, HIPRAND_RNG_PSEUDO_PHILOX4_32_10 = 405, HIPRAND_RNG_QUASI_DEFAULT = 500, HIPRAND_RNG_QUASI_SOBOL32 = 501, HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 502, HIPRAND_RNG_QUASI_SOBOL64 = 503, HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 504 };
typedef hiprandRngType hiprandRngType_t;
enum hiprandOrdering { HIPRAND_ORDERING_PSEUDO_BEST = 100, HIPRAND_ORDERING_PSEUDO_DEFAULT = 101, HIPRAND_ORDERING_PSEUDO_SEEDED = 102, HIPRAND_ORDERING_PSEUDO_LEGACY = 103, HIPRAND_ORDERING_PSEUDO_DYNAMIC = 104, HIPRAND_ORDERING_QUASI_DEFAULT = 201 };
typedef hiprandOrdering hiprandOrdering_t;
enum hiprandDirectionVectorSet { HIPRAND_DIRECTION_VECTORS_32_JOEKUO6 = 101, HIPRAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102, HIPRAND_DIRECTION_VECTORS_64_JOEKUO6 = 103, HIPRAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104 };
typedef hiprandDirectionVectorSet hiprandDirectionVectorSet_t;
hiprandStatus hiprandCreateGenerator(hiprandGenerator_t *generator, hiprandRngType rng_type);
hiprandStatus hiprandCreateGeneratorHost(hiprandGenerator_t *generator, hiprandRngType rng_type);
hiprandStatus hiprandDestroyGenerator(hiprandGenerator_t generator);
hiprandStatus hiprandGenerate(hiprandGenerator_t generator, unsigned int *output_data, size_t n);
hiprandStatus hiprandGenerateChar(hiprandGenerator_t generator, unsigned char *output_data, size_t n);
hiprandStatus hiprandGenerateShort(hiprandGenerator_t generator, unsigned short *output_data, size_t n);
hiprandStatus hiprandGenerateLongLong(hiprandGenerator_t generator, unsigned long long *output_data, size_t n);
hiprandStatus hiprandGenerateUniform(hiprandGenerator_t generator, float *output_data, size_t n);
hiprandStatus hiprandGenerateUniformDouble(hiprandGenerator_t generator, double *output_data, size_t n);
hiprandStatus hiprandGenerateUniformHalf(hiprandGenerator_t generator, unsigned short *output_data, size_t n);
hiprandStatus hiprandGenerateNormal(hiprandGenerator_t generator, float *output_data, size_t n, float mean, float stddev);
hiprandStatus hiprandGenerateNormalDouble(hiprandGenerator_t generator, double *output_data, size_t n, double mean, double stddev);
hiprandStatus hiprandGenerateNormalHalf(hiprandGenerator_t generator, unsigned short *output_data, size_t n, unsigned short mean, unsigned short stddev);
hiprandStatus hiprandGenerateLogNormal(hiprandGenerator_t generator, float *output_data, size_t n, float mean, float stddev);
hiprandStatus hiprandGenerateLogNormalDouble(hiprandGenerator_t generator, double *output_data, size_t n, double mean, double stddev);
hiprandStatus hiprandGenerateLogNormalHalf(hiprandGenerator_t generator, unsigned short *output_data, size_t n, unsigned short mean, unsigned short stddev);
hiprandStatus hiprandGeneratePoisson(hiprandGenerator_t generator, unsigned int *output_data, size_t n, double lambda_);
hiprandStatus hiprandGenerateSeeds(hiprandGenerator_t generator);
hiprandStatus hiprandSetStream(hiprandGenerator_t generator, hipStream_t stream);
hiprandStatus hiprandSetPseudoRandomGeneratorSeed(hiprandGenerator_t generator, unsigned long long seed);
hiprandStatus hiprandSetGeneratorOffset(hiprandGenerator_t generator, unsigned long long offset);
hiprandStatus hiprandSetGeneratorOrdering(hiprandGenerator_t generator, hiprandOrdering order);
hiprandStatus hiprandSetQuasiRandomGeneratorDimensions(hiprandGenerator_t generator, unsigned int dimensions);
hiprandStatus hiprandGetVersion(int *version);
hiprandStatus hiprandCreatePoissonDistribution(double lambda_, hiprandDiscreteDistribution_t *discrete_distribution);
hiprandStatus hiprandDestroyDistribution(hiprandDiscreteDistribution_t discrete_distribution);
hiprandStatus hiprandGetDirectionVectors32(unsigned int (**vectors)[32], hiprandDirectionVectorSet set);
hiprandStatus hiprandGetDirectionVectors64(unsigned long long (**vectors)[64], hiprandDirectionVectorSet set);
hiprandStatus hiprandGetScrambleConstants32(const unsigned int **constants);
hiprandStatus hiprandGetScrambleConstants64(const unsigned long long **constants);
}
#endif
