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
    depth = loops = 0;
    const int end = bottom == nullptr ? 1 : most;  // the host's stack ends nobody knows where
    for (; frame != bottom && depth < end; frame = static_cast<void **>(frame[0])) address[depth++] = frame[1];
}

void Place::take(void **frame, const void *bottom, const Turns &turns) {
    depth = loops = 0;
    int inner = turns.depth - 1;
    for (; frame != bottom && depth < most; frame = static_cast<void **>(frame[0])) {
        address[depth] = frame[1];
        for (; inner >= 0 && turns.turn[inner].owner <= frame[0]; --inner) {
            const Turn &turn = turns.turn[inner];
            const bool inside = frame[1] >= turn.loop->header && frame[1] <= turn.loop->latch;
            if (turn.owner != frame[0] || !inside || loops == most_loops) continue;
            around[loops++] = {turn.loop, turn.count, depth};
        }
        ++depth;
    }
    for (int at = 0; at < loops; ++at) around[at].level = depth - around[at].level;
}

bool Place::same(const Place &other) const {
    if (depth != other.depth || loops != other.loops) return false;
    for (int at = 0; at < depth; ++at) {
        if (address[at] != other.address[at]) return false;
    }
    for (int at = 0; at < loops; ++at) {
        const Around &mine = around[at], &theirs = other.around[at];
        if (mine.loop != theirs.loop || mine.count != theirs.count || mine.level != theirs.level) return false;
    }
    return true;
}

bool Place::before(const Place &other) const {
    int mine = loops - 1, theirs = other.loops - 1;
    for (int level = 1; level <= depth && level <= other.depth; ++level) {
        const void *const at = address[depth - level], *const other_at = other.address[other.depth - level];
        for (;;) {
            const bool turned = mine >= 0 && around[mine].level == level;
            const bool other_turned = theirs >= 0 && other.around[theirs].level == level;
            if (!turned && !other_turned) break;
            const Around &first = around[turned ? mine : 0], &second = other.around[other_turned ? theirs : 0];
            if (turned && other_turned && first.loop == second.loop) {
                if (first.count != second.count) return first.count < second.count;
                --mine;
                --theirs;
                continue;
            }
            // who has not turned yet is behind as long as it is in the loop
            const void *const end = turned ? first.loop->latch : at;
            const void *const other_end = other_turned ? second.loop->latch : other_at;
            return end != other_end ? end < other_end : other_turned;
        }
        if (at != other_at) return at < other_at;
    }
    return depth < other.depth;
}

std::string where() {
    if (running_thread == nullptr) return "";
    char text[160];
    const Indices &at = running_thread->at;
    std::snprintf(text, sizeof(text), "thread (%u, %u, %u) of block (%u, %u, %u)", at.thread_.x, at.thread_.y,
                  at.thread_.z, at.block_.x, at.block_.y, at.block_.z);
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
