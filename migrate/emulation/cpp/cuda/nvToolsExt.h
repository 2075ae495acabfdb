// NVTX under its older path.
#include "nvtx3/nvToolsExt.h"
