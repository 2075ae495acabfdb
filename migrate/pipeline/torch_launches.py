"""Launches that PyTorch's build for ROCm makes no working code of: it rewrites each `<<<` of a file as text.

What it writes is `hipLaunchKernelGGL`, which is a macro of HIP's for a statement, with the kernel that it finds before
the sign. A launch that is part of an expression does not compile then, nor one whose kernel it does not find.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.compilation.torch_hipify import reads_launch
from cudamigrate.cuda.launch_places import launch_places
from cudamigrate.cuda.lexer import WORD, Lexed, Token
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.model import Finding, Hit, SourceFile, Span
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

LAUNCH, EXPRESSION = "build/torch-launch", "build/torch-launch-value"
_SHOWN = 40
"""Characters before a launch that a message shows."""
_BEGINS = (b";", b"{", b"}")
"""What is before a statement."""
_CLOSERS = {b")": b"(", b"]": b"["}


def findings(source: SourceFile, book: Rulebook, marks: Sequence[str]) -> Iterator[Finding]:
    """The launches of a file to convert that do not compile as PyTorch's build writes them, `marks` for code of HIP."""
    if b"<<<" not in source.data:
        return
    tokens = lexed(source)
    places = {opening.start: (opening, closed) for opening, closed in launch_places(tokens)}
    wrong = {at: name for at, one in places.items() if (name := _rule(tokens, *one))}
    if not wrong:
        return  # as nearly always, and known without a tree
    parsed = cuda.parse(source, frozenset(), (*cuda.GUARDS, *marks))
    for one in parsed.uses:
        rule = book.rules.get(wrong.get(one.span.start, "")) if one.kind == "launch" else None
        if rule is not None and not rule.silent and parsed.hip(one.span.start) is None:
            before = source.data[: one.span.start][-_SHOWN:].decode("utf-8", "replace").split("\n")[-1]
            words = {"name": " ".join(before.split()) or one.name}
            yield engine.finding(source, Hit(rule.id, one, words), rule)


def _rule(tokens: Lexed, opening: Span, closed: int) -> str:
    """The rule for a launch with what opens and closes its configuration; none where PyTorch's build converts it.

    One whose chevrons are apart it does not look for, and the compiler gets it as it is.
    """
    if tokens.data[opening.start : opening.end] != b"<<<":
        return ""
    if not reads_launch(tokens.data, opening.start):
        return LAUNCH
    return EXPRESSION if _is_value(tokens, opening, closed) else ""


def _is_value(tokens: Lexed, opening: Span, closed: int) -> bool:
    """Whether a launch is what `return` gives or an arm of `?:`, and so no statement."""
    before = tokens.before(_kernel(tokens, opening.start))
    sign = tokens.text(before)
    if sign in (b"return", b"?"):
        return True
    return sign == b":" and before is not None and _is_arm(tokens, before)


def _kernel(tokens: Lexed, at: int) -> int:
    """Where the kernel before a launch begins: a name with its namespaces and template arguments, or brackets."""
    depth, place = 0, at
    while (token := tokens.before(place)) is not None:
        text = tokens.text(token)
        if depth == 0 and text != b">":
            break
        depth += (text == b">") - text.count(b"<")
        place = token.start
    if token is not None and tokens.text(token) == b")":
        return max(0, tokens.opening(token.start))
    while token is not None and token.kind == WORD:
        place, token = token.start, tokens.before(token.start)
        if token is None or tokens.text(token) != b"::":
            break
        place, token = token.start, tokens.before(token.start)
    return place


def _is_arm(tokens: Lexed, colon: Token) -> bool:
    """Whether a colon parts the arms of `?:`, and ends no label: a `?` is before it in the statement."""
    depth, token = 0, tokens.before(colon.start)
    while token is not None:
        text = tokens.text(token)
        if depth == 0 and (text in _BEGINS or text in _CLOSERS.values()):
            return False
        if depth == 0 and text == b"?":
            return True
        depth += (text in _CLOSERS) - (text in _CLOSERS.values())
        token = tokens.before(token.start)
    return False
