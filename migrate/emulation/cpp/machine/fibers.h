// Fibers: functions that stop in their middle and go on later, all on one thread of the operating system.
//
// A stack is started by ucontext and switched by _setjmp and _longjmp, which keep no signal mask: 22 ns for going to a
// fiber and back, where swapcontext, which asks the kernel twice, takes 550 ns.
#ifndef CUDAMIGRATE_EMULATION_FIBERS_H
#define CUDAMIGRATE_EMULATION_FIBERS_H

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <vector>

namespace cudamigrate_emulation {

// One fiber. `bottom` is the frame of the stack above which its work begins.
struct Fiber {
    bool started = false;
    bool ended = true;
    const void *bottom = nullptr;
    char *stack = nullptr;
    jmp_buf here;
    ucontext_t first;
};

// The fibers of one thread of the operating system. `work` runs on each of them with the number of the fiber.
class Fibers {
public:
    typedef void (*Work)(void *context, int number);

    ~Fibers();

    // Make `count` fibers that will run `work`; those of an earlier call must have ended or are given up.
    void make(int count, Work work, void *context);

    // Run one fiber until it stops or ends.
    void resume(int number);
    bool ended(int number) const { return all_[number]->ended; }
    const void *bottom(int number) const { return all_[number]->bottom; }

    // For the fiber that runs: give up control.
    void stop();

private:
    static void enter();

    std::vector<Fiber *> all_;
    Work work_ = nullptr;
    void *context_ = nullptr;
    int running_ = 0;
    jmp_buf scheduler_;
};

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_FIBERS_H
