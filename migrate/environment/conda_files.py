"""Files of conda's -> the packages and channels that they ask for, whatever a file is called.

What a file is its keys say: an environment has a list of `dependencies`, beside its `name` or its `channels`; a recipe
has `requirements` by step; a build configuration has lists of compilers; a file of RAPIDS' dependency generator has
lists of `packages` by set. Templates in them are read over: their places hold some word, and what they call by name.
Source: conda documentation, "Managing environments"; conda-build documentation, "Defining metadata" and "Build
variants"; rapids-dependency-file-generator, README.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Tree

from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import yaml_scalars
from cudamigrate.syntax.python_requirements import (
    NOWHERE,
    Requirement,
    addresses,
    clauses,
    line_around,
    normalised,
    requirement,
)
from cudamigrate.syntax.yaml_scalars import Scalar

TRIGGER = re.compile(
    rb"(?m)^[ \t]*(?:-[ \t]*)?(?:dependencies|channels|requirements|cuda_compiler(?:_version)?)[ \t]*:"
)
"""A key of conda's files, in a list too: `dependencies:`, `- channels:`. Other YAML files have none."""
COMPILER = "conda compiler cuda"
"""The name of the use that stands for nvcc as a recipe or a build configuration asks for it."""
_SPEC = re.compile(
    rb"(?:(?P<channel>[\w./-]+)::)?(?P<name>[A-Za-z0-9_][\w.-]*)(?P<version>\s*[=<>!~].*|\s+[\d*].*)?", re.S
)
"""A package: `conda-forge::numpy=1.26=py311*`, `cuda >=12`, or a version after a blank: `python 3.11`."""
_TEMPLATE = re.compile(rb"\$?\{\{[^{}\n]*\}\}")
_STATEMENT = re.compile(rb"\{%.*?%\}|\{#.*?#\}", re.S)
_CALLS = re.compile(rb"\b(?P<function>compiler|pin_compatible)\(\s*[\"'](?P<name>[\w.-]+)[\"']")
"""What a template of a recipe asks for by name: `compiler('cuda')`, `pin_compatible("cudatoolkit", ...)`."""
_STEPS = frozenset(("build", "host", "run", "requires", "run_constrained", "run_constraints", "then", "else"))
"""Keys of a recipe's lists of packages, with the sides of a choice in one."""
_LISTS = ("channels", "dependencies", "pip")
_COMPILERS = frozenset(("cuda_compiler", "cuda_compiler_version"))
_PLAIN = ("plain", "single", "double")
_CPU_ALONE = "cpuonly"
"""The package by which a file takes the build of PyTorch for the CPU."""
_PYTORCH = "pytorch"


def tree(data: bytes) -> Tree:
    """The syntax tree of a file, with templates read over."""
    return yaml_scalars.parse(_without_templates(data))


def packages(data: bytes, named: bool = False) -> Iterator[Requirement | Use]:
    """What a file asks for; nothing where its keys are no file's of conda, unless it is `named` as an environment."""
    if TRIGGER.search(data) is None:
        return
    read = _without_templates(data)
    items = [item for item in yaml_scalars.scalars(read, tree(data).root_node) if item.style in _PLAIN]
    top = {item.text for item in items if item.key and len(item.path) == 1}
    found = [one for item in items if not item.key for one in _asked(data, item, top, named)]
    for_cpu = any(isinstance(one, Requirement) and one.name == _CPU_ALONE for one in found)
    yield from (one for one in found if not (for_cpu and isinstance(one, Requirement) and one.name == _PYTORCH))


def _asked(data: bytes, item: Scalar, top: set[str], named: bool) -> Iterator[Requirement | Use]:
    """What one value of such a file asks for."""
    if (named and item.last in _LISTS) or _is_environment(item.path, top):
        yield from _of_environment(data, item)
    elif not item.path:
        return
    elif _is_of_recipe(item.path) or _is_of_generator(item.path, top):
        yield from _of_recipe(data, item)
    elif len(item.path) == 1 and item.last in _COMPILERS and item.text not in ("None", "none"):
        yield Use("name", COMPILER, item.span, item.span, certainty="syntax")


def _is_environment(path: tuple[str, ...], top: set[str]) -> bool:
    is_list = path in (("dependencies",), ("channels",), ("dependencies", "pip"))
    return is_list and "dependencies" in top and not top.isdisjoint(("channels", "name", "prefix"))


def _is_of_recipe(path: tuple[str, ...]) -> bool:
    """Whether a value is in a list of packages of a recipe, of one of its outputs too, or of its test."""
    return path[-1] in _STEPS and (
        "requirements" in path or path[-2:] in (("test", "requires"), ("tests", "requirements"))
    )


def _is_of_generator(path: tuple[str, ...], top: set[str]) -> bool:
    """Whether a value is in a set of packages from which files for conda and pip are made."""
    listed = path[-1] == "packages" or path[-2:] == ("packages", "pip")
    return listed and path[0] == "dependencies" and "files" in top


def _of_environment(data: bytes, item: Scalar) -> Iterator[Requirement | Use]:
    if item.last == "channels":
        yield Use("name", f"conda channel {item.text}", item.span, item.span, certainty="syntax")
    elif item.last == "pip":
        if not item.text.startswith("-"):
            made = requirement(data, item.span.start, item.span.end, _whole(data, item))
            yield from () if made is None else (made,)
        yield from addresses(data, item.span.start, item.span.end)
    elif item.last == "dependencies":
        yield from _spec(data, item)


def _of_recipe(data: bytes, item: Scalar) -> Iterator[Requirement | Use]:
    called = _CALLS.search(data, item.span.start, item.span.end)
    if called is None:
        yield from () if _TEMPLATE.match(data, item.span.start) else _spec(data, item)
    elif called["function"] == b"compiler" and called["name"] == b"cuda":
        yield Use("name", COMPILER, Span(*called.span("name")), item.span, certainty="syntax")
    elif called["function"] != b"compiler":
        yield Requirement(normalised(called["name"]), Span(*called.span("name")))


def _spec(data: bytes, item: Scalar) -> Iterator[Requirement]:
    """A conda package: `channel::name=version=build` with or without its parts."""
    match = _SPEC.fullmatch(_without_templates(data), item.span.start, item.span.end)
    if match is None:
        return
    version = Span(*match.span("version")) if match["version"] is not None else NOWHERE
    yield Requirement(
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


def _whole(data: bytes, item: Scalar) -> Span:
    """The lines of an item of a block sequence, nothing for one of a flow sequence."""
    line = line_around(data, item.span)
    alone = re.fullmatch(rb"\s*-\s+['\"]?", data[line.start : item.span.start])
    return line if alone and data[item.span.end : line.end].strip(b"'\" \t\r\n")[:1] in (b"", b"#") else NOWHERE


def _without_templates(data: bytes) -> bytes:
    """The same bytes with digits in the place of values of templates, and comments in that of their statements."""
    if b"{{" not in data and b"{%" not in data:
        return data
    data = _TEMPLATE.sub(lambda match: b"0" * len(match[0]), data)
    return _STATEMENT.sub(lambda match: b"#" + re.sub(rb"[^\n]", b" ", match[0][1:]), data)
