"""Functions of CUDA's side that code of both vendors calls, and that HIP's side has nowhere: its build does not link.

Only names that no file of HIP's side has at all count. Another side, as one for processors, that defines functions
which HIP's side defines too cannot be linked with it: what it defines does not help.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.cuda.exported_functions import calls, exported, own
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import branches, switches
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Rule, Span, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.files_left_out import FUNCTION
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

_HEADER = re.compile(r"\.(?:h|hh|hpp|hxx|cuh|inl|inc)$")
_SEVERAL = 3
"""So many files of CUDA's side with an equivalent make two sides, of which a build takes one."""


def with_missing_functions(
    results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read
) -> list[FileResult]:
    """The results, with a finding at each such function; the same ones where HIP has no side of its own."""
    rule = book.rules.get(FUNCTION)
    code = {one.path for one in results if one.language in ("cuda", "cxx") and one.skip is None and not one.absent}
    cuda = {path for path in port.equivalents if path in code and port.equivalents[path] in port.hip_files}
    if rule is None or rule.silent or not port.is_port or len(cuda) < _SEVERAL:
        return list(results)
    if not port.hip_files & code <= port.compiled:  # of some of its files no build is seen
        return list(results)
    sides = _Sides(port, sorted(cuda), sorted(port.hip_files & code), read)
    if not sides.candidates:
        return list(results)
    gone = {*cuda, *port.hip_files, *port.lacking, *port.cuda_only, *port.aside, *port.unbuilt, *port.elsewhere}
    missing = sides.missing(sorted(code - gone), sorted(path for path in code if _HEADER.search(path)))
    made = {path: list(_findings(path, missing, sides, read, rule)) for path in sides.defined}
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


@dataclass(slots=True)
class _Sides:
    """The functions of both sides: `defined` are those of CUDA's by file, `candidates` what HIP's never names."""

    port: PortFacts
    cuda: Sequence[str]
    hip: Sequence[str]
    read: Read
    defined: dict[str, list[tuple[bytes, int]]] = field(default_factory=dict)
    answered: set[bytes] = field(default_factory=set)
    candidates: frozenset[bytes] = frozenset()

    def __post_init__(self) -> None:
        spoken = set[bytes]()
        for path in self.hip:
            source = self.read(path)
            if source is None or b"##" in source.data:  # names may be put together
                return
            spoken |= lexed(source).spellings
            self.answered.update(name for name, _ in exported(lexed(source)))
        for path in self.cuda:
            source = self.read(path)
            self.defined[path] = exported(lexed(source)) if source is not None else []
        self.candidates = frozenset(name for found in self.defined.values() for name, _ in found) - spoken

    def missing(self, shared: Sequence[str], headers: Sequence[str]) -> dict[bytes, str]:
        """The functions that files of both vendors call, each with the first place of a call.

        A header that defines one as `static` is for the builds without CUDA's definition, which it cannot be beside.
        """
        found, others = dict[bytes, str](), set[bytes]()
        for path in headers:
            source = self.read(path)
            if source is not None and any(name in source.data for name in self.candidates):
                others |= self.candidates.intersection(own(lexed(source)))
        for path in shared:
            source = self.read(path)
            if source is None or not any(name in source.data for name in self.candidates):
                continue
            tokens = lexed(source)
            defined = {name for name, _ in exported(tokens)}
            if defined & self.answered:
                continue  # a side of its own: HIP's side is not linked with it
            others |= defined & self.candidates
            for name, place in self._called(tokens):
                line = source.data.count(b"\n", 0, place) + 1
                found.setdefault(name, f"{path}:{line}")
        return {name: place for name, place in found.items() if name not in others}

    def _called(self, tokens: Lexed) -> Iterator[tuple[bytes, int]]:
        """The calls of a file that no condition leaves out, where it calls what HIP's side has as well."""
        parts = branches(tokens, ())
        if next(calls(tokens, frozenset(self.answered)), None) is None:
            return
        for name, place in calls(tokens, self.candidates):
            if not switches(parts, place):
                yield name, place


def _findings(path: str, missing: Mapping[bytes, str], sides: _Sides, read: Read, rule: Rule) -> Iterator[Finding]:
    """The definitions of one file of CUDA's side that HIP's side lacks."""
    source = read(path)
    for name, at in sides.defined[path] if source is not None else ():
        if name in missing and source is not None:
            text, span = name.decode("utf-8", "replace"), Span(at, at + len(name))
            words = {"place": missing[name], "file": sides.port.equivalents[path]}
            yield engine.finding(source, Hit(FUNCTION, Use("name", text, span, span, certainty="syntax"), words), rule)
