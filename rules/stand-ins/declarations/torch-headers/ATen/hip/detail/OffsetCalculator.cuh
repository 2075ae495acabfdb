// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>

#include <hip/hip_runtime.h>

template <int NARGS, typename index_t = uint32_t, bool signed_strides = false>
struct OffsetCalculator {
  OffsetCalculator(int dims, const int64_t* sizes, const int64_t* const* strides,
      const int64_t* element_sizes = nullptr);
  struct offset_type {
    index_t values[NARGS > 1 ? NARGS : 1];
    C10_HOST_DEVICE index_t& operator[](int i) { return values[i]; }
  };
  C10_HOST_DEVICE offset_type get(index_t linear_idx) const;
};
