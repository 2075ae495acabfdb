// cudamigrate declarations: pybind11, names and types only; not the library's own header
#pragma once

#include <pybind11/pybind11.h>
