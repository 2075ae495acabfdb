// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/macros/Macros.h>

#include <functional>

namespace at {
namespace internal {
constexpr int64_t GRAIN_SIZE = 32768;
}
int64_t divup(int64_t x, int64_t y);
void init_num_threads();
void set_num_threads(int count);
int get_num_threads();
int get_thread_num();
bool in_parallel_region();
template <class F>
void parallel_for(const int64_t begin, const int64_t end, const int64_t grain_size, const F& f) {
  f(begin, end);
}
template <class scalar_t, class F, class SF>
scalar_t parallel_reduce(const int64_t begin, const int64_t end, const int64_t grain_size, const scalar_t ident,
    const F& f, const SF& sf);
}  // namespace at
