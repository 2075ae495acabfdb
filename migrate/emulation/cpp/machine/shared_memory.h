// What the emulation knows of each byte of a block's shared memory.
#ifndef CUDAMIGRATE_EMULATION_SHARED_MEMORY_H
#define CUDAMIGRATE_EMULATION_SHARED_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "report.h"

namespace cudamigrate_emulation {

struct Thread;

// A write that may race with another wave's: it is no race where it leaves the bytes as they were.
struct PendingWrite {
    const unsigned char *address = nullptr;
    unsigned size = 0;
    unsigned char before[16];
    Place place;
    int other = 0;
};

// An access to memory. `sync` are atomic and volatile ones, which order other accesses and never race.
struct Access {
    const unsigned char *address;
    unsigned size;
    bool write, sync;
    void **frame;  // of the function that the compiler calls before the access
};

class SharedMemory {
public:
    // A block begins: all bytes are poison, and none is written.
    void begin(std::size_t dynamic_bytes, int waves);

    // All threads of the block have met: what came before happened before what comes now.
    void pass_barrier();

    bool holds(const void *address) const {
        const unsigned char *const at = static_cast<const unsigned char *>(address);
        return static_cast<std::size_t>(at - static_begin_) < static_size_ ||
               static_cast<std::size_t>(at - dynamic_) < dynamic_room_;
    }
    void check(Thread &thread, const Access &access);

    ~SharedMemory();
    void *dynamic() { return dynamic_; }
    std::size_t dynamic_bytes() const { return dynamic_bytes_; }

    // The block gives way to another one on the same thread of the operating system, and comes back.
    void save();
    void restore();

private:
    struct Byte {
        std::uint32_t written_in = 0;  // the block that wrote it
        std::uint32_t write_phase = 0, read_phase = 0;
        std::uint32_t readers = 0;
        std::uint8_t writer = 0;
        bool sync_write = false;
    };

    Byte *bytes_of(const void *address);
    bool inside(Thread &thread, const Access &access);
    void order(const Thread &thread, const Access &access, Byte *bytes);
    int conflict(const Thread &thread, const Access &access, const Byte *bytes) const;
    bool is_unwritten(const Access &access, const Byte *bytes, bool all) const;

    unsigned char *dynamic_ = nullptr;
    std::size_t dynamic_room_ = 0;
    std::vector<unsigned char> saved_;
    std::vector<Byte> static_bytes_, dynamic_shadow_;
    std::size_t dynamic_bytes_ = 0;
    std::uint32_t block_ = 0, phase_ = 0;
    unsigned char *static_begin_ = nullptr;
    std::size_t static_size_ = 0;
    std::uint32_t after_[64] = {};  // by wave: the waves whose accesses it comes after, in this phase
};

// Memory at an address below 4 GiB where the system has such: programs keep addresses of shared memory in 32 bits.
void *low_memory(std::size_t bytes);

// A race that `pending` would be, reported if the bytes have changed since.
void settle(PendingWrite &pending);

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_SHARED_MEMORY_H
