"""Compiler options of a file in their order, what rules make of them, and reports that would be asked for twice.

nvcc has several options for a report of a kernel's registers, `--resource-usage` and `-v` for its assembler, which all
become one option for clang's remarks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import ProjectFile

_PARTS = re.compile(rb"[\r\n;&|$#`\"'(),]")
"""What may be between two options that are not of one command line in any case."""


def options(parsed: ProjectFile) -> list[tuple[Use, Span]]:
    """The options of the file in order, each with the bytes that it and its argument take."""
    found = sorted((use for use in parsed.uses if use.kind == "option"), key=lambda use: use.span)
    spans = ((use, compiler_options.whole(parsed.data, use)) for use in found)
    return [(use, span) for use, span in spans if span is not None]


def before(parsed: ProjectFile, at: int) -> list[tuple[Use, Span]]:
    """Those of `options` that begin before a place."""
    found = parsed.once(options)
    return found[: bisect_left(found, at, key=lambda option: option[1].start)]


def change(parsed: ProjectFile, use: Use) -> tuple[str, ...]:
    """What the safe rule for an option does to it."""
    look = parsed.rule
    rule = look(use) if look is not None else None
    return rule.change.text if rule is not None and rule.change.kind == "rewrite" and rule.safety == "safe" else ()


def is_verbose(value: str) -> bool:
    """Whether options for nvcc's assembler ask for its report."""
    return "-v" in re.split(r"[,\s]+", value)


def repeats_report(parsed: ProjectFile, use: Use, words: Sequence[str]) -> bool:
    """Whether an option asks for the remarks that one before it in the same command line asks for."""
    report = _report(parsed, use, words)
    end = use.span.start
    for other, span in reversed(before(parsed, end)) if report else ():
        if _PARTS.search(parsed.data, span.end, use.span.start) is not None:
            return False
        found = change(parsed, other)
        if found[:1] == ("flag",) and _report(parsed, other, found[1:]) == report:
            return True
    return False


def _report(parsed: ProjectFile, use: Use, words: Sequence[str]) -> str:
    """The option for remarks that an option for a report becomes; empty for others."""
    asks = words[0] == "to" or (words[0] == "verbose" and is_verbose(compiler_options.value(use, parsed.data)))
    return words[1] if asks and words[1].startswith("-R") else ""
