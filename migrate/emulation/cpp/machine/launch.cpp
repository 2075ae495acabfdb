// Launches: the blocks of a grid on the cores of this machine.
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include "block.h"
#include "device_memory.h"

namespace cudamigrate_emulation {

namespace {

constexpr unsigned most_threads = 1024;
constexpr std::size_t most_shared = 232448;  // of any GPU of today
constexpr std::size_t resident = 256;        // blocks that wait for others at one time

int error = 0;
thread_local std::vector<std::pair<const void *, std::pair<const char *, std::size_t>>> seen;
std::mutex one_at_a_time;  // of launches by several threads of the host

// A fault of the hardware: told with the place, and the end.
void on_signal(int number, siginfo_t *, void *context) {
    const auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext;
    Place place;
#if defined(__x86_64__)
    void **frame = reinterpret_cast<void **>(registers.gregs[REG_RBP]);
    place.address[place.depth++] = reinterpret_cast<void *>(registers.gregs[REG_RIP]);
    if (running_thread != nullptr) {
        Place callers;
        callers.take(frame, running_block->bottom(*running_thread));
        for (int at = 0; at + 1 < Place::most && at < callers.depth; ++at)
            place.address[place.depth++] = callers.address[at];
    }
#else
    static_cast<void>(registers);
#endif
    report_fault("invalid-access", place, number == SIGFPE ? "divides by zero" : "uses an address that is none");
    std::_Exit(118);
}

void catch_signals() {
    static thread_local char stack[64 * 1024];
    stack_t room = {};
    room.ss_sp = stack;
    room.ss_size = sizeof(stack);
    sigaltstack(&room, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE}) sigaction(number, &action, nullptr);
}

// Threads of the operating system that run blocks; the host's thread never does, so that thread-local variables of the
// program keep their values.
class Workers {
public:
    void run(int wanted, const std::function<void()> &job) {
        std::unique_lock<std::mutex> lock(guard_);
        while (static_cast<int>(threads_.size()) < wanted) {
            start(static_cast<int>(threads_.size()));
        }
        job_ = &job;
        wanted_ = running_ = wanted;
        ++round_;
        wake_.notify_all();
        done_.wait(lock, [this] { return running_ == 0; });
    }

private:
    struct Start {
        Workers *workers;
        int number;
    };

    // A thread with its stack, and with that its shared variables, at low addresses.
    void start(int number) {
        constexpr std::size_t stack_bytes = 8 << 20;
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, low_memory(stack_bytes), stack_bytes);
        const auto body = [](void *given) -> void * {
            const Start *const with = static_cast<Start *>(given);
            with->workers->serve(with->number);
            return nullptr;
        };
        pthread_t made;
        if (pthread_create(&made, &attributes, body, new Start{this, number}) != 0) missing("another thread");
        threads_.push_back(made);
        pthread_attr_destroy(&attributes);
    }

    void serve(int number) {
        catch_signals();
        for (long seen_round = 0;;) {
            std::unique_lock<std::mutex> lock(guard_);
            wake_.wait(lock, [&] { return round_ > seen_round && number < wanted_; });
            seen_round = round_;
            lock.unlock();
            (*job_)();
            lock.lock();
            if (--running_ == 0) done_.notify_all();
        }
    }

    std::mutex guard_;
    std::condition_variable wake_, done_;
    std::vector<pthread_t> threads_;
    const std::function<void()> *job_ = nullptr;
    int wanted_ = 0, running_ = 0;
    long round_ = 0;
};

// They last until the process ends, which a kernel may do too.
Workers &workers() {
    static Workers *const made = new Workers;
    return *made;
}

dim3 place_of(std::uint64_t number, dim3 grid) {
    const std::uint64_t plane = std::uint64_t{grid.x} * grid.y;
    return dim3(static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
                static_cast<unsigned>(number / plane));
}

// The blocks that one worker holds. Those that wait for other blocks stay, each with its stacks, and are tried again.
class Resident {
public:
    explicit Resident(const Block::Grid &grid) : grid_(grid) {}

    void begin(std::uint64_t number) {
        std::unique_ptr<Block> block = take();
        block->begin(grid_, place_of(number, grid_.how->blocks));
        if (!advance(*block)) return waiting_.push_back(std::move(block));
        global_atomics = global_atomics || block->global_atomics;
        idle().push_back(std::move(block));
    }

    // Whether all blocks have ended; else those that wait for each other have been let on, or never will be.
    void finish() {
        while (!waiting_.empty()) {
            if (retry()) continue;
            const auto at_grid = [](const Held &block) { return block.second == Block::Outcome::at_grid_barrier; };
            if (!std::all_of(held_.begin(), held_.end(), [&](const auto &entry) { return at_grid(entry); }))
                return stuck();
            for (auto &block : waiting_) block->pass_grid_barrier();
        }
    }
    bool waits() const { return !waiting_.empty(); }
    bool full() const { return waiting_.size() >= resident; }

    // Run waiting blocks again; whether one has ended.
    bool retry() {
        bool ended = false;
        held_.clear();
        for (auto &block : waiting_) {
            const Block::Outcome outcome = block->run();
            if (outcome == Block::Outcome::ended) {
                idle().push_back(std::move(block));
                ended = true;
            } else {
                held_.push_back({block.get(), outcome});
            }
        }
        waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), nullptr), waiting_.end());
        return ended;
    }

    bool global_atomics = false;

