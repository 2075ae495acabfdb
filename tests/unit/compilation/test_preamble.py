"""What files include first: the same with a preamble as without, or none is used."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from cudamigrate.compilation import build_flags, leads, preamble, toolchain
from cudamigrate.compilation.engines import clang
from cudamigrate.compilation.header_sizes import HeaderSizes
from cudamigrate.compilation.include_closure import IncludeResolver, headers
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Target
from cudamigrate.model.verification import Diagnostic, Flags, Unit
from cudamigrate.verification import preambles


def tree(root: Path, files: Mapping[str, str], system: tuple[str, ...] = ()) -> IncludeResolver:
    known = root / ".system"
    for name, text in {".system/one.h": "", ".system/two.h": "", ".system/three.h": "", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return IncludeResolver(
        root=str(root),
        project=build_flags.read(root),
        system=(str(known), *system),
        read=lambda path: (root / path).read_bytes(),
        paths=headers(root),
    )


def first(root: Path, text: str, **more: str) -> list[str]:
    found = leads.lead(
        "a.cu",
        tree(root, {"a.cu": text, **{f"{k}.h": v for k, v in more.items()}}),
        Flags("c++17", ("GIVEN=1",)),
        ("__HIP__",),
    )
    return list(preamble.before_code(found)[-1].headers)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("// a\n#include <one.h>\n#include <two.h>\nint a;\n#include <three.h>\n", ["one.h", "two.h"]),
        ('#include "own.h"\n#include <two.h>\n', ["one.h", "two.h"]),
        ('#include "code.h"\n#include <two.h>\n', ["one.h"]),
        ("#define N 1\n#include <one.h>\n", ["one.h"]),
        ("#ifdef N\n#include <one.h>\n#endif\n#include <two.h>\n", ["two.h"]),
        ('#ifdef __N\n#include "own.h"\n#endif\n#include <two.h>\n', []),
        ('#ifdef N\n#include "own.h"\nint a;\n#endif\n#include <two.h>\n', ["two.h"]),
        ("#if N > 1\n#include <one.h>\n#elif !defined(M)\n#include <two.h>\n#else\nint a;\n#endif\n", ["two.h"]),
        ("#define N 2\n#if N > 1\n#include <one.h>\n#else\n#include <two.h>\n#endif\n", []),
        ("#ifdef __N\n#include <one.h>\n#endif\n#ifndef N\n#include <two.h>\n#endif\n", []),
        ("#ifdef __HIP__\n#include <one.h>\n#else\n#include <two.h>\n#endif\n", ["one.h"]),
        ("#if !defined(GIVEN) || defined(__CUDACC__)\n#include <one.h>\n#endif\n#include <two.h>\n", ["two.h"]),
        ("#pragma nv_diag_suppress 1\n#include <one.h>\n#pragma pack(1)\n#include <two.h>\n", ["one.h"]),
        ("#ifdef GIVEN\n#include <one.h>\n#else\n#include <two.h>\n#endif\n#include <three.h>\n", ["one.h", "three.h"]),
        ("#include <absent.h>\n#include <one.h>\n", ["one.h"]),
        ('#include "own.def"\n#include <one.h>\n', []),
        ("#include NAME\n#include <one.h>\n", []),
        ('#ifdef __N\n#include <one.h>\n#endif\n#include "late.h"\n', ["two.h"]),
        ('#ifdef __N\n#include <one.h>\n#endif\n#include "open.h"\n', []),
    ],
)
def test_what_comes_before_code_is_the_preamble(tmp_path: Path, text: str, found: list[str]) -> None:
    (tmp_path / "own.def").write_text("int a;\n")
    own = "#ifndef OWN_H\n#define OWN_H\n#include <one.h>\n#endif\n"
    code = "#pragma once\n#include <one.h>\nint b;\n"
    guard = "#include <absent.h>\n#ifndef LATE_H\n#define LATE_H\n#include <two.h>\n#endif\n"
    more = {"late": guard, "open": f"{guard}int c;\n"}
    assert first(tmp_path, text, own=own, code=code, **more) == found


@pytest.mark.parametrize(
    ("macro", "found"),
    [
        ("__CUDACC__", ["two.h", "three.h"]),
        ("__HIPCC__", ["two.h", "three.h"]),
        ("__CUDA_ARCH__", ["two.h", "three.h"]),
        ("__HIP_PLATFORM_AMD__", ["one.h", "three.h"]),
        ("GIVEN_TOO", ["one.h", "three.h"]),
        ("__MADE_ELSEWHERE", []),
    ],
)
def test_the_hosts_compiler_defines_nothing_of_a_gpus(tmp_path: Path, macro: str, found: list[str]) -> None:
    text = f'#ifdef {macro}\n#include "own.h"\n#else\n#include <two.h>\n#endif\n#include <three.h>\n'
    built = tree(tmp_path, {"a.cpp": text, "own.h": "#pragma once\n#include <one.h>\n"})
    unit = Unit("a.cpp", built.root, Flags("c++17", ("GIVEN_TOO",)), (), host=True)
    begun = preamble.beginnings([unit], lambda _: built)
    assert list(begun.leads[unit][1][-1].headers) == found


@pytest.mark.parametrize(
    ("condition", "language", "fits"),
    [
        ("#ifdef __CUDACC__", "hip", True),
        ("#if defined(__NVCC__) && WIDE", "hip", True),
        ("#ifdef __CUDACC__", "cuda", False),
        ("#ifndef __CUDACC__", "hip", False),
        ("#ifdef __HIP__", "hip", False),
        ("#if 1\n#elif defined(__NVCC__)\n#endif\n#if 1", "hip", False),
    ],
)
def test_a_header_that_defines_a_macro_for_nvcc_alone_does_not(
    tmp_path: Path, condition: str, language: str, fits: bool
) -> None:
    text = f"#define MADE_TOO\n{condition}\n#define MADE\n#endif\n"
    built = tree(tmp_path, {"a.cu": "", ".system/one.h": text})
    system = str(tmp_path / ".system")
    unit = Unit("a.cu", built.root, Flags("c++17"), ("gfx942",))
    begun = leads.Lead(("one.h",), frozenset(), frozenset({"MADE"}))
    assert preamble.Fitting([f"{system}/one.h"], [system], language).fits(unit, begun) is fits


def test_headers_bring_all_that_they_include_once(tmp_path: Path) -> None:
    files = {
        "sys/one.h": "#include <lib/two.h>\n#include <absent.h>\n",
        "sys/lib/two.h": '#include "near.h"\n#include <one.h>\n',
        "sys/lib/near.h": "int near;\n",
        "sys/near.h": "int far, away;\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    sizes = HeaderSizes((str(tmp_path / "sys"),))
    brought = sum(len(files[f"sys/{name}"]) for name in ("one.h", "lib/two.h", "lib/near.h"))
    assert sizes.of(["one.h"]) == sizes.of(["lib/two.h", "one.h"]) == brought
    assert sizes.of(["one.h", "near.h"]) == brought + len(files["sys/near.h"])
    assert sizes.of(["absent.h"]) == sizes.of([]) == 0


def test_macros_that_the_tree_defines_before_a_header_are_known(tmp_path: Path) -> None:
    text = "#include <one.h>\n#define N 1\n#include <two.h>\n"
    none, one, two = leads.lead("a.cu", tree(tmp_path, {"a.cu": text}), Flags("c++17"))
    assert none.headers == ()
    assert (one.macros, two.macros) == (frozenset(), frozenset({"N"}))


def test_a_preamble_does_not_fit_where_a_macro_or_a_header_would_change_it(tmp_path: Path) -> None:
    built = tree(
        tmp_path,
        {
            ".system/one.h": "#ifdef WIDE\n#define MADE\n#endif\n",
            ".system/lib/two.h": "",
            "a.cu": "",
            "own/one.h": "",
            "else/four.h": "",
            "near/lib/four.h": "",
            "same/lib/two.h": "",
        },
    )
    system = str(tmp_path / ".system")
    fitting = preamble.Fitting([f"{system}/one.h", f"{system}/lib/two.h"], [system])
    unit = Unit("a.cu", str(tmp_path), built.flags("a.cu"), ("gfx942",))

    def within(folder: str) -> Unit:
        return Unit("a.cu", str(tmp_path), Flags("c++17", (), (str(tmp_path / folder),)), ("gfx942",))

    def begun(*macros: str, unset: tuple[str, ...] = ()) -> leads.Lead:
        return leads.Lead(("one.h",), frozenset(macros), frozenset(unset))

    assert fitting.fits(unit, begun("NARROW")) and not fitting.fits(unit, begun("WIDE"))
    assert fitting.fits(unit, begun(unset=("WIDE",))) and not fitting.fits(unit, begun(unset=("MADE",)))
    assert fitting.fits(within("else"), begun()) and not fitting.fits(within("own"), begun())
    assert fitting.fits(within("near"), begun()) and not fitting.fits(within("same"), begun())


def test_a_file_begins_with_the_preamble_that_holds_most_of_its_headers(tmp_path: Path) -> None:
    texts = {
        "a.cu": "#include <one.h>\n#include <two.h>\n",
        "b.cu": "#include <two.h>\n#include <one.h>\n#include <three.h>\n",
        "c.cu": "#include <three.h>\n#include <two.h>\n#include <one.h>\n",
        "d.cu": "#define WIDE 1\n#include <one.h>\n#include <two.h>\n",
        "e.cu": "#include <two.h>\n",
    }
    built = tree(tmp_path, {**texts, ".system/one.h": "#ifdef WIDE\n#endif\n"})
    system = str(tmp_path / ".system")
    units = {path: Unit(path, built.root, Flags("c++17"), ("gfx942",)) for path in texts}
    files = {("one.h", "two.h"): [f"{system}/one.h", f"{system}/two.h"], ("one.h",): [f"{system}/one.h"]}

    def held(*free: str) -> dict[str, tuple[str, ...] | None]:
        begun = preamble.beginnings(list(units.values()), lambda _: built, free.__contains__)
        first = begun.leads[units["a.cu"]][0]
        made = {(first, headers): preamble.Fitting(read, [system]) for headers, read in files.items()}
        groups = {path: preamble.holding(begun, unit, made) for path, unit in units.items()}
        return {path: group and group[1] for path, group in groups.items()}

    both = ("one.h", "two.h")
    assert held() == {"a.cu": both, "b.cu": None, "c.cu": None, "d.cu": None, "e.cu": None}
    assert held(*both) == {"a.cu": both, "b.cu": both, "c.cu": None, "d.cu": None, "e.cu": None}
    assert held(*both, "three.h")["c.cu"] == both  # the third comes behind the others


def test_beginnings_in_another_order_are_shared_where_it_is_free(tmp_path: Path) -> None:
    texts = {"a.cu": "#include <one.h>\n#include <two.h>\n", "b.cu": "#include <two.h>\n#include <one.h>\n"}
    built = tree(tmp_path, texts)
    units = [Unit(path, built.root, Flags("c++17"), ("gfx942",)) for path in texts]

    def shared(*free: str) -> set[tuple[str, ...]]:
        groups = preamble.shared(preamble.beginnings(units, lambda _: built, free.__contains__))
        return {headers for _, headers in groups}

    assert shared("one.h", "two.h") == {(), ("one.h", "two.h")}
    assert shared("one.h") == {()}


def test_files_are_judged_alike_with_a_preamble_and_without(tmp_path: Path) -> None:
    chosen = clang.find(Target())
    if isinstance(chosen, str):
        pytest.skip(chosen)
    text = "#include <hip/hip_runtime.h>\n__global__ void f(float *a) { *a = sqrtf(*a); }\n"
    files = {"a.hip": text, "b.hip": text + "void g() { hipNoSuchCall(); }\n"}
    built = tree(tmp_path / "tree", files, (*chosen.headers, *chosen.declarations))
    units = [Unit(path, built.root, built.flags(path), ("gfx942",)) for path in files]
    ready = preambles.prepared(units, chosen, lambda _: built, preambles.Kept(str(tmp_path)), 1)
    assert all(unit.preamble for unit in ready)
    for plain, fast in zip(units, ready, strict=True):
        one, other = clang.check(plain, chosen), clang.check(fast, chosen)
        assert one.diagnostics == other.diagnostics
        assert set(map(Path, one.read)) <= {*map(Path, other.read)}


_LOCAL_CLASS = """#include <hip/hip_runtime.h>
#include <sstream>
template <typename T> __global__ void f(T *p) {
  struct same { __device__ T operator()(T a) const { return a; } };
  *p = same()(*p);
}
template __global__ void f<float>(float *);
"""
"""A kernel in which clang makes a local class, and with it what waits to be made, of the host's code too."""


