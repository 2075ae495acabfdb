// What a run tells: faults and copies, one record after the other, in the file that the environment names.
#ifndef CUDAMIGRATE_EMULATION_REPORT_H
#define CUDAMIGRATE_EMULATION_REPORT_H

#include <cstddef>
#include <string>

namespace cudamigrate_emulation {

// A turn of a loop that a thread has made without a stop: the frame of its function, and the first and last block of
// the loop. A null frame stands for none.
struct Turn {
    const void *owner = nullptr, *header = nullptr, *latch = nullptr;
};

// Where a thread is: the return addresses on its stack, the innermost first. One that is a turn ahead in the loop of
// the frame `turned`, counted from the outermost, 0 for none, comes after all that are in that loop.
struct Place {
    static constexpr int most = 32;
    int depth = 0, turned = 0;
    const void *latch = nullptr;
    const void *address[most];

    // From the frame of a function up to `bottom`; with null, the caller alone.
    void take(void **frame, const void *bottom);
    void take(void **frame, const void *bottom, const Turn &ahead);
    bool same(const Place &other) const;
    bool before(const Place &other) const;
};

// A fault of the thread that runs, told once for each kind and place. `detail` says it in words.
void report_fault(const char *kind, const Place &place, const std::string &detail);

// A record of the fields, which are JSON members without braces, followed by `size` bytes.
void record(const std::string &fields, const void *bytes = nullptr, std::size_t size = 0);

// The thread and the block that run, in words; empty on the host.
std::string where();

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_REPORT_H
