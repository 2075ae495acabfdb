"""`-Werror` in Meson's and Bazel's files whose C++ sources leave a result of HIP's unread: reported, as all there.

Options of a target are looked at for its sources, those of a project or a workspace for all of it. Source: Meson's
manual, "Built-in options" (`werror`) and `add_project_arguments`; Bazel, "C/C++ Rules" (`copts`) and `--copt`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from cudamigrate.cuda.include_paths import is_below
from cudamigrate.detection import engine
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, SourceFile, Span
from cudamigrate.pipeline import unread_results
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import bazel, meson, starlark
from cudamigrate.syntax.build_words import UNKNOWN, Word

RULE = "build/unread-results"
_MESON = re.compile(rb"'(-Werror|werror=true)'|'(werror)'\s*:\s*'?true\b")
_BAZEL = re.compile(rb"[\"'](-Werror)[\"']")
_STRICT = ("-Werror", "werror=true")
_ALL = ("add_project_arguments", "add_global_arguments")
_TARGETS = re.compile(r"executable|(?:both_)?(?:\w+_)?librar(?:y|ies)|shared_module|build_target")
_OPTIONS = ("copt", "cxxopt")
_PACKAGES = ("BUILD.bazel", "BUILD")

_Place = tuple[str, Span, Sequence[str]]
"""A path, an option in its text, and the sources that get it."""


def with_other_unread_results(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each option of Meson's and Bazel's files that makes errors of such calls."""
    rule = book.rules.get(RULE)
    texts = unread_results.texts(results, ("meson", "bazel", "bazelrc"), read)
    strict = any(b"-Werror" in data or b"werror" in data for data in texts.values())
    if rule is None or rule.silent or not strict:
        return list(results)
    tree = HipReaders({one.path: one for one in results if one.skip is None}, read)
    leaving = unread_results.leaving(tree) if tree.with_header else {}
    languages = {one.path: one.language for one in results if one.path in texts}
    made: dict[str, dict[Span, list[str]]] = {}
    for path, at, reached in _places(texts, languages, tree) if leaving else ():
        made.setdefault(path, {}).setdefault(at, []).extend(unread_results.with_calls(tree, leaving, reached))
    found = {
        path: [
            unread_results.finding(SourceFile(path, texts[path], languages[path]), RULE, at, sorted({*sources}), rule)
            for at, sources in sorted(places.items())
            if sources
        ]
        for path, places in made.items()
    }
    return [engine.with_more(one, found.get(one.path, ())) for one in results]


def _places(texts: Mapping[str, bytes], languages: Mapping[str, str], tree: HipReaders) -> Iterator[_Place]:
    for reader, kinds in ((_of_meson, ("meson",)), (_of_bazel, ("bazel", "bazelrc"))):
        own = {path: data for path, data in texts.items() if languages[path] in kinds}
        enough = any(unread_results.ENOUGH.search(data) for data in own.values())
        if own and not enough and not unread_results.is_older(own.values()):
            yield from reader(own, tree.paths.paths)


def _of_meson(texts: Mapping[str, bytes], paths: Iterable[str]) -> Iterator[_Place]:
    """Options of Meson's files: a source that no file names is not compiled, as Meson takes none by patterns."""
    named = [one for one in paths if any(posixpath.basename(one).encode() in data for data in texts.values())]
    for top in texts:
        calls = meson.calls(_text(texts, top), f"/{posixpath.dirname(top)}".rstrip("/"), partial(_inner, texts))
        if not any(call.name == "project" and _home(call.folder) == posixpath.dirname(top) for call in calls):
            continue
        below = [one for one in named if is_below(one, posixpath.dirname(top))]
        for call in calls:
            if _is_strict(call):
                sources = _sources(call) if _TARGETS.fullmatch(call.name) else None
                yield from _written(texts, _home(call.folder), below if sources is None else sources)


def _text(texts: Mapping[str, bytes], path: str) -> str:
    return texts.get(path, b"").decode("utf-8", "replace")


