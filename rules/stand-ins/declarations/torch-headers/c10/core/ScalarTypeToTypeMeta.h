// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/util/typeid.h>

#include <optional>

namespace c10 {
caffe2::TypeMeta scalarTypeToTypeMeta(ScalarType type);
ScalarType typeMetaToScalarType(caffe2::TypeMeta type);
std::optional<ScalarType> optTypeMetaToScalarType(std::optional<caffe2::TypeMeta> type);
bool operator==(ScalarType a, caffe2::TypeMeta b);
bool operator==(caffe2::TypeMeta a, ScalarType b);
bool operator!=(ScalarType a, caffe2::TypeMeta b);
bool operator!=(caffe2::TypeMeta a, ScalarType b);
}  // namespace c10
