"""Names of CUDA's errors in strings that are compared with what the library gives."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cuda_runtime.h>\n#include <cuda.h>\n#include <string>\n"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('bool f(cudaError_t e) { return !strcmp("cudaErrorInvalidValue", cudaGetErrorName(e)); }', True),
        ('bool f(cudaError_t e) { return std::string(cudaGetErrorName(e)) == "cudaErrorNotReady"; }', True),
        ('bool f(cudaError_t e) { std::string s = cudaGetErrorName(e); return s.find("cudaErrorNot") == 0; }', True),
        ('bool f(CUresult e) { const char *s; cuGetErrorName(e, &s); return !strcmp(s, "CUDA_ERROR_UNKNOWN"); }', True),
        (
            "const char *name(cudaError_t e) { return cudaGetErrorName(e); }\n"
            'bool f(cudaError_t e) { auto s = name(e); return std::string("cudaErrorUnknown") == s; }',
            True,
        ),
        (
            "const char *name(cudaError_t e) { return cudaGetErrorName(e); }\n"
            'bool f(const std::string &s) { return s == "cudaErrorUnknown"; }',
            False,
        ),
        (
            'bool f(cudaError_t e) { return e == cudaErrorUnknown && log("cudaErrorUnknown", cudaGetErrorName(e)); }',
            False,
        ),
        (
            '#ifdef __HIP_PLATFORM_AMD__\n#else\nbool f(cudaError_t e) { return !strcmp("cudaErrorUnknown", '
            "cudaGetErrorName(e)); }\n#endif",
            False,
        ),
    ],
)
def test_string_that_is_compared_with_the_name_of_an_error_is_reported(code: str, found: bool) -> None:
    rules = [one.rule for one in find_in_text(HEAD + code + "\n", "a.cpp").findings]
    assert ("memory/error-text" in rules) is found
