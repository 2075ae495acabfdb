// What warp functions of both languages are made of.
#ifndef CUDAMIGRATE_EMULATION_LANES_H
#define CUDAMIGRATE_EMULATION_LANES_H

#include "language.h"

namespace cudamigrate_emulation {

template <typename T>
std::uint64_t bits(const T &value) {
    static_assert(sizeof(T) <= 8, "lanes exchange at most eight bytes at once");
    std::uint64_t made = 0;
    std::memcpy(&made, static_cast<const void *>(&value), sizeof(T));
    return made;
}

// What the lane `from` brings to the call; poison where that lane does not run it, and where it is -1.
template <typename T>
T read_lane(T value, int from, std::uint64_t mask = 0) {
    const std::uint64_t word = brought(meet(bits(value), mask), from);
    std::memcpy(static_cast<void *>(&value), &word, sizeof(T));
    return value;
}

// The lanes that run the call and bring what is not zero.
inline std::uint64_t ballot(bool predicate, std::uint64_t mask = 0) {
    const Call &call = meet(predicate, mask);
    std::uint64_t set = 0;
    for (std::uint64_t left = call.lanes; left != 0; left &= left - 1) {
        const int lane = __builtin_ctzll(left);
        set |= (call.value[lane] & 1u) << lane;
    }
    return set;
}

// The lanes among `mask` that run the call and bring the same bits.
template <typename T>
std::uint64_t match(std::uint64_t among, T value, std::uint64_t mask = 0) {
    const std::uint64_t own = bits(value);
    const Call &call = meet(own, mask);
    std::uint64_t same = 0;
    for (std::uint64_t left = call.lanes & among; left != 0; left &= left - 1) {
        const int lane = __builtin_ctzll(left);
        same |= std::uint64_t{call.value[lane] == own} << lane;
    }
    return same;
}

// The values of the lanes among `among` that run the call, combined one after the other.
template <typename T, typename Combine>
T combined(std::uint64_t among, T value, Combine combine, std::uint64_t mask = 0) {
    const Call &call = meet(bits(value), mask);
    bool first = true;
    for (std::uint64_t left = call.lanes & among; left != 0; left &= left - 1) {
        T theirs;
        std::memcpy(&theirs, &call.value[__builtin_ctzll(left)], sizeof(T));
        value = first ? theirs : combine(value, theirs);
        first = false;
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
