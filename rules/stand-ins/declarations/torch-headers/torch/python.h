// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>

namespace torch::python::detail {
Device py_object_to_device(py::object object);
Dtype py_object_to_dtype(py::object object);
}  // namespace torch::python::detail
