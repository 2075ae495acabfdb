"""What the survey of a port asks of each file by itself, in processes and kept like all work on files."""

from __future__ import annotations

from pathlib import Path

from cudamigrate.analysis import port_macros, port_reach, port_unset
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.model import FileEntry, Skip, SourceFile
from cudamigrate.model.port_facts import BuildNames
from cudamigrate.model.port_macros import CodeNames, MacroUse


class Asked:
    """Something that is asked of each file by itself; nothing is known of files that cannot be read."""

    __slots__ = ()

    def near(self, path: str) -> bytes:
        """Nothing: of other files only what the context says counts."""
        return b""

    def unread(self, entry: FileEntry, skip: Skip) -> None:
        """Nothing is known of a file that cannot be read; the scan that follows says so of it."""

    def lasts(self, result: object) -> bool:
        """Whether the answer is the same in another run: always."""
        return True

    def lost(self, entry: FileEntry, reason: str) -> None:
        """Nothing is known of a file that ended its worker; the scan that follows says so of it."""


@dataclass(frozen=True, slots=True)
class Bodies(Asked):
    """The macros of the file; `own` are the last parts of the paths of the repository."""

    root: Path
    own: frozenset[str]

    @property
    def context(self) -> bytes:
        """The paths."""
        return repr(("macros of a port", sorted(self.own))).encode(errors="backslashreplace")

    def of(self, source: SourceFile) -> CodeNames:
        """The file and its macros."""
        bodies, names = port_macros.bodies(source), port_unset.names(source, self.own)
        return CodeNames(source.path, bodies, names, port_unset.dead(source))


@dataclass(frozen=True, slots=True)
class Mentions(Asked):
    """Which of some macros the file names elsewhere than in conditions."""

    root: Path
    names: frozenset[str]

    @property
    def context(self) -> bytes:
        """The macros."""
        return repr(("mentions", sorted(self.names))).encode(errors="backslashreplace")

    def of(self, source: SourceFile) -> frozenset[str]:
        """Those of them."""
        return port_unset.mentioned(source, self.names)


@dataclass(frozen=True, slots=True)
class Spoken(Asked):
    """Which of some sources and macros a file names that is no code; of a text that builds nothing the macros alone."""

    root: Path
    sources: frozenset[bytes]
    folders: frozenset[str]
    macros: frozenset[str]

    @property
    def context(self) -> bytes:
        """The names, and the folders of the sources."""
        said = ("spoken", sorted(self.sources), sorted(self.folders), sorted(self.macros))
        return repr(said).encode(errors="backslashreplace")

    def of(self, source: SourceFile) -> BuildNames:
        """Those of them."""
        builds = source.language != "text"
        asked = self.sources, self.folders
        made = port_reach.named(source.path, source.data, *asked) if builds else BuildNames(source.path)
        return replace(made, macros=port_unset.spoken(source.data, self.macros)) if self.macros else made


@dataclass(frozen=True, slots=True)
class Uses(Asked):
    """Where macros are used: their names, the macros that mark HIP, and the files that HIP never compiles."""

    root: Path
    names: tuple[str, ...]
    marks: tuple[str, ...]
    for_cuda: frozenset[str]

    @property
    def context(self) -> bytes:
        """All that is asked with."""
        return repr(("uses", self.names, self.marks, sorted(self.for_cuda))).encode(errors="backslashreplace")

    def of(self, source: SourceFile) -> list[MacroUse]:
        """The uses in the file."""
        found = port_macros.uses(source, self.names, self.marks)
        return [replace(one, for_cuda=True) for one in found] if source.path in self.for_cuda else found


@dataclass(frozen=True, slots=True)
class LeftOut(Asked):
    """The includes that a file has only where HIP never compiles: the macros that mark HIP, and lines ruled out."""

    root: Path
    marks: tuple[str, ...]
    dead: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]

    @property
    def context(self) -> bytes:
        """All that is asked with."""
        return repr(("left out", self.marks, self.dead)).encode(errors="backslashreplace")

    def of(self, source: SourceFile) -> tuple[str, frozenset[str], frozenset[str], tuple[str, ...]]:
        """The file, the last parts of those includes, of those that HIP may compile, and all that it includes."""
        out, maybe = port_unset.left_out(source, self.marks, dict(self.dead).get(source.path, ()))
        return source.path, out, maybe, port_unset.included(source)
