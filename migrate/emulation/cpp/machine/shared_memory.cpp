// Shared memory: static variables are thread-local ones of the program, so that each worker has its own.
#include "shared_memory.h"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "block.h"
#include "elf_symbols.h"

namespace cudamigrate_emulation {

namespace {

constexpr int poison = 0xcd;
constexpr std::size_t behind = 4096;  // room that a fault may write to

// Room behind the program's own variables: the machine is linked last. Nobody reads it, which must not remove it.
__attribute__((used)) thread_local unsigned char room[behind];

int find_program(dl_phdr_info *info, std::size_t, void *found) {
    *static_cast<unsigned char **>(found) = static_cast<unsigned char *>(info->dlpi_tls_data);
    return 1;  // the program itself comes first
}

unsigned char *thread_locals() {
    unsigned char *found = nullptr;
    dl_iterate_phdr(find_program, &found);
    room[0] = 0;
    return found;
}

constexpr std::uint16_t of_compiler = 0xffff;

// Which variable each byte of the thread-local block belongs to; 0 for none.
const std::vector<std::uint16_t> &owners() {
    static const std::vector<std::uint16_t> made = [] {
        std::vector<std::uint16_t> owner;
        std::uint16_t number = 0;
        for (const Symbol &symbol : shared_symbols()) {
            owner.resize(std::max(owner.size(), symbol.offset + symbol.size));
            std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(symbol.offset), symbol.size, ++number);
        }
        for (const Symbol &mark : shared_marks()) {
            owner.resize(std::max(owner.size(), mark.offset + mark.size));
            std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(mark.offset), mark.size, of_compiler);
        }
        owner.resize(owner.size() + (owner.empty() ? 0 : behind));
        return owner;
    }();
    return made;
}

std::string variable(std::uint16_t owner) {
    return owner == 0 || owner == of_compiler ? "memory that is no variable's" : shared_symbols()[owner - 1u].name;
}

}  // namespace

void settle(PendingWrite &pending) {
    if (pending.address == nullptr) return;
    const bool changed = std::memcmp(pending.address, pending.before, pending.size) != 0;
    pending.address = nullptr;
    if (!changed) return;
    const std::string detail = "writes shared memory that wave " + std::to_string(pending.other) +
                               " uses too, without a barrier between them";
    report_fault("race", pending.place, detail);
}

void *low_memory(std::size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#ifdef MAP_32BIT
    flags |= MAP_32BIT;
#endif
    void *const made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (made == MAP_FAILED) missing("memory at low addresses");
    return made;
}

SharedMemory::~SharedMemory() {
    if (dynamic_ != nullptr) munmap(dynamic_, dynamic_room_);
}

void SharedMemory::begin(std::size_t dynamic_bytes, int) {
    ++block_;
    pass_barrier();
    dynamic_bytes_ = dynamic_bytes;
    if (dynamic_room_ < dynamic_bytes + behind) {
        if (dynamic_ != nullptr) munmap(dynamic_, dynamic_room_);
        dynamic_room_ = dynamic_bytes + behind;
        dynamic_ = static_cast<unsigned char *>(low_memory(dynamic_room_));
        dynamic_shadow_.resize(dynamic_room_);
    }
    std::memset(dynamic_, poison, dynamic_bytes);
    static_size_ = owners().size();
    static_bytes_.resize(static_size_);
    static_begin_ = static_size_ == 0 ? nullptr : thread_locals();
    for (const Symbol &symbol : shared_symbols()) std::memset(static_begin_ + symbol.offset, poison, symbol.size);
    saved_.clear();
}

void SharedMemory::pass_barrier() {
    ++phase_;
    std::fill(std::begin(after_), std::end(after_), 0u);
}

void SharedMemory::save() {
    saved_.clear();
    for (const Symbol &symbol : shared_symbols()) {
        const unsigned char *from = static_begin_ + symbol.offset;
        saved_.insert(saved_.end(), from, from + symbol.size);
    }
}

void SharedMemory::restore() {
    if (saved_.empty()) return;
    const unsigned char *from = saved_.data();
    for (const Symbol &symbol : shared_symbols()) {
        std::memcpy(static_begin_ + symbol.offset, from, symbol.size);
        from += symbol.size;
    }
}

SharedMemory::Byte *SharedMemory::bytes_of(const void *address) {
    const unsigned char *at = static_cast<const unsigned char *>(address);
    const std::size_t offset = static_cast<std::size_t>(at - static_begin_);
    if (offset < static_size_) return &static_bytes_[offset];
    return &dynamic_shadow_[static_cast<std::size_t>(at - dynamic_)];
}

