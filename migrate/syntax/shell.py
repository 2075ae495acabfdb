"""Shell text -> commands: words with their places in the file, and assignments. No knowledge of CUDA.

Result: `Command`s, assignments, expansions and directives, in the order of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import tree_sitter_nodes, utf8

_TEMPLATE = re.compile(rb"\$?\{\{.{0,300}?\}\}", re.S)
_COUNT = re.compile(rb"\$#(?![\w{])")
"""How many parameters there are: `$#`."""
_TESTED = re.compile(rb"\][ \t]*(\n)\s*then\b")
"""The end of a line between a test and what it decides."""
_WORDS = ("word", "string", "raw_string", "concatenation", "number", "simple_expansion", "expansion", "ansi_c_string")
_DEEPEST = 4
_SHELLS = {"bash", "sh", "zsh", "dash", "ksh"}


@dataclass(frozen=True, slots=True)
class Word:
    """One word: `span` is its text without the quotes around it, `plain` that no expansion or escape is in it."""

    text: str
    span: Span
    plain: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command's words, its name first; `read` says that a pipe or another command reads what it prints."""

    words: tuple[Word, ...]
    read: bool = False

    @property
    def name(self) -> str:
        """The command's name without its folder."""
        return self.words[0].text.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Assignment:
    """`NAME=value`: where the name stands, the whole and the value; the words of an array, `NAME=(a b)`."""

    name: str
    span: Span
    extent: Span
    value: Word
    words: tuple[Word, ...] = ()


@dataclass(slots=True)
class Script:
    """What a script holds. `expansions` are names of variables that are read; `directives` are comments after `#`.

    `tests` are the words between the brackets of conditions: `[ -d /opt ]`.
    """

    commands: list[Command] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    tests: list[Word] = field(default_factory=list)
    expansions: list[tuple[str, Span]] = field(default_factory=list)
    directives: list[Span] = field(default_factory=list)


def read(data: bytes, span: Span, blanks: Sequence[Span] = ()) -> Script:
    """The script that is in `span`; `blanks` in it are not part of it."""
    script = Script()
    waiting = [(span, 0)]
    while waiting:
        part, depth = waiting.pop()
        first = len(script.commands)
        _read(data, part, blanks, script)
        if depth < _DEEPEST:
            waiting.extend((inner, depth + 1) for inner in _inner(script.commands[first:]))
    return script


def of_words(data: bytes, words: tuple[Word, ...]) -> Script:
    """The script that is one command by its words, and what that hands to a shell: `["sh", "-c", "nvcc a.cu"]`."""
    script = Script(commands=[Command(words)] if words else [])
    for span in _inner(script.commands):
        inside = read(data, span)
        script.commands += inside.commands
        script.assignments += inside.assignments
        script.expansions += inside.expansions
    return script


def _inner(commands: Sequence[Command]) -> Iterator[Span]:
    """Scripts that commands hand to a shell as one word: `bash -c "..."`, and what `watch` runs by one."""
    for command in commands:
        words = command.words
        if command.name == "watch":
            yield from (word.span for word in words[1:] if " " in word.text and "\\" not in word.text)
        for at in range(len(words) - 2):
            shell = words[at].text.rpartition("/")[2] in _SHELLS
            if shell and re.fullmatch(r"-[a-z]*c", words[at + 1].text) and "\\" not in words[at + 2].text:
                yield words[at + 2].span


def _masked(data: bytes, span: Span, blanks: Sequence[Span]) -> bytes:
    """The text of `span`, as long as it was, without what the grammar of shells does not know."""
    text = bytearray(data[span.start : span.end])
    for blank in blanks:
        if span.start <= blank.start and blank.end <= span.end:
            text[blank.start - span.start : blank.end - span.start] = b" " * (blank.end - blank.start)
    for match in _COUNT.finditer(text):
        text[match.end() - 1] = ord("0")  # the grammar takes the sign for a comment's, and loses what follows
    for match in _TESTED.finditer(text):
        text[match.start(1)] = ord(";")  # the grammar may go on with the test, if something behind it is redirected
    for match in _TEMPLATE.finditer(text):
        text[match.start() : match.end()] = b"x" * (match.end() - match.start())
    return bytes(text).replace(b"\\\r\n", b" \\\n").replace(b"\r\n", b" \n")


