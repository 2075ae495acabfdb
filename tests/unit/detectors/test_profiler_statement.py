"""Calls of the profiler that are statements, also in code that the syntax tree does not read."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cuda_profiler_api.h>\n#define range(i, a, b) i = a; i < b; ++i\n"
BROKEN = """\
int f(int n) {{
  for (ui range(i, 0, n)) {{
    g(i);
  }}
  int b[n];
{}
  for (ui range(j, 0, n)) {{
    for (ui range(k, 0, n)) h(k);
    if (n) {{ h(j); }} else {{ n += 1; }}
  }}
}}
"""
PLAIN = "int f(int n) {{\n{}\n  return n;\n}}\n"


def rules(body: str, around: str) -> list[str]:
    found = find_in_text(HEAD + around.format(body), "a.cpp").findings
    return [one.rule for one in found if "profiler-st" in one.rule]


@pytest.mark.parametrize("around", [PLAIN, BROKEN])
@pytest.mark.parametrize("ending", ["", "\n\n  // launch the thread", "\n  int a = 1;", " /* now */"])
def test_a_statement_is_one_whatever_follows_and_is_around(ending: str, around: str) -> None:
    assert rules(f"  cudaProfilerStart();{ending}", around) == ["library/profiler-start-statement"]
    assert rules(f"#ifdef WATCHED\n  cudaProfilerStop();\n#endif{ending}", around) == [
        "library/profiler-stop-statement"
    ]


@pytest.mark.parametrize("around", [PLAIN, BROKEN])
@pytest.mark.parametrize(
    "body",
    [
        "  int e = cudaProfilerStart();",
        "  check(cudaProfilerStart());",
        "  for (; cudaProfilerStart();) break;",
    ],
)
def test_a_value_is_no_statement(body: str, around: str) -> None:
    assert "library/profiler-start-statement" not in rules(body, around)
