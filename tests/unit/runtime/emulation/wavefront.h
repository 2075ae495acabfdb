// One wavefront on a CPU: every lane is a fiber that runs until it reaches a call in which lanes exchange something.
#ifndef EMULATION_WAVEFRONT_H
#define EMULATION_WAVEFRONT_H

#include <functional>

namespace wavefront {

// Lanes of the wavefront that runs, and the number of the lane that asks.
int width();
int lane();

// Run `body` once for each lane below `lanes`. Which of several groups of waiting lanes goes first is drawn from
// `seed`, since hardware promises no order of branches.
void run(int lanes, unsigned int seed, const std::function<void()> &body);

// The lane enters a branch. Lanes in different branches never take part in the same call.
void branch(int number);

// The lane leaves its branch and waits until every lane has done so or has ended.
void reconverge();

}  // namespace wavefront

#endif  // EMULATION_WAVEFRONT_H
