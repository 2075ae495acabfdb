"""Tests that stop the build where no release of CUDA is defined: HIP defines none, and is stopped by them."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.cuda.conditions import at_version, question
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.macro_expansion import expanded, macros
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import condition_of, conditionals
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = ((b"CUDART_VERSION", b"error"), (b"CUDA_VERSION", b"error"), (b"_VER_MAJOR__", b"error"))
INSTEAD = True  # the rule for the name has no fix

_MACRO = re.compile(rb"(?<!\w)(?:CUDA_VERSION|CUDART_VERSION|__CUDACC_VER_MAJOR__)(?!\w)")
_ABSENT = re.compile(rb"[\s(]*!\s*defined[\s(]*(?P<name>\w+)[\s)]*")
"""A condition that asks for nothing but that a macro is not defined: `!defined(CUDA_VERSION)`."""
_LAST = {b"__CUDACC_VER_MAJOR__": 11}
"""The last release whose branch is taken to be that of today; 11999 for the macros that count in thousands."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such test, and those of the release in the branches after it, where all have the answer of today's CUDA."""
    own = {definition.name.encode() for definition in parsed.definitions}
    for chain in conditionals(parsed.lexed.directives):
        directive, name = chain[0], _absent(parsed, chain[0])
        if name is None or name in own or parsed.hip(directive.start) is not None:
            continue
        if not _only_stops(parsed, directive, chain[1]):
            continue
        tests = [one for one in chain[1:] if one.name == "elif"]
        if all(_is_answered(parsed, one) for one in tests):
            yield _hit(parsed, directive, name)
            yield from (_hit(parsed, one, found[0]) for one in tests if (found := _asked(parsed, one)) is not None)


def _absent(parsed: ParsedFile, directive: Directive) -> bytes | None:
    """The release of CUDA that a directive asks to be missing."""
    argument = directive.argument(parsed.data)
    if directive.name == "ifndef":
        return argument if _MACRO.fullmatch(argument) else None
    found = _ABSENT.fullmatch(argument) if directive.name == "if" else None
    return found["name"] if found is not None and _MACRO.fullmatch(found["name"]) else None


def _only_stops(parsed: ParsedFile, first: Directive, after: Directive) -> bool:
    """Whether a branch has an `#error` and nothing else."""
    inside = [one for one in parsed.lexed.directives if first.end <= one.start < after.start]
    code = (token for token in parsed.lexed.tokens(first.end, after.start))
    alone = all(any(one.start <= token.start < one.end for one in inside) for token in code)
    return bool(inside) and alone and all(one.name == "error" for one in inside)


def _asked(parsed: ParsedFile, directive: Directive) -> tuple[bytes] | None:
    """The release that a later branch asks for where HIP, which has none, takes another way than today's CUDA."""
    whole = expanded(directive.argument(parsed.data), macros(parsed))
    asked = question(whole)
    found = _MACRO.search(directive.argument(parsed.data))
    return (found[0],) if found is not None and asked.undefined is not asked.newest else None


def _is_answered(parsed: ParsedFile, directive: Directive) -> bool:
    """Whether it is known what today's CUDA answers to a branch's condition, and it is no newest release's alone."""
    argument = directive.argument(parsed.data)
    whole = expanded(argument, macros(parsed))
    asked, found = question(whole), _MACRO.search(argument)
    if (
        names_hip(argument, parsed.unset)
        or found is None
        or None in (asked.undefined, asked.newest)
        or len(asked.macros) != 1
    ):
        return False
    return at_version(whole, _LAST.get(found[0], 11999)) is asked.newest


def _hit(parsed: ParsedFile, directive: Directive, name: bytes) -> Hit:
    whole = condition_of(parsed.data, directive)
    at = parsed.data.index(name, directive.start, directive.end)
    text = parsed.data[whole.start : whole.end].decode("utf-8", "replace")
    use = Use("name", text, Span(at, at + len(name)), Span(directive.start, whole.end), (), "macro", "token")
    shown = f"#{directive.name} {text}"
    return Hit("build/required-version", use, {"condition": shown, "name": name.decode()})
