// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/core/SymInt.h>
#include <c10/util/Exception.h>

namespace c10 {
class Scalar {
 public:
  Scalar();
#define CUDAMIGRATE_SCALAR(type, name) Scalar(type value);
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CUDAMIGRATE_SCALAR)
#undef CUDAMIGRATE_SCALAR
  Scalar(uint16_t value);
  Scalar(uint32_t value);
  Scalar(uint64_t value);
  Scalar(SymInt value);
  template <typename T, std::enable_if_t<std::is_same_v<T, long long> && !std::is_same_v<T, int64_t>, bool>* = nullptr>
  Scalar(T value);
  template <typename T, std::enable_if_t<std::is_same_v<T, unsigned long long> && !std::is_same_v<T, uint64_t>,
            bool>* = nullptr>
  Scalar(T value);
#define CUDAMIGRATE_SCALAR(type, name) type to##name() const;
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CUDAMIGRATE_SCALAR)
#undef CUDAMIGRATE_SCALAR
  SymInt toSymInt() const;
  bool isFloatingPoint() const;
  bool isIntegral(bool includeBool) const;
  bool isComplex() const;
  bool isBoolean() const;
  bool isSymbolic() const;
  Scalar operator-() const;
  Scalar conj() const;
  Scalar log() const;
  bool equal(bool value) const;
  template <typename T>
  bool equal(T value) const;
  ScalarType type() const;
  template <typename T>
  T to() const;
};
}  // namespace c10
