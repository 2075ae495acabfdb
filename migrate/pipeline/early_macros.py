"""Sources that define a macro of a name in HIP's headers before these are read: HIP's header then comes first.

nvcc includes its runtime header ahead of the first line, so a source may say `#define T 3` above all includes. After
the conversion HIP's header is read where a line of the source, or of a header that it includes, names it, and there
`template <typename T>` is `template <typename 3>`. What is defined is followed through the includes in their order, up
to the first that is HIP's. A source of the host's compiler that has HIP's header for hipcc alone gets it so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cudamigrate.cuda.include_insertion import OWN_HEADERS, at_head, is_addition
from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import Branch, branches
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, include_paths, lexed
from cudamigrate.pipeline.runtime_headers import BRINGS, ordered_includes
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.rulebase.header_names import in_hip_headers

RULE = "build/early-macro"
_FIRST = "hip/hip_runtime.h"
_SOURCES = (".cu", ".cpp", ".cc", ".cxx")
_OF_TORCH = ("ATen/", "c10/", "torch/")
"""Headers of a build that converts what it compiles itself."""
_CHANGED = re.compile(rb"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)", re.MULTILINE)
_ADDED = re.compile(
    rb'(?:\A|[<"/])(hip/[\w./-]+|(?:%s)(?="|\Z))' % b"|".join(re.escape(name.encode()) for name in OWN_HEADERS)
)
"""One of HIP's headers, or of ours, in an edit: of the line of an include, or of what is in its quotes."""


class _Event(NamedTuple):
    """What a file does at a place, in order: it `defines` or `undefines` a macro, `includes` a file or `brings` HIP."""

    at: int
    kind: str
    text: str
    span: Span


class _Macro(NamedTuple):
    """A macro that is defined: its name, where it is, and the file."""

    name: str
    span: Span
    path: str


class _Early(NamedTuple):
    """A macro that HIP's header is read with, the header by which, and the include of the source that leads there."""

    macro: _Macro
    header: str
    include: _Event


