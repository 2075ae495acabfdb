"""Questions for a compute capability, or output of device code, in functions that no code of the repository calls.

NVIDIA's samples come with headers of helpers that choose a device, and projects copy them whole. What such a function
makes of the number is nothing to a program that never calls it. Nor does a function cost a kernel registers that none
calls: one for looking at values while somebody looks for a fault. Who is called by functions that nobody calls is not
called either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed

RULE = "build/capability-attribute"
_OUTPUT = "launch/device-output"
_LANGUAGES = ("cuda", "cxx")
_LOCAL = re.compile(rb"\b(?:inline|static|__inline__|__forceinline__|__device__)\b")
"""What only who names it calls: of device code, that of all files is looked through."""
_NAME = re.compile(r"[A-Za-z_]\w*")
"""A name that a call spells: an operator's is not."""
_KERNEL = re.compile(rb"\b__global__\b")


def without_uncalled(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results; such a question says that nothing calls its function, and asks for no work; such output goes."""
    asked = {one.path for one in results if any(_asks(finding) for finding in one.findings)}
    code = [one.path for one in results if one.language in _LANGUAGES and one.skip is None] if asked else []
    return [_judged(one, code, read) if one.path in asked else one for one in results]


def _asks(finding: Finding) -> bool:
    """Whether a finding is such a question in a header, or output in a unit: of a header, users are elsewhere too."""
    is_unit = finding.path.endswith(cuda.UNITS)
    return finding.rule == _OUTPUT if is_unit else finding.rule == RULE and finding.fix is None


def _judged(result: FileResult, code: Sequence[str], read: Read) -> FileResult:
    source = read(result.path)
    if source is None:
        return result
    parsed = cuda.parse(source, frozenset())
    functions = {one.name.encode("latin-1"): one for one in parsed.functions if _is_local(parsed, one)}
    idle = functions.keys() - _called(parsed, functions, [path for path in code if path != result.path], read)
    made = (_said(one, parsed, idle) if _asks(one) else one for one in result.findings)
    return replace(result, findings=tuple(one for one in made if one is not None))


def _is_local(parsed: ParsedFile, function: Function) -> bool:
    """Whether each file has a function for itself, so that none calls it whose text does not name it."""
    head = parsed.data[function.span.start : function.body.start]
    is_plain = _NAME.fullmatch(function.name) is not None and _KERNEL.search(head) is None
    return is_plain and _LOCAL.search(head) is not None


def _called(parsed: ParsedFile, functions: Mapping[bytes, Function], others: Sequence[str], read: Read) -> Set[bytes]:
    """The functions of a header that something names: another file, code outside of them, or one that is called."""
    found, users = set[bytes](), dict[bytes, set[bytes]]()
    for name in functions:
        for at in _mentions(parsed.lexed, name):
            around = next((user for user, one in functions.items() if one.span.start <= at < one.span.end), None)
            if around is None:
                found.add(name)
            elif around != name:
                users.setdefault(around, set()).add(name)
    for path in others if functions else ():
        source = read(path)
        near = [name for name in functions if source is not None and name in source.data]
        if source is None or not near:
            continue
        own = _own(source) if parsed.source.path.endswith(cuda.UNITS) else frozenset[bytes]()
        found.update(name for name in near if name not in own and any(True for _ in _mentions(lexed(source), name)))
    waiting = list(found)
    while waiting:
        more = users.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found


def _own(source: SourceFile) -> frozenset[bytes]:
    """The functions that a file defines: calls in it are of these, and not of those of another unit."""
    return frozenset(one.name.encode("latin-1") for one in cuda.parse(source, frozenset()).functions if one.name)


def _mentions(tokens: Lexed, name: bytes) -> Iterator[int]:
    return (at for at in tokens.places(name) if tokens.is_code(at))


def _said(finding: Finding, parsed: ParsedFile, idle: Set[bytes]) -> Finding | None:
    function = parsed.function(finding.span.start)
    if function is None or function.name.encode("latin-1") not in idle:
        return finding
    if finding.rule == _OUTPUT:
        return None
    message = f"{finding.message} No code here calls `{function.name}`."
    return replace(finding, message=message, outcome="fine", effort="none")
