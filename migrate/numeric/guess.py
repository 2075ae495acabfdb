"""A signature and the checks in its function's body -> inputs to try.

Result: one Python expression for each argument, and where it is from. All of it is guessed but defaults that the source
writes: a check such as `x.dim() == 3` tells a rank, `x.data_ptr<int>()` a type, and `n = x.size(0)` that two sizes are
one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.numeric.exports import Export
from cudamigrate.numeric.functions import Functions
from cudamigrate.numeric.types import Parameter, pieces

SIZE = 64
"""How long a dimension is of which nothing is known: all alike, so that most checks between arguments hold."""

_DTYPES = {
    "Float": "float32",
    "Float32": "float32",
    "Double": "float64",
    "Float64": "float64",
    "Half": "float16",
    "Float16": "float16",
    "BFloat16": "bfloat16",
    "Int": "int32",
    "Int32": "int32",
    "Long": "int64",
    "Int64": "int64",
    "Short": "int16",
    "Int16": "int16",
    "Char": "int8",
    "Int8": "int8",
    "Byte": "uint8",
    "UInt8": "uint8",
    "Bool": "bool",
    "Float8_e4m3fn": "float8_e4m3fn",
    "Float8_e5m2": "float8_e5m2",
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "__half": "float16",
    "half2": "float16",
    "__nv_bfloat16": "bfloat16",
    "nv_bfloat16": "bfloat16",
    "int": "int32",
    "int32_t": "int32",
    "uint32_t": "int32",
    "int64_t": "int64",
    "long": "int64",
    "int16_t": "int16",
    "uint16_t": "int16",
    "int8_t": "int8",
    "uint8_t": "uint8",
    "bool": "bool",
}
_SIZED = re.compile(r"(\w+)\s*(?:=|\()\s*(?:\(\w+\)\s*)?(\w+)\s*\.\s*size\(\s*(-?\d+)\s*\)")
"""A name given one size of a tensor, with or without a cast: `n = x.size(0)`, `int b(x.size(0))`."""
_SIZES = re.compile(r"(\w+)\s*=\s*(\w+)\s*\.\s*sizes\(\)\s*;")
"""A name given all sizes of a tensor: `shape = x.sizes();`."""
_ITEM = re.compile(r"(\w+)\s*=\s*(\w+)(?:\s*\.\s*sizes\(\))?\[\s*(\d+)\s*\]")
"""A name given one element of sizes, of the tensor's or of a name for them: `n = x.sizes()[0]`, `n = shape[0]`."""
_EQUAL = re.compile(
    r"(\w+)\s*\.\s*size\(\s*(-?\d+)\s*\)\s*==\s*"
    r"(?:(\w+)\s*\.\s*size\(\s*(-?\d+)\s*\)|([\w+*/-][\w +*/-]*?)\s*[,;)&|])"
)
"""A check of a size against another, or a short expression up to what ends it: `x.size(0) == n * 2,`."""
_RANK = re.compile(r"(\w+)\s*\.\s*(?:dim|ndimension)\(\)\s*==\s*(\d)")
"""A check of the number of dimensions: `x.dim() == 3`."""
_SHAPE = re.compile(r"\bCHECK_SHAPE\s*\(\s*(\w+)\s*,([^;]*?)\)\s*;")
"""A macro that checks all sizes: `CHECK_SHAPE(x, batch, dim);`; lazy up to the bracket before the semicolon."""
_TOUCHED = re.compile(r"(\w+)\s*\.\s*(?:size|stride)\(\s*(\d+)\s*\)")
"""A dimension that a body uses, so that there are at least as many: `x.stride(2)`."""
_VIEWED = re.compile(r"(\w+)\s*\.\s*(?:packed_)?accessor(?:32|64)?\s*<\s*(\w+)\s*,\s*(\d)")
"""An accessor, which gives type and rank: `x.packed_accessor32<float, 2`."""
_TYPED = re.compile(r"(\w+)\s*\.\s*(?:scalar_type|dtype)\(\)\s*==\s*(?:\w+::)*k?(\w+)")
"""A check of the type, less its namespaces and `k`: `x.scalar_type() == at::kFloat`."""
_CHECKED = re.compile(r"\w*DTYPE\w*\s*\(\s*(\w+)\s*,\s*(?:\w+::)*k?(\w+)\s*\)")
"""A project's macro that checks the type: `CHECK_DTYPE(x, torch::kInt32)`."""
_POINTER = re.compile(r"(\w+)\s*\.\s*(?:mutable_|const_)?data_ptr\s*<\s*(?:const\s+)?(?:\w+::)*(\w+)")
"""The type that a tensor's data is taken as: `x.data_ptr<at::Half`."""
_CAST = re.compile(
    r"(?:\(\s*|_cast\s*<\s*)(?:const\s+)?(?:\w+::)*(\w+)\s*(?:const\s*)?\*\s*[>)]\s*\(?\s*(\w+)\s*\.\s*(?:mutable_|const_)?data(?:_ptr)?\s*\("
)
"""A cast of a tensor's data, in C or C++: `(half*)x.data_ptr(`, `reinterpret_cast<const float*>(x.data(`."""
_CALL = re.compile(r"\b([a-z_]\w*)\s*(?:<[^;(){}]*>\s*)?\(")
_SUM = re.compile(r"\s*(\w+)\s*([+*/-])\s*(\d+)\s*")
_NAMED_SIZES = (("batch", 2), ("width", 4), ("kernel", 4), ("window", 4), ("head", 4))
_INDEX = re.compile(r"(?:^|_)(?:idx|index|indices|ids?|offsets?|rowptr|colptr|ptr|col|row|perm|labels?)(?:_|\d|$)")
"""Parts of names of index tensors, as whole words between underscores: `row_ptr`, `idx2`; not `column`."""
_GRADIENT = re.compile(r"(?:d|grad_|d_|v_|out_|g_)(?=\w)")
_ONE_DIMENSION = re.compile(r"(?:^|_)(?:bias|index|idx|ptr|rowptr|colptr|col|row|perm|labels?|ids?)(?:_|$)")
"""Parts of names of tensors with one dimension, as whole words between underscores: `out_bias`, `perm`."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a case: the expression for its value, and what that rests on."""

    name: str
    value: str
    note: str
    keyword: bool = False


