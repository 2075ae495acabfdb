"""ParsedFile + Rulebook -> Findings, with their fixes; ProjectFile + ProjectBook likewise.

Result: findings in file order, each with the edits that fix it where the rule has a change. Fixes are built here
because they need the tokens and the tree; findings are plain data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, cast

from cudamigrate import plugins
from cudamigrate.cuda.include_insertion import OWN_HEADERS, addition_for, block, newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.words import PartsOfWords
from cudamigrate.detection import (
    asked_releases,
    broken_directives,
    call_templates,
    ignored_options,
    null_arguments,
    own_declarations,
    renamed_definitions,
)
from cudamigrate.detection.function_findings import once_in_conditions, once_in_functions, without_parts
from cudamigrate.detection.refused_fragments import without_running
from cudamigrate.detection.removed_names import without_removed
from cudamigrate.detection.same_sides import without_same_sides
from cudamigrate.detection.split_waves import with_shared_waves
from cudamigrate.detection.unread_host_code import without_unread
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Effort, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use, numbered
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.rulebase.project_rules import ProjectBook
from cudamigrate.syntax.project_file import ProjectFile

_WORD = re.compile(r"\{(\w+)\}")
EXCERPT = 200
"""Characters of a source line or text that a finding carries at most."""


def detect(parsed: ParsedFile, book: Rulebook) -> list[Finding]:
    """All findings of one file, sorted by place.

    Code that only HIP compiles may still spell CUDA's names, for PyTorch's build to rename: only those are found, as in
    what nothing compiles. Code that HIP never compiles has no findings.
    """
    found: list[Finding] = []
    included = {include.path for include in block(parsed)}
    detectors = _relevant_detectors(parsed, book)
    instead = _reported_instead(parsed, book, detectors)
    for use, rule in named(parsed.uses, book):
        if use.span in instead or not _concerns(parsed, use, rule) or asked_releases.chosen(parsed, use, rule):
            continue
        if own_declarations.names(parsed, use, rule):
            continue
        is_read = parsed.hip(use.span.start) is None or (_is_renamed(rule) and not _opens(parsed, use))
        if is_read and _is_open(parsed, rule, found):
            found.append(_traced(parsed, _finding(parsed, use, rule, {}, included)))
    for name in detectors:
        for hit in hits(name, parsed):
            said = book.rules.get(hit.rule)
            if said is not None and not said.silent and _is_read(name, parsed, hit.use.span.start):
                made = _told(_finding(parsed, hit.use, said, hit.words, included), hit)
                found.append(replace(made, trace=hit.trace) if hit.trace else _traced(parsed, made))
    found = with_shared_waves(parsed, without_same_sides(parsed, list(without_unread(parsed, without_removed(found)))))
    kept = once_in_conditions(parsed, without_parts(found))
    return in_order(once_in_functions(parsed, book, without_running(parsed, list(kept))))


def _traced(parsed: ParsedFile, found: Finding) -> Finding:
    """A finding about warp-level code with what the names in it are made from."""
    if found.group != "warp":
        return found
    from cudamigrate.warp.lane_traces import steps  # most files have no such code

    trace = steps(parsed, found.span)
    return replace(found, trace=trace) if trace else found


def detect_project_file(parsed: ProjectFile, book: ProjectBook) -> list[Finding]:
    """All findings of a build, package or environment file, sorted by place, without those of source embedded in it."""
    language, found = parsed.source.language, list[Finding]()
    for use in parsed.uses:
        rule = book.rule(language, use)
        if rule is not None and not rule.silent and _concerns(parsed, use, rule):
            made = _finding(parsed, use, rule, {}, set())  # words that only repeat others tell nothing where they stay
            found += [made] if made.fix is not None or use.extent not in parsed.repeating else []
    more = (hit for name in sorted(book.detectors.get(language, {})) for hit in hits(name, parsed))
    said = [(hit, book.rules[hit.rule]) for hit in more if hit.rule in book.rules]
    found += [_finding(parsed, hit.use, rule, hit.words, set()) for hit, rule in said]
    return in_order(found)


def words_of_detectors(book: Rulebook) -> dict[str, tuple[tuple[bytes, ...], ...]]:
    """The words of the detectors that state some, as `WORDS`: of those in one tuple, a file must hold all."""
    modules = ((name, plugins.one("cudamigrate.detectors", name)) for name in book.detectors)
    return {
        name: tuple((word,) if isinstance(word, bytes) else tuple(word) for word in module.WORDS)
        for name, module in modules
        if hasattr(module, "WORDS") and module is not None
    }


def finding(source: SourceFile, hit: Hit, rule: Rule) -> Finding:
    """The finding of a hit that only the whole repository shows, in a file that is read no further; without a fix."""
    made = _told(_finding(ProjectFile(source), hit.use, rule, hit.words, set()), hit)
    return replace(made, fix=None, trace=hit.trace)


def finding_in(parsed: ParsedFile, hit: Hit, rule: Rule) -> Finding:
    """The finding of a hit that only the whole repository shows, in a file parsed again, with its fix."""
    return _told(_finding(parsed, hit.use, rule, hit.words, {include.path for include in block(parsed)}), hit)


def _told(found: Finding, hit: Hit) -> Finding:
    """A finding with what its hit says to later passes."""
    return replace(found, facts=(*found.facts, *hit.facts)) if hit.facts else found


def in_order(found: Iterable[Finding]) -> list[Finding]:
    """Findings of one file sorted by place, each numbered among those that look alike."""
    ordered = sorted(found, key=lambda finding: (finding.span, finding.rule))
    return [one if one.ordinal == at else replace(one, ordinal=at) for one, at in numbered(ordered)]


def with_more(result: FileResult, more: Sequence[Finding]) -> FileResult:
    """The result of a file with further findings, all in order."""
    return replace(result, findings=tuple(in_order([*result.findings, *more]))) if more else result


def with_new(result: FileResult, more: Sequence[Finding]) -> FileResult:
    """The same without those that it has: of one rule at one place."""
    known = {(one.rule, one.span) for one in result.findings} if more else set()
    return with_more(result, [one for one in more if (one.rule, one.span) not in known])


def _relevant_detectors(parsed: ParsedFile, book: Rulebook) -> list[str]:
    """The detectors whose words the file holds; the others are not even imported."""
    words = book.words_of_detectors
    parts = _within_words(book.parts())
    present = parsed.lexed.held(parts).union(*(parts.held(frozenset(one.split()), one) for one in parsed.opened))
    return [name for name in sorted(book.detectors) if name not in words or any(map(present.issuperset, words[name]))]


_within_words = lru_cache(maxsize=2)(PartsOfWords)
"""Where the words of detectors are, for the files of a process."""


def _reported_instead(parsed: ParsedFile, book: Rulebook, detectors: Iterable[str]) -> frozenset[Span]:
    """Names that a detector reports instead of the rule for the name: what looks like the known one is another.

    Within its extent a hit is for its own name again, and for those that it lists in the word `also`.
    """
    reporters = [name for name in detectors if getattr(plugins.one("cudamigrate.detectors", name), "INSTEAD", False)]
    found = [hit for name in reporters for hit in hits(name, parsed) if hit.rule in book.rules]
    again = (  # `defined(X) && X >= 9000` is one condition, and says its name twice
        use.span
        for hit in found
        if (one := hit.use).extent != one.span
        for use in parsed.uses
        if one.extent.start <= use.span.start < one.extent.end
        and use.name in (parsed.data[one.span.start : one.span.end].decode(), *hit.words.get("also", "").split())
    )
    return frozenset(hit.use.span for hit in found).union(again)


def hits(name: str, parsed: ParsedFile | ProjectFile) -> Iterable[Hit]:
    """What the detector of a name finds in a file."""
    detector = plugins.one("cudamigrate.detectors", name)
    return cast("Iterable[Hit]", detector.find(parsed) if detector is not None else ())


def _is_read(detector: str, parsed: ParsedFile, offset: int) -> bool:
    """Whether what a detector finds in code that HIP compiles, or CUDA alone does, counts: few look at HIP's own."""
    hip = False if parsed.is_dead(offset) else parsed.hip(offset)
    return hip is None or (hip and getattr(plugins.one("cudamigrate.detectors", detector), "IN_HIP", False))


