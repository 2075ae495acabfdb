"""Python that has PyTorch build an extension -> the builds, as far as the text says: sources and include folders.

Nothing is run. Sources are followed through lists, variables, `os.path`, and patterns of `glob`, which are compared
with the paths of the repository. Where they are not seen, every source file below the folder of the build may be one.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from cudamigrate.compilation import setup_flags
from cudamigrate.compilation.build_settings import FORCED
from cudamigrate.compilation.torch_hipify import Build
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import walk
from cudamigrate.syntax import python_imports, python_tree
from cudamigrate.syntax.python_imports import Imported

_MODULE, _SETUP, _LOAD, _INLINE = "cpp_extension", "CUDAExtension", "load", "load_inline"
_COMMAND = "BuildExtension"
_UNITS = (".cu", ".cpp", ".cc", ".c", ".cxx")
_COPIES = ("shutil.copy", "shutil.copy2", "shutil.copyfile")
_DEPTH = 8
"""So many variables are followed, one to the next."""


def sees_all(path: str, text: str, paths: Set[str]) -> bool:
    """Whether the sources of every extension that a file has PyTorch build are written in it, as `builds` has them.

    An extension that is given its code as a text has no sources.
    """
    try:
        tree = python_tree.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    lists = _Lists(setup_flags.paths(tree), _assigned(tree), posixpath.dirname(path), paths)
    imported = _imported(tree, text)
    calls = [*_set_ups(tree, imported), *imported.calls(tree, _LOAD)]
    known = {id(call.func) for call in calls}
    named = {imported.of(one) or _name(one) for one in ast.walk(tree) if id(one) not in known}
    if _SETUP in named or not (calls or _INLINE in named):
        return False
    return all(lists.files(_argument(call, "sources", 1)) for call in calls)


def builds_at_first_use(text: str) -> bool:
    """Whether a file has PyTorch build something from files when it is first used, wherever its sources are."""
    try:
        tree = python_tree.parse(text) if _MODULE in text else None
    except (SyntaxError, ValueError, RecursionError):
        return False
    return tree is not None and any(_imported(tree, text).calls(tree, _LOAD))


def is_command_of_pytorch(text: str) -> bool:
    """Whether PyTorch's command of setuptools builds all extensions of a file: `{"build_ext": BuildExtension}`.

    A class of the file that is derived from it counts, too. On ROCm it gives each compiler the macros of HIP's headers,
    for sources of the host as well (`torch/utils/cpp_extension.py`, `COMMON_HIP_FLAGS`).
    """
    try:
        tree = python_tree.parse(text) if _COMMAND in text else None
    except (SyntaxError, ValueError, RecursionError):
        return False
    if tree is None:
        return False
    imported, own = _imported(tree, text), set[str]()

    def is_pytorchs(node: ast.AST) -> bool:
        return imported.of(node) == _COMMAND or (isinstance(node, ast.Name) and node.id in own)

    for one in ast.walk(tree):
        if isinstance(one, ast.ClassDef) and any(map(is_pytorchs, one.bases)):
            own.add(one.name)
    given = [one.value for one in ast.walk(tree) if isinstance(one, ast.keyword) and one.arg == "cmdclass"]
    return bool(given) and all(any(map(is_pytorchs, ast.walk(one))) for one in given)


def may_give_nvcc(text: str, option: str) -> bool:
    """Whether a setup.py may give the GPU's compiler an option: `extra_compile_args={"nvcc": args}`, `args` followed.

    What a list of functions and variables holds is all that the file puts there. True where one list is for all.
    """
    try:
        tree = python_tree.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return True
    given = [one.value for one in ast.walk(tree) if isinstance(one, ast.keyword) and one.arg == "extra_compile_args"]
    waiting: list[ast.AST] = [one for one in given if not isinstance(one, ast.Dict)]
    for one in ast.walk(tree):
        if isinstance(one, ast.Dict):
            waiting += [v for k, v in zip(one.keys, one.values, strict=True) if k is None or _text(k) != "cxx"]
    filled, seen = _filled(tree), set[str]()
    while waiting:
        for part in ast.walk(waiting.pop()):
            if option in _text(part):
                return True
            if isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                waiting += filled.get(part.id, ())
    return False


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _filled(tree: ast.AST) -> dict[str, list[ast.AST]]:
    """What the variables of a file are set to and given more of, and the bodies of its functions, by name.

    Of a list of options by compiler, `{"cxx": [...], "nvcc": [...]}`, the values are asked by their keys.
    """
    found = dict[str, list[ast.AST]]()
    for one in ast.walk(tree):
        match one:
            case ast.Assign(targets=targets, value=value) if not isinstance(value, ast.Dict):
                for target in targets:
                    found.setdefault(_holder(target), []).append(value)
            case ast.AugAssign(target=target, value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                found.setdefault(_holder(target), []).append(value)
            case ast.Call(func=ast.Attribute(value=owner), args=args):
                found.setdefault(_holder(owner), []).extend(args)
            case ast.FunctionDef(name=name, body=body):
                found.setdefault(name, []).extend(body)
    found.pop("", None)
    return found


def _holder(node: ast.AST) -> str:
    """The variable that is set, also at a key that is not the host's: `args["nvcc"]`."""
    if isinstance(node, ast.Subscript):
        return _name(node.value) if _text(node.slice) != "cxx" else ""
    return _name(node)