@dataclass(slots=True)
class _Hints:
    """What bodies say of tensors: rank, type, and a symbol or number for each dimension."""

    ranks: dict[str, int] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    sizes: dict[tuple[str, int], str] = field(default_factory=dict)
    same: list[tuple[tuple[str, int], tuple[str, int]]] = field(default_factory=list)


def arguments(export: Export, functions: Functions) -> tuple[Argument, ...]:
    """Inputs to try for an export whose signature is known."""
    assert export.signature is not None
    hints, parameters = _Hints(), export.signature.parameters
    if export.target is not None:
        named = {p.name: q.name for p, q in zip(export.target.signature.parameters, parameters, strict=False)}
        _read(hints, export.target.body, named, functions, 2)
    _share(hints)
    tensors = [p for p in parameters if p.kind == "Tensor"]
    return tuple(_argument(p, hints, tensors) for p in parameters)


def missing(found: Sequence[Argument]) -> list[str]:
    """Names of the arguments that nothing could be guessed for."""
    return [argument.name for argument in found if argument.value.startswith("missing(")]


def _read(hints: _Hints, body: str, named: dict[str, str], functions: Functions, depth: int) -> None:
    """Take the hints of one body; `named` says which of its names is which argument."""
    _read_sizes(hints, body, named)
    for match in _VIEWED.finditer(body):
        if match[1] in named:
            hints.ranks.setdefault(named[match[1]], int(match[3]))
            _dtype(hints, named[match[1]], match[2])
    for pattern, name, said in ((_TYPED, 1, 2), (_CHECKED, 1, 2), (_POINTER, 1, 2), (_CAST, 2, 1)):
        for match in pattern.finditer(body):
            if match[name] in named:
                _dtype(hints, named[match[name]], match[said])
    if depth:
        for callee, inner in _calls(body, named, functions):
            _read(hints, callee, inner, functions, depth - 1)


def _read_sizes(hints: _Hints, body: str, named: dict[str, str]) -> None:
    for match in _RANK.finditer(body):
        if match[1] in named:
            hints.ranks.setdefault(named[match[1]], int(match[2]))
    for match in _SHAPE.finditer(body):
        if match[1] in named:
            sizes = pieces(match[2])
            hints.ranks.setdefault(named[match[1]], len(sizes))
            hints.sizes.update({(named[match[1]], number): size for number, size in enumerate(sizes)})
    for match in _TOUCHED.finditer(body):
        if match[1] in named:
            name = named[match[1]]
            hints.least[name] = max(hints.least.get(name, 0), int(match[2]) + 1)
    _read_symbols(hints, body, named)


