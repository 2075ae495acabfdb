// cudamigrate declarations: names and types of hipFile 10.0; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPFILE_H
#define CUDAMIGRATE_DECLARES_HIPFILE_H
#include <sys/types.h>
#include <sys/socket.h>
#include <time.h>
#include <hip/hip_runtime_api.h>
#include <stdint.h>
#define HIPFILE_VERSION_MAJOR 0
#define HIPFILE_VERSION_MINOR 4
#define HIPFILE_VERSION_PATCH 0
#define HIPFILE_BASE_ERR 5000
extern "C" {
enum hipFileOpError { hipFileSuccess = 0, hipFileDriverNotInitialized = 5001, hipFileDriverInvalidProps = 5002, hipFileDriverUnsupportedLimit = 5003, hipFileDriverVersionMismatch = 5004, hipFileDriverVersionReadError = 5005, hipFileDriverClosing = 5006, hipFilePlatformNotSupported = 5007, hipFileIONotSupported = 5008, hipFileDeviceNotSupported = 5009, hipFileDriverError = 5010, hipFileHipDriverError = 5011, hipFileHipPointerInvalid = 5012, hipFileHipMemoryTypeInvalid = 5013, hipFileHipPointerRangeError = 5014, hipFileHipContextMismatch = 5015, hipFileInvalidMappingSize = 5016, hipFileInvalidMappingRange = 5017, hipFileInvalidFileType = 5018, hipFileInvalidFileOpenFlag = 5019, hipFileDIONotSet = 5020, hipFileInvalidValue = 5022, hipFileMemoryAlreadyRegistered = 5023, hipFileMemoryNotRegistered = 5024, hipFilePermissionDenied = 5025, hipFileDriverAlreadyOpen = 5026, hipFileHandleNotRegistered = 5027, hipFileHandleAlreadyRegistered = 5028, hipFileDeviceNotFound = 5029, hipFileInternalError = 5030, hipFileGetNewFDFailed = 5031, hipFileDriverSetupError = 5033, hipFileIODisabled = 5034, hipFileBatchSubmitFailed = 5035, hipFileGPUMemoryPinningFailed = 5036, hipFileBatchFull = 5037, hipFileAsyncNotSupported = 5038, hipFileIOMaxError = 5039 };
typedef hipFileOpError hipFileOpError_t;
const char *hipFileGetOpErrorString(hipFileOpError status);
struct hipFileError { hipFileOpError err; hipError_t hip_drv_err; };
typedef hipFileError hipFileError_t;
enum hipFileDriverStatusFlags { hipFileLustreSupported = 0, hipFileWekaFSSupported = 1, hipFileNFSSupported = 2, hipFileGPFSSupported = 3, hipFileNVMeSupported = 4, hipFileNVMeoFSupported = 5, hipFileSCSISupported = 6, hipFileScaleFluxCSDSupported = 7, hipFileNVMeshSupported = 8, hipFileBeeGFSSupported = 9, hipFileNVMeP2PSupported = 11, hipFileScatefsSupported = 12 };
typedef hipFileDriverStatusFlags hipFileDriverStatusFlags_t;
enum hipFileDriverControlFlags { hipFileUsePollMode = 0, hipFileAllowCompatMode = 1 };
typedef hipFileDriverControlFlags hipFileDriverControlFlags_t;
enum hipFileFeatureFlags { hipFileDynRoutingSupported = 0, hipFileBatchIOSupported = 1, hipFileStreamsSupported = 2, hipFileParallelIOSupported = 3 };
typedef hipFileFeatureFlags hipFileFeatureFlags_t;
struct hipFileDriverProps_struct_0 { unsigned int major_version; unsigned int minor_version; uint64_t poll_thresh_size; uint64_t max_direct_io_size; unsigned int driver_status_flags; unsigned int driver_control_flags; };
struct hipFileDriverProps { hipFileDriverProps_struct_0 nvfs; unsigned int feature_flags; uint64_t max_device_cache_size; uint64_t per_buffer_cache_size; uint64_t max_device_pinned_mem_size; unsigned int max_batch_io_count; unsigned int max_batch_io_timeout_msecs; };
typedef hipFileDriverProps hipFileDriverProps_t;
struct hipFileRDMAInfo { int version; int desc_len; const char *desc_str; };
typedef hipFileRDMAInfo hipFileRDMAInfo_t;
typedef const char *(*hipFileFSOps_anon_funptr_0) (void *);
typedef int (*hipFileFSOps_anon_funptr_1) (void *, sockaddr **);
typedef int (*hipFileFSOps_anon_funptr_2) (void *, char *, size_t, int64_t, sockaddr *);
typedef ssize_t (*hipFileFSOps_anon_funptr_3) (void *, char *, size_t, int64_t, hipFileRDMAInfo *);
typedef ssize_t (*hipFileFSOps_anon_funptr_4) (void *, const char *, size_t, int64_t, hipFileRDMAInfo *);
struct hipFileFSOps { hipFileFSOps_anon_funptr_0 fs_type; hipFileFSOps_anon_funptr_1 getRDMADeviceList; hipFileFSOps_anon_funptr_2 getRDMADevicePriority; hipFileFSOps_anon_funptr_3 read; hipFileFSOps_anon_funptr_4 write; };
typedef hipFileFSOps hipFileFSOps_t;
enum hipFileFileHandleType { hipFileHandleTypeOpaqueFD = 1, hipFileHandleTypeOpaqueWin32 = 2, hipFileHandleTypeUserspaceFS = 3 };
typedef hipFileFileHandleType hipFileFileHandleType_t;
union hipFileDescr_union_0 { int fd; void *hFile; };
struct hipFileDescr { hipFileFileHandleType type; hipFileDescr_union_0 handle; const hipFileFSOps *fs_ops; };
typedef hipFileDescr hipFileDescr_t;
typedef void *hipFileHandle_t;
hipFileError hipFileHandleRegister(void **fh, hipFileDescr *descr);
void hipFileHandleDeregister(void *fh);
hipFileError hipFileBufRegister(const void *buffer_base, size_t length, int flags);
hipFileError hipFileBufDeregister(const void *buffer_base);
ssize_t hipFileRead(void *fh, void *buffer_base, size_t size, int64_t file_offset, int64_t buffer_offset);
ssize_t hipFileWrite(void *fh, const void *buffer_base, size_t size, int64_t file_offset, int64_t buffer_offset);
hipFileError hipFileDriverOpen();
hipFileError hipFileDriverClose();
int64_t hipFileUseCount();
hipFileError hipFileDriverGetProperties(hipFileDriverProps *props);
hipFileError hipFileDriverSetPollMode(bool poll, size_t poll_threshold_size);
hipFileError hipFileDriverSetMaxDirectIOSize(size_t max_direct_io_size);
hipFileError hipFileDriverSetMaxCacheSize(size_t max_cache_size);
hipFileError hipFileDriverSetMaxPinnedMemSize(size_t max_pinned_size);
enum hipFileOpcode { hipFileBatchRead = 0, hipFileBatchWrite = 1 };
typedef hipFileOpcode hipFileOpcode_t;
enum hipFileStatus { hipFileWaiting = 1, hipFilePending = 2, hipFileInvalid = 4, hipFileCanceled = 8, hipFileComplete = 16, hipFileTimeout = 32, hipFileFailed = 64 };
typedef hipFileStatus hipFileStatus_t;
enum hipFileBatchMode { hipFileBatch = 1 };
typedef hipFileBatchMode hipFileBatchMode_t;
struct hipFileIOParams_union_0_struct_0 { void *devPtr_base; int64_t file_offset; int64_t devPtr_offset; size_t size; };
union hipFileIOParams_union_0 { hipFileIOParams_union_0_struct_0 batch; };
struct hipFileIOParams { hipFileBatchMode mode; hipFileIOParams_union_0 u; void *fh; hipFileOpcode opcode; void *cookie; };
typedef hipFileIOParams hipFileIOParams_t;
struct hipFileIOEvents { void *cookie; hipFileStatus status; size_t ret; };
typedef hipFileIOEvents hipFileIOEvents_t;
typedef void *hipFileBatchHandle_t;
hipFileError hipFileBatchIOSetUp(void **batch_idp, unsigned int max_nr);
hipFileError hipFileBatchIOSubmit(void *batch_idp, unsigned int nr, hipFileIOParams *iocbp, unsigned int flags);
hipFileError hipFileBatchIOGetStatus(void *batch_idp, unsigned int min_nr, unsigned int *nr, hipFileIOEvents *iocbp, timespec *timeout);
hipFileError hipFileBatchIOCancel(void *batch_idp);
void hipFileBatchIODestroy(void *batch_idp);
hipFileError hipFileReadAsync(void *fh, void *buffer_base, size_t *size_p, int64_t *file_offset_p, int64_t *buffer_offset_p, ssize_t *bytes_read_p, hipStream_t stream);
hipFileError hipFileWriteAsync(void *fh, void *buffer_base, size_t *size_p, int64_t *file_offset_p, int64_t *buffer_offset_p, ssize_t *bytes_written_p, hipStream_t stream);
hipFileError hipFileStreamRegister(hipStream_t stream, unsigned int flags);
hipFileError hipFileStreamDeregister(hipStream_t stream);
hipFileError hipFileGetVersion(unsigned int *major, unsigned int *minor, unsigned int *patch);
enum hipFileSizeTConfigParameter_t { hipFileParamProfileStats = 0, hipFileParamExecutionMaxIOQueueDepth = 1, hipFileParamExecutionMaxIOThreads = 2, hipFileParamExecutionMinIOThresholdSizeKB = 3, hipFileParamExecutionMaxRequestParallelism = 4, hipFileParamPropertiesMaxDirectIOSizeKB = 5, hipFileParamPropertiesMaxDeviceCacheSizeKB = 6, hipFileParamPropertiesPerBufferCacheSizeKB = 7, hipFileParamPropertiesMaxDevicePinnedMemSizeKB = 8, hipFileParamPropertiesIOBatchsize = 9, hipFileParamPollthresholdSizeKB = 10, hipFileParamPropertiesBatchIOTimeoutMs = 11 };
enum hipFileBoolConfigParameter_t { hipFileParamPropertiesUsePollMode = 0, hipFileParamPropertiesAllowCompatMode = 1, hipFileParamForceCompatMode = 2, hipFileParamFsMiscApiCheckAggressive = 3, hipFileParamExecutionParallelIO = 4, hipFileParamProfileNvtx = 5, hipFileParamPropertiesAllowSystemMemory = 6, hipFileParamUsePcip2pdma = 7, hipFileParamPreferIOUring = 8, hipFileParamForceOdirectMode = 9, hipFileParamSkipTopologyDetection = 10, hipFileParamStreamMemopsBypass = 11 };
enum hipFileStringConfigParameter_t { hipFileParamLoggingLevel = 0, hipFileParamEnvLogfilePath = 1, hipFileParamLogDir = 2 };
hipFileError hipFileGetParameterSizeT(hipFileSizeTConfigParameter_t param, size_t *value);
hipFileError hipFileGetParameterBool(hipFileBoolConfigParameter_t param, bool *value);
hipFileError hipFileGetParameterString(hipFileStringConfigParameter_t param, char *desc_str, int len);
hipFileError hipFileSetParameterSizeT(hipFileSizeTConfigParameter_t param, size_t value);
hipFileError hipFileSetParameterBool(hipFileBoolConfigParameter_t param, bool value);
hipFileError hipFileSetParameterString(hipFileStringConfigParameter_t param, const char *desc_str);
}
#endif
