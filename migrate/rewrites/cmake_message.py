"""A variable of the language CUDA in the text of a message -> HIP's, and the GPUs that it gives as an example."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import cmake_loops, cmake_shown
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_GPUS = re.compile(
    rb"(?::[A-Z]+)?=(?P<list>\d{2,3}[af]?(?:-real|-virtual)?(?:;\d{2,3}[af]?(?:-real|-virtual)?)*)(?![\w-])"
)
"""A list of NVIDIA's GPUs that the text gives the variable: `=90`, `:STRING=70;80`."""


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The name, and the numbers after it; none where the file keeps CUDA's variable. `words` is empty."""
    name = use.name.removeprefix(cmake_shown.MESSAGE).strip()
    is_kept = any(one.name == f"number of {name}" for one in parsed.uses) or cmake_loops.works_on(parsed, name)
    if is_kept:
        return []
    at = parsed.data.index(b"CUDA", use.span.start)
    made = [Edit(Span(at, at + len(b"CUDA")), b"HIP")]
    given = _GPUS.match(parsed.data, use.span.end) if name == cmake_loops.PROJECT else None
    if given is not None:
        made.append(Edit(Span(*given.span("list")), parsed.target.arch[0].encode()))
    return made
