// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
struct AtenTensorOpaque;
using AtenTensorHandle = AtenTensorOpaque*;
struct DeviceGuardOpaque;
using DeviceGuardHandle = DeviceGuardOpaque*;
struct StreamOpaque;
using StreamHandle = StreamOpaque*;
struct TorchLibraryOpaque;
using TorchLibraryHandle = TorchLibraryOpaque*;
using AOTITorchError = int32_t;
using StableIValue = uint64_t;

int32_t aoti_torch_device_type_cpu();
int32_t aoti_torch_device_type_cuda();
AOTITorchError aoti_torch_get_data_ptr(AtenTensorHandle tensor, void** data);
AOTITorchError aoti_torch_get_storage_size(AtenTensorHandle tensor, int64_t* found);
AOTITorchError aoti_torch_get_storage_numel(AtenTensorHandle tensor, int64_t* found);
AOTITorchError aoti_torch_get_storage_offset(AtenTensorHandle tensor, int64_t* found);
AOTITorchError aoti_torch_get_dim(AtenTensorHandle tensor, int64_t* found);
AOTITorchError aoti_torch_get_numel(AtenTensorHandle tensor, int64_t* found);
AOTITorchError aoti_torch_get_sizes(AtenTensorHandle tensor, int64_t** found);
AOTITorchError aoti_torch_get_strides(AtenTensorHandle tensor, int64_t** found);
AOTITorchError aoti_torch_get_dtype(AtenTensorHandle tensor, int32_t* found);
AOTITorchError aoti_torch_get_device_type(AtenTensorHandle tensor, int32_t* found);
AOTITorchError aoti_torch_get_device_index(AtenTensorHandle tensor, int32_t* found);
AOTITorchError aoti_torch_get_size(AtenTensorHandle tensor, int64_t axis, int64_t* found);
AOTITorchError aoti_torch_get_stride(AtenTensorHandle tensor, int64_t axis, int64_t* found);
AOTITorchError aoti_torch_get_current_stream(int32_t device_index, StreamHandle* stream);
AOTITorchError aoti_torch_get_current_device_index(int32_t* device_index);
AOTITorchError aoti_torch_get_current_cuda_stream(int32_t device_index, void** stream);
AOTITorchError aoti_torch_create_device_guard(int32_t device_index, DeviceGuardHandle* guard);
AOTITorchError aoti_torch_delete_device_guard(DeviceGuardHandle guard);
AOTITorchError aoti_torch_device_guard_set_index(DeviceGuardHandle guard, int32_t device_index);
AOTITorchError aoti_torch_call_dispatcher(const char* op, const char* overload, StableIValue* stack);
AOTITorchError aoti_torch_delete_tensor_object(AtenTensorHandle tensor);
AOTITorchError aoti_torch_new_uninitialized_tensor(AtenTensorHandle* tensor);
AOTITorchError aoti_torch_create_cuda_guard(int32_t device_index, void** guard);
AOTITorchError aoti_torch_delete_cuda_guard(void* guard);
}
