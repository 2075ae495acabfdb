"""Headers of libcu++ that HIP lacks, in files where nothing that is compiled with them names its namespace: they go.

All that such a header declares is in the namespace `cuda`, or spelled as a macro of the library. What is included may
be used by a file that includes it in turn, and by one that is included after it: files that includes join are looked at
together.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Rule, Span
from cudamigrate.pipeline import joined_files
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/unused-header"
_FOLDER = "cuda/"
_USES = re.compile(
    rb"(?<![\w:])cuda\s*::|(?<![\w:])::\s*cuda\s*::|\bnamespace\s+(?:\w+\s*=\s*)?(?:::\s*)?cuda\s*[;{]"
    rb"|\b(?:LIBCUDACXX|CCCL)_\w+|\b_(?:LIBCUDACXX|CCCL)_\w+"
)
"""The library's namespace, under its own or another name, and its macros; no `at::cuda::`. Each alternative begins with
a character of its own, by which it is found faster."""
_WORDS = (b"cuda", b"LIBCUDACXX", b"CCCL")


def with_unused_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with the includes that go in place of those that would need an equivalent."""
    rule = book.rules.get(RULE)
    shown = [one.path for one in results if any(map(_is_lacking, one.findings))]
    if not shown or rule is None or rule.silent:
        return list(results)
    groups = joined_files.groups(results, read)
    wanted = {groups[path] for path in shown if path in groups}
    for path, group in groups.items():
        if group in wanted and _uses(path, read):
            wanted.remove(group)  # one use is enough
    return [_with(one, rule, read) if groups.get(one.path) in wanted else one for one in results]


def _is_lacking(finding: Finding) -> bool:
    """Whether a finding is about a header of the library that stays, and does not compile."""
    header = finding.name.startswith(_FOLDER) and finding.excerpt.lstrip().startswith("#")
    return header and finding.fix is None and finding.outcome == "compile-error" and finding.support != "partial"


def _uses(path: str, read: Read) -> bool:
    """Whether code of a file names the library; a file that cannot be read may."""
    source = read(path)
    if source is None:
        return True
    if not any(word in source.data for word in _WORDS) or _USES.search(source.data) is None:
        return False
    return any(True for _ in lexed(source).matches(_USES))


def _with(result: FileResult, rule: Rule, read: Read) -> FileResult:
    """The result with its includes of such headers taken out."""
    source = read(result.path)
    if source is None or not any(map(_is_lacking, result.findings)):
        return result
    return replace(
        result,
        findings=tuple(_gone(one, rule, source.data) if _is_lacking(one) else one for one in result.findings),
    )


def _gone(finding: Finding, rule: Rule, data: bytes) -> Finding:
    start = data.rfind(b"\n", 0, finding.span.start) + 1
    end = data.find(b"\n", finding.span.end)
    end = len(data) if end < 0 else end + 1
    alone = not data[finding.span.end : end].strip()
    edit = Edit(Span(start, end if alone else finding.span.end), b"")
    return replace(
        finding,
        rule=rule.id,
        message=rule.message.format(text=f"<{finding.name}>", name=finding.name),
        support=rule.support,
        outcome=rule.outcome,
        effort=rule.effort,
        fix=Fix((edit,), "safe"),
        after="",
    )
