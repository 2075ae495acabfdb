"""A command that runs hipify -> which sources it renames: those that it names, or whatever its variables hold.

A script that names each source is of these sources alone; one that is given names by variables is of the project.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from cudamigrate.analysis import cmake_lists
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.model.port_facts import FileEvidence
from cudamigrate.syntax import cmake, shell

_HIPIFY = re.compile(r"(?:.*/)?hipify[-_](?:perl|clang|python|torch)(?:\.(?:py|pl|sh))?")
"""The word of a command that runs hipify: `/opt/rocm/bin/hipify-perl`, `tools/hipify_python.py`."""
_MODULE = re.compile(r"(?:\w+\.)*hipify(?:_\w+)?")
"""The same as a module of Python's: `torch.utils.hipify.hipify_python`."""
_RUNNERS = re.compile(r"find|xargs|parallel|env|sudo|exec|time|timeout|nice|srun|perl|(?:ba|da|k|z)?sh")
"""Commands that run what is behind them; `which`, `module load` and installers of packages do not."""
_INTERPRETER = re.compile(r"\$\{?(?:PERL|Perl|PYTHON|Python)\d?_EXECUTABLE\}?")
"""The same as a variable of CMake's: `${PERL_EXECUTABLE}`."""
_COMMANDS = ("execute_process", "add_custom_command", "add_custom_target")
_ENDS = re.compile(
    r"ARGS|BYPRODUCTS|COMM(?:AND|ENT)|DEPENDS|(?:IN|OUT)PUT\w*|MAIN_\w+|(?:ERROR|RESULT)_\w+|VERBATIM|WORK\w+"
)
"""Words of CMake's after which a command is at its end, or begins."""
_FILE = re.compile(r"(?:\$\{?\w+\}?/|\.{1,2}/)*[\w.+-]+(?:/[\w.+-]+)*")
"""A path that only begins with variables: `$SRC/kernels/a.cu`."""
_ENDING = re.compile(r"\.(?:cuh?|cc?|cpp|cxx|hh?|hpp|inl)$")
_LEADING = re.compile(r"(?:\$\{?\w+\}?/|\.{1,2}/)+")
_SEVERAL = 3
_PATTERN = re.compile(r"[*?\[]")
_OWN = ("CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR")
"""Variables that hold the folder of the build file."""


@dataclass(frozen=True, slots=True)
class Hipified:
    """What a file runs hipify on: `line` and `text` of the first command whose sources are not seen, and `sources`."""

    line: tuple[int, str] | None = None
    sources: tuple[str, ...] = ()


def of_shell(data: bytes) -> Hipified:
    """The same of a script."""
    if b"hipify" not in data:
        return Hipified()
    script = shell.read(data, Span(0, len(data)))
    named = {f"${one.name}" for one in script.assignments if _HIPIFY.fullmatch(one.value.text)}
    found = []
    for command in sorted(script.commands, key=lambda one: one.words[0].span.start):
        words = [word.text.replace("{", "").replace("}", "") for word in command.words]
        if _runs(words, named):
            line = data[: command.words[0].span.start].count(b"\n")
            found.append((words, (line + 1, data.split(b"\n")[line].decode("utf-8", "replace").strip()[:100])))
    return _joined(found)


def of_cmake(commands: Iterable[cmake.Command], shown: Callable[[cmake.Command], tuple[int, str]]) -> Hipified:
    """The same of a CMake file; `shown` gives the line and the text of a command."""
    found = []
    named = set[str]()
    values = cmake_lists.Lists()
    for command in commands:
        values.follow(command)
        words = [word.strip('"') for word in command.words()]
        if command.name in ("find_program", "set") and any(_HIPIFY.fullmatch(word) for word in words[1:]):
            named.add(f"${{{words[0]}}}")
        for run in _run(words) if command.name in _COMMANDS else ():
            if _runs(run, named):
                found.append((list(_resolved(run, values, named)), shown(command)))
    return _joined(found, patterns=True)


def _resolved(run: Sequence[str], values: cmake_lists.Lists, named: Set[str]) -> Iterator[str]:
    """The words of a command with what its variables hold, without variables that hold options or the tool alone."""
    for word in run:
        held = values.of(word)
        tool = word in named or _INTERPRETER.fullmatch(word) is not None
        if held is None or tool:
            yield word
        else:
            yield from held


