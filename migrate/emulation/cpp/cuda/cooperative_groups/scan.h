// Reductions and scans of groups are in cooperative_groups.h.
#include "../cooperative_groups.h"
