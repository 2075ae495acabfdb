"""Bazel's language -> the calls of rules in a file, with the values of their arguments as far as texts say them.

Nothing is run. Names, lists, `select`, loops over lists and functions of files that are given are followed as Bazel
does it; what anything else gives is `UNKNOWN`. Starlark is written as Python is, so Python reads it.
Source: Bazel, "Starlark language", "BUILD files" and "Functions" (`glob`, `select`, `load`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.syntax import python_tree
from cudamigrate.syntax.build_words import LONGEST, MOST, SOME, UNKNOWN, Value, Word

_DEEP, _STEPS = 16, 100_000
"""So deep do calls nest in what is followed, and so many expressions of one file are evaluated."""
_GLOB = 500
"""A look at the files of a package counts as so many expressions."""
_FILLED = re.compile(r"%[sdr]|\{\w*\}")
"""What a value is put into: `%s`, `{}`, `{name}`."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a rule that is no function of a given file, by its name; `sure` where no condition is around it."""

    name: str
    named: Mapping[str, tuple[Word, ...]]
    sure: bool


@dataclass(frozen=True, slots=True)
class Files:
    """What a package sees of others: the text of a file by its label, empty for none, and the files of patterns."""

    text: Callable[[str], str]
    glob: Callable[[Sequence[str], Sequence[str]], Iterable[str]]


@dataclass(frozen=True, slots=True)
class _Function:
    node: ast.FunctionDef
    outer: dict[str, _Held]


_Held = Value | _Function | dict[str, Value]


@dataclass(slots=True)
class _Frame:
    """The names of a file or a call of a function, those around it, and what it returns."""

    names: dict[str, _Held] = field(default_factory=dict)
    outer: Mapping[str, _Held] = field(default_factory=dict)
    returned: Value | None = None

    def held(self, name: str) -> _Held | None:
        """What a name holds."""
        return self.names[name] if name in self.names else self.outer.get(name)


def calls(text: str, package: str, files: Files) -> list[Call]:
    """The calls of rules of the BUILD file with `text` in a package, `a/b`, in their order; none where it is broken.

    Raises RecursionError where expressions nest deep.
    """
    reader = _Reader(files)
    reader.module(text, package)
    return reader.found


def absolute(label: str, package: str) -> str:
    """A label of the workspace in full, `//a/b:name`; of another repository, as it is."""
    label = label.removeprefix("@") if label.startswith("@//") else label
    if label.startswith("@"):
        return label
    place, colon, name = label.removeprefix("//").partition(":")
    if not label.startswith("//"):
        return f"//{package}:{name if colon else place}"
    return f"//{place}:{name if colon else place.rpartition('/')[2]}"


