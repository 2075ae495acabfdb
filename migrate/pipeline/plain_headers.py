"""Headers without CUDA that a CUDA file reads, and that declare a name which HIP's headers have as a macro.

Such a header is no file of CUDA's alone, and no rule on code of CUDA's is asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.foreign_headers import MACROS_OF_HIP
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph
from cudamigrate.rulebase.code_rules import Rulebook

_RULE = "build/hip-macro-name"
_DETECTOR = "hip_macro"


def with_macro_names(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding in each header without CUDA that a CUDA file reads and that declares such a name."""
    rule = book.rules.get(_RULE)
    if rule is None or rule.silent:
        return list(results)
    plain = (one.path for one in results if not one.cuda and one.skip is None and one.language == "cxx")
    naming = {path for path in plain if asked(read, path, _names)}
    units = [one.path for one in results if one.path.endswith(".cu") and one.skip is None] if naming else []
    if not units:
        return list(results)
    code = (one.path for one in results if one.language in ("cuda", "cxx"))
    below = include_graph(read, code).below(units)
    made = []
    for one in results:
        source = read(one.path) if one.path in naming and one.path in below else None
        parsed = None if source is None else cuda.parse(replace(source, language="cuda"), frozenset())
        hits = () if parsed is None or parsed.problems else tuple(engine.hits(_DETECTOR, parsed))
        more = [engine.finding_in(parsed, hit, rule) for hit in hits if parsed is not None]
        made.append(engine.with_more(one, more) if more else one)
    return made


def _names(source: SourceFile) -> bool:
    """Whether a text has one of the names."""
    return any(word in source.data for word in MACROS_OF_HIP)
