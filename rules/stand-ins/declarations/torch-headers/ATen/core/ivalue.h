// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>

namespace c10 {
struct IValue final {
  IValue();
  IValue(at::Tensor value);
  IValue(int64_t value);
  IValue(int32_t value);
  IValue(double value);
  IValue(bool value);
  IValue(const char* value);
  IValue(std::string value);
  IValue(std::nullopt_t);
  IValue(const Scalar& value);
  IValue(Device value);
  template <class T>
  IValue(ArrayRef<T> value);
  template <class T>
  IValue(List<T> value);
  template <class T>
  IValue(std::vector<T> value);
  template <class T>
  IValue(std::optional<T> value);
  template <class T>
  IValue(intrusive_ptr<T> value);
  template <class... Args>
  IValue(std::tuple<Args...> value);
  bool isTensor() const;
  bool isNone() const;
  bool isInt() const;
  bool isDouble() const;
  bool isBool() const;
  bool isString() const;
  bool isIntList() const;
  bool isTensorList() const;
  at::Tensor toTensor() const;
  int64_t toInt() const;
  double toDouble() const;
  bool toBool() const;
  Scalar toScalar() const;
  Device toDevice() const;
  std::string toStringRef() const;
  List<int64_t> toIntList() const;
  std::vector<int64_t> toIntVector() const;
  std::vector<double> toDoubleVector() const;
  List<at::Tensor> toTensorList() const;
  std::vector<at::Tensor> toTensorVector() const;
  template <typename T>
  T to() const;
  template <typename T>
  std::optional<T> toOptional() const;
};
}  // namespace c10
namespace torch {
using c10::IValue;
}
