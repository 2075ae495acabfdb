// The table of allocations of device memory.
#ifndef CUDAMIGRATE_EMULATION_DEVICE_MEMORY_H
#define CUDAMIGRATE_EMULATION_DEVICE_MEMORY_H

#include <cstddef>
#include <functional>
#include <string>

namespace cudamigrate_emulation {

// One allocation. `place` is where the program asked for it; `type` is what a kernel takes it for, empty where no
// launch has told; `kernel` is the last one that was given it. `on_host` is memory that the host may use too, and `used`
// that a kernel was given since it was last compared.
struct Allocation {
    unsigned char *begin;
    std::size_t bytes;
    int number;
    const void *place;
    bool on_host, freed, used;
    std::string type;
    std::size_t element;
    std::string kernel;
};

// The region of addresses that is device memory, and for each granule of it how many of its bytes are allocated.
struct DeviceRegion {
    static constexpr std::size_t bytes = std::size_t{1} << 36;  // what is not touched takes no memory
    static constexpr std::size_t granule = 16;
    unsigned char *begin, *shadow;

    bool holds(const void *address) const {
        return static_cast<std::size_t>(static_cast<const unsigned char *>(address) - begin) < bytes;
    }
};
extern DeviceRegion device_region;

// Whether bytes of the region are allocated.
bool is_allocated_in_parts(const unsigned char *address, unsigned size);
inline bool is_allocated(const unsigned char *address, unsigned size) {
    const std::size_t first = static_cast<std::size_t>(address - device_region.begin);
    const unsigned char *const whole = device_region.shadow + first / DeviceRegion::granule;
    if (*whole == DeviceRegion::granule && first % DeviceRegion::granule + size <= DeviceRegion::granule) return true;
    return is_allocated_in_parts(address, size);
}

// The allocation at or before an address, null where there is none; whether it holds the address is for the caller.
Allocation *find_allocation(const void *address);
void for_each_allocation(const std::function<void(Allocation &)> &visit);

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_DEVICE_MEMORY_H
