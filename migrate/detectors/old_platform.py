"""Conditions that ask for AMD's platform by the macro of HIP before ROCm 6, which nothing defines since.

Where the branch for AMD begins with what always fails, asking for today's macro would turn the refusal on: whether the
code behind it works by now is for the project to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from cudamigrate.cuda.lexer import COMMENT, Directive
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import CONDITIONS, conditionals
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

WORDS = (b"__HIP_PLATFORM_HCC__",)
IN_HIP = True
"""Code that only HIP compiles asks in vain too: it gets what is for others, or nothing at all."""

_OLD = re.compile(rb"\b__HIP_PLATFORM_HCC__\b")
_TOO = re.compile(rb"\b(?:__HIP_PLATFORM_AMD__|__HIPCC__|__HIP__)\b")
"""What holds for AMD as well: a condition that asks for it too was written for newer releases."""
_NEGATED = re.compile(rb"![ \t]*(?:defined[ \t]*\(?[ \t]*)?__HIP_PLATFORM_HCC__")
_REFUSES = re.compile(
    rb"\s*(?:#[ \t]*error\b|throw\b|(?:::)?(?:std[ \t]*::[ \t]*)?(?:abort|terminate|_?[Ee]xit|quick_exit)[ \t]*\("
    rb"|AT_ERROR[ \t]*\(|__builtin_trap[ \t]*\("
    rb"|\w*(?i:check|assert|require|enforce|expect)\w*[ \t]*\(\s*(?:false|0)\s*[,)])"
)
"""A first statement that always fails: `#error`, `throw`, `abort(`, `TORCH_CHECK(false, "not supported")`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such name, in files that do not define it themselves."""
    named = [one for one in parsed.lexed.directives if _OLD.search(parsed.data, one.start, one.end)]
    if any(one.name == "define" and _OLD.match(one.argument(parsed.data)) for one in named):
        return
    bodies = _bodies(parsed) if named else {}
    for directive in named:
        if directive.name in CONDITIONS and not _TOO.search(parsed.data, directive.start, directive.end):
            for match in _OLD.finditer(parsed.data, directive.start, directive.end):
                if parsed.lexed.is_code(match.start()):
                    span = Span(*match.span())
                    rule = "old-platform-refusal" if _refuses(parsed, directive, bodies) else "old-platform-macro"
                    yield Hit(f"build/{rule}", Use("name", match[0].decode(), span, span, (), "macro", "token"))


def _bodies(parsed: ParsedFile) -> dict[int, tuple[bytes, bytes]]:
    """The code of each branch by where its directive begins, and that of the next branch."""
    found = dict[int, tuple[bytes, bytes]]()
    for chain in conditionals(parsed.lexed.directives):
        texts = [parsed.data[one.end : after.start] for one, after in pairwise(chain)]
        opening = (one.start for one in chain[:-1])
        found.update(zip(opening, zip(texts, [*texts[1:], b""], strict=True), strict=True))
    return found


def _refuses(parsed: ParsedFile, directive: Directive, bodies: dict[int, tuple[bytes, bytes]]) -> bool:
    """Whether the branch that a condition has for AMD begins with what always fails."""
    text = directive.argument(parsed.data)
    negated = directive.name.endswith("ndef") or _NEGATED.search(text) is not None
    body = bodies.get(directive.start, (b"", b""))[negated]
    return _REFUSES.match(COMMENT.sub(b" ", body)) is not None
