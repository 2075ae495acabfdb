// A block of threads, as the parts of the machine see it; no header of the emulation includes this.
#ifndef CUDAMIGRATE_EMULATION_BLOCK_H
#define CUDAMIGRATE_EMULATION_BLOCK_H

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "fibers.h"
#include "machine.h"
#include "report.h"
#include "shared_memory.h"

namespace cudamigrate_emulation {

enum class State : std::uint8_t { ready, in_call, at_barrier, at_grid_barrier, spinning, ended };

// The last looks of a thread at values that others may change. Where each finds again what it found, the thread waits.
struct Spin {
    static constexpr int most = 4;
    struct Look {
        const void *address, *place;
        std::uint64_t value;
    };
    Look looks[most] = {};
    int next = 0, repeats = 0;
    bool freed_by_own_wave = false;

    bool watches(const void *address) const;
    // Whether the thread has found nothing new for so long that it is taken to wait.
    bool look(const Look &now);
};

// The last basic block seen in each frame of a thread's stack, the innermost last: a lower one is a loop's next turn.
struct Frames {
    static constexpr int most = 32;
    struct Frame {
        const void *owner, *caller, *at;
    };
    int depth = 0;
    Frame frame[most];
};

struct Thread {
    State state = State::ready;
    int number = 0, wave = 0, lane = 0, branch = 0;
    bool predicate = false;
    bool bounds_passed = false;  // by an index of a static array, which the next access may show to be a fault
    std::uint64_t value = 0, mask = 0;
    const void *bottom = nullptr;
    Indices at;
    Frames frames;
    Turns turns;
    Place place;
    std::int64_t bounds_index = 0;
    PendingWrite pending;
    Spin spin;
};

class Block {
public:
    // What all blocks of a launch share.
    struct Grid {
        const char *kernel;
        const Launch *how;
        const std::function<void()> *body;
    };

    explicit Block(unsigned long seed) : draw_(seed), seeded_(seed) {}

    void begin(const Grid &grid, dim3 place);

    // Runs threads until all have ended, wait for the grid, or wait for what this block cannot bring.
    enum class Outcome { ended, at_grid_barrier, stuck };
    Outcome run();
    void pass_grid_barrier();

    // For the thread that runs.
    Thread &current() { return threads_[current_]; }
    void stop(State state) {
        threads_[current_].state = state;
        fibers_.pass_to(next());
    }

    // Where a thread's own stack begins: above the frames that lead to each kernel, which are the same for all.
    const void *bottom(const Thread &thread) const;
    const Grid &grid() const { return grid_; }
    int living(int wave) const;
    int waves() const { return waves_; }

    Call call;
    Barrier barrier_result = {0, 0};
    SharedMemory shared;
    std::mt19937_64 &draw() { return draw_; }
    int spinning = 0;
    bool global_atomics = false;
    std::vector<Thread> &threads() { return threads_; }

private:
    static int work(void *context, int number);
    int next();
    bool run_wave(int wave, bool forced);
    void resume(const int *numbers, int count);
    bool all_together(int first, int last, int *group) const;
    int choose(int wave, bool forced, int *group);
    int choose_masked(const int *waiting, int count, std::uint64_t living, bool forced, int *group);
    void serve(int wave, const int *group, int count);
    void pass_barrier();
    bool any(State state) const;
    bool wake_spinning();
    long progress_ = 0;

    Grid grid_ = {};
    int count_ = 0, waves_ = 0, current_ = 0;
    const int *group_ = nullptr, *group_end_ = nullptr;  // the threads that go on one after the other
    std::vector<Thread> threads_;
    Fibers fibers_;
    std::mt19937_64 draw_;
    unsigned long seeded_;
};

// The block that runs on this thread of the operating system, and its thread that runs; null on the host.
extern __thread Block *running_block;
extern __thread Thread *running_thread;

// How lanes go, as the environment or a test says.
extern Schedule order_of_lanes;
inline Schedule schedule() { return order_of_lanes; }
unsigned long seed();

// Whether lanes of a wave run in lock step by the hardware's design, so that one that waits for another one waits for
// ever: so on AMD's GPUs, and not on NVIDIA's since Volta.
bool is_amd();

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_BLOCK_H