@pytest.mark.parametrize("standard", ["c++11", "c++17", "c++20"])
def test_a_preamble_adds_nothing_of_the_hosts_to_a_kernel(tmp_path: Path, standard: str) -> None:
    chosen = clang.find(Target())
    if isinstance(chosen, str):
        pytest.skip(chosen)
    used = _LOCAL_CLASS.replace("*p = ", "std::exception mine; *p = ")
    files = {"a.hip": _LOCAL_CLASS, "b.hip": _LOCAL_CLASS, "c.hip": used}
    built = tree(tmp_path / "tree", files, (*chosen.headers, *chosen.declarations, *toolchain.standard_library()))
    units = [Unit(path, built.root, replace(built.flags(path), standard=standard), ("gfx942",)) for path in files]
    ready = preambles.prepared(units, chosen, lambda _: built, preambles.Kept(str(tmp_path)), 1)
    assert all(unit.preamble for unit in ready)
    answers = {unit.path: clang.check(unit, chosen) for unit in ready}
    assert [path for path, answer in answers.items() if answer.diagnostics] == ["c.hip"]
    told = clang.check(units[2], chosen).diagnostics
    assert "'std::exception' (call to __host__ function" in "".join(entry.message for entry in told)
    assert {one.message for one in told} == {one.message for one in answers["c.hip"].diagnostics}
    assert not any(path.endswith((".0.h", ".1.h")) for answer in answers.values() for path in answer.read)


