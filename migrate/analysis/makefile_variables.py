"""Which variables of Makefiles reach nvcc, and which hold NVIDIA GPUs.

A variable reaches nvcc where a recipe that calls nvcc refers to it, through other variables or not. The compiler of a
recipe is known by the value of the variable that names it. Included files of the tree count with those that include
them. Nothing is run: what `$(shell ...)` would print is not known.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from cudamigrate.analysis import makefile_branches, makefile_families, makefile_systems
from cudamigrate.analysis.makefile_branches import Asked
from cudamigrate.analysis.makefile_families import MADE_UP
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import compiler_options, makefile
from cudamigrate.syntax.makefile import Line
from cudamigrate.syntax.project_file import ProjectFile

_NVCC = re.compile(rb"(?:[^\s]*/)?nvcc(?:\.exe)?")
_HOST = re.compile(
    rb"(?:\S*/)?(?:[\w-]+-)?(?:g\+\+|gcc|clang\+\+|clang|cc|c\+\+|icc|icpc|icx|icpx|gfortran|ifort|nvc|nvc\+\+|nvfortran"
    rb"|mpicc|mpicxx|mpic\+\+|mpiCC|mpif90|mpifort|pgcc|pgc\+\+|xlc|xlc\+\+|ld|ar)(?:-[\d.]+)?|@(?:CC|CXX)@"
)
"""A compiler of the host, a linker or `ar`, with folder, target and version: `/usr/bin/x86_64-linux-gnu-g++-12`.

Also what a configure script writes in the place of `@CXX@`.
"""
_FOUND = re.compile(rb"(?:which|command[ \t]+-v|type[ \t]+-[pP])[ \t]+(?P<program>\S+)(?:[ \t]+2>[ \t]*/dev/null)?\s*")
"""What a shell is asked for the path of a program: `which mpicxx`."""
_HANDING_ON = frozenset(
    sign
    for name in (b"-Xcompiler", b"--compiler-options", b"-Xlinker", b"--linker-options")
    for sign in (name, name + b"=")
)
"""Options of nvcc's before words that are for the host's compiler or the linker."""
_COMMANDS = re.compile(rb"&&|\|\||[;|]")
_BEFORE_COMMAND = re.compile(rb"\A[@+-]+(?!\w+@)")
"""Signs to make before a command; not the first one of `@CC@`."""
_ENVIRONMENT = re.compile(rb"(?:\$[({]\w+[)}])*[A-Za-z_]\w*=")
"""A variable of the environment that a command is given: `OMPI_CXX=$(CXX)`, `$(Q)CXX=g++`."""
_FOR_HOST = re.compile(rb"\.(?:c|cc|cpp|cxx|c\+\+|C)(?![\w.=,+])")
"""A source of the host's compiler, or a pattern of them: `a.cpp`, `%.cc`."""
DEFAULT = ("CC", "CXX", "LD", "AR", "FC")
"""Compilers that GNU make itself names where no Makefile does."""
_IMPLICIT = {
    "CC": ("CFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS", "TARGET_ARCH"),
    "CXX": ("CXXFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS", "TARGET_ARCH"),
}
"""Variables that the built-in rules of GNU make give to a compiler."""
_CALLED = re.compile(r"\w*(?:NVCC|CUDA_?CC)\w*(?<!FLAGS)(?<!OPTS)", re.IGNORECASE)
"""What a compiler is called that the environment gives, not the Makefile."""
_CONFIGURED = re.compile(rb"@(\w+)@")
"""What a configure script replaces by a variable of its own: `@NVCC@`."""
_LOOKED_AT = 6
"""How many words of a command are looked at for its compiler."""


