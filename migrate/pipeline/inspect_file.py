"""One file's bytes -> FileResult: the per-file function of a run, and the check of what became of a file.

Result: its findings and what other files need to know of it. A pure function, so that the number of processes does not
matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING

from cudamigrate.cuda import classification, own_names
from cudamigrate.cuda.enclosed_includes import enclosed_includes
from cudamigrate.cuda.include_insertion import OWN_HEADERS
from cudamigrate.cuda.other_languages import is_sycl
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import guards_among, holds_for_hip, switches
from cudamigrate.detection import engine as detect
from cudamigrate.detection import merged_guards, merged_names
from cudamigrate.frontends import cuda, project_front_end
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Definition, Edit, FileResult, Finding, Fix, Skip, SourceFile, Span, Step
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.pipeline import deep_calls
from cudamigrate.pipeline.rule_base import project_rules
from cudamigrate.pipeline.run_time_text import (
    IN_ANOTHER_WAY,
    IN_TEXT,
    as_one,
    unchanged,
    without_headers,
    written_without_headers,
)
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax.project_file import Embedded, ProjectFile

if TYPE_CHECKING:
    from cudamigrate.semantics import Resolver

_ESCAPED = frozenset(b"\\\"'\n\r{}")
"""Bytes that literals of some kind spell in another way."""
_RAW = re.compile(rb'R"(?P<mark>[^()\\\s]{0,16})\((?P<text>.*?)\)(?P=mark)"', re.S)
"""A raw string, which may hold a kernel that is compiled at run time: `R"cu(...)cu"`, closed by its own mark."""
_DEVICE = re.compile(rb"\b__(?:global|device)__\b")
_KERNEL = re.compile(rb"\b__global__\b")
_OPENCL = re.compile(rb"\b__(?:kernel|global)\b")
"""Words of OpenCL C, which has kernels and memory of its own: text with them, and no kernel of CUDA's, is in it.
A `#define __device__` there is for functions that both languages have."""
_OURS = tuple(f"// {name}:".encode() for name in OWN_HEADERS)
"""How the headers begin that converted code includes: they are right as they are."""
_UNKNOWN = "library/unknown-name"
"""Reports names that CUDA's headers should declare but do not."""

Peers = Mapping[str, bytes] | CMakeFacts
"""What a build file is read with: the Makefiles that it includes or that include it, or what CMake files say of it."""


def inspect(
    source: SourceFile,
    book: Rulebook,
    guards: Sequence[str] = (),
    resolver: Resolver | None = None,
    peers: Peers | None = None,
    facts: bool = True,
) -> FileResult:
    """Findings and definitions of one file: a pure function of its bytes, the rules and the HIP macros.

    With a `resolver` it is one of what the file includes too, with `peers` one of the build files read with it. Without
    `facts` what other files need to know of it is left out. Raises RecursionError for code that nests deeper than can
    be read; where values are followed through many functions, that takes a larger stack.
    """
    work = partial(_inspected, source, book, guards, resolver, peers, facts)
    try:
        return work()
    except RecursionError:
        return deep_calls.run(work)


def _inspected(
    source: SourceFile,
    book: Rulebook,
    guards: Sequence[str],
    resolver: Resolver | None,
    peers: Peers | None,
    facts: bool,
) -> FileResult:
    lines = source.data.count(b"\n") + (not source.data.endswith(b"\n") and bool(source.data))
    blank = FileResult(source.path, source.language, lines, len(source.data), cuda=False)
    front = project_front_end(source.language)
    if front is None:
        result, parsed = _inspect_code(source, book, guards, blank, resolver)
        result = _with_facts(source, book, guards, result, parsed) if facts else result
        if parsed is not None:
            parsed.forget()
        return result
    return _inspect_project_file(source, front, book, guards, blank, peers)


def _inspect_code(
    source: SourceFile, book: Rulebook, guards: Sequence[str], blank: FileResult, resolver: Resolver | None
) -> tuple[FileResult, ParsedFile | None]:
    """The result for a file of code, and the file as parsed where it is CUDA."""
    if source.data.startswith(_OURS):
        return blank, None
    own = tuple(dict.fromkeys((*own_names.declared(source.data), *classification.declared(source.data))))
    enclosed = tuple(dict.fromkeys(one.name for one in enclosed_includes(source.data)))
    blank = replace(blank, definitions=own, enclosed=enclosed)
    if not cuda.is_cuda(source, book.marks()):
        return blank, None
    parsed = cuda.parse(source, book.words(), guards, book.prefixes())
    if parsed.problems:
        return replace(blank, skip=Skip(source.path, "unparsable", parsed.problems[0])), None
    if is_sycl(parsed):
        return blank, None
    parsed.target = book.goal
    findings = tuple(detect.detect(parsed, book) if resolver is None else _resolved(parsed, book, resolver))
    findings = merged_guards.left(parsed, merged_names.added(parsed, findings, book))
    if own_names.from_elsewhere(parsed.includes):
        findings = tuple(finding for finding in findings if finding.rule != _UNKNOWN)
    marks = frozenset(guards_among(guards))
    findings = tuple(_switched(one, parsed, marks) for one in _with_strings(source, findings, book, guards))
    used = source.language == "cuda" or bool(parsed.uses or parsed.ported or findings)
    made = replace(
        blank,
        cuda=used,
        findings=findings,
        definitions=(*_definitions(parsed), *own),
        ported=len(parsed.ported),
        programs=sum(function.name == "main" for function in parsed.functions),
        kernels=sum(b"__global__" in source.data[f.span.start : f.body.start] for f in parsed.functions),
    )
    return made, parsed


