"""Inline PTX: asm statements of device code -> HIP code, or what is in the way.

`statement` reads the C++ side of an asm statement, `parser` the PTX in its template, `table` the rules under
`rules/ptx`; `values` and `builders` write C++ for operands and instructions, and `translate` joins them.
"""

__all__ = ["loops", "parser", "statement", "table", "translate"]
