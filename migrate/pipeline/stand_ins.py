"""Projects that build without CUDA too, where a header of their own declares CUDA's names: `#ifndef USE_CUDA` reads it.

Such a build may be made where no ROCm is, and HIP's header would declare the names a second time: what reads the
stand-in includes HIP's header behind the opposite condition, and the stand-in itself needs none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cudamigrate.cuda.lexer import include_path
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.frontends.cuda import GUARDS
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph, include_paths, lexed
from cudamigrate.pipeline.runtime_headers import ADDED

_UNSET = re.compile(rb"\s*!\s*defined\s*\(?\s*(\w+)\s*\)?\s*")
_SET = re.compile(rb"\s*defined\s*\(?\s*(\w+)\s*\)?\s*")
_ELSE = b"1"
_DECLARES = re.compile(
    rb"\busing\s+(cuda[A-Z]\w*_t)\s*=|\btypedef\b[^;{}()]{1,200}[\s*](cuda[A-Z]\w*_t)\s*;"
    rb"|^[ \t]*#[ \t]*define[ \t]+(__(?:device|global|shared)__)[ \t]*$",
    re.MULTILINE,
)
"""What CUDA's runtime declares: a type, or a mark of device code that is nothing here."""
_RUNTIME = "#include <hip/hip_runtime.h>"


def with_stand_ins(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, with HIP's header behind the condition that no stand-in for CUDA is read."""
    concerned = {one.path for one in results if any(finding.rule in ADDED for finding in one.findings)}
    code = [one.path for one in results if one.language in ("cuda", "cxx") and one.skip is None]
    stand_ins = {path for path in code if asked(read, path, declares)} if concerned else set[str]()
    if not stand_ins:
        return list(results)
    names, readers = {path.rpartition("/")[2] for path in stand_ins}, dict[str, set[str]]()
    tree, read_so = include_paths(read, code), set[str]()
    for path in code:
        for name, macro in asked(read, path, unset_includes) or ():
            meant = tree.nearest(path, name) if name.rpartition("/")[2] in names else []
            if len(meant) == 1 and meant[0] in stand_ins:
                readers.setdefault(macro, set()).add(path)
                read_so.add(meant[0])
    if not readers:
        return list(results)
    graph = include_graph(read, code)
    switch = {path: macro for macro in sorted(readers) for path in graph.above(readers[macro]) & concerned}
    return [
        _guarded(one, switch.get(one.path, ""), is_read_so=one.path in read_so) if one.path in concerned else one
        for one in results
    ]


def _guarded(result: FileResult, macro: str, is_read_so: bool) -> FileResult:
    if is_read_so:
        own = tuple(replace(one, fallback=True) for one in result.definitions)
        return replace(result, definitions=own, findings=tuple(one for one in result.findings if one.rule not in ADDED))
    return replace(result, findings=tuple(_behind(one, macro) for one in result.findings)) if macro else result


def _behind(finding: Finding, macro: str) -> Finding:
    if finding.rule not in ADDED or finding.fix is None:
        return finding
    edits = tuple(_edited(edit, macro) for edit in finding.fix.edits)
    return replace(finding, fix=replace(finding.fix, edits=edits))


def _edited(edit: Edit, macro: str) -> Edit:
    text = edit.replacement.decode("utf-8", "replace")
    if text.strip() != _RUNTIME:
        return edit
    end = "\r\n" if "\r\n" in text else "\n"
    before, _, after = text.partition(_RUNTIME)
    guarded = f"{before}#ifdef {macro}{end}{_RUNTIME}{end}#endif{after}"
    return replace(edit, replacement=guarded.encode())


def declares(source: SourceFile) -> bool:
    """Whether a file declares what CUDA's runtime does."""
    return _DECLARES.search(source.data) is not None


def unset_includes(source: SourceFile) -> tuple[tuple[str, str], ...]:
    """The includes in quotes that are read only where a macro of the project's is not set, each with that macro."""
    return tuple(_unset_includes(source)) if b"include" in source.data else ()


def _unset_includes(source: SourceFile) -> Iterable[tuple[str, str]]:
    tokens = lexed(source)
    parts = [(one, macro) for one in branches(tokens, ()) if (macro := _unset(one.conditions))]
    for directive in tokens.directives if parts else ():
        found = include_path(tokens.data, directive) if directive.name == "include" else None
        if found is not None and tokens.data[found[1] : found[1] + 1] == b'"':
            macros = (macro for part, macro in parts if part.start <= directive.start < part.end)
            yield from ((found[0], macro) for macro in macros)


def _unset(conditions: Sequence[bytes]) -> str:
    """The macro that is not set in a branch: of `#ifndef X`, of `#if !defined(X)` and of the `#else` of `#ifdef X`."""
    if not conditions:
        return ""
    match = _UNSET.fullmatch(conditions[-1]) if len(conditions) == 1 else None
    if len(conditions) == 2 and conditions[1] == _ELSE:
        match = _SET.fullmatch(conditions[0])
    name = "" if match is None else match[1].decode("latin-1")
    return "" if name in GUARDS or name.startswith("__") else name  # those are compilers' own, which differ for HIP
