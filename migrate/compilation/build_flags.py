"""Build files -> how a project's sources are compiled.

Result: include folders, macros and the C++ standard, as far as they can be read from compile_commands.json, setup.py,
CMakeLists.txt, projects of Visual Studio, Makefiles, Meson's files, Bazel's settings and its targets. Nothing is run:
what depends on a value that only a build knows is left out.
"""

from __future__ import annotations

import json
import os
import shlex
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from cudamigrate import parallel
from cudamigrate.compilation import (
    bazel_flags,
    bazel_targets,
    build_files,
    chosen_makefiles,
    cmake_calls,
    cmake_modules,
    cmake_targets,
    cmake_values,
    host_sources,
    language_options,
    makefile_flags,
    meson_flags,
    recipe_flags,
    runtime_builds,
    script_flags,
    setup_flags,
    torch_extensions,
    visual_studio_sources,
)
from cudamigrate.compilation.build_settings import Settings
from cudamigrate.compilation.setup_flags import bounded
from cudamigrate.lazy_re import re
from cudamigrate.model import Skip
from cudamigrate.project.file_access import read_linked
from cudamigrate.syntax import cmake

_EXTENSION = re.compile(r"Extension\s*\(")
"""What a setup.py calls that has setuptools compile something: `Extension(`, `CUDAExtension(`."""
_FUNCTION = re.compile(r"(?i)\b(?:function|macro)\s*\(")
_NOTHING = cmake_targets.Given()
_KERNELS = (".cu", ".cuh")
"""Endings of files for the compiler of GPUs, whatever a build says."""
_WHOLE = (bazel_flags.NAME, *bazel_flags.TOPS, meson_flags.NAME)


@dataclass(frozen=True, slots=True)
class Project:
    """Settings of a tree: those of single files, and those of folders and all below them, by absolute path.

    `roots` are the absolute folders that a build of their own begins in: a project that another takes in is of its
    build. `projects` are those of such projects too, which may be built by themselves. `unread` are build files that
    crashed or stalled their reader, so that what they say is not known. `targets` are CMake's, for each file, and
    `linked` the folders that a source gets by its targets and the libraries which those are linked to. `loaded` is what
    Python that compiles a file as it runs gives it, `chosen` what a Makefile does that is chosen by name and alone
    compiles it, and `lines` are the commands of scripts that compile it. Those paths of `loaded` that are relative are
    so to `root`.
    """

    files: Mapping[str, Settings]
    folders: Mapping[str, Settings]
    roots: frozenset[str] = frozenset()
    unread: tuple[Skip, ...] = ()
    targets: tuple[cmake_targets.File, ...] = ()
    linked: Mapping[str, cmake_targets.Given] = field(default_factory=dict)
    loaded: Callable[[str], runtime_builds.Macros] | None = None
    chosen: Mapping[str, Settings] = field(default_factory=dict)
    lines: Mapping[str, Sequence[script_flags.Line]] = field(default_factory=dict)
    root: str = ""
    projects: frozenset[str] = frozenset()

    def settings(self, path: str) -> Settings:
        """What holds for the file at the absolute `path`: a library inside the tree does not speak for its users."""
        if path in self.files:
            return self.files[path]
        merged = Settings()
        for folder, settings in self.folders.items():
            if path.startswith(folder.rstrip(os.sep) + os.sep):
                merged.add(settings)
        if path in self.chosen:
            merged.add(self.chosen[path])
        given = self.loaded(path) if self.loaded is not None else runtime_builds.Macros()
        merged.add(self._loaded(given))
        if path in self.lines:
            merged.add(_scripted(self.lines[path]))
        ahead, folders = self.linked.get(path, _NOTHING)
        if merged.gpu and (path.endswith(_KERNELS) or host_sources.is_for_gpu(path, merged.hosts, b"")):
            merged.defines.update(merged.gpu)
        if not merged.sources and host_sources.is_for_windows_alone(path, merged.hosts):
            merged.language[language_options.MICROSOFT] = None
        merged.includes = dict.fromkeys((*ahead, *merged.first, *folders, *merged.includes))
        merged.written = {name: path for name, path in given.written.items() if name in merged.open}
        return merged

    def _loaded(self, given: runtime_builds.Macros) -> Settings:
        """What Python that compiles a file as it runs gives it."""
        found = Settings(defines=dict.fromkeys(given.known), sources=[*given.scripts])
        found.open, found.some, found.taken = {*given.open}, {*given.some}, {*given.taken}
        found.forced = [os.path.join(self.root, one) for one in given.forced]
        found.several = {os.path.join(self.root, one) for one in given.several}
        return found


