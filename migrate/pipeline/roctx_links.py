"""Commands of Makefiles that link code with ROCTx's header: NVTX 3 is headers alone, ROCTx is a library.

A build for NVIDIA links nothing for NVTX 3. Which library is needed says the header that a fix writes. What a command
links is known by the names of its objects and sources; an include that depends on a macro counts where the command or
the file defines it. Where the Makefile defines it in a branch, the library is linked in the builds that do.
"""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis import makefile_families, makefile_folders, makefile_links, makefile_variables
from cudamigrate.analysis.makefile_links import Program
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.cuda.preprocessor import branches, switches
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_paths, included, lexed
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import utf8

RULE = "build/make-roctx"
_LIBRARIES = {b"rocprofiler-sdk-roctx/roctx.h": "rocprofiler-sdk-roctx", b"roctracer/roctx.h": "roctx64"}
"""ROCTx's headers, and the library of each."""
_LINKED = re.compile(rb"-l[ \t]*nvToolsExt|roctx")
"""What links ROCTx already: `-lroctx64`, or NVTX's old library, which becomes it."""
_DEFINED = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_DEPTH = 60
"""How deep includes are followed."""
Need = tuple[frozenset[str], str]
"""A library, and the macros without which nothing needs it."""


def with_roctx_links(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each command of a Makefile that links such code without the library."""
    rule = book.rules.get(RULE)
    makefiles = [one.path for one in results if one.language == "make" and one.skip is None]
    written = {one.path: found for one in results if (found := list(_headers(one)))} if makefiles else {}
    if rule is None or rule.silent or not written:
        return list(results)
    code = [one.path for one in results if one.language in ("cuda", "cxx") and not one.absent]
    tree = _Tree(written, include_paths(read, code), read)
    files = {path: source.data for path in makefiles if (source := read(path)) is not None}
    families = makefile_families.families(files)
    needy = [path for path in code if tree.needs(path)]
    homes = {posixpath.dirname(path) for path in makefiles}
    made = {}
    for path, data in files.items():
        near = [one for one in needy if _home(one, homes) == posixpath.dirname(path)]
        if near:
            family = {path: data, **families.get(path, {})}
            made[path] = list(_findings(tree, path, family, near, rule))
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _headers(result: FileResult) -> Iterator[tuple[int, str]]:
    """Where a fix writes a header of ROCTx's, and the library of it."""
    for finding in result.findings:
        for edit in finding.fix.edits if finding.fix is not None else ():
            for header, library in _LIBRARIES.items():
                if header in edit.replacement:
                    yield edit.span.start, library


@dataclass(slots=True)
class _Tree:
    """Where headers of ROCTx's are written in a tree, by path, and what includes what."""

    written: Mapping[str, list[tuple[int, str]]]
    paths: IncludePaths
    read: Read

    _known: dict[str, list[Need]] = field(default_factory=dict)

    def needs(self, path: str, depth: int = 0) -> list[Need]:
        """The libraries that a file needs by itself or by what it includes, each with the macros it depends on."""
        if path not in self._known and depth <= _DEPTH:
            self._known[path] = []  # a file that includes itself
            self._known[path] = self._needs(path, depth)
        return self._known.get(path, [])

    def _needs(self, path: str, depth: int) -> list[Need]:
        source = self.read(path)
        if source is None:
            return []
        inner = [
            (span.start, more)
            for name, _, span in included(source)
            if len(one := self.paths.nearest(path, name)) == 1 and one[0] != path
            for more in self.needs(one[0], depth + 1)
        ]
        inner += [(at, (frozenset[str](), library)) for at, library in self.written.get(path, ())]
        if not inner:
            return []
        parts = branches(lexed(source), ())
        defined = {name.decode("utf-8", "replace") for name in _DEFINED.findall(source.data)}
        needs = ((frozenset(switches(parts, at)) | macros, library) for at, (macros, library) in inner)
        return list(dict.fromkeys((macros - defined, library) for macros, library in needs))


def _home(path: str, homes: set[str]) -> str | None:
    """The innermost folder around a file that has a Makefile."""
    folder = posixpath.dirname(path)
    while folder not in homes:
        if not folder:
            return None
        folder = posixpath.dirname(folder)
    return folder


def _findings(
    tree: _Tree, path: str, family: Mapping[str, bytes], near: Sequence[str], rule: Rule
) -> Iterator[Finding]:
    """The commands of one Makefile that lack the library, with the fix of each."""
    variables = makefile_variables.read(path, family)
    for one in makefile_links.programs(variables):
        if one.file is not variables.files[0] or _LINKED.search(one.text):
            continue
        linked = ((source, need) for source in near if _takes(one, source) for need in _given(tree, one, source))
        source, (macros, library) = next(linked, ("", (frozenset[str](), "")))
        if not source:
            continue
        use = Use("name", "link without ROCTx", one.word, one.word, certainty="syntax")
        words = {"source": posixpath.basename(source), "library": library}
        made = engine.finding(SourceFile(path, one.file.data, "make"), Hit(RULE, use, words), rule)
        text = one.file.text(one.span)
        if b"#" in text:  # the rest may be a remark, which would swallow the option
            yield replace(made, support="manual", effort="trivial")
            continue
        end = one.span.start + len(text.rstrip(b" \t\r\n\\"))
        folder = "" if one.by_nvcc or b"-L" in one.text else " -L/opt/rocm/lib"
        option = f"{folder} -l{library}".encode()
        for macro in sorted(macros):
            option = _chosen(variables, one, macro, option)
        yield replace(made, fix=Fix((Edit(Span(end, end), option),), rule.safety))


def _chosen(variables: Variables, program: Program, macro: str, option: bytes) -> bytes:
    """An option to link, under the condition that a variable defines a macro where the Makefile does so in branches."""
    defines = re.compile(rb"-D[ \t]*" + re.escape(macro.encode()) + rb"(?![\w])")
    if defines.search(program.file.text(program.span)):
        return option
    found = [
        (line.name, match[0], makefile_folders.conditions(file, line))
        for file in variables.files
        for line in file.lines
        if line.kind == "assignment" and (match := defines.search(file.text(line.value))) is not None
    ]
    if len({one[:2] for one in found}) != 1 or not all(around for *_, around in found):
        return option
    name, text, _ = found[0]
    return b" $(if $(findstring %b,$(%b)),%b)" % (text, name.encode(), option.strip())


def _takes(program: Program, source: str) -> bool:
    """Whether a command links a source or its object."""
    name = posixpath.basename(source)
    stem = posixpath.splitext(name)[0]
    objects = (f"{stem}.o", f"{stem}.obj", f"{name}.o")
    return any(fnmatch.fnmatchcase(one, taken) for one in (name, *objects) for taken in program.takes)


def _given(tree: _Tree, program: Program, source: str) -> Iterator[Need]:
    """The libraries that a source needs as a command compiles it: with what its options define, in any branch."""
    for macros, library in tree.needs(source):
        if all(re.search(rb"-D[ \t]*" + re.escape(macro.encode()) + rb"\b", program.text) for macro in macros):
            yield macros, library
