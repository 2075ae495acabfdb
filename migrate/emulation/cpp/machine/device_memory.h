// The table of allocations of device memory.
#ifndef CUDAMIGRATE_EMULATION_DEVICE_MEMORY_H
#define CUDAMIGRATE_EMULATION_DEVICE_MEMORY_H

#include <cstddef>
#include <functional>
#include <string>

namespace cudamigrate_emulation {

// One allocation. `place` is where the program asked for it; `type` is what a kernel takes it for, empty where no
// launch has told; `kernel` is the last one that was given it. `on_host` is memory that the host may use too.
struct Allocation {
    unsigned char *begin;
    std::size_t bytes;
    int number;
    const void *place;
    bool on_host, freed;
    std::string type;
    std::size_t element;
    std::string kernel;
};

unsigned char *device_region();

// The allocation at or before an address, null where there is none; whether it holds the address is for the caller.
Allocation *find_allocation(const void *address);
bool is_allocated(const unsigned char *address, unsigned size);
void for_each_allocation(const std::function<void(Allocation &)> &visit);

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_DEVICE_MEMORY_H
