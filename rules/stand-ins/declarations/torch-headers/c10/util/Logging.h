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
#ifndef LOG_IF
#define LOG_IF(severity, condition) \
  if (!(condition)) {               \
  } else                            \
    LOG(severity)
#endif
#ifndef VLOG
#define VLOG(level) std::cerr
#define VLOG_IS_ON(level) false
#define VLOG_IF(level, condition) LOG_IF(level, condition)
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
#define CHECK_NOTNULL(pointer) (pointer)
#define DCHECK(condition) CHECK(condition)
#define DCHECK_EQ(a, b) CHECK_EQ(a, b)
#define DCHECK_NE(a, b) CHECK_NE(a, b)
#define DCHECK_LE(a, b) CHECK_LE(a, b)
#define DCHECK_LT(a, b) CHECK_LT(a, b)
#define DCHECK_GE(a, b) CHECK_GE(a, b)
#define DCHECK_GT(a, b) CHECK_GT(a, b)
#endif
