"""What to do about errors that no finding foresaw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cudamigrate.model.verification import Diagnostic, Kind, Place
from cudamigrate.verification import hints


def said(message: str, line: str = "", kind: Kind = "error") -> str:
    return hints.advice(Diagnostic(kind, Place("a.cu", 1, 1), message, "host"), line)


@pytest.mark.parametrize(
    ("message", "line", "part"),
    [
        ("use of undeclared identifier 'strstr'", "", "<cstring>"),
        ("variable length array declaration not allowed at file scope", "char stack[SIGSTKSZ] = {};", "glibc 2.34"),
        ("unknown type name 'concept'", "concept small = true;", "`--std`"),
        ("no type named 'integral' in namespace 'std'", "template <std::integral T>", "C++20"),
        ("a type specifier is required for all declarations", "constexpr a = 1;", "its type"),
        (
            "declaration conflicts with target of using declaration already in scope",
            "inline float lerp(float a, float b, float t)",
            "`std::lerp`",
        ),
        ("no matching function for call to '__ldg'", "x = __ldg(&in[i]);", "write `*p`"),
        ("use of undeclared identifier 'AT_CHECK'", "AT_CHECK(x.dim() == 2);", "`TORCH_CHECK`"),
        ("arithmetic on a pointer to void", "p = block + 4;", "`char *`"),
        ("no matching function for call to 'memset'", "", "<cstring>"),
        ("no matching function for call to 'isfinite'", "", "`std::`"),
        ("no member named 'clock' in the global namespace", "", "<ctime>"),
        ("array subscript is not an integer", "x[min(n - 1, i)]", "convert one argument"),
        ("invalid operands to binary expression ('double' and 'int')", "max(n, i) % 4", "convert one argument"),
        ("functions that differ only in their return type cannot be overloaded", "void atomicMin(", "another name"),
        ("static declaration of 'copy' follows non-static declaration", "static int copy() {", "remove `static`"),
        ("static declaration of '__rdtsc' follows non-static declaration", "static int __rdtsc() {", "another name"),
        ("definition of builtin function '__rdtsc'", "int __rdtsc() {", "another name"),
        ("explicit instantiation of undefined function template 'copy'", "template int copy<1>();", "definition"),
        (
            "__host__ function 'up' cannot overload __host__ __device__ function 'up'",
            "void up(int n) {",
            "on this one too",
        ),
        ("__host__ __device__ function 'min' cannot overload __device__ function 'min'", "", "into a namespace"),
        ("redefinition of 'max'", "", "into a namespace"),
        ("lvalue reference to type 'signed char' cannot bind to a value of unrelated type 'char'", "a.x", "decltype"),
        (
            "use of overloaded operator '*' is ambiguous (with operand types 'float2' (aka 'HIP_vector_type<float, 2>')"
            " and 'float2')",
            "DEFINE_OPERATORS(float, float2)",
            "leave the project's own out",
        ),
        ("missing 'template' keyword prior to dependent template name 'pass'", "q.pass<2>();", "`template pass`"),
        ("use 'template' keyword to treat 'pass' as a dependent template name", "q.pass<2>();", "`template pass`"),
        ("missing 'typename' prior to dependent type name 'H::Local'", "H::Local(3)", "`typename`"),
        ("explicit qualification required to use member 'at' from dependent base class", "at(3)", "`this->at`"),
        ("'gone' following the 'template' keyword does not refer to a template", "p.template gone(3)", "remove `templ"),
        (
            "reference member 'm' binds to a temporary object whose lifetime would be shorter than x",
            "",
            "hold the value",
        ),
        ("using declaration requires a qualified name", "OWN_DISPATCH_SWITCH(x,", "`[[maybe_unused]]`"),
        ("call to 'max' is ambiguous", "max(x, 0.1)", "T(0.1)"),
        (
            "use of overloaded operator '=' is ambiguous (with operand types 'half2' and 'void')",
            "p[0] = {};",
            "half2{}",
        ),
        (
            "no viable conversion from 'const DeprecatedTypeProperties' to 'torch::headeronly::ScalarType'",
            "PICK(x.type())",
            "`x.scalar_type()`",
        ),
        ("unknown type name '_Bool'", "static _Bool on;", "`-D_Bool=bool`"),
        ("no matching constructor (call to __device__ function from __host__ function)", "", "__host__ __device__"),
    ],
)
def test_the_error_shows_the_cause(message: str, line: str, part: str) -> None:
    assert part in said(message, line)


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("use of undeclared identifier 'strange'", ""),
        ("no matching function for call to 'memset_async'", "memset(a, 0, 4);"),
        ("array subscript is not an integer", "x[y]"),
        ("redefinition of 'strlen'", ""),
        ("use of overloaded operator '*' is ambiguous (with operand types 'Vec2' and 'Vec2')", "a * b"),
        ("redefinition of 'minimum'", ""),
        ("call to 'maximum' is ambiguous", "maximum(x, 0.1)"),
        ("use of overloaded operator '=' is ambiguous (with operand types 'Own' and 'int')", "p[0] = 1;"),
        ("using declaration requires a qualified name", "using T = float;"),
        ("unknown type name '_Boolean'", "static _Boolean on;"),
        ("no matching function for call to '__ldcg'", "__ldg(p) + __ldcg(q);"),
        ("arithmetic on a pointer to an incomplete type 'Part'", "p + 1"),
        ("declaration conflicts with target of using declaration already in scope", "int count(int n) {"),
    ],
)
def test_what_only_the_author_can_know_has_no_advice(message: str, line: str) -> None:
    assert said(message, line) == ""


@pytest.mark.parametrize(
    ("line", "column", "found"),
    [
        ("  o = tile.next<COLUMNS>(o);", 12, True),
        ("  o = tile->next <4>(o);", 13, True),
        ("  o = tile.next < 4;", 12, False),
        ("  o = f.a + next<4>(o);", 13, False),
        ("  auto f = next;", 12, False),
        ("  auto f = tile.next;", 17, False),
        ("  cout << tile.next << tile.size<4>();", 16, False),
    ],
)
def test_a_member_template_that_is_read_as_a_comparison_lacks_a_word(line: str, column: int, found: bool) -> None:
    message = "reference to overloaded function could not be resolved; did you mean to call it?"
    entry = Diagnostic("error", Place("a.cu", 1, column), message, "device")
    assert ("`template next`" in hints.advice(entry, line)) is found


INSTANCE = Diagnostic(
    "error", Place("a.cu", 1, 1), "explicit instantiation of 'f' does not refer to a function template", "host"
)


@pytest.mark.parametrize(
    ("note", "found"), [("target attributes do not match", True), ("substitution failure", False), ("", False)]
)
def test_a_candidate_tells_why_it_is_none(note: str, found: bool) -> None:
    notes = (f"candidate template ignored: {note}",) if note else ()
    assert ("sides of the template" in hints.advice(replace(INSTANCE, said=notes), "")) is found


def test_missing_headers_are_no_errors_of_the_code() -> None:
    assert said("use of undeclared identifier 'strstr'", kind="missing-header") == ""
