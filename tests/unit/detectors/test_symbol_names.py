"""Variables of device code that calls name by a text, whatever holds it."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = """#include <cuda_runtime.h>
__constant__ float table[16];
__constant__ char label[] = "table";
const char *const kTable = "table";
static const char *other = (const char *)"other";
const void *whole = &table;
"""
COPY = "void copy(const {} *to, const float *from) {{ cudaMemcpyToSymbol(to, from, 64); }}"


def found(body: str, before: str = "") -> list[str]:
    text = f"{HEAD}{before}\nvoid fill(const float *from, bool b) {{ {body} }}\n"
    return [
        text[one.span.start : one.span.end]
        for one in find_in_text(text, "a.cu").findings
        if one.rule == "memory/symbol-by-name"
    ]


@pytest.mark.parametrize(
    ("body", "before", "named"),
    [
        ('cudaMemcpyToSymbol((const char *)"table", from, 64);', "", '(const char *)"table"'),
        ('cudaMemcpyToSymbol(reinterpret_cast<const void *>("table"), from, 64);', "",
         'reinterpret_cast<const void *>("table")'),
        ("cudaMemcpyToSymbol(kTable, from, 64);", "", "kTable"),
        ("cudaMemcpyToSymbol(other, from, 64);", "", "other"),
        ('const char *own = b ? "table" : kTable; cudaMemcpyToSymbol(own, from, 64);', "", "own"),
        ('const char *own; own = "table"; cudaMemcpyToSymbol(own, from, 64);', "", "own"),
        ('copy("table", from);', COPY.format("char"), "to"),
        ("float *p; cudaGetSymbolAddress((void **)&p, (char *)kTable);", "", "(char *)kTable"),
    ],
)  # fmt: skip
def test_a_text_is_found_through_casts_and_variables(body: str, before: str, named: str) -> None:
    assert found(body, before) == [named]


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("cudaMemcpyToSymbol(table, from, 64);", ""),
        ("cudaMemcpyToSymbol(label, from, 6);", ""),
        ("cudaMemcpyToSymbol((const char *)&table, from, 64);", ""),
        ("cudaMemcpyToSymbol(whole, from, 64);", ""),
        ("const void *kTable = &table; cudaMemcpyToSymbol(kTable, from, 64);", ""),
        ("copy(table, from);", COPY.format("float")),
        ("", COPY.format("char")),
        ("cudaMemcpyToSymbol(from_elsewhere, from, 64);", "extern const char *from_elsewhere;"),
    ],
)
def test_the_variable_itself_and_what_is_not_seen_are_not(body: str, before: str) -> None:
    assert not found(body, before)
