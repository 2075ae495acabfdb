// Numbers that HIP has names for.
#ifndef CUDAMIGRATE_EMULATION_HIP_MATH_CONSTANTS_H
#define CUDAMIGRATE_EMULATION_HIP_MATH_CONSTANTS_H

#include "hip_runtime.h"

#define HIP_INF_F __builtin_inff()
#define HIP_NAN_F __builtin_nanf("")
#define HIP_INF __builtin_inf()
#define HIP_NAN __builtin_nan("")
#define HIP_PI_F 3.141592654f
#define HIP_PI 3.14159265358979323846

#endif  // CUDAMIGRATE_EMULATION_HIP_MATH_CONSTANTS_H
