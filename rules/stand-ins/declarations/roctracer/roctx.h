// cudamigrate declarations: names and types of ROCTX 10.0; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_ROCTRACER_ROCTX_H
#define CUDAMIGRATE_DECLARES_ROCTRACER_ROCTX_H
#include <stdint.h>
#define ROCTX_VERSION_MAJOR 4
#define ROCTX_VERSION_MINOR 1
extern "C" {
uint32_t roctx_version_major();
uint32_t roctx_version_minor();
void roctxMarkA(const char *message);
int roctxRangePushA(const char *message);
int roctxRangePop();
typedef uint64_t roctx_range_id_t;
uint64_t roctxRangeStartA(const char *message);
void roctxRangeStop(uint64_t id);
}
#define roctxMark(message) roctxMarkA(message)
#define roctxRangePush(message) roctxRangePushA(message)
#define roctxRangeStart(message) roctxRangeStartA(message)
#endif
