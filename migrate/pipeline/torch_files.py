"""What PyTorch's build for ROCm leaves undone in an extension: files that it does not convert, and includes that miss.

It converts files of some endings, writes them elsewhere, and rewrites the includes of what it knows. A file that it
passes over stays where it was, with CUDA's names, and what it includes is the header as it was before.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from cudamigrate.compilation import runtime_builds, torch_extensions
from cudamigrate.compilation.torch_hipify import Build, Hipified, Inclusion, Text
from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Inventory, SourceFile, Span, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import torch_launches, torch_objects, torch_programs
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.portable import torch
from cudamigrate.rulebase.code_rules import Rulebook

INCLUDE, NAMES = "build/torch-include", "build/torch-names"
ENCODING = "build/torch-encoding"
RUNTIME = "build/implicit-runtime-header"
_CHANGES = re.compile(
    rb"\b(?:cuda(?:[A-Z_]|::|/|\.h)|CUDA[A-Z_]|cu(?:blas|fft|rand|sparse|solver|dnn|b::|b/|[A-Z])|CU_|NVRTC|nvrtc|nvtx|nvml"
    rb"|nccl|THC)|__CUDACC__|__(?:global|shared)__|__syncthreads"
    rb"|\bstd::(?:max|min|ceil|floor|exp|log|pow|fabs|fmod|remainder|frexp)\("
)
"""What hipify may change in a text; that it does not is no harm where it is asked whether the result is there."""
_OF_TORCH = re.compile(
    rb"\b(?:at|c10)::cuda::\w+|\b(?:OptionalCUDAGuard|CUDAGuard|CUDAStream(?:Guard)?)\b|(?<=[<\"])(?:ATen|c10)/cuda/[\w/.]+"
)
"""PyTorch's own names for CUDA, which hipify 1 converts to its names for HIP, and hipify 2 leaves."""

_WORDS = re.compile(rb"[%*]?[\w.+-]+")
"""Names of files in the text of a build, without their folders, and patterns of such."""
_UNITS = (".cu", ".cc", ".cpp", ".cxx", ".c")
_OPTIONS, _FORCES = b"extra_cuda_cflags", re.compile(rb"[\"'] *--?(?:pre-)?include\b")
"""PyTorch's parameter for the options of its compiler for GPUs, and an option that includes a header unasked."""
_NO_WORD = re.compile(rb"\W")


class _Miss(NamedTuple):
    """An include that does not mean what it meant: the reason, and the path that does; empty where none surely does.

    `form` asks for the same path, written as hipify reads it, and `?` before a path for it where hipify made it.
    """

    one: Inclusion
    why: str
    text: str


def models(port: PortFacts, paths: Set[str], text: Text) -> list[Hipified]:
    """What hipify does in each build of an extension that the files of a repository show.

    A build at first use is none where a setup.py builds its sources: that is what is installed, and what it makes of a
    file is what the file is written for.
    """
    builds = [one for path in _scripts(port) for one in torch_extensions.builds(path, _decoded(text(path)), paths)]
    installed = frozenset[str]().union(*(build.sources for build in builds if not build.loaded))
    made = [Hipified(one, paths, text) for one in builds if not (one.loaded and one.sources <= installed)]
    forced = frozenset().union(*(_forced(path, text(path), paths) for path in paths if path.endswith(".py")))
    return [*made, Hipified(Build("", frozenset(), forced=forced), paths, text)] if forced else made


def _forced(path: str, data: bytes, paths: Set[str]) -> frozenset[str]:
    """The headers that options to PyTorch's builds at first use include, wherever the options are put together."""
    if _OPTIONS not in data or _FORCES.search(data) is None:
        return frozenset()
    return runtime_builds.forced_headers(path, _decoded(data), paths)


def surveyed(port: PortFacts, paths: Set[str], text: Text, builds: Sequence[str]) -> tuple[frozenset[str], str]:
    """The files that PyTorch's build does not convert, and why the kernels are not its to build; empty where they are.

    The files are those that an extension includes and none converts, and the CUDA sources that are seen to be in none.
    `builds` are the build files of other kinds, whose sources nobody renames, nor what these include.
    """
    made = models(port, paths, text)
    if not all(torch_extensions.sees_all(path, _decoded(text(path)), paths) for path in _scripts(port)):
        return _left([*made, *_programs(port, paths, text, builds)]), _elsewhere(port, paths, text)
    units, inside = _units(port, paths, text, made)
    reached = frozenset[str]().union(*(model.taken | model.left for model in made))
    others = _named_by(builds, paths - reached, text) if not (port.is_port or port.hipify) else frozenset[str]()
    apart = Hipified(Build("", frozenset(), forced=others), paths, text)
    return _left([*made, apart]) | (units - inside), _kernel_build(units, inside, text, builds)