def test_beginnings_that_none_continues_together_are_kept(tmp_path: Path) -> None:
    texts = {
        "a.cu": "#include <one.h>\n#include <two.h>\n",
        "b.cu": "#include <one.h>\n#include <two.h>\nint b;\n#include <three.h>\n",
        "c.cu": "#include <one.h>\n#include <three.h>\n",
        "d.cu": "int d;\n",
    }
    built = tree(tmp_path, texts)
    units = [Unit(path, built.root, Flags("c++17"), ("gfx942",)) for path in texts]
    groups = preamble.shared(preamble.beginnings(units, lambda _: built))
    begun = {headers: sorted(unit.path for unit in members) for (_, headers), members in groups.items()}
    assert begun == {
        (): ["a.cu", "b.cu", "c.cu", "d.cu"],
        ("one.h",): ["a.cu", "b.cu", "c.cu"],
        ("one.h", "two.h"): ["a.cu", "b.cu"],
    }
    assert list(begun) == [(), ("one.h",), ("one.h", "two.h")]
    none, one, two = groups
    assert preamble.below(two, groups) == one and preamble.below(one, groups) == none
    assert preamble.below(none, groups) is None


def test_beginnings_of_other_macros_are_not_shared(tmp_path: Path) -> None:
    built = tree(tmp_path, {"a.cu": "#include <one.h>\n", "b.cu": "#include <one.h>\n"})
    flags = (Flags("c++17"), Flags("c++17", ("WIDE=1",)))
    units = [Unit(path, built.root, one, ("gfx942",)) for path, one in zip(("a.cu", "b.cu"), flags, strict=True)]
    assert not preamble.shared(preamble.beginnings(units, lambda _: built))


