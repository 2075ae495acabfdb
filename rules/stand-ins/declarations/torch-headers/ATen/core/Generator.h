// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/util/Optional.h>
#include <c10/core/Device.h>
#include <c10/util/intrusive_ptr.h>

#include <mutex>

namespace c10 {
struct GeneratorImpl : intrusive_ptr_target {
  std::mutex mutex_;
  virtual void set_current_seed(uint64_t seed) = 0;
  virtual uint64_t current_seed() const = 0;
  virtual uint64_t seed() = 0;
  Device device() const;
};
}  // namespace c10
namespace at {
struct Generator {
  Generator();
  explicit Generator(c10::intrusive_ptr<c10::GeneratorImpl> impl);
  bool defined() const;
  c10::GeneratorImpl* unsafeGetGeneratorImpl() const;
  void set_current_seed(uint64_t seed);
  void set_offset(uint64_t offset);
  uint64_t get_offset() const;
  uint64_t current_seed() const;
  uint64_t seed();
  std::mutex& mutex();
  c10::Device device() const;
  template <typename T>
  T* get() const;
  Generator clone() const;
};
template <class Impl, class... Args>
Generator make_generator(Args&&... args);
template <typename T>
T* check_generator(std::optional<Generator> generator);
template <typename T>
T* get_generator_or_default(const std::optional<Generator>& generator, const Generator& otherwise);
}  // namespace at
