"""Calls in Python that compile text -> the CUDA files of the tree that the text is from, and what is put into it.

The value is followed: a variable of the function or the file, `replace` of a marker, a path that one function of the
tree makes and another one reads. What cannot be followed is no text that is known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.python_paths import WRITING, is_named, pattern
from cudamigrate.pipeline.python_scopes import Modules, Scope, calls, returned

_COMPILERS = frozenset(("RawKernel", "RawModule", "SourceModule"))
_WORDS = tuple(name.encode() for name in _COMPILERS)
_SOURCES = ("code", "source")
"""What CuPy and PyCUDA call the argument that comes first."""
_DEPTH = 12
"""So many names, calls and operations are followed, one to the next."""
_STEPS = 1_000
"""So many of these for one call."""
_SAME = frozenset(("decode", "strip", "lstrip", "rstrip", "expandtabs"))
"""Methods of a text that leave its code as it is."""
_FILLS = frozenset(("replace", "format"))
READS = frozenset(("read", "read_text", "read_bytes"))
"""Methods of a path or an open file that give its text."""
_DEFINE = re.compile(r"[ \t]*#[ \t]*(?:define|undef)\b")


@dataclass(frozen=True, slots=True)
class Text:
    """Text from CUDA files: their paths, the words that Python replaces in it, and those that get what was not read.

    An empty word says that any may be replaced.
    """

    files: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()


class Texts:
    """The texts that Python files of a tree compile, as far as they are from the CUDA files `code`."""

    def __init__(self, code: Sequence[str], paths: Set[str], read: Read) -> None:
        self._code, self._read = code, read
        self._modules = Modules(paths, read)
        self._left = _STEPS

    def compiled(self, path: str) -> Iterator[tuple[ast.Call, Text]]:
        """The calls of a file that compile such a text, each with it."""
        source = self._read(path)
        if source is None or not any(word in source.data for word in _WORDS):
            return
        module = self._modules.at(path)
        for call, around in calls(module.tree) if module is not None else ():
            given = source_of(call)
            if module is not None and _called(call) in _COMPILERS and given:
                self._left = _STEPS
                text = self._text(given[0], Scope(module, around), _DEPTH, frozenset())
                if text is not None and text.files:
                    yield call, text

    def _text(self, node: ast.expr, scope: Scope, depth: int, inside: Set[str]) -> Text | None:
        """What an expression is as text; None where a part is from elsewhere. Names `inside` are being followed."""
        if self._ends(depth):
            return None
        if isinstance(node, ast.Call):
            return self._of_call(node, scope, depth - 1, inside)
        if isinstance(node, ast.Name):
            return Text() if node.id in inside else self._of_name(node.id, scope, depth - 1, inside)
        if isinstance(node, ast.IfExp):
            return _joined([self._text(one, scope, depth - 1, inside) for one in (node.body, node.orelse)])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return _filled(self._text(node.left, scope, depth - 1, inside), "", False)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._of_sum((node.left, node.right), scope, depth - 1, inside)
        return None

    def _ends(self, depth: int) -> bool:
        """Whether an expression is followed no further; counts the steps."""
        self._left -= 1
        return depth <= 0 or self._left < 0

    def _of_name(self, name: str, scope: Scope, depth: int, inside: Set[str]) -> Text | None:
        seen = inside | {name}
        return _joined(
            [
                self._text(one, where, depth, seen if where is scope else frozenset())
                for one, where in scope.values(name)
            ]
        )

    def _of_sum(self, sides: Sequence[ast.expr], scope: Scope, depth: int, inside: Set[str]) -> Text | None:
        """Texts behind each other, or such a text and values of macros."""
        found = [(side, self._text(side, scope, depth, inside)) for side in sides]
        known = [text for _, text in found if text is not None]
        plain = all(self._is_plain(side, scope, depth) for side, text in found if text is None)
        return _joined(known) if plain else None

    def _of_call(self, call: ast.Call, scope: Scope, depth: int, inside: Set[str]) -> Text | None:
        """What a call returns as text: a file's, that of a method of a text, or that of a function of the tree."""
        method = call.func if isinstance(call.func, ast.Attribute) else None
        if method is not None and method.attr in READS:
            return self._of_files(method.value, scope, depth)
        if method is not None and method.attr in _SAME:
            return self._text(method.value, scope, depth, inside)
        if method is not None and method.attr in _FILLS:
            text = self._text(method.value, scope, depth, inside)
            put = call.args[1] if method.attr == "replace" and len(call.args) > 1 else None
            return _filled(text, _word(call, method.attr), put is not None and self._is_plain(put, scope, depth))
        called = self._modules.called(call, scope)
        results = returned(called.around) if called is not None else []
        return _joined([self._text(one, called, depth, frozenset()) for one in results]) if called is not None else None

    def _of_files(self, node: ast.expr, scope: Scope, depth: int) -> Text | None:
        """The text of the files that a path or an open file may be."""
        files = set[str]()
        for one, where in scope.values(node.id) if isinstance(node, ast.Name) else [(node, scope)]:
            words = [] if _writes(one) else list(self._patterns(_path(one), where, depth))
            files |= {path for path in self._code if is_named(path, words)}
        return Text(frozenset(files)) if files else None

    def _patterns(self, node: ast.AST, scope: Scope, depth: int) -> Iterator[str]:
        """The strings in an expression as patterns, with variables of one value and functions of one `return`."""
        if self._ends(depth):
            return
        if isinstance(node, ast.JoinedStr):
            yield self._together(node.values, scope, depth - 1)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield self._together((node.left, node.right), scope, depth - 1)
        elif (text := pattern(node)) is not None:
            yield text
        else:
            for inner, where in self._inner(node, scope):
                yield from self._patterns(inner, where, depth - 1)

    def _inner(self, node: ast.AST, scope: Scope) -> Sequence[tuple[ast.AST, Scope]]:
        """What an expression is made of: the value of a name, what a function of the tree returns, its parts."""
        if isinstance(node, ast.Name):
            values = scope.values(node.id)
            return values if len(values) == 1 else ()
        called = self._modules.called(node, scope) if isinstance(node, ast.Call) else None
        results = returned(called.around) if called is not None else []
        if called is not None and len(results) == 1:
            return [(results[0], called)]
        return [(one, scope) for one in ast.iter_child_nodes(node)]

    def _together(self, parts: Sequence[ast.expr], scope: Scope, depth: int) -> str:
        """The pattern of parts behind each other; anything may be where one of them is unknown."""
        found = [list(self._patterns(one, scope, depth)) for one in parts]
        return "".join(one[0] if len(one) == 1 else ".*" for one in found)

    def _is_plain(self, node: ast.expr, scope: Scope, depth: int) -> bool:
        """Whether what is put into a text gives values to macros, or is a number or empty: no code."""
        if self._ends(depth):
            return False
        if isinstance(node, ast.Constant):
            return not isinstance(node.value, str) or _is_definition(node.value)
        if isinstance(node, ast.Name):
            values = scope.values(node.id)
            return bool(values) and all(self._is_plain(one, where, depth - 1) for one, where in values)
        parts = _parts(node)
        return bool(parts) and all(self._is_plain(one, scope, depth - 1) for one in parts)


