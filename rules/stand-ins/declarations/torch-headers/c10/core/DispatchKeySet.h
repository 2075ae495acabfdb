// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/DeviceType.h>

#include <ostream>

namespace c10 {
enum class DispatchKey : uint16_t {
  Undefined, CPU, CUDA, HIP, XPU, MPS, Meta, PrivateUse1, SparseCPU, SparseCUDA, QuantizedCPU, QuantizedCUDA,
  BackendSelect,
  ADInplaceOrView, Autograd, AutogradOther, AutogradCPU, AutogradCUDA, AutogradXPU, Autocast, AutocastCPU,
  AutocastCUDA, AutocastXPU, CompositeImplicitAutograd, CompositeExplicitAutograd, CatchAll, FuncTorchBatched,
  Functionalize,
  PythonDispatcher, Python
};
class DispatchKeySet final {
 public:
  constexpr DispatchKeySet() = default;
  constexpr DispatchKeySet(DispatchKey key);
  bool has(DispatchKey key) const;
};
const char* toString(DispatchKey key);
std::ostream& operator<<(std::ostream& out, DispatchKey key);
}  // namespace c10