def _definitions(parsed: ParsedFile) -> Iterator[Definition]:
    """What a file defines; macros in a branch that its fixes open for HIP are there in every build."""
    opened = frozenset[str]()
    if any(one.fallback and one.name.startswith("__") for one in parsed.definitions):
        from cudamigrate.warp import version_guards  # most files define no such name

        opened = version_guards.macros_for_hip(parsed)
    for one in parsed.definitions:
        yield replace(one, fallback=False) if one.name in opened and not one.enclosing else one


def _switched(finding: Finding, parsed: ParsedFile, guards: frozenset[bytes]) -> Finding:
    """The finding with the macros that its place asks for, and whether others decide on it for HIP."""
    offset = finding.span.start
    around, directive = parsed.branches_around(offset), parsed.lexed.directive_at(offset)
    in_macro = directive is not None and directive.name == "define"
    if not around and not in_macro:
        return finding
    sure = not in_macro and holds_for_hip(around, guards)
    return replace(finding, switches=switches(around, offset), unconditional=sure)


def _with_facts(
    source: SourceFile, book: Rulebook, guards: Sequence[str], made: FileResult, parsed: ParsedFile | None
) -> FileResult:
    """The result with what other files need to know of warp-level code."""
    from cudamigrate.pipeline import wide_macros  # `check` of single files does without
    from cudamigrate.warp import graph, lane_masks
    from cudamigrate.warp.cross_file_facts import may_port, summary
    from cudamigrate.warp.logical_warp_edits import followed
    from cudamigrate.warp.shift_amounts import constants_named

    if wide_macros.may_define(source.data):
        made = replace(made, shuffles=True)
    if parsed is None:
        ports = made.skip is None and not source.data.startswith(_OURS) and may_port(source.data)
        return replace(made, lanes=summary(cuda.parse(source, frozenset(), guards))) if ports else made
    made = replace(made, lanes=followed(parsed, summary(parsed)), shifts=constants_named(parsed))
    if graph.may_have_any(parsed):
        masks, giving = lane_masks.edges(parsed)
        made = replace(made, graph=replace(parsed.once(graph.of), masks=masks, giving=giving))
    return replace(made, logical_result=_logical_result(parsed, book, made))


def _with_strings(
    source: SourceFile, findings: tuple[Finding, ...], book: Rulebook, guards: Sequence[str]
) -> tuple[Finding, ...]:
    """The findings of a file, and those in device code that is in its raw strings for compilation at run time."""
    if b'R"' not in source.data:
        return findings
    parts = (Span(*match.span("text")) for match in _RAW.finditer(source.data) if _is_cuda(match["text"]))
    found = (one for part in parts for one in _embedded(source, Embedded(part, "cuda", bare=True), book, guards))
    more = [
        replace(one, trace=(*one.trace, Step(source.path, one.position.line, IN_TEXT))) if one.fix is not None else one
        for one in found
    ]
    return tuple(detect.in_order([*findings, *more])) if more else findings


def _is_cuda(text: bytes) -> bool:
    """Whether a text has code for GPUs in CUDA C++."""
    return _DEVICE.search(text) is not None and (_OPENCL.search(text) is None or _KERNEL.search(text) is not None)


def _logical_result(parsed: ParsedFile, book: Rulebook, made: FileResult) -> FileResult | None:
    """The result for logical warps of 32 lanes, for uses in other files that rule out the full wavefront; else None."""
    if book.wave != "native" or made.lanes is None or not made.lanes.native:
        return None
    from cudamigrate.warp.cross_file_facts import summary
    from cudamigrate.warp.logical_warp_edits import followed

    parsed = parsed.as_contradicted()
    findings = tuple(detect.detect(parsed, book))
    lanes = followed(parsed, summary(parsed))
    parsed.forget()
    return replace(made, findings=findings, lanes=lanes)


def _resolved(parsed: ParsedFile, book: Rulebook, resolver: Resolver) -> list[Finding]:
    """Findings of a file whose open questions libclang is asked."""
    from cudamigrate.semantics import questions  # only who asks pays for it

    answers = resolver.answers(parsed.source.path)
    questions.prepare(parsed, answers)
    found = list(questions.judged(parsed, detect.detect(parsed, book), answers))
    answers.keep()
    return detect.in_order(found)


