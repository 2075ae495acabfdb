"""Libraries in the repository that were compiled for CUDA, where a build links them: nothing converts what is in them.

Which file a link means is known by its name, `-lfast` is `libfast.a`; what is behind that in the name may say for which
machine it is, `libfast_x86.a`. That it holds kernels, its own bytes say: CUDA's compiler has each file that has some
register them. One that the build makes itself is no such file. A library for 64 bits that names nothing of CUDA's links
with HIP as it is, whatever it is called: what its name alone had reported goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Inventory, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.project.file_access import read_regular
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake

RULE = "build/prebuilt-cuda-library"
_LIBRARY = re.compile(r"lib(?P<stem>[\w.+-]+)\.(?:a|so)\Z")
_REGISTERS = (b"__cudaRegisterFatBinary", b".nv_fatbin")
"""What a file has that nvcc compiled kernels into."""
_OTHER = "build/flag-library-other"
"""The rule on links of libraries that AMD has none of, by their names."""
_NARROW, _WIDE = b"\x7fELF\x01", b"\x7fELF\x02"
"""How object files of 32 and of 64 bits begin."""
_OF_CUDA = re.compile(rb"(?i:cuda|nvidia)|(?<![A-Za-z0-9])_?cu[A-Z]")
"""What CUDA's names, and NVIDIA's, have: `cudaMalloc`, `cuInit`, no `cutCheckCmdLineFlag`."""
_LARGEST = 256 << 20
_LINKS = ("target_link_libraries", "link_libraries")
_OPTION = re.compile(rb"(?<![\w-])-l(?P<name>[\w+-]+)")
_ENDS = re.compile(r"[-_.]")


def with_prebuilt_libraries(
    results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read
) -> list[FileResult]:
    """The results, with a finding at the first link of each such library in a build file."""
    rule = book.rules.get(RULE)
    files = _named(inventory.modules)
    if rule is None or rule.silent or not files or not any(one.cuda for one in results):
        return list(results)
    builds = [one for one in results if one.language in ("cmake", "make") and one.skip is None]
    read_once = {one.path: source for one in builds if (source := read(one.path)) is not None}
    made = _made(read_once.values())
    known: dict[str, bool] = {}
    changed = []
    for result in results:
        found: dict[str, Finding] = {}
        source = read_once.get(result.path)
        if source is not None:
            result = _without_plain(result, source, files, inventory.root)
        for name, span in _links(source, files) if source is not None else ():
            if name in made or name in found or any(one.span.overlaps(span) for one in result.findings):
                continue
            holding = [path for path in files[name] if _holds_kernels(inventory.root, path, known)]
            if source is not None and holding:
                use = Use("name", name, span, span, certainty="syntax")
                found[name] = engine.finding(source, Hit(RULE, use, {"library": holding[0]}), rule)
        changed.append(engine.with_more(result, list(found.values())))
    return changed


def _named(paths: Sequence[str]) -> dict[str, list[str]]:
    """The libraries by the names that a link may have for them."""
    found: dict[str, list[str]] = {}
    for path in paths:
        match = _LIBRARY.fullmatch(path.rpartition("/")[2])
        stem = match["stem"] if match is not None else ""
        ends = [one.start() for one in _ENDS.finditer(stem) if one.start()] if stem else []
        for name in [stem[:end] for end in (*ends, len(stem))] if stem else []:
            found.setdefault(name, []).append(path)
    return found


def _made(files: Iterable[SourceFile]) -> Set[str]:
    """The libraries that a build makes itself: targets of CMake's, and files that a Makefile names."""
    made = set[str]()
    for source in files:
        if source.language == "cmake":
            commands = cmake.read(source.data)
            made |= {one.args[0].text for one in commands if one.name.endswith("add_library") and one.args}
        else:
            made |= {match.decode() for match in re.findall(rb"\blib([\w+-]+)\.(?:a|so)\b", source.data)}
    return made


def _links(source: SourceFile, files: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Span]]:
    """The names of libraries that a build file links, with their places."""
    if source.language == "cmake":
        for command in cmake.read(source.data):
            first = 1 if command.name == _LINKS[0] else 0
            for argument in command.args[first:] if command.name in _LINKS else ():
                name = argument.text.removeprefix("-l")
                if name in files:
                    yield name, argument.span
        return
    for match in _OPTION.finditer(source.data):
        name = match["name"].decode()
        if name in files:
            yield name, Span(*match.span())


def _without_plain(result: FileResult, source: SourceFile, files: Mapping[str, Sequence[str]], root: str) -> FileResult:
    """The result without links of libraries, by names of NVIDIA's, that are in folders the file names and are plain."""
    dropped = set[Finding]()
    for one in result.findings:
        paths = files.get(one.name.removeprefix("-l"), ()) if one.rule == _OTHER else ()
        named = [path for path in paths if "/" in path and path.split("/")[-2].encode() in source.data]
        if named and all(_is_plain(root, path) for path in named):
            dropped.add(one)
    kept = tuple(one for one in result.findings if one not in dropped)
    return replace(result, findings=kept) if dropped else result


def _is_plain(root: str, path: str) -> bool:
    """Whether a library is for 64 bits and names nothing of CUDA's."""
    try:
        data = read_regular(Path(root), path, _LARGEST)
    except OSError:
        return False
    return _WIDE in data and _NARROW not in data and _OF_CUDA.search(data) is None


def _holds_kernels(root: str, path: str, known: dict[str, bool]) -> bool:
    """Whether nvcc compiled kernels into a file; each is read once."""
    if path not in known:
        try:
            data = read_regular(Path(root), path, _LARGEST)
        except OSError:
            data = b""
        known[path] = all(mark in data for mark in _REGISTERS)
    return known[path]