def test_a_preamble_must_save_more_than_it_costs() -> None:
    assert preamble.is_worth(2, 2) and preamble.is_worth(3, 1)
    assert not preamble.is_worth(2, 1) and not preamble.is_worth(9, 0)


def said(entry: Diagnostic) -> tuple[object, ...]:
    """What is said and where, without the notes: a constraint that was asked before is not explained again."""
    return entry.kind, entry.place, entry.message, entry.side


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_files_are_judged_alike_with_preambles_that_build_upon_one_another(tmp_path: Path, standard: str) -> None:
    chosen = clang.find(Target())
    if isinstance(chosen, str):
        pytest.skip(chosen)
    short = "#include <hip/hip_runtime.h>\n#include <vector>\n#include <map>\n"
    code = "__global__ void f(int *a) { std::vector<int> b; b.push_back(1); hipNoSuchCall(a); std::set<int> c; }\n"
    code += "#ifndef __HIP_DEVICE_COMPILE__\nvoid g() { std::map<int, int> m; m[1] = 2; m.at(1).none(); }\n#endif\n"
    files = {
        **{f"{name}.hip": short + code for name in "ab"},
        **{f"{name}.hip": f"{short}#include <set>\n#include <list>\n{code}" for name in "cd"},
    }
    built = tree(tmp_path / "tree", files, (*chosen.headers, *chosen.declarations, *toolchain.standard_library()))
    units = [Unit(path, built.root, replace(built.flags(path), standard=standard), ("gfx942",)) for path in files]
    ready = preambles.prepared(units, chosen, lambda _: built, preambles.Kept(str(tmp_path)), 1)
    a, b, c, d = (unit.preamble for unit in ready)
    assert a and c and a == b and c == d and a != c
    for plain, fast in zip(units, ready, strict=True):
        one, other = clang.check(plain, chosen), clang.check(fast, chosen)
        assert {entry.side for entry in one.diagnostics} == {"device", "host"}
        assert list(map(said, one.diagnostics)) == list(map(said, other.diagnostics))
        assert set(map(Path, one.read)) <= {*map(Path, other.read)}


