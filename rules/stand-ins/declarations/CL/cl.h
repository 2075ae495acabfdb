// cudamigrate declarations: names and types of OpenCL 1.2's host functions; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_CL_H
#define CUDAMIGRATE_DECLARES_CL_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define CL_API_ENTRY
#define CL_API_CALL
#define CL_CALLBACK
typedef int8_t cl_char;
typedef uint8_t cl_uchar;
typedef int16_t cl_short;
typedef uint16_t cl_ushort;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef int64_t cl_long;
typedef uint64_t cl_ulong;
typedef uint16_t cl_half;
typedef float cl_float;
typedef double cl_double;
typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield;
typedef cl_bitfield cl_device_type, cl_command_queue_properties, cl_mem_flags, cl_map_flags, cl_mem_migration_flags;
typedef cl_uint cl_platform_info, cl_device_info, cl_context_info, cl_command_queue_info, cl_channel_order;
typedef cl_uint cl_channel_type, cl_mem_object_type, cl_mem_info, cl_image_info, cl_buffer_create_type;
typedef cl_uint cl_addressing_mode, cl_filter_mode, cl_sampler_info, cl_program_info, cl_program_build_info;
typedef cl_uint cl_kernel_info, cl_kernel_arg_info, cl_kernel_work_group_info, cl_event_info, cl_command_type;
typedef cl_uint cl_profiling_info;
typedef cl_int cl_build_status;
typedef intptr_t cl_context_properties, cl_device_partition_property;
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef struct _cl_sampler *cl_sampler;
typedef struct { cl_channel_order image_channel_order; cl_channel_type image_channel_data_type; } cl_image_format;
typedef struct {
    cl_mem_object_type image_type;
    size_t image_width, image_height, image_depth, image_array_size, image_row_pitch, image_slice_pitch;
    cl_uint num_mip_levels, num_samples;
    cl_mem buffer;
} cl_image_desc;
typedef struct { size_t origin, size; } cl_buffer_region;
typedef union { cl_char s[4]; } cl_char4;
typedef union { cl_uchar s[4]; } cl_uchar4;
typedef union { cl_int s[2]; struct { cl_int x, y; }; } cl_int2;
typedef union { cl_int s[4]; struct { cl_int x, y, z, w; }; } cl_int4;
typedef union { cl_uint s[2]; struct { cl_uint x, y; }; } cl_uint2;
typedef union { cl_uint s[4]; struct { cl_uint x, y, z, w; }; } cl_uint4;
typedef union { cl_float s[2]; struct { cl_float x, y; }; } cl_float2;
typedef union { cl_float s[4]; struct { cl_float x, y, z, w; }; } cl_float4;
typedef union { cl_double s[2]; struct { cl_double x, y; }; } cl_double2;
enum { CL_FALSE = 0, CL_TRUE = 1, CL_BLOCKING = 1, CL_NON_BLOCKING = 0 };
enum {
    CL_SUCCESS = 0, CL_DEVICE_NOT_FOUND = -1, CL_DEVICE_NOT_AVAILABLE = -2, CL_COMPILER_NOT_AVAILABLE = -3,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4, CL_OUT_OF_RESOURCES = -5, CL_OUT_OF_HOST_MEMORY = -6,
    CL_PROFILING_INFO_NOT_AVAILABLE = -7, CL_MEM_COPY_OVERLAP = -8, CL_IMAGE_FORMAT_MISMATCH = -9,
    CL_IMAGE_FORMAT_NOT_SUPPORTED = -10, CL_BUILD_PROGRAM_FAILURE = -11, CL_MAP_FAILURE = -12,
    CL_MISALIGNED_SUB_BUFFER_OFFSET = -13, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
    CL_COMPILE_PROGRAM_FAILURE = -15, CL_LINKER_NOT_AVAILABLE = -16, CL_LINK_PROGRAM_FAILURE = -17,
    CL_DEVICE_PARTITION_FAILED = -18, CL_KERNEL_ARG_INFO_NOT_AVAILABLE = -19, CL_INVALID_VALUE = -30,
    CL_INVALID_DEVICE_TYPE = -31, CL_INVALID_PLATFORM = -32, CL_INVALID_DEVICE = -33, CL_INVALID_CONTEXT = -34,
    CL_INVALID_QUEUE_PROPERTIES = -35, CL_INVALID_COMMAND_QUEUE = -36, CL_INVALID_HOST_PTR = -37,
    CL_INVALID_MEM_OBJECT = -38, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR = -39, CL_INVALID_IMAGE_SIZE = -40,
    CL_INVALID_SAMPLER = -41, CL_INVALID_BINARY = -42, CL_INVALID_BUILD_OPTIONS = -43, CL_INVALID_PROGRAM = -44,
    CL_INVALID_PROGRAM_EXECUTABLE = -45, CL_INVALID_KERNEL_NAME = -46, CL_INVALID_KERNEL_DEFINITION = -47,
    CL_INVALID_KERNEL = -48, CL_INVALID_ARG_INDEX = -49, CL_INVALID_ARG_VALUE = -50, CL_INVALID_ARG_SIZE = -51,
    CL_INVALID_KERNEL_ARGS = -52, CL_INVALID_WORK_DIMENSION = -53, CL_INVALID_WORK_GROUP_SIZE = -54,
    CL_INVALID_WORK_ITEM_SIZE = -55, CL_INVALID_GLOBAL_OFFSET = -56, CL_INVALID_EVENT_WAIT_LIST = -57,
    CL_INVALID_EVENT = -58, CL_INVALID_OPERATION = -59, CL_INVALID_GL_OBJECT = -60, CL_INVALID_BUFFER_SIZE = -61,
    CL_INVALID_MIP_LEVEL = -62, CL_INVALID_GLOBAL_WORK_SIZE = -63, CL_INVALID_PROPERTY = -64,
    CL_INVALID_IMAGE_DESCRIPTOR = -65, CL_INVALID_COMPILER_OPTIONS = -66, CL_INVALID_LINKER_OPTIONS = -67,
    CL_INVALID_DEVICE_PARTITION_COUNT = -68
};
enum {
    CL_DEVICE_TYPE_DEFAULT = 1, CL_DEVICE_TYPE_CPU = 2, CL_DEVICE_TYPE_GPU = 4, CL_DEVICE_TYPE_ACCELERATOR = 8,
    CL_DEVICE_TYPE_CUSTOM = 16
};
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFF
enum {
    CL_PLATFORM_PROFILE = 0x0900, CL_PLATFORM_VERSION, CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_EXTENSIONS
};
enum {
    CL_DEVICE_TYPE = 0x1000, CL_DEVICE_VENDOR_ID, CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS,
    CL_DEVICE_MAX_WORK_GROUP_SIZE, CL_DEVICE_MAX_WORK_ITEM_SIZES, CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100C,
    CL_DEVICE_ADDRESS_BITS, CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010, CL_DEVICE_IMAGE_SUPPORT = 0x1016,
    CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E, CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE,
    CL_DEVICE_MAX_CONSTANT_ARGS, CL_DEVICE_LOCAL_MEM_TYPE, CL_DEVICE_LOCAL_MEM_SIZE, CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_VENDOR, CL_DRIVER_VERSION, CL_DEVICE_PROFILE, CL_DEVICE_VERSION, CL_DEVICE_EXTENSIONS,
    CL_DEVICE_PLATFORM, CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_OPENCL_C_VERSION = 0x103D
};
enum {
    CL_CONTEXT_REFERENCE_COUNT = 0x1080, CL_CONTEXT_DEVICES, CL_CONTEXT_PROPERTIES, CL_CONTEXT_NUM_DEVICES,
    CL_CONTEXT_PLATFORM
};
enum { CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE = 1, CL_QUEUE_PROFILING_ENABLE = 2 };
enum {
    CL_MEM_READ_WRITE = 1, CL_MEM_WRITE_ONLY = 2, CL_MEM_READ_ONLY = 4, CL_MEM_USE_HOST_PTR = 8,
    CL_MEM_ALLOC_HOST_PTR = 16, CL_MEM_COPY_HOST_PTR = 32
};
enum { CL_MAP_READ = 1, CL_MAP_WRITE = 2, CL_MAP_WRITE_INVALIDATE_REGION = 4 };
enum {
    CL_R = 0x10B0, CL_A, CL_RG, CL_RA, CL_RGB, CL_RGBA, CL_BGRA, CL_ARGB, CL_INTENSITY, CL_LUMINANCE,
    CL_UNSIGNED_INT8 = 0x10DA, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT
};
enum {
    CL_MEM_OBJECT_BUFFER = 0x10F0, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D, CL_ADDRESS_NONE = 0x1130,
    CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST = 0x1140, CL_FILTER_LINEAR
};
enum {
    CL_PROGRAM_NUM_DEVICES = 0x1162, CL_PROGRAM_DEVICES, CL_PROGRAM_SOURCE, CL_PROGRAM_BINARY_SIZES,
    CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_STATUS = 0x1181, CL_PROGRAM_BUILD_OPTIONS, CL_PROGRAM_BUILD_LOG
};
enum {
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_LOCAL_MEM_SIZE,
    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_PRIVATE_MEM_SIZE
};
enum { CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3, CL_COMPLETE = 0, CL_RUNNING, CL_SUBMITTED, CL_QUEUED };
enum {
    CL_PROFILING_COMMAND_QUEUED = 0x1280, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
    CL_PROFILING_COMMAND_END
};
cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *found, cl_uint *number);
cl_int clGetPlatformInfo(cl_platform_id of, cl_platform_info what, size_t room, void *value, size_t *needed);
cl_int clGetDeviceIDs(cl_platform_id of, cl_device_type kind, cl_uint room, cl_device_id *found, cl_uint *number);
cl_int clGetDeviceInfo(cl_device_id of, cl_device_info what, size_t room, void *value, size_t *needed);
cl_context clCreateContext(
    const cl_context_properties *with, cl_uint number, const cl_device_id *devices,
    void (*told)(const char *, const void *, size_t, void *), void *own, cl_int *status);