@dataclass(slots=True)
class Variables:
    """The variables of a family of Makefiles: where they are assigned, and the compilers that get them.

    `found` is what `makefile_found` has worked out of some, by name; `suffixes` and `called` are what
    `makefile_suffixes` and `makefile_tools` have.
    """

    files: tuple[Makefile, ...]
    assigned: dict[str, list[tuple[Makefile, Line]]] = field(default_factory=dict)
    nvcc: set[str] = field(default_factory=set)
    host: set[str] = field(default_factory=set)
    found: dict[str, str] = field(default_factory=dict)
    suffixes: frozenset[bytes] | None = None
    called: frozenset[str] | None = None
    _compilers: dict[str, frozenset[str]] = field(default_factory=dict)
    _home: str | None = None
    _reading: dict[str, list[tuple[Makefile, Line]]] | None = None
    _asked: dict[str, tuple[list[int], list[Asked]]] = field(default_factory=dict)

    def reading(self, name: str) -> list[tuple[Makefile, Line]]:
        """The lines of all files that refer to a variable: looked for once for all of them."""
        if self._reading is None:
            self._reading = {}
            for file in self.files:
                for line in file.lines:
                    for one in set(references(file, line.value)):
                        self._reading.setdefault(one, []).append((file, line))
        return self._reading.get(name, [])

    def asked(self, file: Makefile, offset: int) -> Asked:
        """The conditions that hold at a place of a file, read once for each file."""
        if file.path not in self._asked:
            found = makefile_branches.changes(file)
            self._asked[file.path] = list(found), list(found.values())
        starts, after = self._asked[file.path]
        at = bisect_right(starts, offset)
        return after[at - 1] if at else makefile_branches.NOTHING

    def home(self) -> str:
        """The folder in which make runs for the first file, from which paths count.

        That of the Makefile which includes it; its own where Makefiles of several folders do.
        Source: GNU make's manual, "Including Other Makefiles".
        """
        if self._home is None:
            self._home = makefile_families.entered_in(self.files)
        return self._home

    def compilers(self, name: str) -> frozenset[str]:
        """The compilers that a variable may name: `nvcc`, `host`, both or neither."""
        if name not in self._compilers:
            self._compilers[name] = frozenset()  # a variable that refers to itself
            given = self.given(name)
            kinds = frozenset[str]().union(*(self.compiler(file, line.value) for file, line in given))
            if not given:
                kinds = frozenset(("nvcc",) if _CALLED.fullmatch(name) else ("host",) if name in DEFAULT else ())
            self._compilers[name] = kinds
        return self._compilers[name]

    def given(self, name: str) -> list[tuple[Makefile, Line]]:
        """The assignments of a variable, and of all that a name may be of which others give parts: `CC_$(ARCH)`."""
        return [one for may in _of_name(self, name) for one in self.assigned.get(may, ())]

    def compiler(self, file: Makefile, span: Span) -> frozenset[str]:
        """The compilers that a command, or the value of a variable, may begin with: clang is nvcc's peer for CUDA."""
        kinds, word = self._called(file, span)
        return frozenset(("nvcc",)) if kinds == {"host"} and word and self._compiles_cuda(file, span, word) else kinds

    def clang_words(self) -> Iterator[tuple[Makefile, Span]]:
        """Where clang is named that commands compile CUDA with: in the command, or as the value of a variable.

        Where commands for the host's sources get the same value, it is the variable in the command; what is for macOS
        alone is left out, as there is no ROCm.
        """
        cuda, shared = [], set[tuple[str, Span]]()
        for file, part, rule in self.commands():
            kinds, word = self._called(file, part)
            if kinds != {"host"} or not word:
                continue
            if self._compiles_cuda(file, part, word):
                cuda.append((file, word))
            elif self._compiles_host(file, part, rule):
                shared.update((other.path, span) for other, span in self._clang(file, word))
        for file, word in cuda:
            for other, span in self._clang(file, word):
                if makefile_systems.is_macos(self.files, other, span.start):
                    continue
                own = (other.path, span) in shared and not (other is file and word.start <= span.start < word.end)
                yield (file, _variable_in(file, word)) if own else (other, span)

    def commands(self) -> Iterator[tuple[Makefile, Span, Line | None]]:
        """The commands of all recipes, each with the line of its rule."""
        for file in self.files:
            rule = None
            for line in file.lines:
                rule = line if line.kind == "rule" else rule
                for part in commands(file, line) if line.kind == "recipe" else ():
                    yield file, part, rule

    def _compiles_host(self, file: Makefile, span: Span, rule: Line | None) -> bool:
        """Whether a command compiles sources of the host: those that it, its variables or its rule name."""
        texts = self.texts(file, span)
        automatic = rule is not None and re.search(rb"\$[<^]", file.text(span)) is not None
        texts += [file.text(rule.value)] if automatic and rule is not None else []
        return any(_FOR_HOST.search(text) for text in texts)

    def texts(self, file: Makefile, span: Span) -> list[bytes]:
        """The text of a command, and what the variables in it hold, and those in these."""
        texts, names = [file.text(span)], list(references(file, span))
        for name in names:
            for other, line in self.given(name):
                texts.append(other.text(line.value))
                names += [more for more in references(other, line.value) if more not in names]
        return texts

    def _compiles_cuda(self, file: Makefile, span: Span, word: Span) -> bool:
        """Whether a command gives clang a source of CUDA, or an option for it, itself or through variables."""
        if not any(True for _ in self._clang(file, word)):
            return False
        texts = self.texts(file, span)
        for_hip = any(compiler_options.FOR_HIP.search(text) for text in texts)
        return not for_hip and any(compiler_options.FOR_CUDA.search(text) for text in texts)

    def _clang(self, file: Makefile, word: Span, depth: int = 0) -> Iterator[tuple[Makefile, Span]]:
        """The places that give a command's first word the value clang."""
        at = word.start + len(file.text(word)) - len(file.text(word).lstrip(b"@+-"))
        if compiler_options.CLANG.fullmatch(file.text(Span(at, word.end))):
            yield file, Span(at, word.end)
            return
        for name in references(file, word) if depth < _LOOKED_AT else ():
            for other, line in self.assigned.get(name, ()):
                inner = self._called(other, line.value)[1]
                if inner is not None and inner != word:
                    yield from self._clang(other, inner, depth + 1)

    def compiler_word(self, file: Makefile, span: Span) -> Span | None:
        """The word of a command that names its compiler; None where none is known."""
        return self._called(file, span)[1]

    def _called(self, file: Makefile, span: Span) -> tuple[frozenset[str], Span | None]:
        segment = next(makefile.segments(file.data, span.start, span.end))
        for word in segment.words[:_LOOKED_AT]:
            text = _BEFORE_COMMAND.sub(b"", file.text(word.span), count=1)
            if _ENVIRONMENT.match(text):
                continue
            kinds = self._kinds(file, word.span, text)
            if kinds:
                return kinds, word.span
        return frozenset(), None

    def _kinds(self, file: Makefile, span: Span, text: bytes) -> frozenset[str]:
        if len(text) > 1 and text[:1] in (b'"', b"'") and text.endswith(text[:1]):
            text, span = text[1:-1], Span(span.end - len(text) + 1, span.end - 1)
        if _NVCC.fullmatch(text):
            return frozenset(("nvcc",))
        if _HOST.fullmatch(text):
            return frozenset(("host",))
        configured = _CONFIGURED.fullmatch(text)
        if configured is not None and _CALLED.fullmatch(configured[1].decode()):
            return frozenset(("nvcc",))
        outer = list(makefile.expansions(file.data, span.start, span.end))
        joined = sum(one.span.end - one.span.start for one in outer) == len(text)
        if not outer or not (joined or len(outer) == 1) or not text.endswith((b")", b"}")):
            return frozenset()
        last = outer[-1]  # before it may be what keeps make quiet: `$(Q)$(CXX)`
        if not last.args:
            return self.compilers(last.name)
        inside = file.text(last.span)
        named = re.search(rb"(?<![\w.-])nvcc(?![\w.-])", inside) and last.name in ("shell", "or", "if", "firstword")
        return frozenset(("nvcc",)) if named else self._looked_up(file, last)

    def _looked_up(self, file: Makefile, last: makefile.Expansion) -> frozenset[str]:
        """The compiler whose path make asks the shell for: `$(shell which mpicxx)`."""
        asked = _FOUND.fullmatch(file.text(last.args[0]).strip()) if last.name == "shell" else None
        return frozenset(("host",)) if asked is not None and _HOST.fullmatch(asked["program"]) else frozenset()


