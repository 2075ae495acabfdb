"""Variables of CUDA's runtime that a Makefile sets for the programs it runs: in a recipe, or by `export`."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use

_NAMES = rb"CUDA_LAUNCH_BLOCKING"
_SET = re.compile(
    rb"(?:\A|[;&|(])[ \t@+-]*(?:(?:export|env)[ \t]+)?(?:\w+=[^\s;&|]*[ \t]+)*(?P<name>" + _NAMES + rb")=[^\s;&|]+"
)
"""A variable before a command, or exported, where a command begins: `@A=1 CUDA_LAUNCH_BLOCKING=1 ./app`."""
_NAME = re.compile(_NAMES)
_EXPORT = re.compile(rb"[ \t]*export[ \t]+(?P<name>" + _NAMES + rb")[ \t]*[:?+!]{0,3}=")


def uses(file: Makefile) -> Iterator[Use]:
    """Where one is set; readings are none."""
    if _NAME.search(file.data) is None:
        return
    for line in file.lines:
        if line.kind == "recipe":
            for match in _SET.finditer(file.data[line.value.start : line.value.end]):
                yield _use(match, line.value.start)
        elif line.kind == "assignment" and (export := _EXPORT.match(file.data, line.span.start)) is not None:
            yield _use(export, 0)


def _use(match: re.Match[bytes], offset: int) -> Use:
    name = Span(match.start("name") + offset, match.end("name") + offset)
    return Use("name", match["name"].decode(), name, Span(name.start, match.end() + offset), certainty="syntax")
