"""Where a header is added: after the include block, never where it might not count."""

import pytest

from cudamigrate.cuda.include_insertion import addition, addition_for
from cudamigrate.edits import apply
from cudamigrate.frontends import cuda
from cudamigrate.model import Fix, SourceFile

LINE = "#include <h.h>"


def added(text: str, header: str = "h.h") -> str:
    data = text.encode()
    edit = addition(cuda.parse(SourceFile("a.cu", data, "cuda"), frozenset()), header)
    return apply(data, [Fix((edit,), "safe")]).data.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#include <a>\nint x;\n", f"#include <a>\n{LINE}\nint x;\n"),
        ('#include <a>\n\n#include "b"\n\nint x;\n', f'#include <a>\n\n#include "b"\n{LINE}\n\nint x;\n'),
        ("#pragma once\nint x;\n", f"#pragma once\n{LINE}\nint x;\n"),
        ("// c\n#ifndef A\n#define A\nint x;\n#endif\n", f"// c\n#ifndef A\n#define A\n{LINE}\nint x;\n#endif\n"),
        (
            "#ifndef A\n#define A\n#include <a>\nint x;\n#endif\n",
            f"#ifndef A\n#define A\n#include <a>\n{LINE}\nint x;\n#endif\n",
        ),
        ("%%writefile a.cu\n\n#include <a>\nint x;\n", f"%%writefile a.cu\n\n#include <a>\n{LINE}\nint x;\n"),
        ("\n%%cuda -c x\nint x;\n", f"\n%%cuda -c x\n{LINE}\nint x;\n"),
        ("% cuda\nint x;\n", f"{LINE}\n% cuda\nint x;\n"),  # no magic of a cell
        ("// licence\n\nint x;\n", f"// licence\n\n{LINE}\nint x;\n"),
        ("/* a */ int x;", f"{LINE}\n/* a */ int x;"),
        ("#ifdef X\n#include <a>\n#endif\nint x;\n", f"{LINE}\n#ifdef X\n#include <a>\n#endif\nint x;\n"),
        (
            "#include <a>\n#ifdef X\n#include <b>\n#endif\nint x;\n",
            f"#include <a>\n{LINE}\n#ifdef X\n#include <b>\n#endif\nint x;\n",
        ),
        ('extern "C" {\n#include <a>\n}\n', f'{LINE}\nextern "C" {{\n#include <a>\n}}\n'),
        ("int x;\n#include <late>\n", f"{LINE}\nint x;\n#include <late>\n"),
        ("#include <a>", f"#include <a>\n{LINE}"),
        ("", f"{LINE}\n"),
        ("#include <a>\r\nint x;\r\n", f"#include <a>\r\n{LINE}\r\nint x;\r\n"),
        ("\ufeffint x;\n", f"\ufeff{LINE}\nint x;\n"),
        ("#define A \\\n  1\n#include <a>\nint x;\n", f"#define A \\\n  1\n#include <a>\n{LINE}\nint x;\n"),
    ],
)
def test_header_is_added_after_the_include_block(before: str, after: str) -> None:
    assert added(before) == after


RUNTIME = "hip/hip_runtime.h"


@pytest.mark.parametrize("macro", ["__CUDACC_RTC__", "__HIPCC_RTC__"])
def test_a_file_that_may_be_compiled_at_run_time_leaves_the_runtime_header_out_there(macro: str) -> None:
    text = f"#pragma once\n#ifndef {macro}\n#include <cmath>\n#endif\nint x;\n"
    include = f"#if !defined(__HIPCC_RTC__)\n#include <{RUNTIME}>\n#endif\n"
    assert added(text, RUNTIME) == text.replace("once\n", f"once\n{include}")
    assert added(text) == text.replace("once\n", f"once\n{LINE}\n")  # which it has to be given
    other = text.replace(f"#ifndef {macro}", "#ifndef NAMED") + f"// {macro}\n"
    assert added(other, RUNTIME) == other.replace("once\n", f"once\n#include <{RUNTIME}>\n")


THRUST = "thrust/tuple.h"
NAMES = "#ifdef __CUDACC__\nthrust::tuple<int> t;\n#endif\n"


def added_for(text: str) -> str:
    data = text.encode()
    edit = addition_for(cuda.parse(SourceFile("a.h", data, "cuda"), frozenset()), THRUST)
    return apply(data, [Fix((edit,), "safe")]).data.decode()


def test_a_librarys_header_joins_the_others_under_the_condition_of_its_names() -> None:
    others = "#ifdef __CUDACC__\n#include <thrust/sort.h>\n{}#endif\n#include <vector>\n"
    assert added_for(others.format("") + NAMES) == others.format(f"#include <{THRUST}>\n") + NAMES


def test_a_librarys_header_whose_names_only_a_compiler_for_gpus_reads_is_for_hipcc_alone() -> None:
    line = f"#ifdef __HIPCC__\n#include <{THRUST}>\n#endif\n"
    assert added_for(f'#include "own.h"\n{NAMES}') == f'#include "own.h"\n{line}{NAMES}'


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("#include <thrust/sort.h>\n", NAMES),  # the host's compiler reads another of the library's
        ("#include <vector>\n", f"{NAMES}thrust::tuple<int> u;\n"),  # and a use of it
        ("#include <vector>\n", NAMES.replace("__CUDACC__", "LARGE")),
    ],
)
def test_a_librarys_header_is_included_as_others_where_no_such_condition_holds(head: str, code: str) -> None:
    assert added_for(head + code) == f"{head}#include <{THRUST}>\n{code}"


def test_a_librarys_header_does_not_join_others_under_another_condition() -> None:
    other = "#include <vector>\n#ifdef LARGE\n#include <thrust/sort.h>\n#endif\n"
    line = f"#ifdef __HIPCC__\n#include <{THRUST}>\n#endif\n"
    assert added_for(other + NAMES) == other.replace("<vector>\n", f"<vector>\n{line}") + NAMES
