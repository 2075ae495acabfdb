"""What the build of a HIP port renames itself, as HIP's compiler gets it: for the type check alone.

PyTorch's build, or a script that runs hipify, renames CUDA's names of every file. `apply` leaves such names alone, and
what it leaves has to be judged after that build.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from pathlib import Path

from cudamigrate import edits
from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Conversion, Edit, FileEntry, Fix, SourceFile
from cudamigrate.pipeline import inspect_file, torch_files
from cudamigrate.pipeline.convert_file import convert
from cudamigrate.pipeline.own_headers import added
from cudamigrate.pipeline.port_gaps import is_rename
from cudamigrate.pipeline.rule_base import code_rules, target
from cudamigrate.pipeline.run import Applied
from cudamigrate.portable import aliases, torch
from cudamigrate.project import discovery

_COMPILER = re.compile(rb"\b__CUDACC__\b")
"""What hipify makes `__HIPCC__` wherever it is, in what both vendors share too."""


def renamed(applied: Applied, config: Config) -> Applied:
    """The same, with the files of a port as its build renames them; unchanged where none does."""
    style = applied.report.style
    if applied.report.port is None or style is None or not style.extension:
        return applied
    files = {one.path: one for one in applied.built or applied.conversions}
    made = tuple(_made(applied, files, config))
    renamed_too = {one.path for one in made}
    rest = [one for path, one in files.items() if path not in renamed_too]
    more = added(made, homes=applied.homes, root=Path(applied.report.repository.root))
    return replace(applied, built=(*rest, *made), added={**more, **applied.added})


def _made(applied: Applied, files: dict[str, Conversion], config: Config) -> Iterator[Conversion]:
    root, book = Path(applied.report.repository.root), code_rules(target(config), config.rules)
    marks = (*config.hip_guards, *applied.marks)
    for one in applied.report.files:
        if one.language not in cuda.FILES.values() or one.path in applied.for_cuda | applied.passed_over:
            continue
        source = discovery.read(root, FileEntry(one.path, one.language, one.size))
        if isinstance(source, SourceFile):
            source = replace(source, data=files[one.path].after) if one.path in files else source
            found = inspect_file.inspect(source, book, marks).findings
            conversion = convert(source, [finding for finding in found if is_rename(finding)])
            conversion = replace(conversion, after=_COMPILER.sub(b"__HIPCC__", conversion.after))
            if conversion.after != conversion.before:
                yield conversion


def with_taken_includes(applied: Applied, config: Config) -> Applied:
    """The same, with HIP's headers in place of those of the project that hipify takes for CUDA's.

    These are the includes that are reported and that no spelling saves.
    """
    left = [one for one in applied.report.findings if one.rule == torch_files.INCLUDE and one.fix is None]
    places = [(one, torch.taken_include(one.excerpt, one.name)) for one in left]
    edits_of: dict[str, list[Edit]] = {}
    book = code_rules(target(config), config.rules)
    for one, name in places:
        rule = book.include(name) if name else None
        if rule is not None and rule.change.text:
            text = f"#include <{rule.change.text[0]}>".encode()
            edits_of.setdefault(one.path, []).append(Edit(one.span, text))
    if not edits_of:
        return applied
    files = {one.path: one for one in applied.built or applied.conversions}
    for path, more in edits_of.items():
        files[path] = _with_edits(files.get(path), Path(applied.report.repository.root), path, more)
    return replace(applied, built=tuple(files.values()))


def _with_edits(made: Conversion | None, root: Path, path: str, more: list[Edit]) -> Conversion:
    """A file with more edits than those that made it; they change lines that no other fix does."""
    if made is None:
        source = discovery.read(root, FileEntry(path, "cuda", 0))
        data = source.data if isinstance(source, SourceFile) else b""
        made = Conversion(path, data, data, ())
    fixes = (*made.made_by, Fix(tuple(more), "safe"))
    return replace(made, after=edits.apply(made.before, fixes).data, fixes=fixes, built=None)


def by_pytorch(
    sources: Iterable[SourceFile], config: Config, marks: Sequence[str], passed_over: Set[str] = frozenset()
) -> dict[str, bytes]:
    """The files that PyTorch's build changes, as it makes them, but for those that it passes over.

    `marks` are the guards for HIP of the tree.
    """
    book = code_rules(target(config), config.rules)
    made = {}
    for source in (one for one in sources if one.path not in passed_over):
        try:
            found = inspect_file.inspect(source, book, (*config.hip_guards, *marks), facts=False).findings
        except RecursionError:  # the report names the file as one that cannot be read
            continue
        fixes = [(finding.fix, finding.group) for finding in found if finding.fix is not None]
        parts = aliases.split(aliases.Source(source.path, source.data, fixes), aliases.Names(), extension=True)
        order = tuple(sorted(parts.by_torch, key=lambda edit: edit.span))
        data = edits.apply(source.data, [Fix(order, "safe")]).data if order else source.data
        if (after := _COMPILER.sub(b"__HIPCC__", data)) != source.data:
            made[source.path] = after
    return made
