// Atomic operations that a program asks of the compiler, which the thread sanitizer's functions stand for.
#include <cstdint>

#include "machine.h"

namespace {

using cudamigrate_emulation::begin_atomic;
using cudamigrate_emulation::end_atomic;

template <typename T, typename Change>
T change(volatile T *address, bool polls, Change made) {
    begin_atomic(address, sizeof(T), polls);
    const T old = *address;
    *address = made(old);
    end_atomic(address);
    return old;
}

template <typename T>
int exchange_if(volatile T *address, T *expected, T wanted) {
    const T hoped = *expected;
    const T old = change(address, true, [=](T now) { return now == hoped ? wanted : now; });
    *expected = old;
    return old == hoped;
}

}  // namespace

#define ATOMICS(bits, T)                                                                              \
    T __tsan_atomic##bits##_load(const volatile T *address, int) {                                    \
        return change(const_cast<volatile T *>(address), true, [](T old) { return old; });            \
    }                                                                                                 \
    void __tsan_atomic##bits##_store(volatile T *address, T value, int) {                             \
        change(address, false, [=](T) { return value; });                                             \
    }                                                                                                 \
    T __tsan_atomic##bits##_exchange(volatile T *address, T value, int) {                             \
        return change(address, true, [=](T) { return value; });                                       \
    }                                                                                                 \
    T __tsan_atomic##bits##_fetch_add(volatile T *address, T value, int) {                            \
        return change(address, value == 0, [=](T old) { return static_cast<T>(old + value); });       \
    }                                                                                                 \
    T __tsan_atomic##bits##_fetch_sub(volatile T *address, T value, int) {                            \
        return change(address, value == 0, [=](T old) { return static_cast<T>(old - value); });       \
    }                                                                                                 \
    T __tsan_atomic##bits##_fetch_and(volatile T *address, T value, int) {                            \
        return change(address, false, [=](T old) { return static_cast<T>(old & value); });            \
    }                                                                                                 \
    T __tsan_atomic##bits##_fetch_or(volatile T *address, T value, int) {                             \
        return change(address, false, [=](T old) { return static_cast<T>(old | value); });            \
    }                                                                                                 \
    T __tsan_atomic##bits##_fetch_xor(volatile T *address, T value, int) {                            \
        return change(address, false, [=](T old) { return static_cast<T>(old ^ value); });            \
    }                                                                                                 \
    T __tsan_atomic##bits##_fetch_nand(volatile T *address, T value, int) {                           \
        return change(address, false, [=](T old) { return static_cast<T>(~(old & value)); });         \
    }                                                                                                 \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T *address, T *expected, T wanted, int, int) { \
        return exchange_if(address, expected, wanted);                                                \
    }                                                                                                 \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile T *address, T *expected, T wanted, int, int) { \
        return exchange_if(address, expected, wanted);                                                \
    }                                                                                                 \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *address, T expected, T wanted, int, int) { \
        exchange_if(address, &expected, wanted);                                                      \
        return expected;                                                                              \
    }

extern "C" {
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}
}
