"""Gives every identifier that belongs to a project another name, and nothing else: what a tool finds may not change.

An identifier belongs to the project where one of its files declares it: functions, variables, members, types, macros,
parameters, enumerators, namespaces. Keywords, what libraries declare, comments and strings stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.cuda.lexer import Lexed, lex
from cudamigrate.model import Finding
from cudamigrate.syntax import tree_sitter_nodes

_WORD = re.compile(rb"[A-Za-z_]\w*")
_MACRO = re.compile(rb"#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?")
_DECLARES = {
    "init_declarator": "declarator",
    "parameter_declaration": "declarator",
    "optional_parameter_declaration": "declarator",
    "declaration": "declarator",
    "field_declaration": "declarator",
    "function_declarator": "declarator",
    "array_declarator": "declarator",
    "pointer_declarator": "declarator",
    "class_specifier": "name",
    "struct_specifier": "name",
    "union_specifier": "name",
    "enum_specifier": "name",
    "enumerator": "name",
    "alias_declaration": "name",
    "namespace_definition": "name",
    "type_definition": "declarator",
    "for_range_loop": "declarator",
    "type_parameter_declaration": "",
    "reference_declarator": "",
}
_NAMES = ("identifier", "field_identifier", "type_identifier", "namespace_identifier")
_KEPT = frozenset(
    b"main x y z w std size_t threadIdx blockIdx blockDim gridDim warpSize dim3"
    b" operator this if else for while do switch case default return break continue goto new delete sizeof alignof"
    b" constexpr const static inline template typename class struct union enum namespace using typedef auto void bool"
    b" char short int long float double signed unsigned true false nullptr".split()
)
"""Names that the language or the runtime gives a meaning, declared or not: a tree with errors may take any for one."""
MEMBER = b"."
"""Begins the mark of a name that a class declares as its member."""
_BEFORE = 80
OUTCOMES = ("wrong-result", "compile-error")


def declared(data: bytes) -> set[bytes]:
    """The names that a file declares."""
    found: set[bytes] = set()
    waiting = [tree_sitter_nodes.parse("cuda", data).root_node]
    while waiting:
        node = waiting.pop()
        waiting += node.named_children
        field = _DECLARES.get(node.type)
        if field is not None:
            named = node.children_by_field_name(field) if field else node.named_children
            found.update(one.text for one in named if one.type in _NAMES and one.text is not None)
            found.update(MEMBER + one.text for one in named if one.type == "field_identifier" and one.text is not None)
    for match in _MACRO.finditer(data):
        found.add(match[1])
        found.update(_WORD.findall(match[2] or b""))
    return {name for name in found - _KEPT if not name.startswith((b"__", b"cuda", b"hip", b"cub"))}


def renamed(data: bytes, names: Mapping[bytes, bytes]) -> bytes:
    """The file with other names, all of the same length class, outside of comments, literals and include paths."""
    lexed = lex(data)
    return _WORD.sub(lambda match: _new(data, lexed, match, names), data)


def _new(data: bytes, lexed: Lexed, match: re.Match[bytes], names: Mapping[bytes, bytes]) -> bytes:
    if match[0] not in names or not lexed.is_code(match.start()) or _is_of_library(data, match, names):
        return match[0]
    directive = lexed.directive_at(match.start())
    stays = directive is not None and directive.name in ("include", "pragma", "error")
    return match[0] if stays or data[: match.start()].endswith((b"0", b"'")) else names[match[0]]


def _is_of_library(data: bytes, match: re.Match[bytes], names: Mapping[bytes, bytes]) -> bool:
    """Whether a name is a member of what the files do not declare: `cuda::barrier`, `.val` where no class has one."""
    before = data[max(0, match.start() - _BEFORE) : match.start()].rstrip()
    if before.endswith((b".", b"->")):
        return MEMBER + match[0] not in names
    owner = _WORD.findall(before) if before.endswith(b"::") else []
    return bool(owner) and owner[-1] not in names and before.endswith(owner[-1] + b"::")


def scheme(files: Mapping[str, bytes]) -> dict[bytes, bytes]:
    """A new name for each name that some file declares: letters alone, which say nothing."""
    own = sorted(set[bytes]().union(*(declared(data) for data in files.values())))
    plain = [name for name in own if not name.startswith(MEMBER)]
    made = {name: b"q" + _letters(number) + b"q" for number, name in enumerate(plain)}
    return made | {name: b"" for name in own if name.startswith(MEMBER)}


def _letters(number: int) -> bytes:
    digits = b""
    while True:
        number, rest = divmod(number, 20)
        digits = bytes([b"bcdfghjkmnpqrstvwxyz"[rest]]) + digits
        if not number:
            return digits


def judged(folder: Path) -> Counter[tuple[str, str, int, bool]]:
    """Findings that matter, by rule, file and line, and whether a safe fix exists."""
    report = pipeline.scan(folder, Config(jobs=1))
    return Counter(_key(one) for one in report.findings if one.outcome in OUTCOMES)


def _key(finding: Finding) -> tuple[str, str, int, bool]:
    return finding.rule, finding.path, finding.position.line, finding.fix is not None


def differences(files: Mapping[str, bytes], folder: Path) -> list[tuple[str, str, int, bool]]:
    """What is found before and not after, or after and not before, when all names of the files change."""
    names, found = scheme(files), []
    for stage in ("before", "after"):
        for path, data in files.items():
            place = folder / stage / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data if stage == "before" else renamed(data, names))
        found.append(judged(folder / stage))
    return sorted(((found[0] - found[1]) + (found[1] - found[0])).elements())
