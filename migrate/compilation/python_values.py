"""Values of Python that builds: the texts and numbers that its expressions are known to have, nothing run.

A variable is followed through the scopes around its use. A value that one of several assignments gives is the last of
them, and not the only one; one that the environment may give is what it is without.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from cudamigrate.lazy_re import re

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.Try)
_LARGEST = 1 << 20
"""Characters of a text that is put together, and the largest number that is multiplied."""
_DEPTH = 8
"""So many variables are followed, one to the next."""
_ENVIRONMENT = ("os.environ.get", "os.getenv", "environ.get", "getenv")
"""What reads a variable of the environment."""


class Scope:
    """What one function, or the file, sets its variables to."""

    def __init__(self, node: ast.AST) -> None:
        self.values: dict[str, list[ast.expr | None]] = {}
        """The expressions of each variable; None for a value that no expression of the file gives alone."""
        self.added: dict[str, list[tuple[ast.expr, bool]]] = {}
        """What is added to the list of each variable, and whether that is on some ways alone."""
        self.known: dict[str, Value | None] = {}
        """The values that were worked out."""
        arguments = getattr(node, "args", None)
        if isinstance(arguments, ast.arguments):
            for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                self.values[one.arg] = [None]
        for part, is_branch in inside(node):
            self._take(part, is_branch)

    def _take(self, node: ast.AST, is_branch: bool) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._set(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self._set(target, value)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.List() as value):
                self.added.setdefault(name, []).append((value, is_branch))
            case ast.AugAssign(target=target) | ast.For(target=target) | ast.comprehension(target=target):
                self._set(target, None)
            case ast.withitem(optional_vars=ast.expr() as target):
                self._set(target, None)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value]):
                self.added.setdefault(name, []).append((ast.List(elts=[value]), is_branch))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="extend"), args=[value]):
                self.added.setdefault(name, []).append((value, is_branch))

    def _set(self, target: ast.expr, value: ast.expr | None) -> None:
        match target, value:
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                for name, one in zip(names, values, strict=True):
                    self._set(name, one)
            case ((ast.Tuple(elts=names) | ast.List(elts=names)), _):
                for name in names:
                    self._set(name, None)
            case ast.Name(id=named), _:
                self.values.setdefault(named, []).append(value)


Scopes = Sequence[Scope]
"""The scopes around a place, innermost first."""


def inside(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes of a scope in the order of the text, without those of scopes inside; whether each is in a branch."""
    waiting = [(child, False) for child in reversed(list(ast.iter_child_nodes(node)))]
    while waiting:
        one, is_branch = waiting.pop()
        yield one, is_branch
        if not isinstance(one, _SCOPES):
            within = is_branch or isinstance(one, _BRANCHES)
            waiting += ((child, within) for child in reversed(list(ast.iter_child_nodes(one))))


