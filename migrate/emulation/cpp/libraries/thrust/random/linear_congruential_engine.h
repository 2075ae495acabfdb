// See detail/all.h.
#include "../detail/all.h"
