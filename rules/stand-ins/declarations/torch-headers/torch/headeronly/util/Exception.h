// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <sstream>
#include <stdexcept>
#include <string>

#define C10_UNLIKELY_OR_CONST(e) e

namespace torch::headeronly::detail {
// Each part of a message must be something a stream can print.
template <typename... Args>
std::string stdTorchCheckMsgImpl(const char*, const Args&... args) {
  std::ostringstream out;
  ((out << args), ...);
  return out.str();
}
}  // namespace torch::headeronly::detail

#define STD_TORCH_CHECK_MSG(held, kind, ...) (::torch::headeronly::detail::stdTorchCheckMsgImpl("", ##__VA_ARGS__))
#define STD_TORCH_CHECK(held, ...) \
  if (!(held)) throw std::runtime_error(STD_TORCH_CHECK_MSG(held, "", ##__VA_ARGS__));