private:
    typedef std::pair<Block *, Block::Outcome> Held;

    static std::vector<std::unique_ptr<Block>> &idle() {
        static thread_local std::vector<std::unique_ptr<Block>> blocks;
        return blocks;
    }
    static std::unique_ptr<Block> take() {
        if (idle().empty()) return std::unique_ptr<Block>(new Block(seed()));
        std::unique_ptr<Block> block = std::move(idle().back());
        idle().pop_back();
        return block;
    }
    static bool advance(Block &block) { return block.run() == Block::Outcome::ended; }

    // Told for one of the threads that wait; all of them are as they stopped last.
    [[noreturn]] void stuck() {
        Place place;
        for (auto &block : waiting_) {
            for (Thread &thread : block->threads()) {
                if (place.depth > 0 || thread.state == State::ended || thread.place.depth == 0) continue;
                running_block = block.get();
                running_thread = &thread;
                place = thread.place;
            }
        }
        report_fault("deadlock", place, "threads wait for a value or a barrier that no other thread brings");
        std::fflush(nullptr);
        std::_Exit(118);
    }

    const Block::Grid &grid_;
    std::vector<std::unique_ptr<Block>> waiting_;
    std::vector<Held> held_;
};

std::uint64_t blocks_of(const Launch &how) { return std::uint64_t{how.blocks.x} * how.blocks.y * how.blocks.z; }

bool is_valid(const Launch &how) {
    const std::uint64_t threads = std::uint64_t{how.threads.x} * how.threads.y * how.threads.z;
    return threads > 0 && threads <= most_threads && blocks_of(how) > 0 && how.shared <= most_shared;
}

// With `probes` the first block alone where it has nothing to do with others; whether others are left for that.
bool run_in_order(const Block::Grid &grid, const std::vector<std::uint64_t> &numbers, bool probes) {
    bool left = false;
    workers().run(1, [&] {
        Resident blocks(grid);
        for (std::uint64_t number : numbers) {
            blocks.begin(number);
            left = probes && number == numbers.front() && !blocks.waits() && !blocks.global_atomics;
            if (left) return;
            if (blocks.full()) blocks.retry();
        }
        blocks.finish();
    });
    return left;
}

void run_on_all_cores(const Block::Grid &grid, std::uint64_t first) {
    std::atomic<std::uint64_t> next(first);
    const std::uint64_t count = blocks_of(*grid.how);
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    workers().run(static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(cores), count - first)), [&] {
        Resident blocks(grid);
        for (std::uint64_t number = next++; number < count; number = next++) blocks.begin(number);
        blocks.finish();
    });
}

// The numbers of the arguments' buffers as a list; they are noted as used by the kernel.
std::string arguments(const char *kernel) {
    std::string list;
    for (const auto &pointer : seen) {
        Allocation *const found = find_allocation(pointer.first);
        if (found == nullptr || bytes_behind(pointer.first) == 0) continue;
        found->kernel = kernel;
        found->used = true;
        if (pointer.second.first[0] != 0) found->type = pointer.second.first;
        list += (list.empty() ? "" : ", ") + std::to_string(found->number);
    }
    seen.clear();
    return list;
}

}  // namespace

void see_pointer(const void *address, const char *type, std::size_t size) {
    if (is_device(address)) seen.push_back({address, {type, size}});
}

int last_error(bool clear) {
    const int told = error;
    if (clear) error = 0;
    return told;
}

// Blocks run in order, so that runs repeat themselves; on all cores those of a kernel whose first block shows that it
// changes nothing together with others.
void launch(const char *kernel, const Launch &how, const std::function<void()> &body) {
    if (running_thread != nullptr) missing("a launch from inside a kernel");
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    static const bool once = (catch_signals(), true);
    static_cast<void>(once);
    const std::string given = arguments(kernel);
    const dim3 blocks = how.blocks, threads = how.threads;
    char fields[640];
    std::snprintf(
        fields, sizeof(fields),
        "\"record\": \"launch\", \"kernel\": \"%.200s\", \"blocks\": [%u, %u, %u], \"threads\": [%u, %u, %u], "
        "\"buffers\": [%.200s], \"valid\": %s",
        kernel, blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z, given.c_str(),
        is_valid(how) ? "true" : "false");
    record(fields);
    if (!is_valid(how)) {
        error = 9;
        return;
    }
    const Block::Grid grid = {kernel, &how, &body};
    std::vector<std::uint64_t> numbers(blocks_of(how));
    for (std::uint64_t number = 0; number < numbers.size(); ++number) numbers[number] = number;
    static std::mt19937_64 draw(seed());
    const bool any_order = schedule() == Schedule::random;
    if (any_order) std::shuffle(numbers.begin(), numbers.end(), draw);
    const bool probes = !any_order && !how.cooperative && numbers.size() > 1;
    if (run_in_order(grid, numbers, probes)) run_on_all_cores(grid, 1);
}

}  // namespace cudamigrate_emulation
