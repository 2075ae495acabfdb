// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/Allocator.h>
#include <c10/hip/HIPFunctions.h>

#include <hip/hip_runtime_api.h>
#include <hipblas/hipblas.h>
#include <hipblaslt/hipblaslt.h>
#include <hipsolver/hipsolver.h>
#include <hipsparse/hipsparse.h>

#include <map>
#include <shared_mutex>

namespace at::cuda {
int64_t getNumGPUs();
bool is_available();
hipDeviceProp_t* getCurrentDeviceProperties();
int warp_size();
hipDeviceProp_t* getDeviceProperties(c10::DeviceIndex device);
bool canDeviceAccessPeer(c10::DeviceIndex device, c10::DeviceIndex peer);
c10::Allocator* getCUDADeviceAllocator();
hipsparseHandle_t getCurrentCUDASparseHandle();
hipblasHandle_t getCurrentCUDABlasHandle(bool setup = true);
hipblasLtHandle_t getCurrentCUDABlasLtHandle();
hipsolverDnHandle_t getCurrentCUDASolverDnHandle();
void clearCublasWorkspaces();
size_t getChosenWorkspaceSize();
size_t getCUDABlasLtWorkspaceSize();
void* getCUDABlasLtWorkspace();
}  // namespace at::cuda
