// Thrust on the emulated GPU: vectors, and pointers to device memory.
#ifndef CUDAMIGRATE_EMULATION_THRUST_MEMORY_H
#define CUDAMIGRATE_EMULATION_THRUST_MEMORY_H

#include <initializer_list>
#include <iterator>
#include <new>
#include <vector>

#include "../../../common/language.h"

namespace thrust {

namespace detail {

// While it lives, the host may use device memory: the library is at work.
struct Works {
    Works() { ::cudamigrate_emulation::library_works(true); }
    ~Works() { ::cudamigrate_emulation::library_works(false); }
    Works(const Works &) = delete;
    Works &operator=(const Works &) = delete;
};

}  // namespace detail

// An element of device memory, which the host reads and writes by copies.
template <typename T>
class device_reference {
public:
    typedef std::remove_const_t<T> value_type;
    explicit device_reference(T *address) : address_(address) {}
    device_reference(const device_reference &) = default;
    operator value_type() const {
        const detail::Works works;
        return *address_;
    }
    const device_reference &operator=(const value_type &value) const {
        const detail::Works works;
        *address_ = value;
        return *this;
    }
    const device_reference &operator=(const device_reference &other) const {
        return *this = static_cast<value_type>(other);
    }
    template <typename V> const device_reference &operator+=(const V &by) const { return *this = value_type(*this) + by; }
    template <typename V> const device_reference &operator-=(const V &by) const { return *this = value_type(*this) - by; }
    template <typename V> const device_reference &operator*=(const V &by) const { return *this = value_type(*this) * by; }
    const device_reference &operator++() const { return *this += 1; }

private:
    T *address_;
};

template <typename T>
class device_ptr {
public:
    typedef std::remove_const_t<T> value_type;
    typedef device_reference<T> reference;
    typedef device_ptr pointer;
    typedef std::ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;

    device_ptr() = default;
    device_ptr(std::nullptr_t) {}
    explicit device_ptr(T *address) : address_(address) {}
    template <typename U, typename = std::enable_if_t<std::is_convertible<U *, T *>::value>>
    device_ptr(const device_ptr<U> &other) : address_(other.get()) {}

    T *get() const { return address_; }
    reference operator*() const { return reference(address_); }
    reference operator[](difference_type at) const { return reference(address_ + at); }
    explicit operator bool() const { return address_ != nullptr; }
    device_ptr &operator++() { return ++address_, *this; }
    device_ptr &operator--() { return --address_, *this; }
    device_ptr operator++(int) { return device_ptr(address_++); }
    device_ptr operator--(int) { return device_ptr(address_--); }
    device_ptr &operator+=(difference_type by) { return address_ += by, *this; }
    device_ptr &operator-=(difference_type by) { return address_ -= by, *this; }
    friend device_ptr operator+(device_ptr at, difference_type by) { return device_ptr(at.address_ + by); }
    friend device_ptr operator-(device_ptr at, difference_type by) { return device_ptr(at.address_ - by); }
    friend difference_type operator-(device_ptr a, device_ptr b) { return a.address_ - b.address_; }
    friend bool operator==(device_ptr a, device_ptr b) { return a.address_ == b.address_; }
    friend bool operator!=(device_ptr a, device_ptr b) { return a.address_ != b.address_; }
    friend bool operator<(device_ptr a, device_ptr b) { return a.address_ < b.address_; }

private:
    T *address_ = nullptr;
};

template <typename T> T *raw_pointer_cast(T *address) { return address; }
template <typename T> T *raw_pointer_cast(const device_ptr<T> &address) { return address.get(); }
template <typename T> T &raw_reference_cast(T &value) { return value; }
template <typename T> device_ptr<T> device_pointer_cast(T *address) { return device_ptr<T>(address); }
template <typename T> device_ptr<T> device_pointer_cast(const device_ptr<T> &address) { return address; }

template <typename T>
CUDAMIGRATE_EMULATION_UNSEEN device_ptr<T> device_malloc(std::size_t count) {
    void *const made = ::cudamigrate_emulation::allocate(count * sizeof(T), __builtin_return_address(0));
    if (made == nullptr && count > 0) throw std::bad_alloc();
    return device_ptr<T>(static_cast<T *>(made));
}
template <typename T> void device_free(device_ptr<T> address) { ::cudamigrate_emulation::release(address.get()); }

template <typename T>
class host_vector : public std::vector<T> {
public:
    typedef std::vector<T> Base;
    using Base::Base;
    using Base::operator=;
    host_vector() = default;
    host_vector(const Base &other) : Base(other) {}
    template <typename Other, typename = typename Other::is_device_vector>
    host_vector(const Other &other) : Base(other.size()) {
        other.copy_to(Base::data());
    }
    template <typename Other, typename = typename Other::is_device_vector>
    host_vector &operator=(const Other &other) {
        Base::resize(other.size());
        other.copy_to(Base::data());
        return *this;
    }
};

template <typename T, typename = void>
class device_vector {
public:
    typedef void is_device_vector;
    typedef T value_type;
    typedef device_ptr<T> iterator, pointer;
    typedef device_ptr<const T> const_iterator, const_pointer;
    typedef device_reference<T> reference;
    typedef device_reference<const T> const_reference;
    typedef std::size_t size_type;
    typedef std::ptrdiff_t difference_type;

