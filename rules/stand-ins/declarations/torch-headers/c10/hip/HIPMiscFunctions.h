// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <mutex>

namespace c10::cuda {
const char* get_cuda_check_suffix() noexcept;
std::mutex* getFreeMutex();
}
