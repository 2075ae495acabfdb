// cudamigrate declarations: ROCTX of the profiler's SDK; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_ROCPROFILER_SDK_ROCTX
#define CUDAMIGRATE_DECLARES_ROCPROFILER_SDK_ROCTX
#include <roctracer/roctx.h>

extern "C" {
typedef uint64_t roctx_thread_id_t;
int roctxProfilerPause(roctx_thread_id_t tid);
int roctxProfilerResume(roctx_thread_id_t tid);
int roctxNameOsThread(const char *name);
int roctxNameHsaAgent(const char *name, const struct hsa_agent_s *agent);
int roctxNameHipDevice(const char *name, int device_id);
int roctxNameHipStream(const char *name, const struct ihipStream_t *stream);
int roctxGetThreadId(roctx_thread_id_t *tid);
}
#ifndef roctxMark
#define roctxMark(message) roctxMarkA(message)
#define roctxRangePush(message) roctxRangePushA(message)
#define roctxRangeStart(message) roctxRangeStartA(message)
#endif
#endif