def _inspect_project_file(
    source: SourceFile,
    front: ModuleType,
    book: Rulebook,
    guards: Sequence[str],
    blank: FileResult,
    peers: Peers | None,
) -> FileResult:
    if not peers and not front.TRIGGER.search(source.data):
        return blank
    parsed: ProjectFile = front.parse_among(source, peers) if peers else front.parse(source)
    if parsed.problems:
        return replace(blank, skip=Skip(source.path, "unparsable", parsed.problems[0]))
    rules = project_rules(book.goal, book.extra)
    parsed.target, parsed.rule = book.goal, partial(rules.rule, source.language)
    found = detect.detect_project_file(parsed, rules)
    for part in parsed.embedded:
        found.extend(_embedded(source, part, book, guards))
    distinct = {(finding.rule, finding.span): finding for finding in found}  # sources may share a part
    findings = tuple(detect.in_order(distinct.values()))
    return replace(blank, cuda=bool(parsed.embedded), findings=findings, builds=parsed.builds)


def _embedded(source: SourceFile, part: Embedded, book: Rulebook, guards: Sequence[str]) -> Iterator[Finding]:
    """Findings in source that is in another file, at their places there.

    Source that is there byte for byte is read with the number of lines before it, so that lines are those of the file.
    What only other files ask for is left out.
    """
    text, above = part.text, 0
    if not text:
        above = source.position(part.span.start).line - 1
        text = source.data[part.span.start : part.span.end]
    found = inspect(SourceFile(source.path, text, part.language, above), book, guards, facts=False).findings
    made = list[Finding]()
    for finding in _for_text(text, part, found):
        fix = finding.fix
        if part.hipified:
            if fix is not None and finding.rule.startswith("api/") and fix.safety == "safe":
                continue
            fix = None
        if part.loose and fix is not None and fix.safety == "safe":
            fix = replace(fix, safety="unsafe")  # it may be data
        made.append(_moved(source, part, replace(finding, fix=fix, name=""), part.span.start))
    yield from as_one(made) if part.bare and not part.written else made


def _for_text(text: bytes, part: Embedded, found: Sequence[Finding]) -> Iterable[Finding]:
    """Findings of embedded source, whose fixes include a header only where it is a file of its own."""
    if part.written:
        return written_without_headers(found)
    return without_headers(text, found, part.hipified) if part.bare else found


def _moved(source: SourceFile, part: Embedded, finding: Finding, by: int) -> Finding:
    """A finding of embedded source as one of the file around it, `by` bytes on where it is there byte for byte."""
    span = part.place(finding.span) if part.text else _shifted(finding.span, by)
    fix = finding.fix
    if fix is not None:
        fix = _carried(source, part, fix) if part.text else _at_place(part, fix, by)
        finding = finding if fix is not None else unchanged(finding, IN_ANOTHER_WAY)
    position = source.position(span.start)
    return replace(
        finding,
        trace=tuple(_told(source, part, step) for step in finding.trace) if part.text else finding.trace,
        span=span,
        position=position,
        end=source.position(span.end),
        fix=fix,
        excerpt=source.line(position.line).strip()[: detect.EXCERPT],
    )


def _told(source: SourceFile, part: Embedded, step: Step) -> Step:
    """A fact of embedded source that is not in the file byte for byte, at its line there; of other files, as it is."""
    if step.path != source.path:
        return step
    lines = part.text.split(b"\n", step.line)
    start = min(len(part.text), sum(map(len, lines[: step.line - 1])) + step.line - 1)
    return step._replace(line=source.position(part.place(Span(start, start)).start).line)


def _shifted(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _at_place(part: Embedded, fix: Fix, by: int) -> Fix:
    """A fix of source that is in the file byte for byte, so many bytes on; its group is one of this part alone."""
    edits = tuple(replace(edit, span=_shifted(edit.span, by)) for edit in fix.edits)
    return replace(fix, edits=edits, group=fix.group and f"{fix.group} in {part.span.start}")


def _carried(source: SourceFile, part: Embedded, fix: Fix) -> Fix | None:
    """A fix at the places of the file; None where the file spells the old, or would spell the new, in another way."""
    edits = []
    for edit in fix.edits:
        span = part.place(edit.span)
        before, old = part.text[edit.span.start : edit.span.end], source.data[span.start : span.end]
        if before != old:
            return None
        there = replace(edit, span=span)
        there = _narrowed(there, old) if set(edit.replacement) & _ESCAPED else there
        if set(there.replacement) & _ESCAPED:
            return None
        edits.append(there)
    return replace(fix, edits=tuple(edits), group=fix.group and f"{fix.group} in {part.span.start}")


def _narrowed(edit: Edit, old: bytes) -> Edit:
    """An edit without what it leaves at its beginning and its end: the quotes of an include."""
    new, first, last = edit.replacement, 0, 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    return Edit(Span(edit.span.start + first, edit.span.end - last), new[first : len(new) - last])
