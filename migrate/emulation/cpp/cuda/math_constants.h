// Numbers that CUDA has names for.
#ifndef CUDAMIGRATE_EMULATION_MATH_CONSTANTS_H
#define CUDAMIGRATE_EMULATION_MATH_CONSTANTS_H

#include "cuda_runtime.h"

#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.14159265358979323846

#endif  // CUDAMIGRATE_EMULATION_MATH_CONSTANTS_H
