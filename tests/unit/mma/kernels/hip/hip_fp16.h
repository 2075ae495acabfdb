#include "hip_runtime.h"

#include "../../../ptx/stand_ins/hip/hip_fp16.h"
