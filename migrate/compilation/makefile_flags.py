"""Makefile -> the compiler options of its recipes, as a plain `make` would give them.

Variables have the values that the file gives them, conditionals are followed, and included files of the tree are read.
Where a plain `make` builds nothing for a GPU, and a switch (`GPU=0`) would, the options are those with the switch set.
Nothing is run: what a shell or the environment would say is unknown, but for the system's name, and so is a search for
files that finds none in the tree; a word with an unknown part is left out.
Source: GNU make's manual, "How make Reads a Makefile" and "Conditional Syntax".
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cudamigrate.compilation import make_functions
from cudamigrate.compilation.build_settings import UNNAMED
from cudamigrate.compilation.make_branches import Branches
from cudamigrate.compilation.make_functions import UNKNOWN
from cudamigrate.lazy_re import re
from cudamigrate.project.file_access import read_linked
from cudamigrate.syntax import makefile

_DEPTH = 12
"""How deep variables name one another before the value counts as unknown."""
_BELOW = re.compile(r"-I\s*\$[({](\w+)[)}]/(\w[\w./-]*)")
"""A folder below one that a variable names: `-I$(LIB_HOME)/build`."""
_IMPLICIT = ("CPPFLAGS", "CXXFLAGS", "CFLAGS", "NVCCFLAGS", "HIPCCFLAGS")
"""Variables whose options count though no recipe names them: make's implicit rules, and those that users copy, do."""
_FOLDER = ("CURDIR", "PWD")
"""Variables with the folder that make runs in."""
_SYSTEM = {"uname": "Linux", "uname -s": "Linux", "uname -m": "x86_64"}
"""What commands print about the machine of a build for AMD: ROCm with make is for Linux on x86-64."""
_FROM_MAKE = ("MAKE", "MAKEFILE_LIST", "HOME", "PATH", "USER", "SHELL")
"""Variables that make or every environment sets; any other that a file does not set is empty."""
_OPEN = re.compile(r"-D(?:([A-Za-z_]\w*)=.*\x00|\x00)")
"""A macro with a value of which a part is unknown, or whose name is."""
_NAMED_BY = re.compile(r"(?<![\w-])-D\$[({](\w+)[)}]")
"""A macro whose whole name a variable holds: `-D$(MODEL)`. One that nobody sets is for make's command line."""
_VALUED_BY = re.compile(r"(?<![\w-])-D\s*[A-Za-z_]\w*=[^\s$]*\$[({](\w+)[)}]")
"""A macro whose value a variable holds: `-DSLOTS=$(SLOTS)`. One that nobody sets is of the environment, or likewise."""
_EXPORT = re.compile(rb"[ ]*export\b[ \t]*([^=#\n]*)")
"""The beginning of a line that gives variables to what make runs: `export`, `export A B`, `export A = 1`."""
_TARGETED = re.compile(
    rb"[ \t]*([^\s:=][^:=]*)::?[ \t]*(?:(?:export|override|private)[ \t]+)*[\w.-]+[ \t]*(?:::?:?|[?+!])?=[ \t]*\Z"
)
"""How an assignment begins that holds for some targets and what they are made of: `debug: CFLAGS += `."""
_MAKES = re.compile(r"\bmake\b|\$[({]MAKE[)}]")
_RUNS = re.compile(r"(?:\bmake|\$[({]MAKE[)}])\s.*(?:-C|--directory)|\bcd\s.*(?:\bmake\b|\$[({]MAKE[)}])")
"""A recipe that runs make in another folder: `$(MAKE) -C src`, `cd src && make`."""
_NAMES = ("GNUmakefile", "makefile", "Makefile")
_AUTOMATIC = "@<^?*+%|"
_RUNTIMES = frozenset(("-lcudart", "-lcudart_static", "-lcuda", "-lamdhip64"))
"""What links the runtime of a GPU."""
_COMPILE_ONLY = frozenset(("-c", "-dc", "--compile", "--device-c"))
_LARGEST = 1 << 20
"""Characters of one text with all its variables replaced."""
_MOST = 100_000
"""Variables that are replaced in all: ten in each of six that name one another make a million of nothing."""
_SWITCHES = 4
"""How many switches are set at most, one for each conditional around the runtime's library."""


