"""setup.py -> the compiler options that it gives whatever the machine: include folders, macros, the C++ standard.

Nothing is run: folders are followed through variables and the functions of `os.path` and `pathlib`, and a list of
options in a condition counts for its C++ standard alone, but for what PyTorch's own answer chooses for ROCm, and what
a build for a GPU is asked for.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import NamedTuple

from cudamigrate.compilation import python_values, setup_words, vendor_answers
from cudamigrate.syntax import python_tree

_PYTORCHS, _HALVES = "COMMON_HIPCC_FLAGS", "-D__HIP_NO_HALF_"
"""PyTorch's list of options for AMD, and how those begin that take operators and conversions from HIP's halves."""
_LARGEST = 1 << 20
"""Characters of a text that variables are put together to."""


class Flags(NamedTuple):
    """`lists` of options as on a command line, folders relative to that of the file.

    `open` are the macros of which no value, or not one alone, is known, `some` those that only some ways give.
    """

    lists: tuple[list[str], ...] = ()
    open: frozenset[str] = frozenset()
    some: frozenset[str] = frozenset()


def read(text: str) -> Iterator[list[str]]:
    """Lists of options as on a command line, folders relative to that of the file; none where it is no Python."""
    yield from flags(text).lists


def flags(text: str) -> Flags:
    """The options in a file; none where it is no Python."""
    found = _flags(text)
    return found._replace(lists=tuple(map(list, found.lists)))


@lru_cache(maxsize=8)
def _flags(text: str) -> Flags:
    """As `flags`, kept for whoever asks for the same file next: several stages do."""
    try:
        tree = python_tree.parse(text)
    except (SyntaxError, ValueError):
        return Flags()
    names, answers = paths(tree), vendor_answers.known(tree)
    away = _for_cuda(tree, answers) | _taken_away(tree) | (_of_cmake(tree) if _CMAKES in text else set())
    reading = _Reading(_conditional(tree, answers, gpu=True))
    for node, scopes in python_values.scoped(tree):
        if id(node) not in away:
            folders = (path_of(expression, names) for expression in _include_lists(node))
            reading.lists += (["-I", folder or "."] for folder in folders if folder is not None)
            reading.lists += (["-include", header] for header in _forced(node, scopes, names, reading.conditional))
            reading.take(node, setup_words.of(node, scopes, partial(_answer, answers=answers)))
    reading.take(tree, list(_macros(tree, answers)))
    left = set(_left_to_halves(tree))
    reading.lists = [[word for word in words if word[2:].partition("=")[0] not in left] for words in reading.lists]
    reading.lists += [[f"-U{name}" for name in sorted(left)]] if left else []
    return Flags(tuple(reading.lists), frozenset(reading.open), frozenset(reading.some))


@dataclass(slots=True)
class _Reading:
    """The options found so far; `conditional` are the nodes of which nobody knows whether the build comes to them."""

    conditional: set[int]
    lists: list[list[str]] = field(default_factory=list)
    open: set[str] = field(default_factory=set)
    some: set[str] = field(default_factory=set)

    def take(self, node: ast.AST, words: Sequence[setup_words.Word]) -> None:
        """Take in the options that a node gives: on some ways alone, only its C++ standard is an option."""
        if id(node) in self.conditional:
            self.some.update(word.macro for word in words if word.macro)
            self.lists.append([word.text for word in words if word.text.startswith("-std")])
        elif words:
            self.some.update(word.macro for word in words if word.macro and word.some)
            self.open.update(word.macro for word in words if word.macro and not word.alone and not word.some)
            self.lists.append([word.text for word in words if word.text])


_CMAKES = "-DCMAKE_"
"""How an option begins that only CMake reads."""


def _of_cmake(tree: ast.Module) -> set[int]:
    """The `id` of each node that is a part of a command line of CMake's, whose `-D` are no macros.

    That is a list with an option that only CMake reads, and what goes into a variable that gets such a list or option.
    """
    given: list[tuple[str, ast.AST]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                given.append((name, value))
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                given.append((name, value))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                given.append((name, node))
            case ast.List():
                given.append(("", node))
    lines = [(name, node) for name, node in given if any(map(_is_for_cmake, ast.walk(node)))]
    names = {name for name, _ in lines} - {""}
    parts = [node for name, node in given if name in names] + [node for _, node in lines]
    return {id(one) for node in parts for one in ast.walk(node)}


def _taken_away(tree: ast.Module) -> set[int]:
    """The `id` of each node of a list whose elements are options that another list is to lose, and nobody gets.

    So `for flag in LIST: others.remove(flag)` takes them, and `[flag for flag in others if flag not in LIST]`.
    """
    lists: list[ast.expr] = []
    for node in ast.walk(tree):
        match node:
            case ast.For(target=ast.Name(id=name), iter=iterated):
                lists += [iterated] if any(_removes(one, name) for one in ast.walk(node)) else []
            case ast.comprehension(target=ast.Name(id=name), ifs=conditions):
                for one in conditions:
                    match one:
                        case ast.Compare(left=ast.Name(id=asked), ops=[ast.NotIn()], comparators=[listed]):
                            lists += [listed] if asked == name else []
    names = {one.id for one in lists if isinstance(one, ast.Name)}
    given = (node for node in ast.walk(tree) if isinstance(node, ast.Assign))
    lists += [node.value for node in given if any(getattr(one, "id", "") in names for one in node.targets)]
    return {id(part) for one in lists for part in ast.walk(one)}


def _removes(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="remove" | "discard"), args=[ast.Name(id=given)]):
            return given == name
    return False


def _is_for_cmake(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(_CMAKES)


def paths(tree: ast.Module) -> dict[str, str]:
    """The variables that hold a text or a path, each with the first one: a path is relative to the file's folder."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = path_of(node.value, names)
            if value is not None:
                names.setdefault(node.targets[0].id, value)
    return names


