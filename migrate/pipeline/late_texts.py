"""CUDA files whose text a program compiles when it runs: what a check of their types has to know of them.

A program in Python, in C++ or in Rust reads the text, or holds it. hipRTC has HIP's runtime header built in, and a text
in which the program fills in words first is no code as it is in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileEntry, FileResult, SourceFile
from cudamigrate.model.verification import Verdict
from cudamigrate.pipeline import python_texts, run_time_sources
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.python_paths import ENDINGS
from cudamigrate.project import discovery

Files = Sequence[FileEntry] | Sequence[FileResult]
_FILLED = ("text that the program fills in and compiles when it runs",)


def compiled(root: Path, files: Files) -> frozenset[str]:
    """Those of the `files` of the tree at `root` whose text is compiled when a program runs, and by no build."""
    paths = [one.path for one in files]
    if not any(path.endswith(ENDINGS) for path in paths):
        return frozenset()
    return python_texts.compiled(root, paths) | run_time_sources.compiled(files, _reading(root, files))


def without_filled(verdicts: Sequence[Verdict], root: Path, files: Files) -> list[Verdict]:
    """The verdicts on `files` of the tree at `root`; none where a program fills in the text of a file first."""
    verdicts = python_texts.without_filled(verdicts, root, [one.path for one in files])
    failed = [one.path for one in verdicts if one.word == "failed" and one.path.endswith(ENDINGS)]
    filled = run_time_sources.filled(failed, files, _reading(root, files)) if failed else set()
    return [replace(one, word="unresolved", headers=_FILLED) if one.path in filled else one for one in verdicts]


def _reading(root: Path, files: Files) -> Read:
    """How files of the tree at `root` are read, each in its language."""
    languages = {one.path: one.language for one in files}

    def read(path: str) -> SourceFile | None:
        source = discovery.read(root, FileEntry(path, languages.get(path, "cuda"), 0))
        return source if isinstance(source, SourceFile) else None

    return read
