// Lanes as fibers, and HIP's functions between lanes.
//
// A lane that reaches such a function stops. When all lanes have stopped or ended, those that stopped at the same
// place, in the same branch and after as many calls are the active lanes of one call, and go on with its result. For
// hardware a place is an address in code; here it is the address that the function returns to, so this is built
// without optimisation, which would copy or join calls.
#include "wavefront.h"

#include <cstdint>
#include <random>
#include <vector>

#include "fibers.h"
#include "hip/hip_runtime.h"
#include "shuffles.h"

namespace {

constexpr int most = 64;

enum class Kind { running, vote, read, meet };

struct Lane {
    Kind kind = Kind::running;
    const void *place = nullptr;
    int branch = 0;
    int calls = 0;
    std::uint32_t value = 0;
    int from = 0;
    std::uint64_t answer = 0;

    bool same_call(const Lane &other) const {
        return kind == other.kind && place == other.place && branch == other.branch && calls == other.calls;
    }
};

Lane lanes[most];
int lane_count = 0;
std::mt19937 draw;

std::uint64_t stop(Kind kind, const void *place) {
    Lane &lane = lanes[fibers::current()];
    lane.kind = kind;
    lane.place = place;
    ++lane.calls;
    fibers::stop();
    lane.kind = Kind::running;
    return lane.answer;
}

std::uint32_t junk() { return draw() | 0x00010000u; }

// The result of a call for the lanes in `active`.
void answer(const std::vector<int> &active) {
    std::uint64_t members = 0, votes = 0;
    for (int number : active) {
        members |= std::uint64_t{1} << number;
        if (lanes[number].value != 0) votes |= std::uint64_t{1} << number;
    }
    for (int number : active) {
        Lane &lane = lanes[number];
        if (lane.kind == Kind::vote) lane.answer = votes;
        if (lane.kind == Kind::read) {
            const bool there = lane.from >= 0 && lane.from < lane_count && (members >> lane.from & 1u) != 0;
            lane.answer = there ? lanes[lane.from].value : junk();
        }
        if (lane.kind == Kind::meet) lane.branch = lane.calls = 0;
    }
}

// Lanes that wait in one call, drawn among the groups that wait. Lanes that only wait for the others come last.
std::vector<int> waiting_group() {
    std::vector<int> waiting, meeting, group;
    for (int number = 0; number < lane_count; ++number) {
        if (fibers::ended(number)) continue;
        (lanes[number].kind == Kind::meet ? meeting : waiting).push_back(number);
    }
    if (waiting.empty()) return meeting;
    const Lane &drawn = lanes[waiting[draw() % waiting.size()]];
    for (int number : waiting) {
        if (lanes[number].same_call(drawn)) group.push_back(number);
    }
    return group;
}

std::uint64_t vote(bool predicate, const void *place) {
    lanes[fibers::current()].value = predicate ? 1 : 0;
    return stop(Kind::vote, place);
}

int read(int value, int from, const void *place) {
    lanes[fibers::current()].value = static_cast<std::uint32_t>(value);
    lanes[fibers::current()].from = from;
    return static_cast<int>(static_cast<std::uint32_t>(stop(Kind::read, place)));
}

}  // namespace

namespace wavefront {

int width() { return lane_count; }
int lane() { return fibers::current(); }

void run(int lanes_wanted, unsigned int seed, const std::function<void()> &body) {
    lane_count = lanes_wanted;
    draw.seed(seed);
    fibers::make(lane_count, body);
    std::vector<int> ready;
    for (int number = 0; number < lane_count; ++number) {
        lanes[number].branch = lanes[number].calls = 0;
        ready.push_back(number);
    }
    while (!ready.empty()) {
        for (int number : ready) fibers::resume(number);
        ready = waiting_group();
        answer(ready);
    }
}

void branch(int number) {
    lanes[fibers::current()].branch = number;
    lanes[fibers::current()].calls = 0;
}

void reconverge() { stop(Kind::meet, nullptr); }

}  // namespace wavefront

#define PLACE __builtin_return_address(0)
#define APART __attribute__((noinline))

APART unsigned long long __ballot(int predicate) { return vote(predicate != 0, PLACE); }
APART int __any(int predicate) { return vote(predicate != 0, PLACE) != 0; }
APART int __all(int predicate) { return vote(predicate == 0, PLACE) == 0; }

APART int __shfl(int value, int lane, int width) { return read(value, shuffles::at(lane, width), PLACE); }
APART int __shfl_up(int value, unsigned int delta, int width) {
    return read(value, shuffles::up(delta, width), PLACE);
}
APART int __shfl_down(int value, unsigned int delta, int width) {
    return read(value, shuffles::down(delta, width), PLACE);
}
APART int __shfl_xor(int value, int lane_mask, int width) {
    return read(value, shuffles::across(lane_mask, width), PLACE);
}

APART unsigned int __shfl(unsigned int value, int lane, int width) {
    return static_cast<unsigned int>(read(static_cast<int>(value), shuffles::at(lane, width), PLACE));
}
APART unsigned int __shfl_up(unsigned int value, unsigned int delta, int width) {
    return static_cast<unsigned int>(read(static_cast<int>(value), shuffles::up(delta, width), PLACE));
}
APART unsigned int __shfl_down(unsigned int value, unsigned int delta, int width) {
    return static_cast<unsigned int>(read(static_cast<int>(value), shuffles::down(delta, width), PLACE));
}
APART unsigned int __shfl_xor(unsigned int value, int lane_mask, int width) {
    return static_cast<unsigned int>(read(static_cast<int>(value), shuffles::across(lane_mask, width), PLACE));
}
