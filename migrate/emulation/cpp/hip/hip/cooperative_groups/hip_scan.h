// Scans come with the operations of reductions.
#include "hip_reduce.h"
