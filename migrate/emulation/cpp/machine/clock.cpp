// The time that a program is told: it begins alike in each run, and goes on by a millisecond whenever somebody asks. So
// random numbers that are seeded with it are the same in all runs, what is measured does not depend on what else this
// machine does, and who waits for a time to pass still comes to an end.
#include <sys/time.h>
#include <time.h>

#include <atomic>

namespace {

constexpr long long second = 1'000'000'000, step = 1'000'000;
constexpr long long first = 1'700'000'000;  // of the calendar; other clocks begin with the program

// Nanoseconds since the program began.
long long passed() {
    static std::atomic<long long> asked;
    return ++asked * step;
}

}  // namespace

extern "C" {

time_t time(time_t *to) noexcept {
    const time_t told = first + passed() / second;
    if (to != nullptr) *to = told;
    return told;
}

int gettimeofday(timeval *to, void *) noexcept {
    const long long now = passed();
    *to = {first + now / second, now % second / 1000};
    return 0;
}

int clock_gettime(clockid_t which, timespec *to) noexcept {
    const long long now = passed();
    *to = {(which == CLOCK_REALTIME ? first : 0) + now / second, now % second};
    return 0;
}

clock_t clock() noexcept { return passed() / (second / CLOCKS_PER_SEC); }

}  // extern "C"
