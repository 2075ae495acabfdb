// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <cstdint>

namespace at {
struct PhiloxCudaState {
  bool captured_ = false;
  uint64_t offset_intragraph_ = 0;
  // A number, or where a graph that is replayed finds it.
  union Payload {
    int64_t* ptr;
    uint64_t val;
  };
  Payload offset_{nullptr}, seed_{nullptr};
  PhiloxCudaState(int64_t* seed, int64_t* offset, uint64_t within_graph);
  PhiloxCudaState(uint64_t seed, uint64_t offset);
  PhiloxCudaState() = default;
};
}  // namespace at