// Whether an access is inside one variable, or inside the dynamic memory; a fault where it is not.
bool SharedMemory::inside(Thread &thread, const Access &access) {
    const std::size_t offset = static_cast<std::size_t>(access.address - static_begin_);
    std::string detail;
    if (offset < static_size_) {
        const std::uint16_t owner = owners()[offset];
        // the code around a variable's first use reads and sets the mark's first byte
        if (owner == of_compiler && access.size == 1 && !thread.bounds_passed) return false;
        const std::size_t last = offset + access.size - 1;
        std::uint16_t meant = owner;
        if (thread.bounds_passed) {
            const std::int64_t base = static_cast<std::int64_t>(offset) - thread.bounds_index * access.size;
            if (base >= 0 && static_cast<std::size_t>(base) < static_size_) meant = owners()[base];
        }
        const bool named = owner != 0 && owner != of_compiler;
        if (named && last < static_size_ && owners()[last] == owner && (meant == owner || meant == 0)) return true;
        detail = std::string(access.write ? "writes" : "reads") + " outside of the shared array " +
                 variable(meant != 0 ? meant : owner);
    } else {
        const std::size_t end = static_cast<std::size_t>(access.address - dynamic_) + access.size;
        if (end <= dynamic_bytes_) return true;
        detail = std::string(access.write ? "writes" : "reads") + " byte " + std::to_string(end - access.size) +
                 " of a dynamic shared memory of " + std::to_string(dynamic_bytes_) + " bytes";
    }
    Place place;
    place.take(access.frame, running_block->bottom(thread));
    report_fault("out-of-bounds", place, detail);
    return false;
}

// A wave whose access this one races with, or -1.
int SharedMemory::conflict(const Thread &thread, const Access &access, const Byte *bytes) const {
    const std::uint32_t own = 1u << (thread.wave & 31), before = after_[thread.wave] | own;
    for (unsigned at = 0; at < access.size; ++at) {
        const Byte &byte = bytes[at];
        const bool written = byte.written_in == block_ && byte.write_phase == phase_ && !byte.sync_write;
        if (written && (before >> (byte.writer & 31) & 1u) == 0) return byte.writer;
        if (!access.write || byte.read_phase != phase_) continue;
        const std::uint32_t others = byte.readers & ~before;
        if (others != 0) return __builtin_ctz(others);
    }
    return -1;
}

// Notes who uses the bytes, and which waves come after which: a wave that looks at what another one wrote by an atomic
// or volatile access comes after all that this one did.
void SharedMemory::order(const Thread &thread, const Access &access, Byte *bytes) {
    for (unsigned at = 0; at < access.size; ++at) {
        Byte &byte = bytes[at];
        if (access.sync && byte.written_in == block_ && byte.write_phase == phase_ && byte.writer != thread.wave) {
            after_[thread.wave] |= 1u << (byte.writer & 31) | after_[byte.writer];
        }
        if (access.write) {
            byte.written_in = block_;
            byte.write_phase = phase_;
            byte.writer = static_cast<std::uint8_t>(thread.wave);
            byte.sync_write = access.sync;
        } else if (!access.sync) {
            if (byte.read_phase != phase_) byte.readers = 0;
            byte.read_phase = phase_;
            byte.readers |= 1u << (thread.wave & 31);
        }
    }
}

void SharedMemory::check(Thread &thread, const Access &access) {
    const bool fits = inside(thread, access);
    thread.bounds_passed = false;
    if (!fits) return;
    Byte *bytes = bytes_of(access.address);
    // g++ does not report where a call's result of a class is stored: `s[t] = make_float2(x, y)`. A byte of one may be that
    // of the poison, all of a number are not; where some were seen to be written, each has to be.
    const auto unwritten = [&](const Byte &byte) {
        return byte.written_in != block_ && access.address[&byte - bytes] == poison;
    };
    const bool padded = access.size > 16;  // a structure, whose gaps nobody writes
    const bool unseen = std::none_of(bytes, bytes + access.size, [&](const Byte &byte) { return byte.written_in == block_; });
    const bool poisoned = padded || unseen ? std::all_of(bytes, bytes + access.size, unwritten)
                                           : std::any_of(bytes, bytes + access.size, unwritten);
    Place place;
    if (!access.write && poisoned) {
        place.take(access.frame, running_block->bottom(thread));
        report_fault("uninitialised-shared-memory", place,
                     "reads shared memory that no thread of the block has written");
    }
    const int other = access.sync ? -1 : conflict(thread, access, bytes);
    if (other >= 0) {
        place.take(access.frame, running_block->bottom(thread));
        if (access.write && access.size <= sizeof(PendingWrite::before)) {
            PendingWrite &pending = thread.pending;
            pending.address = access.address;
            pending.size = access.size;
            std::memcpy(pending.before, access.address, access.size);
            pending.place = place;
            pending.other = other;
        } else {
            const std::string detail = std::string(access.write ? "writes" : "reads") + " shared memory that wave " +
                                       std::to_string(other) + " writes, without a barrier between them";
            report_fault("race", place, detail);
        }
    }
    order(thread, access, bytes);
}

}  // namespace cudamigrate_emulation
