"""Quotients that CUDA rounds to nearest whatever its options say, where the build's options make clang's approximate.

nvcc's `--use_fast_math` and `-prec-div=false` leave `__fdiv_rn` and `__frcp_rn` alone. HIP's headers write them as
plain divisions, which the option of clang that stands for both is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "math/approximate-quotient"
_GIVES = frozenset(("build/flag-fast-math", "build/flag-precision"))
"""The rules for options of nvcc that become that of clang."""
_OPTION = b"-fno-hip-fp32-correctly-rounded-divide-sqrt"
_CALLED = re.compile(rb"(?<![\w.:>])(?:__fdiv_rn|__frcp_rn)(?=\s*\()")


def with_rounded_quotients(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such call in the code of a tree whose build gets the option."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or not any(map(_gives, (one for result in results for one in result.findings))):
        return list(results)
    code = [one for one in results if one.language in ("cuda", "cxx") and one.cuda and one.skip is None]
    sources = [source for one in code if (source := read(one.path)) is not None]
    made = {source.path: list(_findings(source, rule)) for source in sources}
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _gives(finding: Finding) -> bool:
    edits = finding.fix.edits if finding.rule in _GIVES and finding.fix is not None else ()
    return any(_OPTION in edit.replacement for edit in edits)


def _findings(source: SourceFile, rule: Rule) -> Iterator[Finding]:
    for match in lexed(source).matches(_CALLED, b"__fdiv_rn", b"__frcp_rn"):
        span, name = Span(*match.span()), match[0].decode()
        use = Use("name", name, span, span, certainty="token")
        yield engine.finding(source, Hit(RULE, use, {"function": "div_rn" if "div" in name else "rcp_rn"}), rule)
