// Half precision for HIP, and its shuffles, which HIP has for these types too.
#ifndef CUDAMIGRATE_EMULATION_HIP_FP16_H
#define CUDAMIGRATE_EMULATION_HIP_FP16_H

#include "hip_runtime.h"
#define CUDAMIGRATE_EMULATION_UNEQUAL(a, b) (a != b)
#include "../../common/half.h"
#undef CUDAMIGRATE_EMULATION_UNEQUAL

#define CUDAMIGRATE_EMULATION_SHUFFLE(name, kind, source, T)                                            \
    CUDAMIGRATE_EMULATION_UNSEEN inline T name(T value, kind lane, int width = warpSize) {              \
        return ::cudamigrate_emulation::read_lane(value, ::cudamigrate_emulation::source(lane, width)); \
    }
#define CUDAMIGRATE_EMULATION_SHUFFLES(T)                               \
    CUDAMIGRATE_EMULATION_SHUFFLE(__shfl, int, from_lane, T)            \
    CUDAMIGRATE_EMULATION_SHUFFLE(__shfl_up, unsigned int, from_above, T)   \
    CUDAMIGRATE_EMULATION_SHUFFLE(__shfl_down, unsigned int, from_below, T) \
    CUDAMIGRATE_EMULATION_SHUFFLE(__shfl_xor, int, from_across, T)
CUDAMIGRATE_EMULATION_SHUFFLES(__half)
CUDAMIGRATE_EMULATION_SHUFFLES(__half2)
#undef CUDAMIGRATE_EMULATION_SHUFFLES
#undef CUDAMIGRATE_EMULATION_SHUFFLE

#endif  // CUDAMIGRATE_EMULATION_HIP_FP16_H
