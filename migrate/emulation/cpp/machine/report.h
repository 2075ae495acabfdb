// What a run tells: faults and copies, one record after the other, in the file that the environment names.
#ifndef CUDAMIGRATE_EMULATION_REPORT_H
#define CUDAMIGRATE_EMULATION_REPORT_H

#include <cstddef>
#include <string>

namespace cudamigrate_emulation {

// A loop of the program: its first basic block, and the last one from which it was seen to turn.
struct Loop {
    const void *header, *latch;
};

// A loop that a thread is in: the frame of its function, and how often it has turned.
struct Turn {
    const void *owner;
    const Loop *loop;
    long count;
};

// The loops of a thread, the innermost last. One that was left stays until a loop around it turns, or its function ends.
struct Turns {
    static constexpr int most = 32;
    int depth = 0;
    Turn turn[most];
};

// Where a thread is: the return addresses on its stack, the innermost first, with the turns of the loops around them,
// the innermost first too. One that is in an earlier turn of a loop comes before all that are in later ones.
struct Place {
    static constexpr int most = 32, most_loops = 8;
    struct Around {
        const Loop *loop;
        long count;
        int level;  // of the frame, 1 for the outermost
    };
    int depth = 0, loops = 0;
    const void *address[most];
    Around around[most_loops];

    // From the frame of a function up to `bottom`; with null, the caller alone.
    void take(void **frame, const void *bottom);
    void take(void **frame, const void *bottom, const Turns &turns);
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
