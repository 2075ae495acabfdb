// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/Tensor.h>

namespace torch::autograd {
using Variable = at::Tensor;
using variable_list = std::vector<Variable>;
struct Node {
  virtual ~Node();
  std::string name() const;
};
Variable make_variable(at::Tensor data, bool requires_grad = false);
}  // namespace torch::autograd
namespace torch {
using autograd::Variable;
}