def paths(evidence: Iterable[FileEvidence], among: Sequence[str]) -> dict[str, str]:
    """The sources that hipify is run on by name, each with the file that does so.

    A script's names may count from a folder that a variable holds: the one path that ends so is meant. Of the folders
    that a pattern fits, it is the one nearest to the build file.
    """
    found: dict[str, str] = {}
    for one in evidence:
        near = one.path.rpartition("/")[0]
        for source in one.hipified:
            end = _LEADING.sub("", source)
            if _PATTERN.search(end):
                found |= dict.fromkeys(_fitting(end, near, among), one.path)
                continue
            own = f"{near}/{end}" if near else end
            ends = [path for path in among if path == end or path.endswith("/" + end)]
            chosen = [own] if own in ends and source == end else ends
            if len(chosen) == 1:
                found[chosen[0]] = one.path
    return found


def folders(evidence: Iterable[FileEvidence], among: Sequence[str]) -> frozenset[str]:
    """The files that run hipify on all sources of a folder, several: what is added to it, HIP has too."""
    fitting = (
        (one, _fitting(end, one.path.rpartition("/")[0], among))
        for one in evidence
        for end in (_LEADING.sub("", source) for source in one.hipified)
        if _PATTERN.search(end)
    )
    return frozenset(one.path for one, found in fitting if len(found) >= _SEVERAL)


def _fitting(pattern: str, near: str, among: Sequence[str]) -> list[str]:
    """The paths that a pattern fits, in the folder that is nearest to the folder `near`; `**/` is any folder below."""
    folder, _, name = pattern.replace("[^", "[!").rpartition("/")
    deep = folder == "**" or folder.endswith("/**")
    folder = folder.removesuffix("**").rstrip("/")
    found: dict[str, list[str]] = {}
    for path in among:
        own, _, last = path.rpartition("/")
        for home in (own, *(str(one) for one in PurePosixPath(path).parents if deep)):
            home = home.removeprefix(".")
            fits = home == near if not folder else home == folder or home.endswith(f"/{folder}")
            if fits and fnmatchcase(last, name):
                found.setdefault(home, []).append(path)
    best = max((_shared(home, near) for home in found), default=0)
    return [path for home, held in found.items() if _shared(home, near) == best for path in held]


def _shared(one: str, other: str) -> int:
    """How many folders two paths have in common, from the outermost on."""
    pairs = zip(one.split("/"), other.split("/"), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _run(words: Sequence[str]) -> Iterator[list[str]]:
    """The commands that CMake runs: from each `COMMAND` to the next word of CMake's."""
    current: list[str] | None = None
    for word in (*words, "COMMENT"):
        if _ENDS.fullmatch(word) and (word != "ARGS" or current is None):
            if current:
                yield current
            current = [] if word == "COMMAND" else None
        elif current is not None and word != "ARGS":
            current.append(word)


def _joined(found: Sequence[tuple[list[str], tuple[int, str]]], patterns: bool = False) -> Hipified:
    unseen = next((place for words, place in found if not _sources(words, patterns)), None)
    return Hipified(unseen, tuple(sorted({name for words, _ in found for name in _sources(words, patterns)})))


def _sources(words: Sequence[str], patterns: bool) -> list[str]:
    """The sources that a command names in full, without what it writes; none where one is in a variable.

    With `patterns`, it may also name all sources of a folder.
    """
    given = [word for before, word in itertools.pairwise(words) if before not in ("-o", ">")]
    files = [word for word in given if _ENDING.search(word) or _PATTERN.search(word)]
    return files if all(_FILE.fullmatch(word) or (patterns and _is_placed(word)) for word in files) else []


def _is_placed(word: str) -> bool:
    """Whether a pattern names its folder: that of the build file, or one by its own name."""
    leading = _LEADING.match(word)
    begin = leading[0] if leading is not None else ""
    rest = word[len(begin) :]
    folder, _, name = rest.rpartition("/")
    known = folder.removesuffix("**") or not begin or begin.strip("${}/") in _OWN
    return bool(known and _PATTERN.search(name) and "$" not in rest)


def _runs(words: Sequence[str], named: Set[str]) -> bool:
    """Whether a command is hipify or runs it; `named` are the variables that hold it."""
    tool = words[0].rpartition("/")[2]
    called = list(words[:1])
    if tool.startswith("python"):
        called += [word for word in words if word.endswith(".py")]
        if "-m" in words[:-1] and _MODULE.fullmatch(words[words.index("-m") + 1]):
            return True
    elif _RUNNERS.fullmatch(tool) or _INTERPRETER.fullmatch(tool):
        called = list(words)
    return any(_HIPIFY.fullmatch(word) or word in named for word in called)
