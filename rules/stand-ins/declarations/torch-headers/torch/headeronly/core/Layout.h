// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <ostream>

namespace c10 {
enum class Layout : int8_t { Strided, Sparse, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc, Jagged, NumOptions };
#define CUDAMIGRATE_LAYOUTS(_) _(Jagged) _(Mkldnn) _(Sparse) _(SparseBsc) _(SparseBsr) \
  _(SparseCsc) _(SparseCsr) _(Strided)
#define CUDAMIGRATE_LAYOUT(name) constexpr Layout k##name = Layout::name;
CUDAMIGRATE_LAYOUTS(CUDAMIGRATE_LAYOUT)
#undef CUDAMIGRATE_LAYOUT
std::ostream& operator<<(std::ostream& stream, Layout layout);
}  // namespace c10
namespace torch::headeronly {
using c10::Layout;
#define CUDAMIGRATE_LAYOUT(name) using c10::k##name;
CUDAMIGRATE_LAYOUTS(CUDAMIGRATE_LAYOUT)
#undef CUDAMIGRATE_LAYOUT
#undef CUDAMIGRATE_LAYOUTS
}  // namespace torch::headeronly
