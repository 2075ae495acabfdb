"""CMakePresets.json -> ProjectFile: the variables that CMake is given, and those of its environment.

A file with a preset that turns HIP on has one for each vendor: those for CUDA are the other choice, and stay.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.environment import command_uses
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span
from cudamigrate.syntax import json_pairs, tree_sitter_nodes
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.shell import Assignment

FILES = {"CMakePresets.json": "presets", "CMakeUserPresets.json": "presets"}
PART = "environment"
TRIGGER = command_uses.TRIGGER
_OFF = re.compile(r"off|0|false|no|", re.IGNORECASE)
_ON = re.compile(r"on|1|true|yes", re.IGNORECASE)
_OF_HIP = re.compile(r"(?:.*_)?(?:HIP|ROCM)(?:_.*)?", re.IGNORECASE)
_GPUS_OF_HIP = ("CMAKE_HIP_ARCHITECTURES", "AMDGPU_TARGETS")
"""What gives the GPUs of a build with HIP, and turns nothing else on."""


def parse(source: SourceFile) -> ProjectFile:
    """Read what presets set: cache variables, in either form, and the environment."""
    data = source.data
    tree = tree_sitter_nodes.parse("json", data)
    found = command_uses.UseCollector(data)
    pairs = list(json_pairs.pairs(data, tree.root_node))
    if any(
        len(path) > 1 and path[-2] == "cacheVariables" and _for_hip(data, path[-1], value) for path, _, value in pairs
    ):
        return ProjectFile(source, [], tree)
    for path, pair, value in pairs:
        if len(path) > 1 and path[-2] == "cacheVariables":
            _variable(found, path[-1], pair, value)
        elif len(path) > 1 and path[-2] == "environment" and value.type == "string":
            key = Span(pair.start_byte + 1, pair.start_byte + 1 + len(path[-1].encode()))
            whole = Span(pair.start_byte, pair.end_byte)
            command_uses.of_environment(found, Assignment(path[-1], key, whole, json_pairs.word(data, value)))
    return ProjectFile(source, found.all_uses(), tree)


def broken(data: bytes) -> int:
    """How many bytes the JSON grammar cannot place."""
    return tree_sitter_nodes.error_bytes(tree_sitter_nodes.parse("json", data))


def _for_hip(data: bytes, name: str, value: Node) -> bool:
    """Whether a variable turns HIP on, or gives the GPUs of a build with it."""
    text = _text(data, value)
    return bool(_OF_HIP.fullmatch(name) and _ON.fullmatch(text)) or (name in _GPUS_OF_HIP and bool(text))


def _text(data: bytes, value: Node) -> str:
    """The value of a variable, which may be in an object that gives its type too."""
    if value.type == "object":
        inner = [each for path, _, each in json_pairs.pairs(data, value) if path == ("value",)]
        value = inner[0] if inner else value
    return data[value.start_byte : value.end_byte].decode("utf-8", "replace").strip('"')


def _variable(found: command_uses.UseCollector, name: str, pair: Node, value: Node) -> None:
    """A variable as the option `-D` gives it; one that is switched off is no use of CUDA."""
    if "CUDA" in name and not _OFF.fullmatch(_text(found.data, value)):
        start = pair.start_byte + 1
        found.add(f"-D{name}", Span(start, start + len(name.encode())))
