// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <string>
#include <string_view>

namespace c10 {
using string_view = std::string_view;
using string_view_ext = std::string_view;
}
