"""What two runs are compared by: buffers in order, printed numbers, files, and what the original leaves open."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from cudamigrate.emulation.compare import Ran, compare, near
from cudamigrate.emulation.records import Copy, Record


def floats(*values: float, kind: str = "f4") -> Copy:
    form = {"f4": "f", "f8": "d", "f2": "e", "i4": "i"}[kind]
    return Copy("out", "sum", kind, 0, struct.pack(f"<{len(values)}{form}", *values))


def ran(*copies: Copy, printed: str = "", files: dict[str, bytes] | None = None) -> Ran:
    return Ran(0, printed, files or {}, Record(launches=1, copies=list(copies)))


def difference(one: Ran, other: Ran, again: Ran | None = None) -> str:
    return compare(one, again or one, other).difference


def test_the_first_difference_names_kernel_buffer_and_index() -> None:
    said = difference(ran(floats(1, 2, 3)), ran(floats(1, 2, 4)))
    assert said == "out[2] after sum is 4, the original's 3"
    shifted = replace(floats(1, 2), offset=8)
    assert difference(ran(shifted), ran(replace(floats(1, 5), offset=8))).startswith("out[3] after sum is 5")


@pytest.mark.parametrize(("kind", "apart"), [("f4", 1e-5), ("f8", 1e-11), ("f2", 1e-3)])
def test_numbers_are_compared_with_the_tolerance_of_their_type(kind: str, apart: float) -> None:
    assert not difference(ran(floats(1, kind=kind)), ran(floats(1 + apart, kind=kind)))
    assert difference(ran(floats(1, kind=kind)), ran(floats(1 + 10_000 * apart, kind=kind)))
    assert difference(ran(floats(7, kind="i4")), ran(floats(8, kind="i4")))
    assert near(float("nan"), float("nan"), 0) and not near(float("inf"), 1, 1e-3)


def test_what_the_original_orders_freely_is_compared_without_order_or_not_at_all() -> None:
    one, again = ran(floats(1, 2, 3, kind="i4")), ran(floats(3, 1, 2, kind="i4"))
    found = compare(one, again, ran(floats(2, 3, 1, kind="i4")))
    assert not found.difference and "without its order" in found.notes[0]
    assert difference(one, ran(floats(2, 3, 4, kind="i4")), again)
    random = compare(one, ran(floats(9, 9, 9, kind="i4")), ran(floats(5, 5, 5, kind="i4")))
    assert not random.difference and "not compared" in random.notes[0] and random.numbers == 0


def test_printed_numbers_and_times() -> None:
    one, again = ran(printed="sum 10\ntime 1.25 ms\n"), ran(printed="sum 10\ntime 1.5 ms\n")
    assert not difference(one, ran(printed="sum 10\ntime 9.75 ms\n"), again)
    said = difference(one, ran(printed="sum 11\ntime 9.75 ms\n"), again)
    assert said == "prints 'sum 11' in line 1, the original 'sum 10'"
    assert "lines" in difference(one, ran(printed="sum 10\n"), again)
    assert not difference(ran(printed="x 0.500000"), ran(printed="x 0.500001"))


def test_files_and_exit_codes() -> None:
    assert "writes other files: b" in difference(ran(files={"a": b""}), ran(files={"a": b"", "b": b""}))
    assert "writes another byte 1" in difference(ran(files={"a": b"\xff\x01"}), ran(files={"a": b"\xff\x02"}))
    assert "line 1" in difference(ran(files={"a": b"1"}), ran(files={"a": b"2"}))
    said = difference(ran(), replace(ran(), code=-11))
    assert said == "ends with signal 11, the original with exit code 0"
    assert compare(*[replace(ran(), code=1)] * 3).notes == ["both end with exit code 1"]
    assert "copies 0 buffers" in difference(ran(floats(1)), ran())


def test_numbers_that_are_only_told_apart_as_text() -> None:
    assert difference(ran(printed="0x1000-0x2000"), ran(printed="0x1000-0x3000")).startswith("prints '0x1000-0x3000'")
    assert difference(ran(printed="at 1.5"), ran(printed="at 0x1f")).startswith("prints")
    assert difference(ran(printed="# 5"), ran(printed="3 5")) == "prints '3 5' in line 1, the original '# 5'"
    assert not difference(ran(printed="x 0.999999"), ran(printed="x 1"))


def test_what_is_not_compared_in_a_file_is_said_in_words() -> None:
    one, again, other = (ran(files={"sums": text}) for text in (b"a", b"b", b"c"))
    assert compare(one, again, other).notes == ["line 1 is not compared: the original does not write it alike twice"]


def test_it_is_counted_what_was_compared() -> None:
    assert compare(*[ran(printed="\nPASSED\n", files={"a": b"\xff"})] * 3).lines == 2
    nothing = compare(ran(printed="1.5"), ran(printed="2.5"), ran(printed="3.5"))
    assert not nothing.difference and nothing.numbers == nothing.lines == 0


def shared(*values: float, buffer: str = "out") -> Copy:
    return replace(floats(*values, kind="i4"), is_shared=True, buffer=buffer)


def test_memory_of_both_may_differ_in_between_where_its_end_is_the_same() -> None:
    one, other = ran(shared(9, 9), shared(5, 9), shared(5, 2)), ran(shared(9, 4), shared(5, 2))
    found = compare(one, one, other)
    assert not found.difference and "out[1] after sum is 4, the original's 9" in found.notes[0]
    assert difference(one, ran(shared(9, 9), shared(5, 9), shared(5, 3))) == "out[1] after sum is 3, the original's 2"
    copied = [ran(*(replace(each, is_shared=False) for each in run.record.copies)) for run in (one, other)]
    assert difference(*copied)
    assert difference(ran(shared(1, buffer="a"), shared(2)), ran(shared(3, buffer="a"), shared(2)))
