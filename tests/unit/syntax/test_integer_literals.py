"""Integers as C and C++ spell them; what is none has no value."""

from __future__ import annotations

import pytest

from cudamigrate.syntax import integer_literals


@pytest.mark.parametrize(
    ("spelled", "number"),
    [
        (b"0", 0), (b"00", 0), (b"040", 32), (b"32u", 32), (b"0x20ULL", 32), (b"0B100000", 32), (b"1'024z", 1024),
        (b"0xffff'ffff", 0xFFFFFFFF), (b"-1", -1), (b"+0x10", 16),
    ],
)  # fmt: skip
def test_value(spelled: bytes, number: int) -> None:
    assert integer_literals.value(spelled) == number


@pytest.mark.parametrize("spelled", [b"", b"09", b"1.0", b"1e3", b"0x", b"0b2", b"1_0", b"x", b"u", b" 1", b"--1"])
def test_what_is_no_integer(spelled: bytes) -> None:
    assert integer_literals.value(spelled) is None