def _read_symbols(hints: _Hints, body: str, named: dict[str, str]) -> None:
    for tensor, number, symbol in _symbols(body):
        if tensor in named:
            hints.sizes.setdefault((named[tensor], number), symbol)
    for match in _EQUAL.finditer(body):
        if match[1] in named and match[3] is None:
            hints.sizes.setdefault((named[match[1]], int(match[2])), match[5])
        elif match[1] in named and match[3] in named:
            hints.same.append(((named[match[1]], int(match[2])), (named[match[3]], int(match[4]))))


def _symbols(body: str) -> list[tuple[str, int, str]]:
    """Tensor, dimension, and the variable that a body keeps its length in."""
    whole = {match[1]: match[2] for match in _SIZES.finditer(body)}
    found = [(match[2], int(match[3]), match[1]) for match in _SIZED.finditer(body)]
    return found + [(whole.get(match[2], match[2]), int(match[3]), match[1]) for match in _ITEM.finditer(body)]


def _dtype(hints: _Hints, name: str, said: str) -> None:
    if said in _DTYPES:
        hints.dtypes.setdefault(name, _DTYPES[said])


def _calls(body: str, named: dict[str, str], functions: Functions) -> Iterator[tuple[str, dict[str, str]]]:
    """Bodies of the functions that this one passes its tensors to, with what their names stand for."""
    for match in _CALL.finditer(body):
        given = [re.sub(r"(?:\.\w+\(\))+$", "", part) for part in pieces(_inside(body, match.end()))]
        if not any(part in named for part in given) or match[1] in ("if", "for", "while", "switch", "return"):
            continue
        found = [f for f in functions.named(match[1]) if f.body and len(f.signature.parameters) == len(given)]
        gpu = [f for f in found if f.path.endswith((".cu", ".cuh"))]
        for function in (gpu or found)[:1]:
            pairs = zip(function.signature.parameters, given, strict=True)
            yield function.body, {p.name: named[part] for p, part in pairs if part in named}


def _inside(body: str, start: int) -> str:
    depth = 1
    for at in range(start, len(body)):
        depth += (body[at] in "([{") - (body[at] in ")]}")
        if depth == 0:
            return body[start:at]
    return ""


def _share(hints: _Hints) -> None:
    """Where two sizes must be one, give both the same symbol."""
    for one, other in hints.same:
        symbol = hints.sizes.get(one) or hints.sizes.get(other) or f"{one[0]}_{one[1] % 8}"
        for place in (one, other):
            hints.sizes.setdefault(place, symbol)
            if place[1] >= 0:
                hints.least[place[0]] = max(hints.least.get(place[0], 0), place[1] + 1)


def _argument(parameter: Parameter, hints: _Hints, tensors: Sequence[Parameter]) -> Argument:
    kind = parameter.kind
    value, note = _value(parameter, kind, hints, tensors)
    fits = parameter.default != "None" or kind.endswith("?")
    if parameter.default is not None and fits and kind and not kind.startswith("Tensor"):
        value, note = parameter.default, "the source's default"
    return Argument(parameter.name, value, note, parameter.keyword)


def _value(parameter: Parameter, kind: str, hints: _Hints, tensors: Sequence[Parameter]) -> tuple[str, str]:
    if not kind:
        return f"missing({_quoted(parameter.spelled)})", "no value can be guessed"
    if kind.endswith("?"):
        return "None", "GUESSED: left out"
    if kind.startswith("="):
        return f"of_module({_quoted(kind[1:])})", "GUESSED: the first value of this type"
    if kind == "Tensor":
        return _tensor(parameter.name, parameter.mutable, hints, tensors)
    listed = re.fullmatch(r"(.+)\[(\d*)\]", kind)
    if listed is not None:
        value, note = _value(parameter, listed[1], hints, tensors)
        return f"[{', '.join([value] * int(listed[2] or 1))}]", note
    if kind.startswith("("):
        values = [_value(parameter, part, hints, tensors)[0] for part in pieces(kind[1:-1])]
        return f"({', '.join(values)},)", "GUESSED"
    return _scalar(parameter, kind, hints)