def _macros(tree: ast.Module, answers: Mapping[str, bool]) -> Iterator[setup_words.Word]:
    """The macros of `define_macros`, given there or by a variable, that a build for a GPU has."""
    given = [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "define_macros"]
    names = {part.id for node in given for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    names.add("define_macros")
    conditional = _conditional(tree, answers, gpu=True)
    for node, scopes in python_values.scoped(tree):
        some = id(node) in conditional
        for pair in _elements(_added(node, names), answers):
            match pair:
                case ast.Tuple(elts=[ast.Constant(value=str(name)), ast.Constant(value=None)]):
                    yield setup_words.Word("" if some else f"-D{name}", name, some=some)
                case ast.Tuple(elts=[ast.Constant(value=str(name)), value]):
                    text, alone = python_values.text(value, scopes) or (None, False)
                    known = text is not None and not some
                    yield setup_words.Word(f"-D{name}={text}" if known else "", name, alone, some)


def _left_to_halves(tree: ast.Module) -> Iterator[str]:
    """The macros of halves that a file takes out of what PyTorch gives to the compiler for AMD."""
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    removed = (one.value for one in called if isinstance(one, ast.Attribute) and one.attr == "remove")
    if any(_PYTORCHS in (getattr(one, "attr", ""), getattr(one, "id", "")) for one in removed):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(_HALVES):
                yield node.value.removeprefix("-D").partition("=")[0]


def _elements(listed: ast.expr | None, answers: Mapping[str, bool]) -> Iterator[ast.expr]:
    """The elements of a list, of lists put together, and of the one that a build for ROCm chooses."""
    match listed:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from _elements(part.value, answers) if isinstance(part, ast.Starred) else (part,)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from (*_elements(left, answers), *_elements(right, answers))
        case ast.IfExp(body=body, orelse=orelse):
            answer = _answer(listed, answers)
            yield from _elements(None if answer is None else body if answer else orelse, answers)


def _added(node: ast.AST, names: set[str]) -> ast.expr | None:
    """The list that `define_macros` is given, or that one of the variables is set to or gets as well."""
    match node:
        case ast.keyword(arg="define_macros", value=value):
            return value
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AugAssign(target=ast.Name(id=name), value=value)
        ):
            return value if name in names else None
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend" as how), args=[value]):
            added = ast.List(elts=[value]) if how == "append" else value
            return added if name in names else None
    return None


def _for_cuda(tree: ast.Module, answers: Mapping[str, bool]) -> set[int]:
    """The `id` of each node that is taken with CUDA alone, as PyTorch's own answer decides."""
    found: set[int] = set()
    for node in ast.walk(tree):
        answer = _answer(node, answers) if isinstance(node, ast.If | ast.IfExp) else None
        if answer is not None and isinstance(node, ast.If | ast.IfExp):
            for part in _parts(node.orelse if answer else node.body):
                found.update(map(id, ast.walk(part)))
    return found


def _answer(node: ast.If | ast.IfExp, answers: Mapping[str, bool]) -> bool | None:
    """What a condition is for ROCm, None where nobody knows, and where the extension is made by its other branch alone.

    A build for ROCm then needs that branch.
    """
    answer = vendor_answers.of(node.test, answers)
    if answer is None:
        return None
    taken, other = (node.body, node.orelse) if answer else (node.orelse, node.body)
    return None if _extends(other) and not _extends(taken) else answer


def _extends(branch: ast.expr | list[ast.stmt]) -> bool:
    """Whether a branch calls what makes an extension for a GPU."""
    calls = (node.func for part in _parts(branch) for node in ast.walk(part) if isinstance(node, ast.Call))
    return any(ast.unparse(called).rpartition(".")[2] == "CUDAExtension" for called in calls)


def _parts(branch: ast.expr | list[ast.stmt]) -> Sequence[ast.AST]:
    return branch if isinstance(branch, list) else [branch]


