// The functions for kernels are in curand.h too.
#include "curand.h"
