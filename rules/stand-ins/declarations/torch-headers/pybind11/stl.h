// cudamigrate declarations: pybind11, names and types only; not the library's own header
#pragma once

#include <pybind11/pybind11.h>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>