cl_context clCreateContextFromType(
    const cl_context_properties *with, cl_device_type kind, void (*told)(const char *, const void *, size_t, void *),
    void *own, cl_int *status);
cl_int clRetainContext(cl_context one);
cl_int clReleaseContext(cl_context one);
cl_int clGetContextInfo(cl_context of, cl_context_info what, size_t room, void *value, size_t *needed);
cl_command_queue clCreateCommandQueue(
    cl_context in, cl_device_id on, cl_command_queue_properties with, cl_int *status);
cl_int clRetainCommandQueue(cl_command_queue one);
cl_int clReleaseCommandQueue(cl_command_queue one);
cl_int clGetCommandQueueInfo(cl_command_queue of, cl_command_queue_info what, size_t room, void *value, size_t *needed);
cl_mem clCreateBuffer(cl_context in, cl_mem_flags with, size_t bytes, void *host, cl_int *status);
cl_mem clCreateSubBuffer(cl_mem of, cl_mem_flags with, cl_buffer_create_type kind, const void *part, cl_int *status);
cl_mem clCreateImage(
    cl_context in, cl_mem_flags with, const cl_image_format *format, const cl_image_desc *shape, void *host,
    cl_int *status);
cl_mem clCreateImage2D(
    cl_context in, cl_mem_flags with, const cl_image_format *format, size_t width, size_t height, size_t pitch,
    void *host, cl_int *status);
