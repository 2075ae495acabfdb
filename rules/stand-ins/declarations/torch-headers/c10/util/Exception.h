// cudamigrate declarations: PyTorch's c10 for ROCm, names and types only; not the library's own header
#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/StringUtil.h>
#include <torch/headeronly/util/Exception.h>

#include <exception>
#include <iostream>
#include <string>

namespace c10 {

struct SourceLocation {
  const char* function;
  const char* file;
  uint32_t line;
};

class Error : public std::exception {
 public:
  Error(SourceLocation where, std::string message);
  Error(std::string message, std::string backtrace, const void* caller = nullptr);
  const std::string& msg() const;
  const char* what() const noexcept override;
  const char* what_without_backtrace() const noexcept;
};
#define CUDAMIGRATE_ERROR(name)   \
  class name : public Error {     \
   public:                        \
    using Error::Error;           \
  };
CUDAMIGRATE_ERROR(IndexError)
CUDAMIGRATE_ERROR(ValueError)
CUDAMIGRATE_ERROR(TypeError)
CUDAMIGRATE_ERROR(NotImplementedError)
CUDAMIGRATE_ERROR(BufferError)
CUDAMIGRATE_ERROR(EnforceFiniteError)
CUDAMIGRATE_ERROR(OnnxfiBackendSystemError)
CUDAMIGRATE_ERROR(LinAlgError)
CUDAMIGRATE_ERROR(OutOfMemoryError)
CUDAMIGRATE_ERROR(DistError)
#undef CUDAMIGRATE_ERROR

namespace detail {
[[noreturn]] void torchCheckFail(const char* function, const char* file, uint32_t line, const std::string& message);
[[noreturn]] void torchCheckFail(const char* function, const char* file, uint32_t line, const char* message);
void warn(const std::string& message);
template <typename... Args>
auto torchCheckMsgImpl(const char*, const Args&... args) {
  return ::c10::str(args...);
}
struct CheckMessage {
  void operator&(const std::ostream&);
};
}  // namespace detail
std::string GetExceptionString(const std::exception& e);
}  // namespace c10

#define C10_THROW_ERROR(Kind, message) \
  throw ::c10::Kind(::c10::SourceLocation{__func__, __FILE__, uint32_t(__LINE__)}, message)
#define TORCH_CHECK_MSG(held, kind, ...) (::c10::detail::torchCheckMsgImpl("", ##__VA_ARGS__))
#define TORCH_CHECK_WITH(Kind, held, ...) \
  if (!(held)) C10_THROW_ERROR(Kind, TORCH_CHECK_MSG(held, "", ##__VA_ARGS__));
#define TORCH_CHECK(held, ...)                                                                          \
  if (!(held)) {                                                                                        \
    const auto& cudamigrate_message = TORCH_CHECK_MSG(held, "", ##__VA_ARGS__);                         \
    ::c10::detail::torchCheckFail(__func__, __FILE__, uint32_t(__LINE__), cudamigrate_message);         \
  }
#define TORCH_CHECK_WITH_MSG(error_t, cond, type, ...) TORCH_CHECK_WITH(error_t, cond, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(cond, ...) TORCH_CHECK(cond, ::c10::str(__VA_ARGS__))
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#define TORCH_CHECK_LINALG(cond, ...) TORCH_CHECK_WITH(LinAlgError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(cond, ...) TORCH_CHECK_WITH(IndexError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(cond, ...) TORCH_CHECK_WITH(ValueError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(cond, ...) TORCH_CHECK_WITH(TypeError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) TORCH_CHECK_WITH(NotImplementedError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_BUFFER(cond, ...) TORCH_CHECK_WITH(BufferError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_IF_NOT_ON_CUDA(cond, ...)
#define TORCH_CHECK_ARG(cond, argN, ...) TORCH_CHECK(cond, "invalid argument ", argN, ": ", ##__VA_ARGS__)
#define TORCH_CHECK_OP(a, b, op) \
  ((a)op(b)) ? (void)0 : ::c10::detail::CheckMessage() & std::cerr << (a) << (b)
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK_OP(a, b, ==)
#define TORCH_CHECK_NE(a, b) TORCH_CHECK_OP(a, b, !=)
#define TORCH_CHECK_LE(a, b) TORCH_CHECK_OP(a, b, <=)
#define TORCH_CHECK_LT(a, b) TORCH_CHECK_OP(a, b, <)
#define TORCH_CHECK_GE(a, b) TORCH_CHECK_OP(a, b, >=)
#define TORCH_CHECK_GT(a, b) TORCH_CHECK_OP(a, b, >)
#define TORCH_DCHECK_EQ(a, b) TORCH_CHECK_EQ(a, b)
#define TORCH_DCHECK_NE(a, b) TORCH_CHECK_NE(a, b)
#define TORCH_DCHECK_LE(a, b) TORCH_CHECK_LE(a, b)
#define TORCH_DCHECK_LT(a, b) TORCH_CHECK_LT(a, b)
#define TORCH_DCHECK_GE(a, b) TORCH_CHECK_GE(a, b)
#define TORCH_DCHECK_GT(a, b) TORCH_CHECK_GT(a, b)
#define TORCH_CHECK_NOTNULL(value) (value)
#define TORCH_DCHECK_NOTNULL(value) (value)
#define TORCH_WARN(...) ::c10::detail::warn(::c10::str(__VA_ARGS__));
#define TORCH_WARN_DEPRECATION(...) TORCH_WARN(__VA_ARGS__)
#define TORCH_WARN_ONCE(...) TORCH_WARN(__VA_ARGS__)
#define AT_ASSERT(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#define AT_ASSERTM(cond, ...) TORCH_INTERNAL_ASSERT(cond, ##__VA_ARGS__)
#define C10_EXPAND_MSVC_WORKAROUND(x) x
#define AT_ERROR(...) do TORCH_CHECK(false, ::c10::str(__VA_ARGS__)) while (0)
