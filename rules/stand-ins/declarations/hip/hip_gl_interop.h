// cudamigrate declarations: OpenGL interoperability of HIP 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIP_GL_INTEROP
#define CUDAMIGRATE_DECLARES_HIP_GL_INTEROP
#include <hip/amd_detail/amd_hip_gl_interop.h>
#endif
