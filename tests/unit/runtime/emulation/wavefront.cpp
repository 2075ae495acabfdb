// Lanes as fibers, and HIP's functions between lanes.
//
// A lane that reaches such a function stops. When all lanes have stopped or ended, those that stopped at the same
// place, in the same branch and after as many calls are the active lanes of one call, and go on with its result. For
// hardware a place is an address in code; here it is the address that the function returns to, so this is built
// without optimisation, which would copy or join calls.
#include "wavefront.h"

#include <setjmp.h>
#include <ucontext.h>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "hip/hip_runtime.h"

namespace {

constexpr int most = 64;
constexpr std::size_t stack_bytes = 64 * 1024;

enum class Kind { running, vote, read, meet, ended };

struct Lane {
    Kind kind = Kind::ended;
    bool started = false;
    const void *place = nullptr;
    int branch = 0;
    int calls = 0;
    std::uint32_t value = 0;
    int from = 0;
    std::uint64_t answer = 0;
    jmp_buf here;
    ucontext_t first;
    std::unique_ptr<char[]> stack;

    bool same_call(const Lane &other) const {
        return kind == other.kind && place == other.place && branch == other.branch && calls == other.calls;
    }
};

Lane lanes[most];
int lane_count = 0;
int current = 0;
jmp_buf scheduler;
const std::function<void()> *work = nullptr;
std::mt19937 draw;

void enter() {
    (*work)();
    lanes[current].kind = Kind::ended;
    _longjmp(scheduler, 1);
}

// Run one lane until it stops or ends. _setjmp keeps no signal mask, which makes it quicker than swapcontext.
void resume(int number) {
    current = number;
    Lane &lane = lanes[number];
    lane.kind = Kind::running;
    if (_setjmp(scheduler) != 0) return;
    if (lane.started) _longjmp(lane.here, 1);
    lane.started = true;
    getcontext(&lane.first);
    lane.first.uc_stack.ss_sp = lane.stack.get();
    lane.first.uc_stack.ss_size = stack_bytes;
    lane.first.uc_link = nullptr;
    makecontext(&lane.first, enter, 0);
    setcontext(&lane.first);
}

std::uint64_t stop(Kind kind, const void *place) {
    Lane &lane = lanes[current];
    lane.kind = kind;
    lane.place = place;
    ++lane.calls;
    if (_setjmp(lane.here) == 0) _longjmp(scheduler, 1);
    return lanes[current].answer;
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
        if (lanes[number].kind == Kind::ended) continue;
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
    lanes[current].value = predicate ? 1 : 0;
    return stop(Kind::vote, place);
}

int read(int value, int from, const void *place) {
    lanes[current].value = static_cast<std::uint32_t>(value);
    lanes[current].from = from;
    return static_cast<int>(static_cast<std::uint32_t>(stop(Kind::read, place)));
}

}  // namespace

namespace wavefront {

int width() { return lane_count; }
int lane() { return current; }

void run(int lanes_wanted, unsigned int seed, const std::function<void()> &body) {
    lane_count = lanes_wanted;
    work = &body;
    draw.seed(seed);
    std::vector<int> ready;
    for (int number = 0; number < lane_count; ++number) {
        Lane &lane = lanes[number];
        if (!lane.stack) lane.stack.reset(new char[stack_bytes]);
        lane.started = false;
        lane.branch = lane.calls = 0;
        ready.push_back(number);
    }
    while (!ready.empty()) {
        for (int number : ready) resume(number);
        ready = waiting_group();
        answer(ready);
    }
}

void branch(int number) {
    lanes[current].branch = number;
    lanes[current].calls = 0;
}

void reconverge() { stop(Kind::meet, nullptr); }

}  // namespace wavefront

#define PLACE __builtin_return_address(0)
#define APART __attribute__((noinline))

APART unsigned long long __ballot(int predicate) { return vote(predicate != 0, PLACE); }
APART int __any(int predicate) { return vote(predicate != 0, PLACE) != 0; }
APART int __all(int predicate) { return vote(predicate == 0, PLACE) == 0; }

// Releases of HIP disagree about a lane outside the part, so none may be asked for.
static int source(int lane, int width) {
    return lane >= 0 && lane < width ? lane + (current & ~(width - 1)) : -1;
}
static int above(int delta, int width) { return (current & (width - 1)) + delta >= width ? current : current + delta; }
static int below(int delta, int width) { return current - delta < (current & ~(width - 1)) ? current : current - delta; }
static int across(int lane_mask, int width) {
    const int from = current ^ lane_mask;
    return from >= ((current + width) & ~(width - 1)) ? current : from;
}

APART int __shfl(int value, int lane, int width) { return read(value, source(lane, width), PLACE); }
APART int __shfl_up(int value, unsigned int delta, int width) {
    return read(value, below(static_cast<int>(delta), width), PLACE);
}
APART int __shfl_down(int value, unsigned int delta, int width) {
    return read(value, above(static_cast<int>(delta), width), PLACE);
}
APART int __shfl_xor(int value, int lane_mask, int width) { return read(value, across(lane_mask, width), PLACE); }

APART unsigned int __shfl(unsigned int value, int lane, int width) {
    return static_cast<unsigned int>(read(static_cast<int>(value), source(lane, width), PLACE));
}
APART unsigned int __shfl_up(unsigned int value, unsigned int delta, int width) {
    return static_cast<unsigned int>(read(static_cast<int>(value), below(static_cast<int>(delta), width), PLACE));
}
APART unsigned int __shfl_down(unsigned int value, unsigned int delta, int width) {
    return static_cast<unsigned int>(read(static_cast<int>(value), above(static_cast<int>(delta), width), PLACE));
}
APART unsigned int __shfl_xor(unsigned int value, int lane_mask, int width) {
    return static_cast<unsigned int>(read(static_cast<int>(value), across(lane_mask, width), PLACE));
}
