"""Commands of a Makefile that link objects with device code across files, without the option that clang needs for it.

nvcc links the device code of its objects in any case; clang does so where `-fgpu-rdc` is given to the linking command.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_ACROSS = re.compile(rb"(?<![\w-])(?:-dc|--device-c|--?(?:rdc|relocatable-device-code)(?:=|[ \t]+)true)(?![\w-])")
"""Options by which device code may call into other files."""
_APART = re.compile(rb"(?<![\w-])(?:-dlink|--device-link)(?![\w-])")
"""What links device code in a step of its own: taking that out is manual work."""
_NO_LINK = re.compile(
    rb"(?<![\w-])(?:-c|--compile|-dc|--device-c|-M\w*|--generate-dependencies\S*|-E|-S|--?ptx|--?cubin|--?fatbin|--?lib)(?![\w-])"
)
"""Options of a command that links no program."""
_SOURCE = re.compile(rb"[\w)}%*]\.(?:cu|cpp|cc|cxx|c)(?![\w.])|\$<")
_OBJECTS = re.compile(rb"[\w)}%*]\.o(?:bj)?(?![\w.])|\$[({]\w*OBJ\w*(?:\)|\}|:)", re.IGNORECASE)


def words(variables: Variables, file: Makefile) -> Iterator[Span]:
    """Where such commands of a Makefile name their compiler."""
    texts = [other.text(line.value) for other in variables.files for line in other.lines]
    if not any(map(_ACROSS.search, texts)) or any(map(_APART.search, texts)):
        return
    rule = b""
    for line in file.lines:
        rule = file.text(line.value) if line.kind == "rule" else rule
        for part in makefile_variables.commands(file, line) if line.kind == "recipe" else ():
            word = variables.compiler_word(file, part)
            if word is not None and variables.compiler(file, part) == {"nvcc"} and _links(variables, file, part, rule):
                at = word.start + len(file.text(word)) - len(file.text(word).lstrip(b"@+-"))
                yield Span(at, word.end)


def _links(variables: Variables, file: Makefile, command: Span, rule: bytes) -> bool:
    """Whether a command links objects and nothing else, and has no option for device code across files."""
    given = b" ".join(variables.texts(file, command))
    if _NO_LINK.search(given) or _ACROSS.search(given):
        return False
    prerequisites = rule.partition(b":")[2]
    named = file.text(command) + (prerequisites if re.search(rb"\$[\^+<]", file.text(command)) else b"")
    return _OBJECTS.search(named) is not None and _SOURCE.search(named) is None
