// Wavefronts in lock step, as far as calls show it.
//
// A thread runs until it calls something that concerns others. When all threads of a wavefront have stopped or ended,
// those that stopped in one call go on with its result. A call is known by the return addresses on the stack. Of
// several, the one that comes first in the code is served first: so lanes in different branches stay apart, and those
// that are ahead wait where branches meet, as a compiler for AMD GPUs arranges it. The order of wavefronts, and that
// of lanes between two calls, is drawn. Built without optimisation, which would copy or join calls.
#include "grid.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "../fibers.h"
#include "../wavefront.h"
#include "hip/hip_runtime.h"

namespace {

enum class State { running, in_call, at_barrier };

struct Thread {
    State state = State::running;
    grid::Indices at;
    std::vector<const void *> call;
    std::uint64_t value = 0;
    grid::Call answer;
};

Thread threads[fibers::most];
int count = 0;
std::mt19937_64 draw(1);

int wave() {
    static const int lanes = std::getenv("WAVE") != nullptr ? std::atoi(std::getenv("WAVE")) : 32;
    return lanes;
}

Thread &self() { return threads[fibers::current()]; }

// Return addresses from where the thread began to the function that asks.
std::vector<const void *> stack(void **frame) {
    std::vector<const void *> places;
    for (; frame != fibers::bottom(); frame = static_cast<void **>(frame[0])) places.push_back(frame[1]);
    std::reverse(places.begin(), places.end());
    return places;
}

void resume_all(std::vector<int> numbers) {
    std::shuffle(numbers.begin(), numbers.end(), draw);
    for (int number : numbers) {
        threads[number].state = State::running;
        fibers::resume(number);
    }
}

std::vector<int> waiting(State state, int first, int last) {
    std::vector<int> found;
    for (int number = first; number < last; ++number) {
        if (!fibers::ended(number) && threads[number].state == state) found.push_back(number);
    }
    return found;
}

// Serve the first call that lanes of a wavefront wait in; false where none wait.
bool serve(int first) {
    std::vector<int> lanes = waiting(State::in_call, first, std::min(count, first + wave()));
    if (lanes.empty()) return false;
    const auto least = *std::min_element(lanes.begin(), lanes.end(),
                                         [](int a, int b) { return threads[a].call < threads[b].call; });
    const std::vector<const void *> place = threads[least].call;
    lanes.erase(std::remove_if(lanes.begin(), lanes.end(), [&](int n) { return threads[n].call != place; }),
                lanes.end());
    grid::Call call = {};
    for (std::uint64_t &value : call.value) value = draw();
    for (int number : lanes) {
        call.lanes |= std::uint64_t{1} << (number - first);
        call.value[number - first] = threads[number].value;
    }
    for (int number : lanes) threads[number].answer = call;
    resume_all(lanes);
    return true;
}

void run_block() {
    std::vector<int> all(count), waves;
    for (int number = 0; number < count; ++number) {
        all[number] = number;
        if (number % wave() == 0) waves.push_back(number);
    }
    resume_all(all);
    for (bool moved = true; moved;) {
        std::shuffle(waves.begin(), waves.end(), draw);
        moved = false;
        for (int first : waves) moved |= serve(first);
        if (moved) continue;
        const std::vector<int> arrived = waiting(State::at_barrier, 0, count);
        moved = !arrived.empty();
        resume_all(arrived);
    }
}

}  // namespace

namespace grid {

const Indices &here() { return self().at; }

const Call &meet(std::uint64_t value) {
    Thread &thread = self();
    thread.value = value;
    thread.call = stack(static_cast<void **>(__builtin_frame_address(0)));
    thread.state = State::in_call;
    fibers::stop();
    return thread.answer;
}

void barrier() {
    self().state = State::at_barrier;
    fibers::stop();
}

void launch(const std::function<void()> &kernel, dim3 blocks, dim3 size, std::size_t, int) {
    count = static_cast<int>(size.x * size.y * size.z);
    if (count > fibers::most) std::abort();
    for (unsigned int block = 0; block < blocks.x * blocks.y * blocks.z; ++block) {
        const dim3 place(block % blocks.x, block / blocks.x % blocks.y, block / (blocks.x * blocks.y));
        fibers::make(count, kernel);
        for (int number = 0; number < count; ++number) {
            const unsigned int n = static_cast<unsigned int>(number);
            threads[number].at = {dim3(n % size.x, n / size.x % size.y, n / (size.x * size.y)), place, size, blocks};
        }
        run_block();
    }
}

}  // namespace grid

namespace wavefront {

int width() { return wave(); }
int lane() { return fibers::current() % wave(); }

}  // namespace wavefront
