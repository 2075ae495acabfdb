// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#define C10_CUDA_BUILD_SHARED_LIBS
