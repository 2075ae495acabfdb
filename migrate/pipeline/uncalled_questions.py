"""Questions for a compute capability, and output of device code, in functions that no code of the repository calls.

NVIDIA's samples come with headers of helpers that choose a device, and projects copy them whole. What such a function
makes of the number is nothing to a program that never calls it. Who is called by functions that nobody calls is not
called either. So it is with output in device functions that are left over from looking for faults: a kernel pays for it
where it may reach it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.cuda.words import among
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed, once

RULE, OUTPUT = "build/capability-attribute", "launch/device-output"
_LANGUAGES = ("cuda", "cxx")
_DEVICE, _KERNEL = re.compile(rb"\b__device__\b"), re.compile(rb"\b__(?:global|host)__\b")
_LOCAL = re.compile(rb"\b(?:inline|static|__inline__|__forceinline__)\b")


def without_uncalled(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results; such a finding says that nothing calls its function, and asks for no work."""
    asking = {one.path for one in results if any(map(_asks, one.findings))}
    code = [one.path for one in results if one.language in _LANGUAGES and one.skip is None] if asking else []
    return [_judged(one, code, read) if one.path in asking else one for one in results]


def _asks(finding: Finding) -> bool:
    is_question = finding.rule == RULE and finding.fix is None and not finding.path.endswith(cuda.UNITS)
    return is_question or finding.rule == OUTPUT


def _judged(result: FileResult, code: Sequence[str], read: Read) -> FileResult:
    source = read(result.path)
    if source is None:
        return result
    parsed = cuda.parse(source, frozenset())
    functions = {one.name.encode("latin-1"): one for one in parsed.functions if _is_local(parsed, one)}
    places = [one.span.start for one in result.findings if _asks(one)]
    asked = {name for name, one in functions.items() if any(one.span.start <= at < one.span.end for at in places)}
    idle = asked - _called(parsed, functions, asked, [path for path in code if path != result.path], read)
    return replace(result, findings=tuple(_said(one, parsed, idle) if _asks(one) else one for one in result.findings))


def _is_local(parsed: ParsedFile, function: Function) -> bool:
    """Whether each file has a function for itself, or it is the device's, so that none calls it without its name."""
    head = parsed.data[function.span.start : function.body.start]
    is_devices = _DEVICE.search(head) is not None and _KERNEL.search(head) is None
    return function.name.isidentifier() and (is_devices or _LOCAL.search(head) is not None)


def _called(
    parsed: ParsedFile, functions: Mapping[bytes, Function], asked: Set[bytes], others: Sequence[str], read: Read
) -> Set[bytes]:
    """The functions of a file that something names: another file, code outside of them, or one that is called.

    What is in other files is looked up for those functions alone that may lead to one of `asked`.
    """
    found, users = set[bytes](), dict[bytes, set[bytes]]()
    for name in functions:
        for at in _mentions(parsed.lexed, name):
            around = next((user for user, one in functions.items() if one.span.start <= at < one.span.end), None)
            if around is None:
                found.add(name)
            elif around != name:
                users.setdefault(around, set()).add(name)
    names = _leading(asked, users) - found
    for path in others if names else ():
        source = read(path)
        near = among(source.data, names) if source is not None else ()
        found.update(_used(source, near) if source is not None and near else ())
    waiting = list(found)
    while waiting:
        more = users.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found


def _leading(asked: Set[bytes], users: Mapping[bytes, Set[bytes]]) -> set[bytes]:
    """Some functions, and those of the file that call them, through others too."""
    found = set(asked)
    while more := {user for user, called in users.items() if not called.isdisjoint(found)} - found:
        found |= more
    return found


def _used(source: SourceFile, names: Iterable[bytes]) -> Iterator[bytes]:
    """Those of some names that another file has elsewhere than as names of functions of its own."""
    tokens, heads = lexed(source), once(source, _heads)
    for name in names:
        own = [span for one, span in heads if one == name]
        if any(not any(span.start <= at < span.end for span in own) for at in _mentions(tokens, name)):
            yield name


def _heads(source: SourceFile) -> tuple[tuple[bytes, Span], ...]:
    """The functions that a file defines, each with what is before its body."""
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    return tuple(
        (one.name.encode("latin-1", "replace"), Span(one.span.start, one.body.start)) for one in parsed.functions
    )


def _mentions(tokens: Lexed, name: bytes) -> Iterator[int]:
    return (at for at in tokens.places(name) if tokens.is_code(at))


def _said(finding: Finding, parsed: ParsedFile, idle: Set[bytes]) -> Finding:
    function = parsed.function(finding.span.start)
    if function is None or function.name.encode("latin-1") not in idle:
        return finding
    message = f"{finding.message} No code here calls `{function.name}`."
    return replace(finding, message=message, outcome="fine", effort="none")
