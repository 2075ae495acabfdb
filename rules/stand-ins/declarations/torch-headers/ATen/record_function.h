// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <string>

#define RECORD_FUNCTION(...)
#define RECORD_USER_SCOPE(name)
