// cudamigrate declarations: names and types of helper_timer.h of NVIDIA's CUDA samples; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HELPER_TIMER_H
#define CUDAMIGRATE_DECLARES_HELPER_TIMER_H
#include <sys/time.h>
#include <ctime>
#include <vector>
struct StopWatchInterface {
    virtual ~StopWatchInterface();
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual void reset() = 0;
    virtual float getTime() = 0;
    virtual float getAverageTime() = 0;
};
bool sdkCreateTimer(StopWatchInterface **);
bool sdkDeleteTimer(StopWatchInterface **);
bool sdkStartTimer(StopWatchInterface **);
bool sdkStopTimer(StopWatchInterface **);
bool sdkResetTimer(StopWatchInterface **);
float sdkGetAverageTimerValue(StopWatchInterface **);
float sdkGetTimerValue(StopWatchInterface **);
#endif
