// cudamigrate declarations: memory of the device in rocThrust 3; not the library's own header
#pragma once
#include <thrust/cudamigrate/iterators.h>

namespace thrust {
namespace hip_rocprim {
__host__ pointer<void> malloc(size_t);
template <class T> __host__ pointer<T> malloc(size_t) CM_THRUST_NONE
__host__ void free(pointer<void>);
}
}
