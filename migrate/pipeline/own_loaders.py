"""NVML that a project declares and loads itself: one finding for the loader, in place of one for each of its names.

Such a project needs no header of NVIDIA's and links no library: it declares types, values and pointers to functions
under NVML's names, and looks for the library when it runs. The names compile for AMD as they are. What fails is the
search, so that the program runs without what NVML tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Rule, SourceFile
from cudamigrate.pipeline.cross_file import is_local
from cudamigrate.pipeline.own_names import OwnNames, Read
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "library/own-nvml"
_HEADER = "api/nvml-header"
_OF_NVML = "api/nvml-"
_CODE = ("cuda", "cxx")
_LOADS = re.compile(rb'"[^"\n]*(?:libnvidia-ml|nvml\.dll)[^"\n]*"', re.IGNORECASE)
"""The name of the library's file, as a program has it that loads it: `"libnvidia-ml.so.1"`."""
_NAME = rb"(nvml[A-Z]\w*|NVML_\w+)"
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PLACES = (
    rb"\btypedef\b[^;{}()]*?\b%s\s*;",
    rb"\b(?:enum|struct|union)\s+%s\s*\{",
    rb"\}\s*%s\s*;",
    rb"\(\s*\*\s*%s\s*\)\s*\(",
)
"""Where a type is declared, or a pointer to a function. A function that is declared has to be linked, so that it is
none of these."""
_VALUES = (
    rb"[{,]\s*%s\s*(?:=[^,{};]*)?(?=[,}])",
    rb"^[ \t]*#[ \t]*define[ \t]+%s\b",
)
"""Where an enumerator is declared, or a macro."""


def declaring(name: bytes, places: Sequence[bytes] = _PLACES) -> tuple[re.Pattern[bytes], ...]:
    """What finds the declarations of the names that a group of a pattern takes."""
    return tuple(re.compile(place % name, re.MULTILINE) for place in places)


_DECLARED = declaring(_NAME, (*_PLACES, *_VALUES))


def with_own_loaders(
    results: Sequence[FileResult], book: Rulebook, read: Read, paths: frozenset[str]
) -> list[FileResult]:
    """The results, with one finding where a file declares NVML's names and the project loads NVML itself.

    `paths` are those of all files, of which one may be included in place of NVIDIA's header.
    """
    rule = book.rules.get(RULE)
    findings = [one for result in results for one in result.findings if one.rule.startswith(_OF_NVML)]
    if rule is None or not findings or any(one.rule == _HEADER and not is_local(one, paths) for one in findings):
        return list(results)
    found = {path: names for path in sorted({one.path for one in findings}) if (names := _declared(path, read))}
    most = dict(sorted(found.items(), key=lambda item: -len(item[1])))
    if not most or not any(_loads(one, read) for one in results):
        return list(results)
    own = OwnNames(results, read)
    return counted(results, {one.path: uses for one in results if (uses := _own(one, most, own))}, rule)


def _declared(path: str, read: Read) -> frozenset[str]:
    """The names of NVML's that a file declares."""
    source = read(path)
    return declared(source, _DECLARED) if source is not None else frozenset()


def declared(source: SourceFile, places: Sequence[re.Pattern[bytes]]) -> frozenset[str]:
    """The names that a file declares, as `declaring` finds them."""
    text = _COMMENT.sub(b" ", source.data)
    return frozenset(name.decode("latin-1") for place in places for name in place.findall(text))


def _loads(result: FileResult, read: Read) -> bool:
    source = read(result.path) if result.language in _CODE and result.skip is None else None
    found = source is not None and _LOADS.search(source.data) is not None
    return found and source is not None and _LOADS.search(_COMMENT.sub(b" ", source.data)) is not None


def _own(result: FileResult, declared: Mapping[str, Set[str]], own: OwnNames) -> dict[Finding, str]:
    """The findings of a file on names that a file which it sees declares, each with that file."""
    found = {}
    for one in result.findings if any(f.rule.startswith(_OF_NVML) for f in result.findings) else ():
        places = (path for path, names in declared.items() if one.name in names and own.sees(result.path, path))
        if one.rule.startswith(_OF_NVML) and (path := next(places, "")):
            found[one] = path
    return found


def counted(results: Sequence[FileResult], names: Mapping[str, Mapping[Finding, str]], rule: Rule) -> list[FileResult]:
    """The results without some findings, by path; where the file is that declares what they are on, one for all.

    `names` has with each finding the path of that file.
    """
    counts: dict[str, int] = {}
    for path in (path for found in names.values() for path in found.values()):
        counts[path] = counts.get(path, 0) + 1
    return [
        replace(one, findings=tuple(_kept(one, names[one.path], rule, counts))) if one.path in names else one
        for one in results
    ]


def _kept(result: FileResult, names: Mapping[Finding, str], rule: Rule, counts: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of a file without those, and in a file that declares the names the one for all of them."""
    first = min((one for one in names if names[one] == result.path), key=lambda one: one.span, default=None)
    for one in result.findings:
        if one == first:
            message = rule.message.replace("{count}", f"{counts[result.path]:,}")
            yield replace(
                one,
                rule=rule.id,
                message=message,
                support=rule.support,
                outcome=rule.outcome,
                effort=rule.effort,
                fix=None,
                name="",
            )
        elif one not in names:
            yield one
