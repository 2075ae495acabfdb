"""`-Werror` in CMake's files and presets whose C++ sources leave a result of HIP's unread.

Options of a target are looked at for its sources, those of a folder for all that its targets compile; what the sources
include is followed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from cudamigrate.cuda.include_paths import is_below
from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Rule, SourceFile, Span
from cudamigrate.pipeline import cmake_target_sources, unread_results
from cudamigrate.pipeline.cmake_project import CmakeProject
from cudamigrate.pipeline.cmake_target_sources import Sources
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.host_compilers import STRICT, UNREAD
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake, generator_expressions, json_pairs, tree_sitter_nodes
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.generator_expressions import Stretch

RULE = "build/cmake-unread-results"
_GIVE = re.compile(
    r"set|list|string|add_definitions|(?:add|target)_compile_options|set_(?:target_|source_files_)?propert(?:y|ies)"
)
"""Commands that hold or give options."""
_OTHERS = re.compile(r"CMAKE_(?:C|CUDA|HIP|Fortran)_FLAGS\w*|CUDA_\w*FLAGS\w*|HIP_\w*FLAGS\w*")
"""Variables of options that no source of C++ gets, and of those for GPUs, which have a rule of their own."""
_FLAGS = re.compile(r"CMAKE_CXX_FLAGS\w*")
_NEXT, _PARTS = UNREAD.replace(b" ", b";"), (b" ", b";", b":")
"""The option as the next one of a list, and what an option is parted from the one before it by."""
_TEXT = "COMPILE_FLAGS"
"""The property that is one text of options."""
_ALWAYS = "CMAKE_COMPILE_WARNING_AS_ERROR"
_TRUE = frozenset(("ON", "TRUE", "YES", "Y", "1"))
_TARGETS = ("target_compile_options", "set_target_properties")
_SHARED = frozenset(("PUBLIC", "INTERFACE", "INTERFACE_COMPILE_OPTIONS"))
"""What gives options of a target to those that link it, too."""
_COLLECTS = re.compile(rb"GLOB|aux_source_directory")


def with_unread_results(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each option that makes errors of such calls."""
    rule = book.rules.get(RULE)
    texts = unread_results.texts(results, ("cmake", "presets"), read)
    strict = {path: data for path, data in texts.items() if STRICT.search(data) or _ALWAYS.encode() in data}
    if rule is None or rule.silent or not strict or unread_results.is_older(texts.values()):
        return list(results)
    tree = HipReaders({one.path: one for one in results if one.skip is None}, read)
    leaving = unread_results.leaving(tree) if tree.with_header else {}
    if not leaving:
        return list(results)
    presets = {one.path for one in results if one.language == "presets"}
    reach = _Reach(tree, CmakeProject({path: data for path, data in texts.items() if path not in presets}))
    sources = (SourceFile(path, data, "presets" if path in presets else "cmake") for path, data in strict.items())
    made = {one.path: list(_findings(reach, leaving, one, rule)) for one in sources}
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


class _Reach:
    """Which sources get the options that a command gives."""

    def __init__(self, tree: HipReaders, project: CmakeProject) -> None:
        self.tree, self._project = tree, project
        self._held: dict[str, Sources] = {}

    def sources(self, path: str, command: Command) -> list[str]:
        """The files that a command of a CMake file gives options: of its targets or sources, else of its folder."""
        own = self._of_sources(path, command)
        own = self._of_targets(path, command) if own is None else own
        return self.in_folder(path) if own is None else own

    def _of_sources(self, path: str, command: Command) -> list[str] | None:
        """The sources that a command names; None where it names none, or by a variable."""
        words = command.words()
        named = words[1:] if command.name == "set_property" and words[:1] == ["SOURCE"] else []
        named = words if command.name == "set_source_files_properties" else named
        listed = named[: next((at for at, one in enumerate(named) if one in ("PROPERTY", "PROPERTIES")), 0)]
        if not listed or any("$" in one for one in listed):
            return None
        home = posixpath.dirname(self._project.root(path))
        return [posixpath.normpath(posixpath.join(home, one)) for one in listed]

    def _of_targets(self, path: str, command: Command) -> list[str] | None:
        """The sources of the target that gets a command's options; None where others get them, or it is not known."""
        words = command.words()
        plain = command.name == "target_compile_options" or words[1:2] == ["PROPERTIES"]
        if command.name not in _TARGETS or not plain or not _SHARED.isdisjoint(words):
            return None
        name = self._project.target(path, command)
        made = self._makers.get(name, [])
        if "$" in name or not made or any(one.span in self._sources(file).partial for file, one in made):
            return None
        return [source for file, one in made for source in self._sources(file).files.get(one.span, ())]

    @cached_property
    def _makers(self) -> Mapping[str, list[tuple[str, Command]]]:
        """The commands that make targets by name, each with its file; none of one that another file gives sources."""
        found: dict[str, list[tuple[str, Command]]] = {}
        given = set[tuple[str, str]]()
        for path, command in self._commands:
            if self._project.makes(command):
                found.setdefault(self._project.target(path, command), []).append((path, command))
            elif command.name == "target_sources":
                given.add((self._project.target(path, command), path))
        return {
            name: made
            for name, made in found.items()
            if not any(one == name and path not in {file for file, _ in made} for one, path in given)
        }

    @property
    def _commands(self) -> Iterator[tuple[str, Command]]:
        return ((path, one) for path, many in self._project.commands.items() for one in many)

    def _sources(self, path: str) -> Sources:
        if path not in self._held:
            self._held[path] = cmake_target_sources.read(self.tree, self._project, path)
        return self._held[path]

    def in_folder(self, path: str) -> list[str]:
        """The sources beside or below a file, without those that nothing compiles as far as all targets are known."""
        home = posixpath.dirname(self._project.root(path))
        below = [one for one in self.tree.paths.paths if is_below(one, home)]
        inside = [file for file in self._project.commands if is_below(file, home)]
        compiled = {one for file in inside for listed in self._sources(file).files.values() for one in listed}
        return [*compiled, *(one for one in below if one not in compiled and not self._is_left_out(one))]

    def _is_left_out(self, source: str) -> bool:
        """Whether no target has a source, and no CMake file names it."""
        name = posixpath.splitext(posixpath.basename(source))[0].encode()
        return self._all_known and not any(name in data for data in self._project.texts.values())

    @cached_property
    def _all_known(self) -> bool:
        """Whether the sources of all targets are known."""
        held = [self._sources(path) for path in self._project.commands]
        collects = any(map(_COLLECTS.search, self._project.texts.values()))
        return any(one.files for one in held) and not any(one.partial for one in held) and not collects