def _scripted(lines: Sequence[script_flags.Line]) -> Settings:
    """What commands of scripts give a source; of macros that only some of them give it is not known."""
    given, some = script_flags.shared(lines)
    found = Settings({}, dict.fromkeys(given), sources=list(dict.fromkeys(line.script for line in lines)))
    for line in lines:
        found.options(script_flags.without_macros(line.options), Path(line.folder))
        found.open |= line.open
    found.some.update(some)
    return found


def read(root: Path, written: Mapping[str, bytes] = MappingProxyType({})) -> Project:
    """What the build files below `root`, a setup.py as `written`, say; one that crashes its reader is named."""
    lost, files = partial(_lost, root), list(build_files.of(root, (".cmake", ".sh", *visual_studio_sources.ENDINGS)))
    texts = (build_files.text(path) for path in files if path.name == "CMakeLists.txt" or path.suffix == ".cmake")
    known = cmake_calls.functions(text for text in texts if _FUNCTION.search(text))
    project = _together(parallel.few(partial(_understood, root, known, written), files, lost))
    return replace(project, loaded=partial(runtime_builds.of, root, runtime_builds.read(root)), root=str(root))


def _understood(
    root: Path, known: Mapping[str, cmake_calls.Function], written: Mapping[str, bytes], path: Path
) -> Project:
    """What one build file says; one that says what nobody can follow is named."""
    try:
        return _read(root, known, written, path)
    except MemoryError:
        return _lost(root, path, "takes more memory than a file may")
    except RecursionError:
        return _lost(root, path, "nests deeper than can be read")
    except ValueError as error:  # quotes that nothing closes
        return _lost(root, path, f"cannot be understood: {error}")


def _lost(root: Path, path: Path, reason: str) -> Project:
    return Project({}, {}, unread=(Skip(path.relative_to(root).as_posix(), "limit", reason),))


def _together(parts: Iterable[Project]) -> Project:
    """What several build files say together, in their order."""
    files: dict[str, Settings] = {}
    folders: dict[str, Settings] = {}
    roots: set[str] = set()
    projects: set[str] = set()
    unread: list[Skip] = []
    targets: list[cmake_targets.File] = []
    chosen: dict[str, Settings] = {}
    lines: dict[str, Sequence[script_flags.Line]] = {}
    for part in parts:
        targets += part.targets
        lines.update((source, (*lines.get(source, ()), *listed)) for source, listed in part.lines.items())
        # Of several Makefiles, the first is read: what others give more, some builds have.
        for path, found in part.chosen.items():
            kept = chosen.setdefault(path, found)
            kept.some |= {define.partition("=")[0] for define in found.defines if define not in kept.defines}
        files.update(part.files)
        roots |= part.roots
        projects |= part.roots | part.projects
        unread += part.unread
        for folder, found in part.folders.items():
            folders.setdefault(folder, Settings()).add(found)
    linked = cmake_targets.through_links(targets)
    whole = Project(files, folders, frozenset(roots), tuple(unread), linked=linked)
    return replace(whole, chosen=chosen, lines=lines, projects=frozenset(projects))


def _read(root: Path, known: Mapping[str, cmake_calls.Function], written: Mapping[str, bytes], path: Path) -> Project:
    """What one build file says."""
    name = path.relative_to(root).as_posix()
    if path.name == "compile_commands.json":
        return Project(_commands(path, name), {})
    found = Settings(sources=[name])
    try:
        data = written[name] if path.name == "setup.py" and name in written else read_linked(path)
    except OSError:
        return Project({}, {})
    if path.name in _WHOLE or path.suffix in (".sh", *visual_studio_sources.ENDINGS):
        return _apart(path, root, name, data)
    text = data.decode("utf-8", "replace")
    if path.suffix == ".cmake":
        return Project({}, {str(root): Settings(some=some)} if (some := _given(text)) else {})
    targets, chosen = dict[str, cmake_targets.Target](), dict[str, Settings]()
    begins = path.name != "CMakeLists.txt" or cmake_modules.is_top(path.parent, root, build_files.text)
    roots = {str(path.parent)} if begins else set[str]()
    own = frozenset([str(path.parent)] if begins or build_files.PROJECT.search(text) else ())
    if path.name == "CMakeLists.txt":
        commands = list(cmake.read(text.encode()))
        _cmake(commands, path.parent, root, known, found)
        places = cmake_modules.places(path.parent, root, build_files.text)
        targets = cmake_targets.read(commands, str(path.parent), str(root), places)
        others = cmake_targets.outside(targets, str(path.parent))  # what holds for a folder holds for its targets
        chosen = {source: replace(found, hosts=[]) for source in others}
    elif chosen_makefiles.is_beside_plain(path):
        reading = _makefile(path, root, found)
        units = chosen_makefiles.own_units(path, reading, root)
        return Project({}, {}, chosen={unit: replace(found, hosts=[]) for unit in units})
    elif path.name == "setup.py":
        _setup(text, path.parent, found)
    else:
        listed = recipe_flags.by_source(path, _makefile(path, root, found), root, found.defines)
        chosen = {source: replace(found, defines=dict.fromkeys(given), hosts=[]) for source, given in listed.items()}
    folders = {str(path.parent): found} if replace(found, sources=[]) != Settings() else {}
    folders |= _by_folder(one for one in found.hosts if one.folder != str(path.parent))  # `../a.c`
    made = (targets,) if targets else ()
    return Project({}, folders, frozenset(roots), targets=made, chosen=chosen, projects=own)


