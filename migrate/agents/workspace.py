"""The repository that a server is for, the folder that it may write to, and what is known of the files as they are.

The tree that tools read is the output once it exists, else the repository itself. Paths are relative to it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cudamigrate import config, plugins
from cudamigrate.config import Config
from cudamigrate.errors import InputError, TargetError
from cudamigrate.frontends import known_files
from cudamigrate.model import Conversion, FileEntry, Finding, SourceFile
from cudamigrate.pipeline import Applied, convert_file, own_headers, run
from cudamigrate.project import discovery
from cudamigrate.project.file_access import write_whole
from cudamigrate.project.owned_folders import OUTPUT_MARK

Signature = tuple[tuple[str, int, int], ...]
"""Path, time of the last change and size of every file that is read."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The files after one fix: the converted one, and headers of ours that it needs and the tree lacks."""

    conversion: Conversion
    headers: dict[str, bytes]


class Workspace:
    """A repository, and what may be written; reads again whatever changed since it was last asked."""

    def __init__(self, root: Path, output: Path | None = None) -> None:
        """Raises InputError where `root` is no folder, TargetError where `output` is a folder of somebody else's."""
        if not root.is_dir():
            raise InputError(f"{root} is not a folder; name the root of a repository")
        self.root = Path(os.path.realpath(root))
        self.output = None if output is None else Path(os.path.realpath(output))
        self.config: Config = replace(config.load(self.root), jobs=1)  # no process is forked beside threads
        self._known: tuple[Signature, Applied] | None = None
        if self.output is not None:
            self._refuse_others(self.output)

    def _refuse_others(self, place: Path) -> None:
        filled = place.exists() and (not place.is_dir() or any(place.iterdir()))
        if place != self.root and filled and not (place / OUTPUT_MARK).is_file():
            raise TargetError(f"{place} is not empty and was not made by cudamigrate; name another folder.")

    @property
    def tree(self) -> Path:
        """The folder that is read: the output once it is filled, else the repository."""
        made = self.output is not None and self.output.is_dir() and any(self.output.iterdir())
        return self.output if made and self.output is not None else self.root

    def inside(self, path: str) -> str:
        """A path as one relative to the tree; raises InputError for one that leads out of it, or is not there."""
        tree = self.tree
        real = Path(os.path.realpath(tree / path))
        if not real.is_relative_to(tree):
            raise InputError(f"{path} is outside {tree}; give a path in the repository")
        if not real.exists():
            raise InputError(f"{path} does not exist in {tree}")
        return real.relative_to(tree).as_posix()

    def glob(self, inside: str) -> str:
        """The glob that takes one path of the tree and no other; globs are relative to the configuration's folder."""
        full, base = self.tree / inside, self.config.folder
        path = full.relative_to(base).as_posix() if base and full.is_relative_to(base) else inside
        return "/" + re.sub(r"([\\*?\[\]!#])", r"\\\1", path)

    def applied(self) -> Applied:
        """What is found in the tree as it is now, and what `apply` would make of it."""
        tree = self.tree
        signature = self._signature(tree)
        if self._known is None or self._known[0] != signature:
            self._known = (signature, run.apply(tree, self.config))
        return self._known[1]

    def _signature(self, tree: Path) -> Signature:
        found = []
        for entry in discovery.discover(tree, self.config, known_files()).entries:
            try:
                status = os.stat(tree / entry.path)
            except FileNotFoundError:
                continue
            found.append((str(tree / entry.path), status.st_mtime_ns, status.st_size))
        return tuple(found)

    def findings(self, path: str) -> list[Finding]:
        """The findings of a file, or of the files below a folder, in order."""
        inside = self.inside(path)
        found = self.applied().report.findings
        if inside == ".":
            return list(found)
        return [one for one in found if one.path == inside or one.path.startswith(f"{inside}/")]

    def fixed(self, path: str, finding_id: str, unsafe: bool) -> tuple[Finding, Fixed]:
        """A finding, and its file with its fix made. Raises InputError where that cannot be done, and says why."""
        inside = self.inside(path)
        here = [one for one in self.applied().report.findings if one.path == inside]
        finding = next((one for one in here if one.fingerprint == finding_id), None)
        if finding is None:
            raise InputError(f"{inside} has no finding {finding_id}; ask for its findings again")
        self._refuse_unfit(finding, unsafe)
        group = finding.fix.group if finding.fix is not None else ""
        whole = [one for one in here if group and one.fix is not None and one.fix.group == group] or [finding]
        made = convert_file.convert(self._source(inside), whole)
        if made.skip is not None:
            raise InputError(made.skip.reason)
        if made.rejected:
            raise InputError(f"the fix was not made: {made.rejected[0][1]}")
        missing = {name: data for name, data in own_headers.added([made]).items() if not (self.tree / name).exists()}
        return finding, Fixed(made, missing)

    def _refuse_unfit(self, finding: Finding, unsafe: bool) -> None:
        if finding.fix is None or finding.fix.safety == "suggestion":
            raise InputError(f"{finding.rule} has no fix that the tool makes; see its task for what to write")
        if finding.fix.safety == "unsafe" and not unsafe:
            raise InputError(f"the fix of {finding.rule} needs review: ask for it with unsafe=true, and read the diff")

    def _source(self, path: str) -> SourceFile:
        result = next(one for one in self.applied().report.files if one.path == path)
        source = discovery.read(self.tree, FileEntry(path, result.language, result.size))
        if not isinstance(source, SourceFile):
            raise InputError(f"{path} cannot be read: {source.reason}")
        return source

    def write(self, fixed: Fixed) -> Sequence[str]:
        """Write files into the output, a copy of the repository made first where it is empty; their paths.

        Nothing is written where no output was named, and the list is empty. Raises TargetError.
        """
        if self.output is None:
            return ()
        if self.tree != self.output:
            plugins.load("cudamigrate.output")["folder"].write(self.root, (), {}, str(self.output))
        new = {fixed.conversion.path: fixed.conversion.after, **fixed.headers}
        for path, data in new.items():
            place = self.output / path
            if Path(os.path.realpath(place)) != place:
                raise TargetError(f"{path} is a link, or is reached by one; nothing is written through it")
            write_whole(place, data)
        return tuple(new)
