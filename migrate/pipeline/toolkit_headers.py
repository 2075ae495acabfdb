"""NVIDIA's own headers, copied into a project: no code of the project's, so nothing in them is found or converted.

Headers are kept in a tree for documentation builds, for editors, or for machines without CUDA. That a file is one of
NVIDIA's shows in what it declares, together with its notice: functions of CUDA's API, as prototypes outside of every
class, namespace and function. Headers beside such a file that it includes, or that rules know by their names, belong
to the same copy. Where the project defines these functions itself, it is the library, and the header is its own.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.cuda import exported_functions, include_paths, lexer
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, FileResult, Finding, Hit, Inventory, Rule, Skip, SourceFile
from cudamigrate.pipeline import cub_copies
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import included
from cudamigrate.project import discovery
from cudamigrate.project.file_access import read_head
from cudamigrate.rulebase.code_rules import Rulebook

KIND = "toolkit"
"""The kind of the notice that names such copies."""
_CODE = ("cuda", "cxx")
_HEAD = 6000
"""Bytes that hold the notice of a header: those of the toolkit begin with it, and it has some 50 lines."""
_NOTICE = re.compile(rb"(?i)copyright[^\n]*\bNVIDIA\s+corporation")
_SEVERAL = 8
"""A program that declares some functions of CUDA's itself, to do without a header, has fewer."""
_PROTOTYPE = re.compile(rb"\b[A-Za-z_]\w*[\s*]+(\w+)[ \t]*\(")
"""What may be a prototype, which is cheaper to look for than to lex: `CUresult CUDAAPI cuInit(`."""
_BODY = re.compile(rb"\b(\w+)\s*\([^;{}()]*\)\s*\{")


def left_out(root: Path, inventory: Inventory, config: Config, book: Rulebook) -> Inventory:
    """The inventory without such copies, which are passed over as other people's code is, and one notice of them.

    The same one where there are none, and where such code was asked for.
    """
    if config.enter_vendored or config.include:
        return inventory
    headers = [one for one in inventory.entries if _is_header(one)]
    noticed = {one.path for one in headers if _NOTICE.search(_head(root, one.path))}
    search = _Search(root, book, {one.path: one for one in headers}, frozenset(noticed))
    named = {path: names for path in sorted(noticed) if len(names := search.declared(path)) >= _SEVERAL}
    known = _implemented(root, inventory, frozenset[bytes]().union(*named.values())) if named else frozenset[bytes]()
    first = {path for path, names in named.items() if 2 * len(names & known) < len(names)}
    told = {"HIP": search.with_company(first) if first else first, "hipCUB": search.cub(inventory)}
    copies = frozenset[str]().union(*told.values())
    if not copies:
        return inventory
    kept = tuple(one for one in inventory.entries if one.path not in copies)
    return replace(
        inventory,
        entries=kept,
        skipped=(*inventory.skipped, *(_notice(paths, whose) for whose, paths in told.items() if paths)),
        passed_over=tuple(sorted((*inventory.passed_over, *copies))),
        toolkit=tuple(sorted(copies)),
    )


def with_includes(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read
) -> Sequence[FileResult]:
    """The results, where what includes such a copy by a path of the tree includes HIP's header."""
    if not inventory.toolkit:
        return results
    paths = include_paths.IncludePaths((*(entry.path for entry in inventory.entries), *inventory.passed_over))
    made = list[FileResult]()
    for result in results:
        source = read(result.path) if result.cuda and result.skip is None else None
        places = dict(_of_copies(source, paths, inventory.toolkit, book)) if source is not None else {}
        made.append(engine.with_more(result, list(_found(source, places))) if source is not None and places else result)
    return made


def _found(source: SourceFile, places: Mapping[int, tuple[str, Rule]]) -> Iterator[Finding]:
    """The findings of includes at some places, as the rules for other names than they spell have them."""
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    for use in parsed.uses:
        if use.kind == "include" and use.span.start + 1 in places:
            name, rule = places[use.span.start + 1]
            yield engine.finding_in(parsed, Hit(rule.id, replace(use, name=name)), rule)


def _of_copies(
    source: SourceFile, paths: include_paths.IncludePaths, copies: Collection[str], book: Rulebook
) -> Iterator[tuple[int, tuple[str, Rule]]]:
    """The includes of copies that no rule knows as they are spelled: where, by which name one does, and the rule."""
    for name, _, span in included(source):
        found = paths.nearest(source.path, name) if book.include(name) is None else ()
        known = rule_for(found[0], name, book) if len(found) == 1 and found[0] in copies else None
        if known is not None:
            yield span.start, known


