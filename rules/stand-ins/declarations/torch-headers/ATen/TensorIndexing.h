// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>

namespace at {
class Tensor;
namespace indexing {
enum class TensorIndexType { None, Ellipsis, SymInt, Boolean, Slice, Tensor };
constexpr std::nullopt_t None = std::nullopt;
struct EllipsisIndexType final {};
inline const EllipsisIndexType Ellipsis;
struct Slice final {
  explicit Slice(std::optional<c10::SymInt> start = std::nullopt, std::optional<c10::SymInt> stop = std::nullopt,
                 std::optional<c10::SymInt> step = std::nullopt);
  SymInt start() const;
  SymInt stop() const;
  SymInt step() const;
};
struct TensorIndex final {
  TensorIndex(std::nullopt_t);
  TensorIndex(EllipsisIndexType);
  TensorIndex(const char* text);
  TensorIndex(c10::SymInt integer);
  TensorIndex(int64_t integer);
  TensorIndex(int integer);
  template <class T, class = std::enable_if_t<std::is_same_v<bool, T>>>
  TensorIndex(T boolean);
  TensorIndex(Slice slice);
  TensorIndex(Tensor tensor);
  bool is_none() const;
  bool is_ellipsis() const;
  bool is_integer() const;
  bool is_boolean() const;
  bool is_slice() const;
  bool is_tensor() const;
  const Tensor& tensor() const;
};
}  // namespace indexing
}  // namespace at
