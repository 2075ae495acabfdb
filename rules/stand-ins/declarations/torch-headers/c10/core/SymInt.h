// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/util/ArrayRef.h>
#include <c10/util/Optional.h>

namespace c10 {
class SymBool {
 public:
  SymBool(bool value);
  bool guard_bool(const char* file, int64_t line) const;
  bool expect_true(const char* file, int64_t line) const;
};
class SymInt {
 public:
  SymInt(int64_t value);
  SymInt();
  int64_t expect_int() const;
  int64_t guard_int(const char* file, int64_t line) const;
  std::optional<int64_t> maybe_as_int() const;
  bool is_symbolic() const;
  SymInt operator+(const SymInt& other) const;
  SymInt operator-(const SymInt& other) const;
  SymInt operator*(const SymInt& other) const;
  SymInt operator/(const SymInt& other) const;
  SymInt operator%(const SymInt& other) const;
  bool operator==(const SymInt& other) const;
  bool operator!=(const SymInt& other) const;
  bool operator<(const SymInt& other) const;
  bool operator<=(const SymInt& other) const;
  bool operator>(const SymInt& other) const;
  bool operator>=(const SymInt& other) const;
};
std::ostream& operator<<(std::ostream& out, const SymInt& value);
using SymIntArrayRef = ArrayRef<SymInt>;
SymIntArrayRef fromIntArrayRefSlow(IntArrayRef list);
}  // namespace c10
