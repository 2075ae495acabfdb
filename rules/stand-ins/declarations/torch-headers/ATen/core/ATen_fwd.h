// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/Storage.h>
#include <c10/core/Stream.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Optional.h>
#include <c10/util/OptionalArrayRef.h>
#include <c10/util/irange.h>
#include <c10/util/string_view.h>

namespace c10 {
template <class T>
class List;
template <class Key, class Value>
class Dict;
struct IValue;
}  // namespace c10
namespace at {
using namespace c10;
class Tensor;
class TensorBase;
struct Generator;
using TensorList = ArrayRef<Tensor>;
using IntArrayRef = c10::IntArrayRef;
using DimVector = SmallVector<int64_t, 5>;
struct Dimname;
struct DeprecatedTypeProperties;
struct Type;
namespace indexing {
struct TensorIndex;
}
namespace Reduction {
enum Reduction { None, Mean, Sum, END };
}
using c10::elementSize;
}  // namespace at
namespace torch {
namespace autograd {
struct Node;
}
}  // namespace torch
