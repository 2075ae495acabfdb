// One kernel by itself: arguments of the types that it takes, filled with random data, a launch, and what it wrote.
#ifndef CUDAMIGRATE_EMULATION_KERNEL_DRIVER_H
#define CUDAMIGRATE_EMULATION_KERNEL_DRIVER_H

#include <string_view>
#include <tuple>

#include "language.h"

namespace cudamigrate_emulation {

constexpr std::size_t elements = std::size_t{1} << 20;  // of each array: the product of two sizes of a thousand

// What each whole number is that a kernel takes: as it may be a size, all are the same.
inline long size_argument() {
    const char *given = getenv("CUDAMIGRATE_EMULATION_SIZE");
    return given == nullptr ? 64 : atol(given);
}

inline std::uint64_t drawn() {
    static std::uint64_t state = 88172645463325252ull;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

// Fractions of both signs; whole numbers that are an index of what is `size_argument` large.
template <typename T>
CUDAMIGRATE_EMULATION_UNSEEN void fill(T *to, std::size_t count) {
    const std::string_view type = type_name<T>();
    for (std::size_t at = 0; at < count; ++at) {
        const long number = static_cast<long>(drawn() >> 20);
        if (type == "f4" || type == "f8" || type == "f2" || type == "b2") {
            typedef std::conditional_t<std::is_arithmetic<T>::value || sizeof(T) == 2, T, float> Part;
            const Part value = static_cast<Part>(static_cast<float>(number % 4001 - 2000) / 1000.0f);
            for (std::size_t part = 0; part < sizeof(T) / sizeof(Part); ++part) {
                std::memcpy(reinterpret_cast<char *>(to + at) + part * sizeof(Part), &value, sizeof(Part));
            }
        } else if constexpr (std::is_integral<T>::value) {
            to[at] = static_cast<T>(number % (sizeof(T) == 1 ? 100 : size_argument()));
        } else {
            missing("an array of a type that has no random values");
        }
    }
}

template <typename T>
struct Argument {
    T value = T();
    Argument() {
        if constexpr (std::is_same<T, bool>::value) {
            value = true;
        } else if constexpr (std::is_integral<T>::value) {
            value = static_cast<T>(size_argument());
        } else if constexpr (std::is_floating_point<T>::value) {
            value = static_cast<T>(1.5);
        } else {
            missing("an argument that is no number and no array");
        }
    }
    void copy_back() const {}
};
template <typename T>
struct Argument<T *> {
    T *value;
    Argument() {
        if constexpr (std::is_void<T>::value || std::is_function<T>::value || std::is_pointer<T>::value) {
            missing("an array of which the type of elements is not known");
        } else {
            typedef std::remove_cv_t<T> Plain;
            Plain *made = static_cast<Plain *>(allocate(elements * sizeof(Plain), nullptr));
            if (made == nullptr) missing("so much memory");
            fill(made, elements);
            value = made;
        }
    }
    void copy_back() const {
        if constexpr (!std::is_const<T>::value && !std::is_void<T>::value) {
            const std::size_t bytes = elements * sizeof(T);
            void *host = malloc(bytes);
            std::memcpy(host, const_cast<std::remove_cv_t<T> *>(value), bytes);
            record_copy(const_cast<std::remove_cv_t<T> *>(value), host, bytes, type_name<T>());
            free(host);
        }
    }
};

template <typename... P>
int drive(const char *name, void (*kernel)(P...), dim3 blocks, dim3 threads, std::size_t shared) {
    std::tuple<Argument<std::remove_cv_t<P>>...> arguments{Argument<std::remove_cv_t<P>>()...};  // in order
    std::apply([&](auto &...each) { see(each.value...); }, arguments);
    launch(name, {blocks, threads, shared}, [&] {
        std::apply([&](auto &...each) { kernel(each.value...); }, arguments);
    });
    std::apply([](auto &...each) { (each.copy_back(), ...); }, arguments);
    return last_error(true);
}

}  // namespace cudamigrate_emulation

#endif  // CUDAMIGRATE_EMULATION_KERNEL_DRIVER_H
