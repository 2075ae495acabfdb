"""What code says before a header, and whether the header may come first."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.compilation import header_names, leads, preamble
from cudamigrate.compilation.engines import clang
from cudamigrate.compilation.passed_code import Declared, Passed, meets, said, together
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Target
from cudamigrate.model.verification import Flags, Unit
from cudamigrate.verification import preambles
from tests.unit.compilation.test_preamble import tree

NEW = Declared(
    outer=frozenset({"index"}),
    inner=frozenset({("std", "type_info"), ("lib", "sort"), ("lib", "part"), ("part", "deep"), ("lib", "deep")}),
    functions=frozenset({"sort", "deep"}),
    spaces=frozenset({"lib", "part"}),
    macros=frozenset({"LIMIT"}),
)


@pytest.mark.parametrize(
    ("code", "met"),
    [
        ("int n = index;", True),
        ("int n = a.index + b->index + own::index;", False),
        ("int n = ::index;", True),
        ("lib::sort(a);", True),
        ("own::sort(a); a.sort(); v<int>::sort(a);", False),
        ("sort(a, b);", True),
        ("return sort(a, b);", True),
        ("void sort(int *a);", False),  # declared, not called
        ("int sort = 1;", False),
        ("namespace lib { int sort = 1; }", True),
        ("namespace own { int sort = 1; }", False),
        ("using namespace lib; int n = sort;", True),
        ("using namespace own; int n = sort;", False),
        ("namespace l = lib; int n = l::deep;", True),
        ("namespace l = lib::part; int n = l::deep;", True),
        ("namespace l = own; int n = l::deep;", False),
        ("lib::other(a);", False),
        ("int n = part::more;", True),  # the namespace is new
        ("int n = a.LIMIT;", True),
        ("auto &n = typeid(int);", True),
        ("int typeids;", False),
        ('puts("index LIMIT");', False),
    ],
)
def test_a_header_may_not_come_before_code_that_may_name_what_it_declares(code: str, met: bool) -> None:
    assert meets(said(code), [NEW], {"lib"}) is met


def test_what_pieces_say_is_said_together() -> None:
    whole = together(Passed(), [said("using namespace lib;"), said("int n = sort; {")])
    assert meets(whole, [NEW], {"lib"}) and whole.code
    assert said("f() { g('{'); h(\"{\");").depth == 1


def begun(root: Path, text: str, **more: str) -> list[tuple[tuple[str, ...], bool]]:
    files = {"a.cu": text, **{f"{name}.h": code for name, code in more.items()}}
    found = leads.lead("a.cu", tree(root, files), Flags("c++17"), ("__HIP__",), past_code=True)
    return [(one.headers, bool(one.passed)) for one in found[1:]]


ONE, TWO = (("one.h",), False), (("one.h", "two.h"), True)


@pytest.mark.parametrize(
    ("between", "found"),
    [
        ("int a;", [ONE, TWO]),
        ("#pragma unroll", [ONE, (("one.h", "two.h"), False)]),
        ("#pragma pack(push, 1)\nint a;", [ONE]),
        ("namespace a {\n#include <three.h>\n}", [ONE]),  # a header within a namespace is another one
        ("namespace a {", [ONE]),
        ("namespace a { int b; }", [ONE, TWO]),
        ("#if __N\nnamespace a {\n#endif\n#if __N\n}\n#endif", [ONE, TWO]),
        ("#if __N\nint a() {\n#else\nint b() {\n#endif\n}", [ONE]),
        ("#if __N\nnamespace a {\n#endif", [ONE]),
        ("#define OPEN namespace a {\nOPEN\n}", [ONE]),
        ("#define OPEN {}\nint a OPEN;", [ONE, TWO]),
        ('#include "own.h"', [ONE, TWO]),
        ("#if __N\nint a;\n#endif", [ONE, TWO]),
        ("#ifdef __HIP__\n#else\nint a;\n#endif", [ONE, (("one.h", "two.h"), False)]),
    ],
)
def test_the_walk_goes_on_behind_code(tmp_path: Path, between: str, found: list[tuple[tuple[str, ...], bool]]) -> None:
    assert begun(tmp_path, f"#include <one.h>\n{between}\n#include <two.h>\n", own="#pragma once\nint own;\n") == found


def surveyed(root: Path, text: str, **system: str) -> list[str]:
    """The headers that may come first, of those that a file includes."""
    chosen = clang.find(Target())
    if isinstance(chosen, str):
        pytest.skip(chosen)
    headers = {f".system/{name}.h": code for name, code in system.items()}
    folder = str(root / ".system")
    chosen = replace(chosen, headers=(*chosen.headers, folder))
    built = tree(root, {"a.hip": text, **headers})
    unit = Unit("", built.root, Flags("c++17"), ("gfx942",))
    known = header_names.survey(unit, [f"{name}.h" for name in system], chosen)
    assert known is not None
    found = leads.lead("a.hip", built, unit.flags, ("__HIP__",), past_code=True)
    return list(preamble.unchanged(found, known, lambda name: True)[-1].headers)


LIB = (
    '#pragma once\n#include <two.h>\nnamespace lib { void sort(int); enum kind { small }; }\nextern "C" { int g(); }\n'
)
SHARED = "#pragma once\nnamespace lib { template <class T> struct basic_text; }\n#ifdef WIDE\n#endif\n"


@pytest.mark.parametrize(
    ("code", "first"),
    [
        ("int a;", True),
        ("int a = lib::small;", False),
        ("int a = own::small;", True),
        ("int a = g;", False),
        ("lib::text *a;", False),  # a type that the library makes of its template
        ("#define WIDE 1\nint a;", False),
        ("#define NARROW 1\nint a;", True),
        ("#ifndef MADE\nint a;\n#endif", False),
    ],
)
def test_what_headers_declare_is_asked_of_clang(tmp_path: Path, code: str, first: bool) -> None:
    made = LIB + "#define MADE\n" if "MADE" in code else LIB
    found = surveyed(tmp_path, f"{code}\n#include <one.h>\n#include <three.h>\n", one=made, two=SHARED, three="")
    assert found == (["one.h", "three.h"] if first else ["three.h"])


def test_what_a_header_read_before_is_known_behind_it(tmp_path: Path) -> None:
    text = "#include <two.h>\nlib::text *a;\n#include <one.h>\n"
    assert surveyed(tmp_path, text, one=LIB, two=SHARED) == ["two.h", "one.h"]
    broken = surveyed(tmp_path, "int a;\n#include <one.h>\n#include <two.h>\n", one="int a = b;\n", two=SHARED)
    assert broken == ["two.h"]


def test_files_with_code_between_headers_are_judged_alike_with_a_preamble(tmp_path: Path) -> None:
    chosen = clang.find(Target())
    if isinstance(chosen, str):
        pytest.skip(chosen)
    names = ("vector", "map", "set", "list", "deque", "queue")
    code = "".join(f"struct of_{name} {{ int n; }};\n#include <{name}>\n" for name in names)
    early = "struct early { std::deque<int> a; };\n"  # behind no header that brings it
    files = {f"{name}.hip": f"{code}void f() {{ hipNoSuchCall(); }}\n" for name in "abcdefghijkl"}
    files["early.hip"] = code.replace("#include <map>\n", early + "#include <map>\n")
    system = (*chosen.headers, *chosen.declarations, *preambles.machine.standard_library())
    built = tree(tmp_path / "tree", files, system)
    units = [Unit(path, built.root, built.flags(path), ("gfx942",)) for path in files]
    ready = preambles.prepared(units, chosen, lambda _: built, preambles.Kept(str(tmp_path)), 1)
    assert len({unit.preamble for unit in ready[:-1]}) == 1
    (tmp_path / "few").mkdir()
    kept = preambles.Kept(str(tmp_path / "few"))
    preambles.prepared(units[:4], chosen, lambda _: built, kept, 1)
    assert {len(headers) for _, headers in kept.made} == {0}  # not worth the question
    assert ready[-1].preamble != ready[0].preamble
    for plain, fast in zip(units[-2:], ready[-2:], strict=True):
        assert clang.check(plain, chosen).diagnostics == clang.check(fast, chosen).diagnostics
    assert any("deque" in one.message for one in clang.check(ready[-1], chosen).diagnostics)
