"""Tests for a compute capability or an nvcc release: undefined for AMD, so they read as zero. What is compiled then?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from cudamigrate.analysis import grid_barriers
from cudamigrate.analysis.pass_branches import until_opened
from cudamigrate.cuda import code_behind
from cudamigrate.cuda.amd_code import names_hip
from cudamigrate.cuda.branch_effects import (
    changes_no_result,
    directives,
    does_nothing,
    does_something,
    gives_zero,
    is_blank,
    only_includes,
    returned_sizes,
)
from cudamigrate.cuda.branch_names import declared
from cudamigrate.cuda.branch_refusals import refuses
from cudamigrate.cuda.branch_writes import missing
from cudamigrate.cuda.conditions import at_version, operands, question, without_pass_tests
from cudamigrate.cuda.function_sides import is_hosts_alone
from cudamigrate.cuda.lexer import Directive
from cudamigrate.cuda.macro_expansion import Macro, expanded, macros
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.cuda.preprocessor import OPENING, conditionals
from cudamigrate.cuda.same_branches import is_same
from cudamigrate.cuda.specializations import primaries
from cudamigrate.cuda.version_conditions import for_pass
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span
from cudamigrate.warp.version_guards import gates, old_tests

WORDS = (b"__CUDA_ARCH_", b"__CUDACC_VER_")

_MACROS = rb"__CUDA_ARCH__|__CUDACC_VER_(?:MAJOR|MINOR|BUILD)__|__CUDA_ARCH_(?:SPECIFIC|FAMILY_SPECIFIC)__"
_BEHIND = rb"(?:[ \t]*(?:\)|[-+*/%][ \t]*\w+))*[ \t]*"
"""What may be between the macro and the comparison: closing brackets and a calculation."""
_BEFORE = rb"(?<![\w$])(?:(?<!\w<)|(?!\w+[ \t]*>(?!=)))"  # not `Of<__CUDA_ARCH__>`
_COMPARISON = re.compile(
    _BEFORE + rb"(?P<name>" + _MACROS + rb")" + _BEHIND + rb"(?:[<>]=?|[!=]=)[ \t]*\(?[ \t]*\w+"
    rb"|\b\w+[ \t)]*(?:[<>]=?|[!=]=)[ \t(]*(?P<last>" + _MACROS + rb")(?!\w|[ \t]*>)"
    rb"|(?<![\w$])(?P<feature>__CUDA_ARCH_(?:FEAT_\w+|LIST__))"
)
"""A macro compared: `__CUDA_ARCH__ / 10 >= 70`, the other way round (`last`: `700 <= __CUDA_ARCH__`); a feature."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_PARAMETER = re.compile(rb"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?[,)]")
"""The last word of a parameter, which is its name in a definition that works with it."""
_NEXT = ("elif", "else", "elifdef", "elifndef")
_BEHIND_TYPE = re.compile(rb"[A-Za-z_]\w*|[*&(<]|::")
"""What is behind the name of a type or of a function, and not behind a variable's."""
_OPEN = Span(0, 0)
"""A branch that cannot be named."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first such test of each directive, and each elsewhere in code.

    A condition that also names a HIP macro was written for both.
    """
    reported, seen, chains = set[int](), set[int](), _Chains(parsed)
    for match in parsed.lexed.on_lines(_COMPARISON, b"__cuda_arch_", b"__cudacc_ver_"):
        unopened = match[0].count(b")") - match[0].count(b"(")
        bracket = unopened > 0 and parsed.data[match.start() - 1 : match.start()] == b"("
        span = Span(match.start() - bracket, match.end())
        directive = parsed.lexed.directive_at(span.start)
        if not _is_question(parsed, directive, match["feature"] or b""):
            continue
        if directive is not None and directive.name != "define":
            if directive.start in reported or _is_converted(parsed, directive):
                continue
            reported.add(directive.start)
            if _is_of_host(parsed, match):
                continue
        name = (match["name"] or match["last"] or match["feature"]).decode()
        rule, fate = _judged(parsed, chains, directive)
        chain = chains.opening(directive)
        if not rule or (chain in seen and rule != "build/oldest-branch"):
            continue
        seen.update([chain] if chain is not None else [])
        use = parsed.named_use(name, span, "token")
        yield Hit(rule, use, {"name": name, "fate": fate + until_opened(parsed, directive), "asked": _asked(match[0])})
    yield from _computed(parsed, chains, reported)