def test_who_compiles_no_code_walks_past_it(tmp_path: Path) -> None:
    text = "#ifdef USE_HIP\n#include <one.h>\n#endif\nint a;\n#if N(1)\nint b;\n#endif\n#include <two.h>\n"
    built = tree(tmp_path, {"a.cu": text})
    unit = Unit("a.cu", built.root, Flags("c++17"), ("sm_80",), language="cuda")

    def headers_of(never: tuple[str, ...] | None) -> tuple[str, ...]:
        begun = preamble.beginnings([unit], lambda _: built, never=never)
        return preamble.before_code(begun.leads[unit][1])[-1].headers

    assert headers_of(None) == ()
    assert headers_of(("USE_HIP",)) == ("two.h",)


def test_macros_in_another_order_are_the_same(tmp_path: Path) -> None:
    built = tree(tmp_path, {"a.cu": "#include <one.h>\n", "b.cu": "#include <one.h>\n"})
    flags = (Flags("c++17", ("A=1", "B")), Flags("c++17", ("B", "A=1")))
    units = [Unit(path, built.root, one, ("gfx942",)) for path, one in zip(("a.cu", "b.cu"), flags, strict=True)]
    assert {headers for _, headers in preamble.shared(preamble.beginnings(units, lambda _: built))} == {(), ("one.h",)}


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("// WIDE\n/* WIDE\n */\n", True),
        ("#if WIDE\n#endif\n", False),
        ('const char *a = "//"; int WIDE;\n', False),
        ('const char *a = "\\"/*"; int WIDE;\n', False),
    ],
)
def test_only_code_asks_for_a_macro(tmp_path: Path, text: str, fits: bool) -> None:
    built = tree(tmp_path, {"a.cu": "", ".system/one.h": text})
    system = str(tmp_path / ".system")
    unit = Unit("a.cu", built.root, Flags("c++17"), ("gfx942",))
    begun = leads.Lead(("one.h",), frozenset({"WIDE"}))
    assert preamble.Fitting([f"{system}/one.h"], [system]).fits(unit, begun) is fits


def test_a_file_that_comes_later_begins_with_what_was_made_before(tmp_path: Path) -> None:
    chosen = clang.find(Target())
    if isinstance(chosen, str):
        pytest.skip(chosen)
    text = "#include <hip/hip_runtime.h>\n#include <vector>\nvoid f() { hipNoSuchCall(); }\n"
    files = dict.fromkeys(("a.hip", "b.hip", "later.hip"), text) | {"other.hip": "#include <map>\nint a;\n"}
    built = tree(tmp_path / "tree", files, (*chosen.headers, *chosen.declarations, *toolchain.standard_library()))
    a, b, later, other = (Unit(path, built.root, built.flags(path), ("gfx942",)) for path in files)
    kept = preambles.Kept(str(tmp_path))
    first = preambles.prepared([a, b], chosen, lambda _: built, kept, 1)[0]
    made = dict(kept.made)
    (ready, apart) = preambles.prepared([later, other], chosen, lambda _: built, kept, 1)
    assert ready.preamble == first.preamble and kept.made == made
    assert apart.preamble and apart.preamble != first.preamble  # what the compiler itself includes
    assert clang.check(ready, chosen).diagnostics == clang.check(later, chosen).diagnostics


def test_a_beginning_is_built_upon_the_one_with_most_files_where_the_order_is_free() -> None:
    first = Unit("", "/tree", Flags("c++17"), ("gfx942",))
    small, large, other = (first, ("one.h",)), (first, ("two.h",)), (replace(first, host=True), ("one.h", "two.h"))
    made = {small: ("", {"1"}), large: ("", {"1", "2"}), other: ("", {"1", "2", "3"})}
    group = (first, ("one.h", "two.h", "three.h"))
    assert preamble.base(group, made, lambda name: True) == large
    assert preamble.base(group, made, {"one.h", "two.h"}.__contains__) == small
    assert preamble.base(small, made, lambda name: True) is None
