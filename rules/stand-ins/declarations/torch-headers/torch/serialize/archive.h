// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/types.h>

#include <istream>
#include <optional>
#include <ostream>
#include <string>

namespace torch::serialize {
class OutputArchive final {
 public:
  OutputArchive();
  void write(const std::string& key, const Tensor& tensor, bool is_buffer = false);
  void write(const std::string& key, const c10::IValue& value);
  void write(const std::string& key, OutputArchive& nested_archive);
  void save_to(const std::string& filename);
  void save_to(std::ostream& stream);
};

class InputArchive final {
 public:
  InputArchive();
  void read(const std::string& key, Tensor& tensor, bool is_buffer = false);
  bool try_read(const std::string& key, Tensor& tensor, bool is_buffer = false);
  void read(const std::string& key, c10::IValue& value);
  bool try_read(const std::string& key, c10::IValue& value);
  void read(const std::string& key, InputArchive& archive);
  bool try_read(const std::string& key, InputArchive& archive);
  void load_from(const std::string& filename, std::optional<torch::Device> device = std::nullopt);
  void load_from(std::istream& stream, std::optional<torch::Device> device = std::nullopt);
};
}  // namespace torch::serialize
