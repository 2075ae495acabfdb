"""A CMake file -> its commands in order, with their arguments and what they are under.

Result: `Command`s; reading variables and telling a branch for HIP from one for CUDA is here too, for the front end,
detectors and rewrites alike.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import cmake_lexer, utf8
from cudamigrate.syntax.cmake_lexer import Statement, Token
from cudamigrate.syntax.project_file import ProjectFile

_BRACKET = re.compile(rb"\$<|>")
"""What opens and closes a generator expression."""

HIP_WORD = re.compile(r"(?<![A-Za-z])(?:HIP|ROCM|ROCm|hip|rocm|hipcc)(?![a-z]|SYCL)")
"""A word of a condition or a name that says: this is for AMD. hipSYCL is a compiler of SYCL, for several vendors."""
_WRITTEN = re.compile(r"(?:\$\{)?(?:hip_FOUND|CMAKE_HIP_\w+|HIP_ARCHITECTURES)\b")
"""Names that a conversion writes: a file that has them need not build for CUDA too."""
_CUDA_WORD = re.compile(r"(?:CUDA|cuda|NVCC|nvcc)")

SEARCHES = ("find_package", "rapids_find_package")
"""Commands that look for a package: CMake's own, and that of rapids-cmake which calls it."""

_ONE_VARIABLE = re.compile(r"\$\{\w+\}")
"""A variable alone, which in quotes is one word and without them as many as it holds."""
PROPERTIES = ("set_target_properties", "set_source_files_properties", "set_directory_properties", "set_property")
"""Commands that give properties their values: all but the last one value to each name."""

