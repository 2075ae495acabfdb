"""Products of cuBLAS that give the compute type as a data type, as before CUDA 11: a constant or a variable."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda import declarations
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"cublasGemm",)
INSTEAD = True  # the data type's own name would be written otherwise

_CALL = re.compile(r"cublasGemm(?:Batched|StridedBatched)?Ex(?:_64)?")
"""Products that take a type to compute in: `cublasGemmEx`, `cublasGemmStridedBatchedEx_64`."""
_DATA_TYPE = re.compile(rb"(?:CUDA|HIP)_(?:R_(?:16F|32F|64F|32I)|C_(?:32F|64F))")
_VARIABLE = re.compile(rb"(?P<of>(?:\w+(?:\.|->))*)(?P<name>[A-Za-z_]\w*)")
"""A variable, or a member of one: `type`, `plan->type`."""
_TYPES = frozenset((b"cudaDataType", b"cudaDataType_t"))
_PLAIN = frozenset((b"const", b"constexpr", b"static", b"enum"))


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Calls whose last argument but one is a data type: a constant, or a variable, parameter or member."""
    for use in parsed.uses:
        if use.kind != "call" or not _CALL.fullmatch(use.name) or len(use.args) < 19:
            continue
        given = use.args[-2]
        match = _DATA_TYPE.fullmatch(parsed.data, given.start, given.end)
        if match is not None:
            place = Use("name", match[0].decode(), given, given, (), use.scope, use.certainty)
            yield Hit("library/blas-compute-type", place)
        elif _is_of_data_type(parsed, given):
            text = parsed.data[given.start : given.end].decode("utf-8", "replace")
            yield Hit("library/blas-compute-value", Use("name", text, given, given, (), use.scope, use.certainty))


def _is_of_data_type(parsed: ParsedFile, given: Span) -> bool:
    """Whether all that declares the variable or member of an argument says that it is a data type."""
    match = _VARIABLE.fullmatch(parsed.data, given.start, given.end)
    around = parsed.nodes_around(given.start, given.end) if match is not None else ()
    function = next((one for one in reversed(around) if one.type == "function_definition"), None)
    if match is None or function is None:
        return False
    root = parsed.tree.root_node
    known = declarations.fields(root) if match["of"] else declarations.declared(function, root)
    found = [local for name, local in known if name == match["name"]]
    if not found and not match["of"]:
        found = [local for name, local in declarations.fields(root) if name == match["name"]]
    return bool(found) and all(not one.rank and one.words - _PLAIN <= _TYPES for one in found)
