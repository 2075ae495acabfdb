"""libclang while finding: type, value, declaration and scope of what tokens and the syntax tree leave open.

Result: an `Answers` for each file, which parses it at the first question that no earlier run has answered.
`questions.py` says what is asked; `reading.py` answers.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from cudamigrate.compilation import answer_cache, build_flags, include_closure
from cudamigrate.compilation import toolchain as machine
from cudamigrate.compilation.engines import clang
from cudamigrate.config import Config
from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.preprocessor import Branch, branches
from cudamigrate.errors import CompilerCrashError
from cudamigrate.frontends import cuda
from cudamigrate.model import Skip
from cudamigrate.model.verification import Flags, Toolchain, Unit
from cudamigrate.project.file_access import read_linked
from cudamigrate.semantics.reading import Expression, Named, Reading
from cudamigrate.shipped_data import stand_ins

__all__ = ["Answers", "Expression", "Named", "Resolver", "questions", "resolver"]


@dataclass(slots=True)
class Resolver:
    """How libclang reads the files of a tree as CUDA; one for a run, made before the work is shared out.

    `guards` are the macros that only a build for HIP sets. `thorough` asks of all warp-level code, to confirm what is
    found; else only open questions are asked.
    """

    root: str
    toolchain: Toolchain
    extra: Flags
    guards: tuple[str, ...]
    thorough: bool
    _tree: include_closure.IncludeResolver | None = None
    _store: answer_cache.Store | None = None
    _listing: str = ""
    _branches: dict[str, list[Branch]] = field(default_factory=dict)

    def answers(self, path: str) -> Answers:
        """The answers for one file of the tree."""
        return Answers(self, path)

    def unit(self, path: str) -> Unit:
        """How a file compiles for CUDA: with CUDA's versions, and without what only HIP sets."""
        flags = self.tree().flags(path)
        major, _, minor = f"{self.toolchain.release}.0".partition(".")
        number = int(major) * 1000 + int(minor.partition(".")[0]) * 10
        versions = (f"CUDA_VERSION={number}", f"CUDART_VERSION={number}", f"__CUDACC_VER_MAJOR__={major}")
        kept = tuple(define for define in flags.defines if define.partition("=")[0] not in self.guards)
        flags = replace(flags, defines=(*versions, *kept))
        return Unit(path, self.root, flags, self.toolchain.arch, language="cuda")

    def tree(self) -> include_closure.IncludeResolver:
        """The headers of the tree and its build files, read at the first question."""
        if self._tree is None:
            root = Path(self.root)
            self._tree = include_closure.IncludeResolver(
                root=self.root,
                project=build_flags.read(root),
                system=(*self.toolchain.headers, *machine.SYSTEM, *machine.standard_library()),
                read=partial(_read, self.root),
                language="cuda",
                extra=self.extra,
                paths=include_closure.headers(root),
            )
        return self._tree

    def listing(self) -> str:
        """A word for which files the tree has: one that is new may be the header that was missing."""
        if not self._listing:
            self._listing = hashlib.sha256("\0".join(sorted(self.tree().paths)).encode(errors="replace")).hexdigest()
        return self._listing

    def entries(self) -> answer_cache.Store:
        """Answers of earlier runs."""
        if self._store is None:
            self._store = answer_cache.Store("resolve", self.root, self.tree().read)
        return self._store

    def is_decided(self, path: str, offset: int) -> bool:
        """Whether no condition but one on HIP decides if the code at an offset of a file is compiled for CUDA."""
        if path not in self._branches:
            marks = [name.encode() for name in self.guards]
            self._branches[path] = branches(lex(_read(self.root, path)), marks)
        around = [branch for branch in self._branches[path] if branch.start <= offset < branch.end]
        return all(branch.hip is False for branch in around)


def resolver(root: Path, config: Config) -> tuple[Resolver | None, list[Skip]]:
    """The resolver for a tree; where libclang is not available, a notice that says what to install."""
    chosen = clang.find_bare(config.cuda)
    if isinstance(chosen, str):
        return None, [Skip(".", "resolve", f"types and values were not asked for: {chosen}")]
    key = f"{chosen.key} {answer_cache.stamp(Path(clang.__file__).parent, Path(__file__).parent, stand_ins('cuda'))}"
    extra = Flags(config.standard, config.defines, config.include_dirs)
    guards = (*cuda.GUARDS, *config.hip_guards)
    return Resolver(str(root.absolute()), replace(chosen, key=key), extra, guards, config.resolve == "always"), []


class Answers:
    """What libclang says of one file. Every answer may be None: not known."""

    def __init__(self, owner: Resolver, path: str) -> None:
        self.owner, self.path = owner, path
        self._reading: Reading | None = None
        self._failed = False
        self._known: dict[str, Any] | None = None
        self._parts: list[str] = []
        self._unit: Unit | None = None

    @property
    def asked(self) -> bool:
        """Whether any question was asked."""
        return self._known is not None

    @property
    def parsed(self) -> bool:
        """Whether the file was parsed for its answers."""
        return self._reading is not None

    def expression(self, start: int, end: int) -> Expression | None:
        """What covers exactly a range of bytes."""
        return _expression(self._ask("expression", start, end))

    def constant(self, offset: int) -> Expression | None:
        """The constant or enumerator whose name is declared at an offset."""
        return _expression(self._ask("constant", offset))

    def called(self, offset: int) -> Named:
        """Whose function the name at an offset is."""
        named: Named = self._ask("called", offset) or "unknown"
        return named

    def is_device(self, offset: int) -> bool | None:
        """Whether code at an offset runs on the device."""
        answer: bool | None = self._ask("is_device", offset)
        return answer

    def keep(self) -> None:
        """Keep new answers for later runs."""
        if self._reading is not None and self._known is not None:
            self.owner.entries().put(self._parts, self._reading.files, {"answers": self._known})

    def _ask(self, kind: str, *where: int) -> Any:
        if self._known is None:
            self._unit = unit = self.owner.unit(self.path)
            flags = [text.replace(unit.root, "") for text in unit.flags.words]
            owner = (self.owner.toolchain.key, self.owner.listing(), *self.owner.guards)
            self._parts = [*owner, unit.path, unit.flags.standard, *flags]
            entry = self.owner.entries().get(self._parts) or {}
            self._known = entry["answers"] if isinstance(entry.get("answers"), dict) else {}
        key = " ".join((kind, *map(str, where)))
        if key not in self._known:
            self._known[key] = self._read(kind, where)
        return self._known[key]

    def _read(self, kind: str, where: tuple[int, ...]) -> Any:
        """What libclang answers; None where it gives up."""
        try:
            if self._reading is None and not self._failed and self._unit is not None:
                self._reading = Reading(self._unit, self.owner.toolchain, self._is_decided, self._bytes)
            answer = getattr(self._reading, kind)(*where) if self._reading is not None else None
        except (CompilerCrashError, ValueError):  # libclang gave up, or has a kind of cursor that is not known
            self._failed = self._reading is None
            return None
        return [answer.kind, answer.value, answer.type] if isinstance(answer, Expression) else answer

    def _is_decided(self, file: str, offset: int) -> bool:
        return self.owner.is_decided(os.path.relpath(file, self.owner.root), offset)

    def _bytes(self, file: str) -> bytes:
        return _read(self.owner.root, os.path.relpath(file, self.owner.root))


def _expression(answer: Any) -> Expression | None:
    return Expression(*answer) if isinstance(answer, list) and len(answer) == 3 else None


def _read(root: str, path: str) -> bytes:
    try:
        return read_linked(Path(root, path))
    except OSError:
        return b""
