"""devcontainer.json -> ProjectFile: image, features, run arguments, variables and commands."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.environment import command_uses
from cudamigrate.model import SourceFile, Span
from cudamigrate.syntax import json_pairs, shell, tree_sitter_nodes
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import by_place
from cudamigrate.syntax.shell import Assignment, Word

FILES = {"devcontainer*.json": "devcontainer", ".devcontainer*.json": "devcontainer"}
PART = "environment"
TRIGGER = command_uses.TRIGGER


def parse(source: SourceFile) -> ProjectFile:
    """Read the keys of a devcontainer that say what runs in it."""
    data = source.data
    tree = tree_sitter_nodes.parse("json", data)
    found = command_uses.UseCollector(data)
    for path, pair, value in json_pairs.pairs(data, tree.root_node):
        _read(found, path, pair, value)
    return ProjectFile(source, found.all_uses(), tree, requirements=by_place(found.requirements))


def broken(data: bytes) -> int:
    """How many bytes the JSON grammar cannot place."""
    return tree_sitter_nodes.error_bytes(tree_sitter_nodes.parse("json", data))


def _read(found: command_uses.UseCollector, path: tuple[str, ...], pair: Node, value: Node) -> None:
    last, above = path[-1], path[-2] if len(path) > 1 else ""
    words = [json_pairs.word(found.data, node) for node in (value, *value.named_children) if node.type == "string"]
    key = Span(pair.start_byte + 1, pair.start_byte + 1 + len(last.encode()))
    whole = Span(pair.start_byte, pair.end_byte)
    if last == "runArgs":
        _arguments(found, words)
    elif last == "gpu" and above == "hostRequirements":
        found.add("hostRequirements gpu", key, whole)
    elif above == "features":
        found.add(f"feature {last.partition(':')[0]}", key, whole)
    for word in words:
        if last == "image":
            command_uses.image(found, word)
        elif above in ("containerEnv", "remoteEnv", "args"):
            command_uses.of_environment(found, Assignment(last, key, whole, word))
        elif (last.endswith("Command") or above.endswith("Command")) and "\\" not in word.text:
            command_uses.script(found, shell.read(found.data, word.span))


def _arguments(found: command_uses.UseCollector, words: list[Word]) -> None:
    """Arguments of `docker run`, each a string of its own."""
    for at, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        if name not in ("--gpus", "--runtime"):
            continue
        if not equals and at + 1 < len(words):
            found.add(f"docker {name} {words[at + 1].text}", Span(word.span.start, words[at + 1].span.end))
        else:
            found.add(f"docker {name} {value}", word.span)
