"""Types of C++ signatures and of operator schemas -> one spelling for both.

Result: kinds, written as PyTorch's schemas write them: `Tensor`, `int[]`, `float?`. An empty kind is a type of which
nothing is known, and for which no input can be made.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.syntax import python_tree

_SPACES = ("at", "torch", "c10", "std", "py", "pybind11", "experimental", "stable", "headeronly", "detail")
_SPACE = re.compile(rf"(?<![\w:])(?:::)?(?:(?:{'|'.join(_SPACES)})\s*::\s*)+")
"""Namespaces before a type, all of them at once: `at::`, `::c10::detail::`; not the `at::` inside `my::at::`."""
_WORDLESS = re.compile(
    r"\b(?:const|volatile|typename|struct|class|constexpr|register|mutable)\b|__restrict__|\[\[.*?\]\]"
)
"""Words without effect on the kind of a type: `const`, `__restrict__`, `[[maybe_unused]]` (lazy: one attribute)."""
_BLANKS = re.compile(r"\s+")
_TEMPLATE = re.compile(r"(\w+)<(.*)>\Z")
_SIMPLE = {
    "Tensor": "Tensor",
    "TensorList": "Tensor[]",
    "bool": "bool",
    "string": "str",
    "string_view": "str",
    "ScalarType": "ScalarType",
    "Dtype": "ScalarType",
    "Device": "Device",
    "Scalar": "Scalar",
    "Number": "Scalar",
    "IntArrayRef": "int[]",
    "IntList": "int[]",
    "SymIntArrayRef": "int[]",
    "OptionalIntArrayRef": "int[]?",
    "OptionalTensorRef": "Tensor?",
    "Generator": "Generator",
    "void": "void",
    "auto": "auto",
    "str": "str",
} | dict.fromkeys(("float", "double", "c10_complex"), "float")
_INTEGERS = re.compile(
    r"(?:(?:un)?signed )?(?:int|long|short|long long|long int|long long int|short int)|unsigned"
    r"|u?int(?:8|16|32|64)_t|s?size_t|ptrdiff_t|index_t|SymInt"
)
"""Types that PyTorch passes as `int`: `unsigned long long`, `int64_t`, `SymInt`."""
_LISTS = frozenset(("vector", "ArrayRef", "List", "HeaderOnlyArrayRef", "IListRef", "array"))
_TUPLES = frozenset(("tuple", "pair"))
_LITERAL = re.compile(r"-?\d+|-?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?[fF]?|\"[^\"\\]*\"|'[^'\\]*'")
"""A default that is a literal: `-1`, `1.f`, `1e-5`, `"sum"`; text with escapes is left out."""
_WORDS = {
    "true": "True",
    "True": "True",
    "false": "False",
    "False": "False",
    "None": "None",
    "nullopt": "None",
    "c10::nullopt": "None",
    "std::nullopt": "None",
    "at::nullopt": "None",
    "torch::nullopt": "None",
    "py::none()": "None",
    "{}": "None",
}
_SCHEMA = re.compile(r"\s*(?P<name>[\w.:]+)\s*\((?P<given>.*)\)\s*->\s*(?P<back>.+?)\s*\Z", re.DOTALL)
"""A schema of an operator: `lib::add(Tensor x, int n=1) -> Tensor`."""
_ARGUMENT = re.compile(
    r"(?P<kind>\w+)(?P<marks>(?:\?|!|\[\d*\]|\([^)]*\))*)\s+(?P<name>\w+)\s*(?:=\s*(?P<value>.+))?\Z"
)
"""One argument of a schema: `Tensor(a!)? x`, `int[2] size=1`; the marks are optional, length and alias."""
_CPP_PARAMETER = re.compile(r"(?P<type>.*[\s&*>])(?P<name>[A-Za-z_]\w*)\Z", re.DOTALL)
"""A C++ parameter: greedy to the last name, which a blank, `&`, `*` or `>` precedes: `const Tensor &x`."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: its kind, its type as spelled, and the source's default as Python text, if it has one."""

    name: str
    kind: str
    spelled: str
    mutable: bool = False
    default: str | None = None
    keyword: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """Parameters and the kind of what is returned; `void` and `()` return nothing."""

    parameters: tuple[Parameter, ...]
    returns: str


