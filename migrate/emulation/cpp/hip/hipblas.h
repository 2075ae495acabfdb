// See hipblas/hipblas.h.
#include "hipblas/hipblas.h"
