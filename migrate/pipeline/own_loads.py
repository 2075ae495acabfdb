"""`__ldg` of types that HIP has none for, where a header of the project defines it for HIP or for both vendors."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.preprocessor import branches
from cudamigrate.frontends.cuda import GUARDS
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import OwnNames, Read
from cudamigrate.pipeline.read_again import asked, lexed

RULE = "memory/load-type"
_LANGUAGES = ("cuda", "cxx")
_TYPE = re.compile(r"`__ldg` for `([\w:]+)`")
_DEFINED = re.compile(
    rb"\b__ldg\s*\(\s*(?:const\s+)?(?P<type>[\w:]+)(?:\s+const)?\s*\*\s*(?:(?:__restrict__|const)\s+)*\w*\s*\)\s*\{"
)
"""A function that takes a pointer to the type: `at::Half __ldg(const at::Half *p) {`."""
_MARKS = frozenset(name.encode() for name in GUARDS)


def without_own_loads(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on a load that HIP has by a definition of the project's that the file reads."""
    if not any(one.rule == RULE for result in results for one in result.findings):
        return list(results)
    code = (one.path for one in results if one.language in _LANGUAGES and one.skip is None)
    defined = {path: frozenset(types) for path in code if (types := asked(read, path, _types))}
    own = OwnNames(results, read)

    def has(finding: Finding) -> bool:
        said = _TYPE.search(finding.message) if finding.rule == RULE else None
        name = _plain(said[1]) if said is not None else ""
        return bool(name) and any(name in types and own.sees(finding.path, at) for at, types in defined.items())

    if not defined:
        return list(results)
    return [replace(one, findings=tuple(each for each in one.findings if not has(each))) for one in results]


def _types(source: SourceFile) -> tuple[str, ...]:
    """The types for which a file defines the load where HIP compiles it."""
    if b"__ldg" not in source.data:
        return ()
    tokens = lexed(source)
    found = list(tokens.matches(_DEFINED, b"__ldg"))
    parts = branches(tokens, _MARKS) if found else ()
    cudas = [one for one in parts if one.hip is False]
    read = (one for one in found if not any(part.start <= one.start() < part.end for part in cudas))
    return tuple(_plain(one["type"].decode()) for one in read)


def _plain(spelled: str) -> str:
    """A type without the namespace, of which PyTorch has three for one type, and without NVIDIA's underscores."""
    return spelled.rpartition("::")[2].lstrip("_").removeprefix("hip_").removeprefix("nv_")
