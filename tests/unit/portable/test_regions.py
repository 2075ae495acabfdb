"""Edits for HIP stand beside what CUDA compiles, where a directive may stand."""

from __future__ import annotations

import pytest

from cudamigrate import edits
from cudamigrate.cuda import platform_guards
from cudamigrate.model import Edit, Span
from cudamigrate.portable import cuda_side, regions

MARKS = ("__HIP_PLATFORM_AMD__", "__HIPCC__", "__HIP__")


def made(text: str, *changes: tuple[str, str]) -> str:
    """The text with the first of each pair replaced by the second for HIP; an empty first inserts at the start."""
    data = text.encode()
    wanted = []
    for old, new in changes:
        at = data.index(old.encode())
        wanted.append(Edit(Span(at, at + len(old.encode())), new.encode()))
    fix = regions.around(data, sorted(wanted, key=lambda edit: edit.span), MARKS[0], MARKS)
    after = data if fix is None else edits.apply(data, [fix]).data
    assert cuda_side.first_difference(data, after, MARKS) is None
    return after.decode()


def test_a_line_stands_beside_the_one_for_hip():
    assert made("int a;\nf(v);\nint b;\n", ("f(v)", "g(v)")) == (
        "int a;\n#ifdef __HIP_PLATFORM_AMD__\ng(v);\n#else\nf(v);\n#endif\nint b;\n"
    )


def test_an_include_without_its_blanks_is_one_line_for_both():
    assert made('#    include "x.h" // a\nint b;\n', ('#    include "x.h"', '#include "x.h"')) == (
        '#include "x.h" // a\nint b;\n'
    )


def test_blanks_in_a_literal_or_between_words_keep_the_line_of_cuda():
    assert made('f("a  b");\n', ('"a  b"', '"a b"')).count("f(") == 2
    assert made("unsigned int a;\n", ("unsigned int", "unsignedint")).count(" a;") == 2


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("#ifdef OLD_H_", "#if defined(OLD_H_) || (defined(__HIP_PLATFORM_AMD__) && defined(NEW_H))"),
        (
            "# ifndef OLD_H_ // why",
            "# if !(defined(OLD_H_) || (defined(__HIP_PLATFORM_AMD__) && defined(NEW_H))) // why",
        ),
        (
            "#if A && defined( OLD_H_ )",
            "#if A && (defined(OLD_H_) || (defined(__HIP_PLATFORM_AMD__) && defined(NEW_H)))",
        ),
        (
            "#if A && !defined OLD_H_",
            "#if A && !(defined(OLD_H_) || (defined(__HIP_PLATFORM_AMD__) && defined(NEW_H)))",
        ),
    ],
)
def test_a_header_that_a_condition_asks_for_is_asked_for_by_both_names(condition, expected):
    assert made(f"{condition}\nint a;\n#endif\n", ("OLD_H_", "NEW_H")) == f"{expected}\nint a;\n#endif\n"


def test_a_condition_that_only_hip_reads_asks_for_its_header_alone():
    text = "#ifdef __HIP_PLATFORM_AMD__\n#ifdef {}\nint a;\n#endif\n#endif\n"
    assert made(text.format("OLD_H_"), ("OLD_H_", "NEW_H")) == text.format("NEW_H")


def test_a_launch_loses_its_blanks_for_both_vendors():
    assert made("k<< <1, 2> >>(a);\n", ("<< <", "<<<"), ("> >>", ">>>")) == "k<<<1, 2>>>(a);\n"
    beside = made("k<< <1, 2>>>(a);\nf(v);\n", ("<< <", "<<<"), ("f(v)", "g(v)"))
    assert beside == "k<<<1, 2>>>(a);\n#ifdef __HIP_PLATFORM_AMD__\ng(v);\n#else\nf(v);\n#endif\n"


