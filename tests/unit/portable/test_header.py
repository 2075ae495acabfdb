"""The header of names, as a second run finds it."""

from __future__ import annotations

from cudamigrate.portable import header
from cudamigrate.portable.aliases import Call, Names

CALL = Call(b"hipLaunchKernel", b"reinterpret_cast<const void*>(", b")")
NAME = b"cudaLaunchKernel"


def test_a_name_is_one_macro_only_and_stays_what_it_was():
    with_arguments, plain = Names(calls={NAME: CALL}), Names({NAME: b"hipLaunchKernel", b"cudaFree": b"hipFree"})
    text = header.render(header.joined(with_arguments, plain), "__HIP_PLATFORM_AMD__")
    assert text.count(b"#define cudaLaunchKernel") == 1 and b"#define cudaFree hipFree" in text
    assert header.joined(plain, with_arguments).calls == {}
    assert header.joined(header.names(text), plain) == header.names(text)


def test_what_hip_declares_is_read_before_a_macro_changes_it():
    text = header.render(Names({b"__hmax2": b"cudamigrate::hmax2", b"cudaFree": b"hipFree"}), "__HIP_PLATFORM_AMD__")
    assert text.count(b"#include") == 2
    assert text.index(b"#include <hip/hip_bf16.h>") < text.index(b"#define __hmax2")
    assert header.names(text).macros.keys() == {b"__hmax2", b"cudaFree"}


def test_names_that_no_header_of_hip_declares_bring_none():
    text = header.render(Names({b"cudaFree": b"hipFree", b"hmax2": b"x"}), "__HIP_PLATFORM_AMD__")
    assert text.count(b"#include") == 1
