"""Meson files -> the options that a build of their project gives the compilers of C++ and of CUDA. Nothing is run.

Options of the project hold for all that it compiles, those of a target for its sources. What is behind a condition, or
for one language alone, is that of some builds where the sources are not known. Source: Meson's manual, "Reference
manual" (`project`, `add_project_arguments`, `executable`), "Built-in options" (`cpp_std`) and "CUDA module".
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from cudamigrate.compilation import sure_options
from cudamigrate.compilation.build_settings import Settings
from cudamigrate.project.file_access import read_linked
from cudamigrate.syntax import meson
from cudamigrate.syntax.build_words import UNKNOWN, Word

NAME = "meson.build"
_ALL = ("add_project_arguments", "add_global_arguments")
_TARGETS = frozenset((
    "executable", "library", "static_library", "shared_library", "shared_module", "both_libraries", "build_target",
))  # fmt: skip
_LANGUAGES = ("cpp", "cuda")
_SETTING = "_std"
"""The end of the name of a setting that is a language's standard: `cpp_std=c++20`."""
_MOST = 256
"""So many folders of a project are read."""


@dataclass(slots=True)
class Project:
    """What holds for all of a project, and more for single sources, by their absolute paths."""

    whole: Settings = field(default_factory=Settings)
    sources: dict[str, Settings] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Option:
    """An option for one language, and the folder that a relative path in it counts from."""

    language: str
    word: Word
    folder: str


def read(path: Path, root: Path, data: bytes) -> Project:
    """What the project says whose top is the file at `path`, with its folders below `root`; nothing of another file.

    Raises RecursionError where it nests deep.
    """
    calls = meson.calls(data.decode("utf-8", "replace"), str(path.parent), partial(_text, root, set()))
    if not any(call.name == "project" for call in calls if call.folder == str(path.parent)):
        return Project()
    options = [option for call in calls for option in _of_project(call)]
    known = _known(calls)
    given = {(one.language, one.word) for one in options}
    shared = [one for one in options if all((language, one.word) in given for language in known)]
    found = Project(sure_options.settings(_words(shared)))
    sure_options.take_rest(found.whole, _words(options))
    by_source: dict[str, list[Settings]] = {}
    for call in (one for one in calls if one.name in _TARGETS or one.name == "declare_dependency"):
        own = [*_of_target(call)]
        for source in _sources(call):
            language = "cuda" if source.endswith(".cu") else "cpp"
            given_to = [one for one in (*options, *own) if one.language == language]
            by_source.setdefault(source, []).append(sure_options.settings(_words(given_to)))
        sure_options.take_rest(found.whole, _words(own))
    found.sources = {source: sure_options.together(listed) for source, listed in by_source.items()}
    for call in calls:
        for word in call.words if call.name == "include_directories" else ():
            found.whole.folder(word.text.replace(UNKNOWN, "$"), Path(call.folder))
    return found


def _text(root: Path, seen: set[str], folder: str) -> str:
    """The text of the file of a folder below `root` that was not read before."""
    if folder in seen or len(seen) >= _MOST or not folder.startswith(f"{root}{os.sep}"):
        return ""
    seen.add(folder)
    try:
        return read_linked(Path(folder, NAME)).decode("utf-8", "replace")
    except OSError:
        return ""


def _known(calls: Iterable[meson.Call]) -> list[str]:
    """Those of the languages that the project compiles."""
    named = {word.text for call in calls if call.name in ("project", "add_languages") for word in call.words}
    return [language for language in _LANGUAGES if language in named]


def _of_project(call: meson.Call) -> Iterator[_Option]:
    """The options that a call gives all sources of a language."""
    if call.name == "project":
        yield from _standards(call, "default_options")
    elif call.name in _ALL and "true" not in (word.text for word in call.named.get("native", ())):
        languages = [word.text for word in call.named.get("language", ())]
        for language in _LANGUAGES:
            if language in languages:
                yield from (_option(call, language, word) for word in call.words)


def _of_target(call: meson.Call) -> Iterator[_Option]:
    """The options that a target has for its own sources."""
    yield from _standards(call, "override_options")
    for language in _LANGUAGES:
        named = (*call.named.get(f"{language}_args", ()), *call.named.get("compile_args", ()))
        yield from (_option(call, language, word) for word in named)


def _standards(call: meson.Call, key: str) -> Iterator[_Option]:
    """The standards among settings: the first where several are named, `cpp_std=gnu++20,c++20`."""
    for word in call.named.get(key, ()):
        name, _, value = word.text.partition("=")
        language = name.removesuffix(_SETTING)
        if name.endswith(_SETTING) and language in _LANGUAGES:
            yield _option(call, language, Word(f"-std={value.split(',')[0]}", word.sure))


def _option(call: meson.Call, language: str, word: Word) -> _Option:
    return _Option(language, Word(word.text, word.sure and call.sure), call.folder)


def _sources(call: meson.Call) -> Iterator[str]:
    """The absolute paths of the sources that a target names."""
    words = (*call.words[1:], *call.named.get("sources", ())) if call.name in _TARGETS else ()
    for word in words:
        if UNKNOWN not in word.text:
            yield os.path.normpath(os.path.join(call.folder, word.text))


def _words(options: Iterable[_Option]) -> list[tuple[Word, str]]:
    return [(one.word, one.folder) for one in options]
