"""Tests of CUDA's macros that fail on AMD and have a finding -> the complaints that are about what they leave out.

Such a complaint is in the branch that AMD gets instead, in a file that is included instead, or at a use of a macro,
function, variable or type that the other branch declares, or declares in another way.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from cudamigrate.cuda.branch_names import NOTHING, Declared, declared
from cudamigrate.cuda.conditions import question
from cudamigrate.cuda.lexer import Lexed, lex
from cudamigrate.cuda.preprocessor import conditionals
from cudamigrate.cuda.version_branches import Branches, block_around, branches_of, of_other_types
from cudamigrate.lazy_re import re
from cudamigrate.model import Conversion, Finding, Span, SpanIndex
from cudamigrate.model.verification import Place
from cudamigrate.verification import conditional_lines

_GATES = (
    *("build/arch-gate", "build/older-path", "build/oldest-branch", "build/vanished-code", "build/refused-arch"),
    "build/gated-include",
)
"""Findings on a test of CUDA's macros that HIP decides otherwise than a build for a new NVIDIA GPU."""
_RELEASES = ("api/CUDA_VERSION", "api/CUDART_VERSION")
"""Findings on a release's number, wherever it is asked for."""
_TESTED = "build/cuda-compiler-macro"
"""The finding on such a test by itself."""
_QUOTED = re.compile(r"'([^']+)'")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_UNDECLARED = (
    "use of undeclared identifier",
    "unknown type name",
    "no member named",
    "no type named",
    "no template named",
)
_UNFIT = "no matching function for call to"


@dataclass(frozen=True, slots=True)
class _Test:
    """A test with its finding: the branch that AMD gets, what each declares, and the block that it is in."""

    finding: Finding
    compiled: Span | None
    left: Declared
    got: Declared
    block: tuple[int, int] | None
    """The lines between which what it declares is meant; None where it is in no block."""

    def declares(self, name: bytes) -> bool:
        """Whether only what is left out declares a name."""
        return name in (self.left.names | self.left.objects.keys()) - self.got.names - self.got.objects.keys()

    def is_seen(self, place: Place) -> bool:
        """Whether code at a place can mean what the test declares."""
        if self.block is None:
            return True
        return self.finding.path == place.path and self.finding.position.line < place.line <= self.block[1]


