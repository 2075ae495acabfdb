"""What an instruction without an equivalent does, and what AMD GPUs have in its place.

Shape, types and counts are read from its name; the texts are in `rules/ptx/roads.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor

from cudamigrate.lazy_re import re
from cudamigrate.ptx.parser import Arg, Instruction
from cudamigrate.ptx.table import Cost, Road, Table
from cudamigrate.ptx.writer import Step

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_TYPE = re.compile(r"(?:[su](?:4|8|16|32|64)|b1|t?f(?:16|32|64)(?:x2)?|bf16(?:x2)?|e\dm\d)")
"""A part of an opcode that is a type: `u8`, `s4`, `b1`, `tf32`, `f16x2`, `bf16`, `e4m3`; `b16` is just bits."""
_RANK = re.compile(r"\b([1-5])d\b")
_TIMES = {"x1": "one matrix", "x2": "two matrices", "x4": "four matrices"}


def words(name: str, rows: Table, found: Iterable[Instruction] = ()) -> dict[str, str]:
    """`does` and `road`, and the `shape` in words, for an instruction by its full name."""
    parts = re.split(r"(?<!:)\.", name)
    kinds = _kinds(parts)
    road = _road(name, parts, rows)
    shape = _shape(name, parts, kinds)
    if road is None:
        return {"shape": shape, "does": "has no equivalent", "road": "see what it is meant to do"}
    multiplied = _multiplied(parts, kinds)
    texts = {
        "shape": shape,
        "types": f"`{multiplied}`" if multiplied else "numbers",
        "a": "an" if shape.startswith("8") else "a",
        "product": _product(multiplied, _is_sparse(parts), rows),
        "whole": _whole(multiplied, _is_sparse(parts), rows),
        "count": _count(parts),
        "rank": f"{rank[1]}-dimensional tensor" if (rank := _RANK.search(name)) else "tensor",
        "which": _which(next((one for one in found if one.spelled == name), None)),
    }
    return {"shape": shape, "does": road.does.format(**texts), "road": road.road.format(**texts)}


def _road(name: str, parts: list[str], rows: Table) -> Road | None:
    fitting = [
        (len(beginning), len(one.words), one)
        for one in rows.roads
        for beginning in one.names
        if (name == beginning or name.startswith((f"{beginning}.", f"{beginning}::")) or beginning == name[:1] == "%")
        and set(one.words) <= set(parts)
    ]
    return max(fitting, key=lambda found: found[:2])[2] if fitting else None


def _kinds(parts: list[str]) -> list[str]:
    return [part for part in parts if _TYPE.fullmatch(part)]


def _multiplied(parts: list[str], kinds: list[str]) -> str:
    """The type of what is multiplied; `wmma` with two types multiplies halves."""
    scaled = next((part[6:] for part in parts if part.startswith("kind::")), "")
    if scaled:
        return scaled.replace("i8", "s8")
    if parts[:2] == ["wmma", "mma"] and len(kinds) == 2:
        return "f16"
    return kinds[1] if len(kinds) > 2 else kinds[0] if kinds else ""


def _shape(name: str, parts: list[str], kinds: list[str]) -> str:
    """Shape and types of a matrix instruction in words."""
    match = _SHAPE.search(name)
    if match is None:
        return "matrix"
    size = f"{match[1]}x{match[2]}x{match[3]} product"
    if _is_sparse(parts):
        size = f"sparse {size}"
    if parts[:2] == ["wmma", "mma"] and len(kinds) == 2:
        kinds = [kinds[0], "f16"]
    if len(kinds) == 1:
        return f"{size} of `{kinds[0]}`"
    return f"{size} of `{kinds[1]}` into `{kinds[0]}`" if kinds else size


def _is_sparse(parts: list[str]) -> bool:
    return any(part == "sp" or part.startswith("sp::") for part in parts)


def _product(kind: str, sparse: bool, rows: Table) -> str:
    for one in rows.products:
        if kind in one.types:
            return one.sparse if sparse else one.dense
    return "MFMA has other shapes"


def _whole(kind: str, sparse: bool, rows: Table) -> str:
    """The libraries that have a product of the type."""
    found = next((one for one in rows.products if kind in one.types), None)
    if found is None:
        return "see hipBLASLt, Composable Kernel and AITER"
    return found.whole_sparse if sparse else found.whole


def _count(parts: list[str]) -> str:
    times = next((text for word, text in _TIMES.items() if word in parts), "matrices")
    size = next((part for part in parts if re.fullmatch(r"m\d+n\d+", part)), "m8n8")
    return f"{times} of {size[1:].replace('n', 'x')}"


def cost(steps: Iterable[Step], rows: Table) -> str:
    """What the functions for matrices cost, in words: a part of the peak for products, by their shapes and types."""
    products = [step for step in steps if step.row.build in ("matrix_product", "fragment_product")]
    found = [one for step in products for one in _costs(step, rows)]
    if found:
        low, high = min(one.least() for one in found), max(one.most() for one in found)
        part = f"{max(1, floor(100 * low))} to {ceil(100 * high)} %"
        return f"expected at {part} of the peak of the matrix units until tuned"
    if products:
        return "without matrix units until tuned"
    return "one read or write of shared memory, or an exchange between lanes, for each register"


def _costs(step: Step, rows: Table) -> list[Cost]:
    """The entries for a product: of its shape and types, else of its shape and its first type.

    A product of `wmma` is one of several of 16 or 8 rows by 8 columns. That of a sparse matrix of floats has no entry.
    """
    parts = list(step.instruction.modifiers)
    kinds, match = _kinds(parts), _SHAPE.search(".".join(parts))
    factors = kinds[1:3] if len(kinds) == 4 else ["f16", "f16"]
    if match is None or (_is_sparse(parts) and factors[0][0] not in "su"):
        return []
    shape = f"m{16 if int(match[1]) >= 16 else 8}n8k{match[3]}"
    same = [one for one in rows.costs if one.shape == shape and one.types.split(".")[0] == factors[0]]
    return [one for one in same if one.types == ".".join(factors)] or same


def _which(one: Instruction | None) -> str:
    """The number of a barrier, and for how many threads, where they are written out."""
    if one is None:
        return "a barrier with a number"
    sources = [arg for arg in one.args[1 if "red" in one.modifiers else 0 :] if not arg.negated][:2]
    if not sources:
        return "a barrier with a number"
    count = f" for {_spelled(sources[1])} threads" if len(sources) > 1 and "red" not in one.modifiers else ""
    return f"barrier {_spelled(sources[0])}{count}"


def _spelled(arg: Arg) -> str:
    return arg.text if arg.kind == "number" else f"`%{arg.text}`"