@dataclass(slots=True)
class Reading:
    """What a Makefile says so far: values of variables, unexpanded, and the rules and recipes of the branches taken.

    `given` are variables that no line of the file changes, as `make NAME=value` gives them. `switches` are those that
    would let a branch be taken which links the runtime of a GPU, with the value that does. `asked` are those that a
    condition compares with nothing. `below` are include folders, in branches that are not taken too: the variable that
    each begins with, and what follows. `folder` is where make runs, and `exported` are the variables, or `*` for all,
    that it gives to what it runs. `targeted` are assignments for targets: those, the name, the operator and the value.
    `absent` are files that are included and not in the tree, without which make stops.
    """

    root: Path
    folder: str = ""
    given: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    recipes: list[str] = field(default_factory=list)
    ruled: list[tuple[str, str]] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    switches: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    exported: set[str] = field(default_factory=set)
    below: set[tuple[str, str]] = field(default_factory=set)
    targeted: list[tuple[str, str, str, str]] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    _seen: set[Path] = field(default_factory=set)
    _listed: dict[str, str] = field(default_factory=dict)
    _expanded: dict[tuple[str, int], str] = field(default_factory=dict)
    """What texts are with the values of now: variables name one another again and again."""
    _rule: str = ""
    _replaced: int = 0

    def file(self, path: Path) -> None:
        """Read a Makefile and those it includes, as far as they are in the tree."""
        path = Path(os.path.realpath(path))  # unlike `resolve`, it takes a link to itself
        if path in self._seen or not path.is_relative_to(os.path.realpath(self.root)):
            return
        self._seen.add(path)
        try:
            data = read_linked(path)
        except OSError:
            return
        branches = Branches(self)
        for line in makefile.read(data):
            text = data[line.value.start : line.value.end].decode("utf-8", "replace").replace("\\\n", " ").strip()
            self.below.update((name, rest.rstrip("/")) for name, rest in _BELOW.findall(text))
            if line.kind == "conditional":
                whole = data[line.span.start : line.span.end].decode("utf-8", "replace").strip()
                branches.enter(line.name, text, whole.startswith("else"))
            elif branches.taken():
                if export := _EXPORT.match(data, line.span.start, line.span.end):
                    self.exported.update(
                        [line.name] if line.kind == "assignment" else export[1].decode().split() or "*"
                    )
                targeted = _TARGETED.match(data, line.span.start, line.value.start)
                if line.kind == "assignment" and targeted is not None:
                    self.targeted.append(
                        (targeted[1].decode("utf-8", "replace").strip(), line.name, line.operator, text)
                    )
                else:
                    self._line(line, text, path.parent)
                    if line.kind == "include" and data.startswith(b"include", line.span.start):
                        self.absent += [name for name in text.split() if self._is_absent(name, path.parent)]
            elif not _RUNTIMES.isdisjoint(text.split()):
                self.switches.update(branches.switch())

    def _line(self, line: makefile.Line, text: str, folder: Path) -> None:
        if line.kind == "assignment":
            self._assign(line.name, line.operator, text)
        elif line.kind == "rule":
            self._rule = text
            self.rules.append(text)
        elif line.kind == "recipe":
            self.recipes.append(text)
            self.ruled.append((self._rule, text))
        elif line.kind == "include":
            for name in self.expanded(text).split():
                if UNKNOWN not in name:
                    self.file(folder / name)

    def _is_absent(self, name: str, folder: Path) -> bool:
        """Whether an included file that is spelled, behind a variable for its folder at most, is not in the tree."""
        spelled = not set("$*?%") & set(name.rpartition("/")[2])
        path = Path(os.path.realpath(folder / self.expanded(name).replace(UNKNOWN, "")))
        return spelled and not (path.is_file() and path.is_relative_to(os.path.realpath(self.root)))

    def take_targeted(self) -> None:
        """Assign what is assigned for targets that a plain make makes, or added for objects."""
        made = self.made() if self.targeted else set()
        for targets, name, operator, text in self.targeted:
            named = self.expanded(targets).split()
            added = operator == "+=" and any(target.endswith(".o") for target in named)
            if added or not made.isdisjoint(named):
                self._assign(name, operator, text)

    def made(self) -> set[str]:
        """The targets that a plain make makes: the first one, and those that it names, through others too."""
        needs: dict[str, list[str]] = {}
        for rule in self.rules:
            targets, _, named = self.expanded(rule).partition(":")
            for target in targets.split():
                needs.setdefault(target, []).extend(named.split())
        for rule, recipe in self.ruled if needs else ():
            if _MAKES.search(recipe):
                for target in self.expanded(rule).partition(":")[0].split():
                    needs.setdefault(target, []).extend(recipe.split())
        waiting = [target for target in needs if not target.startswith(".") and "%" not in target][:1]
        made = set[str]()
        while waiting:
            target = waiting.pop()
            if target not in made:
                made.add(target)
                waiting += needs.get(target, ())
        return made

    def builds_for_gpu(self) -> bool:
        """Whether something is linked for a GPU: with its runtime's library, or by the compiler that brings it."""
        texts = [self.expanded(text) for text in (*self.recipes, *self.values.values())]
        return any(not _RUNTIMES.isdisjoint(text.split()) for text in texts) or any(map(_links, self.recipes))

    def _assign(self, name: str, operator: str, text: str) -> None:
        if name in self.given:
            return
        self._expanded.clear()
        if operator == "?=":
            self.values.setdefault(name, text)
        elif operator == "+=":
            self.values[name] = f"{self.values.get(name, '')} {text}".strip()
        elif operator == "!=":
            self.values[name] = UNKNOWN
        else:
            self.values[name] = text if operator == "=" else self.expanded(text)

    def expanded(self, text: str, depth: int = 0) -> str:
        """The text with variables replaced by their values, and by `UNKNOWN` what is not known.

        Raises ValueError where that is more than anybody writes: a few lines can make more text than memory holds.
        """
        if "$" not in text:
            return text
        known = self._expanded.get((text, depth))
        if known is None:
            known = self._expanded[text, depth] = self._with_values(text, depth)
        return known

    def _with_values(self, text: str, depth: int) -> str:
        data, parts, at, size = text.encode(), [], 0, len(text)
        for found in makefile.expansions(data, 0, len(data)):
            value = self._value(data, found, depth)
            parts += [
                data[at : found.span.start].decode("utf-8", "replace"),
                value or make_functions.of_nothing(data, found.span),
            ]
            at = found.span.end
            self._replaced += 1
            size += len(parts[-1])
            if self._replaced > _MOST or size > _LARGEST:
                raise ValueError("its variables make more text than can be read")
        return "".join([*parts, data[at:].decode("utf-8", "replace")])

    def _value(self, data: bytes, found: makefile.Expansion, depth: int) -> str:
        texts = [data[one.start : one.end].decode("utf-8", "replace") for one in found.args]
        if depth > _DEPTH or found.name in _FROM_MAKE or found.name[:1] in _AUTOMATIC:
            return UNKNOWN
        if found.name in make_functions.PURE and texts:
            given = [self.expanded(text, depth + 1) for text in texts]
            return make_functions.value(found.name, given, self.folder)
        if found.name == "wildcard" and len(texts) == 1:
            patterns = self.expanded(texts[0], depth + 1)
            if patterns not in self._listed:
                self._listed[patterns] = make_functions.found_files(patterns, self.folder, str(self.root))
            return self._listed[patterns]
        if found.name == "foreach" and len(texts) == 3:
            return self._each(texts, depth)
        if found.name == "shell" and " ".join(texts[:1]).strip() in _SYSTEM and len(texts) == 1:
            return _SYSTEM[texts[0].strip()]
        if found.name in _FOLDER or (found.name == "shell" and texts == ["pwd"]):
            return self.folder or UNKNOWN
        if texts or found.name in makefile.FUNCTIONS:
            return UNKNOWN
        words = self.expanded(self.values.get(found.name, ""), depth + 1)
        if found.pattern is None:
            return words
        reference = data[found.pattern.start : found.pattern.end].decode("utf-8", "replace")
        return make_functions.referred(self.expanded(reference, depth + 1), words)

    def _each(self, texts: Sequence[str], depth: int) -> str:
        """The value of a loop, `$(foreach name,list,text)`: the text once for each word of the list."""
        name, listed = (self.expanded(text, depth + 1).strip() for text in texts[:2])
        before, made = self.values.get(name), list[str]()
        for word in listed.split():
            self.values[name] = word
            self._expanded.clear()
            made.append(self.expanded(texts[2], depth + 1).strip())
        self.values.pop(name, None)
        if before is not None:
            self.values[name] = before
        self._expanded.clear()
        return " ".join(made)

    def environment(self) -> dict[str, str]:
        """The variables that a make which this one runs begins with."""
        names = self.values.keys() if "*" in self.exported else self.exported & self.values.keys()
        return {name: self.expanded(self.values[name]).replace("$", "$$") for name in names}

    def words(self) -> Iterator[str]:
        """The options of all recipes and of the variables of implicit rules; none that has an unknown part."""
        yield from (word for word in self._words() if UNKNOWN not in word)

    def compiled(self) -> Iterator[tuple[str, str, str]]:
        """Each recipe, behind the text of its rule: as it is written, and expanded."""
        for rule, text in self.ruled:
            yield self.expanded(rule), text, self.expanded(text)

    def tails(self) -> set[str]:
        """The ends of include folders that begin with a variable which whoever runs make sets."""
        return {rest for name, rest in self.below if name not in self.values and name not in _FOLDER}

    def open(self) -> set[str]:
        """The macros whose value has an unknown part: `-DSIZE=$(SIZE)` where whoever runs make gives SIZE.

        UNNAMED is for those whose name has one: `-D$(MODEL)`.
        """
        parts = (part for word in self._words() for part in word.split(","))
        found = {match[1] or UNNAMED for match in map(_OPEN.match, parts) if match is not None}
        texts = (*self.recipes, *(self.values.get(name, "") for name in _IMPLICIT))
        names = (name for text in texts for name in _NAMED_BY.findall(text))
        return found | ({UNNAMED} if any(name not in self.values for name in names) else set())

    def _words(self) -> Iterator[str]:
        """The words of all recipes and of the variables of implicit rules.

        A variable that the file sets to nothing, and asks whether it is nothing, is for make's command line: what it
        will be is not known. So is one that is the value of a macro, and that no file sets.
        """
        values = self.values
        missing = {name: UNKNOWN for name in self.asked if name in values and not values[name].strip()}
        valued = (name for text in (*self.recipes, *values.values()) for name in _VALUED_BY.findall(text))
        missing.update((name, UNKNOWN) for name in valued if name not in values and name not in _FOLDER)
        self.values = {**values, **missing}
        self._expanded.clear()
        implied = [self.expanded(values.get(name, "")) for name in _IMPLICIT]
        texts = dict.fromkeys((*self._recipes(), *implied))
        self.values = values
        self._expanded.clear()
        for text in texts:
            yield from make_functions.parted(text)

    def _recipes(self) -> Iterator[str]:
        """The recipes, expanded; what make sets for each target is known of a rule with one target alone."""
        named = [word for rule in self.rules for word in self.expanded(rule).replace(":", " ").split()]
        for rule, text in self.ruled:
            stem = make_functions.stem(self.expanded(rule), named) if "$*" in text else ""
            yield make_functions.automatic(self.expanded(text), stem)