def _name(node: ast.AST) -> str:
    """What a name or an attribute names."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def builds(path: str, text: str, paths: Set[str]) -> list[Build]:
    """The builds of a file at `path`, whose text is `text`; `paths` are those of all files of the repository."""
    try:
        tree = python_tree.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    lists = _Lists(setup_flags.paths(tree), _assigned(tree), posixpath.dirname(path), paths)
    given = [words for words in setup_flags.read(text) if words]
    told = [words[1] for words in given if words[0] == "-I"]
    forced = [header for words in given for option, header in pairwise(words) if option in FORCED]
    others = [one.removeprefix("-I") for words in given if words[0] != "-I" for one in words if one.startswith("-I")]
    imported = _imported(tree, text)
    found = [_loaded(call, lists, told, others) for call in imported.calls(tree, _LOAD)]
    made = [one for one in found if one is not None]
    calls = _set_ups(tree, imported)
    if calls or _SETUP in {imported.of(one) or one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}:
        made.append(_set_up(path, calls, lists, told, others))
    return [replace(one, forced=_there(one.root or lists.folder, forced, paths)) for one in made] if forced else made


def _there(folder: str, named: Sequence[str], paths: Set[str]) -> frozenset[str]:
    """Those of the files named from a folder that there are."""
    return frozenset(_at(folder, name) for name in named) & paths


def copies_sources(text: str) -> bool:
    """Whether a function has PyTorch build an extension of files that it copies first, away from the others."""
    if "cpp_extension" not in text or "shutil.copy" not in text:
        return False
    try:
        tree = python_tree.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    functions, imported = (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)), _imported(tree, text)
    return any(_copies(one) and next(imported.calls(one, _LOAD), None) is not None for one in functions)


def _copies(function: ast.FunctionDef) -> bool:
    called = (one.func for one in ast.walk(function) if isinstance(one, ast.Call))
    return any(isinstance(one, ast.Attribute) and ast.unparse(one) in _COPIES for one in called)


def units(text: str, folder: Path) -> Iterator[str]:
    """The absolute paths of the sources that a setup.py in `folder` is seen to have PyTorch compile."""
    if _SETUP in text:
        paths = frozenset(_sources_below(folder))
        for one in extensions("setup.py", text, paths, _SETUP):
            yield from (str(folder / name) for name in one.sources)


def _sources_below(folder: Path) -> Iterator[str]:
    """Relative paths of the sources below a folder, hidden ones left out."""
    for inner, folders, names in walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from ((Path(inner) / name).relative_to(folder).as_posix() for name in names if name.endswith(_UNITS))


class Extension(NamedTuple):
    """An extension that setuptools builds with the host's compiler: `name` and `end` are bytes of the file.

    `name` is the place of what is called, `end` that of the last parenthesis. `sources` are those that are seen.
    """

    name: tuple[int, int]
    end: int
    sources: tuple[str, ...]
    has_macros: bool


def extensions(path: str, text: str, paths: Set[str], name: str = "Extension") -> list[Extension]:
    """The calls of `Extension` in a file at `path`, of which no builder of PyTorch makes one; or those of another
    `name` whose sources nothing converts."""
    try:
        tree = python_tree.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    lists = _Lists(setup_flags.paths(tree), _assigned(tree), posixpath.dirname(path), paths)
    starts = [0, *accumulate(len(line.encode()) for line in text.splitlines(keepends=True))]
    return [_extension(call, lists, starts) for call in _calls(tree, name)]


def _extension(call: ast.Call, lists: _Lists, starts: Sequence[int]) -> Extension:
    func, given = call.func, _argument(call, "sources", 1)
    end = starts[(func.end_lineno or 1) - 1] + (func.end_col_offset or 0)
    last = starts[(call.end_lineno or 1) - 1] + (call.end_col_offset or 1) - 1
    seen = [name for part in _addends(given) for name in lists.files(part) or ()]
    found = {_at(base, name) for name in seen for base in (lists.folder, "") if _at(base, name) in lists.paths}
    macros = len(call.args) > 3 or any(one.arg in ("define_macros", None) for one in call.keywords)
    return Extension((end - len("Extension"), end), last, tuple(sorted(found)), macros)


def _addends(node: ast.expr | None) -> Iterator[ast.expr]:
    """The parts that lists are put together of: those that are seen count where others are not."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from (*_addends(left), *_addends(right))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            yield from parts
        case ast.expr():
            yield node