def _by_folder(rules: Iterable[host_sources.HostRule]) -> dict[str, Settings]:
    """Rules about sources, as settings of the folders that they are of."""
    found: dict[str, Settings] = {}
    for rule in rules:
        found.setdefault(rule.folder, Settings()).hosts.append(rule)
    return found


def _apart(path: Path, root: Path, name: str, data: bytes) -> Project:
    """What a script says, a project of Visual Studio, or a file of all below its folder: of Bazel's or of Meson's."""
    if path.suffix == ".sh":
        return Project({}, {}, lines=script_flags.read(str(path), str(root), data))
    if path.suffix in visual_studio_sources.ENDINGS:
        old = path.suffix == visual_studio_sources.OLD_ENDING
        return Project({}, _by_folder(visual_studio_sources.rules(str(path.parent), data, old)))
    if path.name in bazel_flags.TOPS:
        return Project({}, {}, chosen=bazel_targets.read(path.parent, root) if bazel_targets.is_top(path) else {})
    if path.name == bazel_flags.NAME:
        whole, chosen = bazel_flags.read(path, root, data), dict[str, Settings]()
    else:
        project = meson_flags.read(path, root, data)
        whole, chosen = project.whole, project.sources
    given = {str(path.parent): replace(whole, sources=[name])} if whole != Settings() else {}
    return Project({}, given, frozenset(given), chosen=chosen)


def _given(text: str) -> set[str]:
    """The macros that a file of CMake's commands gives in some branch, function or variable."""
    return set(cmake_values.given(cmake.read(text.encode()))) if "-D" in text or "definitions" in text else set()


def _commands(path: Path, name: str) -> dict[str, Settings]:
    """The entries of a compilation database; a broken one is none. RecursionError where it nests too deep."""
    try:
        entries = json.loads(read_linked(path))
    except (OSError, ValueError):
        return {}
    found: dict[str, Settings] = {}
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
            continue
        folder = path.parent / str(entry.get("directory", "."))
        given = entry.get("arguments")
        words = given if isinstance(given, list) and given else shlex.split(str(entry.get("command", "")))
        settings = Settings(sources=[name])
        settings.options([str(word) for word in words], folder)
        found[os.path.normpath(folder / entry["file"])] = settings
    return found


def _setup(text: str, folder: Path, whole: Settings) -> None:
    """A setup.py: the folders and options that it gives a compiler, whatever the machine; setuptools adds Python's."""
    found = setup_flags.flags(text)
    for words in found.lists:
        whole.options(words, folder)
    python = sysconfig.get_path("include") if found.lists else ""
    whole.torch.update(torch_extensions.units(text, folder))
    whole.python = _EXTENSION.search(text) is not None
    whole.open |= found.open
    whole.some |= found.some - whole.names
    if python and os.path.isfile(os.path.join(python, "Python.h")):
        whole.folder(python, folder)


def _makefile(path: Path, root: Path, whole: Settings) -> makefile_flags.Reading:
    """A Makefile that compiles something: the options that a plain `make` gives the compiler."""
    reading = makefile_flags.read(path, root)
    if reading.absent and not any(chosen_makefiles.COMPILES.search(text) for text in reading.recipes):
        whole.outside = reading.absent[0]
    if any(chosen_makefiles.COMPILES.search(text) for text in (*reading.recipes, *reading.values.values())):
        whole.options(list(reading.words()), path.parent)
        whole.tails |= reading.tails()
        whole.made, whole.makes = set(whole.defines), True
        whole.open.update(reading.open() - whole.names)
        whole.hosts.extend(host_sources.of_makefile(str(path.parent), reading.compiled()))
    return reading


