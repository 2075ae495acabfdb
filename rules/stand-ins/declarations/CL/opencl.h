// cudamigrate declarations: all of OpenCL's headers for C at once; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_OPENCL_H
#define CUDAMIGRATE_DECLARES_OPENCL_H
#include "CL/cl.h"
#endif