def _calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name in (getattr(node.func, "attr", ""), getattr(node.func, "id", "")):
            yield node


def _imported(tree: ast.AST, text: str) -> Imported:
    """What the file calls PyTorch's functions that build."""
    return python_imports.read(tree, _MODULE) if _MODULE in text else Imported(_MODULE, frozenset(), {})


def _set_ups(tree: ast.AST, imported: Imported) -> list[ast.Call]:
    """The extensions of a setup.py, by their own name or the one that the file gives it."""
    return [*_calls(tree, _SETUP), *(one for one in imported.calls(tree, _SETUP) if _name(one.func) != _SETUP)]


def _argument(call: ast.Call, name: str, at: int = -1) -> ast.expr | None:
    given = next((one.value for one in call.keywords if one.arg == name), None)
    return given if given is not None or not 0 <= at < len(call.args) else call.args[at]


def _set_up(path: str, calls: Sequence[ast.Call], lists: _Lists, told: Sequence[str], others: Sequence[str]) -> Build:
    """The build of a setup.py, which runs in its folder; of any other file that builds, maybe in that of the whole."""
    listed = [lists.files(_argument(call, "sources", 1)) for call in calls]
    known = [name for names in listed if names is not None for name in names]
    own = posixpath.dirname(path)
    root = next((base for base in (own, "") if all(_at(base, name) in lists.paths for name in known)), None)
    if known and root is not None and None not in listed:
        return Build(root, frozenset(_at(root, name) for name in known), _below(root, told), _below(root, others))
    root = own if posixpath.basename(path) == "setup.py" else ""
    under = f"{root}/" if root else ""
    units = frozenset(one for one in lists.paths if one.startswith(under) and one.endswith(_UNITS))
    return Build(root, units, _below(root, told), _below(root, others))


def _loaded(call: ast.Call, lists: _Lists, told: Sequence[str], others: Sequence[str]) -> Build | None:
    """A build at first use; None where its sources are not seen, or lie elsewhere."""
    listed = lists.files(_argument(call, "sources", 1))
    for base in (lists.folder, ""):
        if listed and all(_at(base, name) in lists.paths for name in listed):
            sources = frozenset(_at(base, name) for name in listed)
            root = _built_in(call, lists, base)
            return Build(root, sources, _below(base, told), _below(base, others), loaded=True)
    return None


