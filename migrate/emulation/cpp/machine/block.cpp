// Wavefronts in step, as far as it can be seen: see `choose`.
#include "block.h"

#include <algorithm>
#include <cstring>

#include "report.h"

namespace cudamigrate_emulation {

__thread Block *running_block = nullptr;
__thread Thread *running_thread = nullptr;

bool Spin::watches(const void *address) const {
    return std::any_of(looks, looks + most, [&](const Look &look) { return look.address == address; });
}

bool Spin::look(const Look &now) {
    constexpr int patience = 1000;
    for (const Look &old : looks) {
        if (old.address == now.address && old.place == now.place && old.value == now.value) {
            return ++repeats >= patience;
        }
    }
    looks[next] = now;
    next = (next + 1) % most;
    repeats = 0;
    return false;
}

const void *Block::bottom(const Thread &thread) const {
    return thread.bottom != nullptr ? thread.bottom : fibers_.bottom(thread.number);
}

void Block::begin(const Grid &grid, dim3 place) {
    grid_ = grid;
    if (seed() != seeded_) draw_.seed(seeded_ = seed());
    const dim3 size = grid.how->threads;
    count_ = static_cast<int>(size.x * size.y * size.z);
    waves_ = (count_ + wave_width() - 1) / wave_width();
    threads_.resize(std::max<std::size_t>(threads_.size(), count_));
    for (int number = 0; number < count_; ++number) {
        Thread &thread = threads_[number];
        const unsigned n = static_cast<unsigned>(number);
        thread.state = State::ready;
        thread.number = number;
        thread.wave = number / wave_width();
        thread.lane = number % wave_width();
        thread.branch = 0;
        thread.at = {{n % size.x, n / size.x % size.y, n / (size.x * size.y)}, place, size, grid.how->blocks};
        thread.bottom = nullptr;
        thread.spin = Spin();
        thread.frames.depth = 0;
        thread.turns.depth = 0;
        thread.pending.address = nullptr;
    }
    spinning = 0;
    global_atomics = false;
    shared.begin(grid.how->shared, waves_);
    fibers_.make(count_, work, this);
}

int Block::work(void *context, int number) {
    Block &self = *static_cast<Block *>(context);
    self.threads_[number].bottom = __builtin_frame_address(0);
    (*self.grid_.body)();
    settle(self.threads_[number].pending);
    self.threads_[number].state = State::ended;
    return self.next();
}

// The thread that goes on after the one that stops: the next of its group, which needs no scheduler, or -1.
int Block::next() {
    // a lane that looks again and again at what does not change does nothing, in lock step with others too
    progress_ += running_thread->state != State::spinning && running_thread->spin.repeats == 0;
    if (++group_ == group_end_) {
        running_thread = nullptr;
        return -1;
    }
    current_ = *group_;
    running_thread = &threads_[current_];
    running_thread->state = State::ready;
    return current_;
}

void Block::resume(const int *numbers, int count) {
    group_ = numbers;
    group_end_ = numbers + count;
    current_ = *group_;
    running_thread = &threads_[current_];
    running_thread->state = State::ready;
    fibers_.resume(current_);
}

bool Block::any(State state) const {
    for (int number = 0; number < count_; ++number) {
        if (threads_[number].state == state) return true;
    }
    return false;
}

int Block::living(int wave) const {
    int count = 0;
    for (int n = wave * wave_width(); n < std::min(count_, (wave + 1) * wave_width()); ++n) {
        count += threads_[n].state != State::ended;
    }
    return count;
}

// Whether all lanes wait in one call, which is so nearly always, and needs no comparison of their order.
bool Block::all_together(int first, int last, int *group) const {
    const Thread &one = threads_[first];
    if (one.state != State::in_call) return false;
    for (int number = first; number < last; ++number) {
        const Thread &thread = threads_[number];
        const bool same = thread.state == State::in_call && thread.mask == one.mask && thread.branch == one.branch;
        if (!same || !thread.place.same(one.place)) return false;
        group[number - first] = number;
    }
    return true;
}

// Lanes that run the same call: those that wait at one place. Of several places the one that comes first in the code
// is served first, so lanes in different branches stay apart, and those that are ahead wait where branches meet, as a
// compiler for AMD's GPUs arranges it. Calls with a mask wait for all lanes that the mask names. Returns how many.
int Block::choose(int wave, bool forced, int *group) {
    int waiting[64], count = 0, least = -1;
    std::uint64_t living = 0;
    bool masked = false;
    const int first = wave * wave_width(), last = std::min(count_, first + wave_width());
    if (all_together(first, last, group)) return last - first;
    for (int number = first; number < last; ++number) {
        const Thread &thread = threads_[number];
        if (thread.state != State::ended) living |= std::uint64_t{1} << thread.lane;
        if (thread.state != State::in_call) continue;
        waiting[count++] = number;
        masked = masked || thread.mask != 0;
        if (thread.mask != 0) continue;
        if (least < 0 || thread.place.before(threads_[least].place)) least = number;
    }
    if (least >= 0 && schedule() == Schedule::random && !masked) least = waiting[draw_() % count];
    int ready = masked ? choose_masked(waiting, count, living, forced && least < 0, group) : 0;
    if (least < 0 || (ready > 0 && threads_[group[0]].place.before(threads_[least].place))) return ready;
    ready = 0;
    const Thread &chosen = threads_[least];
    for (int at = 0; at < count; ++at) {
        const Thread &thread = threads_[waiting[at]];
        const bool same = thread.mask == 0 && thread.branch == chosen.branch && thread.place.same(chosen.place);
        if (same) group[ready++] = waiting[at];
    }
    return ready;
}

// The lanes of a call with a mask to which all that it names have come; where there is none and lanes are forced, those
// that can go on at all, which is a fault.
int Block::choose_masked(const int *waiting, int count, std::uint64_t living, bool forced, int *group) {
    for (int strict = 2; strict >= (forced ? 0 : 1); --strict) {
        int best = 0;
        for (int at = 0; at < count; ++at) {
            const Thread &asking = threads_[waiting[at]];
            if (asking.mask == 0) continue;
            std::uint64_t have = 0;
            int found[64], number = 0;
            for (int other = 0; other < count; ++other) {
                const Thread &thread = threads_[waiting[other]];
                if (thread.mask != asking.mask || (strict != 1 && !thread.place.same(asking.place))) continue;
                have |= std::uint64_t{1} << thread.lane;
                found[number++] = waiting[other];
            }
            if (strict > 0 && (asking.mask & living & ~have) != 0) continue;
            if (best > 0 && !asking.place.before(threads_[group[0]].place)) continue;
            std::copy(found, found + number, group);
            best = number;
        }
        if (best > 0 && strict == 0) {
            const Thread &told = threads_[group[0]];
            const char *detail = "the mask names lanes that do not come to this call";
            running_thread = &threads_[group[0]];
            report_fault("mask-names-absent-lanes", told.place, detail);
            running_thread = nullptr;
        }
        if (best > 0) return best;
    }
    return 0;
}

void Block::serve(int wave, const int *group, int count) {
    const int first = wave * wave_width();
    call.lanes = call.odd = 0;
    for (int at = 0; at < count; ++at) {
        const Thread &thread = threads_[group[at]];
        call.lanes |= std::uint64_t{1} << (group[at] - first);
        call.odd |= (thread.value & 1u) << (group[at] - first);
        call.value[group[at] - first] = thread.value;
    }
    call.value[64] = 0x7fc5a5a57fc5a5a5ull ^ draw_();
    for (int number = 0; number < wave_width(); ++number) {
        if ((call.lanes >> number & 1u) == 0) call.value[number] = draw_();
    }
    if (schedule() != Schedule::random) return resume(group, count);
    int order[64];
    std::copy(group, group + count, order);
    std::shuffle(order, order + count, draw_);
    resume(order, count);
}

bool Block::run_wave(int wave, bool forced) {
    constexpr int patience = 4096, patience_for_others = 8;
    bool moved = false;
    const int first = wave * wave_width(), last = std::min(count_, first + wave_width());
    int group[64];
    for (int turns = 0;;) {
        int count = 0;
        for (int number = first; number < last; ++number) {
            if (threads_[number].state == State::ready) group[count++] = number;
        }
        if (count > 0 && schedule() == Schedule::random) std::shuffle(group, group + count, draw_);
        if (count > 0) {
            resume(group, count);
        } else {
            count = choose(wave, forced, group);
            if (count == 0) return moved;
            serve(wave, group, count);
        }
        moved = true;
        forced = false;
        // waves of a block go on side by side: which of them draws a number first is nobody's to say
        if (schedule() == Schedule::random && draw_() % patience_for_others == 0) return moved;
        // other waves may bring what lanes wait for, once this one's have had their turns
        if (spinning > 0 && ++turns > patience) return moved;
    }
}

void Block::pass_barrier() {
    barrier_result = {0, 0};
    int group[1024], count = 0;
    const Thread *first = nullptr;
    for (int number = 0; number < count_; ++number) {
        Thread &thread = threads_[number];
        if (number % wave_width() == 0) first = nullptr;
        if (thread.state != State::at_barrier) continue;
        if (first != nullptr && !thread.place.same(first->place)) {
            running_thread = &thread;
            const char *detail = "threads of one wave wait at different barriers";
            report_fault("barriers-differ-in-wave", thread.place, detail);
            running_thread = nullptr;
        }
        if (first == nullptr) first = &thread;
        barrier_result.yes += thread.predicate;
        barrier_result.all += 1;
        group[count++] = number;
    }
    shared.pass_barrier();
    if (schedule() == Schedule::random) std::shuffle(group, group + count, draw_);
    for (int at = 0; at < count; ++at) threads_[group[at]].state = State::ready;
}

void Block::pass_grid_barrier() {
    shared.pass_barrier();
    for (int number = 0; number < count_; ++number) {
        if (threads_[number].state == State::at_grid_barrier) threads_[number].state = State::ready;
    }
}

bool Block::wake_spinning() {
    const bool some = any(State::spinning);
    for (int number = 0; number < count_; ++number) {
        if (threads_[number].state == State::spinning) threads_[number].state = State::ready;
    }
    spinning = 0;
    return some;
}

Block::Outcome Block::run() {
    std::vector<int> order(waves_);
    for (int wave = 0; wave < waves_; ++wave) order[wave] = wave;
    running_block = this;
    shared.restore();
    Outcome outcome = Outcome::stuck;
    for (int idle = 0; idle < 64;) {  // turns in which lanes did nothing but wait for a value
        const long before = progress_;
        if (schedule() == Schedule::random) std::shuffle(order.begin(), order.end(), draw_);
        bool moved = false;
        for (int wave : order) moved = run_wave(wave, false) || moved;
        const bool waits = wake_spinning();
        idle = progress_ == before ? idle + 1 : 0;
        if (moved || waits) continue;
        for (int wave : order) moved = moved || run_wave(wave, true);
        if (moved) continue;
        if (any(State::at_barrier)) {
            pass_barrier();
            continue;
        }
        outcome = any(State::at_grid_barrier) ? Outcome::at_grid_barrier : Outcome::ended;
        break;
    }
    if (outcome != Outcome::ended) shared.save();
    running_block = nullptr;
    return outcome;
}

}  // namespace cudamigrate_emulation
