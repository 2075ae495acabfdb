"""Output of kernels that run in one thread: what it costs in registers keeps no other wave out, and is no remark.

So it is where all that the code does with a kernel's name is to declare it and to launch it, `<<<1, 1>>>`. A macro or a
text that has the name, a function that it is passed to, and a launch of another size leave the remark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.parsed_file import Function
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed

RULE = "launch/device-output"
_CODE = ("cuda", "cxx")
_ONE = re.compile(rb"<\s*<\s*<\s*\(?\s*1\s*\)?\s*,\s*\(?\s*1\s*\)?\s*(?:,[^;{}]{0,200}?)?>\s*>\s*>")
"""A launch of one block of one thread; behind these may be shared memory and a stream."""
_KERNEL = b"__global__"
_HEAD = 400
"""Bytes before a name in which what declares a kernel says so."""


def without_one_thread(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results; such a finding says that its kernel runs in one thread, and is fine."""
    code = {one.path: one for one in results if one.language in _CODE and one.skip is None}
    asking = [one for one in code.values() if any(map(_asks, one.findings))]
    kernels = {one.path: named for one in asking if (named := _kernels(one, read))}
    if not kernels:
        return list(results)
    alone = _in_one({name.encode("latin-1") for named in kernels.values() for name in named.values()}, code, read)
    return [_judged(one, kernels[one.path], alone) if one.path in kernels else one for one in results]


def _asks(finding: Finding) -> bool:
    return finding.rule == RULE and finding.outcome == "slower"


def _kernels(result: FileResult, read: Read) -> dict[int, str]:
    """The kernels that such findings of a file are in, by where the findings are."""
    source = read(result.path)
    if source is None or _KERNEL not in source.data:
        return {}
    parsed = cuda.parse(source, frozenset())
    around = ((one.span.start, parsed.function(one.span.start)) for one in result.findings if _asks(one))
    return {at: one.name for at, one in around if one is not None and _is_kernel(source, one)}


def _judged(result: FileResult, kernels: Mapping[int, str], alone: Set[bytes]) -> FileResult:
    made = list[Finding]()
    for finding in result.findings:
        name = kernels.get(finding.span.start, "") if _asks(finding) else ""
        if name.encode("latin-1") in alone:
            said = f"{finding.message} Each launch of `{name}` here is of one thread."
            finding = replace(finding, message=said, outcome="fine")
        made.append(finding)
    return replace(result, findings=tuple(made))


def _is_kernel(source: SourceFile, function: Function) -> bool:
    return function.name.isidentifier() and _KERNEL in source.data[function.span.start : function.body.start]


def _in_one(names: Set[bytes], code: Iterable[str], read: Read) -> frozenset[bytes]:
    """The kernels that something launches, and that each place with their name launches in one thread or declares."""
    launched, others = set[bytes](), set[bytes]()
    word = re.compile(rb"\b(?:%s)\b" % b"|".join(sorted(names)))
    for path in code:
        source = read(path)
        if source is None:
            continue
        for name in set(word.findall(source.data)) - others:
            uses = list(_uses(lexed(source), name))
            (launched if all(uses) else others).update([name] if uses else [])
    return frozenset(launched - others)


def _uses(tokens: Lexed, name: bytes) -> Iterator[bool]:
    """What else a file has a kernel's name for than to declare it: whether each is a launch in one thread."""
    for at in tokens.places(name):
        if not tokens.is_code(at):
            before, directive = tokens.before(at), tokens.directive_at(at)
            is_path = directive is not None and directive.name.startswith("include")
            if before is not None and before.end > at and not is_path:  # in a literal, not in a comment
                yield False
        elif not _is_declared(tokens, at):
            yield _is_launch_of_one(tokens, at + len(name))


def _is_declared(tokens: Lexed, at: int) -> bool:
    """Whether the statement that a name is in says `__global__` before it."""
    least = max(0, at - _HEAD)
    begin = max(least, *(tokens.data.rfind(sign, least, at) for sign in (b";", b"{", b"}")))
    found = tokens.data.find(_KERNEL, begin, at)
    return found >= 0 and tokens.is_code(found)


def _is_launch_of_one(tokens: Lexed, end: int) -> bool:
    following = tokens.token(end)
    if following is None or not tokens.text(following).startswith(b"<"):
        return False
    if _ONE.match(tokens.data, following.start):
        return True
    closed = tokens.angle_closing(following.start, len(tokens.data))
    behind = tokens.token(closed + 1) if closed > 0 else None
    return behind is not None and _ONE.match(tokens.data, behind.start) is not None
