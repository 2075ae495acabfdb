// cudamigrate declarations: all of hipCUB in ROCm 7; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HIPCUB
#define CUDAMIGRATE_DECLARES_HIPCUB
#include <hipcub/cudamigrate/block_sort.hpp>
#include <hipcub/cudamigrate/device.hpp>
#include <hipcub/cudamigrate/warp.hpp>
#endif