@pytest.mark.parametrize("around", ["f(1);", "int b;"])
def test_a_definition_that_amd_has_is_left_out_for_it_and_kept_for_cuda(around):
    data = f"{around}\nint own() {{\n  f(2);\n}}\n{around}\n".encode()
    start, end = data.index(b"int own"), data.index(b"}\n") + 2
    wanted = [
        Edit(Span(at, at + 4), b"g(3)")
        for at in (data.find(b"f(1)"), data.find(b"f(2)"), data.rfind(b"f(1)"))
        if at >= 0
    ]
    wanted += [Edit(Span(start, start), b"#ifndef __HIP_PLATFORM_AMD__\n"), Edit(Span(end, end), b"#endif\n")]
    fix = regions.around(data, sorted(wanted, key=lambda edit: edit.span), MARKS[0], MARKS)
    assert fix is not None
    beside = "#ifdef __HIP_PLATFORM_AMD__\ng(3);\n#else\nf(1);\n#endif\n" if around == "f(1);" else "int b;\n"
    kept = "#ifndef __HIP_PLATFORM_AMD__\nint own() {\n  f(2);\n}\n#endif\n"
    assert edits.apply(data, [fix]).data.decode() == f"{beside}{kept}{beside}"
    assert cuda_side.first_difference(data, edits.apply(data, [fix]).data, MARKS) is None


def test_a_definition_above_the_headers_of_hip_is_left_out_for_it_inside_a_condition():
    data = b"#ifndef __CUDACC__\n#define __CUDACC__\n#endif\n#include <a.h>\n"
    start, end = data.index(b"#define"), data.index(b"#endif")
    wanted = [Edit(Span(start, start), platform_guards.OUTSIDE_EARLY + b"\n"), Edit(Span(end, end), b"#endif\n")]
    fix = regions.around(data, wanted, MARKS[0], MARKS)
    assert fix is not None
    after = edits.apply(data, [fix]).data
    kept = platform_guards.OUTSIDE_EARLY + b"\n#define __CUDACC__\n#endif\n"
    assert after == b"#ifndef __CUDACC__\n" + kept + b"#endif\n#include <a.h>\n"
    assert cuda_side.first_difference(data, after, MARKS) is None


def test_lines_that_touch_share_a_region_and_others_do_not():
    text = made("f(1);\nf(2);\nx;\nf(3);\n", ("f(1)", "g(1)"), ("f(2)", "g(2)"), ("f(3)", "g(3)"))
    assert text.count("#ifdef") == 2
    assert "g(1);\ng(2);\n#else\nf(1);\nf(2);\n#endif\nx;\n" in text


def test_an_added_line_needs_no_other_branch():
    assert made("#pragma once\nint a;\n", ("int a;\n", "#include <x.h>\nint a;\n")).count("int a;") == 2
    data = b"#pragma once\nint a;\n"
    fix = regions.around(data, [Edit(Span(13, 13), b"#include <x.h>\n")], MARKS[0], MARKS)
    assert fix is not None
    assert edits.apply(data, [fix]).data == (
        b"#pragma once\n#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP__)\n#include <x.h>\n#endif\nint a;\n"
    )


def test_a_line_taken_out_is_left_out_for_hip():
    assert made("#include <gone.h>\nint a;\n", ("#include <gone.h>\n", "")) == (
        "#if !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP__)\n#include <gone.h>\n#endif\nint a;\n"
    )


def test_a_macro_is_written_twice_whole():
    text = made("#define F(x) \\\n  f(x) + \\\n  1\nint a;\n", ("f(x)", "g(x)"))
    assert "g(x) + \\\n  1\n#else\n#define F(x) \\\n  f(x) + \\\n  1\n#endif\nint a;" in text


def test_a_region_does_not_open_a_block_twice():
    text = made("void f() {\n  cg::once(all(), [&]() {\n    g();\n  });\n}\n", ("cg::once", "ours::once"))
    assert text.count("{") == 2
    assert "  ours::once\n#else\n  cg::once\n#endif\n(all(), [&]() {\n" in text
    assert made("void f() {\n  cg::once(all());\n}\n", ("cg::once", "ours::once")).count("(all());") == 2
    late = made("void f() {\n  call([&]() { once(all());\n  });\n}\n", ("once", "ours"))
    assert late.count("call(") == 2  # the edit is within the block
    inside = made("void f() {\n  LIB_CALL(once(), [&]() {\n    g();\n  });\n}\n", ("once", "ours"))
    assert inside.count("LIB_CALL(") == 2


