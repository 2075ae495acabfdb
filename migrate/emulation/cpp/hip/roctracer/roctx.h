// ROCTx: see common/ranges.h.
#ifndef CUDAMIGRATE_EMULATION_ROCTX_H
#define CUDAMIGRATE_EMULATION_ROCTX_H

#define RANGE(name) roctx##name
#define RANGE_END roctxRangeStop
#include "../../common/ranges.h"
#undef RANGE
#undef RANGE_END
typedef uint64_t roctx_range_id_t;
#define roctxMark(message) roctxMarkA(message)
#define roctxRangePush(message) roctxRangePushA(message)
#define roctxRangeStart(message) roctxRangeStartA(message)

#endif  // CUDAMIGRATE_EMULATION_ROCTX_H
