// cudamigrate declarations: names and types of helper_functions.h of NVIDIA's CUDA samples; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_HELPER_FUNCTIONS_H
#define CUDAMIGRATE_DECLARES_HELPER_FUNCTIONS_H
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
#endif
