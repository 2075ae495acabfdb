// Every access to memory of the emulated program, as the compiler tells of it.
//
// The program is compiled for the thread sanitizer and with coverage of basic blocks: the compiler then calls a
// function before each access that may concern others, and at the begin of each basic block. The sanitizers' own
// libraries are not linked; these are the functions.
#include <cstdint>
#include <cstring>

#include "block.h"
#include "device_memory.h"

namespace cudamigrate_emulation {

namespace {

bool in_library = false;

bool in_step() { return schedule() == Schedule::lockstep; }

std::uint64_t peek(const void *address, unsigned size) {
    std::uint64_t value = 0;
    std::memcpy(&value, address, size < 8 ? size : 8);
    return value;
}

// The lanes of the wave come to this access one by one and go on together; with a random schedule only at times.
void step(Block &block, Thread &thread, void **frame) {
    if (schedule() == Schedule::free || (schedule() == Schedule::random && block.draw()() % 4 != 0)) return;
    thread.value = thread.mask = 0;
    thread.place.take(frame, block.bottom(thread), thread.ahead);
    block.stop(State::in_call);
}

Place place_of(Block &block, const Thread &thread, void **frame) {
    Place place;
    place.take(frame, block.bottom(thread));
    return place;
}

// A look at a value that others may change; a lane that has looked in vain for long lets others go first.
void look(Block &block, Thread &thread, const void *address, unsigned size, void **frame) {
    const std::uint64_t value = peek(address, size);
    if (!thread.spin.look({address, frame[1], value})) return;
    thread.spin.freed_by_own_wave = false;
    ++block.spinning;
    block.stop(State::spinning);
    thread.spin.repeats = 0;
    if (peek(address, size) == value || !thread.spin.freed_by_own_wave || !in_step() || !is_amd()) return;
    report_fault("spin-on-own-wave", place_of(block, thread, frame),
                 "waits for a lane of its own wave, which in lock step never comes to write");
}

void wrote(Block &block, const Thread &thread, const void *address) {
    if (block.spinning == 0) return;
    for (Thread &other : block.threads()) {
        const bool waits = other.state == State::spinning && other.wave == thread.wave;
        if (waits && other.spin.watches(address)) other.spin.freed_by_own_wave = true;
    }
}

void check_device(Block *block, const Thread *thread, const Access &access) {
    if (block != nullptr && is_allocated(access.address, access.size)) return;
    const Allocation *near = find_allocation(access.address);
    if (block == nullptr && (near == nullptr || near->on_host)) return;
    Place place;
    place.take(access.frame, block == nullptr ? nullptr : block->bottom(*thread));
    const char *verb = access.write ? "writes" : "reads";
    if (block == nullptr) {
        return report_fault("host-uses-device-memory", place, std::string("the host ") + verb + " device memory");
    }
    std::string detail = std::string(verb) + " device memory that is not allocated";
    if (near != nullptr) {
        const long at = access.address - near->begin;
        detail = std::string(verb) + " byte " + std::to_string(at) + " of an allocation of " +
                 std::to_string(near->bytes) + (near->freed ? ", which is freed" : "");
    }
    report_fault(near != nullptr && near->freed ? "use-after-free" : "out-of-bounds", place, detail);
}

void access(const void *address, unsigned size, bool write, bool sync, void **frame) {
    Thread *const thread = running_thread;
    const Access made = {static_cast<const unsigned char *>(address), size, write, sync, frame};
    if (thread == nullptr) {
        if (is_device(address) && !in_library) check_device(nullptr, nullptr, made);
        return;
    }
    Block &block = *running_block;
    if (thread->pending.address != nullptr) settle(thread->pending);
    const bool shared = block.shared.holds(address), device = !shared && is_device(address);
    if (!shared && !device && !sync) return;
    if (shared || sync) step(block, *thread, frame);
    if (sync && !write) look(block, *thread, address, size, frame);
    if (shared) block.shared.check(*thread, made);
    if (device) check_device(&block, thread, made);
    if (write) wrote(block, *thread, address);
}

// Whether the stop that a thread made last was in the loop of these blocks, in the function of this frame.
bool stopped_in(const Thread &thread, void **frame, const void *bottom, const void *header, const void *latch) {
    int level = 0;
    for (; frame != bottom && level <= thread.place.depth; frame = static_cast<void **>(frame[0])) ++level;
    if (level > thread.place.depth) return false;
    const void *const at = thread.place.address[thread.place.depth - level];
    return at >= header && at <= latch;
}

// A loop's next turn: the lane waits for those that are still in this one. It stands where the turn ended. Where the
// loop has brought all lanes together in this turn, it goes on, and is known to be one turn ahead.
void turn(Block &block, Thread &thread, void **frame, const void *header, const void *latch) {
    const void *const bottom = block.bottom(thread);
    if (thread.together && thread.ahead.owner == nullptr && stopped_in(thread, frame, bottom, header, latch)) {
        thread.ahead = {frame[0], header, latch};
        return;
    }
    thread.value = thread.mask = 0;
    thread.place.take(frame, bottom);
    thread.place.address[0] = latch;
    if (thread.ahead.owner != nullptr) {
        Place ahead;
        ahead.take(frame, bottom, thread.ahead);
        thread.place.turned = ahead.turned;
        thread.place.latch = ahead.latch;
    }
    block.stop(State::in_call);
    thread.ahead.owner = nullptr;
}

// A basic block begins: where it is not behind the last one of its frame, a loop turns.
void block_begins(Block &block, Thread &thread, void **frame) {
    Frames &frames = thread.frames;
    const void *const owner = frame[0], *const at = frame[1];
    const void *const caller = static_cast<void **>(frame[0])[1];
    while (frames.depth > 0 && frames.frame[frames.depth - 1].owner < owner) --frames.depth;
    if (frames.depth == 0 || frames.frame[frames.depth - 1].owner != owner) {
        if (frames.depth == Frames::most) return;
        frames.frame[frames.depth++] = {owner, caller, at};
        return;
    }
    Frames::Frame &own = frames.frame[frames.depth - 1];
    const void *const last = own.at;
    own.at = at;
    if (own.caller != caller) {  // another call of the function, or of another one
        own.caller = caller;
    } else if (at <= last) {
        turn(block, thread, frame, at, last);
    }
}

// Locks for atomic operations, by address.
constexpr int locks = 256;
unsigned char held[locks];

unsigned char *lock_of(const volatile void *address) {
    return &held[reinterpret_cast<std::uintptr_t>(address) / 8 % locks];
}

}  // namespace

void begin_atomic(const volatile void *address, std::size_t size, bool polls) {
    void **const frame = static_cast<void **>(__builtin_frame_address(0));
    const void *const plain = const_cast<const void *>(address);
    if (Thread *const thread = running_thread) {
        Block &block = *running_block;
        access(plain, static_cast<unsigned>(size), true, true, frame);
        if (polls) look(block, *thread, plain, static_cast<unsigned>(size), frame);
        if (!block.shared.holds(plain)) block.global_atomics = true;
    }
    while (__atomic_test_and_set(lock_of(address), __ATOMIC_ACQUIRE)) {
    }
}

void library_works(bool begins) { in_library = begins; }

void end_atomic(const volatile void *address) { __atomic_clear(lock_of(address), __ATOMIC_RELEASE); }

}  // namespace cudamigrate_emulation

