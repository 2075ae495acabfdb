// One wavefront of the emulated GPU, for programs that say themselves which lanes are in which branch.
#ifndef WAVEFRONT_H
#define WAVEFRONT_H

#include <functional>

#include <hip/hip_runtime.h>

namespace wavefront {

namespace emulation = ::cudamigrate_emulation;

inline int width() { return emulation::wave_width(); }
inline int lane() { return emulation::lane(); }

// Run `body` once for each lane below `lanes`. Which of several groups of waiting lanes goes first is drawn from
// `seed`, since hardware promises no order of branches.
inline void run(int lanes, unsigned int seed, const std::function<void()> &body) {
    emulation::set_wave_width(lanes);
    emulation::set_schedule(emulation::Schedule::random, seed);
    emulation::launch("wavefront", emulation::Launch(1, static_cast<unsigned int>(lanes)), body);
}

// The lane enters a branch. Lanes in different branches never take part in the same call.
inline void branch(int number) { emulation::set_branch(number); }

// The lane leaves its branch and waits until every lane has done so or has ended.
inline void reconverge() {
    emulation::set_branch(0);
    emulation::barrier();
}

}  // namespace wavefront

#endif  // WAVEFRONT_H
