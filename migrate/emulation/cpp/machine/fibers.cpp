#include "fibers.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

namespace cudamigrate_emulation {

namespace {

constexpr std::size_t stack_bytes = 256 * 1024;  // pages that are not touched take no memory
constexpr std::size_t guard_bytes = 4096;

thread_local Fibers *starting = nullptr;

char *new_stack() {
    void *made = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) {
        std::fputs("emulation: no memory for the stack of another thread\n", stderr);
        std::_Exit(117);
    }
    mprotect(made, guard_bytes, PROT_NONE);  // a stack that is too small faults instead of writing elsewhere
    return static_cast<char *>(made);
}

}  // namespace

Fibers::~Fibers() {
    for (Fiber *fiber : all_) {
        munmap(fiber->stack, stack_bytes);
        delete fiber;
    }
}

void Fibers::enter() {
    Fibers &self = *starting;
    const int number = self.running_;
    self.all_[number]->bottom = __builtin_frame_address(0);
    self.work_(self.context_, number);
    self.all_[number]->ended = true;
    _longjmp(self.scheduler_, 1);
}

void Fibers::make(int count, Work work, void *context) {
    work_ = work;
    context_ = context;
    while (static_cast<int>(all_.size()) < count) {
        all_.push_back(new Fiber);
        all_.back()->stack = new_stack();
    }
    for (int number = 0; number < count; ++number) all_[number]->started = all_[number]->ended = false;
}

void Fibers::resume(int number) {
    running_ = number;
    Fiber &fiber = *all_[number];
    if (_setjmp(scheduler_) != 0) return;
    if (fiber.started) _longjmp(fiber.here, 1);
    fiber.started = true;
    starting = this;
    getcontext(&fiber.first);
    fiber.first.uc_stack.ss_sp = fiber.stack + guard_bytes;
    fiber.first.uc_stack.ss_size = stack_bytes - guard_bytes;
    fiber.first.uc_link = nullptr;
    makecontext(&fiber.first, enter, 0);
    setcontext(&fiber.first);
}

void Fibers::stop() {
    if (_setjmp(all_[running_]->here) == 0) _longjmp(scheduler_, 1);
}

}  // namespace cudamigrate_emulation