def _programs(port: PortFacts, paths: Set[str], text: Text, builds: Sequence[str]) -> Iterator[Hipified]:
    """What is surely no part of an extension, where not all sources of extensions are seen, with what it includes."""
    if port.is_port or port.hipify:
        return
    units = frozenset(path for path in paths if path.endswith(_UNITS) and _CHANGES.search(text(path)) is not None)
    forced = torch_programs.apart(units, _named_by(builds, units, text), paths, text)
    if forced:
        yield Hipified(Build("", frozenset(), forced=forced), paths, text)


def _named_by(builds: Sequence[str], paths: Set[str], text: Text) -> frozenset[str]:
    """The sources with CUDA's names that a build file names, in its folder or below."""
    found = set[str]()
    for build in builds:
        folder = posixpath.dirname(build)
        below = (path for path in paths if not folder or path.startswith(f"{folder}/"))
        found.update(path for path in _named(text(build), below) if _CHANGES.search(text(path)) is not None)
    return frozenset(found)


def names_source(build: bytes, paths: Set[str]) -> bool:
    """Whether a build file names one of the sources among some files."""
    return any(_named(build, paths))


def _named(build: bytes, paths: Iterable[str]) -> Iterator[str]:
    """The sources among some files that a build file names."""
    words = frozenset(_WORDS.findall(build))
    return (path for path in paths if path.endswith(_UNITS) and posixpath.basename(path).encode() in words)


def _scripts(port: PortFacts) -> list[str]:
    """The files that have PyTorch build an extension."""
    return list(dict.fromkeys(path for path, _, _ in port.extensions))


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _kernel_build(units: Set[str], inside: Set[str], text: Text, builds: Sequence[str]) -> str:
    """Why the kernels are not PyTorch's to build: another of the `builds` names them, or most are in no extension.

    hipify reads what an extension is built of, so that kernels which it has not are CUDA's to the end.
    """
    if 2 * len(inside) >= len(units):
        return ""
    if inside:
        return f"PyTorch builds {len(inside):,} of {len(units):,} CUDA sources"
    names = {posixpath.basename(path).encode() for path in units} | {b"*.cu", b"%.cu"}
    other = next((path for path in builds if not names.isdisjoint(_WORDS.findall(text(path)))), "")
    return other and f"{other} builds the kernels, and PyTorch's extension has none among its sources"


def _elsewhere(port: PortFacts, paths: Set[str], text: Text) -> str:
    """Why CUDA code is not PyTorch's to build, although not all sources of extensions are seen; empty if it may be.

    Sources that a script computes are below its folder, or it names them.
    """
    scripts = {path: _decoded(text(path)) for path in _scripts(port)}
    folders = sorted({posixpath.dirname(path) for path in scripts})
    of_cuda = [path for path in paths if path.endswith(_UNITS) and _CHANGES.search(text(path)) is not None]
    if not of_cuda or "" in folders or any(path.startswith(f"{one}/") for path in of_cuda for one in folders):
        return ""
    names = {posixpath.basename(path) for path in of_cuda}
    if any(name in script for name in names for script in scripts.values()):
        return ""
    return f"none of the CUDA code is in {folders[0]}, where PyTorch builds an extension"


def _units(
    port: PortFacts, paths: Set[str], text: Text, made: Sequence[Hipified]
) -> tuple[frozenset[str], frozenset[str]]:
    """The CUDA sources, and those of them that extensions have, where all that extensions have is seen.

    Code that an extension is given as a text is of files that the same script names.
    """
    scripts = {path: _decoded(text(path)) for path in _scripts(port)}
    sources = (path for path in paths if path.endswith(_UNITS))
    units = frozenset(path for path in sources if path.endswith(".cu") or b"__global__" in text(path))
    inside = units & frozenset[str]().union(*(model.taken | model.left for model in made))
    named = (one for one in units if any(posixpath.basename(one) in script for script in scripts.values()))
    return units, inside | frozenset(named)


def _left(made: Sequence[Hipified]) -> frozenset[str]:
    taken = frozenset[str]().union(*(model.taken for model in made))
    return frozenset[str]().union(*(model.left for model in made)) - taken


