"""NVML that a project declares and loads itself: one finding for the loader, in place of one for each of its names.

Such a project needs no header of NVIDIA's and links no library: it declares types, values and pointers to functions
under NVML's names, and looks for the library when it runs. The names compile for AMD as they are. What fails is the
search, so that the program runs without what NVML tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Rule
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
_DECLARED = tuple(
    re.compile(pattern % _NAME, re.MULTILINE)
    for pattern in (
        rb"\btypedef\b[^;{}()]*?\b%s\s*;",
        rb"\b(?:enum|struct|union)\s+%s\s*\{",
        rb"\}\s*%s\s*;",
        rb"[{,]\s*%s\s*(?:=[^,{};]*)?(?=[,}])",
        rb"^[ \t]*#[ \t]*define[ \t]+%s\b",
        rb"\(\s*\*\s*%s\s*\)\s*\(",
    )
)
"""Where a name is declared: a type, an enumerator, a macro, or a pointer to a function. A function that is declared has
to be linked, so that it is none of these."""


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
    declared = dict(sorted(found.items(), key=lambda item: -len(item[1])))
    if not declared or not any(_loads(one, read) for one in results):
        return list(results)
    own = OwnNames(results, read)
    made = [(result, _own(result, declared, own)) for result in results]
    counts = {path: sum(1 for _, names in made for at in names.values() if at == path) for path in declared}
    return [_judged(result, names, rule, counts) for result, names in made]


def _declared(path: str, read: Read) -> frozenset[str]:
    """The names of NVML's that a file declares."""
    source = read(path)
    text = _COMMENT.sub(b" ", source.data) if source is not None else b""
    return frozenset(name.decode("latin-1") for pattern in _DECLARED for name in pattern.findall(text))


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


def _judged(result: FileResult, names: Mapping[Finding, str], rule: Rule, counts: Mapping[str, int]) -> FileResult:
    if not names:
        return result
    return replace(result, findings=tuple(_kept(result, names, rule, counts)))


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
