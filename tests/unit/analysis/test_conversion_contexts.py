"""Where a `double` instead of an `int` gives another result: each place is held against what a compiler makes of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cudamigrate.analysis import conversion_contexts
from cudamigrate.analysis.constant_values import Values
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.syntax import tree_sitter_nodes

HELP = """
#include <cstdio>
#include <cstdint>
#include <climits>
#define __device__
struct uchar4 { unsigned char x, y, z, w; };
inline int taken(int n) { return n; }
inline unsigned long wide(unsigned long n) { return n; }
template <typename T> double deduced(T n) { return n / 2 * 2; }
inline int chosen(int n) { return n / 2; }
inline int chosen(double n) { return n + 0.5; }
"""
FUNCTION = "__device__ {} place(uint8_t b, int n, unsigned u, long w, short h, const int *p, float f) {{ {} }}\n"
SAME = [
    "int x = min(b, n); return x;",
    "int x = min(b, n) / 2; return x;",
    "int x(0); x = (max(h, n)); return x;",
    "int x = min(b, n) + 3 * max(h, b) - 1; return x;",
    "return min(h, n) * 2;",
    "return min(h, n) / 7;",
    "return min(b, n) < 5 && -max(h, n) != 3 ? 1 : 2;",
    "return max(b, n) < u;",
    "if (min(h, n)) return 1; return !max(h, n);",
    "return p[int(min(b, 3))] + p[(int)max(0, min(b, 3))] + p[static_cast<int>(min(b, 3))];",
    "unsigned x = max(b, n); return x;",
    "unsigned char x = min(b, 7); return x;",
    "bool x = min(h, n); return x;",
    "float x = min(b, n); return x * 8;",
    "long x = w; x = max(h, n) - 1; return x;",
    "int x = 9; x += min(b, n); x -= max(b, 3); return x;",
    "int x = 99; x /= max(b, 3); return x;",
    "return taken(min(h, n)) + taken(max(h, n) / 3);",
    "return u > 2 ? min(h, n) : 3;",
    "int x = max(min(b, n), 0); return x;",
]
DIFFERENT = [
    "return min(b, n) / 2 * 2;",
    "return min(b, n) / 2 - n;",
    "return 7 / max(b, 2) > 2;",
    "float x = min(b, n) / 2; return x * 2;",
    "auto x = max(h, n); return x / 2 * 2;",
    "bool x = min(b, n) / 300; return x;",
    "if (min(h, n) / 10000) return 1; return 2;",
    "return max(h, n) < u;",
    "return deduced(max(h, n));",
    "return chosen(max(h, n));",
    "return (max(h, n) - u) / 3;",
    "long x = w; x += max(h, n); return x;",
    "return max(1, (min(b, n))) / 2 * 2;",
    "return (u > 2 ? min(h, n) : 3) / 2 * 2;",
    "int x = 7; x -= min(b, n) / 2; return x;",
    'char s[20]; sprintf(s, "%d", 1); printf("%d", min(b, n)); return 0;',
]
UNDEFINED = [
    "unsigned x = max(h, n); return x / 3;",
    "unsigned x = max(h, n) * 2654435761u; return x;",
    "uint8_t x = min(h, n); return x;",
    "return wide(max(h, n)) > 5;",
]
"""A negative double is no unsigned number: GPUs of AMD make it zero, and other processors wrap it as an `int`."""
REFUSED = [
    "return p[min(b, 3)];",
    "return p[max(min(b, 3), 0)];",
    "return *(p + min(b, 3));",
    "const int *q = p; q += min(b, 3); return *q;",
    "return p[min(b, 3) + int(f)];",
    "return max(h, n) % 7;",
    "return 5 << min(b, 3);",
    "return n & min(b, n);",
    "return ~min(b, n);",
    "int x = 3; x |= max(b, n); return x;",
    "int x[2] = {min(b, n), 1}; return x[0];",
    "int x{max(b, n)}; return x;",
    "switch (min(b, 3)) { case 1: return 2; } return 3;",
    "return std::max(min(b, 3), n);",
]
CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")


def differs(body: str) -> list[bool]:
    source = SourceFile("a.cu", (HELP + FUNCTION.format("long", body)).encode(), "cuda")
    parsed = cuda.parse(source, frozenset(), ())
    calls = [one for one in CALLS.below(parsed.tree.root_node) if one.text.startswith((b"min(", b"max("))]
    assert calls
    return [conversion_contexts.differs_in_double(Values.of(parsed), one) for one in calls]


@pytest.mark.parametrize("body", SAME)
def test_what_a_double_does_not_change_is_the_same(body: str) -> None:
    assert not any(differs(body))


@pytest.mark.parametrize("body", [*DIFFERENT, *UNDEFINED, *REFUSED])
def test_what_a_double_changes_differs(body: str) -> None:
    found = differs(body)
    assert found[-1] and found.count(True) <= 2  # the innermost one, too


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("auto m = [&] { return max(h, n); }; return m();", False),  # what it is used for is not seen
        ("return unknown(min(b, n));", False),
        ("return unknown(min(b, n) / 2);", True),
        ("return (min(b, n) + f) / 2;", False),
        ("float x = min(b, n) * f / 2; return x;", False),
        ("T x = min(b, n); return x;", False),
        ("T x = min(b, n) / 2; return x;", True),
    ],
)
def test_what_is_not_seen_counts_as_it_is_likely(body: str, *, expected: bool) -> None:
    assert differs(body) == [expected]


def test_a_result_that_is_deduced_differs() -> None:
    source = SourceFile("a.cu", FUNCTION.format("auto", "return min(b, n);").encode(), "cuda")
    parsed = cuda.parse(source, frozenset(), ())
    call = next(one for one in CALLS.below(parsed.tree.root_node) if one.text == b"min(b, n)")
    assert conversion_contexts.differs_in_double(Values.of(parsed), call)


def outputs(folder: Path, bodies: list[str], kind: str) -> list[str]:
    """What each body gives for edges of its types, where the functions of two types work in `kind`."""
    names = [f"place{number}" for number in range(len(bodies))]
    text = HELP + "#include <algorithm>\n"
    for name, compared in (("min", "<"), ("max", ">")):
        text += f"template <typename A, typename B> {kind} {name}(A a, B b) {{ return a {compared} b ? a : b; }}\n"
    functions = [FUNCTION.format("long", body).replace("place", name) for name, body in zip(names, bodies, strict=True)]
    calls = [
        f'  puts(""); for (int n : ns) for (int h : hs) printf("%ld ", {one}(n & 255, n, 2, '
        f"LONG_MAX - 300 + h % 2, h, numbers, 0.5f));\n"
        for one in names
    ]
    head = "int main() { int ns[] = {-70001, -3, 0, 1, 3, 5, 250, 70001}, hs[] = {-3, 0, 7, 30000}, numbers[9] = {1};\n"
    source, program = folder / f"{kind}.cpp", folder / kind
    source.write_text("".join([text, *functions, head, *calls, "}\n"]))
    subprocess.run(
        ["g++", "-std=c++17", "-Werror=narrowing", "-fwrapv", "-o", program, source], check=True, capture_output=True
    )
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()[1:]


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_a_compiler_agrees(tmp_path: Path) -> None:
    plain = [body for body in [*SAME, *DIFFERENT] if "printf" not in body]
    meant, made = (outputs(tmp_path, plain, kind) for kind in ("int", "double"))
    assert [body for body, one, other in zip(plain, meant, made, strict=True) if one == other] == SAME


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("body", REFUSED)
def test_a_compiler_refuses_a_double(tmp_path: Path, body: str) -> None:
    assert outputs(tmp_path, [body], "int")
    with pytest.raises(subprocess.CalledProcessError):
        outputs(tmp_path, [body], "double")
