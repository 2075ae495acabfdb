// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/variable.h>

#include <unordered_map>
#include <unordered_set>

namespace torch::autograd {
struct AutogradContext {
  std::unordered_map<std::string, at::IValue> saved_data;
  void save_for_backward(variable_list to_save);
  variable_list get_saved_variables() const;
  void mark_dirty(const variable_list& inputs);
  void mark_non_differentiable(const variable_list& outputs);
  void set_materialize_grads(bool value);
  bool needs_input_grad(size_t index) const;
};
// A kernel class derives from this and gives static forward and backward.
template <class T>
struct Function {
  template <typename X = T, typename... Args>
  static auto apply(Args&&... args)
      -> decltype(X::forward(static_cast<AutogradContext*>(nullptr), static_cast<Args&&>(args)...));
};
bool any_variable_requires_grad(const variable_list& variables);
template <typename... Args>
bool compute_requires_grad(Args&&... args);
variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grad_outputs = {},
                   std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                       bool allow_unused = false);
}  // namespace torch::autograd
