"""Build files that say to TensorFlow's headers that they are compiled for CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import build_definitions, makefile_variables
from cudamigrate.analysis.build_definitions import Definition
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.syntax.project_file import ProjectFile

_RULE = "build/tensorflow-macro"
_NAME = b"GOOGLE_CUDA"
_TRUE = (b"", b"1")
_BUILT_WITH = re.compile(rb"(?i:tensorflow)|\bTF_[A-Z]\w+")
"""What a build against TensorFlow names: its folders, its library, or variables for its options, `$(TF_CFLAGS)`."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """A hit for each definition that sources get which are built with TensorFlow.

    That is shown by the file, where its commands share what they get; in a Makefile by the command, with what the
    variables in it hold, and in a script by the line.
    """
    data = parsed.data
    if parsed.ported or _NAME not in data or b"TENSORFLOW_USE_ROCM" in data:
        return
    for one in build_definitions.of(parsed):
        if one.name == _NAME and one.value.strip(b"\\\"'") in _TRUE and _is_with_tensorflow(parsed, one):
            yield Hit(_RULE, Use("name", _NAME.decode(), one.span, one.span, certainty="syntax"))


def _is_with_tensorflow(parsed: ProjectFile, one: Definition) -> bool:
    if parsed.source.language == "cmake":
        words = (word for command in parsed.commands for word in command.words())
        return any(_BUILT_WITH.search(word.encode()) for word in words)
    if _BUILT_WITH.search(one.line):
        return True
    return parsed.source.language == "make" and any(_get(parsed, one))


def _get(parsed: ProjectFile, one: Definition) -> Iterator[bool]:
    """For each command of a Makefile that gets a definition, whether it gets what TensorFlow needs, too."""
    variables = parsed.once(makefile_variables.of)
    own = variables.files[0]
    held = {
        own.text(line.value)
        for line in own.lines
        if line.kind == "assignment" and line.value.start <= one.span.start < line.value.end
    }
    for file, part, _ in variables.commands():
        texts = variables.texts(file, part)
        inside = file is own and part.start <= one.span.start < part.end
        if inside or not held.isdisjoint(texts):
            yield any(map(_BUILT_WITH.search, texts))
