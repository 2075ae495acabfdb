"""pyproject.toml, uv.toml, pixi.toml and Pipfile -> ProjectFile: packages and their sources, CMake's variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import tomli
from tree_sitter import Node

from cudamigrate.environment import build_options
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import (
    BUILD_REQUIRES,
    NOWHERE,
    Requirement,
    addresses,
    by_place,
    clauses,
    element,
    line_around,
    normalised,
    requirement,
)
from cudamigrate.syntax.toml_values import key_of, values

FILES = {"pyproject.toml": "toml", "uv.toml": "toml", "pixi.toml": "toml", "Pipfile": "toml"}
PART = "packages"
TRIGGER = re.compile(rb"depend|requires|\[(?:dev-)?packages|https?://|CUDA")
"""What a TOML file with packages has: `dependencies`, `requires`, `[dev-packages]` of a Pipfile, an index's address;
or variables of CMake for CUDA.
"""

_LISTS = re.compile(
    r"(?:project\.(?:dependencies|optional-dependencies\..+)|dependency-groups\..+|build-system\.requires"
    r"|tool\.uv\.(?:dev|constraint|override|build-constraint)-dependencies|(?:dev|constraint|override)-dependencies"
    r"|tool\.uv\.extra-build-dependencies\..+|tool\.pdm\.dev-dependencies\..+|tool\.flit\.metadata\.requires"
    r"|tool\.hatch\..*(?:extra-)?dependencies|tool\.scikit-build\..*requires)"
)
"""Keys whose arrays hold requirements."""
_EXTRA = "project.optional-dependencies."
"""How the keys of extras begin, packages that only who asks for them gets."""
_AMDS = re.compile(r"hip-python(?:-.*)?|amdsmi|amd-.+|.+-rocm(?:-.*)?|rocm-.+")
"""A package for AMD's GPUs: HIP Python, AMD SMI, and those that are built for ROCm."""
_TABLES = re.compile(
    r"(?:tool\.poetry\.(?:group\..+\.)?(?:dev-)?dependencies|(?:dev-)?packages"
    r"|(?:tool\.pixi\.)?(?:(?:feature|target)\..+\.)?(?:pypi-|host-|build-)?dependencies)"
)
"""Tables whose keys are packages."""


def parse(source: SourceFile) -> ProjectFile:
    """Read the packages and indexes of a TOML file."""
    data = source.data
    tree = tree_sitter_nodes.parse("toml", data)
    if tree.root_node.has_error and (fault := _fault(data)):
        return ProjectFile(source, problems=[fault])
    found, uses, extras = list[Requirement](), list[Use](), dict[str, list[Requirement]]()
    for path, node in values(tree.root_node):
        if node.type == "pair":
            found.extend(_keyed(data, path, node))
        elif _LISTS.fullmatch(path):
            start = node.start_byte + 1
            item = requirement(data, start, node.end_byte - 1, element(data, Span(node.start_byte, node.end_byte)))
            if item is not None and item.name == "torch" and path == BUILD_REQUIRES:
                uses.append(Use("name", "build requires torch", item.span, item.span, certainty="syntax"))
            elif item is not None:
                found.append(replace(item, table=BUILD_REQUIRES) if path == BUILD_REQUIRES else item)
                if path.startswith(_EXTRA):
                    extras.setdefault(path, []).append(item)
        if node.type == "string":
            uses.extend(addresses(data, node.start_byte + 1, node.end_byte - 1))
        uses.extend(_build_options(data, path, node))
    own = _own_name(data, tree.root_node)  # which groups of extras ask for
    found = [item for item in found if item.name != own]
    chosen = _beside_amds(extras)
    uses.extend(item.use for item in found if item.span not in chosen)
    return ProjectFile(source, sorted(uses, key=lambda use: use.span), tree, requirements=by_place(found))


def _beside_amds(extras: Mapping[str, Sequence[Requirement]]) -> frozenset[Span]:
    """The packages of extras where another extra has those for AMD's GPUs: who installs chooses among them."""
    amds = {path for path, items in extras.items() if any(_AMDS.fullmatch(item.name) for item in items)}
    others = (item.span for path, items in extras.items() if amds and path not in amds for item in items)
    return frozenset(others)


def _build_options(data: bytes, path: str, node: Node) -> Iterator[Use]:
    """Variables of CMake for CUDA: the key of a pair, or those in the text of a string, `cmake.args` for one."""
    if node.type == "string":
        text = Span(node.start_byte + 1, node.end_byte - 1)
        given = [*build_options.of(data, text), *build_options.of_variable(data, path.rpartition(".")[2], text)]
    else:
        key, value = node.named_children[0], node.named_children[-1]
        name = build_options.of_key(f"{path}.{key_of(key)}", data[value.start_byte : value.end_byte])
        at = data.rfind(name.encode()[2:], key.start_byte, key.end_byte)
        given = [(name, Span(at, at + len(name) - 2))] if name else []
    yield from (Use("name", name, span, span, certainty="syntax") for name, span in given)


def _own_name(data: bytes, root: Node) -> str:
    """The name of the package itself; empty where the file says none."""
    for path, node in values(root):
        if path == "project.name" and node.type == "string":
            return normalised(data[node.start_byte + 1 : node.end_byte - 1])
    return ""


def broken(data: bytes) -> int:
    """1 where the text is not TOML."""
    return 1 if _fault(data) else 0


def _fault(data: bytes) -> str:
    try:
        tomli.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        return "not TOML: it is not UTF-8 text"
    except (tomli.TOMLDecodeError, RecursionError) as error:
        return f"not TOML: {error}"[:200]
    return ""


def _keyed(data: bytes, path: str, pair: Node) -> Iterator[Requirement]:
    """The package that is the key of a pair, with the version that its value asks for."""
    if not _TABLES.fullmatch(path) or not pair.named_children:
        return
    key, value = pair.named_children[0], pair.named_children[-1]
    if key.type == "dotted_key":
        return
    quoted = key.type == "quoted_key"
    span = Span(key.start_byte + quoted, key.end_byte - quoted)
    if span.end <= span.start:
        return
    version = _version(value)
    whole = line_around(data, Span(pair.start_byte, pair.end_byte))
    alone = not data[whole.start : pair.start_byte].strip()
    local, text = NOWHERE, data[version.start : version.end]
    if (plus := re.search(rb"\+[\w.]+", text)) is not None:
        local = Span(version.start + plus.start(), version.start + plus.end())
    if re.fullmatch(rb"\s*v?\d[\w.+!*-]*\s*", text):
        text = b"==" + text.strip()  # as Poetry reads it
    elif (series := re.fullmatch(rb"\s*~\s*(\d+\.\d+)(\.\d+)?\s*", text)) is not None:
        text = b"~=" + series[1] + (series[2] or b".0")
    yield Requirement(
        normalised(data[span.start : span.end]),
        span,
        version=version,
        local=local,
        whole=whole if alone else NOWHERE,
        clauses=clauses(text),
    )


def _version(value: Node) -> Span:
    """Where a value says which version is wanted: a string, or the key `version` of a table."""
    if value.type == "string":
        return Span(value.start_byte + 1, value.end_byte - 1)
    if value.type == "inline_table":
        for pair in value.named_children:
            children = pair.named_children
            if pair.type == "pair" and (children[0].text or b"") == b"version" and children[-1].type == "string":
                return Span(children[-1].start_byte + 1, children[-1].end_byte - 1)
    return NOWHERE
