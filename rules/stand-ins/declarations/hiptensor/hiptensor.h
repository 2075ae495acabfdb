// cudamigrate declarations: names and types of hipTensor 10.0; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPTENSOR_HIPTENSOR_H
#define CUDAMIGRATE_DECLARES_HIPTENSOR_HIPTENSOR_H
#include <stdio.h>
#include <hip/hip_runtime_api.h>
#include <hip/hip_complex.h>
#include <hip/library_types.h>
#include <stdint.h>
extern "C" {
enum hiptensorDataType_t { HIPTENSOR_R_32F, HIPTENSOR_R_64F, HIPTENSOR_R_16F, HIPTENSOR_R_8I, HIPTENSOR_C_32F, HIPTENSOR_C_64F, HIPTENSOR_C_16F, HIPTENSOR_C_8I, HIPTENSOR_R_8U, HIPTENSOR_C_8U, HIPTENSOR_R_32I, HIPTENSOR_C_32I, HIPTENSOR_R_32U, HIPTENSOR_C_32U, HIPTENSOR_R_16BF, HIPTENSOR_C_16BF, HIPTENSOR_R_4I, HIPTENSOR_C_4I, HIPTENSOR_R_4U, HIPTENSOR_C_4U, HIPTENSOR_R_16I, HIPTENSOR_C_16I, HIPTENSOR_R_16U, HIPTENSOR_C_16U, HIPTENSOR_R_64I, HIPTENSOR_C_64I, HIPTENSOR_R_64U, HIPTENSOR_C_64U };
enum hiptensorStatus_t { HIPTENSOR_STATUS_SUCCESS, HIPTENSOR_STATUS_NOT_INITIALIZED, HIPTENSOR_STATUS_ALLOC_FAILED, HIPTENSOR_STATUS_INVALID_VALUE, HIPTENSOR_STATUS_ARCH_MISMATCH, HIPTENSOR_STATUS_EXECUTION_FAILED, HIPTENSOR_STATUS_INTERNAL_ERROR, HIPTENSOR_STATUS_NOT_SUPPORTED, HIPTENSOR_STATUS_CK_ERROR, HIPTENSOR_STATUS_HIP_ERROR, HIPTENSOR_STATUS_INSUFFICIENT_WORKSPACE, HIPTENSOR_STATUS_INSUFFICIENT_DRIVER, HIPTENSOR_STATUS_IO_ERROR };
enum hiptensorComputeDescriptor_t { HIPTENSOR_COMPUTE_DESC_32F, HIPTENSOR_COMPUTE_DESC_64F, HIPTENSOR_COMPUTE_DESC_16F, HIPTENSOR_COMPUTE_DESC_16BF, HIPTENSOR_COMPUTE_DESC_C32F, HIPTENSOR_COMPUTE_DESC_C64F, HIPTENSOR_COMPUTE_DESC_NONE, HIPTENSOR_COMPUTE_DESC_8U, HIPTENSOR_COMPUTE_DESC_8I, HIPTENSOR_COMPUTE_DESC_32U, HIPTENSOR_COMPUTE_DESC_32I };
enum hiptensorOperator_t { HIPTENSOR_OP_IDENTITY, HIPTENSOR_OP_SQRT, HIPTENSOR_OP_RELU, HIPTENSOR_OP_CONJ, HIPTENSOR_OP_RCP, HIPTENSOR_OP_SIGMOID, HIPTENSOR_OP_TANH, HIPTENSOR_OP_EXP, HIPTENSOR_OP_LOG, HIPTENSOR_OP_ABS, HIPTENSOR_OP_NEG, HIPTENSOR_OP_SIN, HIPTENSOR_OP_COS, HIPTENSOR_OP_TAN, HIPTENSOR_OP_SINH, HIPTENSOR_OP_COSH, HIPTENSOR_OP_ASIN, HIPTENSOR_OP_ACOS, HIPTENSOR_OP_ATAN, HIPTENSOR_OP_ASINH, HIPTENSOR_OP_ACOSH, HIPTENSOR_OP_ATANH, HIPTENSOR_OP_CEIL, HIPTENSOR_OP_FLOOR, HIPTENSOR_OP_ADD, HIPTENSOR_OP_MUL, HIPTENSOR_OP_MAX, HIPTENSOR_OP_MIN, HIPTENSOR_OP_UNKNOWN };
enum hiptensorAlgo_t { HIPTENSOR_ALGO_ACTOR_CRITIC, HIPTENSOR_ALGO_DEFAULT, HIPTENSOR_ALGO_DEFAULT_PATIENT };
enum hiptensorWorksizePreference_t { HIPTENSOR_WORKSPACE_MIN, HIPTENSOR_WORKSPACE_DEFAULT, HIPTENSOR_WORKSPACE_MAX };
enum hiptensorLogLevel_t { HIPTENSOR_LOG_LEVEL_OFF, HIPTENSOR_LOG_LEVEL_ERROR, HIPTENSOR_LOG_LEVEL_PERF_TRACE, HIPTENSOR_LOG_LEVEL_PERF_HINT, HIPTENSOR_LOG_LEVEL_HEURISTICS_TRACE, HIPTENSOR_LOG_LEVEL_API_TRACE };
enum hiptensorOperationDescriptorAttribute_t { HIPTENSOR_OPERATION_DESCRIPTOR_TAG, HIPTENSOR_OPERATION_DESCRIPTOR_SCALAR_TYPE, HIPTENSOR_OPERATION_DESCRIPTOR_FLOPS, HIPTENSOR_OPERATION_DESCRIPTOR_MOVED_BYTES, HIPTENSOR_OPERATION_DESCRIPTOR_PADDING_LEFT, HIPTENSOR_OPERATION_DESCRIPTOR_PADDING_RIGHT, HIPTENSOR_OPERATION_DESCRIPTOR_PADDING_VALUE };
enum hiptensorPlanPreferenceAttribute_t { HIPTENSOR_PLAN_PREFERENCE_AUTOTUNE_MODE, HIPTENSOR_PLAN_PREFERENCE_CACHE_MODE, HIPTENSOR_PLAN_PREFERENCE_INCREMENTAL_COUNT, HIPTENSOR_PLAN_PREFERENCE_ALGO, HIPTENSOR_PLAN_PREFERENCE_KERNEL_RANK, HIPTENSOR_PLAN_PREFERENCE_JIT };
enum hiptensorPlanAttribute_t { HIPTENSOR_PLAN_REQUIRED_WORKSPACE };
enum hiptensorAutotuneMode_t { HIPTENSOR_AUTOTUNE_MODE_NONE, HIPTENSOR_AUTOTUNE_MODE_INCREMENTAL };
enum hiptensorCacheMode_t { HIPTENSOR_CACHE_MODE_NONE, HIPTENSOR_CACHE_MODE_PEDANTIC };
enum hiptensorJitMode_t { HIPTENSOR_JIT_MODE_NONE, HIPTENSOR_JIT_MODE_DEFAULT };
struct hiptensorOperationDescriptor;
typedef hiptensorOperationDescriptor *hiptensorOperationDescriptor_t;
struct hiptensorPlan;
typedef hiptensorPlan *hiptensorPlan_t;
struct hiptensorPlanPreference;
typedef hiptensorPlanPreference *hiptensorPlanPreference_t;
struct hiptensorHandle;
typedef hiptensorHandle *hiptensorHandle_t;
struct hiptensorTensorDescriptor;
typedef hiptensorTensorDescriptor *hiptensorTensorDescriptor_t;
typedef void (*hiptensorLoggerCallback_t) (int32_t, const char *, const char *);
hiptensorStatus_t hiptensorCreate(hiptensorHandle_t *handle);
hiptensorStatus_t hiptensorDestroy(hiptensorHandle_t handle);
hiptensorStatus_t hiptensorHandleResizePlanCache(hiptensorHandle_t handle, const uint32_t numEntries);
hiptensorStatus_t hiptensorHandleWritePlanCacheToFile(const hiptensorHandle_t handle, const char *fileName);
hiptensorStatus_t hiptensorHandleReadPlanCacheFromFile(hiptensorHandle_t handle, const char *fileName, uint32_t *numCachelinesRead);
hiptensorStatus_t hiptensorWriteKernelCacheToFile(const hiptensorHandle_t handle, const char *fileName);
hiptensorStatus_t hiptensorReadKernelCacheFromFile(hiptensorHandle_t handle, const char *fileName);
hiptensorStatus_t hiptensorCreateTensorDescriptor(const hiptensorHandle_t handle, hiptensorTensorDescriptor_t *desc, const uint32_t numModes, const int64_t *lens, const int64_t *strides, hiptensorDataType_t dataType, uint32_t alignmentRequirement);
hiptensorStatus_t hiptensorDestroyTensorDescriptor(hiptensorTensorDescriptor_t desc);
hiptensorStatus_t hiptensorCreateContraction(const hiptensorHandle_t handle, hiptensorOperationDescriptor_t *desc, const hiptensorTensorDescriptor_t descA, const int32_t *modeA, hiptensorOperator_t opA, const hiptensorTensorDescriptor_t descB, const int32_t *modeB, hiptensorOperator_t opB, const hiptensorTensorDescriptor_t descC, const int32_t *modeC, hiptensorOperator_t opC, const hiptensorTensorDescriptor_t descD, const int32_t *modeD, const hiptensorComputeDescriptor_t descCompute);
hiptensorStatus_t hiptensorDestroyOperationDescriptor(hiptensorOperationDescriptor_t desc);
hiptensorStatus_t hiptensorOperationDescriptorSetAttribute(const hiptensorHandle_t handle, hiptensorOperationDescriptor_t desc, hiptensorOperationDescriptorAttribute_t attr, const void *buf, size_t sizeInBytes);
hiptensorStatus_t hiptensorOperationDescriptorGetAttribute(const hiptensorHandle_t handle, hiptensorOperationDescriptor_t desc, hiptensorOperationDescriptorAttribute_t attr, void *buf, size_t sizeInBytes);
hiptensorStatus_t hiptensorCreatePlanPreference(const hiptensorHandle_t handle, hiptensorPlanPreference_t *pref, hiptensorAlgo_t algo, hiptensorJitMode_t jitMode);
hiptensorStatus_t hiptensorDestroyPlanPreference(hiptensorPlanPreference_t pref);
hiptensorStatus_t hiptensorPlanPreferenceSetAttribute(const hiptensorHandle_t handle, hiptensorPlanPreference_t pref, hiptensorPlanPreferenceAttribute_t attr, const void *buf, size_t sizeInBytes);
hiptensorStatus_t hiptensorPlanGetAttribute(const hiptensorHandle_t handle, const hiptensorPlan_t plan, hiptensorPlanAttribute_t attr, void *buf, size_t sizeInBytes);
hiptensorStatus_t hiptensorEstimateWorkspaceSize(const hiptensorHandle_t handle, const hiptensorOperationDescriptor_t desc, const hiptensorPlanPreference_t planPref, const hiptensorWorksizePreference_t workspacePref, uint64_t *workspaceSizeEstimate);
hiptensorStatus_t hiptensorCreatePermutation(const hiptensorHandle_t handle, hiptensorOperationDescriptor_t *desc, const hiptensorTensorDescriptor_t descA, const int32_t *modeA, hiptensorOperator_t opA, const hiptensorTensorDescriptor_t descB, const int32_t *modeB, const hiptensorComputeDescriptor_t descCompute);
hiptensorStatus_t hiptensorCreatePlan(const hiptensorHandle_t handle, hiptensorPlan_t *plan, const hiptensorOperationDescriptor_t desc, const hiptensorPlanPreference_t pref, uint64_t workspaceSizeLimit);
hiptensorStatus_t hiptensorDestroyPlan(hiptensorPlan_t plan);
hiptensorStatus_t hiptensorContract(const hiptensorHandle_t handle, const hiptensorPlan_t plan, const void *alpha, const void *A, const void *B, const void *beta, const void *C, void *D, void *workspace, uint64_t workspaceSize, hipStream_t stream);
hiptensorStatus_t hiptensorCreateContractionTrinary(const hiptensorHandle_t handle, hiptensorOperationDescriptor_t *desc, const hiptensorTensorDescriptor_t descA, const int32_t *modeA, hiptensorOperator_t opA, const hiptensorTensorDescriptor_t descB, const int32_t *modeB, hiptensorOperator_t opB, const hiptensorTensorDescriptor_t descC, const int32_t *modeC, hiptensorOperator_t opC, const hiptensorTensorDescriptor_t descD, const int32_t *modeD, hiptensorOperator_t opD, const hiptensorTensorDescriptor_t descE, const int32_t *modeE, const hiptensorComputeDescriptor_t descCompute);
hiptensorStatus_t hiptensorContractTrinary(const hiptensorHandle_t handle, const hiptensorPlan_t plan, const void *alpha, const void *A, const void *B, const void *C, const void *beta, const void *D, void *E, void *workspace, uint64_t workspaceSize, hipStream_t stream);
const char *hiptensorGetErrorString(const hiptensorStatus_t error);
hiptensorStatus_t hiptensorPermute(const hiptensorHandle_t handle, const hiptensorPlan_t plan, const void *alpha, const void *A, void *B, const hipStream_t stream);
hiptensorStatus_t hiptensorCreateElementwiseBinary(const hiptensorHandle_t handle, hiptensorOperationDescriptor_t *desc, const hiptensorTensorDescriptor_t descA, const int32_t *modeA, hiptensorOperator_t opA, const hiptensorTensorDescriptor_t descC, const int32_t *modeC, hiptensorOperator_t opC, const hiptensorTensorDescriptor_t descD, const int32_t *modeD, hiptensorOperator_t opAC, const hiptensorComputeDescriptor_t descCompute);
hiptensorStatus_t hiptensorElementwiseBinaryExecute(const hiptensorHandle_t handle, const hiptensorPlan_t plan, const void *alpha, const void *A, const void *gamma, const void *C, void *D, hipStream_t stream);
hiptensorStatus_t hiptensorCreateElementwiseTrinary(const hiptensorHandle_t handle, hiptensorOperationDescriptor_t *desc, const hiptensorTensorDescriptor_t descA, const int32_t *modeA, hiptensorOperator_t opA, const hiptensorTensorDescriptor_t descB, const int32_t *modeB, hiptensorOperator_t opB, const hiptensorTensorDescriptor_t descC, const int32_t *modeC, hiptensorOperator_t opC, const hiptensorTensorDescriptor_t descD, const int32_t *modeD, hiptensorOperator_t opAB, hiptensorOperator_t opABC, const hiptensorComputeDescriptor_t descCompute);
hiptensorStatus_t hiptensorElementwiseTrinaryExecute(const hiptensorHandle_t handle, const hiptensorPlan_t plan, const void *alpha, const void *A, const void *beta, const void *B, const void *gamma, const void *C, void *D, hipStream_t stream);
hiptensorStatus_t hiptensorCreateReduction(const hiptensorHandle_t handle, hiptensorOperationDescriptor_t *desc, const hiptensorTensorDescriptor_t descA, const int32_t *modeA, hiptensorOperator_t opA, const hiptensorTensorDescriptor_t descC, const int32_t *modeC, hiptensorOperator_t opC, const hiptensorTensorDescriptor_t descD, const int32_t *modeD, hiptensorOperator_t opReduce, const hiptensorComputeDescriptor_t descCompute);
hiptensorStatus_t hiptensorReduce(const hiptensorHandle_t handle, const hiptensorPlan_t plan, const void *alpha, const void *A, const void *beta, const void *C, void *D, void *workspace, uint64_t workspaceSize, hipStream_t stream);
hiptensorStatus_t hiptensorLoggerSetCallback(hiptensorLoggerCallback_t callback);
hiptensorStatus_t hiptensorLoggerSetFile(FILE *file);
hiptensorStatus_t hiptensorLoggerOpenFile(const char *logFile);
hiptensorStatus_t hiptensorLoggerSetLevel(hiptensorLogLevel_t level);
hiptensorStatus_t hiptensorLoggerSetMask(int32_t mask);
hiptensorStatus_t hiptensorLoggerForceDisable();
int hiptensorGetHiprtVersion();
size_t hiptensorGetVersion();
}
#endif
