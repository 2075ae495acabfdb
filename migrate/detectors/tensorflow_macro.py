"""Build files that say to TensorFlow's headers that they are compiled for CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/tensorflow-macro"
_DEFINED = re.compile(rb"-D[ \t]*(GOOGLE_CUDA)(?:=1)?(?![\w=])")
_BUILT_WITH = re.compile(rb"(?i:tensorflow)|\bTF_[A-Z]\w+")
"""What a build against TensorFlow names: its folders, its library, or variables for its options, `$(TF_CFLAGS)`."""
_LINE = re.compile(rb"(?:[^\\\n]|\\.)*", re.DOTALL)
"""A line with those that go on after a backslash."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for each definition outside of comments: in CMake where the file builds with TensorFlow, else the line."""
    data = parsed.data
    if parsed.ported or b"GOOGLE_CUDA" not in data or b"TENSORFLOW_USE_ROCM" in data:
        return
    whole = parsed.source.language == "cmake" and any(
        _BUILT_WITH.search(word.encode()) for command in parsed.commands for word in command.words()
    )
    for line in _LINE.finditer(data):
        code = line[0].partition(b"#")[0]
        for match in _DEFINED.finditer(code) if whole or _BUILT_WITH.search(code) else ():
            start, end = (line.start() + match.start(1), line.start() + match.end(1))
            use = Use("name", "GOOGLE_CUDA", Span(start, end), Span(start, end), certainty="syntax")
            yield Hit(_RULE, use)