def test_no_directive_stands_in_the_arguments_of_a_macro():
    text = made("DISPATCH_ALL(t, [&] {\n  f(1);\n  h();\n});\nint a;\n", ("f(1)", "g(1)"))
    assert text.startswith("#ifdef __HIP_PLATFORM_AMD__\nDISPATCH_ALL(t, [&] {\n  g(1);")
    assert text.endswith("});\n#endif\nint a;\n")


def test_the_arguments_of_a_function_may_hold_directives():
    assert made("call(\n  f(1),\n  2);\n", ("f(1)", "g(1)")).startswith("call(\n#ifdef")


def test_a_comment_over_lines_is_not_cut():
    text = made("f(1); /* a\n b */ h();\nint a;\n", ("f(1)", "g(1)"))
    assert "#ifdef __HIP_PLATFORM_AMD__\ng(1); /* a\n b */ h();\n#else\nf(1); /* a\n b */ h();\n#endif\n" in text


def test_a_conditional_is_held_whole():
    text = made("f(\n#if A\n 1\n#else\n 2\n#endif\n );\n", ("#if A\n 1\n#else\n 2\n", "#if A\n 3\n#else\n 2\n"))
    assert text.count("#endif") == 3


def test_a_condition_is_edited_as_it_stands():
    text = made(
        "#ifdef __CUDACC__\nint a;\n#endif\n", ("#ifdef __CUDACC__", "#if defined(__CUDACC__) || defined(__HIPCC__)")
    )
    assert text == "#if defined(__CUDACC__) || defined(__HIPCC__)\nint a;\n#endif\n"


def test_code_for_hip_alone_is_edited_as_it_stands():
    text = "#ifdef __HIPCC__\nf(1);\n#else\nh();\n#endif\n"
    assert made(text, ("f(1)", "g(1)")) == text.replace("f(1)", "g(1)")


def test_line_ends_are_kept():
    assert "\r\n#else\r\n" in made("int a;\r\nf(1);\r\nint b;\r\n", ("f(1)", "g(1)"))


@pytest.mark.parametrize("text", ["f(1);", "int a;\nf(1);"])
def test_a_last_line_without_an_end(text):
    assert made(text, ("f(1)", "g(1)")).endswith("g(1);\n#else\nf(1);\n#endif\n")


def test_places_in_the_lines_for_hip_trace_back():
    data = b"int a;\nf(vv);\n"
    fix = regions.around(data, [Edit(Span(7, 8), b"longer")], MARKS[0], MARKS)
    assert fix is not None
    after = edits.apply(data, [fix]).data
    assert edits.Offsets([fix]).origin(after.index(b"vv")) == data.index(b"vv")


@pytest.mark.parametrize(
    ("data", "there"),
    [
        (b"#ifdef __HIPCC__\n#include <x.h>\n#endif\n", True),
        (b"#ifdef OTHER\n#include <x.h>\n#endif\n", False),
        (b"#ifndef __HIPCC__\n#include <x.h>\n#endif\n", False),
        (b"#include  <x.h>\r\n", True),
        (b'#include "x.h"\n', False),
        (b"// #include <x.h>\n", False),
    ],
)
def test_an_include_that_an_earlier_run_added_is_known(data, there):
    assert regions.is_there(data, Edit(Span(0, 0), b"#include <x.h>\n"), MARKS) is there
    assert not regions.is_there(data, Edit(Span(0, 1), b"#include <x.h>\n"), MARKS)


def test_quotes_around_a_header_of_hip_name_the_same_file():
    data = b'#ifdef __HIPCC__\n#include "hip/hip_runtime.h"\n#endif\n'
    assert regions.is_there(data, Edit(Span(0, 0), b"#include <hip/hip_runtime.h>\n"), MARKS)
