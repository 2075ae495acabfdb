// ROCTx under its newer path.
#include "../roctracer/roctx.h"
