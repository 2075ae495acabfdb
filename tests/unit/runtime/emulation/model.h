// CUDA's warp functions by their definitions, for one warp whose lanes' arguments are all known at once.
//
// Written from the CUDA programming guide and the PTX instructions behind the functions (vote, activemask, match,
// redux, shfl, fns, the %lanemask registers), and from nothing in cudamigrate_hip.h.
#ifndef EMULATION_MODEL_H
#define EMULATION_MODEL_H

#include <cstdint>
#include <cstring>

namespace model {

// What one lane passes; each function uses what it needs.
struct Arguments {
    unsigned int mask;
    int predicate;
    int number;  // a lane, a distance, a lane mask, an offset
    int width;
    unsigned char bytes[16];

    template <typename T>
    T value() const {
        T result;
        std::memcpy(&result, bytes, sizeof(T));
        return result;
    }
};

// What one lane gets back. Two answers are equal if all bytes are; an undefined one equals any.
struct Answer {
    bool defined = true;
    unsigned char bytes[16] = {};

    Answer() = default;
    template <typename T>
    explicit Answer(const T &value) {
        std::memcpy(bytes, &value, sizeof(T));
    }
    bool operator==(const Answer &other) const {
        return !defined || !other.defined || std::memcmp(bytes, other.bytes, sizeof(bytes)) == 0;
    }
};

struct Warp {
    Arguments lane[32];
    bool exited[32];
    int branch[32];  // lanes of one branch run the call together
};

struct MatchAll {
    unsigned int mask;
    int predicate;
};

inline bool named(unsigned int mask, int lane) { return (mask >> lane & 1u) == 1u; }

// Whether a lane takes part in the call that `self` makes: it is named in its mask, or for functions without a mask,
// runs in the same branch.
inline bool takes_part(const Warp &warp, int self, int lane, bool masked) {
    if (warp.exited[lane]) return false;
    return masked ? named(warp.lane[self].mask, lane) : warp.branch[lane] == warp.branch[self];
}

inline unsigned int ballot(const Warp &warp, int self, bool masked) {
    unsigned int result = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if (takes_part(warp, self, lane, masked) && warp.lane[lane].predicate != 0) result += 1u << lane;
    }
    return result;
}

inline int any(const Warp &warp, int self, bool masked) {
    for (int lane = 0; lane < 32; ++lane) {
        if (takes_part(warp, self, lane, masked) && warp.lane[lane].predicate != 0) return 1;
    }
    return 0;
}

inline int all(const Warp &warp, int self, bool masked) {
    for (int lane = 0; lane < 32; ++lane) {
        if (takes_part(warp, self, lane, masked) && warp.lane[lane].predicate == 0) return 0;
    }
    return 1;
}

inline int uni(const Warp &warp, int self) {
    for (int lane = 0; lane < 32; ++lane) {
        if (!takes_part(warp, self, lane, true)) continue;
        if ((warp.lane[lane].predicate != 0) != (warp.lane[self].predicate != 0)) return 0;
    }
    return 1;
}

inline unsigned int activemask(const Warp &warp, int self) {
    unsigned int result = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if (takes_part(warp, self, lane, false)) result += 1u << lane;
    }
    return result;
}

template <typename T>
unsigned int match_any(const Warp &warp, int self) {
    unsigned int result = 0;
    for (int lane = 0; lane < 32; ++lane) {
        const bool same = std::memcmp(warp.lane[lane].bytes, warp.lane[self].bytes, sizeof(T)) == 0;
        if (same && takes_part(warp, self, lane, true)) result += 1u << lane;
    }
    return result;
}

template <typename T>
MatchAll match_all(const Warp &warp, int self) {
    MatchAll result = {0, 1};
    for (int lane = 0; lane < 32; ++lane) {
        if (!takes_part(warp, self, lane, true)) continue;
        result.mask += 1u << lane;
        if (std::memcmp(warp.lane[lane].bytes, warp.lane[self].bytes, sizeof(T)) != 0) result.predicate = 0;
    }
    if (result.predicate == 0) result.mask = 0;
    return result;
}

template <typename T, typename Combine>
T reduce(const Warp &warp, int self, Combine combine) {
    T result = warp.lane[self].value<T>();
    for (int lane = 0; lane < 32; ++lane) {
        if (lane == self || !takes_part(warp, self, lane, true)) continue;
        result = static_cast<T>(combine(result, warp.lane[lane].value<T>()));
    }
    return result;
}

enum class Mode { index, up, down, butterfly };

// shfl.sync: `maximum` is the clamp of the mode, `segment` the bits of the lane number that stay.
template <typename T>
Answer shuffle(const Warp &warp, int self, Mode mode) {
    const int b = warp.lane[self].number & 31;
    const int segment = (32 - warp.lane[self].width) & 31;
    const int clamp = mode == Mode::up ? 0 : 31;
    const int maximum = (self & segment) | (clamp & ~segment);
    const int minimum = self & segment;
    int from = self;
    bool inside = true;
    switch (mode) {
        case Mode::up: from = self - b, inside = from >= maximum; break;
        case Mode::down: from = self + b, inside = from <= maximum; break;
        case Mode::butterfly: from = self ^ b, inside = from <= maximum; break;
        case Mode::index: from = minimum | (b & ~segment), inside = from <= maximum; break;
    }
    if (!inside) from = self;
    Answer result;
    std::memcpy(result.bytes, warp.lane[from].bytes, sizeof(T));
    result.defined = takes_part(warp, self, from, true);
    return result;
}

inline unsigned int lanemask(int self, bool below, bool own, bool above) {
    unsigned int result = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if (lane < self ? below : lane > self ? above : own) result += 1u << lane;
    }
    return result;
}

inline unsigned int fns(unsigned int mask, int base, int offset) {
    if (offset == 0) return named(mask, base) ? static_cast<unsigned int>(base) : 0xffffffffu;
    int count = (offset < 0 ? -offset : offset) - 1;
    for (int position = base; position >= 0 && position < 32; position += offset > 0 ? 1 : -1) {
        if (!named(mask, position)) continue;
        if (count == 0) return static_cast<unsigned int>(position);
        --count;
    }
    return 0xffffffffu;
}

}  // namespace model

#endif  // EMULATION_MODEL_H
