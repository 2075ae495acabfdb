// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/linalg.h>
#include <torch/nn/functional.h>
#include <torch/types.h>
#include <torch/utils.h>
#include <torch/version.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <unordered_map>

namespace torch {
namespace cuda {
size_t device_count();
bool is_available();
bool cudnn_is_available();
void manual_seed(uint64_t seed);
void manual_seed_all(uint64_t seed);
void synchronize(int64_t device_index = -1);
}  // namespace cuda
std::vector<char> pickle_save(const c10::IValue& value);
c10::IValue pickle_load(const std::vector<char>& data);
}  // namespace torch
