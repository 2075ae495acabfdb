"""Inline assembly in CUDA code: the AMD assembler does not read PTX."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model import Hit, Use
from migrate.parsed import ParsedFile
from migrate.tokens import STRING

_INSTRUCTION = re.compile(r"^\s*(?:@!?%?\w+\s+)?([a-z][a-z0-9_]*(?:[.:]+[a-z0-9_]+)*)")
_AMD = re.compile(r"(?:s|v|ds|buffer|tbuffer|global|flat|scratch|image)_[a-z]")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Asm statements that hold an instruction and stand in device code, in a macro, or in a `.cu` or `.cuh` file.

    An empty template is a compiler barrier on both sides; assembly in a host function is the host's own; AMD's own
    instructions have been put there for AMD.
    """
    for use in parsed.uses:
        if use.kind != "asm" or use.scope == "host":
            continue
        if use.scope != "device" and parsed.source.language != "cuda":
            continue
        names = instructions(template(parsed, use)) if use.args else []
        if names and not all(_AMD.match(name) for name in names):
            yield Hit("ptx/inline-asm", use, {"instruction": ", ".join(dict.fromkeys(names))})


def template(parsed: ParsedFile, use: Use) -> str:
    """The asm template: adjacent string literals joined, with `\\n` and `\\t` read as line ends.

    It ends at the first colon; pieces that are not literals (macro arguments) become a blank.
    """
    lexed, parts = parsed.lexed, []
    for token in lexed.tokens(use.args[0].start, use.extent.end - 1):
        text = lexed.text(token).decode("latin-1")
        if text in (":", "::"):
            break
        parts.append(text.partition('"')[2].removesuffix('"') if token.kind == STRING else " ")
    return re.sub(r"\\[nrt]", "\n", "".join(parts))


def instructions(text: str) -> list[str]:
    """Names of the PTX instructions of a template in order, with their modifiers."""
    found = []
    for statement in re.split(r"[;\n{}]", re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)):
        match = _INSTRUCTION.match(statement)
        if match is not None and not re.match(r"\s*\w+:\s*$", statement):
            found.append(match[1])
    return found
