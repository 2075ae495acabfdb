// Any header of Thrust is all of it here.
#include "memory.h"
#include "algorithms.h"
#include "iterators.h"
#include "ordering.h"
#include "random.h"
