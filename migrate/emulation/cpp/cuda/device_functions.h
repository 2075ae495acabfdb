// What programs include of CUDA under this name is in cuda_runtime.h.
#include "cuda_runtime.h"
