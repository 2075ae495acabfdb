// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <sstream>
#include <string>

namespace c10 {
// Each part must be something a stream can print.
template <typename... Args>
std::string str(const Args&... args) {
  std::ostringstream out;
  (void)(out << ... << args);
  return out.str();
}
template <class Container>
std::string Join(const std::string& delimiter, const Container& parts);
size_t ReplaceAll(std::string& text, const char* from, const char* to);
}  // namespace c10
