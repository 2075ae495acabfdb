"""The fixes that `check --fix` makes: safe ones of new findings, in files that stay sound with them.

A fix is left to `apply` where it needs a header of ours, where others of its group are not made, and where it would
write HIP names into a file whose other code keeps CUDA's: such a file compiles for neither vendor. So is one for AMD
alone where the repository's sources are for both vendors: `apply` writes it beside what CUDA compiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cudamigrate.cuda.include_insertion import OWN_HEADERS
from cudamigrate.lazy_re import re
from cudamigrate.model import Finding, SourceFile
from cudamigrate.pipeline import styles
from cudamigrate.pipeline.check import Checked
from cudamigrate.project.file_access import read_regular, write_whole

_OURS = tuple(name.encode() for name in OWN_HEADERS)
_HIP = re.compile(rb"#[ \t]*include[ \t]*[<\"]hip/")


def fixable(done: Checked) -> dict[str, list[Finding]]:
    """By file, the problems that `--fix` settles."""
    found: dict[str, list[Finding]] = {}
    for finding in done.problems:
        if finding.fix is None or finding.fix.safety != "safe" or _needs_ours(finding):
            continue
        if not done.shared or styles.is_for_both(finding.fix, done.sources[finding.path]):
            found.setdefault(finding.path, []).append(finding)
    chosen = {path: _sound(done.sources[path], mine, done.others[path]) for path, mine in found.items()}
    return {path: mine for path, mine in chosen.items() if mine}


def _needs_ours(finding: Finding) -> bool:
    edits = finding.fix.edits if finding.fix is not None else ()
    return any(name in edit.replacement for edit in edits for name in _OURS)


def _sound(source: SourceFile, mine: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """Of the fixes, those that leave a file which compiles as it did."""
    left = {one.fix.group for one in others if one.fix is not None and one.fix.group}
    kept = [one for one in mine if one.fix is not None and one.fix.group not in left]
    mixed = any(one.group == "api" and one.fix is not None for one in others)
    if mixed and source.language in ("cuda", "cxx") and not _HIP.search(source.data):
        kept = [one for one in kept if one.group != "api"]
    return kept


def apply(root: Path, done: Checked) -> tuple[list[Finding], list[str]]:
    """Write the fixes; the findings that are fixed, and the files left alone because they differ from the index."""
    from cudamigrate.pipeline.convert_file import convert  # a check that fixes nothing does without

    fixed: list[Finding] = []
    refused: list[str] = []
    for path, findings in fixable(done).items():
        source = done.sources[path]
        try:
            current = read_regular(root, path) if not Path(path).is_absolute() else Path(path).read_bytes()
        except OSError:
            current = None
        if current != source.data:
            refused.append(path)
            continue
        made = convert(source, findings)
        if made.skip is None and made.after != made.before:
            write_whole(root / path, made.after)
            left = {id(finding) for finding, _ in made.rejected}
            fixed.extend(one for one in findings if id(one) not in left)
    return fixed, refused
