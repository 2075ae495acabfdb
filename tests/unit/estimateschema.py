"""The part of the report's schema that describes an estimate, made from the types themselves."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from cudamigrate.model import estimate


def definitions() -> dict[str, Any]:
    """One definition for each type that an estimate holds, by its name in kebab case."""
    found = _held(estimate.Estimate, {estimate.Estimate})
    return {_name(kind): _object(kind) for kind in sorted(found, key=_name)}


def _held(hint: Any, found: set[Any]) -> set[Any]:
    """`found` with the types that a value of this one holds, however deep."""
    parts = get_type_hints(hint).values() if is_dataclass(hint) else get_args(hint)
    for part in parts:
        if not is_dataclass(part):
            _held(part, found)
        elif part not in found:
            found.add(part)
            _held(part, found)
    return found


def _name(kind: type) -> str:
    words = re.sub(r"(?<!^)([A-Z])", r"-\1", kind.__name__).lower()
    return f"estimate-{words}" if kind is not estimate.Estimate else words


def _object(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {
        "type": "object",
        "additionalProperties": True,
        "required": [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING],
        "properties": {f.name: _schema(hints[f.name]) for f in fields(kind)},
        "description": " ".join((kind.__doc__ or "").split("\n\n")[0].split()),
    }


def _schema(hint: Any) -> dict[str, Any]:
    plain = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
    if hint in plain:
        return {"type": plain[hint]}
    if is_dataclass(hint):
        return {"$ref": f"#/$defs/{_name(hint)}"}  # type: ignore[arg-type]
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(part) for part in parts]}
    if origin is tuple and parts[-1] is Ellipsis:
        return {"type": "array", "items": _schema(parts[0])}
    if origin is tuple:
        sized = {"minItems": len(parts), "maxItems": len(parts)}
        return {"type": "array", "prefixItems": [_schema(part) for part in parts], **sized}
    assert origin is not None and issubclass(origin, Mapping), f"JSON has no word for the type {hint}"
    return {"type": "object", "additionalProperties": _schema(parts[1])}
