"""Calls of CUDA's functions of complex numbers where the project overloads them for another type: `cuCabs(z)`.

An own `mine::cuCabs(cuFloatComplex)` does not hide CUDA's `cuCabs(cuDoubleComplex)`, as a function of a namespace else
does: the types are CUDA's, so that its functions are looked up by them too (ISO C++, [basic.lookup.argdep]).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.analysis import vector_types
from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Finding, SourceFile
from cudamigrate.syntax import tree_sitter_nodes

_DECLARED = re.compile(rb"\(([^()]*)\)\s*(?:const\s*)?(?:[;{]|\Z)")
_PARAMETER = re.compile(rb"(?:const\s+)?(\w+)(?:\s+const)?\s*&?\s*\w*")
_CLASSES = ("class_specifier", "struct_specifier")


def is_cudas(source: SourceFile, finding: Finding, own: Iterable[SourceFile]) -> bool:
    """Whether a call gives CUDA's function just what that takes, and no definition in `own` takes the same.

    False where a type is not seen, and where the name is that of a class's member.
    """
    name, parsed = finding.name.encode(), cuda.parse(replace(source, language="cuda"), frozenset())
    given = _given(parsed, finding)
    cudas = b"float2" if name.endswith(b"f") else b"double2"
    if not given or set(given) != {cudas}:
        return False
    files = (
        parsed if one.path == source.path else cuda.parse(replace(one, language="cuda"), frozenset()) for one in own
    )
    taken = [types for each in files for types in _taken(each, name)]
    return bool(taken) and all(types and b"" not in types and types != given for types in taken)


def _given(parsed: ParsedFile, finding: Finding) -> list[bytes]:
    """The vector types of the arguments of a call by a name without a scope; empty where it is none."""
    if parsed.lexed.text(parsed.lexed.before(finding.span.start)) in (b"::", b".", b"->"):
        return []
    name = node_at(parsed, finding.span.start, finding.span.start + len(finding.name))
    call = name.parent if name is not None else None
    if call is None or call.type != "call_expression":
        return []
    listed = tree_sitter_nodes.elements(call.child_by_field_name("arguments"))
    return [vector_types.of(Values.of(parsed), one) for one in listed]


def _taken(parsed: ParsedFile, name: bytes) -> Iterator[list[bytes]]:
    """The vector types of the parameters of each function of a name; none in the list of one that is not read."""
    for function in parsed.functions:
        if function.name.rpartition("::")[2].encode("latin-1") == name:
            yield [] if _is_member(parsed, function) else _parameters(parsed, function)


def _is_member(parsed: ParsedFile, function: Function) -> bool:
    return "::" in function.name or any(
        one.type in _CLASSES for one in parsed.nodes_around(function.span.start, function.span.start + 1)
    )


def _parameters(parsed: ParsedFile, function: Function) -> list[bytes]:
    head = _DECLARED.search(parsed.data, function.span.start, function.body.start)
    found = [_PARAMETER.fullmatch(one.strip()) for one in head[1].split(b",")] if head is not None else []
    return [b"" if one is None else vector_types.vector_named(one[1]) for one in found]
