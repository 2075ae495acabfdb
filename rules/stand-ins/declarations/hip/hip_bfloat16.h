// cudamigrate declarations: the older bfloat16 of HIP 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIP_BFLOAT16
#define CUDAMIGRATE_DECLARES_HIP_BFLOAT16
#include <hip/hip_runtime.h>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <type_traits>

#define CM_HD __host__ __device__
typedef struct { uint16_t data; } hip_bfloat16_public;
struct hip_bfloat16 {
    __hip_uint16_t data;
    enum truncate_t { truncate };
    CM_HD hip_bfloat16() = default;
    explicit CM_HD hip_bfloat16(float);
    explicit CM_HD hip_bfloat16(float, truncate_t);
    CM_HD operator float() const;
    CM_HD hip_bfloat16 &operator=(const float &);
    static CM_HD hip_bfloat16 round_to_bfloat16(float);
    static CM_HD hip_bfloat16 round_to_bfloat16(float, truncate_t);
};

std::ostream &operator<<(std::ostream &, const hip_bfloat16 &);
CM_HD hip_bfloat16 operator+(hip_bfloat16);
CM_HD hip_bfloat16 operator-(hip_bfloat16);
CM_HD hip_bfloat16 operator+(hip_bfloat16, hip_bfloat16);
CM_HD hip_bfloat16 operator-(hip_bfloat16, hip_bfloat16);
CM_HD hip_bfloat16 operator*(hip_bfloat16, hip_bfloat16);
CM_HD hip_bfloat16 operator/(hip_bfloat16, hip_bfloat16);
CM_HD bool operator<(hip_bfloat16, hip_bfloat16);
CM_HD bool operator>(hip_bfloat16, hip_bfloat16);
CM_HD bool operator<=(hip_bfloat16, hip_bfloat16);
CM_HD bool operator>=(hip_bfloat16, hip_bfloat16);
CM_HD bool operator==(hip_bfloat16, hip_bfloat16);
CM_HD bool operator!=(hip_bfloat16, hip_bfloat16);
CM_HD hip_bfloat16 &operator+=(hip_bfloat16 &, hip_bfloat16);
CM_HD hip_bfloat16 &operator-=(hip_bfloat16 &, hip_bfloat16);
CM_HD hip_bfloat16 &operator*=(hip_bfloat16 &, hip_bfloat16);
CM_HD hip_bfloat16 &operator/=(hip_bfloat16 &, hip_bfloat16);
CM_HD hip_bfloat16 &operator++(hip_bfloat16 &);
CM_HD hip_bfloat16 &operator--(hip_bfloat16 &);
CM_HD hip_bfloat16 operator++(hip_bfloat16 &, int);
CM_HD hip_bfloat16 operator--(hip_bfloat16 &, int);
namespace std {
CM_HD bool isinf(hip_bfloat16);
CM_HD bool isnan(hip_bfloat16);
CM_HD bool iszero(hip_bfloat16);
}
#undef CM_HD
#endif
