"""Build files -> files that they copy, link or configure to the name of a source: sources, whatever they end in.

Result: pairs of a file and what it becomes, as the build spells them, of which only the second ends as code does. What
a variable stands for is not asked: the name of a file behind it says enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.syntax import cmake

LANGUAGES = ("make", "shell", "cmake", "autotools", "python")
"""Languages of the files that are asked."""
Pair = tuple[str, str]
_COPIES = ("ln", "cp", "mv", "install")
_TOOLS = ("copy", "copy_if_different", "create_symlink", "create_hardlink", "rename")
"""What `cmake -E` does to two files."""
_FILE = ("COPY_FILE", "CREATE_LINK", "RENAME")
"""What CMake's command `file` does to two files."""
_CONCERNS = {
    "cmake": re.compile(rb"(?i:configure_file)|COPY_FILE|CREATE_LINK|RENAME|\s-E\s"),
    "make": re.compile(rb"\b(?:ln|cp|mv|install)\b|>|:"),
    "autotools": re.compile(rb"\b(?:ln|cp|mv|install)\b|>"),
    "shell": re.compile(rb"\b(?:ln|cp|mv|install)\b|>"),
    "python": re.compile(rb"\b(?:copy|link|symlink|rename|move|replace)\w*\("),
}
"""What a file of each language has that copies something: looked for first, as most have nothing of it."""
_CONTINUED = re.compile(r"\\\r?\n")
_COMMANDS = re.compile(r"&&|\|\||[;|]")
_RULE = re.compile(r"(?P<target>[^\s:=#]+)[ ]*::?[ ]*(?P<first>[^\s:=#|]+)")
"""A rule of make with one target: `a.cu: a.cu.m4 b.h`."""
_CALL = re.compile(
    r"\b(?:copy2?|copyfile|symlink|link|rename|move|replace)\(\s*r?[\"'](?P<of>[^\"'\n]+)[\"']\s*,\s*r?[\"'](?P<to>[^\"'\n]+)[\"']"
)
"""A call in Python on two files by name: `shutil.copy("a.cu.in", "a.cu")`."""


def found(source: SourceFile, language: Callable[[str], str]) -> set[Pair]:
    """The pairs of one build file; `language` tells that of a file by its name, empty where the name says nothing.

    What CMake configures to a header is its template even where it ends as CMake's own files do: `config.hpp.cmake`.
    """
    if _CONCERNS[source.language].search(source.data) is None:
        return set()
    every = _cmake(source) if source.language == "cmake" else _lines(source)
    free = ("", "cmake") if source.language == "cmake" else ("",)
    return {(of, to) for of, to in every if language(of) in free and language(to) in ("cuda", "cxx")}


def _cmake(source: SourceFile) -> Iterator[Pair]:
    for command in cmake.read(source.data):
        words = command.words()
        if command.name == "configure_file":
            yield from _two(words)
        elif command.name == "file" and words and words[0] in _FILE:
            yield from _two(words[1:])
        elif "-E" in words and command.name in ("add_custom_command", "add_custom_target", "execute_process"):
            for at, word in enumerate(words):
                if word in _TOOLS and words[at - 1] == "-E":
                    yield from _two(words[at + 1 :])


def _two(words: Sequence[str]) -> Iterator[Pair]:
    if len(words) > 1:
        yield words[0], words[1]


def _lines(source: SourceFile) -> Iterator[Pair]:
    """The pairs of a Makefile, a script of a shell or of Python."""
    text = _CONTINUED.sub(" ", source.data.decode("utf-8", "replace"))
    if source.language == "python":
        yield from ((match["of"], match["to"]) for match in _CALL.finditer(text))
        return
    for line in text.splitlines():
        rule = _RULE.match(line) if source.language != "shell" else None
        if rule is not None and rule["first"].startswith(f"{rule['target']}."):
            yield rule["first"], rule["target"]
        for command in _COMMANDS.split(line):
            yield from _copied(command.strip().lstrip("@-+").split())


def _copied(words: Sequence[str]) -> Iterator[Pair]:
    """What one command copies or links, or writes by `>` of the files that it is given."""
    names = [word.strip("\"'") for word in words]
    if names and names[0].rpartition("/")[2] in _COPIES:
        files = [name for name in names[1:] if not name.startswith("-")]
        if len(files) == 2:
            yield files[0], files[1]
    elif ">" in names[1:-1]:
        at = names.index(">", 1)
        yield from ((name, names[at + 1]) for name in names[1:at] if "." in name and not name.startswith("-"))
