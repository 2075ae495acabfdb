"""Tests for newer NVIDIA GPUs or compilers in whose place nothing works on AMD, and whose code is converted: opened.

Behind such a test is what the newest GPUs of CUDA run. Where the file has nothing else, or something that only stops
or returns a zero, or a plain access in place of one that orders others, and all that is found behind the test is right
on AMD or has a fix, AMD takes it too. A test that switches on nothing but macros is opened where all code that asks
for them is so.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from cudamigrate.cuda.branch_effects import directives, does_nothing, gives_zero
from cudamigrate.cuda.branch_names import declared
from cudamigrate.cuda.conditions import at_version, question
from cudamigrate.cuda.lexer import Directive, Lexed
from cudamigrate.cuda.preprocessor import OPENING, condition_of
from cudamigrate.cuda.version_branches import Branches, branches_of
from cudamigrate.cuda.version_conditions import behind
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/opened-gate"
_RELEASES = frozenset(("api/CUDA_VERSION", "api/CUDART_VERSION"))
GATES = frozenset(
    ("build/vanished-code", "build/refused-arch", "build/arch-gate", "build/older-path", "build/gated-include")
)
_OTHER_WAYS = ("build/older-path", "build/arch-gate")
"""Rules on tests with another branch that works, or that writes some of what the first one writes."""
_CODE = ("cuda", "cxx")
_ASKS = ("if", "ifdef")
_HARMFUL = frozenset(("compile-error", "wrong-result", "missing"))
_OLD = 620
"""The last architecture that has nothing which some of AMD's GPUs lack: later ones have tensor cores, copies in the
background, and lanes that go on by themselves. Source: CUDA C++ Programming Guide, "Compute Capabilities"."""
_ASKED = re.compile(rb"\A(?:defined\s*\(?\s*)?(?P<name>[A-Za-z_]\w*)\s*\)?\Z")
"""A question for one macro: `NAME`, `defined(NAME)`."""
_ORDERED = re.compile(rb"\"\s*(?:ld|st)\.(?:\w+\.)*(?:relaxed|acquire|release|volatile|mmio)\b")
"""A load or store of PTX that other threads' accesses are ordered by, at the start of a string."""
_NAME, _ASKING = re.compile(rb"[A-Za-z_]\w*"), re.compile(rb"asm|__asm\w*|volatile|#|(?:if|for|while|do|return|goto)")