def rule_for(path: str, name: str, book: Rulebook) -> tuple[str, Rule] | None:
    """The rule for an include of a copy, with the name that it is known by: its last part, or its place in CUB."""
    for spelled in (name.rpartition("/")[2], f"/{path}"):
        rule = book.include(spelled)
        if rule is not None:
            return spelled, rule
    return None


def _is_header(entry: FileEntry) -> bool:
    return entry.language in _CODE and not entry.path.lower().endswith(cuda.UNITS)


def _head(root: Path, path: str) -> bytes:
    try:
        return read_head(root, path, _HEAD)
    except OSError:
        return b""


def _notice(copies: Set[str], whose: str) -> Skip:
    folders = posixpath.commonpath([posixpath.dirname(path) for path in copies])
    path = min(copies) if len(copies) == 1 else folders or "."
    one = len(copies) == 1
    what = "a copy of a header of NVIDIA's" if one else f"copies of {len(copies):,} headers of NVIDIA's"
    return Skip(path, KIND, f"{what}; {whose}'s headers take {'its' if one else 'their'} place")


def _implemented(root: Path, inventory: Inventory, names: frozenset[bytes]) -> frozenset[bytes]:
    """Those of some functions that sources of the project define."""
    found = set[bytes]()
    for entry in inventory.entries:
        unit = entry.language in _CODE and not _is_header(entry)
        source = discovery.read(root, entry) if unit else None
        if isinstance(source, SourceFile):
            found.update(names.intersection(match[1] for match in _BODY.finditer(source.data)))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class _Search:
    """What is asked of the `headers` of a tree; `noticed` are those with NVIDIA's notice."""

    root: Path
    book: Rulebook
    headers: Mapping[str, FileEntry]
    noticed: frozenset[str]

    def declared(self, path: str) -> frozenset[bytes]:
        """The functions of CUDA's API that a header declares; none where they are too few to tell."""
        data = self._data(path)
        likely = {match[1] for match in _PROTOTYPE.finditer(data)}
        if sum(map(self._is_cudas, likely)) < _SEVERAL:
            return frozenset()
        return frozenset(filter(self._is_cudas, exported_functions.declared(lexer.lex(data))))

    def with_company(self, first: set[str]) -> set[str]:
        """Headers that are copies, and what belongs to them in the same folder and those below it."""
        folders = sorted({posixpath.dirname(path) for path in first})
        beside = [path for path in self.headers if any(include_paths.is_below(path, one) for one in folders)]
        named = {path for path in beside if path in self.noticed and self._is_replaced(path, folders)}
        found, left = set[str](), sorted(first | named)
        while left:
            path = left.pop()
            found.add(path)
            left += sorted(set(self._included(path, folders)) - found - set(left))
        return found

    def cub(self, inventory: Inventory) -> Set[str]:
        """The headers of copies of CUB, where hipCUB's come in their place."""
        rule = self.book.include(cub_copies.HEADER)
        first = [path for path in self.noticed if f"/{path}".endswith(f"/{cub_copies.HEADER}")]
        if not first or rule is None or rule.change.kind != "include":
            return frozenset()
        code = [one for one in inventory.entries if one.language in _CODE]
        return cub_copies.found({path: self._data(path) for path in first}, self.headers.keys(), code)

    def _included(self, path: str, folders: Sequence[str]) -> Iterator[str]:
        """The headers that a copy includes, beside it or below the folder of a copy."""
        for name, _, _ in include_paths.spelled(self._data(path)):
            for folder in (posixpath.dirname(path), *folders):
                to = posixpath.normpath(posixpath.join(folder, name))
                if to in self.headers and any(include_paths.is_below(to, one) for one in folders):
                    yield to

    def _is_replaced(self, path: str, folders: Sequence[str]) -> bool:
        """Whether a rule knows the header by the path that who uses the copy includes."""
        return any(
            self.book.include(posixpath.relpath(path, one or ".")) is not None
            for one in folders
            if include_paths.is_below(path, one)
        )

    def _is_cudas(self, name: bytes) -> bool:
        text = name.decode("utf-8", "replace")
        return text in self.book.names or self.book.family(text) is not None

    def _data(self, path: str) -> bytes:
        source = discovery.read(self.root, self.headers[path])
        return source.data if isinstance(source, SourceFile) else b""