class ClosedTests:
    """The tests of a tree that have findings which need a manual change; files are read once a complaint asks."""

    def __init__(
        self, findings: Sequence[Finding], conversions: Mapping[str, Conversion], text: Callable[[str], bytes]
    ) -> None:
        self._findings, self._conversions, self._text = findings, conversions, text

    def cause(self, message: str, places: Sequence[Place]) -> Finding | None:
        """The finding on the test that a complaint comes from, by its places, the first of which is where it is."""
        found = next((one for place in places if (one := self._compiled_instead(place))), None)
        found = found or next((one for place in places[1:] if (one := self._instead.get(place.path))), None)
        return found or next((one for place in places[:1] if (one := self._declaring(message, place))), None)

    def left_out(self, message: str) -> Finding | None:
        """The finding on a condition, where its branch defines the macro or function that a complaint is about."""
        names = _QUOTED.findall(message) if message.startswith((_UNDECLARED[0], _UNFIT)) else ()
        return next((self._macros[name] for name in names if name in self._macros), None)

    def _compiled_instead(self, place: Place) -> Finding | None:
        """The finding on a test of CUDA's macros by which AMD alone gets the branch that a place is in."""
        conversion = self._conversions.get(place.path)
        tests = conditional_lines.open_tests(conversion.before, place.line) if conversion is not None else ()
        here = self._by_path.get(place.path) if tests else None
        near = here.touching(tests[0], place.line) if here is not None else ()
        at = {found.position.line: found for found in near if found.rule in _GATES}
        at |= {one.finding.position.line: one.finding for one in self._of(place.path) if _is_on(one.compiled, place)}
        return next((at[line] for line in reversed(tests) if line in at), None)

    def _declaring(self, message: str, place: Place) -> Finding | None:
        """The finding on a test, where what it leaves out declares what is named at a place, or as another type.

        A complaint about types quotes that which the name has on AMD; one about the arguments of a call quotes none.
        """
        quoted = _QUOTED.findall(message)
        missing = next(iter(quoted), "").encode() if message.startswith(_UNDECLARED) else b""
        types = [one.replace(" ", "").encode() for one in quoted]
        line = next(iter(conditional_lines.split(self._before(place.path))[place.line - 1 : place.line]), b"")
        unfit = message.startswith(_UNFIT)
        words = frozenset(_NAME.findall(line[place.column - 1 :] if unfit else line))
        for test in (one for path in self._paths for one in self._of(path) if one.is_seen(place)):
            if missing and test.declares(missing):
                return test.finding
            for name in of_other_types(test.left, test.got) & words & test.got.objects.keys():
                if unfit or any(test.got.objects[name] in one for one in types):
                    return test.finding
        return None

    def _before(self, path: str) -> bytes:
        conversion = self._conversions.get(path)
        return self._text(path) if conversion is None else conversion.before

    def _of(self, path: str) -> Sequence[_Test]:
        """The tests of a file for a number of CUDA's alone, which the newest has and AMD has not."""
        if path not in self._read:
            self._read[path] = list(self._tests(path)) if path in self._paths else []
        return self._read[path]

    def _tests(self, path: str) -> Iterator[_Test]:
        tokens = lex(self._before(path))
        branches = branches_of(tokens)
        for finding in self._paths[path]:
            asked = tokens.directive_at(finding.span.start)
            inside = branches.get(asked.start) if asked is not None else None
            if inside is not None and inside.asked.name in ("if", "ifdef", "ifndef"):
                yield from _test(finding, tokens, inside)

    @cached_property
    def _read(self) -> dict[str, Sequence[_Test]]:
        return {}

    @cached_property
    def _paths(self) -> Mapping[str, Sequence[Finding]]:
        """The findings on tests by file."""
        found: dict[str, list[Finding]] = {}
        for one in self._findings:
            if not one.automatic and one.rule in (*_GATES, *_RELEASES):
                found.setdefault(one.path, []).append(one)
        return found

    @cached_property
    def _by_path(self) -> Mapping[str, SpanIndex[Finding]]:
        lines: dict[str, list[tuple[Span, Finding]]] = {}
        for one in self._findings:
            if one.rule in _GATES:
                lines.setdefault(one.path, []).append((Span(one.position.line, one.end.line + 1), one))
        return {path: SpanIndex(found) for path, found in lines.items()}

    @cached_property
    def _instead(self) -> Mapping[str, Finding]:
        """The files that later branches of such a test include, with the finding on it."""
        return dict(self._included_instead())

    @cached_property
    def _macros(self) -> Mapping[str, Finding]:
        """The names that branches define whose conditions have a finding that needs a manual change."""
        return dict(self._guarded())

    def _included_instead(self) -> Iterator[tuple[str, Finding]]:
        for finding, lines in self._conditions(self._text):
            if finding.rule in (*_GATES, _TESTED):
                folder = posixpath.dirname(finding.path)
                for name in conditional_lines.included_else(lines):
                    yield posixpath.normpath(posixpath.join(folder, name)), finding

    def _guarded(self) -> Iterator[tuple[str, Finding]]:
        for finding, lines in self._conditions(self._before):
            if finding.path in self._conversions:
                yield from ((name.decode(), finding) for name in conditional_lines.defined(lines))

    def _conditions(self, read: Callable[[str], bytes]) -> Iterator[tuple[Finding, Sequence[bytes]]]:
        """The findings on conditions, each with the lines behind it."""
        texts: dict[str, Sequence[bytes]] = {}
        for finding in self._findings:
            if finding.automatic:
                continue
            if finding.path not in texts:
                texts[finding.path] = read(finding.path).splitlines()
            lines = texts[finding.path][finding.position.line - 1 :]
            if lines and conditional_lines.CONDITION.match(lines[0]):
                yield finding, lines[1:]


def _test(finding: Finding, tokens: Lexed, inside: Branches) -> Iterator[_Test]:
    """The test of a finding, where its condition tells what AMD gets."""
    keyword, text = inside.asked.name, inside.asked.argument(tokens.data)
    asked = question(text if keyword == "if" else (b"!" if keyword == "ifndef" else b"") + b"defined(%b)" % text)
    if asked.undefined is None or asked.newest is not (not asked.undefined):
        return
    left, got = (inside.other, inside.body) if asked.undefined else (inside.body, inside.other)
    block = block_around(tokens, inside.asked.start)
    yield _Test(
        finding,
        _lines(tokens.data, got),
        NOTHING if left is None else declared(_without_tests(tokens, left)),
        NOTHING if got is None else declared(tokens.data[got.start : got.end]),
        None if block is None else (_line(tokens.data, block.start), _line(tokens.data, block.end)),
    )


def _without_tests(tokens: Lexed, branch: Span) -> bytes:
    """The text of a branch without conditionals in it, which may leave out what they have for reasons of their own."""
    text, at = [], branch.start
    for first, *_, last in conditionals(tokens.directives):
        if at <= first.start < branch.end:
            text.append(tokens.data[at : first.start])
            at = last.end
    return b"".join((*text, tokens.data[at : branch.end]))


def _lines(data: bytes, branch: Span | None) -> Span | None:
    return None if branch is None else Span(_line(data, branch.start), _line(data, branch.end))


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1


def _is_on(lines: Span | None, place: Place) -> bool:
    return lines is not None and lines.start < place.line < lines.end
