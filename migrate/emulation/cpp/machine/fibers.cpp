#include "fibers.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

// cudamigrate_emulation_switch(from, to): keep the registers that a call must keep on this stack, note where it ends,
// and go on where the other stack ends. Modes of rounding are the same for all fibers.
#if defined(__x86_64__)
asm(R"(
    .text
    .globl cudamigrate_emulation_switch
    .type cudamigrate_emulation_switch, @function
cudamigrate_emulation_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size cudamigrate_emulation_switch, .-cudamigrate_emulation_switch
)");
#elif defined(__aarch64__)
asm(R"(
    .text
    .globl cudamigrate_emulation_switch
    .type cudamigrate_emulation_switch, %function
cudamigrate_emulation_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size cudamigrate_emulation_switch, .-cudamigrate_emulation_switch
)");
#endif
#ifndef CUDAMIGRATE_EMULATION_BY_SETJMP
extern "C" void cudamigrate_emulation_switch(void **from, void *to);
#endif

namespace cudamigrate_emulation {

namespace {

constexpr std::size_t stack_bytes = 256 * 1024;  // pages that are not touched take no memory
constexpr std::size_t guard_bytes = 4096;
// Stacks begin at different offsets: the lanes of a wave use the same depth of each at nearly the same time, and at one
// offset all of them would share a few lines of the cache.
constexpr std::size_t colours = 64, colour_bytes = 9 * 64;

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
    const int next = self.work_(self.context_, number);
    self.all_[number]->ended = true;
    self.pass_to(next);
}

void Fibers::make(int count, Work work, void *context) {
    work_ = work;
    context_ = context;
    while (static_cast<int>(all_.size()) < count) {
        all_.push_back(new Fiber);
        all_.back()->stack = new_stack();
        all_.back()->room = stack_bytes - (all_.size() - 1) % colours * colour_bytes;
    }
    starting = this;
    for (int number = 0; number < count; ++number) prepare(*all_[number]);
}

#ifdef CUDAMIGRATE_EMULATION_BY_SETJMP

void Fibers::prepare(Fiber &fiber) { fiber.continuation.started = fiber.ended = false; }

void Fibers::pass_to(int number) {
    Continuation &own = running_ < 0 ? scheduler_ : all_[running_]->continuation;
    if (_setjmp(own.here) != 0) return;
    running_ = number;
    if (number < 0) _longjmp(scheduler_.here, 1);
    Continuation &next = all_[number]->continuation;
    if (next.started) _longjmp(next.here, 1);
    next.started = true;
    starting = this;
    getcontext(&next.first);
    next.first.uc_stack.ss_sp = all_[number]->stack + guard_bytes;
    next.first.uc_stack.ss_size = all_[number]->room - guard_bytes;
    next.first.uc_link = nullptr;
    makecontext(&next.first, enter, 0);
    setcontext(&next.first);
}

#else

// A stack on which a switch finds registers of no matter, and then the begin of `enter`.
void Fibers::prepare(Fiber &fiber) {
    fiber.ended = false;
    std::uint64_t *top = reinterpret_cast<std::uint64_t *>(fiber.stack + fiber.room) - 8;
#if defined(__x86_64__)
    *--top = 0;  // where `enter` would return to; it never does
    *--top = reinterpret_cast<std::uint64_t>(&Fibers::enter);
    for (int saved = 0; saved < 6; ++saved) *--top = 0;
#else
    for (int saved = 0; saved < 20; ++saved) *--top = 0;
    top[11] = reinterpret_cast<std::uint64_t>(&Fibers::enter);
#endif
    fiber.continuation.stack = top;
}

void Fibers::pass_to(int number) {
    Continuation &own = running_ < 0 ? scheduler_ : all_[running_]->continuation;
    Continuation &next = number < 0 ? scheduler_ : all_[number]->continuation;
    running_ = number;
    starting = this;
    cudamigrate_emulation_switch(&own.stack, next.stack);
}

#endif

void Fibers::resume(int number) {
    running_ = -1;
    pass_to(number);
}

}  // namespace cudamigrate_emulation