def pieces(text: str, separator: str = ",") -> list[str]:
    """The parts of `text` between separators that are in no bracket."""
    parts, depth, first, quote = [], 0, 0, ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote and text[at - 1] != "\\" else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "([{<":
            depth += 1
        elif sign in ")]}" or (sign == ">" and text[at - 1 : at] != "-"):
            depth -= 1
        elif sign == separator and depth == 0:
            parts.append(text[first:at])
            first = at + 1
    parts.append(text[first:])
    return [part.strip() for part in parts if part.strip()]


def kind(text: str, aliases: Mapping[str, str] | None = None, depth: int = 0) -> str:
    """The kind of a C++ type; empty where it is not one that an input can be made for."""
    plain = _SPACE.sub("", _WORDLESS.sub(" ", text))
    plain = _BLANKS.sub(" ", plain).strip().rstrip("& ").strip()
    if plain in ("char *", "char*"):
        return "str"
    if plain in _SIMPLE:
        return _SIMPLE[plain]
    if _INTEGERS.fullmatch(plain):
        return "int"
    match = _TEMPLATE.fullmatch(plain.replace(" <", "<"))
    if match is not None:
        return _template(match[1], pieces(match[2]), aliases, depth)
    meant = (aliases or {}).get(plain)
    return kind(meant, aliases, depth + 1) if meant is not None and depth < 4 else ""


def _template(name: str, inner: Sequence[str], aliases: Mapping[str, str] | None, depth: int) -> str:
    kinds = [kind(part, aliases, depth) for part in inner]
    if not kinds or (name in _TUPLES and not all(kinds)):
        return ""
    if name in _TUPLES:
        return f"({', '.join(kinds)})"
    if not kinds[0] or kinds[0] in ("void", "auto"):
        return ""
    if name == "optional":
        return f"{kinds[0]}?"
    if name == "array":
        return f"{kinds[0]}[{inner[1]}]" if len(inner) == 2 and inner[1].isdigit() else ""
    return f"{kinds[0]}[]" if name in _LISTS else ""


def literal(text: str) -> str | None:
    """A default of the source as Python text, or None where it is not a plain literal."""
    text = text.strip()
    if text in _WORDS:
        return _WORDS[text]
    if _LITERAL.fullmatch(text) is None and re.fullmatch(r"\[[-\d.,\s]*\]", text) is None:
        return None
    plain = " ".join((text if text[0] in "\"'[" else text.rstrip("fF")).split())
    try:
        ast.literal_eval(python_tree.parse_expression(plain))
    except (SyntaxError, ValueError):
        return None
    return plain


def cpp_parameter(text: str, number: int, aliases: Mapping[str, str]) -> Parameter | None:
    """One parameter of a C++ function, or None where the text cannot be one."""
    parts = pieces(text, "=")
    if not parts:
        return None
    text, default = parts[0], literal(parts[1]) if len(parts) == 2 else None
    whole = kind(text, aliases)
    match = None if whole else _CPP_PARAMETER.match(text)
    if not whole and match is None:
        return None
    spelled, name = (match["type"], match["name"]) if match is not None else (text, f"arg{number}")
    found = whole or kind(spelled, aliases)
    mutable = "&" in spelled and re.search(r"\bconst\b", spelled) is None and "&&" not in spelled
    return Parameter(name, found, _BLANKS.sub(" ", spelled).strip(), mutable, default)


def schema(text: str) -> tuple[str, Signature] | None:
    """Name and signature of an operator schema, or None where the text is only a name or cannot be read."""
    match = _SCHEMA.match(text)
    if match is None:
        return None
    parameters, keyword = [], False
    for part in pieces(match["given"]):
        if part == "*":
            keyword = True
            continue
        found = _ARGUMENT.match(part)
        if found is None:
            return None
        marks = re.sub(r"!|\([^)]*\)", "", found["marks"])
        base = {"SymInt": "int", "Dtype": "ScalarType"}.get(found["kind"], found["kind"])
        known = base in (*_SIMPLE.values(), "int")
        value = None if found["value"] is None else literal(found["value"])
        mutable = "!" in found["marks"]
        whole = found["kind"] + marks
        parameters.append(Parameter(found["name"], base + marks if known else "", whole, mutable, value, keyword))
    back = re.sub(r"\([a-z0-9!| >*-]+\)", "", match["back"])
    return match["name"], Signature(tuple(parameters), back)
