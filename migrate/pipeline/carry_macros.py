"""Macros that pass on the carry of PTX, each with one instruction: `#define ADDC(c, a, b) asm("addc.cc.u32 ...")`.

What they become needs a variable in every function that expands them, in whichever file. All of them change together,
where each use is in a function whose way is followed; else they stay, and their findings say why.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence, Set

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Finding, Fix, Hit, Span
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import included, lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _SPLIT = "ptx/carry-variable", "ptx/split-statement"
_GROUP = "macros with a carry"


def with_carry_macros(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results; macros that pass on a carry are converted, and each function that expands one gets a variable."""
    holders = [one.path for one in results if one.language in ("cuda", "cxx") and _splits_macro(one, read)]
    if RULE not in book.rules or not holders:
        return list(results)
    files = _files(results, holders, port.marks, read)
    changed, added = _found(files, book)
    made = (_replaced(one, changed.get(one.path, {})) for one in results)
    return [engine.with_more(one, added.get(one.path, ())) for one in made]


def _splits_macro(result: FileResult, read: Read) -> bool:
    """Whether a macro of a file has an asm statement that depends on others."""
    spans = [one.span for one in result.findings if one.rule == _SPLIT]
    source = read(result.path) if spans else None
    if source is None:
        return False
    directives = (lexed(source).directive_at(span.start) for span in spans)
    return any(one is not None and one.name == "define" for one in directives)


def _found(
    files: Mapping[str, ParsedFile], book: Rulebook
) -> tuple[dict[str, dict[Span, Finding]], dict[str, list[Finding]]]:
    """By path: what takes the place of findings in macros, by their spans, and what brings the variable."""
    from cudamigrate.ptx import carry_chains, carry_macros, translate  # slow to import, and most trees have none

    changed, added = dict[str, dict[Span, Finding]](), dict[str, list[Finding]]()
    family = carry_macros.family(files)
    for path, uses in family.statements.items():
        parsed = files[path]
        for use in uses:
            found = translate.refused(parsed, use, family.why) if family.why else translate.carried(parsed, use)
            rule = book.rules.get(f"ptx/{found.rule}") if found is not None else None
            if found is not None and rule is not None:
                made = engine.finding_in(parsed, Hit(rule.id, use, found.words), rule)
                made = made if made.fix is None else replace(made, fix=replace(made.fix, group=_GROUP))
                changed.setdefault(path, {})[made.span] = made
    for path, sites in family.sites.items() if not family.why else ():
        parsed, rule = files[path], book.rules[RULE]
        for site in sites.values():
            use = parsed.named_use(parsed.source.text(site.first), site.first)
            hit = Hit(RULE, use, {"name": use.name, "function": site.function.name})
            edit = carry_chains.declared(parsed, site.function.body.start)
            made = replace(engine.finding_in(parsed, hit, rule), fix=Fix((edit,), rule.safety, _GROUP))
            added.setdefault(path, []).append(made)
    return changed, added


def _replaced(result: FileResult, found: Mapping[Span, Finding]) -> FileResult:
    """The result with new findings in place of those on the same statements."""
    if not found:
        return result
    kept = [one for one in result.findings if one.rule != _SPLIT or one.span not in found]
    spans = {one.span for one in result.findings if one.rule == _SPLIT}
    return replace(
        result, findings=tuple(engine.in_order([*kept, *(one for span, one in found.items() if span in spans)]))
    )


def _files(
    results: Sequence[FileResult], holders: Sequence[str], marks: Sequence[str], read: Read
) -> dict[str, ParsedFile]:
    """The files that may see the macros and name one of them, or one that expands one, parsed again."""
    from cudamigrate.ptx import carry_macros

    files: dict[str, ParsedFile] = {}
    near, waiting = _near(results, holders, read), list(holders)
    while waiting:
        found = ((path, read(path)) for path in waiting)
        files.update((path, cuda.parse(source, frozenset(), marks)) for path, source in found if source is not None)
        words = frozenset(name.encode("latin-1") for name in carry_macros.names(files.values()))
        waiting = [
            path
            for path in near
            if path not in files
            and (source := read(path)) is not None
            and not lexed(source).spellings.isdisjoint(words)
        ]
    return files


def _near(results: Sequence[FileResult], holders: Sequence[str], read: Read) -> list[str]:
    """The files that include one of the holders, by the names of files, and those that these include behind it."""
    includes, users, paths = dict[str, list[str]](), dict[str, set[str]](), dict[str, list[str]]()
    for result in results:
        source = read(result.path) if result.language in ("cuda", "cxx") and result.skip is None else None
        if source is None:
            continue
        own = posixpath.basename(result.path)
        paths.setdefault(own, []).append(result.path)
        for name, _, _ in included(source):
            base = posixpath.basename(name)
            includes.setdefault(own, []).append(base)
            users.setdefault(base, set()).add(own)
    above = _reached([posixpath.basename(path) for path in holders], users)
    behind = (name for own in above for name in _behind(includes.get(own, ()), above))
    return [path for name in sorted(above | _reached(sorted(behind), includes)) for path in paths.get(name, ())]


def _behind(included_: Sequence[str], above: Set[str]) -> Sequence[str]:
    """What a file includes behind the first header with the macros; nothing for that header itself."""
    first = next((at for at, name in enumerate(included_) if name in above), len(included_))
    return included_[first + 1 :]


def _reached(first: Sequence[str], edges: Mapping[str, Iterable[str]]) -> set[str]:
    seen, waiting = set(first), list(first)
    while waiting:
        more = set(edges.get(waiting.pop(), ())) - seen
        seen |= more
        waiting += more
    return seen
