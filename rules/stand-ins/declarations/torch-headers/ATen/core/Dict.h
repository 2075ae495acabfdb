// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/core/ATen_fwd.h>

#include <utility>
#include <vector>

namespace c10 {
namespace impl {
template <class Key, class Value>
struct DictEntry {
  const Key& key() const;
  const Value& value() const;
  void setValue(Value value) const;
};
}  // namespace impl
template <class Key, class Value>
class Dict final {
 public:
  using iterator = impl::DictEntry<Key, Value>*;
  explicit Dict();
  iterator begin() const;
  iterator end() const;
  bool empty() const;
  size_t size() const;
  void clear() const;
  template <class K, class V>
  std::pair<iterator, bool> insert(K&& key, V&& value) const;
  template <class K, class V>
  std::pair<iterator, bool> insert_or_assign(K&& key, V&& value) const;
  bool contains(const Key& key) const;
  iterator find(const Key& key) const;
  Value at(const Key& key) const;
  size_t erase(const Key& key) const;
  void reserve(size_t count) const;
};
}  // namespace c10
namespace torch {
using c10::Dict;
}
