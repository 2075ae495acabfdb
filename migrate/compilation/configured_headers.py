"""Headers that a build writes, as it writes them by default: `config.h.in` -> `config.h`, and those of exported names.

CMake replaces `@NAME@` and `${NAME}` and decides `#cmakedefine NAME`; autoconf defines what a template undefines. A
variable is known where all places that set it agree, an option by its default, and the switch of the GPU is on. What is
not known is left out or 0, and the macros that depend on it are named, so that nothing is claimed of code that asks for
them. No build file is run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

from cudamigrate.compilation import autoconf_values, cmake_modules, cmake_values, include_closure
from cudamigrate.cuda import include_paths
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import read_linked
from cudamigrate.syntax import cmake

_TEMPLATE = re.compile(r"(.+\.(?:h|hh|hpp|hxx|cuh|inc))\.(?:in|cmake|cmake\.in|cmakein|template|tmpl|tpl)$")
"""The name of a template of a header: `config.h.in`, `config.hpp.cmake`, `config.h.template`."""
_DEFINE = re.compile(r"\s*#\s*define\s+(\w+)")
_DECIDED = re.compile(r"(\s*)#(\s*)cmakedefine(01)?\s+(\w+)(.*)")
"""A line that CMake decides: `#cmakedefine USE_X`, `#cmakedefine01 USE_X`, `#cmakedefine SIZE @SIZE@`."""
_HEADER = re.compile(r"[\w.+-]+\.(?:h|hh|hpp|hxx|cuh|inc)")
"""The name of a header that CMake configures, whatever the template of it is called."""
_ALONE = re.compile(r"\s*(?:@\w+@|\$\{\w+\})\s*")
_UNDEFINED = re.compile(r"\s*#\s*undef\s+(\w+)\s*$")
"""A line of autoconf's templates: `#undef HAVE_X`."""
_IN_BUILD = re.compile(r"\$\{\w*BINARY_DIR\}/([\w./+-]+\.(?:h|hh|hpp|hxx|cuh|inc))")
"""A header in the folder of what is built: `${PROJECT_BINARY_DIR}/include/lib/version.h`."""
_TOP = re.compile(r"\$\{(PROJECT_SOURCE_DIR|CMAKE_SOURCE_DIR)\}/")
"""How a path from the top of a project begins in its CMake files."""
_FOLDERS = ("PROJECT_SOURCE_DIR", "CMAKE_SOURCE_DIR")
"""What CMake calls the top of a tree."""
_LOOKS = ("find_", "check_", "include", "target_include")
_MOST = 2_000_000
"""Bytes of a build file or a template beyond which it is passed over."""


@dataclass(frozen=True, slots=True)
class Configured:
    """A header that the build writes: its text, and the macros whose value is not known."""

    data: bytes
    unknown: frozenset[str]


@dataclass(frozen=True, slots=True)
class Unknown:
    """What is not known of headers that the build writes, and which files ask for it."""

    headers: Mapping[str, Configured]
    read: Callable[[str], bytes]
    _named: dict[str, frozenset[str]] = field(default_factory=dict)

    def of(self, read: Collection[str]) -> dict[str, frozenset[str]]:
        """The headers among the files that a unit reads, with those of their macros that its other files name."""
        found = {path: self.headers[path].unknown for path in read if path in self.headers}
        named = frozenset[str]().union(*(self._names(path) for path in read if found and path not in found))
        return {path: names & named for path, names in found.items() if names & named}

    def _names(self, path: str) -> frozenset[str]:
        if path not in self._named:
            known = frozenset[str]().union(*(one.unknown for one in self.headers.values()))
            self._named[path] = known & frozenset(re.findall(r"\w+", self.read(path).decode("utf-8", "replace")))
        return self._named[path]


def made(root: Path, paths: Iterable[str], read: Callable[[str], bytes]) -> dict[str, Configured]:
    """The headers that files among `paths` include and no file is, by a path at which the include finds them."""
    files = list(include_closure.files(root))
    configured, there = _configured(root, files), frozenset(files)
    named = {path: name for path, name in configured.items() if name and path in there}
    templates = {**dict(_templates(files)), **named}
    values = _values(root, files)
    exported = dict(_exported(root, files, values))
    if not templates and not exported:
        return {}
    code = frozenset(paths)
    names = {name.rpartition("/")[2] for name in (*templates.values(), *exported)}
    spelled: dict[str, set[str]] = {}
    for path in code:
        for include, _, _ in include_paths.spelled(read(path)):
            name = os.path.normpath(include).replace(os.sep, "/").lstrip("./")
            if name.rpartition("/")[2] in names:
                spelled.setdefault(name.rpartition("/")[2], set()).add(name)
    ends = {path.rpartition("/")[2] for path in code}
    found: dict[str, Configured] = {}
    for name, (folder, text) in exported.items():
        for include in sorted(spelled.get(name, ()) if name not in ends else ()):
            found.setdefault(f"{folder}/{include}".lstrip("/"), Configured(text.encode(), frozenset()))
    for template, name in sorted(_meant(configured, templates).items()):
        for include in sorted(spelled.get(name, ()) if name not in ends else ()):
            folder = template.rpartition("/")[0]
            found.setdefault(f"{folder}/{include}".lstrip("/"), _written(_text(read(template)), values))
    return found


def written(root: Path, read: Callable[[str], bytes]) -> frozenset[str]:
    """The headers that CMake files write where what they build goes, by their path there: `lib/detail/version.h`.

    Where they look for one, as `find_path` does, they write none.
    """
    named = (path for path in include_closure.files(root) if path.endswith((".cmake", "CMakeLists.txt")))
    found: set[str] = set()
    for path in named:
        text = _text(read(path))
        for command in cmake.read(text.encode()) if _IN_BUILD.search(text) else ():
            if not command.name.startswith(_LOOKS):
                found.update(match[1] for match in map(_IN_BUILD.fullmatch, command.words()) if match is not None)
    return frozenset(found)


