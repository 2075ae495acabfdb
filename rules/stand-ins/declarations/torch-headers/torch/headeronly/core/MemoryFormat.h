// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <ostream>

namespace c10 {
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d, NumOptions };
inline MemoryFormat get_contiguous_memory_format() { return MemoryFormat::Contiguous; }
std::ostream& operator<<(std::ostream& stream, MemoryFormat format);
}  // namespace c10
namespace torch::headeronly {
using c10::MemoryFormat;
using c10::get_contiguous_memory_format;
}  // namespace torch::headeronly
