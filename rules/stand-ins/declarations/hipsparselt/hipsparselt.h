// cudamigrate declarations: names and types of hipSPARSELt 10.0; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPSPARSELT_HIPSPARSELT_H
#define CUDAMIGRATE_DECLARES_HIPSPARSELT_HIPSPARSELT_H
#include <hipsparse/hipsparse.h>
#include <hip/hip_runtime_api.h>
#include <hip/hip_complex.h>
#include <hip/library_types.h>
#include <stdint.h>
extern "C" {
struct hipsparseLtHandle_t { uint8_t data[11024]; };
struct hipsparseLtMatDescriptor_t { uint8_t data[11024]; };
struct hipsparseLtMatmulDescriptor_t { uint8_t data[11024]; };
struct hipsparseLtMatmulAlgSelection_t { uint8_t data[11024]; };
struct hipsparseLtMatmulPlan_t { uint8_t data[11024]; };
enum hipsparseLtSparsity_t { HIPSPARSELT_SPARSITY_50_PERCENT = 0 };
enum hipsparseLtMatDescAttribute_t { HIPSPARSELT_MAT_NUM_BATCHES = 0, HIPSPARSELT_MAT_BATCH_STRIDE = 1 };
enum hipsparseLtComputetype_t { HIPSPARSELT_COMPUTE_16F = 0, HIPSPARSELT_COMPUTE_32I = 1, HIPSPARSELT_COMPUTE_32F = 2, HIPSPARSELT_COMPUTE_TF32 = 3, HIPSPARSELT_COMPUTE_TF32_FAST = 4 };
enum hipsparseLtMatmulDescAttribute_t { HIPSPARSELT_MATMUL_ACTIVATION_RELU = 0, HIPSPARSELT_MATMUL_ACTIVATION_RELU_UPPERBOUND = 1, HIPSPARSELT_MATMUL_ACTIVATION_RELU_THRESHOLD = 2, HIPSPARSELT_MATMUL_ACTIVATION_GELU = 3, HIPSPARSELT_MATMUL_ACTIVATION_GELU_SCALING = 4, HIPSPARSELT_MATMUL_ALPHA_VECTOR_SCALING = 5, HIPSPARSELT_MATMUL_BETA_VECTOR_SCALING = 6, HIPSPARSELT_MATMUL_BIAS_STRIDE = 7, HIPSPARSELT_MATMUL_BIAS_POINTER = 8, HIPSPARSELT_MATMUL_ACTIVATION_ABS = 9, HIPSPARSELT_MATMUL_ACTIVATION_LEAKYRELU = 10, HIPSPARSELT_MATMUL_ACTIVATION_LEAKYRELU_ALPHA = 11, HIPSPARSELT_MATMUL_ACTIVATION_SIGMOID = 12, HIPSPARSELT_MATMUL_ACTIVATION_TANH = 13, HIPSPARSELT_MATMUL_ACTIVATION_TANH_ALPHA = 14, HIPSPARSELT_MATMUL_ACTIVATION_TANH_BETA = 15, HIPSPARSELT_MATMUL_BIAS_TYPE = 16, HIPSPARSELT_MATMUL_SPARSE_MAT_POINTER = 17, HIPSPARSELT_MATMUL_GATE_RESIDUAL_MAT_POINTER = 18, HIPSPARSELT_MATMUL_GATE_RESIDUAL_DESC = 19 };
enum hipsparseLtMatmulAlg_t { HIPSPARSELT_MATMUL_ALG_DEFAULT = 0 };
enum hipsparseLtMatmulAlgAttribute_t { HIPSPARSELT_MATMUL_ALG_CONFIG_ID = 0, HIPSPARSELT_MATMUL_ALG_CONFIG_MAX_ID = 1, HIPSPARSELT_MATMUL_SEARCH_ITERATIONS = 2, HIPSPARSELT_MATMUL_SPLIT_K = 3, HIPSPARSELT_MATMUL_SPLIT_K_MODE = 4, HIPSPARSELT_MATMUL_SPLIT_K_BUFFERS = 5 };
enum hipsparseLtPruneAlg_t { HIPSPARSELT_PRUNE_SPMMA_TILE = 0, HIPSPARSELT_PRUNE_SPMMA_STRIP = 1 };
enum hipsparseLtSplitKMode_t { HIPSPARSELT_SPLIT_K_MODE_ONE_KERNEL = 0, HIPSPARSELT_SPLIT_K_MODE_TWO_KERNELS = 1 };
void hipsparseLtInitialize();
hipsparseStatus_t hipsparseLtGetVersion(const hipsparseLtHandle_t *handle, int *version);
hipsparseStatus_t hipsparseLtGetProperty(hipLibraryPropertyType propertyType, int *value);
hipsparseStatus_t hipsparseLtGetGitRevision(hipsparseLtHandle_t handle, char *rev);
hipsparseStatus_t hipsparseLtGetArchName(char **archName);
hipsparseStatus_t hipsparseLtInit(hipsparseLtHandle_t *handle);
hipsparseStatus_t hipsparseLtDestroy(const hipsparseLtHandle_t *handle);
hipsparseStatus_t hipsparseLtDenseDescriptorInit(const hipsparseLtHandle_t *handle, hipsparseLtMatDescriptor_t *matDescr, int64_t rows, int64_t cols, int64_t ld, uint32_t alignment, hipDataType valueType, hipsparseOrder_t order);
hipsparseStatus_t hipsparseLtStructuredDescriptorInit(const hipsparseLtHandle_t *handle, hipsparseLtMatDescriptor_t *matDescr, int64_t rows, int64_t cols, int64_t ld, uint32_t alignment, hipDataType valueType, hipsparseOrder_t order, hipsparseLtSparsity_t sparsity);
hipsparseStatus_t hipsparseLtMatDescriptorDestroy(const hipsparseLtMatDescriptor_t *matDescr);
hipsparseStatus_t hipsparseLtMatDescSetAttribute(const hipsparseLtHandle_t *handle, hipsparseLtMatDescriptor_t *matDescr, hipsparseLtMatDescAttribute_t matAttribute, const void *data, size_t dataSize);
hipsparseStatus_t hipsparseLtMatDescGetAttribute(const hipsparseLtHandle_t *handle, const hipsparseLtMatDescriptor_t *matDescr, hipsparseLtMatDescAttribute_t matAttribute, void *data, size_t dataSize);
hipsparseStatus_t hipsparseLtMatmulDescriptorInit(const hipsparseLtHandle_t *handle, hipsparseLtMatmulDescriptor_t *matmulDescr, hipsparseOperation_t opA, hipsparseOperation_t opB, const hipsparseLtMatDescriptor_t *matA, const hipsparseLtMatDescriptor_t *matB, const hipsparseLtMatDescriptor_t *matC, const hipsparseLtMatDescriptor_t *matD, hipsparseLtComputetype_t computeType);
hipsparseStatus_t hipsparseLtMatmulDescSetAttribute(const hipsparseLtHandle_t *handle, hipsparseLtMatmulDescriptor_t *matmulDescr, hipsparseLtMatmulDescAttribute_t matmulAttribute, const void *data, size_t dataSize);
hipsparseStatus_t hipsparseLtMatmulDescGetAttribute(const hipsparseLtHandle_t *handle, const hipsparseLtMatmulDescriptor_t *matmulDescr, hipsparseLtMatmulDescAttribute_t matmulAttribute, void *data, size_t dataSize);
hipsparseStatus_t hipsparseLtMatmulAlgSelectionInit(const hipsparseLtHandle_t *handle, hipsparseLtMatmulAlgSelection_t *algSelection, const hipsparseLtMatmulDescriptor_t *matmulDescr, hipsparseLtMatmulAlg_t alg);
hipsparseStatus_t hipsparseLtMatmulAlgSelectionDestroy(const hipsparseLtMatmulAlgSelection_t *algSelection);
hipsparseStatus_t hipsparseLtMatmulAlgSetAttribute(const hipsparseLtHandle_t *handle, hipsparseLtMatmulAlgSelection_t *algSelection, hipsparseLtMatmulAlgAttribute_t attribute, const void *data, size_t dataSize);
hipsparseStatus_t hipsparseLtMatmulAlgGetAttribute(const hipsparseLtHandle_t *handle, const hipsparseLtMatmulAlgSelection_t *algSelection, hipsparseLtMatmulAlgAttribute_t attribute, void *data, size_t dataSize);
hipsparseStatus_t hipsparseLtMatmulGetWorkspace(const hipsparseLtHandle_t *handle, const hipsparseLtMatmulPlan_t *plan, size_t *workspaceSize);
hipsparseStatus_t hipsparseLtMatmulPlanInit(const hipsparseLtHandle_t *handle, hipsparseLtMatmulPlan_t *plan, const hipsparseLtMatmulDescriptor_t *matmulDescr, const hipsparseLtMatmulAlgSelection_t *algSelection);
hipsparseStatus_t hipsparseLtMatmulPlanDestroy(const hipsparseLtMatmulPlan_t *plan);
hipsparseStatus_t hipsparseLtMatmul(const hipsparseLtHandle_t *handle, const hipsparseLtMatmulPlan_t *plan, const void *alpha, const void *d_A, const void *d_B, const void *beta, const void *d_C, void *d_D, void *workspace, hipStream_t *streams, int32_t numStreams);
hipsparseStatus_t hipsparseLtMatmulSearch(const hipsparseLtHandle_t *handle, hipsparseLtMatmulPlan_t *plan, const void *alpha, const void *d_A, const void *d_B, const void *beta, const void *d_C, void *d_D, void *workspace, hipStream_t *streams, int32_t numStreams);
hipsparseStatus_t hipsparseLtSpMMAPrune(const hipsparseLtHandle_t *handle, const hipsparseLtMatmulDescriptor_t *matmulDescr, const void *d_in, void *d_out, hipsparseLtPruneAlg_t pruneAlg, hipStream_t stream);
hipsparseStatus_t hipsparseLtSpMMAPruneCheck(const hipsparseLtHandle_t *handle, const hipsparseLtMatmulDescriptor_t *matmulDescr, const void *d_in, int *d_valid, hipStream_t stream);
hipsparseStatus_t hipsparseLtSpMMAPrune2(const hipsparseLtHandle_t *handle, const hipsparseLtMatDescriptor_t *sparseMatDescr, int isSparseA, hipsparseOperation_t op, const void *d_in, void *d_out, hipsparseLtPruneAlg_t pruneAlg, hipStream_t stream);
hipsparseStatus_t hipsparseLtSpMMAPruneCheck2(const hipsparseLtHandle_t *handle, const hipsparseLtMatDescriptor_t *sparseMatDescr, int isSparseA, hipsparseOperation_t op, const void *d_in, int *d_valid, hipStream_t stream);
hipsparseStatus_t hipsparseLtSpMMACompressedSize(const hipsparseLtHandle_t *handle, const hipsparseLtMatmulPlan_t *plan, size_t *compressedSize, size_t *compressBufferSize);
hipsparseStatus_t hipsparseLtSpMMACompress(const hipsparseLtHandle_t *handle, const hipsparseLtMatmulPlan_t *plan, const void *d_dense, void *d_compressed, void *d_compressBuffer, hipStream_t stream);
hipsparseStatus_t hipsparseLtSpMMACompressedSize2(const hipsparseLtHandle_t *handle, const hipsparseLtMatDescriptor_t *sparseMatDescr, size_t *compressedSize, size_t *compressBufferSize);
hipsparseStatus_t hipsparseLtSpMMACompress2(const hipsparseLtHandle_t *handle, const hipsparseLtMatDescriptor_t *sparseMatDescr, int isSparseA, hipsparseOperation_t op, const void *d_dense, void *d_compressed, void *d_compressBuffer, hipStream_t stream);
}
#endif