def with_opened_gates(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a fix for each such test in place of the finding that says what is left out."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent or not any(map(_is_gate, (f for one in results for f in one.findings))):
        return list(results)
    tree, made = _Tree(results, read), []
    for result in results:
        asks = tree.has(result.path) and any(map(_is_gate, result.findings))  # a text in another language has none
        source = read(result.path) if asks else None
        opened = {} if source is None else tree.opened(result, source)
        if source is not None and opened:
            asked = [(one, opened.get(one.span)) for one in result.findings]
            found = (one if at is None or not _is_gate(one) else _fixed(one, at, source, book) for one, at in asked)
            result = replace(result, findings=tuple(found))
        made.append(result)
    return made


def _is_gate(finding: Finding) -> bool:
    return (finding.rule in GATES or finding.rule in _RELEASES) and finding.fix is None


def _fixed(finding: Finding, asked: Directive, source: SourceFile, book: Rulebook) -> Finding:
    """The finding with the fix: the test, and words behind it that hold for AMD."""
    name = source.data[finding.span.start : finding.span.end]
    macro = amd_macro(name)
    condition = condition_of(source.data, asked)
    edits = _opened(source.data, asked, condition, macro.encode())
    use = Use("name", finding.name, finding.span, finding.span, (), "macro", "token")
    hit = Hit(RULE, use, {"name": name.decode("utf-8", "replace"), "macro": macro})
    made = engine.finding(source, hit, book.rules[RULE])
    return replace(made, fix=Fix(tuple(edits), "safe"), ordinal=finding.ordinal, unconditional=finding.unconditional)


def amd_macro(asked: bytes) -> str:
    """The macro that AMD's side of a test for a number of CUDA's is known by, where what is asked is read."""
    if b"__CUDA_ARCH__" in asked:
        return "__HIP_DEVICE_COMPILE__"
    if b"CUDA_VERSION" in asked or b"CUDART_VERSION" in asked:
        return "__HIP_PLATFORM_AMD__"  # they are in a header, which the compiler of the host reads too
    return "__HIPCC__" if b"__CUDACC_VER_" in asked else "__HIP_DEVICE_COMPILE__"


def _opened(data: bytes, asked: Directive, condition: Span, macro: bytes) -> Sequence[Edit]:
    """The edits by which a test holds for AMD too; `#ifdef` can ask for one macro alone and becomes `#if`."""
    asks = data[condition.start : condition.end]
    if asked.name != "ifdef":
        return behind(condition, b" || defined(" + macro + b")", bracketed=b"?" in asks)
    keyword = data.index(b"ifdef", asked.start)
    return [Edit(Span(keyword, condition.end), b"if defined(" + asks + b") || defined(" + macro + b")")]


class _Tree:
    """What the files of a repository show of the tests in them."""

    def __init__(self, results: Sequence[FileResult], read: Read) -> None:
        self._read = read
        self._paths = {one.path: one for one in results if one.language in _CODE and one.skip is None}
        self._places: dict[str, Places] = {}

    def has(self, path: str) -> bool:
        """Whether a file is code whose tests are read."""
        return path in self._paths

    def opened(self, result: FileResult, source: SourceFile) -> Mapping[Span, Directive]:
        """The findings of a file whose tests are opened, by their places, each with the test."""
        tokens, found = lexed(source), dict[Span, Directive]()
        branches = branches_of(tokens)
        for finding in filter(_is_gate, result.findings):
            asked = tokens.directive_at(finding.span.start)
            inside = branches.get(asked.start) if asked is not None else None
            if asked is None or inside is None or asked.name not in _ASKS:
                continue
            if not _is_of_newest(asked.argument(source.data)):
                continue
            if self._opens(finding, source, inside):
                found[finding.span] = asked
        return found

    def _opens(self, finding: Finding, source: SourceFile, gate: Branches) -> bool:
        """Whether AMD takes what is behind a test for what is newest: it is converted, and needed there."""
        tokens, places = lexed(source), self._of(source.path)
        is_whole = places.is_converted(gate.body, True)
        if finding.rule in _RELEASES:
            return is_whole and does_nothing(tokens, gate.other)
        if finding.rule == "build/gated-include":
            return places.all_fixed(directives(tokens, gate.body))
        if gate.other is not None and places.waits_for_grid(gate.body) and not _has_barrier(tokens, gate.other):
            return places.is_converted(gate.body, False)
        if _is_of_old(gate.asked.argument(source.data)):
            if _has_no_way(tokens, gate):
                return places.is_converted(gate.body, False) and _has_code(finding, source, gate.body)
            if is_whole and places.is_rewritten(gate.body):
                return finding.rule in _OTHER_WAYS
        if gate.other is not None and _is_assembly(places, gate.body) and _is_assembly(places, gate.other):
            return is_whole and places.is_converted(gate.other, True)
        if gate.other is not None and _is_ordered_anew(tokens, gate.body, gate.other):
            return is_whole
        if finding.rule == "build/arch-gate":
            return self._switches(tokens, gate)
        return is_whole and _has_no_way(tokens, gate)

    def _of(self, path: str) -> Places:
        if path not in self._places:
            self._places[path] = Places(self._paths[path].findings)
        return self._places[path]

    def _switches(self, tokens: Lexed, gate: Branches) -> bool:
        """Whether a test switches on nothing but macros, of which each is asked for converted code alone."""
        names = _only_defined(tokens, gate.body)
        if not names or gate.other is not None:
            return False
        some = False
        for path in self._paths:
            source = self._read(path)
            if source is None:
                return False
            if not any(name in source.data for name in names):
                continue
            for code in _questions(lexed(source), names):
                if code is None or not self._of(path).is_converted(code.body, False):
                    return False
                if not does_nothing(lexed(source), code.other):
                    return False
                some |= self._of(path).is_converted(code.body, True)
        return some


def _is_of_newest(condition: bytes) -> bool:
    """Whether a condition holds for the newest of CUDA's and fails where its macros are not defined."""
    asked = question(condition)
    return asked.undefined is False and asked.newest is True


def _is_assembly(places: Places, body: Span) -> bool:
    """Whether a branch has instructions of PTX: both ways of a test that has them in both are for NVIDIA's GPUs."""
    return any(one.group == "ptx" for one in places.inside(body))


def _is_ordered_anew(tokens: Lexed, body: Span, other: Span) -> bool:
    """Whether a branch is one access in PTX that other threads' accesses are ordered by, and the other a plain one.

    A plain load may be kept in a register or a cache of AMD's: what other blocks write is not seen, or late.
    """
    words = [tokens.text(one) for one in tokens.tokens(body.start, body.end)]
    plain = [tokens.text(one) for one in tokens.tokens(other.start, other.end)]
    is_one = words[:1] == [b"asm"] and words.count(b";") == 1 and plain.count(b";") == 1
    is_plain = b"=" in plain and not any(_ASKING.fullmatch(one) for one in plain)
    calls = any(_NAME.fullmatch(one) and after == b"(" for one, after in pairwise(plain))
    return is_one and is_plain and not calls and _ORDERED.search(tokens.data, body.start, body.end) is not None


def _has_barrier(tokens: Lexed, branch: Span) -> bool:
    """Whether a branch has a barrier of a group, by its name: of a function's barriers of the grid one is found."""
    return any(branch.start <= at < branch.end for at in tokens.words(frozenset((b"sync",))))


def _is_of_old(condition: bytes) -> bool:
    """Whether a condition asks for no more than what AMD's GPUs all have: doubles, atomics, half precision."""
    asked = question(condition)
    return asked.macros == (b"__CUDA_ARCH__",) and at_version(condition, _OLD) is True


def _has_code(finding: Finding, source: SourceFile, body: Span) -> bool:
    """Whether a branch has a part of a function in it, or whole functions; macros alone may be asked for anywhere."""
    if finding.rule != "build/arch-gate":
        return True
    found = declared(source.data[body.start : body.end])
    return bool(found.functions) and not found.others


class Places:
    """The findings of a file by where they begin."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._order = sorted(findings, key=_start)
        self._starts = list(map(_start, self._order))

    def inside(self, body: Span) -> Sequence[Finding]:
        """Those in a branch."""
        return self._order[bisect_left(self._starts, body.start) : bisect_left(self._starts, body.end)]

    def is_converted(self, body: Span, some: bool) -> bool:
        """Whether nothing harmful that is found in a branch is left to do; with `some`, whether anything is found."""
        inside = self.inside(body)
        left = any(one.outcome in _HARMFUL and not one.automatic for one in inside)
        return not left and (not some or bool(inside))

    def is_rewritten(self, body: Span) -> bool:
        """Whether warp-level code or PTX of a branch is rewritten for AMD."""
        return any(one.group in ("warp", "ptx") and one.automatic for one in self.inside(body))

    def waits_for_grid(self, body: Span) -> bool:
        """Whether a branch has a barrier of all blocks, in whose place one of a block orders too little."""
        return any(one.rule == "cooperative-groups/grid-sync" for one in self.inside(body))

    def all_fixed(self, lines: Sequence[Directive]) -> bool:
        """Whether each of some includes is replaced by another one, and not just left out."""
        fixes = (one.fix for one in self._order if one.automatic and one.fix is not None)
        fixed = [edit.span.start for fix in fixes for edit in fix.edits if edit.replacement.strip()]
        return all(any(line.start <= at < line.end for at in fixed) for line in lines if line.name == "include")


def _start(finding: Finding) -> int:
    return finding.span.start


def _has_no_way(tokens: Lexed, gate: Branches) -> bool:
    """Whether nothing works in place of a branch: no code, a stop, or a zero where the branch calculates a value."""
    return does_nothing(tokens, gate.other) or (gate.other is not None and gives_zero(tokens, gate.body, gate.other))


def _only_defined(tokens: Lexed, body: Span) -> frozenset[bytes]:
    """The macros that a branch defines without a value, where it does nothing else; tests may be in it."""
    names = set[bytes]()
    for token in tokens.tokens(body.start, body.end):
        if tokens.directive_at(token.start) is None:
            return frozenset()
    for one in tokens.directives:
        if not body.start <= one.start < body.end or one.name in (*OPENING, "endif"):
            continue
        match = re.fullmatch(rb"[A-Za-z_]\w*", one.argument(tokens.data))
        if one.name != "define" or match is None:
            return frozenset()
        names.add(match[0])
    return frozenset(names)


def _questions(tokens: Lexed, names: frozenset[bytes]) -> list[Branches | None]:
    """The code that is switched by macros in a file; None for one that is named in any other way."""
    branches, found = branches_of(tokens), list[Branches | None]()
    for at in tokens.words(names):
        directive = tokens.directive_at(at)
        if directive is not None and directive.name == "define" and directive.argument(tokens.data) in names:
            continue
        inside = branches.get(directive.start) if directive is not None else None
        match = _ASKED.match(directive.argument(tokens.data)) if directive is not None else None
        if inside is None or match is None or directive is None or directive.name == "ifndef":
            found.append(None)
        else:
            found.append(inside)
    return found
