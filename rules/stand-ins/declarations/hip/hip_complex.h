// cudamigrate declarations: complex numbers of HIP 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIP_COMPLEX
#define CUDAMIGRATE_DECLARES_HIP_COMPLEX
#include <hip/hip_vector_types.h>
#include <cmath>

#define CM_HD __host__ __device__
typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#define CM_COMPLEX(type, real, f) \
    CM_HD real hipCreal##f(type); \
    CM_HD real hipCimag##f(type); \
    CM_HD type hipConj##f(type); \
    CM_HD real hipCsqabs##f(type); \
    CM_HD type hipCadd##f(type, type); \
    CM_HD type hipCsub##f(type, type); \
    CM_HD type hipCmul##f(type, type); \
    CM_HD type hipCdiv##f(type, type); \
    CM_HD real hipCabs##f(type); \
    CM_HD type hipCfma##f(type, type, type);
CM_COMPLEX(hipFloatComplex, float, f)
CM_COMPLEX(hipDoubleComplex, double, )
#undef CM_COMPLEX
CM_HD hipFloatComplex make_hipFloatComplex(float, float);
CM_HD hipDoubleComplex make_hipDoubleComplex(double, double);
CM_HD hipComplex make_hipComplex(float, float);
CM_HD hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex);
CM_HD hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex);
#undef CM_HD
#endif
