// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/util/string_view.h>

namespace caffe2 {
class TypeIdentifier {};
class TypeMeta final {
 public:
  TypeMeta() noexcept;
  TypeMeta(const TypeMeta&) noexcept = default;
  TypeMeta& operator=(const TypeMeta&) noexcept = default;
  TypeMeta& operator=(c10::ScalarType type) noexcept;
  TypeIdentifier id() const noexcept;
  bool isScalarType() const noexcept;
  bool isScalarType(c10::ScalarType type) const noexcept;
  size_t itemsize() const noexcept;
  std::string_view name() const noexcept;
  template <typename T>
  bool Match() const noexcept;
  template <typename T>
  static TypeMeta Make();
  static TypeMeta fromScalarType(c10::ScalarType type);
  c10::ScalarType toScalarType() const;
};
bool operator==(const TypeMeta& a, const TypeMeta& b) noexcept;
bool operator!=(const TypeMeta& a, const TypeMeta& b) noexcept;
std::ostream& operator<<(std::ostream& stream, TypeMeta type);
}  // namespace caffe2
namespace c10 {
using caffe2::TypeMeta;
}
