// The seconds that a program is told: each run begins in the same one, so that random numbers which it seeds with the
// time are the same in all runs. Clocks with finer parts stay what they are.
#include <time.h>

namespace {

// Nanoseconds since some time.
long long now() {
    timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1'000'000'000LL + at.tv_nsec;
}

const long long begun = now();

}  // namespace

extern "C" time_t time(time_t *to) noexcept {
    constexpr time_t first = 1'700'000'000;
    const time_t told = first + static_cast<time_t>((now() - begun) / 1'000'000'000LL);
    if (to != nullptr) *to = told;
    return told;
}
