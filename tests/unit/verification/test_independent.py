"""Errors behind a missing header that are certain, each beside one that may follow from that header."""

from __future__ import annotations

import pytest

from cudamigrate.compilation.engines import _messages, clang
from cudamigrate.model import Target
from cudamigrate.model.verification import Diagnostic, Place, Verdict
from cudamigrate.verification import causes
from cudamigrate.verification import run as verify

LACKS = '#include "missing.h"\n#include <hip/hip_runtime.h>\n'
EARLY = '#include <hip/hip_runtime.h>\n#include "early.h"\n#include "missing.h"\nint f() { return unknown(); }\n'
ASKED = "int f() {{\n    hipDeviceProp_t p;\n#if {0}\n    return p.overlapping;\n#endif\n    return 0;\n}}\n"
CASES = {
    # before the missing header, or behind it
    "before": (EARLY, 1, "nosuch"),
    "behind": ('#include <hip/hip_runtime.h>\n#include "missing.h"\n#include "early.h"\n', 0, ""),
    # a member that a type of HIP's lacks
    "member": (LACKS + "int f() { hipDeviceProp_t p; return p.overlapping; }\n", 3, "no member named"),
    "member of a type of the tree": (LACKS + "struct S { int a; };\nint f() { S s; return s.b; }\n", 0, ""),
    "member that may be a macro": (LACKS + "int f() { hipDeviceProp_t p; return p.OVERLAPPING; }\n", 0, ""),
    "member of what a call gives": (
        LACKS + "hipDeviceProp_t g(int);\nint f() { return g(1).overlapping; }\n", 0, "",
    ),
    "member where the tree asks": (LACKS + "#define HAS_P 1\n" + ASKED.format("HAS_P"), 7, "no member named"),
    "member where the header may ask": (LACKS + ASKED.format("!defined(HAS_P)"), 0, ""),
    # a call with another number of arguments
    "count": (LACKS + "void f(void **p) { hipMalloc(p); }\n", 3, "no matching function"),
    "count of one candidate": (LACKS + "void f() { hipGetDeviceCount(); }\n", 3, "no matching function"),
    "count for the device": (LACKS + "__global__ void f(int *p) { atomicAdd(p); }\n", 0, ""),
    "count of the tree's own": (LACKS + "void g(int);\nvoid f() { g(1, 2); }\n", 0, ""),
    "types, not their count": (LACKS + "void f(int p) { hipMalloc(p, 4); }\n", 0, ""),
    "count that a pack has": (
        LACKS + "template <class... T> void g(T... a) { hipGetDeviceCount(a...); }\nvoid f() { g(1, 2); }\n", 0, "",
    ),
    # syntax
    "syntax": (LACKS + "int f(int n) { int k = n; return k + ; }\n", 3, "expected expression"),
    "syntax in the first statement": (LACKS + "int k = 5 + ;\n", 3, "expected expression"),
    "syntax beside a text": (LACKS + 'const char *k = "no such word" + ;\n', 3, "expected expression"),
    "syntax behind another error": (LACKS + "Foo x;\nint k = 5 + ;\n", 0, ""),
    "syntax with an unknown name": (LACKS + "template <class T> void f(T a) { check(a) a.x(); }\n", 0, ""),
    "syntax behind a macro of nothing": (
        LACKS + "#define API NOWHERE\nclass API S\n{\npublic:\n    S();\n};\n", 0, ""
    ),
    "syntax behind a macro that is known": (
        LACKS + "#define EMPTY\n#define API EMPTY\nstruct API S {\n    int k = + ;\n};\n", 6, "expected expression"
    ),
    "syntax with a macro": (LACKS + "void BOUNDS(256) k(int n) {}\nvoid BOUNDS(3) l(int m) {}\n", 0, ""),
    "syntax that a namespace mends": (LACKS + "int width(int cv) { return cv; }\nusing namespace cv;\n", 0, ""),
    "syntax that a class mends": (LACKS + "int area(int base) { return base; }\nstruct S : base {};\n", 0, ""),
    "syntax in a class": (LACKS + "struct S { int base base; };\n", 3, "expected ';'"),
    "syntax of braces": (LACKS + "void f() { } }\n", 0, ""),
    "syntax by a condition": (LACKS + "int f(int a\n#ifdef LARGE\n, int b)\n#endif\n{ return a; }\n", 0, ""),
}  # fmt: skip


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    engine = clang.find(Target(rocm="7.1"))
    if isinstance(engine, str):
        pytest.skip(engine)
    root = tmp_path_factory.mktemp("tree")
    (root / "early.h").write_text("inline void early() { int q = nosuch; }\n")
    names = {name: f"{number}.cu" for number, name in enumerate(CASES)}
    for name, path in names.items():
        (root / path).write_text(CASES[name][0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        job = verify.Job(str(root), sorted(names.values()))
        found = {one.path: causes.without_consequences(one) for one in verify.run(job, engine, jobs=1).verdicts}
        again = {one.path: causes.without_consequences(one) for one in verify.run(job, engine, jobs=1).verdicts}
    assert all(again[path].diagnostics == found[path].diagnostics for path in found)  # as kept, so as found
    return {name: found[path] for name, path in names.items()}


@pytest.mark.parametrize("case", CASES)
def test_what_no_missing_header_mends_fails_and_all_else_is_not_judged(case: str, judged: dict[str, Verdict]) -> None:
    _, line, said = CASES[case]
    verdict = judged[case]
    if not line:
        assert (verdict.word, verdict.headers) == ("unresolved", ("missing.h",))
        return
    assert verdict.word == "failed"
    assert [entry.place.line for entry in verdict.diagnostics] == [line]
    assert said in verdict.diagnostics[0].message


def test_only_the_first_error_of_a_pass_is_known_to_be_one_of_syntax() -> None:
    def entry(kind: str, message: str) -> Diagnostic:
        return Diagnostic(kind, Place("a.cu", 1, 1), message, "device")  # type: ignore[arg-type]

    said = [(entry("error", "a"), True), (entry("missing-header", "b"), False), (entry("error", "c"), True)]
    first = [(entry("missing-header", "b"), False), (entry("error", "c"), True), (entry("error", "d"), True)]
    assert [one.apart for one in _messages.in_order(said)] == ["before", "", ""]
    assert [one.apart for one in _messages.in_order(first)] == ["", "syntax", ""]
