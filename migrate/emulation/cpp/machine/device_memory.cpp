// Device memory: one region of addresses, in which each allocation has room around it, and no address is used twice.
#include "device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "block.h"

namespace cudamigrate_emulation {

namespace {

constexpr std::size_t region_bytes = DeviceRegion::bytes, granule = DeviceRegion::granule, gap = 512;
constexpr unsigned char freed = 0x80;
constexpr std::size_t page = 4096, worth_returning = std::size_t{1} << 20;

std::mutex guard;
std::map<std::size_t, Allocation> allocations;  // by offset
std::size_t next_free = gap;
int count = 0;
std::set<const void *> asking;  // where the program asks for memory

// Each place in the program that asks for memory is recorded once, so that those of one line can be told apart.
void note(const void *place) {
    if (!asking.insert(place).second) return;
    char text[64];
    std::snprintf(text, sizeof(text), "\"record\": \"memory\", \"place\": \"%p\"", place);
    record(text);
}

void *reserve(std::size_t bytes) {
    void *made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) missing("a region of addresses for device memory");
    return made;
}

std::size_t limit() {
    const char *words = std::getenv("CUDAMIGRATE_EMULATION_MEMORY");
    return words == nullptr ? std::size_t{2} << 30 : std::strtoull(words, nullptr, 10);
}

std::size_t in_use = 0;

}  // namespace

// Before the program's own variables are made, which may allocate.
__attribute__((init_priority(101))) DeviceRegion device_region = {
    static_cast<unsigned char *>(reserve(region_bytes)), static_cast<unsigned char *>(reserve(region_bytes / granule))};

namespace {

unsigned char *region() { return device_region.begin; }
unsigned char *shadow() { return device_region.shadow; }

}  // namespace

bool is_device(const void *address) { return device_region.holds(address); }

Allocation *find_allocation(const void *address) {
    if (!is_device(address)) return nullptr;
    const std::size_t offset = static_cast<std::size_t>(static_cast<const unsigned char *>(address) - region());
    const std::lock_guard<std::mutex> lock(guard);
    auto after = allocations.upper_bound(offset);
    return after == allocations.begin() ? nullptr : &std::prev(after)->second;
}

void *allocate_for(std::size_t bytes, const void *place, bool on_host) {
    const std::lock_guard<std::mutex> lock(guard);
    const std::size_t room = (bytes + 255) / 256 * 256;
    if (in_use + room > limit() || next_free + room + gap > region_bytes) {
        record("\"record\": \"unmet\", \"bytes\": " + std::to_string(bytes));
        return nullptr;
    }
    note(place);
    const std::size_t offset = next_free;
    next_free += room + gap;
    in_use += room;
    allocations[offset] = {region() + offset, bytes, ++count, place, on_host, false, false, "", 0, ""};
    unsigned char *first = shadow() + offset / granule;
    std::memset(first, granule, bytes / granule);
    if (bytes % granule != 0) first[bytes / granule] = static_cast<unsigned char>(bytes % granule);
    std::memset(region() + offset, 0xcd, bytes);  // nobody may count on zeros
    return region() + offset;
}

void *allocate(std::size_t bytes, const void *place) { return allocate_for(bytes, place, false); }

bool release(void *address) {
    Allocation *found = find_allocation(address);
    if (found == nullptr || found->begin != address || found->freed) return false;
    const std::lock_guard<std::mutex> lock(guard);
    found->freed = true;
    in_use -= (found->bytes + 255) / 256 * 256;
    const std::size_t offset = static_cast<std::size_t>(found->begin - region());
    std::memset(shadow() + offset / granule, freed, (found->bytes + granule - 1) / granule);
    if (found->bytes >= worth_returning) {  // the pages that are its own alone
        const std::size_t first = (offset + page - 1) / page * page, last = (offset + found->bytes) / page * page;
        madvise(region() + first, last - first, MADV_REMOVE);
    }
    return true;
}

bool is_allocated_in_parts(const unsigned char *address, unsigned size) {
    const std::size_t first = static_cast<std::size_t>(address - region()), last = first + size - 1;
    for (std::size_t at = first / granule; at <= last / granule; ++at) {
        const unsigned char valid = shadow()[at];
        if (valid == granule) continue;
        if (valid == 0 || valid == freed || std::min(last, at * granule + granule - 1) % granule >= valid) return false;
    }
    return true;
}

std::size_t bytes_behind(const void *address) {
    const Allocation *found = find_allocation(address);
    const unsigned char *at = static_cast<const unsigned char *>(address);
    if (found == nullptr || found->freed || at >= found->begin + found->bytes) return 0;
    return static_cast<std::size_t>(found->begin + found->bytes - at);
}

void for_each_allocation(const std::function<void(Allocation &)> &visit) {
    for (auto &entry : allocations) visit(entry.second);
}

std::size_t memory_in_use() { return in_use; }
std::size_t memory_limit() { return limit(); }

}  // namespace cudamigrate_emulation
