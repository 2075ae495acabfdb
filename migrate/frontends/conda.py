"""environment.yml of conda -> ProjectFile: its channels and packages, those for pip too."""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import tree_sitter_nodes, yaml_scalars
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import (
    NOWHERE,
    Requirement,
    addresses,
    by_place,
    clauses,
    elsewhere,
    line_around,
    normalised,
    requirement,
)

FILES = {
    "environment*.yml": "conda",
    "environment*.yaml": "conda",
    "*conda*.yml": "conda",
    "*conda*.yaml": "conda",
    "*_env.yml": "conda",
    "*_env.yaml": "conda",
}
PART = "packages"
TRIGGER = re.compile(rb"(?m)^[ \t]*(?:-[ \t]*)?(?:dependencies|channels)[ \t]*:")
"""A key of conda's environment files, in a list too: `dependencies:`, `- channels:`. Other YAML files have none."""

_SPEC = re.compile(
    rb"(?:(?P<channel>[\w./-]+)::)?(?P<name>[A-Za-z0-9_][\w.-]*)(?P<version>\s*[=<>!~].*|\s+[\d*].*)?", re.S
)
"""A package: `conda-forge::numpy=1.26=py311*`, `cuda >=12`, or a version after a blank: `python 3.11`."""


def parse(source: SourceFile) -> ProjectFile:
    """Read the channels and packages of a conda environment."""
    if elsewhere(source.path, source.data):
        return ProjectFile(source)
    data = source.data
    tree = yaml_scalars.parse(data)
    found, uses = list[Requirement](), list[Use]()
    for item in yaml_scalars.scalars(data, tree.root_node):
        if item.key or item.style not in ("plain", "single", "double"):
            continue
        if item.last == "channels":
            uses.append(_name(f"conda channel {item.text}", item.span))
        if item.last == "pip":
            made = _by_pip(data, item)
            uses.extend(addresses(data, item.span.start, item.span.end))
        else:
            made = _spec(data, item) if item.last == "dependencies" else None
        found.extend([made] if made is not None else [])
    uses.extend(item.use for item in found)
    return ProjectFile(source, sorted(uses, key=lambda use: use.span), tree, requirements=by_place(found))


def broken(data: bytes) -> int:
    """How many bytes the YAML grammar cannot place."""
    return tree_sitter_nodes.error_bytes(yaml_scalars.parse(data))


def _name(name: str, span: Span) -> Use:
    return Use("name", name, span, span, certainty="syntax")


def _by_pip(data: bytes, item: yaml_scalars.Scalar) -> Requirement | None:
    if item.text.startswith("-"):
        return None
    return requirement(data, item.span.start, item.span.end, _whole(data, item))


def _spec(data: bytes, item: yaml_scalars.Scalar) -> Requirement | None:
    """A conda package: `channel::name=version=build` with or without its parts."""
    match = _SPEC.fullmatch(data, item.span.start, item.span.end)
    if match is None:
        return None
    version = Span(*match.span("version")) if match["version"] is not None else NOWHERE
    return Requirement(
        normalised(match["name"]),
        Span(*match.span("name")),
        version=version,
        whole=_whole(data, item),
        clauses=clauses(data[version.start : version.end]) or _conda_clauses(data[version.start : version.end]),
    )


def _conda_clauses(text: bytes) -> tuple[tuple[str, str], ...]:
    """`=2.1=*cuda*` and `2.1` ask for a version and perhaps a build of it."""
    match = re.match(rb"\s*=*\s*([\d.*]+)", text)
    return (("=", match[1].decode("latin-1")),) if match is not None else ()


def _whole(data: bytes, item: yaml_scalars.Scalar) -> Span:
    """The lines of an item of a block sequence, nothing for one of a flow sequence."""
    line = line_around(data, item.span)
    alone = re.fullmatch(rb"\s*-\s+['\"]?", data[line.start : item.span.start])
    return line if alone and data[item.span.end : line.end].strip(b"'\" \t\r\n")[:1] in (b"", b"#") else NOWHERE
