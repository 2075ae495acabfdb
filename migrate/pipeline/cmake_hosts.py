"""CMake targets whose C++ sources read HIP's headers after the conversion, and that do not link what those need.

`hip::host` brings the folder of HIP's headers and the macro of the platform, without which they end in an error. Where
CUDA's folder came from a variable, from the whole directory or from the compiler's own search, nothing says the macro.
What a target links is read from the files as they are converted, through variables and other targets of the project.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from cudamigrate import edits as writing
from cudamigrate.analysis import cmake_tree
from cudamigrate.analysis.cmake_lists import Lists
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.host_assembly import HOST_SOURCES
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

RULE = "build/cmake-host-headers"
_LEFT = ("hip-build", "cuda build kept")
"""Uses that stand for a file which is left as it is."""
_MAKES = re.compile(r"(?:cuda_)?add_(?:executable|library)|pybind11_add_module")
_NOT_BUILT = frozenset(("INTERFACE", "IMPORTED", "ALIAS"))
_GIVES = re.compile(r"(?:.*\b)?hip::(?:host|device)\b.*|\$\{hip_LIBRARIES\}")
"""What a target links that brings the macro and the folder."""
_ENOUGH = re.compile(rb"__HIP_PLATFORM_|hipconfig|CMAKE_CXX_COMPILER[^\n]*hipcc")
"""What says the platform to all sources of a project, or has HIP's compiler compile them."""
_LINKS = "target_link_libraries"
_INWARD, _SIDES = frozenset(("PRIVATE", "LINK_PRIVATE")), frozenset(("PUBLIC", "PRIVATE", "INTERFACE"))
_ALL = frozenset((*_SIDES, "LINK_PRIVATE", "LINK_PUBLIC", "LINK_INTERFACE_LIBRARIES", "debug", "optimized", "general"))
_VARIABLE = re.compile(r"\$\{([\w.+-]+)\}")
_HERE = re.compile(r"\$\{(?:CMAKE_CURRENT_(?:SOURCE|LIST)_DIR)\}/")
_FOLDER = re.compile(r"\$\{[\w.+-]+\}/")


