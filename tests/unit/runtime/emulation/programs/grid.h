// A GPU on a CPU: blocks of threads, each a fiber, in wavefronts of as many lanes as the environment's WAVE says.
#ifndef EMULATION_GRID_H
#define EMULATION_GRID_H

#include <cstdint>
#include <functional>

struct dim3 {
    unsigned int x, y, z;
    dim3(unsigned int in_x = 1, unsigned int in_y = 1, unsigned int in_z = 1) : x(in_x), y(in_y), z(in_z) {}
};

namespace grid {

struct Indices {
    dim3 thread, block, block_size, grid_size;
};

// Where the thread that asks is.
const Indices &here();

// The lanes of a wavefront that run one call, and the value that each brings. The values of others are junk, and so is
// the last, which stands for a lane that is none.
struct Call {
    std::uint64_t lanes;
    std::uint64_t value[65];
};

// Stops the thread until the lanes that run the same call are there too.
const Call &meet(std::uint64_t value);

// Stops the thread until all threads of the block that have not ended are there.
void barrier();

// Runs a kernel; what stands between <<< and >>> follows it.
void launch(const std::function<void()> &kernel, dim3 blocks, dim3 threads, std::size_t shared = 0, int stream = 0);

}  // namespace grid

#endif  // EMULATION_GRID_H
