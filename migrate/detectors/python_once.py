"""Names that are worth one line for each file, not one for each use: the formats of 8-bit floats."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.program import Program
from cudamigrate.rulebase.architectures import architecture
from cudamigrate.syntax.project_file import ProjectFile

_RULES = {
    "torch.float8_e4m3fn": "python/float8-e4m3fn",
    "triton.language.float8e4nv": "triton/float8-e4m3fn",
    "triton.language.float8e4b15": "triton/float8-e4b15",
}
_OF_AMD = re.compile(rb"fnuz|float8e4b8")
"""What the names of AMD's format have in them: `torch.float8_e4m3fnuz`, `tl.float8e4b8`."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """The first use of each name that makes a value, unless the file knows AMD's format too, or no aim has it."""
    read = program.of(parsed)
    arch = parsed.target.arch
    other = arch and not any(architecture(name).float8 == "fnuz" for name in arch)
    if read is None or other or any(_is_code(read, match) for match in _OF_AMD.finditer(read.py.text)):
        return
    seen: set[str] = set()
    for use in read.uses:
        rule = _RULES.get(use.name)
        if rule is not None and rule not in seen and _makes(read, use):
            seen.add(rule)
            yield Hit(rule, use)


def _is_code(read: Program, match: re.Match[bytes]) -> bool:
    node = read.py.at(*match.span())
    return node is not None and node.type != "comment"


def _makes(read: Program, use: Use) -> bool:
    """True for an argument and for what is assigned or returned; a comparison or a table makes none."""
    node = next(iter(read.found(use.span)), None)
    around = node.parent if node is not None else None
    while around is not None and around.type in ("conditional_expression", "parenthesized_expression"):
        around = around.parent
    if around is not None and around.type == "argument_list" and around.parent is not None:
        function = around.parent.child_by_field_name("function")
        if function is not None and read.py.raw(function).endswith(b".view"):
            return False  # other bits are read so, no number is made
    return around is not None and around.type in ("argument_list", "keyword_argument", "assignment", "return_statement")