    device_vector() = default;
    explicit device_vector(size_type count) : device_vector(count, T()) {}
    device_vector(size_type count, const T &value) { resize(count, value); }
    device_vector(const device_vector &other) { take(other.begin().get(), other.size()); }
    device_vector(device_vector &&other) noexcept { swap(other); }
    device_vector(std::initializer_list<T> values) { take(values.begin(), values.size()); }
    template <typename U> device_vector(const std::vector<U> &other) { assign(other.begin(), other.end()); }
    template <typename U> device_vector(const device_vector<U> &other) { assign(other.begin(), other.end()); }
    template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
    device_vector(It first, It last) {
        assign(first, last);
    }
    ~device_vector() { device_free(begin()); }

    device_vector &operator=(const device_vector &other) {
        if (this != &other) take(other.begin().get(), other.size());
        return *this;
    }
    device_vector &operator=(device_vector &&other) noexcept { return swap(other), *this; }
    template <typename U> device_vector &operator=(const std::vector<U> &other) {
        return assign(other.begin(), other.end()), *this;
    }
    template <typename U> device_vector &operator=(const device_vector<U> &other) {
        return assign(other.begin(), other.end()), *this;
    }

    iterator begin() { return data_; }
    iterator end() { return data_ + static_cast<difference_type>(size_); }
    const_iterator begin() const { return data_; }
    const_iterator end() const { return const_iterator(data_) + static_cast<difference_type>(size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    std::reverse_iterator<iterator> rbegin() { return std::reverse_iterator<iterator>(end()); }
    std::reverse_iterator<iterator> rend() { return std::reverse_iterator<iterator>(begin()); }
    pointer data() { return data_; }
    const_pointer data() const { return data_; }
    size_type size() const { return size_; }
    size_type capacity() const { return room_; }
    bool empty() const { return size_ == 0; }
    reference operator[](size_type at) { return data_[static_cast<difference_type>(at)]; }
    const_reference operator[](size_type at) const { return begin()[static_cast<difference_type>(at)]; }
    reference front() { return (*this)[0]; }
    reference back() { return (*this)[size_ - 1]; }
    const_reference front() const { return (*this)[0]; }
    const_reference back() const { return (*this)[size_ - 1]; }

    CUDAMIGRATE_EMULATION_UNSEEN void reserve(size_type count) {
        if (count <= room_) return;
        const pointer made = device_malloc<T>(count);
        for (size_type at = 0; at < size_; ++at) new (made.get() + at) T(data_.get()[at]);
        device_free(data_);
        data_ = made;
        room_ = count;
    }
    CUDAMIGRATE_EMULATION_UNSEEN void resize(size_type count, const T &value = T()) {
        reserve(count);
        for (size_type at = size_; at < count; ++at) new (data_.get() + at) T(value);
        size_ = count;
    }
    void clear() { size_ = 0; }
    void shrink_to_fit() {}
    void push_back(const T &value) {
        if (size_ == room_) reserve(room_ == 0 ? 8 : 2 * room_);
        resize(size_ + 1, value);
    }
    void pop_back() { --size_; }
    void assign(size_type count, const T &value) {
        clear();
        resize(count, value);
    }
    template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
    void assign(It first, It last) {
        const std::vector<T> values(first, last);  // which may be of this vector
        take(values.data(), values.size());
    }
    iterator erase(iterator first, iterator last) {
        const detail::Works works;
        std::copy(last.get(), end().get(), first.get());
        size_ -= static_cast<size_type>(last - first);
        return first;
    }
    iterator erase(iterator at) { return erase(at, at + 1); }
    void swap(device_vector &other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(room_, other.room_);
    }

    // A copy to the host, which is recorded as such.
    template <typename U>
    CUDAMIGRATE_EMULATION_UNSEEN void copy_to(U *to) const {
        const detail::Works works;
        for (size_type at = 0; at < size_; ++at) to[at] = static_cast<U>(data_.get()[at]);
        if (size_ == 0 || !std::is_same<T, U>::value) return;
        ::cudamigrate_emulation::record_copy(data_.get(), to, size_ * sizeof(T), ::cudamigrate_emulation::type_name<T>());
    }

private:
    CUDAMIGRATE_EMULATION_UNSEEN void take(const T *from, size_type count) {
        const detail::Works works;
        clear();
        reserve(count);
        for (size_type at = 0; at < count; ++at) new (data_.get() + at) T(from[at]);
        size_ = count;
    }

    pointer data_;
    size_type size_ = 0, room_ = 0;
};

template <typename T> void swap(device_vector<T> &a, device_vector<T> &b) { a.swap(b); }
template <typename T>
bool operator==(const device_vector<T> &a, const device_vector<T> &b) {
    const detail::Works works;
    return a.size() == b.size() && std::equal(a.begin().get(), a.end().get(), b.begin().get());
}
template <typename T>
bool operator==(const device_vector<T> &a, const std::vector<T> &b) {
    return host_vector<T>(a) == b;
}
template <typename T>
bool operator==(const std::vector<T> &a, const device_vector<T> &b) {
    return b == a;
}

}  // namespace thrust

#endif  // CUDAMIGRATE_EMULATION_THRUST_MEMORY_H
