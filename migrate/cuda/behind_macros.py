"""Names that the preprocessor makes look declared: `CHECK`, and `cudaMalloc(&p, n);` below.

The grammar knows no macros: what is before a name is a type to it, and the name a variable with constructor arguments.
Nor does it know that a list of parameters may have `#if` in it: what is behind the `#endif` is variables to it.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.lexer import Lexed, Token
from cudamigrate.lazy_re import re

_FUNCTION = re.compile(rb"\s+(?!__)[A-Za-z_]\w*\s*\(")
_VARIABLE = re.compile(rb"\s+(?!__)(?![A-Z_0-9]+\b)[A-Za-z_]\w*\s*[=;,)]")
"""What follows a type: the name of a variable. In capitals it may be a macro behind a name: `int half UNUSED = 1`."""
_API = re.compile(rb"(?:cuda|cu(?:rand|blas|fft|sparse|solver|dnn)|nccl|nvrtc|cu)[A-Z]\w*")
"""A name of the form of the functions of CUDA's runtime, driver and libraries."""
_LISTS = ("declaration", "field_declaration", "ERROR")
"""What may hold declarators between commas; the last where the body of a function follows what the `#if` cut."""


def is_type(lexed: Lexed, name: Node) -> bool:
    """Whether what reads like a declared name is a type behind macros: `API inline T f(`, `CHECK` and `T x = 1;`.

    Or the type of a parameter: `T` of `void f(`, `#if`, `int *p,`, `#endif`, `int n, T x);`.
    """
    data = lexed.data
    if _FUNCTION.match(data, name.end_byte) is not None:
        return True
    declarator = name.parent if name.parent is not None and name.parent.type == "init_declarator" else name
    if _is_a_word(declarator) and _VARIABLE.match(data, name.end_byte) is not None:
        return True
    return _is_listed(name) and _is_in_parentheses(lexed, name.end_byte)


def is_called(declarator: Node, name: bytes, sees_cuda: bool) -> bool:
    """Whether what reads like a variable with arguments is a call behind a macro: `CHECK cudaMalloc(&p, n);`.

    `name` is one that rules know. A file that does not include CUDA's headers itself may get them from others; there,
    the name has to have the form of CUDA's functions, and what is before it to be one word.
    """
    value = declarator.child_by_field_name("value")
    if value is None or value.type != "argument_list":
        return False
    return sees_cuda or (_API.fullmatch(name) is not None and _is_a_word(declarator))


def is_apart(lexed: Lexed, owner: Token, colons: Token) -> bool:
    """Whether `::` begins a name on a line below the word before it, which then is a macro and no namespace."""
    return b"\n" in lexed.data[owner.end : colons.start]


def _is_listed(name: Node) -> bool:
    """Whether the name is what begins a declarator that is not the first of its declaration: `b` of `int a, b = 1;`."""
    declarator = name
    while declarator.parent is not None and declarator.parent.start_byte == name.start_byte:
        declarator = declarator.parent
    around, before = declarator.parent, declarator.prev_sibling
    listing = around is not None and around.type in _LISTS
    return listing and before is not None and before.type == ","


def _is_in_parentheses(lexed: Lexed, offset: int) -> bool:
    """Whether a parenthesis closes behind what is there before the statement ends: one that opened before it."""
    token = lexed.token(offset)
    while token is not None:
        text = lexed.text(token)
        if text in (b")", b";", b"{", b"}"):
            return text == b")"
        closing = lexed.closing(token.start) if text in (b"(", b"[") else token.start
        token = lexed.after(lexed.token(closing)) if closing >= 0 else None
    return False


def _is_a_word(declarator: Node) -> bool:
    """Whether nothing but one word is before the first declared name: `CHECK`, and not `int` or `std::vector<T>`."""
    declaration = declarator.parent
    if declaration is None or declaration.type != "declaration":
        return False
    first = declaration.child(0)
    return first is not None and first.type == "type_identifier" and declaration.child_by_field_name("type") == first
