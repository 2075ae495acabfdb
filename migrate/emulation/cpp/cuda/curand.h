// cuRAND: see common/rand.h.
#ifndef CUDAMIGRATE_EMULATION_CURAND_H
#define CUDAMIGRATE_EMULATION_CURAND_H

#include "cuda_runtime.h"
#define API(name) cuda##name
#define RAND(name) curand##name
#define RAND_STATE(name) curand##name
#define RAND_UPPER(name) CURAND_##name
#include "../common/rand.h"
#undef API
#undef RAND
#undef RAND_STATE
#undef RAND_UPPER

#endif  // CUDAMIGRATE_EMULATION_CURAND_H