def _findings(reach: _Reach, leaving: Mapping[str, int], file: SourceFile, rule: Rule) -> Iterator[Finding]:
    """The options of one file that make errors of such calls in the sources that get them."""
    options = _options(file.data) if file.language == "cmake" else _of_presets(file.data)
    for command, at, edit in options:
        reached = reach.in_folder(file.path) if command is None else reach.sources(file.path, command)
        sources = unread_results.with_calls(reach.tree, leaving, reached)
        if sources:
            yield unread_results.finding(file, RULE, at, sources, rule, edit)


_Option = tuple[Command | None, Span, Edit | None]


def _of_presets(data: bytes) -> Iterator[_Option]:
    """The same in presets, which give variables to all of a project."""
    for path, _, value in json_pairs.pairs(data, tree_sitter_nodes.parse("json", data).root_node):
        name = path[-2] if path[-1] == "value" and len(path) > 1 else path[-1]
        if "cacheVariables" not in path[:-1]:
            continue
        word = json_pairs.word(data, value)
        if name == _ALWAYS and (value.type == "true" or word.text.upper() in _TRUE):
            yield None, Span(value.start_byte, value.end_byte), None
        elif _FLAGS.fullmatch(name) and value.type == "string" and not unread_results.ENOUGH.search(word.text.encode()):
            for match in STRICT.finditer(data, word.span.start, word.span.end):
                yield None, Span(*match.span()), Edit(Span(match.end(), match.end()), UNREAD)


def _options(data: bytes) -> Iterator[_Option]:
    """Where options for C++ make warnings errors, each with its command and the edit that leaves one out of it."""
    for command in cmake.read(data):
        words = command.words()
        if not words or _GIVE.fullmatch(command.name) is None:
            continue
        name = words[1] if words[0] in ("APPEND", "PREPEND") and words[1:] else words[0]
        if command.name == "set" and name == _ALWAYS and words[1:] and words[1].upper() in _TRUE:
            yield command, command.args[1].span, None
        if _OTHERS.fullmatch(name) is None and not unread_results.ENOUGH.search(
            data, command.span.start, command.span.end
        ):
            for stretch in generator_expressions.stretches(data, command):
                given = _of_stretch(data, command, stretch, name) if not stretch.nvcc else ()
                yield from ((command, at, edit) for at, edit in given)


def _of_stretch(data: bytes, command: Command, stretch: Stretch, name: str) -> Iterator[tuple[Span, Edit | None]]:
    """Those in one stretch of a command's options, each with the edit where it is known how options are parted."""
    for match in STRICT.finditer(data, stretch.span.start, stretch.span.end):
        at = Span(*match.span())
        argument = next((one for one in command.args if one.span.start <= at.start < one.span.end), None)
        if argument is not None and (at.start == argument.span.start or data[at.start - 1 : at.start] in _PARTS):
            edit = _in_expression if stretch.inside else _in_text
            yield at, edit(data, argument, at, command, name)


def _in_expression(data: bytes, argument: Argument, at: Span, command: Command, name: str) -> Edit | None:
    """The edit in a generator expression: CMake cuts one that is in no quotes at a `;`, and so it is written again."""
    if argument.quoted:
        return Edit(Span(at.end, at.end), UNREAD if data[at.start - 1 : at.start] == b" " else _NEXT)
    end = argument.span.end
    again = data[argument.span.start : at.start] + UNREAD.strip() + data[at.end : end]
    return Edit(Span(end, end), b" " + again) if not data[at.end : end].strip(b">") else None


def _in_text(data: bytes, argument: Argument, at: Span, command: Command, name: str) -> Edit | None:
    """The edit in a plain argument: of a text options are parted by blanks, of a list by `;` or as arguments."""
    text, end = argument.text, argument.span.end
    is_text = _FLAGS.fullmatch(name) is not None or _TEXT in command.words()
    if not argument.quoted:
        parted = _NEXT if ";" in text else UNREAD
        return None if is_text else Edit(Span(at.end, at.end), parted)
    if is_text or command.name == "string" or " " in text.strip() or ";" in text:
        return Edit(Span(at.end, at.end), _NEXT if ";" in text and " " not in text else UNREAD)
    listed = command.name.endswith(("compile_options", "add_definitions")) and at == argument.span
    return Edit(Span(end + argument.around, end + argument.around), UNREAD) if listed else None
