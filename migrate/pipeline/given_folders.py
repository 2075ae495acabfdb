"""CUDA's folder that recipes and scripts give make in a variable whose readers the conversion renamed.

`$(MAKE) CUDA_DIR=/usr/local/cuda` sets nothing once the Makefiles read `ROCM_PATH`. What is on make's command line is
passed on to each make below it, so that all Makefiles of the tree count as readers, whatever folder make runs in; so is
what is in its environment, `CUDA_DIR=/usr/local/cuda $(MAKE)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.analysis import makefile_folders, makefile_given
from cudamigrate.analysis.makefile_given import Given
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import makefile, shell

RULE = "build/make-folder-given"
ROCM = b"ROCM_PATH"
_READ = re.compile(rb"(?:\$[({]|\bifn?def[ \t]+)(" + makefile_folders.NAMES + rb")(?![\w.-])")
_MAKE = ("make", "gmake")


def with_given_folders(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such variable: renamed where all readers are, else left to do."""
    rule = book.rules.get(RULE)
    makefiles = {one.path: one for one in results if one.language == "make" and one.skip is None}
    sources = {path: source for path in makefiles if (source := read(path)) is not None}
    renamed, kept = _readers(makefiles, sources)
    if rule is None or rule.silent or not renamed:
        return list(results)
    scripts = [one.path for one in results if one.language == "shell" and one.skip is None]
    sources |= {path: source for path in scripts if (source := read(path)) is not None}
    made = {
        one.path: [_finding(one, source, each, rule, kept) for each in _given(source) if each.name in renamed]
        for one in results
        if (source := sources.get(one.path)) is not None
    }
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _readers(
    makefiles: Mapping[str, FileResult], sources: Mapping[str, SourceFile]
) -> tuple[frozenset[str], frozenset[str]]:
    """The variables that Makefiles read by another name after the conversion, and those that one reads as before."""
    renamed, kept = set[str](), set[str]()
    for path, source in sources.items():
        fixes = [one.fix for one in makefiles[path].findings if one.fix is not None]
        edits = [edit for fix in fixes for edit in fix.edits]
        for match in _READ.finditer(source.data):
            new = [one for one in edits if one.span.start <= match.start(1) < one.span.end]
            named = match[1].decode()
            if any(ROCM in one.replacement for one in new):
                renamed.add(named)
            elif not new:
                kept.add(named)
    return frozenset(renamed), frozenset(kept)


def _given(source: SourceFile) -> Iterator[Given]:
    """The variables that a Makefile's recipes or a script's commands give make."""
    if source.language == "make":
        file = Makefile(source.path, source.data, tuple(makefile.read(source.data)))
        yield from makefile_given.in_file(file)
        yield from makefile_given.in_environment(file)
    elif b"make" in source.data:
        for command in shell.read(source.data, Span(0, len(source.data))).commands:
            words = [word.span for word in command.words[1:]] if command.name in _MAKE else []
            yield from makefile_given.among(source.data, words)


def _finding(result: FileResult, source: SourceFile, one: Given, rule: Rule, kept: Set[str]) -> Finding:
    """The finding at a variable, with the new name where a fix makes what it holds ROCm's folder, as safe as that."""
    use = Use("name", one.name, one.at, one.at, certainty="syntax")
    made = engine.finding(source, Hit(RULE, use, {}), rule)
    value = source.data[one.value.start : one.value.end]
    whole = Span(one.value.start, one.value.start + len(value.rstrip(b" \t/")))
    fixes = [each.fix for each in result.findings if each.fix is not None]
    fix = next((each for each in fixes if any(_is_all(whole, edit.span) for edit in each.edits)), None)
    if one.name in kept or fix is None:
        return replace(made, support="manual", effort="trivial")
    return replace(made, fix=Fix((Edit(one.at, ROCM),), fix.safety))


def _is_all(value: Span, edit: Span) -> bool:
    """Whether an edit takes a whole value's place, or that of the name in `$(NAME)`."""
    return value.start <= edit.start <= value.start + 2 and value.end - 1 <= edit.end <= value.end