def _rewrite(rule: Rule) -> ModuleType | None:
    return plugins.one("cudamigrate.rewrites", rule.change.text[0]) if rule.change.kind == "rewrite" else None


def _concerns(parsed: ParsedFile | ProjectFile, use: Use, rule: Rule) -> bool:
    """False where the rule's rewrite knows that a use of the name is none, or is right as it is."""
    concerns = getattr(_rewrite(rule), "concerns", None)
    return concerns is None or bool(concerns(parsed, use))


def _fix(parsed: ParsedFile | ProjectFile, use: Use, rule: Rule, changes: list[Edit]) -> Fix:
    rewrite = _rewrite(rule)
    if rewrite is None or not hasattr(rewrite, "group"):
        return Fix(tuple(changes), "safe" if null_arguments.is_given(parsed, use, rule) else rule.safety)
    return Fix(tuple(changes), rule.safety, *rewrite.group(parsed, use))


def _is_renamed(rule: Rule) -> bool:
    return rule.group == "api" and rule.change.kind != "none" and rule.safety == "safe"


def _opens(parsed: ParsedFile, use: Use) -> bool:
    """Whether a namespace is opened, or given another name: what code for HIP so defines is meant to have that name."""
    before, after = parsed.lexed.before(use.span.start), parsed.lexed.token(use.span.end)
    return parsed.lexed.text(before) == b"namespace" and parsed.lexed.text(after) in (b"{", b"=")


