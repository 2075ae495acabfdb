"""Links of Makefiles that take an archive made by a Makefile in another folder, with device code not linked yet.

With nvcc the step `-dlink` in the archive's folder does that, so that any compiler links the program. clang does it in
the last link. Which archive an option means is known by its name: `-lsearch` is `libsearch.a`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.analysis import makefile_links, makefile_variables
from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Rule, SourceFile, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

_RELOCATABLE = re.compile(rb"rdc|-dc\b|device-c\b|relocatable-device-code")
RULE = "build/make-archive-link"
_DIRECT = ("build/make-device-link", "build/make-device-link-other")
"""The rules for a link that takes such objects, or an archive of them, by path."""


def with_archive_links(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such command that has none yet."""
    rule = book.rules.get(RULE)
    paths = [one.path for one in results if one.language == "make" and one.skip is None]
    files = {path: source.data for path in paths if (source := read(path)) is not None}
    if rule is None or rule.silent or not any(map(_RELOCATABLE.search, files.values())):
        return list(results)
    families = makefile_variables.families(files)
    read_as = {path: makefile_variables.read(path, {path: files[path], **families.get(path, {})}) for path in files}
    archives = {name for variables in read_as.values() for name in makefile_links.archives(variables)}
    made = {one.path: list(_findings(one, read_as, archives, rule)) for one in results if one.path in read_as}
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _findings(
    result: FileResult, read_as: Mapping[str, makefile_variables.Variables], archives: Set[str], rule: Rule
) -> Iterator[Finding]:
    variables = read_as[result.path]
    there = {finding.span.start for finding in result.findings if finding.rule in _DIRECT}
    for link, library in makefile_links.taking(variables, archives):
        if link.file is variables.files[0] and link.word.start not in there:
            use = Use("name", "link of an archive", link.word, link.word, certainty="syntax")
            source = SourceFile(result.path, link.file.data, "make")
            yield engine.finding(source, Hit(RULE, use, {"library": library}), rule)
