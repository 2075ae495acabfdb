"""Files without a name of CUDA's that look for nvcc or start it: their program compiles its kernels as it runs.

Each file that has CUDA's names is asked when it is inspected. Where a repository has none at all, nvcc is one compiler
among those that it knows, and what it says of it is not about its own code.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.model import FileResult
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _DETECTOR, _WORD = "build/nvcc-started", "started_compiler", b"nvcc"


def with_started_compilers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with what the detector finds in files of C++ that name nothing else of CUDA's."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or not any(one.cuda and one.language in ("cuda", "cxx") for one in results):
        return list(results)
    return [_asked(one, book, read) if _is_plain(one) else one for one in results]


def _is_plain(result: FileResult) -> bool:
    return result.language == "cxx" and not result.cuda and result.skip is None


def _asked(result: FileResult, book: Rulebook, read: Read) -> FileResult:
    source = read(result.path)
    if source is None or _WORD not in source.data:
        return result
    parsed = cuda.parse(source, frozenset())
    hits = [] if parsed.problems else engine.hits(_DETECTOR, parsed)
    found = [engine.finding_in(parsed, hit, book.rules[RULE]) for hit in hits if parsed.hip(hit.use.span.start) is None]
    return engine.with_more(result, found)
