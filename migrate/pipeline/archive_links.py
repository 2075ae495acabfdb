"""Links of Makefiles that take what a Makefile in another folder made, with device code not linked yet.

What a link in the same Makefile takes is known from its patterns alone there; which sources the tree has is known here.
With nvcc the step `-dlink` in an archive's folder does that, so that any compiler links the program, and nvcc links
objects of `-dc` without an option. clang does it in the last link. Which archive an option means is known by its name,
`-lsearch` is `libsearch.a`, and objects by their path.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.analysis import makefile_families, makefile_links, makefile_object_paths, makefile_variables
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

_RELOCATABLE = re.compile(rb"rdc|-dc\b|device-c\b|relocatable-device-code")
RULE = "build/make-archive-link"
OF_OBJECTS = "build/make-folder-link"
UNSEEN = "build/make-unseen-link"
_OTHERS = "build/make-device-link-other"
_OPTION = "build/flag-device-c"
_LINKS = ("build/make-device-link", RULE, OF_OBJECTS)
"""How the rules for links of such objects begin."""
_SHARED = re.compile(rb"rdc=true|relocatable-device-code")
"""An option that a link may be given as well, by the variable that holds it."""
_DIRECT = ("build/make-device-link", "build/make-device-link-gpus", _OTHERS)
"""The rules for a link that takes such objects, or an archive of them, by path."""


def with_archive_links(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such command that has none yet."""
    rules = [book.rules.get(RULE), book.rules.get(OF_OBJECTS)]
    archive, objects = (None if rule is None or rule.silent else rule for rule in rules)
    paths = [one.path for one in results if one.language == "make" and one.skip is None]
    files = {path: source.data for path in paths if (source := read(path)) is not None}
    if not any(map(_RELOCATABLE.search, files.values())):
        return list(results)
    families = makefile_families.families(files)
    read_as = {path: makefile_variables.read(path, {path: files[path], **families.get(path, {})}) for path in files}
    archives = {name for one in read_as.values() for name in makefile_links.archives(one)} if archive else set()
    left = {path: makefile_object_paths.relocated(one) for path, one in read_as.items()} if objects else {}
    stepped = any(makefile_links.STEP.search(data) for data in files.values())
    made: dict[str, list[Finding]] = {}
    results = [_without_hosts(one, read_as[one.path], results) if one.path in read_as else one for one in results]
    for result in (one for one in results if one.path in read_as):
        there = {finding.span.start for finding in result.findings if finding.rule in _DIRECT}
        variables = read_as[result.path]
        others = {name for path, names in left.items() if path != result.path for name in names}
        found = [*_of_archives(variables, archives, archive), *_of_objects(variables, others, stepped, objects)]
        made[result.path] = [one for one in found if one.span.start not in there]
    results = [engine.with_more(one, made.get(one.path, ())) for one in results]
    return list(results) if stepped else _with_unseen(results, files, book)


def _with_unseen(results: Sequence[FileResult], files: Mapping[str, bytes], book: Rulebook) -> list[FileResult]:
    """The results of a tree in whose Makefiles, the `files`, no link of such objects is known, with what leaves them.

    A link that may be given an option for them by a variable is not known either.
    """
    rule = book.rules.get(UNSEEN)
    links = (one for result in results if result.path in files for one in result.findings)
    if rule is None or rule.silent or any(map(_SHARED.search, files.values())):
        return list(results)
    if any(one.rule.startswith(_LINKS) for one in links):
        return list(results)
    more = {one.path: list(_unseen(one, files[one.path], rule)) for one in results if one.path in files}
    return [engine.with_more(one, more.get(one.path, ())) for one in results]


def _unseen(result: FileResult, data: bytes, rule: Rule) -> Iterator[Finding]:
    """The options of a Makefile by which objects are left to be linked, where no link of them is known."""
    for one in (one for one in result.findings if one.rule == _OPTION):
        use = Use("name", "objects without a link", one.span, one.span, certainty="syntax")
        yield engine.finding(SourceFile(result.path, data, "make"), Hit(UNSEEN, use), rule)


def _without_hosts(result: FileResult, variables: Variables, results: Sequence[FileResult]) -> FileResult:
    """A result without links by another compiler that take no object of a source of the tree with device code."""
    if not any(one.rule == _OTHERS for one in result.findings):
        return result
    names = frozenset(posixpath.basename(one.path) for one in results)
    known = {one.word for one in makefile_links.of(variables, names) if one.file is variables.files[0]}
    kept = tuple(one for one in result.findings if one.rule != _OTHERS or one.span in known)
    return replace(result, findings=kept)


def _of_archives(variables: Variables, archives: Set[str], rule: Rule | None) -> Iterator[Finding]:
    """The links of the first Makefile that take an archive by an option."""
    file = variables.files[0]
    for link, library in makefile_links.taking(variables, archives) if rule is not None else ():
        if rule is not None and link.file is file:
            use = Use("name", "link of an archive", link.word, link.word, certainty="syntax")
            yield engine.finding(SourceFile(file.path, file.data, "make"), Hit(RULE, use, {"library": library}), rule)


def _of_objects(variables: Variables, objects: Set[str], stepped: bool, rule: Rule | None) -> Iterator[Finding]:
    """The links of the first Makefile that take objects of other folders; nvcc's that name GPUs get the options."""
    source = SourceFile(variables.files[0].path, variables.files[0].data, "make")
    for link, taken in makefile_object_paths.taking(variables, objects, stepped) if rule is not None else ():
        if rule is None:
            break
        use = Use("name", "link of another folder's objects", link.word, link.word, certainty="syntax")
        found = engine.finding(source, Hit(OF_OBJECTS, use, {"objects": taken}), rule)
        if link.by_nvcc and not link.lacks_gpus:
            at = Span(link.word.end, link.word.end)
            yield replace(found, fix=Fix((Edit(at, b" -fgpu-rdc --hip-link"),), rule.safety))
        else:
            yield replace(found, support="manual", effort="trivial")
