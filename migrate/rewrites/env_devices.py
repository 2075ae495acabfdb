"""NVIDIA's GPUs of a compose service become AMD's devices."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import yaml_scalars
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import line_around

_KEYS = ("runtime", "deploy")


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`devices` and `group_add` in place of the first key that asks for NVIDIA's GPUs; another such key goes.

    Nothing where the service has one of these keys itself, or its `deploy` says more than which GPUs it needs.
    """
    data = parsed.data
    if parsed.tree is None:
        return []
    pair = parsed.tree.root_node.descendant_for_byte_range(use.extent.start, use.extent.end)
    while pair is not None and pair.type != "block_mapping_pair":
        pair = pair.parent
    service = pair.parent if pair is not None else None
    if pair is None or service is None:
        return []
    siblings = {yaml_scalars.key_of(data, other): other for other in yaml_scalars.pairs(service)}
    asking = [siblings[key] for key in _KEYS if key in siblings and _asks(data, key, siblings[key])]
    if {"devices", "group_add"} & set(siblings) or pair not in asking:
        return []
    first = min(asking, key=lambda other: other.start_byte)
    span = Span(pair.start_byte, len(data[: pair.end_byte].rstrip()))
    if pair.start_byte != first.start_byte:
        return [Edit(line_around(data, span), b"")]
    line = line_around(data, span)
    margin = data[line.start : pair.start_byte]
    if margin.strip():
        return []
    end = b"\r\n" if b"\r\n" in data[line.start : line.end] else b"\n"
    step = b"  "
    lines = [b"", step + b"- /dev/kfd", step + b"- /dev/dri", b"group_add:", step + b"- video"]
    last = span.start + len(data[span.start : line.end].rstrip())  # behind a comment on the line
    return [Edit(span, b"devices:"), Edit(Span(last, last), (end + margin).join(lines))]


def _asks(data: bytes, key: str, pair: Node) -> bool:
    """Whether a key asks for NVIDIA's GPUs, for all of them, and says nothing else."""
    text = re.sub(rb"#[^\n]*", b"", data[pair.start_byte : pair.end_byte])
    words = re.findall(rb"[\w./-]+", text)
    if key == "runtime":
        return words == [b"runtime", b"nvidia"]
    counted = re.sub(rb"\bcount\b\s*:\s*[\"']?(?:all|-1)[\"']?", b"", text)
    known = {
        b"deploy", b"resources", b"reservations", b"devices", b"-", b"driver", b"nvidia", b"capabilities", b"gpu",
        b"compute", b"utility",
    }  # fmt: skip
    return set(re.findall(rb"[\w./-]+", counted)) <= known and b"nvidia" in words
