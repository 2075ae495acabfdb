"""Macros that the code itself sets to what a condition asks for: no build decides on them, and none is a switch.

`#define USE_CUTLASS 1` above `#if USE_CUTLASS == 1` has the code compiled in every build. So it is where a header that
the file includes has the definition, under no condition. A macro that is defined only where it is not yet, defined
again, or taken back is left to the build. Where the number keeps code from every compiler, `#define TRACE 0` before
`#if TRACE`, remarks that code is slower go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import Branch, branches, fails, switches
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_paths, included, lexed
from cudamigrate.rulebase.predefined_macros import is_predefined

_CODE = ("cuda", "cxx")
_DEFINITION = re.compile(rb"(\w+)(?:\s+\(?\s*(\d+)[uUlL]*\s*\)?)?\s*")
"""A macro that is defined as a number, or as nothing; a macro with arguments is neither."""
_NAME = re.compile(rb"\W")
_DEPTH = 60
"""How deep includes are followed."""


def with_set_switches(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, whose findings need no macros that the code has set by itself."""
    code = [one.path for one in results if one.language in _CODE and one.skip is None]
    wanted = {name for one in results for finding in one.findings for name in finding.switches}
    wanted = {name for name in wanted if not is_predefined(name)}
    if not wanted:
        return list(results)
    tree = _Tree(include_paths(read, code), read, _defining(wanted))
    return [_settled(one, wanted, tree) for one in results]


def _defining(names: Set[str]) -> re.Pattern[bytes]:
    """What a text has that may define one of some macros: it is searched before a file is lexed."""
    return re.compile(rb"\bdefine[ \t]+(?:%s)\b" % b"|".join(re.escape(name.encode()) for name in sorted(names)))


def _settled(result: FileResult, wanted: Set[str], tree: _Tree) -> FileResult:
    """The result of a file with findings that need macros."""
    if wanted.isdisjoint(name for one in result.findings for name in one.switches):
        return result
    known = [one for one in tree.definitions(result.path) if one[0] in wanted]
    source = tree.read(result.path) if known else None
    if source is None:
        return result
    parts, made = branches(lexed(source), ()), list[Finding]()
    for finding in result.findings:
        given = {name.encode(): number for name, number, place in known if place <= finding.span.start}
        if given and finding.is_remark and _is_left_out(parts, finding.span.start, given):
            continue
        left = set(switches(parts, finding.span.start, given)) if given else set(finding.switches)
        kept = tuple(name for name in finding.switches if name in left or name.encode() not in given)
        made.append(replace(finding, switches=kept) if kept != finding.switches else finding)
    return replace(result, findings=tuple(made))


def _is_left_out(parts: Sequence[Branch], offset: int, given: Mapping[bytes, int]) -> bool:
    """Whether a place is in a branch whose condition fails by what macros are set to."""
    around = (one for one in parts if one.conditions and one.start <= offset < one.end)
    return any(fails(one.conditions[-1], given) for one in around)


@dataclass(slots=True)
class _Tree:
    """The code of a tree, to be asked what a file, or what it includes, sets under no condition."""

    paths: IncludePaths
    read: Read
    defining: re.Pattern[bytes]
    _known: dict[str, Mapping[str, int]] = field(default_factory=dict)

    def definitions(self, path: str, depth: int = 0) -> Iterator[tuple[str, int, int]]:
        """The macros that a file has set, to which number, and from which place of the file on."""
        source = self.read(path)
        if source is None or depth > _DEPTH:
            return
        if self.defining.search(source.data):
            yield from _defined(lexed(source))
        for name, _, span in included(source):
            found = self.paths.nearest(path, name)
            below = self._below(found[0], depth + 1) if len(found) == 1 else {}
            if below and _is_sure(branches(lexed(source), ()), span.start):
                yield from ((macro, number, span.end) for macro, number in below.items())

    def _below(self, path: str, depth: int) -> Mapping[str, int]:
        """What a header sets, itself or by what it includes under no condition."""
        if path not in self._known:
            self._known[path] = {}  # a header that includes itself
            self._known[path] = {name: number for name, number, _ in self.definitions(path, depth)}
        return self._known[path]


def _defined(tokens: Lexed) -> Iterator[tuple[str, int, int]]:
    """The macros that a file defines once and under no condition: the number, 1 for an empty one, and the place."""
    found, parts = dict[bytes, list[tuple[int, int]]](), branches(tokens, ())
    for directive in tokens.directives:
        if directive.name not in ("define", "undef"):
            continue
        text = directive.argument(tokens.data)
        match = _DEFINITION.fullmatch(text) if directive.name == "define" else None
        sure = match is not None and _is_sure(parts, directive.start)
        number = int(match[2] or 1) if match is not None and sure else -1
        found.setdefault(_NAME.split(text, 1)[0], []).append((number, directive.end))
    for name, places in found.items():
        if len(places) == 1 and places[0][0] >= 0:
            yield name.decode("utf-8", "replace"), *places[0]


def _is_sure(parts: Sequence[Branch], offset: int) -> bool:
    """Whether a place is under no condition but the guard of its file."""
    return not any(one.start <= offset < one.end for one in parts)
