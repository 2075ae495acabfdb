"""Headers that lack a header, read together: what is said of each, and which are read alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from cudamigrate.compilation import build_flags
from cudamigrate.compilation.engines import clang
from cudamigrate.compilation.include_closure import IncludeResolver, headers
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Target
from cudamigrate.model.verification import Checked, Diagnostic, Flags, Place, Toolchain, Unit, Verification
from cudamigrate.verification import doubts, header_groups, newer_releases
from cudamigrate.verification import run as verification

CHOSEN = Toolchain("clang", "clang", "7.1.0", ("/hip",), ("gfx942",), ("/ours",))
LACKS = '#include "absent/x.h"\n'


def tree(root: Path, files: Mapping[str, str]) -> IncludeResolver:
    for name, text in files.items():
        (root / name).write_text(text)
    read = lambda path: (root / path).read_bytes() if (root / path).exists() else b""  # noqa: E731
    return IncludeResolver(str(root), build_flags.read(root), ("/usr/include",), read, paths=headers(root))


def grouped(root: Path, files: Mapping[str, str], names: str = "ab") -> list[list[str]]:
    found = tree(root, files)
    units = [Unit(f"{name}.cuh", str(root), found.flags(f"{name}.cuh"), ("gfx942",)) for name in names]
    return [[unit.path for unit in group.brought] for group in header_groups.grouped(units, found)]


@pytest.mark.parametrize(
    ("files", "together"),
    [
        ({"a": LACKS, "b": LACKS}, True),
        ({"a": LACKS, "b": ""}, False),  # nothing is missing: it may be proved
        ({"a": LACKS, "b": "#include <stdio.h>\n"}, False),
        ({"a": LACKS, "b": '#include "c.cuh"\n', "c": LACKS}, True),
        ({"a": f"{LACKS}#define WIDE\n", "b": f"{LACKS}int n = WIDE;\n"}, True),
        ({"a": f"{LACKS}#define WIDE\n", "b": f"{LACKS}#ifdef WIDE\n#endif\n"}, False),
        ({"a": f"{LACKS}#undef WIDE\n", "b": f"{LACKS}#if 1 && \\\n  WIDE\n#endif\n"}, False),
        (
            {
                "a": f"#ifndef ONE_H\n#define ONE_H\n{LACKS}#endif\n",
                "b": f"#ifndef ONE_H\n#define ONE_H\n{LACKS}#endif\n",
            },
            False,
        ),
        (
            {
                "a": f'{LACKS}#include "c.cuh"\n',
                "b": f'{LACKS}#define WIDE\n#include "c.cuh"\n',
                "c": "#ifdef WIDE\n#endif\n",
            },
            False,
        ),
        (
            {
                "a": f'{LACKS}#include "c.cuh"\n',
                "b": f'{LACKS}#include "c.cuh"\n#ifdef WIDE\n#endif\n',
                "c": "#define WIDE\n",
            },
            True,
        ),
    ],
)
def test_headers_that_lack_one_are_read_together_where_no_macro_comes_between(
    tmp_path: Path, files: Mapping[str, str], together: bool
) -> None:
    found = grouped(tmp_path, {f"{name}.cuh": text for name, text in files.items()})
    assert found == ([["a.cuh", "b.cuh"]] if together else [])


def test_headers_that_compile_in_other_ways_or_not_for_a_gpu_are_read_apart(tmp_path: Path) -> None:
    found = tree(tmp_path, {f"{name}.cuh": LACKS for name in "abcdef"})
    plain = [Unit(f"{name}.cuh", str(tmp_path), Flags("c++17"), ("gfx942",)) for name in "abcdef"]
    units = [
        *plain[:2],
        replace(plain[2], flags=Flags("c++20")),
        replace(plain[3], flags=Flags("c++17", includes=("/folder",))),
        replace(plain[4], host=True, arch=()),
        replace(plain[5], language="cuda"),
    ]
    (group,) = header_groups.grouped(units, found)
    assert list(group.brought) == plain[:2]
    assert group.text == '#include "a.cuh"\n#include "b.cuh"\n'


def test_a_unit_includes_no_more_headers_than_leave_others_work(tmp_path: Path) -> None:
    found = tree(tmp_path, {f"{number}.cuh": LACKS for number in range(70)})
    units = [Unit(f"{number}.cuh", str(tmp_path), Flags("c++17"), ("gfx942",)) for number in range(70)]
    assert [len(group.brought) for group in header_groups.grouped(units, found)] == [32, 32, 6]


A, B = (Unit(f"{name}.cuh", "/tree", Flags("c++17"), ("gfx942",)) for name in "ab")
MISSING = Diagnostic(
    "missing-header", Place("c.cuh", 1, 10), "'absent/x.h' file not found", "device", "gfx942", "absent/x.h"
)
OTHER = replace(MISSING, place=Place("a.cuh", 3, 10), header="absent/y.h")
WRONG = Diagnostic("error", Place("c.cuh", 7, 3), "no type named 'T'", "device", "gfx942")
FOREIGN = Diagnostic("error", Place("/hip/rocprim/x.hpp", 7, 3), "no", "device", included=(Place("a.cuh", 2, 1),))


def parted(*said: Diagnostic, read: tuple[str, ...] = (), text: bytes = b"") -> dict[str, Checked]:
    group = header_groups.Group({A: frozenset(("a.cuh", "c.cuh")), B: frozenset(("b.cuh", "c.cuh"))})
    done = Checked(said, ("/tree/all.hip", *(f"/tree/{name}.cuh" for name in "abc"), *read), seconds=3.0)
    aim = doubts.Aim(newer_releases.Release("7.1", "7.1.0"), lambda name: name == "cuda.h", lambda path: text)
    return {unit.path: one for unit, one in header_groups.parted(group, done, CHOSEN, aim).items()}


def test_a_header_has_what_is_said_of_the_files_that_it_brings() -> None:
    found = parted(OTHER, MISSING, WRONG)
    assert [one.seconds for one in found.values()] == [1.5, 1.5]
    assert found["a.cuh"].diagnostics == (OTHER, MISSING, WRONG)
    assert found["b.cuh"].diagnostics == (MISSING, WRONG)
    assert found["b.cuh"].read == ("/tree/b.cuh", "/tree/c.cuh")
    assert all(one.partial for one in found.values())


def test_a_header_is_read_alone_where_it_is_in_no_doubt_or_the_other_hides_what_it_lacks() -> None:
    assert list(parted(OTHER, WRONG)) == ["a.cuh"]  # the other one lacks nothing after all
    assert parted(MISSING, replace(WRONG, certain=True)) == {}
    assert list(parted(MISSING, replace(WRONG, certain=True, place=Place("b.cuh", 1, 1)))) == ["a.cuh"]
    assert parted(MISSING, replace(MISSING, header="cuda.h")) == {}  # an error, whatever is missing
    hidden = replace(MISSING, place=Place("c.cuh", 2, 1), header="absent/z.h", notes=(Place("a.cuh", 9, 1),))
    assert list(parted(MISSING, hidden)) == ["a.cuh"]


def test_an_error_that_another_header_led_to_is_kept_without_its_way() -> None:
    said = replace(WRONG, notes=(Place("c.cuh", 2, 1), Place("a.cuh", 9, 1)), said=("candidate", "candidate"))
    found = parted(MISSING, said)
    assert found["a.cuh"].diagnostics == (MISSING, said)
    assert found["b.cuh"].diagnostics == (MISSING, replace(said, notes=said.notes[:1], said=()))


def test_a_foreign_header_that_does_not_compile_is_asked_for_with_each_that_includes_it() -> None:
    read = ("/hip/rocprim/x.hpp", "/hip/rocprim/y.hpp")
    assert set(parted(MISSING, FOREIGN, read=read)) == {"a.cuh", "b.cuh"}
    found = parted(MISSING, FOREIGN, read=read, text=b"#include <rocprim/x.hpp>\n")
    assert set(found) == {"a.cuh"}
    assert "/hip/rocprim/x.hpp" in found["a.cuh"].read
    assert "/hip/rocprim/y.hpp" not in found["a.cuh"].read
    led = replace(FOREIGN, notes=(Place("/hip/x.hpp", 5, 1), Place("c.cuh", 4, 1)))
    assert [one.diagnostics for one in parted(MISSING, led, read=read).values()] == [(MISSING, led)] * 2


FILES = {
    "one.cuh": '#include "shared.cuh"\n__device__ inline int one(Missing *m) { return shared(m->n); }\n',
    "two.cuh": '#include "shared.cuh"\n#include "absent/z.h"\n__device__ inline int two() { return shared(2); }\n',
    "shared.cuh": f"#pragma once\n{LACKS}__device__ inline int shared(int n) {{ return n; }}\n",
    "three.cuh": "__device__ inline int three() { return shared(3); }\n",
    "four.cuh": '#include "five.cuh"\n__device__ inline int four() { return 4; }\n',
    "five.cuh": "#pragma once\n__device__ inline int five() { return 5; }\n",
}


@pytest.mark.usefixtures("embedded_clang")
def test_headers_read_together_are_judged_as_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, seen = tmp_path / "tree", list[str]()
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    check = clang.check_pass

    def counted(unit: Unit, toolchain: Toolchain, number: int, before: Checked) -> Checked:
        seen.append(unit.path)
        return check(unit, toolchain, number, before)

    monkeypatch.setattr(clang, "check_pass", counted)
    together = judged(root)
    assert seen.count("one.cuh") == seen.count("two.cuh") == 0
    monkeypatch.setattr(header_groups, "grouped", lambda *_: [])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    alone = judged(root)
    assert reasons(together) == reasons(alone)
    assert reasons(together)["three.cuh"] == ("unresolved", ("a header that no judged file includes",))
    assert reasons(together)["two.cuh"] == ("unresolved", ("absent/x.h", "absent/z.h"))
    assert reasons(together)["four.cuh"][0] == "checked"


def judged(root: Path) -> Verification:
    chosen = verification.toolchain("clang", Target())
    assert not isinstance(chosen, str)
    names = ["one.cuh", "two.cuh", "three.cuh", "four.cuh", "shared.cuh", "five.cuh"]
    return verification.run(verification.Job(str(root), [], names), chosen, jobs=1)


def reasons(found: Verification) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {one.path: (one.word, one.headers) for one in found.verdicts}
