"""Shell scripts that pass what they are given on to nvcc: `nvcc -O2 "$@"` makes each call of the script a call of nvcc.

The options that other scripts and Makefiles of the tree give it are for nvcc too, and nothing in their files says so.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import compiler_options
from cudamigrate.wording import count_of

RULE = "build/wrapped-compiler"
_RUNS = "environment/nvcc-command"
_PASSES = re.compile(rb"^[ \t]*(?:exec[ \t]+)?[\w./${}]*\bnvcc\b[^#\n]*?(?P<given>\$(?:[@*]|\{[@*]\}))", re.MULTILINE)
_CALLING = ("shell", "make")
_OPTIONS = re.compile(compiler_options.MARKS)


def with_wrapped_compilers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding in each such script whose callers have options of nvcc."""
    rule = book.rules.get(RULE)
    scripts = [one for one in results if one.language == "shell" and any(map(_is_run, one.findings))]
    if rule is None or rule.silent or not scripts:
        return list(results)
    calling = [one.path for one in results if one.language in _CALLING and one.skip is None]
    made = dict[str, Finding]()
    for one in scripts:
        source = read(one.path)
        passes = _PASSES.search(source.data) if source is not None else None
        callers = _callers(one.path, calling, read) if passes is not None else []
        if source is not None and passes is not None and callers:
            use = Use("name", "arguments", Span(*passes.span("given")), Span(*passes.span()), certainty="syntax")
            more = f" and {count_of(len(callers) - 1, 'other file')}" if len(callers) > 1 else ""
            words = {"script": posixpath.basename(one.path), "where": f"{callers[0]}{more}"}
            made[one.path] = engine.finding(source, Hit(RULE, use, words), rule)
    return [engine.with_more(one, [made[one.path]]) if one.path in made else one for one in results]


def _is_run(finding: Finding) -> bool:
    return finding.rule == _RUNS


def _callers(path: str, calling: Sequence[str], read: Read) -> list[str]:
    """The other files that name a script and have options that mean nvcc by themselves."""
    named = re.compile(rb"(?<![\w.-])%b(?![\w.-])" % re.escape(posixpath.basename(path).encode()))
    found = []
    for other in calling:
        source = read(other) if other != path else None
        if source is not None and named.search(source.data) and _OPTIONS.search(source.data):
            found.append(other)
    return found