def scoped(tree: ast.AST) -> Iterator[tuple[ast.AST, Scopes]]:
    """All nodes below a tree with the scopes around them."""
    waiting: list[tuple[ast.AST, tuple[Scope, ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        scopes = (Scope(node), *around)
        for part, _ in inside(node):
            yield part, scopes
            if isinstance(part, _SCOPES):
                waiting.append((part, scopes))


UNKNOWN = "\0"
"""What a text has in place of a part that is not known."""


def beginning(word: ast.expr) -> str:
    """A text of which not all is known, as far as it is, with a mark for the rest."""
    match word:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(beginning(part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return beginning(left) + beginning(right)
        case ast.BinOp(left=left, op=ast.Mod()):
            return re.sub(r"%\w", UNKNOWN, beginning(left))
        case ast.Call(func=ast.Attribute(value=text, attr="format")):
            return re.sub(r"\{[^{}]*\}", UNKNOWN, beginning(text))
    return UNKNOWN


Value = tuple[str | int, bool]
"""A value, and whether it is the only one: of several, the last in the text."""


def text(node: ast.expr, scopes: Scopes) -> tuple[str, bool] | None:
    """The text of an expression, and whether it is the only one it may have; None where it is not known."""
    found = _value(node, scopes, 0)
    return None if found is None or not isinstance(found[0], str) else (found[0], found[1])


def number_or_text(node: ast.expr, scopes: Scopes) -> tuple[str, bool] | None:
    """The same of an expression that may be a number, as Python writes it."""
    found = _value(node, scopes, 0)
    return None if found is None else (str(found[0]), found[1])


def _value(node: ast.expr | None, scopes: Scopes, depth: int) -> Value | None:
    if depth > _DEPTH:
        return None
    below = partial(_value, scopes=scopes, depth=depth + 1)
    match node:
        case ast.Constant(value=str() | int() as value):
            return value, True
        case ast.JoinedStr(values=parts):
            pieces = [below(one.value if isinstance(one, ast.FormattedValue) else one) for one in parts]
            return _joined(pieces) if not any(map(_is_formatted, parts)) else None
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod(), right=right):
            given = right.elts if isinstance(right, ast.Tuple) else [right]
            return _filled(re.sub(r"%[sd]", "{}", form), [below(one) for one in given], {}) if _is_plain(form) else None
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(below(left), op, below(right))
        case ast.IfExp(body=body, orelse=orelse):
            return _one_of([below(body), below(orelse)])
        case ast.Call():
            return _called(node, below)
        case ast.Name(id=name):
            return _held(name, scopes, depth)
    return None


def _held(name: str, scopes: Scopes, depth: int) -> Value | None:
    """The value of a variable, which its scope keeps: one that depends on itself has none."""
    at = next((at for at, one in enumerate(scopes) if name in one.values), None)
    if at is None or name in scopes[at].added:
        return None
    scope = scopes[at]
    if name not in scope.known:
        scope.known[name] = None
        scope.known[name] = _one_of([_value(one, scopes[at:], depth + 1) for one in scope.values[name]])
    return scope.known[name]


def _called(call: ast.Call, below: Callable[[ast.expr], Value | None]) -> Value | None:
    """What `str`, `int` and `"{}".format(x)` give, and a variable of the environment that has a default."""
    match call:
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return _joined([below(inner)])
        case ast.Call(func=ast.Name(id="int"), args=[inner], keywords=[]):
            return _as_number(below(inner))
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(form)), attr="format"), args=given):
            named = {one.arg: below(one.value) for one in call.keywords if one.arg}
            return _filled(form, [below(one) for one in given], named)
        case ast.Call(func=function, args=[_, default]) if ast.unparse(function) in _ENVIRONMENT:
            found = below(default)
            return None if found is None else (found[0], False)
    return None


def _filled(form: str, given: Sequence[Value | None], named: Mapping[str, Value | None]) -> Value | None:
    """A text with values put in where it has `{}`, `{0}` or `{name}`; None for any other field."""
    pieces: list[Value | None] = []
    try:
        parts = list(string.Formatter().parse(form))
    except ValueError:
        return None
    following = iter(given)
    for plain, field, how, conversion in parts:
        pieces.append((plain, True))
        if field is not None:
            numbered = field.isdecimal() and int(field) < len(given)
            put = given[int(field)] if numbered else named.get(field) if field else next(following, None)
            pieces.append(None if how or conversion else put)
    return _joined(pieces)


def _is_formatted(part: ast.expr) -> bool:
    """Whether a part of an f-string is written in another way than `str` writes it."""
    return isinstance(part, ast.FormattedValue) and (part.format_spec is not None or part.conversion != -1)


def _is_plain(form: str) -> bool:
    """Whether a text has no field of `%` but `%s` and `%d`, and nothing that `format` reads."""
    return re.search(r"%(?![sd])|[{}]", form) is None


def _as_number(found: Value | None) -> Value | None:
    """What `int` makes of a value."""
    if found is None or (isinstance(found[0], str) and not re.fullmatch(r"-?\d{1,18}", found[0])):
        return None
    return int(found[0]), found[1]


def _one_of(values: Sequence[Value | None]) -> Value | None:
    """The last of the values of a variable; None where one of them is not known."""
    known = [one for one in values if one is not None]
    if not known or len(known) < len(values):
        return None
    return known[-1][0], all(alone for _, alone in known) and len({value for value, _ in known}) == 1


def _joined(pieces: Sequence[Value | None]) -> Value | None:
    known = [one for one in pieces if one is not None]
    if len(known) < len(pieces):
        return None
    return "".join(str(value) for value, _ in known), all(alone for _, alone in known)


def _computed(left: Value | None, op: ast.operator, right: Value | None) -> Value | None:
    if left is None or right is None:
        return None
    alone = left[1] and right[1]
    match left[0], op, right[0]:
        case str() as first, ast.Add(), str() as second if len(first) + len(second) < _LARGEST:
            return first + second, alone
        case int() as a, ast.Add(), int() as b:
            return a + b, alone
        case int() as a, ast.Sub(), int() as b:
            return a - b, alone
        case int() as a, ast.Mult(), int() as b if abs(a) < _LARGEST > abs(b):
            return a * b, alone
        case int() as a, ast.FloorDiv(), int() as b if b:
            return a // b, alone
    return None
