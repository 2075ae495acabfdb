// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/Parallel.h>
#include <torch/types.h>

namespace torch {
using NoGradGuard = at::NoGradGuard;
using AutoGradMode = at::AutoGradMode;
using c10::InferenceMode;
using at::get_num_threads;
using at::manual_seed;
using at::set_num_threads;
}  // namespace torch
