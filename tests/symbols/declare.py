"""Writes declaration headers of ROCm's C libraries under `rules/stand-ins/declarations`.

Usage: python -m tests.symbols.declare [--check]. With `--check` nothing is written, and a header that differs is an
error. The signatures are those of the `cy*.pxd` files in AMD's Python bindings, which
`sources.toml` pins; the values of enumerators are asked from the bindings themselves, in a Python that can import them
(3.11 on Linux) or not at all. `declare_extra.py` says which header comes from which file, and adds manually what the
bindings leave out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import tomli

from tests.symbols import collect, declare_extra, declare_values

FOLDER = Path(__file__).parents[2] / "rules" / "stand-ins" / "declarations"
RELEASE = "10.0"
MARKER = "// cudamigrate declarations: names and types of {library} {release}; not the library's own header"

_BLOCK = re.compile(r"^(?P<indent> *)(?:cdef|ctypedef) (?:packed )?(?P<kind>enum|struct|union)\b ?(?P<name>\w*) *:$")
_CONSTANT = re.compile(r"^ *cdef (?P<type>int|char \*|float|double) ?(?P<name>\w+)$")
_FUNCTION = re.compile(r"^cdef (?P<signature>[^(]+\(.*\)) (?:except\?.*|noexcept) nogil$")
_ARRAY = re.compile(r"^(?P<type>.+?)\[(?P<size>\d+)\] (?P<name>\w+)$")
_PLACEHOLDER = re.compile(r"^(?P<owner>\w+?)_(?:struct|union)_\d+$")


def main(arguments: list[str]) -> int:
    """Write each header and print its size, or say which ones differ."""
    made = headers()
    return differing(FOLDER, made) if "--check" in arguments else write(FOLDER, made)


def write(folder: Path, made: Mapping[str, str]) -> int:
    """Write headers by their paths below a folder, and print their sizes."""
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"{name:40} {len(text):8}")
    return 0


def differing(folder: Path, made: Mapping[str, str]) -> int:
    """Print which headers below a folder are not what is made now; the number of them."""
    stale = [name for name, text in made.items() if not _is(folder / name, text)]
    for name in stale:
        print(f"{name} is not what its inputs give: run make declarations", file=sys.stderr)
    return len(stale)


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def headers() -> dict[str, str]:
    """The text of each header by its path."""
    table = tomli.loads((collect.FOLDER / "sources.toml").read_text(encoding="utf-8"))
    folders = collect._folders(table, "hip", RELEASE)
    values = declare_values.read(table["hip"][RELEASE]["rocm-bindings-libraries"], declare_extra.modules())
    return {
        sheet.path: header(sheet, _pxd(folders, sheet.module), values.get(sheet.module, {}))
        for sheet in declare_extra.SHEETS
    }


def _pxd(folders: tuple[Path, ...], module: str) -> str:
    (path,) = [path for folder in folders for path in folder.glob(f"cy{module}.pxd")]
    return path.read_text(encoding="utf-8")


def header(sheet: declare_extra.Sheet, source: str, values: dict[str, int | float | str]) -> str:
    """The text of a header: what `source` declares, between what `sheet` adds."""
    guard = "CUDAMIGRATE_DECLARES_" + re.sub(r"\W", "_", sheet.path).upper()
    parts = [MARKER.format(library=sheet.library, release=RELEASE), f"#ifndef {guard}", f"#define {guard}"]
    parts += [f"#include <{name}>" for name in sheet.includes]
    parts += [sheet.before.strip()] if sheet.before else []
    macros: list[str] = []
    rest: list[str] = []
    for name, text in declared(source, values):
        if name in sheet.hidden or name in declare_extra.ELSEWHERE or (sheet.only and name not in sheet.only):
            continue
        for old, new in sheet.respelled:
            text = re.sub(old, new, text)
        (macros if text.startswith("#") else rest).append(text)
    parts += macros
    parts += ['extern "C" {', *rest, "}"]
    parts += [sheet.after.strip()] if sheet.after else []
    return "\n".join([*parts, "#endif"]) + "\n"


def declared(source: str, values: dict[str, int | float | str]) -> Iterator[tuple[str, str]]:
    """Each name that a declaration file declares, with the C++ that declares it, in order."""
    lines = [line.partition("#")[0].rstrip() for line in source.splitlines()]
    used = set(re.findall(r"^\s+(\w+_(?:struct|union)_\d+) \w+", "\n".join(lines), re.MULTILINE))
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if block := _BLOCK.match(line):
            members = []
            while at < len(lines) and (
                not lines[at] or len(lines[at]) - len(lines[at].lstrip()) > len(block["indent"])
            ):
                members += [lines[at].strip()] if lines[at] else []
                at += 1
            name = block["name"]
            if not (_PLACEHOLDER.match(name) and name not in used):
                yield name, _block(block["kind"], name, members, values)
        elif constant := _CONSTANT.match(line):
            if constant["name"] in values:
                yield constant["name"], f"#define {constant['name']} {_value(values[constant['name']])}"
        elif function := _FUNCTION.match(line):
            signature = _plain(function["signature"])
            name = signature.partition("(")[0].split()[-1].lstrip("*")
            if not name.startswith("__"):
                yield name, signature + ";"
        elif line.strip().startswith("ctypedef ") and "bint _Bool" not in line:
            yield _alias(line.strip().removeprefix("ctypedef "))


def _block(kind: str, name: str, members: list[str], values: dict[str, int | float | str]) -> str:
    if members == ["pass"]:
        return f"{kind} {name};"
    if kind == "enum":
        items = [f"{item} = {_value(values[item])}" if item in values else item for item in members]
        return f"enum {name} {{ {', '.join(items)} }};"
    return f"{kind} {name} {{ {' '.join(_plain(member) + ';' for member in members)} }};"


def _alias(text: str) -> tuple[str, str]:
    text = _plain(text)
    if array := _ARRAY.match(text):
        return array["name"], f"typedef {array['type']} {array['name']}[{array['size']}];"
    pointer = re.search(r"\(\*\s*(\w+)\)", text)
    return pointer[1] if pointer else text.split()[-1].lstrip("*"), f"typedef {text};"


def _plain(text: str) -> str:
    """Cython's spelling of a type as C++ has it."""
    text = re.sub(r"\b_Bool\b|\bbint\b", "bool", text)
    text = re.sub(r"\b_IO_FILE\b", "FILE", text)
    return re.sub(r",(?=\S)", ", ", text.replace("* ", "*"))


def _value(value: int | float | str) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
