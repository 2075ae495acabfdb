// cudamigrate declarations: PyTorch for ROCm, names and types only; not the library's own header
#pragma once

#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Float4_e2m1fn_x2.h>
#include <torch/headeronly/util/Float8_e4m3fn.h>
#include <torch/headeronly/util/Float8_e4m3fnuz.h>
#include <torch/headeronly/util/Float8_e5m2.h>
#include <torch/headeronly/util/Float8_e5m2fnuz.h>
#include <torch/headeronly/util/Float8_e8m0fnu.h>
#include <torch/headeronly/util/Half.h>
#include <torch/headeronly/util/bits.h>
#include <torch/headeronly/util/complex.h>
#include <torch/headeronly/util/qint32.h>
#include <torch/headeronly/util/qint8.h>
#include <torch/headeronly/util/quint2x4.h>
#include <torch/headeronly/util/quint4x2.h>
#include <torch/headeronly/util/quint8.h>

#include <type_traits>

namespace c10 {
template <unsigned int N>
struct dummy_uint1_7_t {};
template <unsigned int N>
struct dummy_int1_7_t {};
}  // namespace c10

// Groups of types, in the order of their numbers, from which the lists that PyTorch offers are put together.
#define CUDAMIGRATE_C10(_, name) _(c10::name, name)
#define CUDAMIGRATE_BYTES(_) _(uint8_t, Byte) _(int8_t, Char)
#define CUDAMIGRATE_WORDS(_) _(int16_t, Short) _(int, Int) _(int64_t, Long)
#define CUDAMIGRATE_REALS(_) _(float, Float) _(double, Double)
#define CUDAMIGRATE_QUANTIZED(_) CUDAMIGRATE_C10_QUANTIZED(_, qint8, QInt8) CUDAMIGRATE_C10_QUANTIZED(_, quint8, QUInt8) \
  CUDAMIGRATE_C10_QUANTIZED(_, qint32, QInt32)
#define CUDAMIGRATE_PACKED(_) \
  CUDAMIGRATE_C10_QUANTIZED(_, quint4x2, QUInt4x2) CUDAMIGRATE_C10_QUANTIZED(_, quint2x4, QUInt2x4)
#define CUDAMIGRATE_C10_QUANTIZED(_, type, name) _(c10::type, name)
#define CUDAMIGRATE_BITS(_, count) _(c10::bits##count, Bits##count)
#define CUDAMIGRATE_ALL_BITS(_) CUDAMIGRATE_BITS(_, 1x8) CUDAMIGRATE_BITS(_, 2x4) CUDAMIGRATE_BITS(_, 4x2) \
  CUDAMIGRATE_BITS(_, 8) CUDAMIGRATE_BITS(_, 16)