DEEPEST = 1_000
"""Branches within each other that are kept apart; CMake itself has no stack for some thousands more."""
_BOUND = 1_000_000
"""Bytes of files whose commands are kept: half a dozen passes read the same files."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: `span` is its text without quotes or brackets, of which `around` signs are at either end."""

    text: str
    span: Span
    around: int

    @property
    def quoted(self) -> bool:
        """Whether it is in quotes or brackets, and one argument whatever it holds: `"a;b"`, `[[a]]`."""
        return self.around > 0

    @property
    def outer(self) -> Span:
        """Its text with the quotes or brackets."""
        return Span(self.span.start - self.around, self.span.end + self.around)


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `name` is in small letters and is at `at`; `places` are those of the arguments.

    `given` are the words in the variables from which a command takes languages, as far as the file fills them.
    """

    name: str
    at: Span
    span: Span
    args: tuple[Argument, ...]
    places: tuple[Span, ...]
    given: frozenset[str] = frozenset()

    def words(self) -> list[str]:
        """The texts of the arguments."""
        return [argument.text for argument in self.args]


_read: dict[bytes, tuple[Command, ...]] = {}


def read(data: bytes) -> list[Command]:
    """The commands of a file in order, heads of conditions and loops among them."""
    found = _read.get(data)
    if found is None:
        found = _with_languages([_command(data, statement) for statement in cmake_lexer.read(data)[0]])
        if sum(map(len, _read)) + len(data) > _BOUND:
            _read.clear()
        if len(data) <= _BOUND:
            _read[data] = found
    return list(found)


def _command(data: bytes, statement: Statement) -> Command:
    args = tuple(
        Argument(utf8.text(data[span.start : span.end]), span, around)
        for span, around in (_content(data, token) for token in statement.arguments)
    )
    name = data[statement.name.start : statement.name.end].decode().lower()
    return Command(name, statement.name, statement.span, args, tuple(argument.span for argument in args))


def _content(data: bytes, token: Token) -> tuple[Span, int]:
    """An argument without its quotes or brackets, and how many signs these are at either end."""
    around = 1 if token.kind == "quoted" else 0
    if token.kind == "bracket":
        around = data.index(b"[", token.start + 1) + 1 - token.start
    return Span(token.start + around, token.end - around), around


_VARIABLE = re.compile(r"\$\{([\w.+-]+)\}")
_TELLING = ("project", "enable_language", "check_language")
"""Commands that take the names of languages."""


def _with_languages(found: list[Command]) -> tuple[Command, ...]:
    """The same commands; those that take languages with what the variables among their arguments may hold."""
    held = {one.span: _languages_in(one) for one in found if one.name in _TELLING and _languages_in(one)}
    given = {span: frozenset(_words(found, language_lists(found, names))) for span, names in held.items()}
    return tuple(replace(one, given=given[one.span]) if one.span in given else one for one in found)


def _words(found: Sequence[Command], names: Set[str]) -> Iterator[str]:
    filling = (one for one in found if not names.isdisjoint(filled_by(one)))
    return (part for one in filling for word in one.words()[1:] for part in word.split(";"))


def language_lists(found: Sequence[Command], names: Set[str] | None = None) -> set[str]:
    """The variables from which commands take languages, themselves or through others; of some if they are named."""
    left = (
        {name for one in found if one.name in _TELLING for name in _languages_in(one)} if names is None else set(names)
    )
    seen = set[str]()
    while left:
        seen |= left
        left = {name for one in found if left.intersection(filled_by(one)) for name in _held(one.words())} - seen
    return seen


def _languages_in(command: Command) -> set[str]:
    """The variables whose words are languages to a command."""
    return _held(command.words()[1:] if command.name == "project" else command.words())


def _held(words: Sequence[str]) -> set[str]:
    return {match[1] for word in words for match in _VARIABLE.finditer(word)}


def filled_by(command: Command) -> list[str]:
    """The variables that a command gives words which it names: by `set`, `list(APPEND` or in a loop."""
    words = command.words()
    if command.name in ("set", "foreach"):
        return words[:1]
    return words[1:2] if command.name == "list" and words[:1] in (["APPEND"], ["PREPEND"]) else []


def held_words(found: Iterable[Command]) -> dict[str, list[str]]:
    """The words that commands put into variables, by name, whatever is carried out."""
    held: dict[str, list[str]] = {}
    for command in found:
        words = command.words()
        at = 0 if command.name == "set" else 1 if words[:1] in (["APPEND"], ["PREPEND"]) else len(words)
        if command.name in ("set", "string", "list") and at < len(words):
            held.setdefault(words[at], []).extend(words[at + 1 :])
    return held


def commands(parsed: ProjectFile) -> Sequence[Command]:
    """The commands of a file that the front end has read."""
    return parsed.commands


def command_at(parsed: ProjectFile, offset: int) -> Command | None:
    """The command around `offset`."""
    found = commands(parsed)
    at = bisect_right(found, offset, key=lambda one: one.span.start) - 1
    return found[at] if at >= 0 and offset < found[at].span.end else None


def as_list(argument: Argument) -> str:
    """An argument that names files, for a command that takes each as one: a variable in quotes may hold several."""
    single = not argument.quoted or _ONE_VARIABLE.fullmatch(argument.text) is not None
    return argument.text if single else f'"{argument.text}"'


def is_plain_compile(command: Command) -> bool:
    """Whether a command is `cuda_compile` with a variable and sources, and no options for the compiler."""
    return command.name == "cuda_compile" and len(command.args) > 1 and "OPTIONS" not in command.words()


def enables(command: Command, language: str) -> bool:
    """Whether a command enables a language or looks for its toolkit."""
    words = command.words()
    if command.name == "enable_language":
        return language in words or language in command.given
    if command.name == "project":
        return language in words[1:] or language in command.given
    if command.name in SEARCHES and words:
        return words[0] in (("CUDA", "CUDAToolkit") if language == "CUDA" else ("hip", "HIP", "rocm", "ROCM", "ROCm"))
    return False


def ported(found: Sequence[Command]) -> Command | None:
    """The first command that shows that the file can already build for AMD as well as for CUDA, None where none."""
    cuda = any(enables(command, "CUDA") or asks(command, _CUDA_WORD) for command in found)
    idle = finds_hip_alone(found)
    for command in found:
        if asks(command, HIP_WORD) and chooses(found, command):
            return command
        if cuda and enables(command, "HIP") and not idle:
            return command
    return None


def uses_hip(command: Command) -> bool:
    """Whether a command compiles for HIP, or sets up what does; looking for HIP's package is not enough."""
    words = command.words()
    if command.name.startswith("hip_") or ("HIP" in words and command.name not in SEARCHES):
        return True
    return any(word.startswith(("hip::", "roc::")) or word.endswith(".hip") for word in words)


def finds_hip_alone(found: Sequence[Command]) -> bool:
    """Whether a file looks for HIP in any case and compiles nothing with it, while it always sets up CUDA."""
    depth, cuda = 0, False
    for command in found:
        depth += (command.name == "if") - (command.name == "endif")
        if uses_hip(command) or (enables(command, "HIP") and depth):
            return False
        cuda = cuda or (enables(command, "CUDA") and not depth)
    return cuda


def asks(command: Command, word: re.Pattern[str]) -> bool:
    """Whether a command is a condition on a variable with such a word in its name."""
    asked = (text for text in command.words() if not _WRITTEN.match(text))
    return command.name in ("if", "elseif") and any(word.search(text) for text in asked)


def chooses(found: Sequence[Command], condition: Command) -> bool:
    """Whether something is done under a condition, an `if` or `elseif` of the file.

    `if(USE_HIP)`, `message(STATUS "HIP")`, `endif()` builds nothing for HIP. What is done in its `else` is what HIP
    does without, and a message behind `NOT` demands it.
    """
    first = found.index(condition) + 1
    end = _branch_end(found, first)
    if any(_acts(one) for one in found[first:end]):
        return True
    if "NOT" in condition.words():
        return end > first
    otherwise = found[end + 1 : _branch_end(found, end + 1)] if found[end : end + 1] else []
    refused = any(one.words()[:1] in (["FATAL_ERROR"], ["SEND_ERROR"]) for one in found[first:end])
    return bool(otherwise) and found[end].name == "else" and not refused and any(_acts(one) for one in otherwise)


