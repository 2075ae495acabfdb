// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/util/Exception.h>

#include <iostream>

#define C10_LOG_API_USAGE_ONCE(...)
#define CAFFE_ENFORCE(condition, ...) TORCH_CHECK(condition, ##__VA_ARGS__)
#define CAFFE_THROW(...) TORCH_CHECK(false, ##__VA_ARGS__)
#ifndef LOG
#define LOG(severity) std::cerr
#endif
#ifndef VLOG
#define VLOG(level) std::cerr
#endif
#ifndef CHECK
#define CHECK(condition) \
  if (!(condition)) std::cerr
#define CHECK_EQ(a, b) CHECK((a) == (b))
#define CHECK_NE(a, b) CHECK((a) != (b))
#define CHECK_LE(a, b) CHECK((a) <= (b))
#define CHECK_LT(a, b) CHECK((a) < (b))
#define CHECK_GE(a, b) CHECK((a) >= (b))
#define CHECK_GT(a, b) CHECK((a) > (b))
#define DCHECK(condition) CHECK(condition)
#endif
