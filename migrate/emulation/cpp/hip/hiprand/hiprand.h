// hipRAND: see common/rand.h.
#ifndef CUDAMIGRATE_EMULATION_HIPRAND_H
#define CUDAMIGRATE_EMULATION_HIPRAND_H

#include "../hip/hip_runtime.h"
#define API(name) hip##name
#define RAND(name) hiprand##name
#define RAND_STATE(name) hiprand##name
#define RAND_UPPER(name) HIPRAND_##name
#include "../../common/rand.h"
#undef API
#undef RAND
#undef RAND_STATE
#undef RAND_UPPER

#endif  // CUDAMIGRATE_EMULATION_HIPRAND_H
