#include "report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>

#include "block.h"

namespace cudamigrate_emulation {

namespace {

std::mutex guard;

std::FILE *output() {
    static std::FILE *const file = [] {
        const char *name = std::getenv("CUDAMIGRATE_EMULATION_RECORD");
        return name == nullptr ? nullptr : std::fopen(name, "wb");
    }();
    return file;
}

}  // namespace

void Place::take(void **frame, const void *bottom) {
    depth = turned = 0;
    const int end = bottom == nullptr ? 1 : most;  // the host's stack ends nobody knows where
    for (; frame != bottom && depth < end; frame = static_cast<void **>(frame[0])) address[depth++] = frame[1];
}

void Place::take(void **frame, const void *bottom, const Turn &ahead) {
    take(frame, bottom);
    if (ahead.owner == nullptr) return;
    for (int at = 0; at < depth && frame[0] <= ahead.owner; ++at, frame = static_cast<void **>(frame[0])) {
        if (frame[0] != ahead.owner || address[at] < ahead.header || address[at] > ahead.latch) continue;
        turned = depth - at;
        latch = ahead.latch;
    }
}

bool Place::same(const Place &other) const {
    return depth == other.depth && turned == other.turned && (turned == 0 || latch == other.latch) &&
           std::equal(address, address + depth, other.address);
}

bool Place::before(const Place &other) const {
    for (int level = 1; level <= depth && level <= other.depth; ++level) {
        const void *const mine = address[depth - level], *const theirs = other.address[other.depth - level];
        const bool mine_turned = turned == level, theirs_turned = other.turned == level;
        const void *const first = mine_turned ? latch : mine, *const second = theirs_turned ? other.latch : theirs;
        if (first != second) return first < second;
        if (mine_turned != theirs_turned) return theirs_turned;
        if (mine != theirs) return mine < theirs;
    }
    return depth < other.depth;
}

std::string where() {
    if (running_thread == nullptr) return "";
    char text[160];
    const Indices &at = running_thread->at;
    std::snprintf(text, sizeof(text), "thread (%u, %u, %u) of block (%u, %u, %u)", at.thread.x, at.thread.y,
                  at.thread.z, at.block.x, at.block.y, at.block.z);
    return text;
}

void record(const std::string &fields, const void *bytes, std::size_t size) {
    std::FILE *const file = output();
    if (file == nullptr) return;
    const std::lock_guard<std::mutex> lock(guard);
    std::fprintf(file, "{%s, \"size\": %zu}\n", fields.c_str(), size);
    if (size > 0) std::fwrite(bytes, 1, size, file);
    std::fflush(file);
}

void report_fault(const char *kind, const Place &place, const std::string &detail) {
    static std::set<std::pair<std::string, const void *>> told;
    std::string chain;
    {
        const std::lock_guard<std::mutex> lock(guard);
        const void *key = place.depth > 1 ? place.address[1] : place.depth > 0 ? place.address[0] : nullptr;
        if (place.depth > 0)
            key = static_cast<const char *>(key) + reinterpret_cast<std::size_t>(place.address[0]) % 97;
        if (told.size() > 1000 || !told.insert({kind, key}).second) return;
    }
    for (int at = 0; at < place.depth; ++at) {
        char text[32];
        std::snprintf(text, sizeof(text), "%s\"%p\"", at == 0 ? "" : ", ", place.address[at]);
        chain += text;
    }
    const std::string kernel = running_block == nullptr ? "" : running_block->grid().kernel;
    const std::string place_in_grid = where();
    record(std::string("\"record\": \"fault\", \"kind\": \"") + kind + "\", \"detail\": \"" + detail +
           "\", \"kernel\": \"" + kernel + "\", \"thread\": \"" + place_in_grid + "\", \"places\": [" + chain + "]");
    if (output() == nullptr)
        std::fprintf(stderr, "emulation: %s: %s, %s\n", kind, detail.c_str(), place_in_grid.c_str());
}

}  // namespace cudamigrate_emulation