def with_early_macros(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding in each source whose macros HIP's header would be read with."""
    rule = book.rules.get(RULE)
    code = [one.path for one in results if one.language in ("cuda", "cxx") and one.skip is None and not one.absent]
    defining = [path for path in code if asked(read, path, changes)] if rule is not None and not rule.silent else []
    if rule is None or not defining:
        return list(results)
    reading = include_graph(read, code).above(defining)
    tree = _Tree({one.path: one for one in results}, read, include_paths(read, (one.path for one in results)))
    made = list[FileResult]()
    for one in results:
        source = found = None
        if one.path in reading and one.path.endswith(_SOURCES):
            found = tree.early(one.path)
            source = read(one.path) if found is not None else None
        parsed = None if source is None else cuda.parse(replace(source, language="cuda"), frozenset())
        if found is None or parsed is None or parsed.problems:
            made.append(one)
            continue
        place = found.macro.span if found.macro.path == one.path else found.include.span
        use = Use("name", found.macro.name, place, place, (), "unknown", "token")
        words = {"macro": found.macro.name, "file": found.macro.path, "header": found.header}
        edit = at_head(parsed, _FIRST, alone=found.header in OWN_HEADERS and not one.path.endswith(".cu"))
        finding = replace(engine.finding_in(parsed, Hit(RULE, use, words), rule), fix=Fix((edit,), rule.safety))
        made.append(engine.with_more(_moved(one, parsed, edit), (finding,)))
    return made


def _moved(result: FileResult, parsed: ParsedFile, edit: Edit) -> FileResult:
    """The result whose fixes add HIP's runtime header at the head, as `edit` does, and nowhere below."""
    line = f"#include <{_FIRST}>".encode()
    if edit.replacement.strip() != line:
        return result

    def there(one: Edit) -> Edit:
        return edit if one.span.start == one.span.end and one.replacement.strip() == line else one

    def fixed(found: Finding) -> Finding:
        fix = found.fix
        edits = tuple(map(there, fix.edits)) if fix is not None else ()
        return found if fix is None or edits == fix.edits else replace(found, fix=replace(fix, edits=edits))

    return replace(result, findings=tuple(map(fixed, result.findings)))


def changes(source: SourceFile) -> tuple[tuple[str, int, bool], ...]:
    """The macros of names in HIP's headers that a file defines in any case, or no longer: name, place, and which."""
    known = in_hip_headers()
    if known.isdisjoint(_CHANGED.findall(source.data)):
        return ()
    tokens, found = lexed(source), list[tuple[str, int, bool]]()
    starts, ends = _outermost(branches(tokens, ()))
    for one in tokens.directives:
        if one.name in ("define", "undef"):
            name = re.match(rb"\w*", one.argument(source.data))
            assert name is not None
            around = bisect_right(starts, one.start) - 1
            if name[0] in known and not (around >= 0 and one.start < ends[around]):
                at = source.data.index(name[0], one.start + len(one.name) + 1)
                found.append((name[0].decode(), at, one.name == "define"))
    return tuple(found)


def _outermost(parts: Iterable[Branch]) -> tuple[list[int], list[int]]:
    """Where the branches that are in no other one start and end."""
    starts, ends = list[int](), list[int]()
    for part in parts:
        if not ends or part.start >= ends[-1]:
            starts.append(part.start)
            ends.append(part.end)
        else:
            ends[-1] = max(ends[-1], part.end)
    return starts, ends


@dataclass(slots=True)
class _Tree:
    """The files of a repository, and what each does in order once it is converted."""

    results: Mapping[str, FileResult]
    read: Read
    paths: IncludePaths
    _events: dict[str, list[_Event]] = field(default_factory=dict)

    def early(self, path: str) -> _Early | None:
        """The first macro that HIP's header is read with in a source; None for none, or where no such header is."""
        macros, seen = dict[str, _Macro](), {path}
        for event in self.events(path):
            header = self._header(path, event, macros, seen)
            if header:
                first = next(iter(macros.values()), None)
                return None if first is None or header.startswith(_OF_TORCH) else _Early(first, header, event)
        return None

    def _header(self, path: str, event: _Event, macros: dict[str, _Macro], seen: set[str]) -> str:
        """HIP's header that an event leads to, empty for none; `macros` are then those defined where it does."""
        waiting = [iter((event,))]
        files = [path]
        while waiting:
            one = next(waiting[-1], None)
            if one is None:
                waiting.pop()
                files.pop()
            elif one.kind == "brings":
                return one.text
            elif one.kind == "includes":
                found = self.paths.nearest(files[-1], one.text)
                if len(found) == 1 and found[0] not in seen:
                    seen.add(found[0])
                    files.append(found[0])
                    waiting.append(iter(self.events(found[0])))
            elif one.kind == "defines":
                macros.setdefault(one.text, _Macro(one.text, one.span, files[-1]))
            else:
                macros.pop(one.text, None)
        return ""

    def events(self, path: str) -> list[_Event]:
        """What a file does, in order."""
        if path not in self._events:
            self._events[path] = sorted(
                (*self._defined(path), *self._included(path), *self._added(path)), key=lambda one: one.at
            )
        return self._events[path]

    def _defined(self, path: str) -> Iterator[_Event]:
        for name, at, is_defined in asked(self.read, path, changes) or ():
            yield _Event(at, "defines" if is_defined else "undefines", name, Span(at, at + len(name)))

    def _included(self, path: str) -> Iterator[_Event]:
        """The includes of a file that no condition may leave out."""
        for name, span, _, conditional, _ in asked(self.read, path, ordered_includes) or ():
            if not conditional:
                brings = BRINGS.match(name) or name.startswith(_OF_TORCH)
                yield _Event(span.start, "brings" if brings else "includes", name, span)

    def _added(self, path: str) -> Iterator[_Event]:
        """The headers of HIP that fixes bring: by a line of their own, which no condition leaves out."""
        result = self.results.get(path)
        for finding in result.findings if result is not None else ():
            for edit in finding.fix.edits if finding.fix is not None and finding.fix.safety == "safe" else ():
                named = _ADDED.search(edit.replacement) if edit.span.start == edit.span.end else None
                if named is not None and is_addition(edit):
                    yield _Event(edit.span.start, "brings", named[1].decode(), edit.span)
