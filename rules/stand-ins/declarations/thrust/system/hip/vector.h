// cudamigrate declarations: forwards to those of its group; not the library's own header
#pragma once
#include <thrust/cudamigrate/iterators.h>
#include <thrust/system/hip/memory.h>
