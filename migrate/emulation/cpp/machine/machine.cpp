// The functions of machine.h that concern the thread that runs.
#include "machine.h"

#include <cstdio>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "block.h"
#include "device_memory.h"

namespace cudamigrate_emulation {

namespace {

const char *setting(const char *name, const char *otherwise) {
    const char *given = std::getenv(name);
    return given == nullptr ? otherwise : given;
}

Schedule given_schedule() {
    const char *word = setting("CUDAMIGRATE_EMULATION_SCHEDULE", "lockstep");
    return std::strcmp(word, "free") == 0 ? Schedule::free
           : std::strcmp(word, "random") == 0 ? Schedule::random : Schedule::lockstep;
}

int width = std::atoi(setting("CUDAMIGRATE_EMULATION_WAVE", "32"));
const bool amd = std::strcmp(setting("CUDAMIGRATE_EMULATION_VENDOR", "nvidia"), "amd") == 0;
unsigned long first_seed = std::strtoul(setting("CUDAMIGRATE_EMULATION_SEED", "1"), nullptr, 10);

// The thread that runs, about to stop; `what` is told where the host asks.
Thread &asking(const char *what, void **frame) {
    if (running_thread == nullptr) missing(what);
    Thread &thread = *running_thread;
    if (thread.pending.address != nullptr) settle(thread.pending);
    thread.place.take(frame, running_block->bottom(thread), thread.turns);
    return thread;
}

}  // namespace

Schedule order_of_lanes = given_schedule();

void set_wave_width(int lanes) { width = lanes; }
void set_schedule(Schedule wanted, unsigned long seed) {
    order_of_lanes = wanted;
    first_seed = seed;
}
unsigned long seed() { return first_seed; }
bool is_amd() { return amd; }

const Indices &here() {
    static const Indices host = {};
    return running_thread == nullptr ? host : running_thread->at;
}

int wave_width() { return width; }
int lane() { return running_thread == nullptr ? 0 : running_thread->lane; }

namespace {

const Call &meet_from(void **frame, std::uint64_t value, std::uint64_t mask) {
    Thread &thread = asking("a warp function that the host calls", frame);
    thread.value = value;
    thread.mask = mask;
    running_block->stop(State::in_call);
    return running_block->call;
}

}  // namespace

#define CALLER static_cast<void **>(__builtin_frame_address(0))

const Call &meet(std::uint64_t value, std::uint64_t mask) { return meet_from(CALLER, value, mask); }

std::uint64_t ballot(bool predicate, std::uint64_t mask) {
    return meet_from(CALLER, predicate, mask).odd;
}

std::uint64_t match_bits(std::uint64_t among, std::uint64_t value, std::uint64_t mask) {
    const Call &call = meet_from(CALLER, value, mask);
    std::uint64_t same = 0;
    for (std::uint64_t left = call.lanes & among; left != 0; left &= left - 1) {
        const int lane = __builtin_ctzll(left);
        same |= std::uint64_t{call.value[lane] == value} << lane;
    }
    return same;
}

int gather(std::uint64_t among, std::uint64_t value, std::uint64_t mask, std::uint64_t *values) {
    const Call &call = meet_from(CALLER, value, mask);
    int count = 0;
    for (std::uint64_t left = call.lanes & among; left != 0; left &= left - 1) {
        values[count++] = call.value[__builtin_ctzll(left)];
    }
    return count;
}

std::uint64_t brought(const Call &call, int from) {
    const bool there = from >= 0 && from < width && (call.lanes >> from & 1u) != 0;
    if (there) return call.value[from];
    const std::string which = from < 0 ? "that is none" : std::to_string(from);
    report_fault("read-of-absent-lane", running_thread->place, "reads lane " + which + ", which does not take part");
    return call.value[from < 0 || from >= width ? 64 : from];
}

std::uint64_t exchange(std::uint64_t value, int from, std::uint64_t mask) {
    const Call &call = meet_from(CALLER, value, mask);
    const bool there = static_cast<unsigned>(from) < 64u && (call.lanes >> from & 1u) != 0;
    return there ? call.value[from] : brought(call, from);
}

Barrier barrier(int predicate) {
    Thread &thread = asking("a barrier on the host", CALLER);
    thread.predicate = predicate != 0;
    running_block->stop(State::at_barrier);
    return running_block->barrier_result;
}

void grid_barrier() {
    asking("a barrier on the host", CALLER);
    if (!running_block->grid().how->cooperative) missing("a barrier of the grid in a launch that is not cooperative");
    running_block->stop(State::at_grid_barrier);
}

void set_branch(int number) { running_thread->branch = number; }

void *dynamic_shared() { return running_block == nullptr ? nullptr : running_block->shared.dynamic(); }
std::size_t dynamic_shared_bytes() { return running_block == nullptr ? 0 : running_block->shared.dynamic_bytes(); }

void missing(const char *what) {
    record(std::string("\"record\": \"missing\", \"what\": \"") + what + "\"");
    std::fprintf(stderr, "emulation: not emulated: %s\n", what);
    std::fflush(nullptr);
    std::_Exit(119);
}

namespace {

// Bytes of a type that is not known, with the number of an allocation and the place in it for each address of device
// memory: where memory is differs from run to run.
std::vector<unsigned char> without_addresses(const void *bytes, std::size_t count) {
    std::vector<unsigned char> made(count);
    std::memcpy(made.data(), bytes, count);
    for (std::size_t at = 0; at + sizeof(void *) <= count; at += sizeof(void *)) {
        std::uintptr_t word = 0;
        std::memcpy(&word, &made[at], sizeof(word));
        const unsigned char *const address = reinterpret_cast<const unsigned char *>(word);
        const Allocation *const found = find_allocation(address);
        if (found == nullptr) continue;
        word = (static_cast<std::uintptr_t>(found->number) << 40) + static_cast<std::uintptr_t>(address - found->begin);
        std::memcpy(&made[at], &word, sizeof(word));
    }
    return made;
}

}  // namespace

void record_copy(const void *device, const void *host, std::size_t bytes, const char *type, bool shared) {
    constexpr std::size_t most = std::size_t{16} << 20;
    const Allocation *found = find_allocation(device);
    if (found == nullptr || host == nullptr) return;
    char fields[512];
    const long at = static_cast<const unsigned char *>(device) - found->begin;
    const char *known = found->type.empty() ? type : found->type.c_str();
    std::snprintf(fields, sizeof(fields),
                  "\"record\": \"copy\", \"buffer\": %d, \"place\": \"%p\", \"offset\": %ld, \"type\": \"%s\", "
                  "\"kernel\": \"%.200s\", \"shared\": %s, \"bytes\": %zu",
                  found->number, found->place, at, known, found->kernel.c_str(), shared ? "true" : "false", bytes);
    const std::size_t count = bytes < most ? bytes : most;
    if (*known != '\0') return record(fields, host, count);
    record(fields, without_addresses(host, count).data(), count);
}

void record_symbol(const void *host, std::size_t bytes, const char *type, const void *place) {
    char fields[256];
    std::snprintf(fields, sizeof(fields),
                  "\"record\": \"copy\", \"buffer\": 0, \"place\": \"%p\", \"offset\": 0, \"type\": \"%s\", "
                  "\"kernel\": \"\", \"bytes\": %zu",
                  place, type, bytes);
    record(fields, host, bytes);
}

// The host may read what kernels left in memory of both.
void record_shared_with_host() {
    for_each_allocation([](Allocation &one) {
        if (!one.on_host || one.freed || !one.used) return;
        one.used = false;
        record_copy(one.begin, one.begin, one.bytes, "", true);
    });
}

}  // namespace cudamigrate_emulation