#define CUDAMIGRATE_FLOAT8(_) CUDAMIGRATE_C10(_, Float8_e5m2) CUDAMIGRATE_C10(_, Float8_e4m3fn)
#define CUDAMIGRATE_FLOAT8_FNUZ(_) CUDAMIGRATE_C10(_, Float8_e5m2fnuz) CUDAMIGRATE_C10(_, Float8_e4m3fnuz)
#define CUDAMIGRATE_UNSIGNED(_, bits) _(uint##bits##_t, UInt##bits)
#define CUDAMIGRATE_SEVEN(_, type, name) _(c10::type<1>, name##1) _(c10::type<2>, name##2) _(c10::type<3>, name##3) \
  _(c10::type<4>, name##4) _(c10::type<5>, name##5) _(c10::type<6>, name##6) _(c10::type<7>, name##7)
#define CUDAMIGRATE_NAMED(_, name) _(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::name>, name)

#define AT_FORALL_INT_TYPES(_) CUDAMIGRATE_BYTES(_) CUDAMIGRATE_WORDS(_)
#define AT_FORALL_SCALAR_TYPES(_) AT_FORALL_INT_TYPES(_) CUDAMIGRATE_REALS(_)
#define AT_FORALL_SCALAR_TYPES_AND(a, _) AT_FORALL_SCALAR_TYPES(_) CUDAMIGRATE_NAMED(_, a)
#define AT_FORALL_SCALAR_TYPES_AND2(a, b, _) AT_FORALL_SCALAR_TYPES_AND(a, _) CUDAMIGRATE_NAMED(_, b)
#define AT_FORALL_SCALAR_TYPES_AND3(a, b, c, _) AT_FORALL_SCALAR_TYPES_AND2(a, b, _) CUDAMIGRATE_NAMED(_, c)
#define CUDAMIGRATE_PAIR(_, part, name) _(c10::complex<part>, name)
#define AT_FORALL_COMPLEX_TYPES(_) CUDAMIGRATE_PAIR(_, float, ComplexFloat) CUDAMIGRATE_PAIR(_, double, ComplexDouble)
#define AT_FORALL_QINT_TYPES(_) CUDAMIGRATE_QUANTIZED(_) CUDAMIGRATE_PACKED(_)
#define AT_FORALL_FLOAT8_TYPES(_) \
  CUDAMIGRATE_FLOAT8(_) CUDAMIGRATE_FLOAT8_FNUZ(_) CUDAMIGRATE_C10(_, Float8_e8m0fnu)
#define CUDAMIGRATE_TO_REALS(_) AT_FORALL_INT_TYPES(_) CUDAMIGRATE_C10(_, Half) CUDAMIGRATE_REALS(_)
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_EXCEPT_COMPLEX_HALF_F8NZ(_) \
  CUDAMIGRATE_TO_REALS(_) AT_FORALL_COMPLEX_TYPES(_) _(bool, Bool) CUDAMIGRATE_C10(_, BFloat16) CUDAMIGRATE_FLOAT8(_)
#define CUDAMIGRATE_TO_BOOL(_) \
  CUDAMIGRATE_TO_REALS(_) CUDAMIGRATE_PAIR(_, c10::Half, ComplexHalf) AT_FORALL_COMPLEX_TYPES(_) _(bool, Bool)
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(_) \
  CUDAMIGRATE_TO_BOOL(_) CUDAMIGRATE_C10(_, BFloat16) AT_FORALL_FLOAT8_TYPES(_)
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(_)                                                      \
  CUDAMIGRATE_TO_BOOL(_) CUDAMIGRATE_QUANTIZED(_) CUDAMIGRATE_C10(_, BFloat16) CUDAMIGRATE_PACKED(_)          \
  CUDAMIGRATE_ALL_BITS(_) CUDAMIGRATE_FLOAT8(_) CUDAMIGRATE_FLOAT8_FNUZ(_)                                    \
  CUDAMIGRATE_UNSIGNED(_, 16) CUDAMIGRATE_UNSIGNED(_, 32) CUDAMIGRATE_UNSIGNED(_, 64)                         \
  CUDAMIGRATE_SEVEN(_, dummy_uint1_7_t, UInt) CUDAMIGRATE_SEVEN(_, dummy_int1_7_t, Int)                       \
  CUDAMIGRATE_C10(_, Float8_e8m0fnu) CUDAMIGRATE_C10(_, Float4_e2m1fn_x2)

namespace c10 {

enum class ScalarType : int8_t {
#define CUDAMIGRATE_SCALAR_TYPE(type, name) name,
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(CUDAMIGRATE_SCALAR_TYPE)
#undef CUDAMIGRATE_SCALAR_TYPE
  Undefined,
  NumOptions
};
constexpr uint16_t NumScalarTypes = static_cast<uint16_t>(ScalarType::NumOptions);

template <typename T>
struct CppTypeToScalarType;
namespace impl {
template <ScalarType N>
struct ScalarTypeToCPPType;
}
#define CUDAMIGRATE_SCALAR_TYPE(cpp, name)                                                                       \
  template <>                                                                                                    \
  struct CppTypeToScalarType<cpp> : std::integral_constant<ScalarType, ScalarType::name> {};                     \
  template <>                                                                                                    \
  struct impl::ScalarTypeToCPPType<ScalarType::name> {                                                           \
    using type = cpp;                                                                                            \
    static type t;                                                                                               \
  };
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(CUDAMIGRATE_SCALAR_TYPE)
#undef CUDAMIGRATE_SCALAR_TYPE
namespace impl {
template <ScalarType N>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<N>::type;
}

#define CUDAMIGRATE_SCALAR_TYPE(type, name) constexpr ScalarType k##name = ScalarType::name;
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(CUDAMIGRATE_SCALAR_TYPE)
#undef CUDAMIGRATE_SCALAR_TYPE

const char* toString(ScalarType type);
size_t elementSize(ScalarType type);
std::ostream& operator<<(std::ostream& out, ScalarType type);
bool isIntegralType(ScalarType type, bool includeBool);
bool isFloatingType(ScalarType type);
bool isReducedFloatingType(ScalarType type);
bool isFloat8Type(ScalarType type);
bool isComplexType(ScalarType type);
bool isQIntType(ScalarType type);
bool isBitsType(ScalarType type);
bool isBarebonesUnsignedType(ScalarType type);
bool isSignedType(ScalarType type);
bool isUnderlying(ScalarType type, ScalarType qtype);
bool canCast(ScalarType from, ScalarType to);
ScalarType toQIntType(ScalarType type);
ScalarType toUnderlying(ScalarType type);
ScalarType toRealValueType(ScalarType type);
ScalarType toComplexType(ScalarType type);
ScalarType promoteTypes(ScalarType a, ScalarType b);

}  // namespace c10

namespace torch::headeronly {
using c10::operator<<;
using c10::toUnderlying, c10::toString, c10::isQIntType;
using c10::ScalarType, c10::NumScalarTypes, c10::CppTypeToScalarType;
namespace impl {
using c10::impl::ScalarTypeToCPPTypeT, c10::impl::ScalarTypeToCPPType;
}  // namespace impl
#define CUDAMIGRATE_SCALAR_TYPE(type, name) using c10::k##name;
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(CUDAMIGRATE_SCALAR_TYPE)
#undef CUDAMIGRATE_SCALAR_TYPE
}  // namespace torch::headeronly
