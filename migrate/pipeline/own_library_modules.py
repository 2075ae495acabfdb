"""Python files that call functions of CUDA's libraries through a module of the repository, which loads them by ctypes.

`from driver import *` brings the names that `driver.py` gives to functions: `cuInit = library.cuInit`. The module is
reported where it looks them up. Who calls them passes values, layouts and files of CUDA's: one finding a file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.detection import engine
from cudamigrate.model import FileResult, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked
from cudamigrate.pipeline.rule_base import project_rules
from cudamigrate.python_source import program
from cudamigrate.python_source.loaded_libraries import FUNCTION, LoadedLibraries
from cudamigrate.python_source.source import PySource, enclosing
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "python/library-module"
_OF_MODULES = "python/cuda-library-function"
_INIT = "/__init__"
Exported = tuple[str, str]
"""A name of a module that is a function of a library of CUDA's, and the library's file."""


def with_library_modules(results: Sequence[FileResult], book: Rulebook, read: Read) -> Sequence[FileResult]:
    """The results, with a finding at the first call of such a function in each file that imports it."""
    modules = {
        result.path: names
        for result in results
        if any(one.rule == _OF_MODULES for one in result.findings)
        and (names := dict(asked(read, result.path, _exported) or ()))
    }
    rule = project_rules(book.goal, book.extra).rules.get(RULE) if modules else None
    if rule is None or rule.silent:
        return results
    words = {posixpath.basename(_module(path)).encode() for path in modules}
    made = []
    for result in results:
        source = read(result.path) if result.language == "python" and result.skip is None else None
        hit = None
        if source is not None and any(word in source.data for word in words):
            hit = _first_call(source, modules)
        made.append(
            result if source is None or hit is None else engine.with_more(result, [engine.finding(source, hit, rule)])
        )
    return made


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix(_INIT)


def _exported(source: SourceFile) -> tuple[Exported, ...]:
    """The names at the top of a module that are functions of CUDA's libraries."""
    read = program.project_file(source, source.data).program
    if not isinstance(read, program.Program):
        return ()
    libraries, found = LoadedLibraries(read), dict[str, str]()
    for node in read.py.kind("assignment"):
        target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if target is None or value is None or target.type != "identifier" or value.type != "attribute":
            continue
        owner, name = value.child_by_field_name("object"), value.child_by_field_name("attribute")
        if enclosing(node, "function_definition", "class_definition") is not None or not read.open(node.start_byte):
            continue
        loaded = libraries.of(owner) if name is not None and FUNCTION.fullmatch(read.py.raw(name)) else None
        if loaded is not None:
            found[read.py.raw(target).decode("utf-8", "replace")] = loaded.name
    return tuple(found.items())


def _first_call(source: SourceFile, modules: Mapping[str, Mapping[str, str]]) -> Hit | None:
    """The first call of what a file imports from the modules, each with its names; None without any."""
    read = program.project_file(source, source.data).program
    if not isinstance(read, program.Program):
        return None
    known = _imported(read.py, source.path, modules)
    called = list[tuple[Node, str]]()
    for call in read.py.kind("call"):
        function = call.child_by_field_name("function")
        name = read.py.raw(function).decode("utf-8", "replace") if function is not None else ""
        is_own = name in known and not read.py.values(name.encode()) and read.open(call.start_byte)
        called += [(function, name)] if function is not None and is_own else []
    if not called:
        return None
    place, name = called[0]
    path, library = known[name]
    others = len({one for _, one in called}) - 1
    span = Span(place.start_byte, place.end_byte)
    more = f" and {others} other function{'s' if others > 1 else ''}" if others else ""
    words = {"name": name.rpartition(".")[2], "more": more, "library": library, "module": posixpath.basename(path)}
    return Hit(RULE, Use("name", name, span, span, certainty="resolved"), words)


def _imported(py: PySource, path: str, modules: Mapping[str, Mapping[str, str]]) -> Mapping[str, tuple[str, str]]:
    """What a file calls the names of the modules, each with the module's path and the library."""
    found = dict[str, tuple[str, str]]()
    for node in py.kind("import"):
        if node.type == "import_from_statement":
            found |= dict(_taken(py, node, path, modules))
            continue
        for name in node.children_by_field_name("name"):
            alias = name.child_by_field_name("alias")
            named = name.child_by_field_name("name") if alias is not None else name
            text = py.raw(named).decode("utf-8", "replace") if named is not None else ""
            prefix = py.raw(alias).decode("utf-8", "replace") if alias is not None else text
            found |= dict(_members(_meant(text, path, modules), prefix, modules))
    return found


def _taken(
    py: PySource, node: Node, path: str, modules: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """What `from ... import` brings: names of a module, all of them, or a module of a package."""
    package = node.child_by_field_name("module_name")
    text = py.raw(package).decode("utf-8", "replace") if package is not None else ""
    module = _meant(text, path, modules)
    names = modules.get(module, {})
    if any(child.type == "wildcard_import" for child in node.children):
        yield from ((name, (module, library)) for name, library in names.items() if not name.startswith("_"))
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        target = child.child_by_field_name("name") if alias is not None else child
        name = py.raw(target).decode("utf-8", "replace") if target is not None else ""
        bound = py.raw(alias).decode("utf-8", "replace") if alias is not None else name
        if name in names:
            yield bound, (module, names[name])
        else:
            joined = f"{text}{'' if text.endswith('.') else '.'}{name}"
            yield from _members(_meant(joined, path, modules), bound, modules)


def _members(
    module: str, prefix: str, modules: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names of a module as a file spells them that imports it: `driver.cuInit`."""
    for name, library in modules.get(module, {}).items():
        yield f"{prefix}.{name}", (module, library)


def _meant(text: str, path: str, modules: Mapping[str, Mapping[str, str]]) -> str:
    """The module's path that an import names in a file: beside it, or below one of its folders; empty for another's."""
    dotted = text.lstrip(".")
    folder = posixpath.dirname(path)
    for _ in range(len(text) - len(dotted) - 1):
        folder = posixpath.dirname(folder)
    folders = [folder]
    while not text.startswith(".") and folders[-1]:
        folders.append(posixpath.dirname(folders[-1]))
    for home in folders:
        asked_for = posixpath.join(home, dotted.replace(".", "/"))
        found = next((one for one in modules if _module(one) == asked_for), "")
        if found and found != path:
            return found
    return ""
