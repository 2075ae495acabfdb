// Every access to memory of the emulated program, as the compiler tells of it.
//
// The program is compiled for the thread sanitizer and with coverage of basic blocks: the compiler then calls a
// function before each access that may concern others, and at the begin of each basic block. The sanitizers' own
// libraries are not linked; these are the functions.
#include <cstdint>
#include <cstring>
#include <unordered_map>

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
    thread.place.take(frame, block.bottom(thread), thread.turns);
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
    thread.place = place_of(block, thread, frame);
    ++block.spinning;
    block.stop(State::spinning);
    thread.spin.repeats = 1;
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
        if (device_region.holds(address) && !in_library) check_device(nullptr, nullptr, made);
        return;
    }
    Block &block = *running_block;
    if (thread->pending.address != nullptr) settle(thread->pending);
    const bool shared = block.shared.holds(address), device = !shared && device_region.holds(address);
    if (!shared && !device && !sync) return;
    if (shared || sync) step(block, *thread, frame);
    if (sync && !write) look(block, *thread, address, size, frame);
    if (shared) block.shared.check(*thread, made);
    if (device && !is_allocated(made.address, size)) check_device(&block, thread, made);
    if (write) wrote(block, *thread, address);
}

// What is known of the loop that begins with a block. One worker runs a block of threads from begin to end.
Loop &loop_of(const void *header) {
    static thread_local std::unordered_map<const void *, Loop> loops;
    return loops.emplace(header, Loop{header, header}).first->second;
}

// A function begins in a frame: loops of what was there before are over.
void forget(Turns &turns, const void *owner) {
    while (turns.depth > 0 && turns.turn[turns.depth - 1].owner <= owner) --turns.depth;
}

// A loop turns: loops in it begin anew when they are reached again.
void turn(Turns &turns, const void *owner, const void *header, const void *latch) {
    while (turns.depth > 0) {
        Turn &inner = turns.turn[turns.depth - 1];
        if (inner.owner > owner || (inner.owner == owner && inner.loop->header <= header)) break;
        --turns.depth;
    }
    Turn *known = turns.depth > 0 ? &turns.turn[turns.depth - 1] : nullptr;
    if (known == nullptr || known->owner != owner || known->loop->header != header) {
        if (turns.depth == Turns::most) return;
        known = &turns.turn[turns.depth++];
        *known = {owner, &loop_of(header), 0};
    }
    ++known->count;
    if (latch > known->loop->latch) loop_of(header).latch = latch;
}

// The frame of the function that runs, those of functions that have ended taken away; null where there are too many.
Frames::Frame *frame_of(Frames &frames, const void *owner) {
    while (frames.depth > 0 && frames.frame[frames.depth - 1].owner < owner) --frames.depth;
    if (frames.depth > 0 && frames.frame[frames.depth - 1].owner == owner) return &frames.frame[frames.depth - 1];
    if (frames.depth == Frames::most) return nullptr;
    frames.frame[frames.depth] = {owner, nullptr, nullptr};
    return &frames.frame[frames.depth++];
}

// A function begins. The compiler tells of those that call something or use memory, which are those that can stop.
void function_begins(Thread &thread, void **frame) {
    const void *const owner = frame[0];
    Frames::Frame *const own = frame_of(thread.frames, owner);
    if (own == nullptr) return;
    own->caller = static_cast<void **>(frame[0])[1];
    own->at = nullptr;
    forget(thread.turns, owner);
}

// A basic block begins: where it is not behind the last one of its frame, a loop turns.
void block_begins(Thread &thread, void **frame) {
    const void *const owner = frame[0], *const at = frame[1], *const caller = static_cast<void **>(frame[0])[1];
    Frames::Frame *const own = frame_of(thread.frames, owner);
    if (own == nullptr) return;
    const void *const last = own->at;
    own->at = at;
    if (own->caller != caller) {  // another call of the function, or of another one
        own->caller = caller;
        forget(thread.turns, owner);
    } else if (at <= last) {
        turn(thread.turns, owner, at, last);
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
void __tsan_func_entry(void *) {
    using namespace cudamigrate_emulation;
    Thread *const thread = running_thread;
    if (thread != nullptr) function_begins(*thread, FRAME);
}
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
    if (thread != nullptr) block_begins(*thread, FRAME);
}

// An index of an array whose size the compiler knows is outside: the access that follows shows whether it matters.
void __ubsan_handle_out_of_bounds(void *, unsigned long index) {
    using namespace cudamigrate_emulation;
    if (running_thread == nullptr) return;
    running_thread->bounds_passed = true;
    running_thread->bounds_index = static_cast<std::int64_t>(index);
}
}
