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