def _built_in(call: ast.Call, lists: _Lists, base: str) -> str:
    """The folder of the repository that a build at first use is made in, where it says so; else empty."""
    given = _argument(call, "build_directory", 6)
    path = setup_flags.path_of(given, lists.names) if given is not None else None
    folder = _at(base, path) if path is not None else ""
    return folder if folder and any(one.startswith(f"{folder}/") for one in lists.paths) else ""


def _below(root: str, folders: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_at(root, folder) for folder in folders))


def _at(folder: str, path: str) -> str:
    """A path of the repository, empty for its root."""
    found = posixpath.normpath(posixpath.join(folder, path))
    return "" if found == "." else found


def _assigned(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """All that variables are set to, or get added."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                found.setdefault(name, []).append(value)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value]):
                found.setdefault(name, []).append(ast.List(elts=[value]))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="extend"), args=[value]):
                found.setdefault(name, []).append(value)
    return found


@dataclass(frozen=True, slots=True)
class _Lists:
    """Lists of paths as a Python file writes them: `names` are its texts, `assigned` what its variables hold."""

    names: Mapping[str, str]
    assigned: Mapping[str, Sequence[ast.expr]]
    folder: str
    paths: Set[str]

    def files(self, node: ast.expr | None, depth: int = _DEPTH) -> list[str] | None:
        """The paths in a list, relative as they are written; None where one of them is not seen."""
        match node:
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return self._all(parts, depth)
            case ast.BinOp(left=left, op=ast.Add(), right=right) if setup_flags.path_of(node, self.names) is None:
                return self._joined([self.files(left, depth), self.files(right, depth)])
            case ast.Name(id=name) if name in self.assigned and name not in self.names and depth:
                return self._joined([self.files(value, depth - 1) for value in self.assigned[name]])
            case ast.ListComp(elt=part, generators=[ast.comprehension(target=ast.Name(id=name), iter=values, ifs=[])]):
                return self._each(part, name, self.files(values, depth))
            case ast.Call(func=ast.Name(id="list" | "sorted"), args=[inner]):
                return self.files(inner, depth)
            case ast.Call() if (matched := self._globbed(node)) is not None:
                return matched
        path = setup_flags.path_of(node, self.names) if node is not None else None
        return None if path is None else [path]

    def _all(self, parts: Sequence[ast.expr], depth: int) -> list[str] | None:
        return self._joined([self.files(p.value if isinstance(p, ast.Starred) else p, depth) for p in parts])

    @staticmethod
    def _joined(parts: Sequence[list[str] | None]) -> list[str] | None:
        known = [part for part in parts if part is not None]
        return [path for part in known for path in part] if len(known) == len(parts) else None

    def _each(self, part: ast.expr, name: str, values: list[str] | None) -> list[str] | None:
        made = [setup_flags.path_of(part, {**self.names, name: value}) for value in values or ()]
        return [path for path in made if path is not None] if values is not None and None not in made else None

    def _globbed(self, node: ast.Call) -> list[str] | None:
        """The paths of the repository that a pattern of `glob` fits; None for any other call."""
        called = ast.unparse(node.func)
        if called not in ("glob", "glob.glob") or not node.args:
            return None
        pattern = setup_flags.path_of(node.args[0], self.names)
        if pattern is None:
            return None
        for base in dict.fromkeys((self.folder, "")):  # what is no setup.py may run at the root
            fits = re.compile(_pattern(_at(base, pattern)))
            found = sorted(posixpath.relpath(path, base or ".") for path in self.paths if fits.fullmatch(path))
            if found:
                return found
        return []


def _pattern(pattern: str) -> str:
    """A pattern of `glob` as a regular expression: `*` stays in its folder, `**/` may be any folders."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    made = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(made.get(part) or re.escape(part) for part in parts)
