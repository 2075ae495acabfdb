// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/SymInt.h>
#include <c10/util/intrusive_ptr.h>

namespace c10 {
struct StorageImpl : intrusive_ptr_target {
  size_t nbytes() const;
  void set_nbytes(size_t bytes);
  DataPtr& mutable_data_ptr();
  const DataPtr& data_ptr() const;
  const void* data() const;
  void* mutable_data();
  Device device() const;
  Allocator* allocator();
  bool resizable() const;
};
struct Storage {
  struct use_byte_size_t {};
  Storage();
  Storage(use_byte_size_t, const SymInt& bytes, Allocator* allocator = nullptr, bool resizable = false);
  Storage(use_byte_size_t, size_t bytes, DataPtr data, Allocator* allocator = nullptr, bool resizable = false);
  void reset();
  void set_nbytes(size_t bytes) const;
  bool resizable() const;
  size_t nbytes() const;
  const void* data() const;
  void* mutable_data() const;
  DataPtr& mutable_data_ptr() const;
  const DataPtr& data_ptr() const;
  DeviceType device_type() const;
  Allocator* allocator() const;
  Device device() const;
  StorageImpl* unsafeGetStorageImpl() const noexcept;
  operator bool() const;
  size_t use_count() const;
  bool unique() const;
  bool is_alias_of(const Storage& other) const;
};
}  // namespace c10