class _Reader:
    """Evaluates a BUILD file, and what it loads."""

    def __init__(self, files: Files) -> None:
        self.found: list[Call] = []
        self._files = files
        self._loaded: dict[str, dict[str, _Held]] = {}
        self._deep = self._conditions = self._steps = 0

    def module(self, text: str, package: str) -> dict[str, _Held]:
        """The names that a file gives itself, with those that it loads."""
        try:
            tree = python_tree.parse(text)
        except (SyntaxError, ValueError):
            return {}
        frame = _Frame()
        for statement in tree.body:
            node = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "load":
                frame.names.update(self._load(node, package))
            else:
                self._statement(statement, frame)
        return frame.names

    def _load(self, node: ast.Call, package: str) -> Iterator[tuple[str, _Held]]:
        label = next((absolute(one, package) for one in map(_constant, node.args[:1]) if one), "")
        if label and label not in self._loaded:
            self._loaded[label] = {}  # one that loads itself gets nothing
            text = self._files.text(label)
            self._loaded[label] = self.module(text, label.removeprefix("//").partition(":")[0]) if text else {}
        wanted = [(_constant(one), _constant(one)) for one in node.args[1:]]
        wanted += [(one.arg or "", _constant(one.value)) for one in node.keywords]
        names = self._loaded.get(label, {})
        yield from ((here, names[there]) for here, there in wanted if there in names)

    def _run(self, body: Iterable[ast.stmt], frame: _Frame, sure: bool = True) -> None:
        self._conditions += not sure
        for statement in body:
            self._statement(statement, frame)
        self._conditions -= not sure

    def _statement(self, node: ast.stmt, frame: _Frame) -> None:
        if isinstance(node, ast.FunctionDef):
            frame.names[node.name] = _Function(node, frame.names)
        elif isinstance(node, ast.If):
            self._run(node.body, frame, sure=False)
            self._run(node.orelse, frame, sure=False)
        elif isinstance(node, ast.For):
            for value in self._turns(node.target, self._value(node.iter, frame)):
                frame.names.update(value)
                self._run(node.body, frame)
        elif isinstance(node, ast.Return):
            given = self._value(node.value, frame) if node.value is not None else Value()
            frame.returned = given if frame.returned is None else frame.returned.unsure().both(given.unsure())
        elif isinstance(node, ast.Expr):
            self._value(node.value, frame)
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            self._assign(node, frame)

    def _assign(self, node: ast.Assign | ast.AugAssign, frame: _Frame) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value, before = self._value(node.value, frame), None
        for target in targets:
            if not isinstance(target, ast.Name):
                continue
            before = frame.held(target.id)
            known = before if isinstance(before, Value) else Value()
            if isinstance(node, ast.AugAssign):
                frame.names[target.id] = _sum(known, value.unsure() if self._conditions else value)
            else:
                frame.names[target.id] = known.unsure().both(value.unsure()) if self._conditions else value

    def _turns(self, target: ast.expr, over: Value) -> Iterator[dict[str, _Held]]:
        """What the name of a loop holds in each of its turns; it is not known where several are given."""
        words = over.words if isinstance(target, ast.Name) else (Word(UNKNOWN),)
        names = [one.id for one in ast.walk(target) if isinstance(one, ast.Name)]
        for word in words:
            yield dict.fromkeys(names, Value((word,), listed=False))

    def _value(self, node: ast.expr, frame: _Frame) -> Value:
        self._steps += 1
        if self._steps > _STEPS:
            return SOME
        if isinstance(node, ast.Constant):
            text = "" if node.value is None else str(node.value)
            return Value() if node.value is None else Value((Word(text[:LONGEST]),), listed=False)
        if isinstance(node, ast.Name):
            held = frame.held(node.id)
            return held if isinstance(held, Value) else SOME
        if isinstance(node, (ast.List, ast.Tuple)):
            return Value(tuple(word for one in node.elts for word in self._value(one, frame).words)[:MOST])
        if isinstance(node, ast.BinOp):
            left, right = self._value(node.left, frame), self._value(node.right, frame)
            if isinstance(node.op, ast.Add):
                return _sum(left, right)
            return _filled(left, right.words) if isinstance(node.op, ast.Mod) else SOME
        return self._compound(node, frame)

    def _compound(self, node: ast.expr, frame: _Frame) -> Value:
        """The value of what chooses, repeats or calls."""
        if isinstance(node, ast.IfExp):
            return self._either(node.body, node.orelse, frame)
        if isinstance(node, ast.BoolOp):
            return self._either(node.values[0], node.values[-1], frame)
        if isinstance(node, ast.ListComp) and len(node.generators) == 1:
            return self._comprehension(node, node.generators[0], frame)
        return self._call(node, frame) if isinstance(node, ast.Call) else SOME

    def _either(self, one: ast.expr, other: ast.expr, frame: _Frame) -> Value:
        return self._value(one, frame).unsure().both(self._value(other, frame).unsure())

    def _comprehension(self, node: ast.ListComp, over: ast.comprehension, frame: _Frame) -> Value:
        words: list[Word] = []
        for value in islice(self._turns(over.target, self._value(over.iter, frame)), MOST):
            given = self._value(node.elt, _Frame(value, {**frame.outer, **frame.names}))
            words += (given.unsure() if over.ifs else given).words
        return Value(tuple(words[:MOST]))

    def _call(self, node: ast.Call, frame: _Frame) -> Value:
        """What a call gives: of a function that is given, what it returns; of a rule nothing, and it is kept."""
        method = node.func if isinstance(node.func, ast.Attribute) else None
        if method is not None and not (isinstance(method.value, ast.Name) and method.value.id == "native"):
            return self._method(node, method, frame)
        name = method.attr if method is not None else node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "select" and node.args and isinstance(node.args[0], ast.Dict):
            choices = [self._value(one, frame) for one in node.args[0].values]
            return Value(tuple(word for one in choices for word in one.unsure().words)[:MOST])
        given = [self._value(one, frame) for one in node.args]
        named = dict(self._named(node.keywords, frame))
        if name == "glob":
            self._steps += _GLOB
            patterns = given[0] if given else named.get("include", Value())
            left_out = named.get("exclude", given[1] if given[1:] else Value())
            texts = self._files.glob([one.text for one in patterns.words], [one.text for one in left_out.words])
            return Value(tuple(map(Word, texts))[:MOST])
        held = frame.held(name)
        if isinstance(held, _Function):
            return self._function(held, given, named)
        self.found.append(Call(name, {key: one.words for key, one in named.items()}, self._conditions <= 0))
        return Value((*(word for one in given for word in one.unsure().words), Word(UNKNOWN))[:MOST])

    def _named(self, keywords: Iterable[ast.keyword], frame: _Frame) -> Iterator[tuple[str, Value]]:
        """The arguments with a name, those of `**kwargs` too."""
        for one in keywords:
            held = frame.held(one.value.id) if isinstance(one.value, ast.Name) else None
            if one.arg is not None:
                yield one.arg, self._value(one.value, frame)
            elif isinstance(held, dict):
                yield from held.items()

    def _method(self, node: ast.Call, method: ast.Attribute, frame: _Frame) -> Value:
        """What a method gives: of a dictionary of arguments one of them, of a string the string with values in it."""
        held = frame.held(method.value.id) if isinstance(method.value, ast.Name) else None
        given = [self._value(one, frame) for one in node.args]
        if isinstance(held, dict) and method.attr in ("pop", "get"):
            key = next((word.text for one in given[:1] for word in one.words), "")
            value = held.get(key, given[1] if given[1:] else Value())
            if method.attr == "pop":
                held.pop(key, None)
            return value
        if isinstance(held, Value) and isinstance(method.value, ast.Name) and method.attr in ("append", "extend"):
            added = given[0] if given else Value()
            frame.names[method.value.id] = held.both(added.unsure() if self._conditions else added)
            return Value()
        if method.attr == "format":
            words = [
                word for one in (*given, *(self._value(k.value, frame) for k in node.keywords)) for word in one.words
            ]
            return _filled(self._value(method.value, frame), words)
        return SOME

    def _function(self, function: _Function, given: Sequence[Value], named: Mapping[str, Value]) -> Value:
        """Follow a call of a function with its arguments."""
        if self._deep >= _DEEP:
            return SOME
        self._deep += 1
        args, frame = function.node.args, _Frame(outer=function.outer)
        outer = _Frame(outer=function.outer)
        plain = [*args.posonlyargs, *args.args]
        behind = zip(plain[len(plain) - len(args.defaults) :], args.defaults, strict=True)
        ends = zip(args.kwonlyargs, args.kw_defaults, strict=True)
        for one, default in (*behind, *ends):
            frame.names[one.arg] = self._value(default, outer) if default is not None else SOME
        frame.names.update(zip((one.arg for one in plain), given, strict=False))
        taken = {one.arg for one in (*plain, *args.kwonlyargs)}
        frame.names.update((name, value) for name, value in named.items() if name in taken)
        if args.kwarg is not None:
            frame.names[args.kwarg.arg] = {name: value for name, value in named.items() if name not in taken}
        self._run(function.node.body, frame)
        self._deep -= 1
        return frame.returned or Value()


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _filled(form: Value, given: Sequence[Word]) -> Value:
    """A string with values in it, in their order; what has no value of its own is not known."""
    if len(form.words) != 1:
        return SOME
    places = _FILLED.findall(form.words[0].text)
    values = [one.text for one in given] if len(places) == len(given) else [UNKNOWN] * len(places)
    turn = iter(values)
    text = _FILLED.sub(lambda _: next(turn), form.words[0].text)[:LONGEST]
    return Value((Word(text, form.words[0].sure and all(one.sure for one in given)),), listed=False)


def _sum(one: Value, other: Value) -> Value:
    """Two strings joined, or two lists: nothing but a string can be added to one."""
    return one.both(other) if one.listed and other.listed else one.joined(other)