def _is_open(parsed: ParsedFile, rule: Rule, found: Iterable[Finding]) -> bool:
    """False for a rule about a missing header where the file has it, has none like it, or has it reported already.

    A file without any header of that library gets all of them through a header of its own.
    """
    if rule.change.kind != "needs":
        return True
    header = rule.change.text[0]
    paths = {include.path for include in parsed.includes}
    library = header.partition("/")[0] + "/"
    alike = any(path.startswith(library) for path in paths)
    return header not in paths and alike and all(finding.rule != rule.id for finding in found)


def named(uses: Iterable[Use], book: Rulebook) -> Iterator[tuple[Use, Rule]]:
    """Uses with the rule for their name, silent rules left out."""
    for use in uses:
        rule = _rule(use, book)
        if rule is None and "::" in use.name:
            use = _enumerator(use, book)
            rule = _rule(use, book)
        if rule is not None and not rule.silent:
            yield use, rule


def _enumerator(use: Use, book: Rulebook) -> Use:
    """The use of the name after `cudaMemcpyKind::`: C's enumerations are scopes to C++."""
    owner, _, name = use.name.rpartition("::")
    if owner.removeprefix("::") not in book.names or name not in book.names:
        return use
    start = use.span.end - len(name)
    return replace(use, name=name, span=Span(start, use.span.end), extent=Span(start, use.extent.end))


def _rule(use: Use, book: Rulebook) -> Rule | None:
    if use.kind == "include":
        return book.include(use.name)
    if use.kind == "namespace" and use.name in book.namespaces:
        return book.namespaces[use.name]
    if use.kind in ("call", "name", "namespace"):
        if "::" in use.name:
            return book.qualified.get(use.name.rpartition("::")[2], {}).get(use.name)
        return book.names.get(use.name) or book.family(use.name)
    return None


def _finding(
    parsed: ParsedFile | ProjectFile, use: Use, rule: Rule, words: Mapping[str, str], included: set[str]
) -> Finding:
    source = parsed.source
    whole = use.kind in ("call", "launch", "asm", "paste") and isinstance(parsed, ParsedFile)
    span = use.extent if whole else use.span
    unchanged = use.kind == "option" and rule.change.kind != "none"
    known = {"text": source.brief(span, EXCERPT), "name": use.name, "hint": rule.hint(use.name), **words}
    changes = _edits(parsed, use, rule, included)
    fix = _fix(parsed, use, rule, changes) if changes and not broken_directives.has(parsed, changes) else None
    said = _left(rule.message) if unchanged and fix is None else null_arguments.message(rule, fix)
    position = source.position(span.start)
    result = ignored_options.outcome(parsed, use, rule)
    return Finding(
        rule=rule.id,
        path=source.path,
        span=span,
        position=position,
        end=source.position(span.end),
        excerpt=source.line(position.line).strip()[:EXCERPT],
        message=_WORD.sub(lambda match: known.get(match[1], match[0]), said),
        support=rule.support,
        outcome=result,
        certainty=use.certainty,
        effort=_effort(rule, fix) if result in (rule.outcome, "missing") else "none",
        fix=fix,
        name=use.name if rule.match.kind != "detector" else "",
        enclosing=use.enclosing,
        facts=tuple(("undeclared", name) for name in rule.undeclared),
    )