def with_cmake_hosts(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each target that lacks what the headers in its C++ sources need."""
    rule = book.rules.get(RULE)
    files = [one for one in results if one.language == "cmake" and one.skip is None]
    if rule is None or rule.silent or not any(one.fix is not None for each in files for one in each.findings):
        return list(results)
    tree = HipReaders({one.path: one for one in results if one.skip is None}, read)
    if not tree.with_header:
        return list(results)
    sources = {one.path: source.data for one in files if (source := read(one.path)) is not None}
    project = _Project({one.path: _converted(sources[one.path], one) for one in files if one.path in sources})
    if any(map(_ENOUGH.search, project.texts.values())):
        return list(results)
    made = {
        one.path: list(_findings(tree, project, one.path, sources[one.path], rule))
        for one in files
        if one.path in sources and not any(finding.name in _LEFT for finding in one.findings)
    }
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _converted(data: bytes, result: FileResult) -> bytes:
    """A file as the safe fixes make it."""
    fixes = [one.fix for one in result.findings if one.fix is not None and one.fix.safety == "safe"]
    return writing.apply(data, fixes).data


class _Project:
    """The CMake files of a tree as they are converted, by path."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self.texts = texts
        self.commands = {path: cmake.read(data) for path, data in texts.items()}

    @cached_property
    def finding(self) -> frozenset[str]:
        """The files that see HIP's package by another file."""
        return cmake_tree.finding(self.commands)

    @cached_property
    def held(self) -> Mapping[str, set[str]]:
        """The words that variables hold."""
        found: dict[str, set[str]] = {}
        for command in (one for many in self.commands.values() for one in many):
            words = command.words()
            if command.name == "set" and words:
                found.setdefault(words[0], set()).update(words[1:])
            elif command.name == "list" and words[:1] == ["APPEND"] and len(words) > 1:
                found.setdefault(words[1], set()).update(words[2:])
        return found

    @cached_property
    def links(self) -> dict[str, list[tuple[str, bool]]]:
        """What targets link, by name, and other names of theirs; whether those that link the target get it, too."""
        found: dict[str, list[tuple[str, bool]]] = {}
        for command in (one for many in self.commands.values() for one in many):
            words, outward = command.words(), True
            if command.name == "add_library" and words[1:2] == ["ALIAS"]:
                found.setdefault(words[0], []).append((words[-1], True))
            for word in words[1:] if command.name == _LINKS else ():
                outward = word not in _INWARD if word in _ALL else outward
                if word not in _ALL:
                    found.setdefault(words[0], []).append((word, outward))
        return found

    @cached_property
    def everywhere(self) -> bool:
        """Whether all targets that follow link what is needed."""
        linked = (one for many in self.commands.values() for one in many if one.name == "link_libraries")
        return any(self._gives(word, frozenset()) for one in linked for word in one.words())

    def gives(self, target: str) -> bool:
        """Whether a target gets what HIP's headers need from something that it links."""
        return self.everywhere or any(self._gives(word, frozenset({target})) for word, _ in self.links.get(target, ()))

    def _gives(self, word: str, seen: frozenset[str]) -> bool:
        if _GIVES.fullmatch(word):
            return True
        if word in seen:
            return False
        seen |= {word}
        variable = _VARIABLE.fullmatch(word)
        if variable is not None and word not in self.links:
            return any(self._gives(one, seen) for one in self.held.get(variable[1], ()))
        return any(outward and self._gives(one, seen) for one, outward in self.links.get(word, ()))

    def sides(self, target: str) -> bool:
        """Whether a target is linked with words that say who gets it: CMake refuses both forms for one target."""
        linked = (one.words() for many in self.commands.values() for one in many if one.name == _LINKS)
        return any(words[:1] == [target] and not _SIDES.isdisjoint(words) for words in linked)


def _findings(tree: HipReaders, project: _Project, path: str, data: bytes, rule: Rule) -> Iterator[Finding]:
    """The targets of one file that lack it."""
    converted = project.commands[path]
    before = [one for one in cmake.read(data) if _is_target(one)]
    after = [one for one in converted if _is_target(one)]
    if [one.args[0].text for one in before] != [one.args[0].text for one in after]:
        return
    held, sought = _sources(tree, path, converted), list[tuple[Span, ...]]()
    branches = cmake.branches(converted)
    finds = path in project.finding or any(map(cmake_tree.looks_for_gpu, converted))
    for old, new in zip(before, after, strict=True):
        reading = [one for one in held.get(new.span, ()) if tree.reads_header(one, data)]
        if not reading or project.gives(new.args[0].text):
            continue
        lines = []
        if not finds and not any(branches[new.span][: len(one)] == one for one in sought):
            lines.append("find_package(hip REQUIRED)")
            sought.append(branches[new.span])
        side = "PRIVATE " if project.sides(new.args[0].text) else ""
        project.links.setdefault(new.args[0].text, []).append(("hip::host", not side))
        lines.append(f"{_LINKS}({new.args[0].text} {side}hip::host)")
        begin = cmake.line_end(data) + cmake.indent(data, old.span.start)
        words = {"source": posixpath.basename(reading[0]), "more": _others(len(reading) - 1)}
        use = Use("name", new.args[0].text, old.args[0].span, old.args[0].span, certainty="syntax")
        made = engine.finding(SourceFile(path, data, "cmake"), Hit(RULE, use, words), rule)
        text = b"".join(begin + line.encode() for line in lines)
        yield replace(made, fix=Fix((Edit(Span(old.span.end, old.span.end), text),), rule.safety))


def _others(count: int) -> str:
    return "" if not count else f" and {count} other source{'s' if count > 1 else ''}"


def _is_target(command: Command) -> bool:
    """Whether a command makes a target that compiles something."""
    return bool(command.args) and _MAKES.fullmatch(command.name) is not None and _NOT_BUILT.isdisjoint(command.words())


def _sources(tree: HipReaders, path: str, commands: Sequence[Command]) -> dict[Span, list[str]]:
    """The sources for the host's compiler of each command that makes a target, by the command."""
    lists, found, targets = Lists(), dict[Span, list[str]](), dict[str, Span]()
    of_gpu = set[str]()
    for command in commands:
        words = command.words()
        if command.name == "set_source_files_properties" and {"LANGUAGE", "HIP"} <= set(words):
            of_gpu |= set(_files(tree, path, lists, words[: words.index("PROPERTIES") if "PROPERTIES" in words else 0]))
        elif _is_target(command):
            found[command.span] = list(_files(tree, path, lists, words[1:]))
            targets[words[0]] = command.span
        elif command.name == "target_sources" and words[:1] and words[0] in targets:
            found[targets[words[0]]] += _files(tree, path, lists, words[1:])
        else:
            lists.follow(command)
    return {span: [one for one in dict.fromkeys(named) if one not in of_gpu] for span, named in found.items()}


def _files(tree: HipReaders, path: str, lists: Lists, words: Sequence[str]) -> Iterator[str]:
    """The files of the tree with the ending of a host's source that words name, as far as variables are known."""
    for word in words:
        for one in lists.of(word) or ():
            if one.endswith(HOST_SOURCES):
                yield from _named(tree, path, one)


def _named(tree: HipReaders, path: str, word: str) -> Iterator[str]:
    """The file that a path means in the folder of a CMake file, or by its end where a variable is the first folder."""
    home, here = posixpath.dirname(path), _HERE.sub("", word, count=1)
    if "$" not in here:
        whole = posixpath.normpath(posixpath.join(home, here))
        yield from (_matching(tree, whole) if "*" in whole else (whole,) if whole in tree.paths.paths else ())
    elif (match := _FOLDER.match(here)) is not None and "$" not in (last := here[match.end() :]) and "*" not in last:
        ending = tree.paths.ending(last)
        yield from ending if len(ending) == 1 else ()


def _matching(tree: HipReaders, pattern: str) -> Iterator[str]:
    parts = (re.escape(one).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*") for one in (pattern,))
    fits = re.compile("".join(parts))
    yield from sorted(one for one in tree.paths.paths if fits.fullmatch(one))