def _variable_in(file: Makefile, word: Span) -> Span:
    """The variable that a command's first word ends in: before it may be what keeps make quiet, `$(Q)$(CXX)`."""
    found = list(makefile.expansions(file.data, word.start, word.end))
    return found[-1].span if found else word


def of(parsed: ProjectFile) -> Variables:
    """The variables of a Makefile and of those that it includes or that include it."""
    return read(parsed.source.path, {**parsed.peers, parsed.source.path: parsed.data})


def read(path: str, family: Mapping[str, bytes]) -> Variables:
    """The variables of a family of Makefiles; that at `path` comes first."""
    variables = _unfollowed((path, *(name for name in family if name != path)), family)
    if len(family) == 1:
        _follow(variables)
    else:  # each of a family is read with all others
        nvcc, host = _followed(frozenset(family.items()))
        variables.nvcc.update(nvcc)
        variables.host.update(host)
    return variables


def _unfollowed(names: Sequence[str], family: Mapping[str, bytes]) -> Variables:
    variables = Variables(tuple(Makefile(name, family[name], _lines(family[name])) for name in names))
    for file in variables.files:
        for line in file.lines:
            if line.kind == "assignment":
                variables.assigned.setdefault(line.name, []).append((file, line))
    return variables


@lru_cache(maxsize=256)
def _lines(data: bytes) -> tuple[Line, ...]:
    return tuple(makefile.read(data))


