"""Files that name a small floating-point type, or a library, whose header nothing that they read includes.

CUDA's header came by way of another library, as PyTorch's for nvcc include `cuda_bf16.h`. HIP's may not: the file gets
an include of its own. A header gets it unless all files that include it have it, and then those files need none. Of a
library the header is lacking where one is read that brings it for CUDA and not for HIP, as `cutil_inline.h` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from cudamigrate.cuda.include_insertion import beside
from cudamigrate.cuda.include_paths import IncludePaths, closure
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Fix, Hit
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, spelled_includes
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/number-type-include"
LIBRARY = "build/library-include"
_ADDED = "build/number-type-header"
"""The rule for what a header of CUDA's in the same file brings."""
_NAMED = {
    "hip/hip_fp16.h": re.compile(r"api/(?:__)?nv_half\w*"),
    "hip/hip_bf16.h": re.compile(r"api/(?:__)?nv_bfloat16\w*"),
    "hip/hip_fp8.h": re.compile(r"api/__nv_fp8\w*"),
    "hipfft/hipfft.h": re.compile(r"api/(?:cufft(?!Xt)|CUFFT_)\w+"),
    "hipblas/hipblas.h": re.compile(
        r"api/(?:cublas(?!Lt|Xt|Operation_t|FillMode_t|SideMode_t)|CUBLAS_(?!LT_|OP_|FILL_|SIDE_))\w+"
    ),
    "hipsparse/hipsparse.h": re.compile(r"api/(?:cusparse(?!Lt|MatDescr_t)|CUSPARSE_(?!LT_))\w+"),
}
"""The rules about the names that a header declares, which are those about CUDA's; hipSOLVER's declares some itself."""
_HEADERS = {
    "hip/hip_fp16.h": re.compile(r"(?:.*/)?(?:cuda_fp16\.hp?p?|hip_fp16\.h)"),
    "hip/hip_bf16.h": re.compile(r"(?:.*/)?(?:cuda_bf16\.hp?p?|hip_bf16\.h|hip_bfloat16\.h)"),
    "hip/hip_fp8.h": re.compile(r"(?:.*/)?(?:cuda_fp[468]\.hp?p?|hip_fp[468]\.h)"),
    "hipfft/hipfft.h": re.compile(r"(?:.*/)?(?:cufft(?:Xt|w)?|cudalibxt|hipfft(?:Xt)?)\.h"),
    "hipblas/hipblas.h": re.compile(r"(?:.*/)?(?:cublas\w*|hipblas\w*)\.h"),
    "hipsparse/hipsparse.h": re.compile(r"(?:.*/)?(?:cusparse(?:_v2)?|hipsparse)\.h"),
}
"""CUDA's and HIP's headers that declare them, by whatever path."""
_BRINGS = {
    "hipfft/hipfft.h": re.compile(r"(?:.*/)?cutil_inline(?:_runtime)?\.h"),
    "hipblas/hipblas.h": re.compile(r"(?:.*/)?cusolver(?:Dn|Sp|Mg)\.h"),
    "hipsparse/hipsparse.h": re.compile(r"(?:.*/)?cusolverSp\.h"),
}
"""The headers of others that include a library's for CUDA, and whose equivalents do not, or that have none."""
_LANGUAGES = ("cuda", "cxx")
_UNITS = (".cu", ".cpp", ".cc", ".cxx", ".c")


