// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/version.h>

extern "C" {
AOTITorchError torch_call_dispatcher(const char* op, const char* overload, StableIValue* stack, uint64_t abi_version);
AOTITorchError torch_get_current_cuda_blas_handle(void** handle);
AOTITorchError torch_set_current_cuda_stream(void* stream, int32_t device_index);
AOTITorchError torch_get_cuda_stream_from_pool(bool high_priority, int32_t device_index, void** stream);
AOTITorchError torch_cuda_stream_synchronize(void* stream, int32_t device_index);
AOTITorchError torch_get_mutable_data_ptr(AtenTensorHandle tensor, void** data);
AOTITorchError torch_get_const_data_ptr(AtenTensorHandle tensor, const void** data);
AOTITorchError torch_c10_cuda_check_msg(int32_t err, const char* filename, const char* function, uint32_t line,
                                        bool assertions, char** message);
void torch_c10_cuda_free_error_msg(char* message);
}
