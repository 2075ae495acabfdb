// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/Device.h>

namespace c10 {
using StreamId = int64_t;
struct StreamData3 {
  StreamId stream_id;
  DeviceIndex device_index;
  DeviceType device_type;
};
class Stream final {
 public:
  enum Unsafe { UNSAFE };
  enum Default { DEFAULT };
  explicit Stream(Unsafe, Device device, StreamId id);
  explicit Stream(Default, Device device);
  bool operator==(const Stream& other) const noexcept;
  bool operator!=(const Stream& other) const noexcept;
  Device device() const noexcept;
  DeviceType device_type() const noexcept;
  DeviceIndex device_index() const noexcept;
  StreamId id() const noexcept;
  template <typename T>
  void wait(const T& event) const;
  bool query() const;
  void synchronize() const;
  uint64_t hash() const noexcept;
  StreamData3 pack3() const;
  static Stream unpack3(StreamId id, DeviceIndex index, DeviceType type);
};
std::ostream& operator<<(std::ostream& stream, const Stream& s);
}  // namespace c10
template <>
struct std::hash<c10::Stream> {
  size_t operator()(c10::Stream hashed) const noexcept;
};