@lru_cache(maxsize=4)
def _followed(family: frozenset[tuple[str, bytes]]) -> tuple[frozenset[str], frozenset[str]]:
    """The variables that nvcc gets, and those that another compiler gets, in a family of Makefiles."""
    files = dict(sorted(family))
    variables = _unfollowed(tuple(files), files)
    _follow(variables)
    return frozenset(variables.nvcc), frozenset(variables.host)


def references(file: Makefile, span: Span) -> Iterator[str]:
    """The variables that a text refers to."""
    for expansion in makefile.all_expansions(file.data, span.start, span.end):
        if not expansion.args:
            yield expansion.name


def read_by(file: Makefile, span: Span) -> Iterator[str]:
    """The variables of a text whose words the compiler reads, none passed on: `$(addprefix -Xlinker ,$(LDFLAGS))`."""
    whole = list(makefile.all_expansions(file.data, span.start, span.end))
    handed = [
        one.args[1]
        for one in whole
        if one.name == "addprefix" and len(one.args) == 2 and file.text(one.args[0]).strip() in _HANDING_ON
    ]
    for one in whole:
        if not one.args and not any(part.start <= one.span.start < part.end for part in handed):
            yield one.name


def values(variables: Variables, name: str) -> set[bytes]:
    """What a variable may hold, through variables whose name another makes up, `$(lib.$(MACHINE))`, too."""
    found, names = set[bytes](), _of_name(variables, name)
    for one in names:
        for file, line in variables.assigned.get(one, ()):
            text = file.text(line.value).strip()
            inner = list(makefile.expansions(file.data, line.value.start, line.value.end))
            if len(inner) == 1 and not inner[0].args and file.text(inner[0].span) == text:
                names += [more for more in _of_name(variables, inner[0].name) if more not in names]
            else:
                found.add(text)
    return found


def _of_name(variables: Variables, name: str) -> list[str]:
    """The variables that a name may be, of which other variables may give parts."""
    if "$" not in name:
        return [name]
    pattern = re.compile(r"[\w.-]*".join(map(re.escape, MADE_UP.split(name))))
    return [one for one in variables.assigned if pattern.fullmatch(one)]


def commands(file: Makefile, line: Line) -> Iterator[Span]:
    """The single commands of a recipe's line."""
    return commands_in(file, line.value)


def commands_in(file: Makefile, text: Span) -> Iterator[Span]:
    """The single commands of a text that is for the shell."""
    start = text.start
    whole = [e.span for e in makefile.expansions(file.data, text.start, text.end)]
    whole += [Span(*one.span()) for one in makefile.QUOTED.finditer(file.data, text.start, text.end)]
    for match in _COMMANDS.finditer(file.data, text.start, text.end):
        if not any(span.start < match.start() < span.end for span in whole):
            yield Span(start, match.start())
            start = match.end()
    yield Span(start, text.end)


def _follow(variables: Variables) -> None:
    """Find the variables that nvcc gets, and those that another compiler gets."""
    fed: dict[str, set[str]] = {"nvcc": variables.nvcc, "host": variables.host}
    for file in variables.files:
        for line in file.lines:
            parts = list(commands(file, line)) if line.kind == "recipe" else []
            parts += [line.value] if line.kind == "assignment" else []
            for part in parts:
                for kind in variables.compiler(file, part):
                    fed[kind].update(read_by(file, part))
    for compiler, names in _IMPLICIT.items():
        for kind in variables.compilers(compiler) if compiler in variables.assigned else ():
            fed[kind].update(names)
    for reached in fed.values():
        follow_on(variables, reached)


def follow_on(variables: Variables, reached: set[str]) -> None:
    """Add to variables that a compiler gets those that they refer to, and those that these do."""
    queue = list(reached)
    for name in queue:
        reached.update(_of_name(variables, name))
        for file, line in variables.given(name):
            more = set(read_by(file, line.value)) - reached
            reached |= more
            queue += more
