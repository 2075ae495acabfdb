"""Bazel files: rules for CUDA, repositories of the toolkit, choices by platform and compiler options.

Nothing is rewritten: which rules take their place is a choice of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import bazel, compiler_options
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {
    "BUILD": "bazel",
    "BUILD.bazel": "bazel",
    "WORKSPACE": "bazel",
    "WORKSPACE.bazel": "bazel",
    "MODULE.bazel": "bazel",
    ".bzl": "bazel",
    "BUILD.tpl": "bazel",
    "BUILD.*.tpl": "bazel",
    "*.bzl.tpl": "bazel",
}
PART = "build"
TRIGGER = re.compile(rb"cuda|nvcc|nccl|cudnn|" + compiler_options.MARKS, re.IGNORECASE)
"""What a Bazel file has some of if there is anything to find: names of CUDA's parts, or options that mean nvcc."""

_TOKEN = re.compile(
    rb"#[^\n]*|(?P<triple>'''.*?'''|\"\"\".*?\"\"\")|'(?P<single>(?:[^'\\\n]|\\.)*)'|\"(?P<double>(?:[^\"\\\n]|\\.)*)\""
    rb"|(?P<word>[A-Za-z_]\w*)|(?P<sign>[=!<>+]=|[\[\]{}(),:=+])",
    re.DOTALL,
)
"""A token of Starlark. Comments and texts in three quotes are matched to skip them."""
_RULE = re.compile(r"(?:\w+_)?(?:cuda|gpu)_(?:library|binary|test|objects|kernel_library|cc_library|cc_test)$")
"""Rules that compile for GPUs: `cuda_library`, `tf_cuda_cc_test`, `gpu_kernel_library`."""
_TOOLKIT = "cuda_toolkit"
"""The repository rule of rules_cuda that finds the toolkit."""
_SELF = ("module", "workspace")
"""What gives the repository that a file is in its own name."""
_ASKS = frozenset(("startswith", "endswith", "find", "index", "count", "removeprefix", "removesuffix"))
"""Methods of a text that look for the one that they are given."""
_COMPARED = ("==", "!=")
_UNDER_TEST = "target_under_test"
"""What an analysis test of bazel_skylib must be given: its other attributes say what is expected of that target."""
_CHOICE = re.compile(r"(?:if_cuda\w*|if_not_cuda|cuda_default_copts|cuda_copts|cuda_configure|cuda_header_library)$")
"""Functions that choose by CUDA or bring its options: `if_cuda_is_configured`, `cuda_default_copts`."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    uses = sorted(_uses(source.data), key=lambda use: (use.span, use.name))
    return ProjectFile(source, uses)


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


@dataclass(slots=True)
class _Place:
    """Brackets that are open, with the call and the last name of an argument in each; or the top, with what is set."""

    call: str = ""
    key: str = ""
    start: int = -1


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, a text or a sign, and the brackets that are open around it, the outermost first.

    `opened` are the offsets of these brackets.
    """

    kind: str
    text: str
    span: Span
    places: tuple[tuple[str, str], ...]
    opened: tuple[int, ...]


def _uses(data: bytes) -> Iterator[Use]:
    tokens = _tokens(data)
    nvcc, told = _for_nvcc(tokens), _looked_for(tokens)
    listed: list[compiler_options.Word] = []
    plain = True
    for at, token in enumerate(tokens):
        if token.kind == "text":
            yield from _label(tokens, at)
            listed += [] if told(at) else compiler_options.words(data, token.span.start, token.span.end)
            plain = not nvcc(token)
        elif token.text != ",":
            yield from compiler_options.uses(listed, plain)
            listed = []
        if token.kind == "word" and _next(tokens, at) == "(" and not (at and tokens[at - 1].text == "def"):
            yield from _called(token)
    yield from compiler_options.uses(listed, plain)


