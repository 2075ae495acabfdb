"""A function under the name of one of CUDA's is renamed with its calls, where the template passes its arguments on."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

STAND_IN = """\
#ifdef WITH_CUDA
#include <cuda_runtime.h>
#else
inline int {head} {{ return 1; }}
#endif
"""


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("cudaEventCreate(int **event)", b"hipEventCreate"),
        ("cudaEventCreate(int **event, unsigned flags)", b"hipEventCreateWithFlags"),
        ("cudaEventCreate(int **event, unsigned flags, int more)", None),  # no call has as many
        ("cudaEventCreate(void)", None),
        ("cudaMallocHost(void **p)", None),
    ],
)
def test_a_definition_takes_the_name_of_its_calls(head: str, name: bytes | None) -> None:
    known = ("api/cudaEventCreate", "api/cudaMallocHost")
    (found,) = (one for one in find_in_text(STAND_IN.format(head=head)).findings if one.rule in known)
    assert (found.fix and found.fix.edits[0].replacement) == name


FLAGS = "inline int cudaMallocHost(void **p, unsigned long size) { return 1; }\n"
TAKEN = """\
#ifndef hipHostMallocDefault
#define hipHostMallocDefault 0
#endif
inline int hipHostMalloc(void **p, unsigned long size, unsigned int = 0) { return 1; }
"""


def test_a_stand_in_takes_the_flags_that_its_calls_get() -> None:
    text = f"#ifndef WITH_CUDA\n{FLAGS}#else\n#include <cuda_runtime.h>\n#endif\n"
    assert TAKEN in find_in_text(text).after


def test_a_function_beside_cudas_own_gets_no_flags() -> None:
    assert FLAGS in find_in_text(f"#include <cuda_runtime.h>\n{FLAGS}").after


CALLED = "#include <cuda_runtime.h>\n#define {macro}\nvoid f(cudaEvent_t e) {{ CHECKED(cudaEventCreate, {given}); }}\n"
CALLS = "CHECKED(f, ...) check(f(__VA_ARGS__), #f)"


@pytest.mark.parametrize(
    ("macro", "given", "name"),
    [
        (CALLS, "&e", "hipEventCreate"),
        (CALLS, "&e, 2", "hipEventCreateWithFlags"),
        (CALLS, "&e, 2, 3", "cudaEventCreate"),
        ("CHECKED(f, ...) keep(f, __VA_ARGS__)", "&e", "cudaEventCreate"),
        ("OTHER(f, ...) f(__VA_ARGS__)", "&e", "cudaEventCreate"),
    ],
)
def test_a_name_that_a_macro_calls_takes_the_name_for_as_many_arguments(macro: str, given: str, name: str) -> None:
    assert f"CHECKED({name}, {given})" in find_in_text(CALLED.format(macro=macro, given=given)).after
