// cudamigrate declarations: iterators, device pointers and vectors of rocThrust 3; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_THRUST_ITERATORS
#define CUDAMIGRATE_DECLARES_THRUST_ITERATORS
#include <thrust/cudamigrate/core.h>

namespace thrust {
#define CM_RANDOM(self, value, ref) \
    typedef ptrdiff_t difference_type; \
    typedef value value_type; \
    typedef ref reference; \
    typedef void pointer; \
    typedef std::random_access_iterator_tag iterator_category; \
    CM_THRUST_HD self &operator++() CM_THRUST_NONE \
    CM_THRUST_HD self operator++(int) CM_THRUST_NONE \
    CM_THRUST_HD self &operator--() CM_THRUST_NONE \
    CM_THRUST_HD self operator--(int) CM_THRUST_NONE \
    CM_THRUST_HD self &operator+=(ptrdiff_t) CM_THRUST_NONE \
    CM_THRUST_HD self &operator-=(ptrdiff_t) CM_THRUST_NONE \
    CM_THRUST_HD self operator+(ptrdiff_t) const CM_THRUST_NONE \
    CM_THRUST_HD self operator-(ptrdiff_t) const CM_THRUST_NONE \
    friend CM_THRUST_HD self operator+(ptrdiff_t, const self &) CM_THRUST_NONE \
    CM_THRUST_HD ptrdiff_t operator-(const self &) const CM_THRUST_NONE \
    CM_THRUST_HD ref operator*() const CM_THRUST_NONE \
    CM_THRUST_HD ref operator[](ptrdiff_t) const CM_THRUST_NONE \
    CM_THRUST_HD bool operator==(const self &) const CM_THRUST_NONE \
    CM_THRUST_HD bool operator!=(const self &) const CM_THRUST_NONE \
    CM_THRUST_HD bool operator<(const self &) const CM_THRUST_NONE \
    CM_THRUST_HD bool operator>(const self &) const CM_THRUST_NONE \
    CM_THRUST_HD bool operator<=(const self &) const CM_THRUST_NONE \
    CM_THRUST_HD bool operator>=(const self &) const CM_THRUST_NONE

template <class T> class device_ptr;
template <class T> class device_reference {
public:
    typedef typename std::remove_cv<T>::type value_type;
    typedef device_ptr<T> pointer;
    template <class U> CM_THRUST_HD device_reference(
        const device_reference<U> &, typename std::enable_if<std::is_convertible<U *, T *>::value>::type * = 0)
        CM_THRUST_NONE
    CM_THRUST_HD explicit device_reference(const pointer &) CM_THRUST_NONE
    CM_THRUST_HD device_reference &operator=(const device_reference &) CM_THRUST_NONE
    CM_THRUST_HD device_reference(const device_reference &) = default;
    template <class U> CM_THRUST_HD device_reference &operator=(const device_reference<U> &) CM_THRUST_NONE
    CM_THRUST_HD device_reference &operator=(const value_type &) CM_THRUST_NONE
    CM_THRUST_HD device_ptr<T> operator&() const CM_THRUST_NONE
    CM_THRUST_HD operator value_type() const CM_THRUST_NONE
    CM_THRUST_HD device_reference &operator++() CM_THRUST_NONE
    CM_THRUST_HD value_type operator++(int) CM_THRUST_NONE
    CM_THRUST_HD device_reference &operator+=(const T &) CM_THRUST_NONE
    CM_THRUST_HD device_reference &operator-=(const T &) CM_THRUST_NONE
    CM_THRUST_HD device_reference &operator*=(const T &) CM_THRUST_NONE
    CM_THRUST_HD device_reference &operator/=(const T &) CM_THRUST_NONE
};
template <class T> class device_ptr {
    typedef typename std::remove_cv<T>::type cm_value;
    typedef device_reference<T> cm_reference;
public:
    CM_RANDOM(device_ptr, cm_value, cm_reference)
    typedef T element_type;
    typedef T *raw_pointer;
    CM_THRUST_HD device_ptr() CM_THRUST_NONE
    CM_THRUST_HD device_ptr(std::nullptr_t) CM_THRUST_NONE
    template <class U, class = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
    CM_THRUST_HD explicit device_ptr(U *) CM_THRUST_NONE
    template <class U, class = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
    CM_THRUST_HD device_ptr(const device_ptr<U> &) CM_THRUST_NONE
    CM_THRUST_HD device_ptr &operator=(std::nullptr_t) CM_THRUST_NONE
    CM_THRUST_HD T *get() const CM_THRUST_NONE
    CM_THRUST_HD explicit operator bool() const CM_THRUST_NONE
};
template <> class device_ptr<void> {
public:
    device_ptr() = default;
    template <class T> CM_THRUST_HD device_ptr(const device_ptr<T> &) CM_THRUST_NONE
    CM_THRUST_HD void *get() const;
};
template <class T> CM_THRUST_HD device_ptr<T> device_pointer_cast(T *) CM_THRUST_NONE
template <class T> CM_THRUST_HD device_ptr<T> device_pointer_cast(const device_ptr<T> &) CM_THRUST_NONE
template <class T> CM_THRUST_HD T *raw_pointer_cast(T *) CM_THRUST_NONE
template <class T> CM_THRUST_HD T *raw_pointer_cast(const device_ptr<T> &) CM_THRUST_NONE
namespace hip_rocprim {
template <class T> class pointer {
public:
    typedef T element_type;
    CM_THRUST_HD pointer() CM_THRUST_NONE
    template <class U, class = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
    CM_THRUST_HD explicit pointer(U *) CM_THRUST_NONE
    template <class U, class = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
    CM_THRUST_HD pointer(const pointer<U> &) CM_THRUST_NONE
    CM_THRUST_HD T *get() const CM_THRUST_NONE
    CM_THRUST_HD explicit operator bool() const CM_THRUST_NONE
};
template <class T> CM_THRUST_HD T *raw_pointer_cast(const pointer<T> &) CM_THRUST_NONE
}
using hip_rocprim::raw_pointer_cast;
template <class T> CM_THRUST_HD T &raw_reference_cast(const device_reference<T> &) CM_THRUST_NONE
template <class T> CM_THRUST_HD T &raw_reference_cast(T &) CM_THRUST_NONE
template <class T> __host__ device_ptr<T> device_malloc(size_t) CM_THRUST_NONE
__host__ device_ptr<void> device_malloc(size_t);
template <class T> __host__ device_ptr<T> device_new(size_t = 1) CM_THRUST_NONE
template <class T> __host__ device_ptr<T> device_new(device_ptr<void>, const T &, size_t = 1) CM_THRUST_NONE
template <class T> __host__ void device_free(device_ptr<T>) CM_THRUST_NONE
template <class T> __host__ void device_delete(device_ptr<T>, size_t = 0) CM_THRUST_NONE
template <class T, class P>
CM_THRUST_HD pair<T *, ptrdiff_t> get_temporary_buffer(const detail::execution_policy_base<P> &, ptrdiff_t) CM_THRUST_NONE
template <class P, class T>
CM_THRUST_HD void return_temporary_buffer(const detail::execution_policy_base<P> &, T, ptrdiff_t) CM_THRUST_NONE
template <class P> CM_THRUST_HD device_ptr<void> malloc(const detail::execution_policy_base<P> &, size_t) CM_THRUST_NONE
template <class T, class P> CM_THRUST_HD device_ptr<T> malloc(const detail::execution_policy_base<P> &, size_t) CM_THRUST_NONE
template <class P, class T> CM_THRUST_HD void free(const detail::execution_policy_base<P> &, T) CM_THRUST_NONE

#define CM_ALLOCATOR(name, ptr) \
    template <class T> class name { \
    public: \
        typedef T value_type; \
        typedef ptr pointer; \
        typedef size_t size_type; \
        typedef ptrdiff_t difference_type; \
        template <class U> struct rebind { typedef name<U> other; }; \
        CM_THRUST_HD name() CM_THRUST_NONE \
        template <class U> CM_THRUST_HD name(const name<U> &) CM_THRUST_NONE \
        pointer allocate(size_t) CM_THRUST_NONE \
        void deallocate(pointer, size_t) CM_THRUST_NONE \
    };
CM_ALLOCATOR(device_allocator, device_ptr<T>)
CM_ALLOCATOR(device_malloc_allocator, device_ptr<T>)
CM_ALLOCATOR(device_new_allocator, device_ptr<T>)
#undef CM_ALLOCATOR

namespace detail {
template <class Pointer> class normal_iterator {
    typedef typename std::iterator_traits<Pointer>::value_type cm_value;
    typedef typename std::iterator_traits<Pointer>::reference cm_reference;
public:
    CM_RANDOM(normal_iterator, cm_value, cm_reference)
    CM_THRUST_HD normal_iterator() CM_THRUST_NONE
    CM_THRUST_HD normal_iterator(Pointer) CM_THRUST_NONE
    template <class P, class = typename std::enable_if<std::is_convertible<P, Pointer>::value>::type>
    CM_THRUST_HD normal_iterator(const normal_iterator<P> &) CM_THRUST_NONE
    CM_THRUST_HD Pointer base() const CM_THRUST_NONE
    CM_THRUST_HD operator Pointer() const CM_THRUST_NONE
};
template <class T, class Allocator, class Pointer, class ConstPointer> class vector_base {
public:
    typedef T value_type;
    typedef Pointer pointer;
    typedef ConstPointer const_pointer;
    typedef typename std::iterator_traits<Pointer>::reference reference;
    typedef typename std::iterator_traits<ConstPointer>::reference const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef Allocator allocator_type;
    typedef normal_iterator<Pointer> iterator;
    typedef normal_iterator<ConstPointer> const_iterator;
    typedef std::reverse_iterator<iterator> reverse_iterator;
    typedef std::reverse_iterator<const_iterator> const_reverse_iterator;
    void resize(size_t) CM_THRUST_NONE
    void resize(size_t, const T &) CM_THRUST_NONE
    size_t size() const CM_THRUST_NONE
    size_t max_size() const CM_THRUST_NONE
    size_t capacity() const CM_THRUST_NONE
    void reserve(size_t) CM_THRUST_NONE
    void shrink_to_fit() CM_THRUST_NONE
    bool empty() const CM_THRUST_NONE
    void clear() CM_THRUST_NONE
    reference operator[](size_t) CM_THRUST_NONE
    const_reference operator[](size_t) const CM_THRUST_NONE
    reference front() CM_THRUST_NONE
    const_reference front() const CM_THRUST_NONE
    reference back() CM_THRUST_NONE
    const_reference back() const CM_THRUST_NONE
    pointer data() CM_THRUST_NONE
    const_pointer data() const CM_THRUST_NONE
    iterator begin() CM_THRUST_NONE
    const_iterator begin() const CM_THRUST_NONE
    const_iterator cbegin() const CM_THRUST_NONE
    iterator end() CM_THRUST_NONE
    const_iterator end() const CM_THRUST_NONE
    const_iterator cend() const CM_THRUST_NONE
    reverse_iterator rbegin() CM_THRUST_NONE
    const_reverse_iterator rbegin() const CM_THRUST_NONE
    reverse_iterator rend() CM_THRUST_NONE
    const_reverse_iterator rend() const CM_THRUST_NONE
    void push_back(const T &) CM_THRUST_NONE
    void pop_back() CM_THRUST_NONE
    void swap(vector_base &) CM_THRUST_NONE
    void assign(size_t, const T &) CM_THRUST_NONE
    template <class It, class = typename std::enable_if<!std::is_integral<It>::value>::type>
    void assign(It, It) CM_THRUST_NONE
    iterator erase(iterator) CM_THRUST_NONE
    iterator erase(iterator, iterator) CM_THRUST_NONE
    iterator insert(iterator, const T &) CM_THRUST_NONE
    void insert(iterator, size_t, const T &) CM_THRUST_NONE
    template <class It, class = typename std::enable_if<!std::is_integral<It>::value>::type>
    void insert(iterator, It, It) CM_THRUST_NONE
    allocator_type get_allocator() const CM_THRUST_NONE
};
}
template <class T, class Allocator> class device_vector;
template <class T, class Allocator> class host_vector;
#define CM_VECTOR(name, allocator, pointer, const_pointer, other) \
    template <class T, class Allocator = allocator<T>> \
    class name : public detail::vector_base<T, Allocator, pointer, const_pointer> { \
    public: \
        name() CM_THRUST_NONE \
        explicit name(const Allocator &) CM_THRUST_NONE \
        ~name() CM_THRUST_NONE \
        explicit name(size_t) CM_THRUST_NONE \
        explicit name(size_t, const Allocator &) CM_THRUST_NONE \
        explicit name(size_t, const T &) CM_THRUST_NONE \
        explicit name(size_t, const T &, const Allocator &) CM_THRUST_NONE \
        name(const name &) CM_THRUST_NONE \
        name(const name &, const Allocator &) CM_THRUST_NONE \
        name(name &&) CM_THRUST_NONE \
        template <class U, class A> name(const std::vector<U, A> &) CM_THRUST_NONE \
        template <class U, class A> name(const device_vector<U, A> &) CM_THRUST_NONE \
        template <class U, class A> name(const host_vector<U, A> &) CM_THRUST_NONE \
        name(std::initializer_list<T>) CM_THRUST_NONE \
        name(std::initializer_list<T>, const Allocator &) CM_THRUST_NONE \
        template <class It, class = typename std::enable_if<!std::is_integral<It>::value>::type> \
        name(It, It) CM_THRUST_NONE \
        template <class It, class = typename std::enable_if<!std::is_integral<It>::value>::type> \
        name(It, It, const Allocator &) CM_THRUST_NONE \
        name &operator=(const name &) CM_THRUST_NONE \
        name &operator=(name &&) CM_THRUST_NONE \
        name &operator=(std::initializer_list<T>) CM_THRUST_NONE \
        template <class U, class A> name &operator=(const std::vector<U, A> &) CM_THRUST_NONE \
        template <class U, class A> name &operator=(const device_vector<U, A> &) CM_THRUST_NONE \
        template <class U, class A> name &operator=(const host_vector<U, A> &) CM_THRUST_NONE \
        template <class U, class A> bool operator==(const device_vector<U, A> &) const CM_THRUST_NONE \
        template <class U, class A> bool operator==(const host_vector<U, A> &) const CM_THRUST_NONE \
    };
CM_VECTOR(device_vector, device_allocator, device_ptr<T>, device_ptr<const T>, host_vector)
CM_VECTOR(host_vector, std::allocator, T *, const T *, device_vector)
#undef CM_VECTOR


template <class T, class System = void, class Traversal = void, class Difference = void> class counting_iterator {
public:
    CM_RANDOM(counting_iterator, T, T)
    CM_THRUST_HD counting_iterator() CM_THRUST_NONE
    CM_THRUST_HD explicit counting_iterator(T) CM_THRUST_NONE
    CM_THRUST_HD const T &base() const CM_THRUST_NONE
};
template <class T> CM_THRUST_HD counting_iterator<T> make_counting_iterator(T) CM_THRUST_NONE
template <class T, class Index = void, class System = void> class constant_iterator {
public:
    CM_RANDOM(constant_iterator, T, T)
    CM_THRUST_HD constant_iterator() CM_THRUST_NONE
    CM_THRUST_HD constant_iterator(const T &) CM_THRUST_NONE
    CM_THRUST_HD constant_iterator(const T &, ptrdiff_t) CM_THRUST_NONE
};
template <class T> CM_THRUST_HD constant_iterator<T> make_constant_iterator(T) CM_THRUST_NONE
template <class T, class I> CM_THRUST_HD constant_iterator<T, I> make_constant_iterator(T, I) CM_THRUST_NONE
template <class F, class It, class Reference = void, class Value = void> class transform_iterator {
    typedef decltype(std::declval<F &>()(*std::declval<It &>())) cm_result;
    typedef typename std::conditional<std::is_void<Reference>::value, cm_result, Reference>::type cm_reference;
    typedef typename std::conditional<
        std::is_void<Value>::value, typename std::decay<cm_result>::type, Value>::type cm_value;
public:
    CM_RANDOM(transform_iterator, cm_value, cm_reference)
    CM_THRUST_HD transform_iterator() CM_THRUST_NONE
    CM_THRUST_HD transform_iterator(const It &, F) CM_THRUST_NONE
    CM_THRUST_HD explicit transform_iterator(const It &) CM_THRUST_NONE
    CM_THRUST_HD const It &base() const CM_THRUST_NONE
    CM_THRUST_HD F functor() const CM_THRUST_NONE
};
template <class F, class It> CM_THRUST_HD transform_iterator<F, It> make_transform_iterator(It, F) CM_THRUST_NONE
template <class Tuple> class zip_iterator;
template <class... It> class zip_iterator<tuple<It...>> {
    typedef tuple<typename std::iterator_traits<It>::value_type...> cm_value;
    typedef tuple<typename std::iterator_traits<It>::reference...> cm_reference;
public:
    CM_RANDOM(zip_iterator, cm_value, cm_reference)
    CM_THRUST_HD zip_iterator() CM_THRUST_NONE
    CM_THRUST_HD zip_iterator(tuple<It...>) CM_THRUST_NONE
    CM_THRUST_HD const tuple<It...> &get_iterator_tuple() const CM_THRUST_NONE
};
template <class... It> CM_THRUST_HD zip_iterator<tuple<It...>> make_zip_iterator(tuple<It...>) CM_THRUST_NONE
template <class... It> CM_THRUST_HD zip_iterator<tuple<It...>> make_zip_iterator(It...) CM_THRUST_NONE
template <class It, class Index> class permutation_iterator {
    typedef typename std::iterator_traits<It>::value_type cm_value;
    typedef typename std::iterator_traits<It>::reference cm_reference;
public:
    CM_RANDOM(permutation_iterator, cm_value, cm_reference)
    CM_THRUST_HD permutation_iterator() CM_THRUST_NONE
    CM_THRUST_HD explicit permutation_iterator(It, Index) CM_THRUST_NONE
};
template <class It, class Index>
CM_THRUST_HD permutation_iterator<It, Index> make_permutation_iterator(It, Index) CM_THRUST_NONE
namespace detail {
struct cm_sink { template <class T> CM_THRUST_HD const cm_sink &operator=(const T &) const CM_THRUST_NONE };
}
template <class System = void> class discard_iterator {
public:
    CM_RANDOM(discard_iterator, detail::cm_sink, detail::cm_sink)
    CM_THRUST_HD discard_iterator(ptrdiff_t = 0) CM_THRUST_NONE
};
inline CM_THRUST_HD discard_iterator<> make_discard_iterator(ptrdiff_t = 0) CM_THRUST_NONE
template <class F, class It> class transform_output_iterator {
public:
    CM_RANDOM(transform_output_iterator, detail::cm_sink, detail::cm_sink)
    CM_THRUST_HD transform_output_iterator(It, F) CM_THRUST_NONE
};
template <class F, class It>
CM_THRUST_HD transform_output_iterator<F, It> make_transform_output_iterator(It, F) CM_THRUST_NONE
template <class It> class reverse_iterator {
    typedef typename std::iterator_traits<It>::value_type cm_value;
    typedef typename std::iterator_traits<It>::reference cm_reference;
public:
    CM_RANDOM(reverse_iterator, cm_value, cm_reference)
    CM_THRUST_HD explicit reverse_iterator(It) CM_THRUST_NONE
    CM_THRUST_HD It base() const CM_THRUST_NONE
};
template <class It> CM_THRUST_HD reverse_iterator<It> make_reverse_iterator(It) CM_THRUST_NONE
template <class It> CM_THRUST_HD ptrdiff_t distance(It, It) CM_THRUST_NONE
template <class It, class D> CM_THRUST_HD void advance(It &, D) CM_THRUST_NONE
template <class It> CM_THRUST_HD It next(It, ptrdiff_t = 1) CM_THRUST_NONE
template <class It> CM_THRUST_HD It prev(It, ptrdiff_t = 1) CM_THRUST_NONE
#undef CM_RANDOM
}
#endif
