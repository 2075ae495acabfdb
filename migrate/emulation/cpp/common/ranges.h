// Ranges for profilers, of which the emulation has none. A header that includes this defines RANGE(name), and
// RANGE_END(name) as the name by which a range that was started ends.
#include <stdint.h>

inline void RANGE(MarkA)(const char *) {}
inline int RANGE(RangePushA)(const char *) { return 0; }
inline int RANGE(RangePop)() { return 0; }
inline uint64_t RANGE(RangeStartA)(const char *) { return 0; }
inline void RANGE_END(uint64_t) {}
