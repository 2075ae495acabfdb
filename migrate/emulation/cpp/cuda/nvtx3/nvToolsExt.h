// NVTX: see common/ranges.h.
#ifndef CUDAMIGRATE_EMULATION_NVTOOLSEXT_H
#define CUDAMIGRATE_EMULATION_NVTOOLSEXT_H

#define RANGE(name) nvtx##name
#define RANGE_END nvtxRangeEnd
#include "../../common/ranges.h"
#undef RANGE
#undef RANGE_END
typedef uint64_t nvtxRangeId_t;
#define nvtxMark(message) nvtxMarkA(message)
#define nvtxRangePush(message) nvtxRangePushA(message)
#define nvtxRangeStart(message) nvtxRangeStartA(message)

#endif  // CUDAMIGRATE_EMULATION_NVTOOLSEXT_H
