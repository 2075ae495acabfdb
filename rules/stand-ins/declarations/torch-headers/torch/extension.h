// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/all.h>
#include <torch/library.h>
#include <torch/python.h>
