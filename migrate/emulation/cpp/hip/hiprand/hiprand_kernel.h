// The functions for kernels are in hiprand.h too.
#include "hiprand.h"
