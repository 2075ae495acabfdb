// What warp functions of both languages are made of.
#ifndef CUDAMIGRATE_EMULATION_LANES_H
#define CUDAMIGRATE_EMULATION_LANES_H

#include "language.h"

namespace cudamigrate_emulation {

template <typename T>
CUDAMIGRATE_EMULATION_UNSEEN std::uint64_t bits(const T &value) {
    static_assert(sizeof(T) <= 8, "lanes exchange at most eight bytes at once");
    std::uint64_t made = 0;
    std::memcpy(&made, static_cast<const void *>(&value), sizeof(T));
    return made;
}

// What the lane `from` brings to the call; poison where that lane does not run it, and where it is -1.
template <typename T>
CUDAMIGRATE_EMULATION_UNSEEN T read_lane(T value, int from, std::uint64_t mask = 0) {
    static_assert(sizeof(T) <= 8, "lanes exchange at most eight bytes at once");
    std::uint64_t word = 0;
    __builtin_memcpy(&word, static_cast<const void *>(&value), sizeof(T));
    word = exchange(word, from, mask);
    __builtin_memcpy(static_cast<void *>(&value), &word, sizeof(T));
    return value;
}

// The lanes among `among` that run the call and bring the same bits.
template <typename T>
std::uint64_t match(std::uint64_t among, T value, std::uint64_t mask = 0) {
    return match_bits(among, bits(value), mask);
}

// The values of the lanes among `among` that run the call, combined one after the other.
template <typename T, typename Combine>
CUDAMIGRATE_EMULATION_UNSEEN T combined(std::uint64_t among, T value, Combine combine, std::uint64_t mask = 0) {
    std::uint64_t words[64];
    const int count = gather(among, bits(value), mask, words);
    for (int at = 0; at < count; ++at) {
        T theirs;
        std::memcpy(static_cast<void *>(&theirs), &words[at], sizeof(T));
        value = at == 0 ? theirs : combine(value, theirs);
    }
    return value;
}

struct Add {
    template <typename T> T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
struct Least {
    template <typename T> T operator()(T a, T b) const { return b < a ? b : a; }
};
struct Most {
    template <typename T> T operator()(T a, T b) const { return a < b ? b : a; }
};
struct And {
    template <typename T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
    template <typename T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
    template <typename T> T operator()(T a, T b) const { return a ^ b; }
};

}  // namespace cudamigrate_emulation

inline void __syncthreads() { ::cudamigrate_emulation::barrier(); }
inline int __syncthreads_count(int predicate) { return ::cudamigrate_emulation::barrier(predicate).yes; }
inline int __syncthreads_or(int predicate) { return ::cudamigrate_emulation::barrier(predicate).yes != 0; }
inline int __syncthreads_and(int predicate) {
    const ::cudamigrate_emulation::Barrier met = ::cudamigrate_emulation::barrier(predicate);
    return met.yes == met.all;
}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

#endif  // CUDAMIGRATE_EMULATION_LANES_H