def _scalar(parameter: Parameter, kind: str, hints: _Hints) -> tuple[str, str]:
    name = parameter.name.lower()
    if kind == "int":
        known = {symbol for symbol in hints.sizes.values() if re.search(rf"\b{re.escape(parameter.name)}\b", symbol)}
        if known or re.match(r"(?:n|num|size)_|\w+_(?:size|len|length|count)$|[nmk]$", name):
            return str(_number(parameter.name)), "GUESSED: a size"
        return ("0", "GUESSED: an index") if re.search(r"dim$|axis|device|stream", name) else ("1", "GUESSED")
    if kind == "float":
        return ("1e-05", "GUESSED") if "eps" in name else ("1.0", "GUESSED")
    wanted = re.match(r"(?:compute|needs?|return|calc)_", name) is not None
    plain = {"bool": str(wanted), "Scalar": "1.0", "ScalarType": 'dtype("float32")', "Device": "device()"}
    if kind in plain:
        return plain[kind], "GUESSED"
    return (
        ("None", "GUESSED")
        if kind == "Generator"
        else (f"missing({_quoted(parameter.spelled)})", "no value can be guessed")
    )


def _tensor(name: str, mutable: bool, hints: _Hints, tensors: Sequence[Parameter]) -> tuple[str, str]:
    shape, said = _shape(name, hints, tensors)
    likely = "int64" if _INDEX.search(name.lower()) and "grad" not in name else "float32"
    dtype = hints.dtypes.get(name, likely)
    known = [word for word, is_known in (("type", name in hints.dtypes), ("shape", said)) if is_known]
    note = f"GUESSED, {' and '.join(known)} by its checks" if known else "GUESSED"
    sizes = ", ".join(map(str, shape))
    if re.search(r"(?:^|_)(?:out|output|outputs|result|dst)(?:_|\d|$)", name.lower()) and mutable:
        return f'zeros("{dtype}", {sizes})', note
    if dtype.startswith(("int", "uint")):
        high = min(shape) if likely == "int64" else 8
        return f'integers("{dtype}", {sizes}, high={high})', note
    return f'tensor("{dtype}", {sizes})', note


def _shape(name: str, hints: _Hints, tensors: Sequence[Parameter]) -> tuple[tuple[int, ...], bool]:
    """A shape, and whether anything in the source speaks for it."""
    known = {number: symbol for (tensor, number), symbol in hints.sizes.items() if tensor == name}
    rank = hints.ranks.get(name, 0)
    others = [] if rank else _alike(name, hints, tensors)
    if others:
        return _shape(others[0], hints, [p for p in tensors if p.name != name])[0], False
    if not rank:
        # What a body touches is the least that there is; more is usual, but for names of what has one dimension.
        usual = 1 if _ONE_DIMENSION.search(name.lower()) else 2
        rank = max(hints.least.get(name, usual), usual, *(n + 1 for n in known), 1)
    symbols = [known.get(number, known.get(number - rank, "")) for number in range(rank)]
    return tuple(_number(symbol) for symbol in symbols), bool(known) or name in hints.ranks


def _alike(name: str, hints: _Hints, tensors: Sequence[Parameter]) -> list[str]:
    """Tensors whose shape this one is likely to have: what it is the gradient of, or for a result the first."""
    like = _GRADIENT.sub("", name, count=1).rstrip("_")
    others = [p.name for p in tensors if p.name != name]
    near = [other for other in others if other.rstrip("_") == like]
    first = others[:1] if re.search(r"out|result|dst", name) else []
    return near or [other for other in first if other in hints.ranks]


def _quoted(text: str) -> str:
    """A type as a Python literal; types hold no quotes but in attributes."""
    return repr(text) if '"' in text or "\\" in text else f'"{text}"'


def _number(symbol: str) -> int:
    """A length for a dimension that the source calls so."""
    if symbol.strip().isdigit():
        return max(1, int(symbol))
    combined = _SUM.fullmatch(symbol)
    if combined is not None and int(combined[3]):
        left, right = _number(combined[1]), int(combined[3])
        made = {"+": left + right, "-": left - right, "*": left * right, "/": left // right}
        return max(1, made[combined[2]])
    return next((size for word, size in _NAMED_SIZES if word in symbol.lower()), SIZE)
