"""Gives every identifier that belongs to a project another name, and nothing else: what a tool finds may not change.

An identifier belongs to the project where one of its files declares it: functions, variables, members, types, macros,
parameters, enumerators, namespaces. Keywords, what libraries declare, comments and strings stay.

`python -m tests.renaming [--files 100] [--each 3] [--seed N] FOLDER...` draws files with warp-level code and prints,
for each rule and file, what differs. With `--whole` each folder is one project: a name changes in all of its files.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
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
    b" char short int long float double signed unsigned true false nullptr asm volatile".split()
)
"""Names that the language or the runtime gives a meaning, declared or not: a tree with errors may take any for one."""
_OF_C = frozenset(b"isfinite isnan isinf abs min max sqrt pow".split())
SYMBOLS = Path(__file__).parents[1] / "fixtures" / "symbols"
_SUFFIXES = (".cu", ".cuh", ".h", ".hpp", ".inl")
_ACROSS = re.compile(
    rb"__shfl|__ballot|__any_sync|__reduce_|__match_|__syncwarp|__syncthreads|warpSize|WARP_SIZE|tiled_partition"
    rb"|threadIdx\.x\s*[%&/]"
)
_SOURCES = (*_SUFFIXES, ".c", ".cc", ".cpp", ".cxx", ".hh", ".hxx", ".ipp")
_LARGEST = 120_000
MEMBER = b"."
"""Begins the mark of a name that a class declares as its member."""
_BEFORE = 80
OUTCOMES = ("wrong-result", "compile-error")
Judged = tuple[str, str, int, int]


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
    return {name for name in found - _KEPT - of_libraries() if not name.startswith((b"__", b"cuda", b"hip", b"cub"))}


@cache
def of_libraries() -> frozenset[bytes]:
    """What CUDA's headers declare: a project's function of that name is found because of it."""
    lines = (SYMBOLS / "cuda.tsv").read_bytes().splitlines()
    names = (line.partition(b"\t")[0] for line in lines)
    return frozenset(name for name in names if b"::" not in name) | _OF_C


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


def judged(folder: Path) -> Counter[Judged]:
    """Findings that matter, by rule, file and line, with the number of edits of a safe fix."""
    report = pipeline.scan(folder, Config(jobs=1))
    return Counter(_key(one) for one in report.findings if one.outcome in OUTCOMES)


def _key(finding: Finding) -> Judged:
    edits = () if finding.fix is None else finding.fix.edits
    return finding.rule, finding.path, finding.position.line, len(edits)


def differences(files: Mapping[str, bytes], folder: Path) -> list[Judged]:
    """What is found before and not after, or after and not before, when all names of the files change."""
    names, found = scheme({path: data for path, data in files.items() if path.endswith(_SOURCES)}), []
    for stage in ("before", "after"):
        for path, data in files.items():
            place = folder / stage / path
            place.parent.mkdir(parents=True, exist_ok=True)
            stays = stage == "before" or not path.endswith(_SOURCES)
            place.write_bytes(data if stays else renamed(data, names))
        found.append(judged(folder / stage))
    return sorted(((found[0] - found[1]) + (found[1] - found[0])).elements())


def drawn(folders: Sequence[Path], files: int, each: int, seed: int) -> list[Path]:
    """Files with warp-level code, a few of each folder."""
    draw, found = random.Random(seed), list[Path]()
    for folder in folders:
        paths = sorted(one for one in folder.rglob("*") if one.suffix in _SUFFIXES and one.is_file())
        draw.shuffle(paths)
        found += [one for one, _ in zip(filter(_is_across, paths), range(each), strict=False)]
    draw.shuffle(found)
    return found[:files]


def _is_across(path: Path) -> bool:
    if path.stat().st_size > _LARGEST:
        return False
    data = path.read_bytes()
    return (b"__global__" in data or b"__device__" in data) and _ACROSS.search(data) is not None


def compared(paths: Sequence[Path]) -> Iterator[tuple[Path, int, list[Judged]]]:
    """Each file by itself, with the number of findings that matter and what differs."""
    for path in paths:
        name = path.name if path.suffix in (".cu", ".cuh") else f"{path.name}.cuh"
        with tempfile.TemporaryDirectory() as folder:
            found = differences({name: path.read_bytes()}, Path(folder))
            yield path, sum(judged(Path(folder) / "before").values()), found


def projects(folders: Sequence[Path]) -> Iterator[tuple[Path, int, list[Judged]]]:
    """Each folder as a whole, with the number of findings that matter and what differs."""
    for place in folders:
        paths = (one for one in sorted(place.rglob("*")) if one.is_file() and not one.is_symlink())
        files = {one.relative_to(place).as_posix(): one.read_bytes() for one in paths}
        with tempfile.TemporaryDirectory() as folder:
            found = differences(files, Path(folder))
            yield place, sum(judged(Path(folder) / "before").values()), found


def main() -> None:
    """Print what differs, and the sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--each", type=int, default=3)
    parser.add_argument("--seed", type=int, default=20261123)
    parser.add_argument("--whole", action="store_true")
    given = parser.parse_args()
    total, unlike, rules = 0, 0, Counter[str]()
    paths = given.folders if given.whole else drawn(given.folders, given.files, given.each, given.seed)
    for path, number, found in projects(paths) if given.whole else compared(paths):
        total, unlike = total + number, unlike + bool(found)
        rules.update(one[0] for one in found)
        for rule, name, line, edits in found:
            print(f"{path / name if given.whole else path}:{line}\t{rule}\t{edits} edits")
    what = "projects" if given.whole else "files"
    print(f"{len(paths)} {what}, {total} findings, {unlike} {what} differ: {dict(rules)}")


if __name__ == "__main__":
    main()