def _is_of_host(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    """Whether a test of the GPU is in a function of the host's, for which nvcc does not define the macro either."""
    name = match["name"] or match["last"] or b""
    return name == b"__CUDA_ARCH__" and is_hosts_alone(parsed, match.start())


def _is_question(parsed: ParsedFile, directive: Directive | None, feature: bytes) -> bool:
    """Whether a macro's place asks for a GPU or a release, and not for HIP too or for the device pass alone.

    `feature` is the macro where it is one of a feature: as a value, outside of directives, that is no question, nor is
    the list of GPUs in a definition.
    """
    if directive is None:
        return not feature
    text = directive.argument(parsed.data)
    if names_hip(text, parsed.unset) or (directive.name == "define" and b"_LIST__" in feature):
        return False
    if directive.name in ("if", "elif"):
        return _compares(text)
    return directive.name not in ("pragma", "include", "error", "undef")


def _compares(condition: bytes) -> bool:
    """Whether a condition asks for more than the device pass."""
    return _COMPARISON.search(without_pass_tests(condition)) is not None


def _computed(parsed: ParsedFile, chains: _Chains, reported: set[int]) -> Iterator[Hit]:
    """Tests that ask for a number in no comparison with its name: `AT_LEAST(__CUDA_ARCH__)`, or a macro that is one."""
    known = {name: one for name, one in macros(parsed).items() if _COMPARISON.search(one.body) is None}
    for directive in parsed.lexed.directives:
        text = directive.argument(parsed.data) if directive.name in ("if", "elif") else b""
        if not text or directive.start in reported or names_hip(text, parsed.unset) or _is_converted(parsed, directive):
            continue
        whole = expanded(text, known)
        read = [one for one in question(without_pass_tests(whole)).macros if one.startswith(WORDS)]
        span = _place(parsed, directive, known) if read else None
        rule, fate = _judged(parsed, chains, directive, whole) if span is not None else ("", "")
        if span is not None and rule:
            use, fate = parsed.named_use(read[0].decode(), span, "token"), fate + until_opened(parsed, directive)
            yield Hit(rule, use, {"name": use.name, "fate": fate, "asked": _asked(whole)})


def _is_converted(parsed: ParsedFile, directive: Directive) -> bool:
    """Whether a test is fixed with the warp functions that it selects, or as one for an old release by its own rule."""
    return directive.start in gates(parsed) or directive.start in old_tests(parsed)


def _place(parsed: ParsedFile, directive: Directive, known: Mapping[bytes, Macro]) -> Span | None:
    """The part of a condition that asks for a number; of a macro without parameters that stands for it, the name."""
    text = parsed.data[directive.rest : directive.end]
    for start, end in operands(text):
        if any(one.startswith(WORDS) for one in question(expanded(text[start:end], known)).macros):
            words = _WORD.finditer(text, start, end)
            plain = (one for one in words if one[0] in known and known[one[0]].parameters is None)
            name = next((one for one in plain if question(expanded(one[0], known)).macros), None)
            first, last = name.span() if name is not None else (start, end)
            return Span(directive.rest + first, directive.rest + last)
    return None


def _asked(condition: bytes) -> str:
    """What HIP defines where a condition asks for a GPU, or for the release of nvcc, which the host reads too."""
    return "__HIPCC__" if b"__CUDACC_VER_" in condition or b"_LIST__" in condition else "__HIP_DEVICE_COMPILE__"


def _judged(parsed: ParsedFile, chains: _Chains, directive: Directive | None, text: bytes = b"") -> tuple[str, str]:
    """The rule for a test, and in words what is compiled for AMD; no rule where that is what the newest GPUs get.

    `text` is the condition where macros in it are replaced.
    """
    if directive is None or directive.name not in (*OPENING, *_NEXT):
        return "build/arch-gate", "the oldest branch counts"
    if directive.name in _NEXT and parsed.hip(directive.end) is False:
        return "", ""  # the branch before it is AMD's: nobody asks any further there
    if chains.is_behind_one_that_holds(directive):
        return "", ""
    text = text or expanded(directive.argument(parsed.data), macros(parsed))
    value, newest = (at_version(text, number) for number in (0, None))
    if directive.name in ("ifdef", "ifndef", "elifdef", "elifndef"):
        value, newest = "n" in directive.name, "n" not in directive.name
    return _of_branches(parsed, chains, directive, value, newest)


def _of_branches(
    parsed: ParsedFile, chains: _Chains, directive: Directive, value: bool | None, newest: bool | None
) -> tuple[str, str]:
    """The rule for a test by what its branches do, given its value for AMD and for the newest GPUs."""
    body, other = chains.sides(directive)
    real = None if other is _OPEN else other
    if real is not None and is_same(parsed.lexed, body, real):
        return "", ""
    if value:
        return ("", "") if newest or _is_all_the_same(parsed, body, real) else ("build/oldest-branch", "")
    stops = real is not None and any(one.name == "error" for one in directives(parsed.lexed, real))
    if other is not _OPEN and value is False and not stops and changes_no_result(parsed.lexed, body, real):
        return "", ""
    if value is None or other is _OPEN:
        return "build/arch-gate", "which branch is compiled depends on other macros"
    if other is None or is_blank(parsed.lexed, other):
        is_special = newest is False and not chains.is_list(directive)
        return ("", "") if is_special else _left_out(parsed, chains, directive, body)
    if does_nothing(parsed.lexed, other) or refuses(parsed.lexed, other):
        line = parsed.source.position(other.start).line
        return "build/refused-arch", f"the branch from line {line} on does nothing but stop or complain"
    return ("", "") if newest is False else _with_other(parsed, directive, body, other)


def _is_all_the_same(parsed: ParsedFile, body: Span, other: Span | None) -> bool:
    """Whether a branch for what is old includes headers alone, or no result depends on it."""
    return only_includes(parsed.lexed, body) or changes_no_result(parsed.lexed, body, other)


def _with_other(parsed: ParsedFile, directive: Directive, body: Span, other: Span) -> tuple[str, str]:
    """The rule for a test in whose place another branch is compiled."""
    line = parsed.source.position(other.start).line
    inside = parsed.function(directive.start)
    sizes, others = returned_sizes(parsed.lexed, body), returned_sizes(parsed.lexed, other)
    if sizes and others and sizes != others:
        size = b"` or `".join(sorted(others)).decode("latin-1")
        return "build/arch-gate", f"the branch from line {line} on is compiled, which returns `{size}`"
    if only_includes(parsed.lexed, body) and only_includes(parsed.lexed, other):
        return "build/gated-include", f"those from line {line} on are"
    if not _is_older_way(parsed, directive, body, other):
        return "build/arch-gate", f"the branch from line {line} on is compiled"
    if gives_zero(parsed.lexed, body, other):
        return "build/refused-arch", f"the branch from line {line} on only returns a zero"
    end = max(body.end, other.end)
    if inside is not None and (name := missing(parsed, inside, body, other, end)):
        left = "gives no result" if name == "return" else f"does not write `{name}`"
        return "build/arch-gate", f"the branch from line {line} on is compiled, which {left}"
    if grid_barriers.within(parsed, body) and not grid_barriers.within(parsed, other):
        return "build/arch-gate", f"the branch from line {line} on is compiled, which waits for no other block"
    return "build/older-path", f"the branch from line {line} on is compiled"


def _is_older_way(parsed: ParsedFile, directive: Directive, body: Span, other: Span) -> bool:
    """Whether a branch is what older GPUs do in place of a newer way: in a function for GPUs, or with its functions.

    In a function that is for the host too, or may be by a macro of another file, the other branch may be the host's
    alone: it has to work with the same parameters and variables.
    """
    inside = parsed.function(directive.start)
    if inside is None or inside.body.start >= directive.start:
        return _has_its_functions(parsed, body, other)
    if not does_something(parsed.lexed, other):
        return False
    head = parsed.data[inside.span.start : inside.body.start]
    if b"__host__" not in head and inside.scope == "device":
        return True
    known = _names(parsed, Span(inside.span.start, directive.start))
    new_words, old_words = (_asked_words(parsed, one) for one in (body, other))
    return bool(new_words & known) and new_words & known == old_words & known and _ends(new_words) == _ends(old_words)


def _names(parsed: ParsedFile, head: Span) -> set[bytes]:
    """The words of a function up to a place that are no types: parameters and variables."""
    words = [parsed.lexed.text(token) for token in parsed.lexed.tokens(head.start, head.end)]
    pairs = pairwise([*words, b""])
    return {word for word, after in pairs if _WORD.fullmatch(word) and not _BEHIND_TYPE.fullmatch(after)}


def _has_its_functions(parsed: ParsedFile, body: Span, other: Span) -> bool:
    """Whether a branch has all functions of another, which work, and what else of it is named behind both."""
    new, old = (declared(parsed.data[one.start : one.end]) for one in (body, other))
    end, gone = max(body.end, other.end), new.others - old.others
    if gone and any(at >= end for at in parsed.lexed.words(gone)):
        return False
    inside = [one for one in parsed.functions if one.name and _is_within(one, body)]
    instead = [one for one in parsed.functions if _is_within(one, other)]
    wanted = new.functions.keys() | {one.name.encode() for one in inside}
    return (
        bool(wanted)
        and wanted <= old.functions.keys() | {one.name.encode() for one in instead}
        and all(_works(parsed, one) for one in instead)
    )


def _is_within(function: Function, branch: Span) -> bool:
    return branch.start <= function.span.start < branch.end


def _works(parsed: ParsedFile, function: Function) -> bool:
    """Whether a function works with a parameter, as a stand-in for the host's pass does not; or calls, without any."""
    head = parsed.data[function.span.start : function.body.start].partition(b"(")[2]
    named = set(_PARAMETER.findall(head))
    words = _asked_words(parsed, function.body)
    return bool(named & words) if named else b"(" in parsed.data[function.body.start : function.body.end]


def _asked_words(parsed: ParsedFile, branch: Span) -> set[bytes]:
    """The words of a branch, without the names of what it calls."""
    words = [parsed.lexed.text(token) for token in parsed.lexed.tokens(branch.start, branch.end)]
    named = ((word, after) for word, after in pairwise([*words, b""]) if _WORD.fullmatch(word) is not None)
    return {word for word, after in named if after != b"(" or word == b"return"}


def _ends(words: set[bytes]) -> bool:
    return b"return" in words


def _left_out(parsed: ParsedFile, chains: _Chains, directive: Directive, body: Span) -> tuple[str, str]:
    """The rule for a branch in whose place nothing is compiled."""
    inside = parsed.function(directive.start)
    if inside is not None and inside.body.start < directive.start and does_something(parsed.lexed, body):
        return _behind(parsed, directive, inside, body)
    if name := chains.with_fall_back(parsed, body):
        return "build/older-path", f"`{name}` is not defined"
    if only_includes(parsed.lexed, body):
        return "build/gated-include", "and no others are"
    general = primaries(parsed, body)
    if general and all(
        does_something(parsed.lexed, one) and not refuses(parsed.lexed, one) for one in general.values()
    ):
        return "build/older-path", f"the primary template of `{next(iter(general))}` is taken"
    return "build/arch-gate", "what is behind it is left out"


def _behind(parsed: ParsedFile, directive: Directive, inside: Function, body: Span) -> tuple[str, str]:
    """The rule for a branch of a function that has the code behind the conditional in its place, or nothing."""
    same = code_behind.repeats(parsed, inside, body)
    if same is not False:
        return ("", "") if same else ("build/older-path", "the same is done behind it, without the hints to caches")
    other = code_behind.instead(parsed, inside, body)
    if other is not None and not refuses(parsed.lexed, other):
        return _with_other(parsed, directive, body, other)
    return "build/vanished-code", "nothing is compiled in its place"


class _Chains:
    """The conditionals of a file: for each test where its conditional begins, what it guards, and what counts else."""

    def __init__(self, parsed: ParsedFile) -> None:
        self._data, self._macros = parsed.data, macros(parsed)
        self._sides: dict[int, tuple[int, Span, Span | None]] = {}
        self._unasked, self._listed = set[int](), set[int]()
        for chain in conditionals(parsed.lexed.directives):
            self._close(chain)

    def _close(self, chain: Sequence[Directive]) -> None:
        """Note a conditional with its `#endif`, the last test first: what counts else is the next that may hold."""
        other: Span | None = None
        if len(chain) > 2 and chain[-2].name != "else":
            self._listed.update(one.start for one in chain)
        for one, end in zip(chain[-2::-1], chain[:0:-1], strict=True):
            body = Span(one.end, end.start)
            self._sides[one.start] = (chain[0].start, body, other)
            value = True if one.name == "else" else None
            if one.name in ("if", "elif"):
                text = expanded(one.argument(self._data), self._macros)
                value = for_pass(text) if one.name == "elif" else None
                value = at_version(text, 0) if value is None else value
            if value is not False:
                other = _OPEN if value is None else body
            if value:
                self._unasked.update(later.start for later in chain if later.start > one.start)

    def sides(self, directive: Directive) -> tuple[Span, Span | None]:
        """What a test guards, and the branch that counts where it fails: none, `_OPEN` where other macros decide it."""
        _, body, other = self._sides.get(directive.start, (0, Span(directive.end, len(self._data)), None))
        return body, other

    def is_list(self, directive: Directive) -> bool:
        """Whether a conditional has several tests and nothing where all fail: it lists what there is code for."""
        return directive.start in self._listed

    def is_behind_one_that_holds(self, directive: Directive) -> bool:
        """Whether a branch before it in its conditional is compiled for AMD, so that the test is not made."""
        return directive.start in self._unasked

    def with_fall_back(self, parsed: ParsedFile, body: Span) -> str:
        """The macro that is all that a branch defines, where code for GPUs without it follows each question for it."""
        inside = [one for one in parsed.lexed.directives if body.start <= one.start < body.end]
        name = _word(inside[0].argument(self._data)) if len(inside) == 1 and inside[0].name == "define" else b""
        if not name or any(
            parsed.lexed.directive_at(one.start) is None for one in parsed.lexed.tokens(body.start, body.end)
        ):
            return ""
        asked = 0
        for match in parsed.lexed.matches(re.compile(rb"\b" + re.escape(name) + rb"\b")):
            directive = parsed.lexed.directive_at(match.start())
            if directive is None or (directive != inside[0] and not self._falls_back(parsed, directive, name)):
                return ""
            asked += directive != inside[0]
        return name.decode("latin-1") if asked else ""

    def _falls_back(self, parsed: ParsedFile, directive: Directive, name: bytes) -> bool:
        """Whether a question for a macro alone has code for where it is not defined, inside a function for GPUs."""
        text = b"".join(directive.argument(self._data).split())
        body, other = self.sides(directive)
        if directive.name == "ifndef":
            body, other = Span(0, 0), body
        elif directive.name not in ("if", "ifdef") or text not in (name, b"defined(" + name + b")", b"defined" + name):
            return False
        function = parsed.function(directive.start)
        if other is None or other is _OPEN or function is None or function.scope != "device":
            return False
        if b"__host__" in parsed.data[function.span.start : function.body.start]:
            return False  # the other code may be the host's
        return does_something(parsed.lexed, other) and not refuses(parsed.lexed, other)

    def opening(self, directive: Directive | None) -> int | None:
        """Where the conditional of a test begins, which is one for all that its `#elif` ask; None outside of one."""
        found = self._sides.get(directive.start) if directive is not None else None
        return None if found is None else found[0]


def _word(text: bytes) -> bytes:
    """The name that a definition of a plain macro begins with; empty for one with parameters."""
    match = _WORD.match(text)
    return match[0] if match is not None and text[match.end() : match.end() + 1] != b"(" else b""