def with_torch_files(
    results: Sequence[FileResult], book: Rulebook, port: PortFacts, inventory: Inventory, read: Read
) -> list[FileResult]:
    """The results, with what the build of an extension leaves undone."""
    if not port.extensions:
        return list(results)
    known: dict[str, SourceFile | None] = {}

    def source(path: str) -> SourceFile | None:
        if path not in known:
            known[path] = read(path)
        return known[path]

    def text(path: str) -> bytes:
        found = source(path)
        return b"" if found is None else found.data

    paths = frozenset(entry.path for entry in inventory.entries)
    made = models(port, paths, text)
    shared = _shared_objects(port, paths, text, made)
    misses: dict[str, list[_Miss]] = {}
    skipped = _left(made)
    taken = frozenset().union(*(model.taken for model in made))
    for model in made:
        for miss in _missed(model):
            if miss.one.path in model.taken or miss.one.path in skipped:  # else another build converts the file
                misses.setdefault(miss.one.path, []).append(miss)
    results = list(results)
    for at, result in enumerate(results):
        found = source(result.path) if result.path in skipped | taken | misses.keys() and result.skip is None else None
        if found is not None:
            more = [
                *_includes(found, misses.get(result.path, ()), book, port.marks),
                *(names(found, book, port.marks) if result.path in skipped else ()),
                *(_encoding(found, book) if result.path in taken else ()),
                *_objects(found, shared, book),
                *(torch_launches.findings(found, book, port.marks) if result.path in taken else ()),
            ]
            results[at] = engine.with_more(replace(result, cuda=True), more) if more else result
    return [_with_runtime(one, port, source) for one in results]


def _with_runtime(result: FileResult, port: PortFacts, source: Callable[[str], SourceFile | None]) -> FileResult:
    """The result, with nothing to do where PyTorch's build includes the runtime's header in what it converts."""
    converted = not port.kernel_build and result.path not in port.passed_over
    if not converted or not any(one.rule == RUNTIME for one in result.findings):
        return result
    found = source(result.path)
    if found is None or not torch.adds_runtime(found.data):
        return result
    return replace(result, findings=tuple(_as_added(one, found) for one in result.findings))


def _as_added(finding: Finding, source: SourceFile) -> Finding:
    """A finding on the runtime's header as one on what is fine; the fix is what the build makes."""
    if finding.rule != RUNTIME:
        return finding
    name = source.data[finding.span.start : finding.span.end].decode("utf-8", "replace")
    said = f"`{name}` needs `<hip/hip_runtime.h>`: PyTorch's build includes it in what it converts."
    return replace(finding, outcome="fine", message=said)


def _shared_objects(
    port: PortFacts, paths: Set[str], text: Text, made: Sequence[Hipified]
) -> dict[str, tuple[str, str]]:
    """By file, another one that is compiled to the same object, and the object."""
    known = [(model, model.changed(lambda data: _CHANGES.search(data) is not None)) for model in made]
    pairs = (pair for path in _scripts(port) for pair in torch_objects.meeting(_decoded(text(path)), paths, known))
    return {one: (other, name) for one, other, name in pairs}


def _objects(source: SourceFile, shared: dict[str, tuple[str, str]], book: Rulebook) -> Iterator[Finding]:
    found = torch_objects.finding(source, *shared[source.path], book) if source.path in shared else None
    yield from () if found is None else (found,)


def _missed(model: Hipified) -> Iterator[_Miss]:
    """The includes that hipify does not rewrite though the file is elsewhere, or the included one is."""
    changed = model.changed(lambda data: _CHANGES.search(data) is not None)
    for one in model.inclusions():
        if one.path in model.taken:
            miss = _of_converted(model, one, changed)
        else:
            miss = _of_left(model, one, changed)
        if miss is not None:
            yield miss


def _of_converted(model: Hipified, one: Inclusion, changed: Set[str]) -> _Miss | None:
    """What is wrong with an include of a file that hipify converts."""
    name = posixpath.basename(one.target)
    if taken := torch.taken_include(one.text, one.name):
        return _of_taken(model, one, taken)
    if one.known and one.target in model.taken:
        if one.written or not ((model.moves(one.path) and one.beside) or one.target in changed):
            return None
        return _Miss(one, f"it follows includes with one blank alone, and does not find `{name}` by this", "form")
    if one.target in changed:
        return _Miss(one, f"it does not look in the folder of `{name}`: name it in `include_dirs`", "")
    if not (model.moves(one.path) and one.beside):
        return None
    place = posixpath.dirname(model.place(one.path))
    if posixpath.normpath(posixpath.join(place, one.name)) == one.target:
        return None  # it leaves the folder that moves
    path = posixpath.relpath(one.target, place)
    here = posixpath.normpath(posixpath.join(posixpath.dirname(one.path), path)) == one.target
    why = f"it writes this file to `{place}/` and leaves `{name}` where it is"
    return _Miss(one, why, path if here and not model.knows(name) else "")


def _of_taken(model: Hipified, one: Inclusion, taken: str) -> _Miss | None:
    """What is wrong with an include whose name hipify replaces: nothing where it means a copy of CUDA's library.

    `cuda.h` alone is known with the sign before it, so that another spelling of the same path is not taken for it.
    """
    if "/" in taken and one.name == taken:
        return None  # what HIP has in its place gives the names of the copy
    why = f"it takes `{taken}` for CUDA's header and includes HIP's in its place"
    if taken == one.name == "cuda.h" and one.beside and (one.known or not model.moves(one.path)):
        return _Miss(one, why, f"./{one.name}")
    return _Miss(one, f"{why}: rename this file of the project", "")


