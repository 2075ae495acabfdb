// What programs include of HIP under this name is in hip_runtime.h.
#include "hip_runtime.h"
