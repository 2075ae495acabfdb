// Half precision for CUDA: shuffles take it as any other type.
#include "cuda_runtime.h"
#include "../common/half.h"
