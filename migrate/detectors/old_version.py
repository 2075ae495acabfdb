"""Tests of a release of CUDA that all code of today is past; HIP defines none, and takes the branch for the old."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.version_guards import gates

WORDS = (b"CUDART_VERSION", b"CUDA_VERSION")
INSTEAD = True  # the rule for the name has no fix

_TEST = re.compile(
    rb"\(?\s*(?:defined\s*\(?\s*(?P<name>\w+)\s*\)?\s*&&\s*)?\(?\s*"
    rb"(?P<macro>CUDA(?:RT)?_VERSION)\s*(?P<sign>>=|>|<=|<)\s*(?P<version>\d+)\s*\)?\s*\)?"
)
"""A condition that is one test of a release, with or without `defined(X) &&` and brackets: `(CUDA_VERSION >= 4000)`."""
_OLD = 8000
"""CUDA 8, of 2016, when HIP began: it has what the releases up to then brought, and those after it changed warps."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such `#if`, where the file has no definition of the macro and the test decides no warp-level code.

    Where a later branch of the same conditional is for AMD, that is the one to take.
    """
    own, beside_hip = {definition.name for definition in parsed.definitions}, _beside_hip(parsed)
    for directive in parsed.lexed.directives:
        condition = directive.argument(parsed.data) if directive.name == "if" else b""
        match = _TEST.fullmatch(condition.strip()) if b"_VERSION" in condition else None
        if match is None or int(match["version"]) > _OLD or match["name"] not in (None, match["macro"]):
            continue
        name = match["macro"].decode()
        if name in own or directive.start in gates(parsed) or parsed.hip(directive.start) is not None:
            continue
        if directive.end in beside_hip:
            continue
        start = parsed.data.index(condition, directive.start)
        at = parsed.data.rindex(match["macro"], start, start + len(condition))
        whole = Span(start, start + len(condition))
        text = condition.decode("utf-8", "replace").strip()
        use = Use("name", text, Span(at, at + len(name)), whole, (), "macro", "token")
        yield Hit("build/old-version", use, {"condition": text, "name": name})


def _beside_hip(parsed: ParsedFile) -> frozenset[int]:
    """Where the branches begin of conditionals that ask for HIP or ROCm in another branch."""
    asked = [one for one in parsed.branches if one.conditions]
    chains = {one.chain for one in asked if names_hip(one.conditions[-1])}
    return frozenset(one.start for one in asked if one.chain in chains)
