// Half precision for CUDA: shuffles take it as any other type.
#include "cuda_runtime.h"
#define CUDAMIGRATE_EMULATION_UNEQUAL(a, b) (a < b || b < a)
#include "../common/half.h"
#undef CUDAMIGRATE_EMULATION_UNEQUAL