cl_mem clCreateImage3D(
    cl_context in, cl_mem_flags with, const cl_image_format *format, size_t width, size_t height, size_t depth,
    size_t pitch, size_t slice, void *host, cl_int *status);
cl_int clRetainMemObject(cl_mem one);
cl_int clReleaseMemObject(cl_mem one);
cl_int clGetMemObjectInfo(cl_mem of, cl_mem_info what, size_t room, void *value, size_t *needed);
cl_int clGetImageInfo(cl_mem of, cl_image_info what, size_t room, void *value, size_t *needed);
cl_sampler clCreateSampler(
    cl_context in, cl_bool normalized, cl_addressing_mode outside, cl_filter_mode between, cl_int *status);
cl_int clReleaseSampler(cl_sampler one);
cl_program clCreateProgramWithSource(
    cl_context in, cl_uint number, const char **texts, const size_t *lengths, cl_int *status);
cl_program clCreateProgramWithBinary(
    cl_context in, cl_uint number, const cl_device_id *devices, const size_t *lengths, const unsigned char **binaries,
    cl_int *each, cl_int *status);
cl_int clBuildProgram(
    cl_program one, cl_uint number, const cl_device_id *devices, const char *options,
    void (*told)(cl_program, void *), void *own);
cl_int clRetainProgram(cl_program one);
cl_int clReleaseProgram(cl_program one);
cl_int clGetProgramInfo(cl_program of, cl_program_info what, size_t room, void *value, size_t *needed);
cl_int clGetProgramBuildInfo(
    cl_program of, cl_device_id on, cl_program_build_info what, size_t room, void *value, size_t *needed);