def _inner(texts: Mapping[str, bytes], folder: str) -> str:
    return _text(texts, posixpath.join(_home(folder), "meson.build"))


def _home(folder: str) -> str:
    """A folder of the tree, which Meson's reader has with a slash before it."""
    return folder.lstrip("/")


def _is_strict(call: meson.Call) -> bool:
    """Whether a call makes errors of the warnings in sources of C++."""
    keys: tuple[str, ...] = ()
    if call.name == "project":
        keys = ("default_options",)
    elif _TARGETS.fullmatch(call.name):
        keys = ("cpp_args", "override_options")
    given = [word.text for key in keys for word in call.named.get(key, ())]
    if call.name in _ALL and "cpp" in (word.text for word in call.named.get("language", ())):
        given = [word.text for word in call.words]
    return not {*_STRICT}.isdisjoint(given)


def _sources(call: meson.Call) -> list[str] | None:
    """The files that a target names; None where it names some by what is not known."""
    words = (*call.words[1:], *call.named.get("sources", ()))
    if any(UNKNOWN in word.text for word in words):
        return None
    return [posixpath.normpath(posixpath.join(_home(call.folder), word.text.lstrip("/"))) for word in words]


def _written(texts: Mapping[str, bytes], folder: str, sources: Sequence[str]) -> Iterator[_Place]:
    """Where the option is written: in the file of a folder, else in those around it."""
    while True:
        path = posixpath.join(folder, "meson.build")
        places = list(_MESON.finditer(texts.get(path, b"")))
        yield from ((path, Span(*one.span(one.lastindex or 0)), sources) for one in places)
        if places or not folder:
            return
        folder = posixpath.dirname(folder)


def _of_bazel(texts: Mapping[str, bytes], paths: Iterable[str]) -> Iterator[_Place]:
    """Options of Bazel's files: of settings for the workspace around them, of targets for their sources."""
    known = sorted(paths)
    for path, data in texts.items():
        home = posixpath.dirname(path)
        if path.endswith(".bazelrc"):
            given = [one for one in bazel.options(data) if one.command in bazel.BUILDS and one.name in _OPTIONS]
            below = [one for one in known if is_below(one, home)]
            yield from ((path, one.span, below) for one in given if one.value == "-Werror")
        elif posixpath.basename(path) in _PACKAGES:
            files = starlark.Files(partial(_labelled, texts), partial(_globbed, known, home))
            for call in starlark.calls(_text(texts, path), home, files):
                given_to = (word for key in bazel.COPTS for word in call.named.get(key, ()))
                if any(word.text == "-Werror" for word in given_to):
                    yield from _literals(texts, path, _files(call.named.get("srcs", ()), home))


def _labelled(texts: Mapping[str, bytes], label: str) -> str:
    """The text of a file of the workspace at the top of the tree; a label of another repository has none."""
    return "" if label.startswith("@") else _text(texts, _place(label))


def _place(label: str) -> str:
    return label.removeprefix("//").replace(":", "/", 1).lstrip("/")


def _globbed(paths: Sequence[str], home: str, include: Sequence[str], exclude: Sequence[str]) -> list[str]:
    start = len(home) + 1 if home else 0
    return bazel.fitting((one[start:] for one in paths if is_below(one, home)), include, exclude)


def _files(words: Iterable[Word], home: str) -> list[str]:
    return [_place(starlark.absolute(word.text, home)) for word in words]


def _literals(texts: Mapping[str, bytes], path: str, sources: Sequence[str]) -> Iterator[_Place]:
    """Where a package writes the option; else where the files of functions do."""
    inside = [(path, one) for one in _BAZEL.finditer(texts[path])]
    loaded = [other for other in texts if other.endswith(".bzl") and not inside]
    inside += [(other, one) for other in loaded for one in _BAZEL.finditer(texts[other])]
    yield from ((other, Span(*one.span(1)), sources) for other, one in inside)