def _of_left(model: Hipified, one: Inclusion, changed: Set[str]) -> _Miss | None:
    """What is wrong with an include of a file that hipify leaves: what it means is the header before conversion."""
    if one.target not in changed:
        return None
    path = posixpath.relpath(model.place(one.target), posixpath.dirname(one.path) or ".")
    why = f"it converts `{posixpath.basename(one.target)}` to another file, but not the include in this one"
    return _Miss(one, why, f"?{path}")


def _includes(source: SourceFile, misses: Iterable[_Miss], book: Rulebook, marks: Sequence[str]) -> Iterator[Finding]:
    rule, places = book.rules.get(INCLUDE), {miss.one.line: miss for miss in misses}
    if rule is None or rule.silent or not places:
        return
    parsed = cuda.tokens_alone(source, lexed(source), (*cuda.GUARDS, *marks))
    for miss in places.values():
        line = miss.one.line
        if not parsed.lexed.is_code(line.start) or parsed.hip(line.start) is False or _is_fixed(source, miss):
            continue
        use = Use("include", miss.one.name, line, line, (), "unknown", "token")
        words = {"name": miss.one.name, "why": miss.why}
        found = engine.finding(source, Hit(INCLUDE, use, words), rule)
        text = _written(source.data[line.start : line.end], miss).replace(b"\n", newline(source.data))
        if text:
            yield replace(found, fix=Fix((Edit(line, text),), "safe"))
        else:
            yield replace(found, support="manual", effort="small")


def _written(line: bytes, miss: _Miss) -> bytes:
    """The include as it means the right file before and after hipify; empty where that is not known."""
    name, sign = miss.one.name.encode(), b"<>" if line.rstrip().endswith(b">") else b'""'
    if miss.text == "form":
        return b"#include " + sign[:1] + name + sign[1:]
    if miss.text.startswith("?"):
        macro = b"CUDAMIGRATE_" + _NO_WORD.sub(b"_", posixpath.basename(_other(miss))).upper()
        there = b'#define %s "%s"\n#if __has_include(%s)\n#include %s\n#endif\n' % (macro, _other(miss), macro, macro)
        return there + b"#if !__has_include(%s)\n%s\n#endif\n#undef %s" % (macro, line, macro)
    return b'#include "%s"' % miss.text.encode() if miss.text else b""


def _is_fixed(source: SourceFile, miss: _Miss) -> bool:
    """Whether the file asks for what hipify made already."""
    return miss.text.startswith("?") and b' "%s"\n#if __has_include(' % _other(miss) in source.data.replace(b"\r", b"")


def _other(miss: _Miss) -> bytes:
    """The converted header, as the file may include it."""
    return miss.text[1:].encode()


def names(
    source: SourceFile, book: Rulebook, marks: Sequence[str], asked: str = NAMES, with_includes: bool = True
) -> Iterator[Finding]:
    """The first of PyTorch's own names in a file that hipify leaves; `asked` is the rule that says why it does."""
    rule = book.rules.get(asked)
    if rule is None or rule.silent or _OF_TORCH.search(source.data) is None:
        return
    parsed = _parsed(source, marks)
    for match in _OF_TORCH.finditer(source.data):
        directive = parsed.lexed.directive_at(match.start())
        included = directive is not None and directive.name == "include"
        if included and not with_includes:
            continue
        if (included or parsed.lexed.is_code(match.start())) and parsed.hip(match.start()) is None:
            span, name = Span(*match.span()), match[0].decode()
            use = Use("name", name, span, span, (), parsed.scope(span.start), "token")
            words = {"name": name, "file": posixpath.basename(source.path)}
            yield engine.finding(source, Hit(asked, use, words), rule)
            return


def _encoding(source: SourceFile, book: Rulebook) -> Iterator[Finding]:
    """The first byte of a file to convert that is not UTF-8."""
    rule = book.rules.get(ENCODING)
    try:
        source.data.decode("utf-8")
    except UnicodeDecodeError as error:
        if rule is not None and not rule.silent:
            span = Span(error.start, error.start + 1)
            use = Use("string", "", span, span, (), "unknown", "token")
            yield engine.finding(source, Hit(ENCODING, use, {"byte": f"0x{source.data[error.start]:02x}"}), rule)


def _parsed(source: SourceFile, marks: Sequence[str]) -> ParsedFile:
    return cuda.parse(source, frozenset(), (*cuda.GUARDS, *marks))
