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

#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(_) \
  _(uint8_t, Byte) \
  _(int8_t, Char) \
  _(int16_t, Short) \
  _(int, Int) \
  _(int64_t, Long) \
  _(c10::Half, Half) \
  _(float, Float) \
  _(double, Double) \
  _(c10::complex<c10::Half>, ComplexHalf) \
  _(c10::complex<float>, ComplexFloat) \
  _(c10::complex<double>, ComplexDouble) \
  _(bool, Bool) \
  _(c10::qint8, QInt8) \
  _(c10::quint8, QUInt8) \
  _(c10::qint32, QInt32) \
  _(c10::BFloat16, BFloat16) \
  _(c10::quint4x2, QUInt4x2) \
  _(c10::quint2x4, QUInt2x4) \
  _(c10::bits1x8, Bits1x8) \
  _(c10::bits2x4, Bits2x4) \
  _(c10::bits4x2, Bits4x2) \
  _(c10::bits8, Bits8) \
  _(c10::bits16, Bits16) \
  _(c10::Float8_e5m2, Float8_e5m2) \
  _(c10::Float8_e4m3fn, Float8_e4m3fn) \
  _(c10::Float8_e5m2fnuz, Float8_e5m2fnuz) \
  _(c10::Float8_e4m3fnuz, Float8_e4m3fnuz) \
  _(uint16_t, UInt16) \
  _(uint32_t, UInt32) \
  _(uint64_t, UInt64) \
  _(c10::dummy_uint1_7_t<1>, UInt1) \
  _(c10::dummy_uint1_7_t<2>, UInt2) \
  _(c10::dummy_uint1_7_t<3>, UInt3) \
  _(c10::dummy_uint1_7_t<4>, UInt4) \
  _(c10::dummy_uint1_7_t<5>, UInt5) \
  _(c10::dummy_uint1_7_t<6>, UInt6) \
  _(c10::dummy_uint1_7_t<7>, UInt7) \
  _(c10::dummy_int1_7_t<1>, Int1) \
  _(c10::dummy_int1_7_t<2>, Int2) \
  _(c10::dummy_int1_7_t<3>, Int3) \
  _(c10::dummy_int1_7_t<4>, Int4) \
  _(c10::dummy_int1_7_t<5>, Int5) \
  _(c10::dummy_int1_7_t<6>, Int6) \
  _(c10::dummy_int1_7_t<7>, Int7) \
  _(c10::Float8_e8m0fnu, Float8_e8m0fnu) \
  _(c10::Float4_e2m1fn_x2, Float4_e2m1fn_x2)
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(_) \
  _(uint8_t, Byte) \
  _(int8_t, Char) \
  _(int16_t, Short) \
  _(int, Int) \
  _(int64_t, Long) \
  _(c10::Half, Half) \
  _(float, Float) \
  _(double, Double) \
  _(c10::complex<c10::Half>, ComplexHalf) \
  _(c10::complex<float>, ComplexFloat) \
  _(c10::complex<double>, ComplexDouble) \
  _(bool, Bool) \
  _(c10::BFloat16, BFloat16) \
  _(c10::Float8_e5m2, Float8_e5m2) \
  _(c10::Float8_e4m3fn, Float8_e4m3fn) \
  _(c10::Float8_e5m2fnuz, Float8_e5m2fnuz) \
  _(c10::Float8_e4m3fnuz, Float8_e4m3fnuz) \
  _(c10::Float8_e8m0fnu, Float8_e8m0fnu)
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_EXCEPT_COMPLEX_HALF_F8NZ(_) \
  _(uint8_t, Byte) \
  _(int8_t, Char) \
  _(int16_t, Short) \
  _(int, Int) \
  _(int64_t, Long) \
  _(c10::Half, Half) \
  _(float, Float) \
  _(double, Double) \
  _(c10::complex<float>, ComplexFloat) \
  _(c10::complex<double>, ComplexDouble) \
  _(bool, Bool) \
  _(c10::BFloat16, BFloat16) \
  _(c10::Float8_e5m2, Float8_e5m2) \
  _(c10::Float8_e4m3fn, Float8_e4m3fn)
#define AT_FORALL_INT_TYPES(_) \
  _(uint8_t, Byte) \
  _(int8_t, Char) \
  _(int16_t, Short) \
  _(int, Int) \
  _(int64_t, Long)
#define AT_FORALL_SCALAR_TYPES(_) \
  _(uint8_t, Byte) \
  _(int8_t, Char) \
  _(int16_t, Short) \
  _(int, Int) \
  _(int64_t, Long) \
  _(float, Float) \
  _(double, Double)
#define AT_FORALL_SCALAR_TYPES_AND(A, _) \
  _(uint8_t, Byte) \
  _(int8_t, Char) \
  _(int16_t, Short) \
  _(int, Int) \
  _(int64_t, Long) \
  _(float, Float) \
  _(double, Double) \
  _(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::A>, A)
#define AT_FORALL_SCALAR_TYPES_AND2(A, B, _) \
  _(uint8_t, Byte) \
  _(int8_t, Char) \
  _(int16_t, Short) \
  _(int, Int) \
  _(int64_t, Long) \
  _(float, Float) \
  _(double, Double) \
  _(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::A>, A) \
  _(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::B>, B)
#define AT_FORALL_SCALAR_TYPES_AND3(A, B, C, _) \
  _(uint8_t, Byte) \
  _(int8_t, Char) \
  _(int16_t, Short) \
  _(int, Int) \
  _(int64_t, Long) \
  _(float, Float) \
  _(double, Double) \
  _(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::A>, A) \
  _(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::B>, B) \
  _(c10::impl::ScalarTypeToCPPTypeT<c10::ScalarType::C>, C)
#define AT_FORALL_QINT_TYPES(_) \
  _(c10::qint8, QInt8) \
  _(c10::quint8, QUInt8) \
  _(c10::qint32, QInt32) \
  _(c10::quint4x2, QUInt4x2) \
  _(c10::quint2x4, QUInt2x4)
#define AT_FORALL_COMPLEX_TYPES(_) \
  _(c10::complex<float>, ComplexFloat) \
  _(c10::complex<double>, ComplexDouble)
#define AT_FORALL_FLOAT8_TYPES(_) \
  _(c10::Float8_e5m2, Float8_e5m2) \
  _(c10::Float8_e4m3fn, Float8_e4m3fn) \
  _(c10::Float8_e5m2fnuz, Float8_e5m2fnuz) \
  _(c10::Float8_e4m3fnuz, Float8_e4m3fnuz) \
  _(c10::Float8_e8m0fnu, Float8_e8m0fnu)

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
using c10::CppTypeToScalarType;
using c10::NumScalarTypes;
using c10::ScalarType;
using c10::toString;
using c10::operator<<;
using c10::isQIntType;
using c10::toUnderlying;
namespace impl {
using c10::impl::ScalarTypeToCPPType;
using c10::impl::ScalarTypeToCPPTypeT;
}  // namespace impl
#define CUDAMIGRATE_SCALAR_TYPE(type, name) using c10::k##name;
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(CUDAMIGRATE_SCALAR_TYPE)
#undef CUDAMIGRATE_SCALAR_TYPE
}  // namespace torch::headeronly