def source_of(call: ast.Call) -> list[ast.expr]:
    """The argument of a call of a compiler that is the source, by its name or as the first; empty without any."""
    return [one.value for one in call.keywords if one.arg in _SOURCES] or call.args[:1]


def _parts(node: ast.expr) -> Sequence[ast.expr]:
    """The expressions that decide what is put together: the left one of `"#define N %d" % n`."""
    if isinstance(node, ast.JoinedStr):
        return node.values[:1]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return (node.left,)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return (node.left, node.right)
    if isinstance(node, ast.List | ast.Tuple):
        return node.elts
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return (node.elt,)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return (node.func.value,) if node.func.attr == "format" else node.args if node.func.attr == "join" else ()
    return ()


def _is_definition(text: str) -> bool:
    """Whether each line of a text that has something gives a macro its value or takes it."""
    return all(_DEFINE.match(line) is not None for line in text.splitlines() if line.strip())


def _filled(text: Text | None, word: str, is_plain: bool) -> Text | None:
    """A text with something put in for a word."""
    if text is None:
        return None
    unread = frozenset[str]() if is_plain else frozenset((word,))
    return replace(text, words=text.words | {word}, unread=text.unread | unread)


def _word(call: ast.Call, method: str) -> str:
    """The word that `replace` is given to put something in the place of; empty where it is not known."""
    first = call.args[0] if call.args and method == "replace" else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _joined(parts: Sequence[Text | None]) -> Text | None:
    """All of them as one; None where one is not known, or there is none."""
    made = Text()
    for one in parts:
        if one is None:
            return None
        made = Text(made.files | one.files, made.words | one.words, made.unread | one.unread)
    return made if parts else None


def _writes(node: ast.expr) -> bool:
    """Whether an expression opens a file for writing."""
    given = [*node.args, *(one.value for one in node.keywords)] if isinstance(node, ast.Call) else []
    return any(isinstance(one, ast.Constant) and WRITING.fullmatch(str(one.value)) for one in given)


def _path(node: ast.expr) -> ast.expr:
    """What names the file in an expression that is a path, or opens one."""
    if isinstance(node, ast.Call) and _called(node) == "open":
        return node.args[0] if node.args else node.func.value if isinstance(node.func, ast.Attribute) else node
    return node


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))
