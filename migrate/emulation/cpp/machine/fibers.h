// Fibers: functions that stop in their middle and go on later, all on one thread of the operating system.
//
// A switch keeps what a call must keep: a few instructions where the processor is known, 22 ns by _setjmp and _longjmp
// elsewhere; swapcontext, which asks the kernel twice, takes 550 ns.
#ifndef CUDAMIGRATE_EMULATION_FIBERS_H
#define CUDAMIGRATE_EMULATION_FIBERS_H

#if !defined(__x86_64__) && !defined(__aarch64__)
#define CUDAMIGRATE_EMULATION_BY_SETJMP
#include <setjmp.h>
#include <ucontext.h>
#endif

#include <cstddef>
#include <vector>

namespace cudamigrate_emulation {

// Where a fiber, or the scheduler, goes on.
struct Continuation {
#ifdef CUDAMIGRATE_EMULATION_BY_SETJMP
    jmp_buf here;
    ucontext_t first;
    bool started = false;
#else
    void *stack = nullptr;
#endif
};

// One fiber. `bottom` is the frame of the stack above which its work begins; `room` the bytes of the stack that it uses.
struct Fiber {
    bool ended = true;
    const void *bottom = nullptr;
    char *stack = nullptr;
    std::size_t room = 0;
    Continuation continuation;
};

// The fibers of one thread of the operating system. `work` runs on each of them with the number of the fiber, and
// returns the number of the fiber that goes on after it, or -1 for the scheduler.
class Fibers {
public:
    typedef int (*Work)(void *context, int number);

    ~Fibers();

    // Make `count` fibers that will run `work`; those of an earlier call must have ended or are given up.
    void make(int count, Work work, void *context);

    // For the scheduler: run a fiber until one gives control back.
    void resume(int number);
    bool ended(int number) const { return all_[number]->ended; }
    const void *bottom(int number) const { return all_[number]->bottom; }

    // For the fiber that runs: let another one go on, or for -1 the scheduler.
    void pass_to(int number);

private:
    static void enter();
    void prepare(Fiber &fiber);

    std::vector<Fiber *> all_;
    Work work_ = nullptr;
    void *context_ = nullptr;
    int running_ = 0;
    Continuation scheduler_;
};

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_FIBERS_H
