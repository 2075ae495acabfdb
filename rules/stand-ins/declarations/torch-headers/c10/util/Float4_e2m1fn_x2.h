// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/Float4_e2m1fn_x2.h>
