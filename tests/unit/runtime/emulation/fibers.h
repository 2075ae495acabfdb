// Fibers: functions that stop in their middle and go on later, all on one thread.
#ifndef EMULATION_FIBERS_H
#define EMULATION_FIBERS_H

#include <functional>

namespace fibers {

constexpr int most = 1024;

// Make `count` fibers that will run `body`; those of an earlier call must have ended.
void make(int count, const std::function<void()> &body);

// Run one fiber until it stops or ends.
void resume(int number);
bool ended(int number);

// For the fiber that runs: its number, giving up control, and the frame of the stack above which its work begins.
int current();
void stop();
const void *bottom();

}  // namespace fibers

#endif  // EMULATION_FIBERS_H
