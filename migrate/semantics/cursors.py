"""libclang's cursors in plain words: places, kinds of types, values, what a name may mean.

The functions of libclang that its Python module does not declare are declared here (clang-c/Index.h).
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Literal

Kind = Literal["integer", "floating", "pointer", "other"]

_SIGNED = ("CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG")
_UNSIGNED = ("BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG")
_INTEGERS = frozenset((*_SIGNED, *_UNSIGNED, "ENUM"))
_FLOATING = frozenset(("HALF", "FLOAT16", "BFLOAT16", "FLOAT", "DOUBLE", "LONGDOUBLE"))
_POINTERS = frozenset(("POINTER", "CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY"))
_INTEGER_RESULT = 1


def span(cursor: Any) -> tuple[int, int]:
    """The range of bytes that a cursor covers in its file; in a macro's use, that of the use."""
    extent = cursor.extent
    return int(extent.start.offset), int(extent.end.offset)


def kind_of(type_: Any) -> Kind:
    """What kind of value a type has, by what it stands for."""
    name = type_.get_canonical().kind.name
    if name in _INTEGERS:
        return "integer"
    return "floating" if name in _FLOATING else "pointer" if name in _POINTERS else "other"


def targets(cursor: Any) -> list[Any]:
    """The declarations that a name may mean: all candidates where the arguments are not known yet."""
    target = cursor.referenced
    if target is None:
        return []
    count = int(_library().clang_getNumOverloadedDecls(target))
    found = [_library().clang_getOverloadedDecl(target, number) for number in range(count)]
    for one in found:
        one._tu = cursor._tu  # keeps the parsed file in memory, as the Python module does itself elsewhere
    return found or [target]


def is_invalid(declaration: Any) -> bool:
    """Whether a declaration has an error in it that clang went on from."""
    return bool(_library().clang_isInvalidDeclaration(declaration))


def evaluated(cursor: Any) -> int | None:
    """The integer that clang computes, None where it computes none."""
    library = _library()
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if library.clang_EvalResult_getKind(result) != _INTEGER_RESULT:
            return None
        return int(library.clang_EvalResult_getAsLongLong(result))
    finally:
        library.clang_EvalResult_dispose(result)


@cache
def _library() -> Any:
    import clang.cindex as clang  # type: ignore[import-untyped]

    library = clang.conf.lib
    for name, argument, result in (
        ("clang_Cursor_Evaluate", clang.Cursor, ctypes.c_void_p),
        ("clang_EvalResult_getKind", ctypes.c_void_p, ctypes.c_int),
        ("clang_EvalResult_getAsLongLong", ctypes.c_void_p, ctypes.c_longlong),
        ("clang_EvalResult_dispose", ctypes.c_void_p, None),
        ("clang_isInvalidDeclaration", clang.Cursor, ctypes.c_uint),
    ):
        function = getattr(library, name)
        function.argtypes, function.restype = [argument], result
    return library