def _read(data: bytes, span: Span, blanks: Sequence[Span], script: Script) -> None:
    tree = tree_sitter_nodes.parse("bash", _masked(data, span, blanks))
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.type == "comment":
            script.directives.append(_span(node, span.start))
        elif node.type == "command":
            words = _words(data, node, span.start)
            if words:
                script.commands.append(Command(words, _is_read(node)))
        elif node.type == "test_command":
            script.tests.extend(_tested(data, node, span.start))
        elif node.type == "variable_assignment":
            _assigned(data, node, span.start, script)
        elif node.type in ("simple_expansion", "expansion"):
            inside = [inner for child in node.named_children for inner in (child, *_indexed(child))]
            name = next((child for child in inside if child.type == "variable_name"), None)
            if name is not None:
                place = _span(name, span.start)
                script.expansions.append((data[place.start : place.end].decode("latin-1"), place))
        if node.type != "heredoc_body":
            waiting.extend(reversed(node.named_children))


def _tested(data: bytes, test: Node, offset: int) -> Iterator[Word]:
    """The words of a condition; those of commands in it are read with the commands."""
    waiting = list(test.named_children)
    while waiting:
        node = waiting.pop()
        if node.type in _WORDS:
            yield _word(data, node, offset)
        elif node.type.endswith("_expression"):
            waiting += node.named_children


def _indexed(node: Node) -> list[Node]:
    """The name and the index of what stands for elements of an array: `FLAGS[@]`."""
    return node.named_children if node.type == "subscript" else []


def _is_read(command: Node) -> bool:
    around = command.parent
    while around is not None and around.type == "redirected_statement":
        around = around.parent
    return around is not None and around.type in ("pipeline", "command_substitution", "process_substitution")


def _span(node: Node, offset: int) -> Span:
    return Span(node.start_byte + offset, node.end_byte + offset)


def _words(data: bytes, command: Node, offset: int) -> tuple[Word, ...]:
    found = []
    for child in command.named_children:
        inner = child.named_children[0] if child.type == "command_name" and child.named_children else child
        if inner.type in _WORDS:
            found.append(_word(data, inner, offset))
        elif inner.type in ("ERROR", "command_substitution") and found:
            span = _span(inner, offset)
            found.append(Word(utf8.text(data[span.start : span.end]), span, plain=False))
    return tuple(found)


def _word(data: bytes, node: Node, offset: int) -> Word:
    span = _span(node, offset)
    quoted = node.type in ("string", "raw_string") and span.end - span.start >= 2
    if quoted:
        span = Span(span.start + 1, span.end - 1)
    text = utf8.text(data[span.start : span.end])
    plain = node.type in ("word", "number", "raw_string", "string") and (
        not re.search(r"[$`\\]", text) or node.type == "raw_string"
    )
    return Word(text, span, plain)


def _assigned(data: bytes, node: Node, offset: int, script: Script) -> None:
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None or name.type != "variable_name":
        return
    extent, place = _span(node, offset), _span(name, offset)
    if value is None:
        word = Word("", Span(extent.end, extent.end), plain=True)
    else:
        word = _word(data, value, offset)
    listed = value.named_children if value is not None and value.type == "array" else ()
    words = tuple(_word(data, one, offset) for one in listed if one.type in _WORDS)
    script.assignments.append(Assignment(data[place.start : place.end].decode("latin-1"), place, extent, word, words))


def split(data: bytes, span: Span) -> tuple[Word, ...]:
    """The words of one line that no shell reads, as the options after `#SBATCH`."""
    found = re.finditer(rb"[^\s\\]+", data[span.start : span.end])
    places = (Span(span.start + match.start(), span.start + match.end()) for match in found)
    return tuple(Word(utf8.text(data[place.start : place.end]), place, plain=True) for place in places)