def _links(recipe: str) -> bool:
    """Whether a recipe calls the compiler of a GPU to link."""
    lower = recipe.lower()
    return ("nvcc" in lower or "hipcc" in lower) and _COMPILE_ONLY.isdisjoint(recipe.split())


def read(path: Path, root: Path) -> Reading:
    """What the Makefile at `path` says; only files below `root` are opened."""
    outer = _environment(path, root)
    reading = _reading(path, root, {}, outer)
    given: dict[str, str] = {}
    for _ in range(_SWITCHES):
        more = {name: value for name, value in reading.switches.items() if name not in given}
        if reading.builds_for_gpu() or not more:
            break
        given |= more
        reading = _reading(path, root, given, outer)
    return reading


def _reading(path: Path, root: Path, given: Mapping[str, str], outer: Mapping[str, str]) -> Reading:
    reading = Reading(root, str(path.parent), dict(given), {**outer, **given})
    reading.file(path)
    reading.take_targeted()
    return reading


def _environment(path: Path, root: Path) -> Mapping[str, str]:
    """What the nearest Makefile further out gives to the makes that it runs in other folders."""
    folder = path.parent
    while folder != root and folder.is_relative_to(root):
        folder = folder.parent
        outer = next((folder / name for name in _NAMES if (folder / name).is_file()), None)
        if outer is not None:
            reading = _reading(outer, root, {}, {})
            runs = reading.exported and any(_RUNS.search(recipe) for recipe in reading.recipes)
            return reading.environment() if runs else {}
    return {}
