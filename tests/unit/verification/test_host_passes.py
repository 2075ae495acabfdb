"""Which units in doubt the pass for the host is made of."""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.verification import Checked, Diagnostic, Flags, Place, Unit
from cudamigrate.verification.host_passes import HostPasses

ONE, TWO, THREE = (Unit(f"{name}.cu", "/tree", Flags("c++17"), ("gfx942",)) for name in ("one", "two", "three"))
WRONG = Diagnostic("error", Place("b.cuh", 4, 1), "no member", "host", certain=True)


def read(*names: str) -> Checked:
    return Checked((), tuple(f"/tree/{name}" for name in names), partial=True)


def test_what_asks_for_a_side_is_read_once_for_the_host() -> None:
    doubtful = {ONE: read("one.cu", "a.cuh"), TWO: read("two.cu", "a.cuh"), THREE: read("three.cu", "b.cuh")}
    assert HostPasses().next(doubtful, set()) == []
    assert HostPasses().next(doubtful, {"a.cuh"}) == [ONE]
    assert HostPasses().next(doubtful, {"a.cuh", "two.cu", "b.cuh"}) == [ONE, TWO, THREE]


def test_what_a_pass_for_the_host_read_is_not_read_again_where_units_compile_alike() -> None:
    hosts = HostPasses()
    hosts.note(ONE, read("one.cu", "a.cuh"), {"one.cu", "a.cuh"})
    assert hosts.next({TWO: read("two.cu", "a.cuh")}, {"a.cuh"}) == []
    assert hosts.next({TWO: read("two.cu", "a.cuh")}, {"a.cuh", "two.cu"}) == [TWO]
    other = replace(TWO, flags=Flags("c++17", ("WIDE=1",)))
    assert hosts.next({other: read("two.cu", "a.cuh")}, {"a.cuh"}) == [other]


def test_a_file_that_only_the_device_read_is_not_read_for_the_host() -> None:
    hosts = HostPasses()
    hosts.note(ONE, read("one.cu", "a.cuh"), {"one.cu"})
    assert hosts.next({TWO: read("two.cu", "a.cuh")}, {"a.cuh"}) == [TWO]


def test_where_the_host_shows_what_is_certain_all_that_read_the_file_are_asked() -> None:
    hosts, both = HostPasses(), {TWO: read("two.cu", "b.cuh"), THREE: read("three.cu", "a.cuh")}
    hosts.note(ONE, replace(read("one.cu", "a.cuh", "b.cuh"), diagnostics=(WRONG,)), {"a.cuh", "b.cuh"})
    assert hosts.next(both, {"a.cuh", "b.cuh"}) == [TWO]
    spoken = HostPasses()
    for known in (replace(WRONG, certain=False), replace(WRONG, side="device")):
        spoken.note(ONE, replace(read("one.cu"), diagnostics=(known,)), {"a.cuh", "b.cuh"})
    assert spoken.next(both, {"a.cuh", "b.cuh"}) == []
