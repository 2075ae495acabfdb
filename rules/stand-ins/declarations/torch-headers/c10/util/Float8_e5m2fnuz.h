// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/Float8_e5m2fnuz.h>
