// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/hip/Exceptions.h>
#include <ATen/hip/HIPContextLight.h>
#include <c10/hip/HIPEvent.h>
