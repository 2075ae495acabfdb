// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <sstream>
#include <stdexcept>

#define TORCH_SUCCESS 0
#define TORCH_FAILURE 1

namespace torch::headeronly::detail {
void throw_exception(const char* call, const char* file, int64_t line);
}
#define TORCH_ERROR_CODE_CHECK(call) \
  if (const auto cudamigrate_code = (call)) torch::headeronly::detail::throw_exception(#call, __FILE__, cudamigrate_code);