def _cmake(
    commands: Sequence[cmake.Command],
    folder: Path,
    root: Path,
    functions: Mapping[str, cmake_calls.Function],
    whole: Settings,
) -> None:
    """A CMakeLists.txt: commands outside of conditions, and those under a condition on the GPU's vendor."""
    names = cmake_modules.places(folder, root, build_files.text)
    by_python = (folder / "setup.py").exists()  # whose build chooses the options, if it runs CMake at all
    listed = list(commands) if by_python else cmake_modules.inlined(commands, folder, root, build_files.text)
    given = cmake_calls.with_calls(listed, functions)
    defaults, of_target = {} if by_python else cmake_values.agreed(given, names), False
    for command, words in cmake_values.taken_by_default(given, not by_python, dict(names)):
        values = [_expanded(word, names) for word in cmake_values.truths(words, defaults)]
        if command == "set" and len(values) > 1:
            names |= {values[0]: values[1]} if values[0] == _HERE or values[0] not in names else {}
            _set(values, folder, whole)
        elif command in ("list", "string") and values[:1] == ["APPEND"]:
            _set(values[1:], folder, whole)
        elif command in ("include_directories", "target_include_directories"):
            of_target |= command.startswith("target")  # what a directory gets later is behind what its targets have
            named = values[command.startswith("target") :]  # the target may be called as a folder is
            whole.of_cmake([_BUILT.sub(r"\1", value) for value in named], folder, of_target)
        elif command in cmake_values.DEFINE:
            bare = values[1:] if command.startswith("target") else values
            for value, of_language in cmake_values.decided(bare, defaults):
                # CMake takes `-DX` and `/DX` on every platform
                macro = value.removeprefix("-D").removeprefix("/D")
                if re.fullmatch(r"[A-Za-z_]\w*(?:=[\w.\"]*)?", macro) and value not in _SCOPES:
                    (whole.gpu if of_language else whole.defines)[macro] = None
        elif command in ("add_compile_options", "target_compile_options", "target_compile_features"):
            _compile_options(values, defaults, folder, whole)
    standard = whole.cxx and f"{'gnu' if whole.extensions else 'c'}++{whole.cxx}"
    whole.hosts.extend(() if by_python else host_sources.of_cmake(str(folder), commands, standard, listed))
    whole.some.update(cmake_values.given(commands))
    _open(listed, given, whole)


def _compile_options(values: Sequence[str], defaults: Mapping[str, str], folder: Path, whole: Settings) -> None:
    """Take in the options of a command, what is for sources for GPUs alone as such."""
    words, of_gpus = list(cmake_values.decided(values, defaults)), Settings()
    whole.options([word for word, of_language in words if not of_language], folder)
    of_gpus.options([word for word, of_language in words if of_language], folder)
    whole.gpu.update(of_gpus.defines)
    for word in values:
        whole.language.update(dict.fromkeys(language_options.language(word)))


def _open(listed: Sequence[cmake.Command], given: Sequence[cmake.Command], whole: Settings) -> None:
    """Take in the macros that commands give a value which is not known; `given` are those of calls too."""
    known = Counter(define.partition("=")[0] for define in whole.defines)
    whole.open.update(cmake_values.valued(listed) - known.keys())
    own = set(map(id, listed))
    called = cmake_values.valued(one for one in given if id(one) not in own)
    whole.open.update(name for name in called if known[name] > 1)  # each call has a target of its own


def _set(values: Sequence[str], folder: Path, whole: Settings) -> None:
    """What a variable that CMake itself reads is set to, or gets as well."""
    if values[:1] and values[0] in _EXTENSIONS:
        whole.extensions &= cmake_values.is_true(values[1]) if values[1:] else True
    elif values[:1] and values[0] in ("CMAKE_CXX_STANDARD", "CMAKE_CUDA_STANDARD", "CMAKE_HIP_STANDARD"):
        whole.standards.update(values[1:2])
        whole.cxx = values[1] if values[0] == "CMAKE_CXX_STANDARD" and values[1:] else whole.cxx
    elif values[:1] and _FLAGS.fullmatch(values[0]):
        whole.options(_known(values[1:]), folder)


_HERE = "CMAKE_CURRENT_LIST_DIR"
_EXTENSIONS = ("CMAKE_CXX_EXTENSIONS", "CMAKE_HIP_EXTENSIONS", "CMAKE_CUDA_EXTENSIONS")
"""What chooses between `-std=gnu++17` and `-std=c++17`; a conversion to HIP keeps what is said for CUDA."""
_BUILT = re.compile(r"\$<BUILD_INTERFACE:([^<>]*)>\Z")
"""What CMake gives to targets of the build itself: `$<BUILD_INTERFACE:/a/include>`."""
_SCOPES = ("PUBLIC", "PRIVATE", "INTERFACE")
_FLAGS = re.compile(r"CMAKE_(?:CXX|CUDA|HIP)_FLAGS|CUDA_NVCC_FLAGS")
"""Variables of options for every build; those of one kind of build, `CMAKE_CXX_FLAGS_DEBUG`, are not of the default."""


def _known(values: Iterable[str]) -> list[str]:
    """The options in values of a variable whose own values are all known."""
    return [word for value in values for word in value.replace(";", " ").split() if "${" not in word]


def _expanded(word: str, names: Mapping[str, str]) -> str:
    """`word` with the variables that are known put in; others stay."""
    for _ in range(3):
        word = bounded(re.sub(r"\$\{(\w+)\}", lambda found: names.get(found[1], found[0]), word))
    return word