def _called(token: _Token) -> Iterator[Use]:
    """The rule or function of CUDA's that a call names."""
    text = token.text
    name = "cuda_library()" if _RULE.match(text) else "if_cuda()" if _CHOICE.match(text) else ""
    name = "@cuda" if text == _TOOLKIT else name
    if name:
        yield use_at(name, token.span.start, token.span.end)


def _looked_for(tokens: Sequence[_Token]) -> Callable[[int], bool]:
    """Whether a text, by its number, gives a compiler nothing: code looks for it in options, or a test expects it."""
    expecting = {token.opened[-1] for token in tokens if token.kind == "word" and token.text == _UNDER_TEST} - {-1}

    def told(at: int) -> bool:
        token = tokens[at]
        before, after = tokens[max(at - 1, 0) : at], tokens[at + 1 : at + 2]
        compared = any(one.text in _COMPARED and one.kind == "sign" for one in (*before, *after))
        asked = any(one.kind == "word" and one.text in ("in", "not") for one in after)
        return compared or asked or token.places[-1][0] in _ASKS or not expecting.isdisjoint(token.opened)

    return told


def _tokens(data: bytes) -> list[_Token]:
    found: list[_Token] = []
    places = [_Place()]
    for match in _TOKEN.finditer(data):
        kind = next((name for name in ("single", "double", "word", "sign") if match[name] is not None), "")
        if not kind:
            continue
        text, last = match[kind].decode("utf-8", "replace"), found[-1] if found else None
        if len(places) == 1 and last is not None and b"\n" in data[last.span.end : match.start()]:
            places[0].key = ""  # a statement ends where its line does
        around = tuple((one.call, one.key) for one in places)
        opened = tuple(one.start for one in places)
        named = "text" if kind in ("single", "double") else kind
        found.append(_Token(named, text, Span(*match.span(kind)), around, opened))
        if text in ("(", "[", "{") and kind == "sign":
            called = last.text if text == "(" and last is not None and last.kind == "word" else ""
            places.append(_Place(called, start=match.start()))
        elif text in (")", "]", "}") and kind == "sign" and len(places) > 1:
            places.pop()
        elif text in ("=", "+=") and kind == "sign" and last is not None and last.kind == "word":
            places[-1].key = last.text
        elif text == "," and kind == "sign":
            places[-1].key = ""
    return found


def _next(tokens: Sequence[_Token], at: int) -> str:
    return tokens[at + 1].text if at + 1 < len(tokens) and tokens[at + 1].kind == "sign" else ""


def _label(tokens: Sequence[_Token], at: int) -> Iterator[Use]:
    """The text at a place, where it names a repository with NVIDIA's software."""
    text, span = tokens[at].text, tokens[at].span
    called, key = tokens[at].places[-1]
    named = key == "name" and called not in _SELF
    if bazel.REPOSITORY.match(text) is not None or (named and text == "rules_cuda"):
        name = "@nccl" if "nccl" in text else "@cudnn" if "cudnn" in text else "@cuda"
        yield use_at(name, span.start, span.end)


def _for_nvcc(tokens: Sequence[_Token]) -> Callable[[_Token], bool]:
    """Whether a text is among options that a rule gives the compiler of CUDA's sources alone.

    Those are `copts` of the rules in rules_cuda, by whatever name they are loaded, `nvcc_copts`, and what a variable
    holds that is given there. Source: rules_cuda, documentation of `cuda_library`.
    """
    rules, after = set[str](), ""
    for token in tokens:
        call, key = token.places[-1]
        if call == "load" and token.kind == "text":
            after = token.text if not after or token.text.startswith(("@", "//", ":")) else after
            rules |= {key or token.text} if after.startswith(("@rules_cuda//", "@@rules_cuda//")) else set()
        else:
            after = after if call == "load" else ""

    def given(token: _Token) -> bool:
        return any(key == "nvcc_copts" or (key == "copts" and call in rules) for call, key in token.places)

    names = {token.text for token in tokens if token.kind == "word" and given(token)}
    return lambda token: given(token) or token.places[0][1] in names