cl_kernel clCreateKernel(cl_program of, const char *name, cl_int *status);
cl_int clCreateKernelsInProgram(cl_program of, cl_uint room, cl_kernel *found, cl_uint *number);
cl_int clRetainKernel(cl_kernel one);
cl_int clReleaseKernel(cl_kernel one);
cl_int clSetKernelArg(cl_kernel of, cl_uint index, size_t bytes, const void *value);
cl_int clGetKernelInfo(cl_kernel of, cl_kernel_info what, size_t room, void *value, size_t *needed);
cl_int clGetKernelWorkGroupInfo(
    cl_kernel of, cl_device_id on, cl_kernel_work_group_info what, size_t room, void *value, size_t *needed);
cl_int clWaitForEvents(cl_uint number, const cl_event *events);
cl_int clGetEventInfo(cl_event of, cl_event_info what, size_t room, void *value, size_t *needed);
cl_int clRetainEvent(cl_event one);
cl_int clReleaseEvent(cl_event one);
cl_event clCreateUserEvent(cl_context in, cl_int *status);
cl_int clSetUserEventStatus(cl_event one, cl_int status);
cl_int clSetEventCallback(cl_event one, cl_int at, void (*told)(cl_event, cl_int, void *), void *own);
cl_int clGetEventProfilingInfo(cl_event of, cl_profiling_info what, size_t room, void *value, size_t *needed);
cl_int clFlush(cl_command_queue one);
cl_int clFinish(cl_command_queue one);
cl_int clUnloadCompiler(void);
cl_int clEnqueueReadBuffer(
    cl_command_queue in, cl_mem from, cl_bool waits, size_t offset, size_t bytes, void *to, cl_uint number,
    const cl_event *after, cl_event *made);
cl_int clEnqueueWriteBuffer(
    cl_command_queue in, cl_mem to, cl_bool waits, size_t offset, size_t bytes, const void *from, cl_uint number,
    const cl_event *after, cl_event *made);
cl_int clEnqueueCopyBuffer(
    cl_command_queue in, cl_mem from, cl_mem to, size_t read, size_t written, size_t bytes, cl_uint number,
    const cl_event *after, cl_event *made);
cl_int clEnqueueFillBuffer(
    cl_command_queue in, cl_mem to, const void *pattern, size_t width, size_t offset, size_t bytes, cl_uint number,
    const cl_event *after, cl_event *made);
cl_int clEnqueueReadImage(
    cl_command_queue in, cl_mem from, cl_bool waits, const size_t *origin, const size_t *region, size_t pitch,
    size_t slice, void *to, cl_uint number, const cl_event *after, cl_event *made);
cl_int clEnqueueWriteImage(
    cl_command_queue in, cl_mem to, cl_bool waits, const size_t *origin, const size_t *region, size_t pitch,
    size_t slice, const void *from, cl_uint number, const cl_event *after, cl_event *made);
void *clEnqueueMapBuffer(
    cl_command_queue in, cl_mem one, cl_bool waits, cl_map_flags with, size_t offset, size_t bytes, cl_uint number,
    const cl_event *after, cl_event *made, cl_int *status);
cl_int clEnqueueUnmapMemObject(
    cl_command_queue in, cl_mem one, void *mapped, cl_uint number, const cl_event *after, cl_event *made);
cl_int clEnqueueNDRangeKernel(
    cl_command_queue in, cl_kernel one, cl_uint dimensions, const size_t *offset, const size_t *global,
    const size_t *local, cl_uint number, const cl_event *after, cl_event *made);
cl_int clEnqueueTask(cl_command_queue in, cl_kernel one, cl_uint number, const cl_event *after, cl_event *made);
cl_int clEnqueueMarker(cl_command_queue in, cl_event *made);
cl_int clEnqueueBarrier(cl_command_queue in);
cl_int clEnqueueWaitForEvents(cl_command_queue in, cl_uint number, const cl_event *events);
#ifdef __cplusplus
}
#endif
#endif
