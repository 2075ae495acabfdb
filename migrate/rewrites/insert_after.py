"""Words of a command line after the word that a use is."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The words, a blank before each; `arch` is the options for the GPUs aimed at."""
    gpus = [f"--offload-arch={gpu}" for gpu in parsed.target.arch]
    options = [option for word in words for option in (gpus if word == "arch" else [word])]
    return [Edit(Span(use.span.end, use.span.end), "".join(f" {option}" for option in options).encode())]
