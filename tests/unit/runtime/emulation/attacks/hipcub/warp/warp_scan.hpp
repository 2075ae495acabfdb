// The part of hipCUB that programs name by itself.
#include <hipcub/hipcub.hpp>
