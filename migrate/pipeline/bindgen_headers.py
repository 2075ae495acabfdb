"""Rust's build scripts that let bindgen read a header which includes HIP's: clang alone gets no macro for the platform.

hipcc defines `__HIP_PLATFORM_AMD__`, and HIP's headers stop without it. That a header gets HIP's shows in the fixes of
it and of what it includes. A script, or a header, that names the macro itself is left alone.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import include_graph
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import rust_texts

RULE = "build/bindgen-platform"
_MACRO = b"__HIP_PLATFORM_AMD__"
_ARGUMENT = b'.clang_arg("-D__HIP_PLATFORM_AMD__")'
_OF_HIP = re.compile(rb"(?:hip|roc|rccl|miopen)[a-z]*/[\w/-]+\.h")
"""A header of ROCm's as fixes write it: `hipblas/hipblas.h`. All of its libraries' include that of HIP."""
_CODE = ("cuda", "cxx")


def with_bindgen_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each header in such a script that is read without the macro."""
    rule = book.rules.get(RULE)
    scripts = [one.path for one in results if one.language == "cargo" and one.path.endswith(".rs")]
    if rule is None or rule.silent or not scripts:
        return list(results)
    gets = {one.path for one in results if one.language in _CODE and any(map(_includes_hips, one.findings))}
    code = [one.path for one in results if one.language in _CODE and one.skip is None]
    made = list[FileResult]()
    for result in results:
        source = read(result.path) if result.path in scripts and gets else None
        named = list(_headers(source)) if source is not None else []
        found = []
        for path, text, call in named:
            below = include_graph(read, code).below({path}) if path in code else frozenset[str]()
            if source is not None and below & gets and not any(map(_says_itself, map(read, below))):
                found.append(_finding(source, text, call, rule))
        made.append(engine.with_more(result, found))
    return made


def _headers(source: SourceFile) -> Iterator[tuple[str, Span, Span]]:
    """The headers that a script has bindgen read: their paths, where they are named, and the calls.

    Cargo runs a script in the folder of its package, which is that of `build.rs`.
    """
    if b"bindgen" not in source.data or _MACRO in source.data:
        return
    for text, call in rust_texts.calls_with_one_text(source.data, "header"):
        name = source.data[text.start : text.end].decode("utf-8", "replace")
        yield posixpath.normpath(posixpath.join(posixpath.dirname(source.path), name)), text, call


def _includes_hips(finding: Finding) -> bool:
    """Whether the fix of a finding writes a header of ROCm's, and is made without being asked for."""
    fix = finding.fix
    return fix is not None and finding.automatic and any(_OF_HIP.search(edit.replacement) for edit in fix.edits)


def _says_itself(source: SourceFile | None) -> bool:
    return source is not None and _MACRO in source.data


def _finding(source: SourceFile, text: Span, call: Span, rule: Rule) -> Finding:
    """The finding at a header, whose fix passes the macro in the same chain of calls, on a line of its own if it is."""
    name = source.data[text.start : text.end].decode("utf-8", "replace")
    use = Use("name", name, text, text, (), "unknown", "syntax")
    start = source.data.rfind(b"\n", 0, call.start) + 1
    indent = source.data[start : call.start]
    line = newline(source.data) + indent if not indent.strip() else b""
    made = engine.finding(source, Hit(RULE, use), rule)
    return replace(made, fix=Fix((Edit(Span(call.end, call.end), line + _ARGUMENT),), rule.safety))