def _templates(files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The templates of headers, each with the name of the header."""
    for path in files:
        match = _TEMPLATE.fullmatch(path.rpartition("/")[2])
        if match is not None:
            yield path, match[1]


def _configured(root: Path, files: Iterable[str]) -> dict[str, str]:
    """What CMake files configure, by the path of the template, with the name of the header; empty where it is none."""
    found = dict[str, str]()
    for path in (path for path in files if path.endswith((".cmake", "CMakeLists.txt"))):
        text = _read(root / path)
        for command in cmake.read(text.encode()) if "configure_file" in text.lower() else ():
            words = command.words() if command.name == "configure_file" else []
            if len(words) > 1:
                top = _TOP.match(words[0])
                folder = path.rpartition("/")[0] if top is None else _top(root, path, top[1])
                spelled = words[0].rpartition("}/")[2]
                template = os.path.normpath(os.path.join(folder, spelled)).replace(os.sep, "/")
                name = words[1].rpartition("/")[2]
                found[template] = name if _HEADER.fullmatch(name) else ""
    return found


def _top(root: Path, path: str, variable: str) -> str:
    """The folder in the tree that a CMake file has as the top of its project."""
    place = cmake_modules.places((root / path).parent, root, _read)[variable]
    return Path(place).relative_to(root).as_posix()


def _meant(configured: Collection[str], templates: Mapping[str, str]) -> Mapping[str, str]:
    """The templates less those beside one that CMake configures, of the same header: those are of another build.

    So `config.h.in` of autoconf beside `lib/config.h.in`, which a `configure_file` names.
    """
    names = list(templates.values())
    if len(set(names)) == len(names):
        return templates
    chosen = {templates[path] for path in configured if path in templates}
    return {path: name for path, name in templates.items() if path in configured or name not in chosen}


def _exported(root: Path, files: Iterable[str], values: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Headers that `generate_export_header` writes: the name of each, with the folder of its build file and its text.

    Its macros are empty where nothing is a DLL, which is what AMD's compilers build for by default.
    """
    for path in files:
        if not path.endswith("CMakeLists.txt"):
            continue
        for command in cmake.read(_read(root / path).encode()):
            words = [cmake_values.replaced(word, values)[0] for word in command.words()]
            if command.name == "generate_export_header" and words:
                given = dict(zip(words[1::2], words[2::2], strict=False))
                base = given.get("BASE_NAME", words[0])
                prefix = given.get("PREFIX_NAME", "") + re.sub(r"\W", "_", base).upper()
                export = given.get("EXPORT_MACRO_NAME", f"{prefix}_EXPORT")
                hidden = given.get("NO_EXPORT_MACRO_NAME", f"{prefix}_NO_EXPORT")
                old = given.get("DEPRECATED_MACRO_NAME", f"{prefix}_DEPRECATED")
                name = os.path.basename(given.get("EXPORT_FILE_NAME", f"{base.lower()}_export.h"))
                macros = (export, hidden, old, f"{old}_EXPORT", f"{old}_NO_EXPORT")
                yield name, (path.rpartition("/")[0], "".join(f"#define {macro}\n" for macro in macros))


def _read(path: Path) -> str:
    try:
        return _text(read_linked(path))
    except OSError:
        return ""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace") if len(data) <= _MOST else ""


def _values(root: Path, files: Iterable[str]) -> Mapping[str, str]:
    """What the build files of a tree set variables and options to, where all that do agree, as a GPU's build has it."""
    listed = list(files)
    named = (path for path in listed if path.endswith((".cmake", "CMakeLists.txt")))
    commands = (command for path in named for command in cmake.read(_read(root / path).encode()))
    agreed = cmake_values.agreed(commands, dict.fromkeys(_FOLDERS, str(root)))
    scripts = (_read(root / path) for path in autoconf_values.scripts(listed))
    return {**autoconf_values.of_gpu_build(scripts), **cmake_values.for_gpu(agreed)}


def _written(template: str, values: Mapping[str, str]) -> Configured:
    """What the build makes of a template."""
    lines, unknown = [], set()
    for line in template.splitlines():
        decided, undefined = _DECIDED.fullmatch(line), _UNDEFINED.fullmatch(line)
        if undefined is not None:
            name = undefined[1]
            line = f"#define {name} {values[name]}" if cmake_values.is_gpu_switch(name) and name in values else line
            unknown |= set() if line.lstrip().startswith("#define") else {name}
        if decided is not None:
            before, blank, number, name, rest = decided.groups()
            known = name in values
            holds = known and cmake_values.is_true(values[name])
            if number:
                line = f"{before}#{blank}define {name} {int(holds)}"
            else:
                line = f"{before}#{blank}define {name}{rest}" if holds else f"/* #undef {name} */"
            unknown |= set() if known else {name}
        before, sign, directive = line.partition("#")
        if sign and cmake_values.replaced(before, values)[1]:  # `@COMMENT@#define X`: whether it is said is not known
            line = f"// {line}"
            unknown |= set(_DEFINE.findall(sign + directive))
        line, open_ = cmake_values.replaced(line, values, "" if '"' in line or _ALONE.fullmatch(line) else "0")
        macro = _DEFINE.match(line)
        unknown |= {macro[1]} if open_ and macro is not None else set()
        lines.append(line)
    return Configured("".join(f"{line}\n" for line in lines).encode(), frozenset(unknown))
