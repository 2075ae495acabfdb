// cudamigrate declarations: forwards to HIP's own functions; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_MATH_FUNCTIONS
#define CUDAMIGRATE_DECLARES_MATH_FUNCTIONS
#include <hip/hip_runtime.h>
#endif
