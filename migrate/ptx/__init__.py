"""Inline PTX: asm statements of device code -> HIP code, or what is in the way.

`statement` reads the C++ side of an asm statement, `parser` the PTX in its template, `table` the rules under
`rules/ptx`; `values` and `builders` write C++ for operands and instructions, and `translate` joins them.
`carry_chains` and `carry_macros` say which statements pass on PTX's carry, by what `carry_flow` follows.
"""

__all__ = ["carry_chains", "carry_macros", "loops", "parser", "statement", "table", "translate"]