def with_number_type_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding in each file that needs such an include."""
    tree = _Tree(results, read)
    more: dict[str, list[Finding]] = {}
    for header in _NAMED:
        rule = book.rules.get(LIBRARY if header in _BRINGS else RULE)
        for path, named in tree.needing(header) if rule is not None and not rule.silent else ():
            made = _finding(path, named, header, book, read)
            more.setdefault(path, []).extend([made] if made is not None else [])
    return [engine.with_more(one, more.get(one.path, ())) for one in results]


def _finding(path: str, named: Finding, header: str, book: Rulebook, read: Read) -> Finding | None:
    """The finding at the first place that names the type; None where the file cannot be read again."""
    source = read(path)
    parsed = None if source is None else cuda.parse(source, frozenset())
    if source is None or parsed is None or parsed.problems:
        return None
    use = parsed.named_use(header, named.span, "token")
    name = source.data[named.span.start : named.span.end].decode("utf-8", "replace")
    rule = LIBRARY if header in _BRINGS else RULE
    found = engine.finding_in(parsed, Hit(rule, use, {"name": name, "header": header}), book.rules[rule])
    return replace(found, fix=Fix((beside(parsed, header),), "safe"))


@dataclass(slots=True)
class _Tree:
    """The files of a repository, and what each includes as far as somebody asked."""

    results: Sequence[FileResult]
    read: Read
    _paths: IncludePaths | None = None
    _included: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _below: dict[str, frozenset[str]] = field(default_factory=dict)

    def needing(self, header: str) -> list[tuple[str, Finding]]:
        """The files that get the include of a header, with the first finding on a type of it."""
        own = {definition.name for one in self.results for definition in one.definitions}
        named = {one.path: found for one in self.results if (found := _first(one, header, own)) is not None}
        lacking = {path for path in named if not self._has(path, header)}
        if not lacking:
            return []
        users = self._users(lacking)
        lacking = {path for path in lacking if self._is_brought((path, *users[path]), header)}
        given = {
            path
            for path in lacking
            if not path.endswith(_UNITS) and not (users[path] and all(self._has(one, header) for one in users[path]))
        }
        given |= {path for path in lacking if path.endswith(_UNITS) and not given & self._reached(path)}
        inner = {path for path in given if given & (self._reached(path) - {path})}
        return [(path, named[path]) for path in sorted(given - inner)]

    def _has(self, path: str, header: str) -> bool:
        """Whether a file, or one of the tree that it includes, includes the header, by a fix where need be."""
        reached = self._reached(path)
        if any(_HEADERS[header].fullmatch(name) for at in reached for name in self._names(at)):
            return True
        fixed = (finding for one in self.results if one.path in reached for finding in one.findings)
        return any(one.rule == _ADDED and f"<{header}>" in one.message for one in fixed)

    def _is_brought(self, paths: Sequence[str], header: str) -> bool:
        """Whether one of some files reads a header, none of the tree's, that brings this one for CUDA.

        Of a header for a type nobody knows all that brings it.
        """
        brings = _BRINGS.get(header)
        if brings is None:
            return True
        reached = frozenset[str]().union(*map(self._reached, paths))
        named = ((at, name) for at in reached for name in self._names(at) if brings.fullmatch(name))
        return any(self._paths is None or not self._paths.nearest(at, name) for at, name in named)

    def _users(self, wanted: set[str]) -> dict[str, list[str]]:
        """The units that read each of some files."""
        units = [one.path for one in self.results if one.language in _LANGUAGES and one.path.endswith(_UNITS)]
        found: dict[str, list[str]] = {path: [] for path in wanted}
        for unit in units:
            for path in wanted & self._reached(unit):
                if path != unit:
                    found[path].append(unit)
        return found

    def _reached(self, path: str) -> frozenset[str]:
        """A file, and the files of the tree that it includes."""
        if path not in self._below:
            self._below[path] = closure((path,), self._targets)
        return self._below[path]

    def _targets(self, path: str) -> Iterator[str]:
        if self._paths is None:
            self._paths = IncludePaths(one.path for one in self.results)
        for name in self._names(path):
            found = self._paths.nearest(path, name)
            yield from found if len(found) == 1 else ()

    def _names(self, path: str) -> tuple[str, ...]:
        """What the includes of a file spell."""
        if path not in self._included:
            self._included[path] = asked(self.read, path, spelled_includes) or ()
        return self._included[path]


def _first(result: FileResult, header: str, own: Set[str]) -> Finding | None:
    """The first finding of a file of code on a type that a header declares, and that is none of the project's `own`."""
    if not result.findings or result.language not in _LANGUAGES or result.skip is not None:
        return None
    named = (one for one in result.findings if _NAMED[header].fullmatch(one.rule))
    return next((one for one in named if one.rule.partition("/")[2] not in own), None)