#define FRAME static_cast<void **>(__builtin_frame_address(0))
#define ACCESS(name, size, write, sync) \
    extern "C" void name(void *address) { cudamigrate_emulation::access(address, size, write, sync, FRAME); }
#define ACCESSES(size)                                                 \
    ACCESS(__tsan_read##size, size, false, false)                      \
    ACCESS(__tsan_write##size, size, true, false)                      \
    ACCESS(__tsan_unaligned_read##size, size, false, false)            \
    ACCESS(__tsan_unaligned_write##size, size, true, false)            \
    ACCESS(__tsan_volatile_read##size, size, false, true)              \
    ACCESS(__tsan_volatile_write##size, size, true, true)              \
    ACCESS(__tsan_unaligned_volatile_read##size, size, false, true)    \
    ACCESS(__tsan_unaligned_volatile_write##size, size, true, true)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
void __tsan_read_range(void *address, unsigned long size) {
    cudamigrate_emulation::access(address, static_cast<unsigned>(size), false, false, FRAME);
}
void __tsan_write_range(void *address, unsigned long size) {
    cudamigrate_emulation::access(address, static_cast<unsigned>(size), true, false, FRAME);
}

void __sanitizer_cov_trace_pc() {
    using namespace cudamigrate_emulation;
    Thread *const thread = running_thread;
    if (thread != nullptr && in_step()) block_begins(*running_block, *thread, FRAME);
}

// An index of an array whose size the compiler knows is outside: the access that follows shows whether it matters.
void __ubsan_handle_out_of_bounds(void *, unsigned long index) {
    using namespace cudamigrate_emulation;
    if (running_thread == nullptr) return;
    running_thread->bounds_passed = true;
    running_thread->bounds_index = static_cast<std::int64_t>(index);
}
}