def _left(message: str) -> str:
    """What a rule says of a change, where it is not made."""
    return f"{message.replace(' is dropped', ' is to be dropped')} Left as it is here."


def _effort(rule: Rule, fix: Fix | None) -> Effort:
    """A change that does not fit here, as a template with other arguments, is left to be made manually."""
    if rule.null and fix is not None and fix.safety == "safe":
        return "none"
    return "trivial" if fix is None and rule.change.kind != "none" and rule.effort == "none" else rule.effort


def _edits(parsed: ParsedFile | ProjectFile, use: Use, rule: Rule, included: set[str]) -> list[Edit]:
    change = rule.change
    if isinstance(parsed, ProjectFile):
        return _project_edits(parsed, use, rule)
    if change.kind == "rename":
        edits = [Edit(use.span, change.text[0].encode())]
    elif change.kind == "template":
        edits = next((made for text in change.text if (made := call_templates.edits(parsed, use, text))), [])
        edits = edits or renamed_definitions.edits(parsed, use, change.text)
    elif change.kind == "needs":
        return [addition_for(parsed, header) for header in change.text]
    elif change.kind == "include":
        edits = include_edits(parsed, use, change.text, included)
    elif change.kind == "rewrite":
        rewrite: Any = _rewrite(rule)
        edits = rewrite.edits(parsed, use, change.text[1:])
    else:
        return []
    if edits and rule.includes:
        present = [include.path for include in parsed.includes if not include.conditional]
        for header in rule.includes:
            near = header in OWN_HEADERS  # named relative to the file that includes it
            if not any(path == header or (near and path.endswith(f"/{header}")) for path in present):
                edits.append(addition_for(parsed, header))
    return edits


def _project_edits(parsed: ProjectFile, use: Use, rule: Rule) -> list[Edit]:
    change = rule.change
    from cudamigrate.python_source import vendors  # code alone does not pay for it

    if parsed.kept or (use.kind == "package" and vendors.package(parsed)):
        return []
    if change.kind == "rename":
        both = vendors.option(parsed, use, change.text) if use.kind == "option" else None
        return [Edit(use.span, change.text[0].encode())] if both is None else both
    if change.kind == "template":
        return next((made for text in change.text if (made := call_templates.edits(parsed, use, text))), [])
    if change.kind == "rewrite":
        rewrite: Any = _rewrite(rule)
        edits: list[Edit] = rewrite.edits(parsed, use, change.text[1:])
        return edits
    return []


def include_edits(parsed: ParsedFile, use: Use, headers: tuple[str, ...], included: set[str]) -> list[Edit]:
    """Write the HIP headers in place of one include; what an earlier line already includes is not repeated."""
    conditional = parsed.conditional(use.span.start) is not None
    wanted = [header for header in headers if header not in included]
    if not conditional:
        included.update(wanted)
    if not wanted:
        return _deleted(parsed, use)
    opening, end = parsed.data[use.span.start : use.span.start + 1], newline(parsed.data)
    lines = [opening + header.encode() + (b'"' if opening == b'"' else b">") for header in wanted]
    return [Edit(use.span, (end + b"#include ").join(lines))]


def _deleted(parsed: ParsedFile, use: Use) -> list[Edit]:
    """Take the line out, or only the directive where a comment shares its line."""
    data = parsed.data
    start = data.rfind(b"\n", 0, use.extent.start) + 1
    at = data.find(b"\n", use.span.end)
    end = at + 1 if at >= 0 else len(data)
    if data[use.span.end : end].strip() or data[start : use.extent.start].strip(b" \t\xef\xbb\xbf"):
        return [Edit(Span(use.extent.start, use.span.end), b"")]
    bom = 3 if start == 0 and data.startswith(b"\xef\xbb\xbf") else 0
    return [Edit(Span(start + bom, end), b"")]
