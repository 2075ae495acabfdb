"""Code under a macro which nothing sets: no build of the repository has it, so it asks for no work.

A macro is set by nobody where no code defines it or names it outside of conditions, and no build file, script or
documentation has it; what a comment in a build file says, nobody reads but people. A linker never asks for what no
build compiles, so variables and functions of other files go; so do remarks that code is slower. Other findings stay, in
case somebody gives the macro on a command line, and say so. Where no build file is seen, nobody knows how the code is
compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import port_builds, port_unset
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Inventory, SourceFile
from cudamigrate.pipeline.linked_device_code import RULES
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, spelled_includes

_CODE = frozenset(("cuda", "cxx", "cython"))
_REMARK = re.compile(rb"(?m)(?:^|(?<=\s))#.*")
"""What build files and scripts have for people."""
_REMARK_OF_MAKE = re.compile(rb"(?m)^((?!\t)(?:[^#\n\\]|\\.)*)#.*")
"""The same outside of a Makefile's recipes, where a remark begins within a word too: `FLAGS = -O2#-DSLOW`."""
_MACRO = re.compile(r"[A-Za-z_]\w*")
_SAID = "Nothing here sets `{}`, without which this is not compiled."


def without_unset(results: Sequence[FileResult], inventory: Inventory, read: Read, aside: Read) -> list[FileResult]:
    """The results with such findings as no work; `aside` reads files of no known language."""
    is_built = any(entry.language in port_builds.BUILD_LANGUAGES for entry in inventory.entries)
    asks = _is_asked if is_built else _is_of_linker
    wanted = frozenset(
        name
        for one in results
        for finding in one.findings
        if finding.switches and asks(finding)
        for name in finding.switches
    )
    wanted = frozenset(name for name in wanted if _MACRO.fullmatch(name) and port_unset.is_switch(name))
    unset = _unset(wanted, inventory, read, aside) if wanted else wanted
    if not unset:
        return list(results)
    return [_without(one, unset) for one in results]


def _is_of_linker(finding: Finding) -> bool:
    return finding.rule in RULES


def _is_asked(finding: Finding) -> bool:
    return _is_of_linker(finding) or finding.is_work or finding.is_remark


def _without(result: FileResult, unset: frozenset[str]) -> FileResult:
    made = [_judged(one, unset) for one in result.findings]
    kept = tuple(one for one in made if one is not None)
    return result if kept == result.findings else replace(result, findings=kept)


def _judged(finding: Finding, unset: frozenset[str]) -> Finding | None:
    """A finding as no work where such a macro is asked around it; None for one of a linker or of speed alone."""
    names = [] if unset.isdisjoint(finding.switches) else [one for one in finding.switches if one in unset]
    if not names or not _is_asked(finding):
        return finding
    if _is_of_linker(finding) or finding.is_remark:
        return None
    return finding.without_work(_SAID.format(names[0]))


def _unset(wanted: frozenset[str], inventory: Inventory, read: Read, aside: Read) -> frozenset[str]:
    """Those of some macros that nothing sets."""
    code = [entry.path for entry in inventory.entries if entry.language in _CODE]
    for path, reader in (*((path, read) for path in code), *((path, aside) for path in inventory.passed_over)):
        source = _source(path, wanted, reader)
        if source is not None:
            wanted -= port_unset.mentioned(source, wanted)
    for path, reader in _others(inventory, read, aside):
        source = _source(path, wanted, reader)
        if source is not None:
            wanted -= port_unset.spoken(source.data if reader is aside else _read_by_tools(source), wanted)
    if not wanted:
        return wanted
    own = frozenset(entry.path.rpartition("/")[2] for entry in inventory.entries)
    included = {header for path in code for header in asked(read, path, spelled_includes) or ()}
    foreign = port_unset.stems(included, own)
    return frozenset(name for name in wanted if not port_unset.is_foreign(name, foreign))


def _read_by_tools(source: SourceFile) -> bytes:
    """What is in a build file or a script for more than people."""
    data = _REMARK_OF_MAKE.sub(rb"\1", source.data) if source.language == "make" else source.data
    return _REMARK.sub(b"", data)


def _others(inventory: Inventory, read: Read, aside: Read) -> Iterator[tuple[str, Read]]:
    """The files that are no code, each with what reads it."""
    yield from ((entry.path, read) for entry in inventory.entries if entry.language not in _CODE)
    yield from ((path, aside) for path in (*inventory.configuring, *inventory.naming, *inventory.scripts))


def _source(path: str, wanted: frozenset[str], read: Read) -> SourceFile | None:
    """The source of a path while something is wanted."""
    return read(path) if wanted else None