def _is_for_gpu(test: ast.expr, answers: Mapping[str, bool]) -> bool:
    """Whether a condition asks for CUDA and nothing more: `torch.cuda.is_available() and CUDA_HOME is not None`.

    What is so with ROCm besides, `(CUDA_HOME or ROCM_HOME)`, asks for nothing.
    """
    values = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    asked = [part for part in values if vendor_answers.of(part, answers) is not True]
    parts = [inner for part in asked for inner in ast.walk(part)]
    denied = any(isinstance(part, ast.Not | ast.Or) for part in parts)
    compared = [part for part in parts if isinstance(part, ast.Compare)]
    there = all(len(one.ops) == 1 and isinstance(one.ops[0], ast.IsNot) for one in compared)
    return any("cuda" in ast.unparse(part).lower() for part in asked) and there and not denied


def _conditional(tree: ast.Module, answers: Mapping[str, bool], gpu: bool = False) -> set[int]:
    """The `id` of each node inside of an `if`, of which nobody knows whether it is taken.

    With `gpu` a branch that asks for CUDA is taken; what PyTorch's own answer chooses for ROCm is in any case.
    """
    found: set[int] = set()
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, inside = waiting.pop()
        around, inside = inside, inside or isinstance(node, ast.If)
        if inside:
            found.add(id(node))
        taken = _taken(node, answers, gpu) if isinstance(node, ast.If) else frozenset[int]()
        waiting += ((child, around if id(child) in taken else inside) for child in ast.iter_child_nodes(node))
    return found


def _taken(node: ast.If, answers: Mapping[str, bool], gpu: bool) -> frozenset[int]:
    """The `id` of each statement that a build for AMD is known to come to."""
    answer = _answer(node, answers)
    for_gpu = gpu and answer is None and (_is_for_gpu(node.test, answers) or _alone_extends(node))
    body = answer is True or for_gpu
    return frozenset(map(id, node.body if body else node.orelse if answer is False else ()))


def _alone_extends(node: ast.If) -> bool:
    """Whether a branch names what makes an extension for a GPU, and the other does not: `extension = CUDAExtension`."""
    first, second = (
        any(
            "CUDAExtension" in (getattr(one, "id", ""), getattr(one, "attr", ""))
            for part in branch
            for one in ast.walk(part)
        )
        for branch in (node.body, node.orelse)
    )
    return first and not second


def _include_lists(node: ast.AST) -> Iterator[ast.expr]:
    """The elements of what is given to, assigned to or appended to something named for includes."""
    value: ast.expr | None = None
    named = isinstance(node, ast.keyword) and "include" in (node.arg or "")
    if isinstance(node, ast.keyword | ast.Assign):
        targets = [] if isinstance(node, ast.keyword) else [ast.unparse(target) for target in node.targets]
        value = node.value if named or any("include" in target for target in targets) else None
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "extend"):
        value = node.args[0] if node.args and "include" in ast.unparse(node.func.value) else None
    if isinstance(value, (ast.List, ast.Tuple)):
        yield from value.elts
    elif value is not None:
        yield value


def _forced(
    node: ast.AST, scopes: python_values.Scopes, names: Mapping[str, str], conditional: Set[int]
) -> Iterator[str]:
    """The paths of the headers that a list of options includes before each file, where it puts them together."""
    if isinstance(node, ast.List) and id(node) not in conditional:
        paths = (path_of(header, names) for _, header in setup_words.forced(node.elts, scopes))
        yield from (path for path in paths if path is not None)


def path_of(node: ast.expr, names: Mapping[str, str]) -> str | None:
    """The path that an expression gives, relative to the folder of the file; None where it cannot be known."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return "setup.py" if node.id == "__file__" else names.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _joined([path_of(node.left, names), path_of(node.right, names)])
    if isinstance(node, ast.JoinedStr):
        parts = [path_of(part.value if isinstance(part, ast.FormattedValue) else part, names) for part in node.values]
        return None if None in parts else bounded("".join(part for part in parts if part is not None))
    if isinstance(node, ast.Attribute) and node.attr == "parent":
        return _around(path_of(node.value, names))
    if isinstance(node, ast.Call):
        return _called(node, names)
    return None


def _called(node: ast.Call, names: Mapping[str, str]) -> str | None:
    function = ast.unparse(node.func).rpartition(".")[2]
    given = [path_of(argument, names) for argument in node.args]
    if function == "join":
        return _joined(given)
    if function == "getcwd":
        return "."
    if function == "dirname":
        return _around(given[0]) if given else None
    if function in ("abspath", "realpath", "Path", "str", "normpath"):
        return given[0] if given else None
    if isinstance(node.func, ast.Attribute) and function in ("resolve", "absolute", "as_posix"):
        return path_of(node.func.value, names)
    return None


def _around(path: str | None) -> str | None:
    """The folder that holds a path: that of `setup.py` is `.`, and that of `.` is `..`."""
    return None if path is None else posixpath.normpath(f"{path}/..")


def _joined(parts: Sequence[str | None]) -> str | None:
    """A path of its parts, as `os.path.join` makes it; None where a part is not known, or there is none."""
    known = [part for part in parts if part is not None]
    return bounded(posixpath.join(*known)) if known and len(known) == len(parts) else None


def bounded(text: str) -> str:
    """A text that was put together of others. Raises ValueError where it is longer than anybody writes."""
    if len(text) > _LARGEST:
        raise ValueError("its variables make more text than can be read")
    return text
