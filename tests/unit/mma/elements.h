// The types of elements by the names that the PTX ISA gives them, as the forms of products are listed.
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include "cudamigrate_mma.h"

#if defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)
namespace cudamigrate {
using f16 = element_f16;
using bf16 = element_bf16;
using tf32 = element_tf32;
using f64 = element_f64;
using e4m3 = element_e4m3;
using e5m2 = element_e5m2;
using s8 = element_s8;
using u8 = element_u8;
using s4 = element_s4;
using u4 = element_u4;
using b1_and = element_b1_and;
using b1_xor = element_b1_xor;
}  // namespace cudamigrate
#endif
#endif
