// The emulated GPU as the headers see it: threads in wavefronts in blocks, and where they meet.
//
// Everything that exchanges something between threads, or that a GPU would check, goes through these functions. What
// they mean is written from the programming guides of CUDA and HIP; see README.md.
#ifndef CUDAMIGRATE_EMULATION_MACHINE_H
#define CUDAMIGRATE_EMULATION_MACHINE_H

#include <cstddef>
#include <cstdint>
#include <functional>

struct uint3 {
    unsigned int x, y, z;
};
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int in_x = 1, unsigned int in_y = 1, unsigned int in_z = 1) : x(in_x), y(in_y), z(in_z) {}
    constexpr dim3(uint3 from) : x(from.x), y(from.y), z(from.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

namespace cudamigrate_emulation {

// Programs have macros of names such as `block`.
struct Indices {
    uint3 thread_, block_;
    dim3 block_size_, grid_size_;
};

// Where the thread that asks is; on the host all zeros.
const Indices &here();

// Lanes of a wavefront, and the number of the lane that asks.
int wave_width();
int lane();

// A meeting of lanes: which take part, and the value that each brings. The values of lanes that do not take part are
// poison, and so is the last, which stands for a lane that is none. `odd` are those that take part whose value is odd.
// Valid until the lane's next meeting.
struct Call {
    std::uint64_t lanes, odd;
    std::uint64_t value[65];
};

// Stops the thread until the lanes that run the same call are there too. With a `mask` that is not 0 the lanes that it
// names wait for each other, as CUDA's functions with a mask do since Volta; without, lanes that arrive together take
// part, as AMD's hardware has it.
const Call &meet(std::uint64_t value, std::uint64_t mask = 0);

// The value that the lane `from` brought to the call. One that is not there is poison, and is noted.
std::uint64_t brought(const Call &call, int from);

// Both at once: meets with `value` and gets what the lane `from` brought.
std::uint64_t exchange(std::uint64_t value, int from, std::uint64_t mask = 0);

// The lanes that run the call and bring what is not zero; those among `among` that bring the same bits; and the values
// of those, one after the other, with how many they are.
std::uint64_t ballot(bool predicate, std::uint64_t mask = 0);
std::uint64_t match_bits(std::uint64_t among, std::uint64_t value, std::uint64_t mask);
int gather(std::uint64_t among, std::uint64_t value, std::uint64_t mask, std::uint64_t *values);

// Stops the thread until all threads of the block that have not ended are there; returns how many brought a value
// that is not zero, and how many there were.
struct Barrier {
    int yes, all;
};
Barrier barrier(int predicate = 0);

// Stops the thread until all threads of the grid are there; only for launches that said so.
void grid_barrier();

// For tests: lanes with different numbers never take part in the same call.
void set_branch(int number);

// The block's dynamic shared memory, and its size in bytes.
void *dynamic_shared();
std::size_t dynamic_shared_bytes();

// An atomic operation begins and ends: between them no other thread's takes place on that address. `polls` says that
// a program may wait by it: a comparison and exchange, an exchange, a load.
void begin_atomic(const volatile void *address, std::size_t size, bool polls);
void end_atomic(const volatile void *address);

// How a kernel is launched.
struct Launch {
    dim3 blocks, threads;
    std::size_t shared = 0;
    bool cooperative = false;
    const void *stream = nullptr;
    Launch(dim3 in_blocks, dim3 in_threads, std::size_t in_shared = 0, const void *in_stream = nullptr)
        : blocks(in_blocks), threads(in_threads), shared(in_shared), stream(in_stream) {}
};

// Runs a kernel to its end. A launch that no GPU accepts is not run, and the last error says why.
void launch(const char *kernel, const Launch &how, const std::function<void()> &body);

// A pointer argument of the kernel that is launched next, with the name of the type behind it.
void see_pointer(const void *address, const char *type, std::size_t size);

// Device memory. `place` is where the program asks for it, as a return address; null where there is none left.
void *allocate(std::size_t bytes, const void *place);
void *allocate_for(std::size_t bytes, const void *place, bool on_host);
std::size_t memory_in_use();
std::size_t memory_limit();
bool release(void *address);
bool is_device(const void *address);

// A copy from device memory to the host, for the comparison. `type` is empty where it is not known.
void record_copy(const void *device, const void *host, std::size_t bytes, const char *type, bool shared = false);

// The same for a variable of the device, which is copied at `place`, and for all memory that the host shares with the
// device and kernels were given since the last time.
void record_symbol(const void *host, std::size_t bytes, const char *type, const void *place);
void record_shared_with_host();

// The last error of a launch: 0 for none, 9 for a configuration that no GPU takes, 98 for a kernel that is none.
int last_error(bool clear);

// What is not emulated: the program ends and is "not run", for the reason given.
[[noreturn]] void missing(const char *what);

// A library's function that works on the host begins or ends: it may use device memory.
void library_works(bool begins);

// The bytes of an allocation from `address` on; 0 where there is none.
std::size_t bytes_behind(const void *address);

// What a person asks of the emulation by its environment: the width of wavefronts and the order of lanes.
enum class Schedule { lockstep, free, random };
void set_wave_width(int lanes);
void set_schedule(Schedule schedule, unsigned long seed);

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_MACHINE_H
