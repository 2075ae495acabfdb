// Atomic functions, the same in both languages.
#ifndef CUDAMIGRATE_EMULATION_ATOMICS_H
#define CUDAMIGRATE_EMULATION_ATOMICS_H

#include "language.h"

namespace cudamigrate_emulation {

template <typename T, typename Change>
CUDAMIGRATE_EMULATION_UNSEEN T atomic(T *address, bool polls, Change change) {
    begin_atomic(address, sizeof(T), polls);
    const T old = *address;
    *address = change(old);
    end_atomic(address);
    return old;
}

template <typename T>
struct Same {
    typedef T type;
};
template <typename T>
using Given = typename Same<T>::type;

}  // namespace cudamigrate_emulation

#define CUDAMIGRATE_EMULATION_ATOMIC(name, polls, result)                                              \
    template <typename T>                                                                              \
    T name(T *address, ::cudamigrate_emulation::Given<T> value) {                                      \
        return ::cudamigrate_emulation::atomic(address, polls, [=](T old) { return static_cast<T>(result); }); \
    }                                                                                                  \
    template <typename T>                                                                              \
    T name##_block(T *address, ::cudamigrate_emulation::Given<T> value) {                              \
        return name(address, value);                                                                   \
    }                                                                                                  \
    template <typename T>                                                                              \
    T name##_system(T *address, ::cudamigrate_emulation::Given<T> value) {                             \
        return name(address, value);                                                                   \
    }
CUDAMIGRATE_EMULATION_ATOMIC(atomicAdd, value == T(0), old + value)
CUDAMIGRATE_EMULATION_ATOMIC(atomicSub, value == T(0), old - value)
CUDAMIGRATE_EMULATION_ATOMIC(atomicExch, true, ((void)old, value))
CUDAMIGRATE_EMULATION_ATOMIC(atomicMin, false, value < old ? value : old)
CUDAMIGRATE_EMULATION_ATOMIC(atomicMax, false, old < value ? value : old)
CUDAMIGRATE_EMULATION_ATOMIC(atomicAnd, false, old &value)
CUDAMIGRATE_EMULATION_ATOMIC(atomicOr, value == T(0), old | value)
CUDAMIGRATE_EMULATION_ATOMIC(atomicXor, false, old ^ value)
CUDAMIGRATE_EMULATION_ATOMIC(atomicInc, false, old >= value ? 0 : old + 1)
CUDAMIGRATE_EMULATION_ATOMIC(atomicDec, false, old == 0 || old > value ? value : old - 1)
CUDAMIGRATE_EMULATION_ATOMIC(unsafeAtomicAdd, false, old + value)
#undef CUDAMIGRATE_EMULATION_ATOMIC

template <typename T>
T atomicCAS(T *address, ::cudamigrate_emulation::Given<T> expected, ::cudamigrate_emulation::Given<T> value) {
    return ::cudamigrate_emulation::atomic(address, true, [=](T old) { return old == expected ? value : old; });
}
template <typename T>
T atomicCAS_block(T *address, ::cudamigrate_emulation::Given<T> expected, ::cudamigrate_emulation::Given<T> value) {
    return atomicCAS(address, expected, value);
}
template <typename T>
T atomicCAS_system(T *address, ::cudamigrate_emulation::Given<T> expected, ::cudamigrate_emulation::Given<T> value) {
    return atomicCAS(address, expected, value);
}

#endif  // CUDAMIGRATE_EMULATION_ATOMICS_H