def _branch_end(found: Sequence[Command], first: int) -> int:
    """Where the branch ends whose first command that is: the place of `elseif`, `else` or `endif`."""
    depth = 0
    for at in range(first, len(found)):
        if depth == 0 and found[at].name in ("elseif", "else", "endif"):
            return at
        depth += (found[at].name == "if") - (found[at].name == "endif")
    return len(found)


def _acts(command: Command) -> bool:
    return command.name not in ("if", "elseif", "else", "endif", "message")


_OPENING = ("if", "foreach", "while", "function", "macro")
_CLOSING = tuple(f"end{name}" for name in _OPENING)


def repeating(found: Sequence[Command]) -> frozenset[Span]:
    """The commands whose words may repeat those of their head, and decide nothing: `endif(CUDA_FOUND)`."""
    return frozenset(one.span for one in found if one.args and one.name in ("else", *_CLOSING))


def branches(found: Sequence[Command]) -> dict[Span, tuple[Span, ...]]:
    """The branches, loops, functions and macros that each command is in, from the outside in, by where they begin.

    Those further in than `DEEPEST` are not counted.
    """
    around: list[tuple[Span, ...]] = [()]
    inside = {}
    for command in found:
        if command.name in (*_CLOSING, "elseif", "else") and len(around) > 1:
            around.pop()
        inside[command.span] = around[-1]  # commands of one branch have one tuple
        if command.name in (*_OPENING, "elseif", "else"):
            around.append((*around[-1], command.span) if len(around[-1]) < DEEPEST else around[-1])
    return inside


def conditionals(found: Sequence[Command]) -> dict[Span, Span]:
    """The `if` to which each `if`, `elseif` and `else` belongs, by where they are."""
    open_: list[Span] = []
    belongs = {}
    for command in found:
        open_ += [command.span] if command.name == "if" else []
        if command.name in ("if", "elseif", "else") and open_:
            belongs[command.span] = open_[-1]
        elif command.name == "endif":
            del open_[-1:]
    return belongs


def is_beside(
    other: Command, command: Command, branches: Mapping[Span, Sequence[Span]], of: Mapping[Span, Span]
) -> bool:
    """Whether a command is in another branch of a condition than `other`, so that never both are carried out.

    `branches` and `of` are what `branches` and `conditionals` say of the file.
    """
    sides = zip(branches[other.span], branches[command.span], strict=False)
    return any(one != two and of.get(one, one) == of.get(two, two) for one, two in sides)


def indent(data: bytes, offset: int) -> bytes:
    """The blanks at the beginning of the line of `offset`."""
    start = data.rfind(b"\n", 0, offset) + 1
    return data[start : start + len(data[start:offset]) - len(data[start:offset].lstrip(b" \t"))]


@lru_cache(maxsize=1)
def line_end(data: bytes) -> bytes:
    """How lines of the file end."""
    return b"\r\n" if b"\r\n" in data else b"\n"


_BY_BUILD = {"DEBUG", "RELEASE", "RELWITHDEBINFO", "MINSIZEREL", "OPTIONS"}


def options_at(command: Command) -> int | None:
    """Which argument of a command of FindCUDA's begins the options for nvcc; None where there are none, or where they
    depend on the kind of build."""
    words = command.words()
    if not command.name.startswith("cuda_") or "OPTIONS" not in words:
        return None
    at = words.index("OPTIONS")
    return None if _BY_BUILD & set(words[at + 1 :]) or not words[at + 1 :] else at


def expression_end(data: bytes, start: int, end: int) -> int:
    """Just after the bracket that closes the generator expression at `start`; `end` where none does."""
    depth = 0
    for match in _BRACKET.finditer(data, start, end):
        depth += 1 if match[0] == b"$<" else -1
        if not depth:
            return match.end()
    return end


def is_replaced(command: Command, number: int) -> bool:
    """Whether an argument is a text that is only looked for and replaced: what lacks it stays as it is.

    `string(REPLACE`, `string(REGEX REPLACE` and `list(TRANSFORM values REPLACE` decide nothing by what they find.
    """
    words = command.words()
    if command.name == "string":
        return (number == 1 and words[:1] == ["REPLACE"]) or (number == 2 and words[:2] == ["REGEX", "REPLACE"])
    return command.name == "list" and number == 3 and words[:1] == ["TRANSFORM"] and words[2:3] == ["REPLACE"]
