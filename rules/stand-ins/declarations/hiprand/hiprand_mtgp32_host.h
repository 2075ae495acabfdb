// cudamigrate declarations: set-up of hipRAND's MTGP32; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPRAND_MTGP32_HOST
#define CUDAMIGRATE_DECLARES_HIPRAND_MTGP32_HOST
#include <hiprand/hiprand_kernel.h>

__host__ hiprandStatus_t hiprandMakeMTGP32Constants(const mtgp32_fast_param_t[], mtgp32_kernel_params_t *);
__host__ hiprandStatus_t hiprandMakeMTGP32KernelState(
    hiprandStateMtgp32_t *, mtgp32_fast_param_t[], mtgp32_kernel_params_t *, int, unsigned long long);
#endif
