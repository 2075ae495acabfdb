"""Makefiles: nvcc, the folders of the CUDA toolkit, compiler options and libraries.

The file is read line by line, continued lines as one, without comments. A file that builds with hipcc besides
nvcc has one use that says so, and those which its build for AMD gets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cudamigrate.analysis import (
    makefile_c_sources,
    makefile_cuda_fortran,
    makefile_environment,
    makefile_folders,
    makefile_found,
    makefile_goals,
    makefile_gpus,
    makefile_inputs,
    makefile_languages,
    makefile_link_folders,
    makefile_links,
    makefile_modes,
    makefile_options,
    makefile_outside,
    makefile_packages,
    makefile_ports,
    makefile_questions,
    makefile_systems,
    makefile_text_functions,
    makefile_tools,
    makefile_variables,
)
from cudamigrate.analysis.makefile_gpus import GpuChanges
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.environment import fetched_code
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import compiler_options, library_files
from cudamigrate.syntax.makefile import Line
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {
    "Makefile": "make",
    "makefile": "make",
    "GNUmakefile": "make",
    "Makefile.*": "make",
    "makefile.*": "make",
    "Makefile_*": "make",
    "makefile_*": "make",
    "Makefile-*": "make",
    "makefile-*": "make",
    "GNUmakefile.*": "make",
    "*_Makefile": "make",
    "*_makefile": "make",
    "*-Makefile": "make",
    ".mk": "make",
    "*.mk.*": "make",
    ".mak": "make",
    ".make": "make",
    "makefile.inc": "make",
    "make.inc": "make",
    "make.config": "make",
    "make.def": "make",
    "make.defs": "make",
    "Make.inc": "make",
    "Make.config": "make",
    "Make.defs": "make",
}
PART = "build"
TRIGGER = re.compile(
    rb"nvcc|cuda|\.cu\b|cu(?:blas|fft|rand|sparse|solver)|sm_\d\d|nvidia-smi|\b(?:nvprof|nvvp|nsys|ncu|dlprof)\b|nsight"
    rb"|compute-sanitizer|" + compiler_options.MARKS,
    re.IGNORECASE,
)
"""Bytes that make a makefile worth reading, in any case: `nvcc`, `kernel.cu`, `cublas`, `sm_80` or an nvcc option."""
PORTED = "hip-build"
"""The name of the use that stands for a file which can already build for AMD."""
BY_CL = "build by cl"
"""The same for a file that builds on Windows, with Microsoft's compiler."""

_FOLDERS = makefile_folders.NAMES
_NO_SAMPLES = rb"(?!(?:/[\d.]+)?/samples/common(?![\w.-]))"
"""Not before the folder of CUDA's samples, which ROCm has none of: the path stays, to say where the headers were."""
_NAMED = re.compile(
    rb"(?P<compiler>(?<![\w.$({-])(?<!\(wildcard /usr/bin/)nvcc(?![\w.:-])(?![ \t]+(?:--version|-V)\b)"
    rb"(?![ \t]*[:?+!]{0,3}=))"
    rb"|(?P<include>-I[ \t]?(?:\$[({](?:"
    + _FOLDERS
    + rb")[)}]|(?:/usr/local|/opt)/cuda(?:-[\d.]+)?)/(?:(?P<targets>targets/[\w-]+-linux/include)|include)"
    rb"/?(?=[\s\"']|\Z))"
    rb"|(?P<version>(?:(?<![\w.-])nvcc|\$[({]NVCC[)}])[ \t]+(?:--version|-V)\b)"
    rb"|\bifn?def[ \t]+(?P<asked>(?:" + _FOLDERS + rb")\b)"
    rb"|\$\$(?P<shells>(?:"
    + _FOLDERS
    + rb")\b)|\$[({](?P<folder>"
    + _FOLDERS
    + rb")[)}]"
    + _NO_SAMPLES
    + rb"|(?P<path>"
    + makefile_folders.ROOT
    + rb"|"
    + makefile_folders.ABOVE_NVCC
    + rb"|"
    + makefile_folders.ABOVE_LIBRARIES
    + rb")"
    + _NO_SAMPLES
)
"""What a line may name of CUDA, one group a kind; the compiler not in `$(nvcc)`, in `nvcc.mk` or with `--version`, nor
as the name of a variable, which whatever reads it goes by: `nvcc = nvcc -c`.

A release may be a folder of its own below CUDA's, with CUDA's folder in it: `/usr/local/cuda/3.0/cuda`.

Nor where a file asks for Debian's toolkit, `$(wildcard /usr/bin/nvcc)`: with ROCm, `/usr` has no headers of its own.
"""
_OF_INCLUDE = re.compile(rb"(?<=[({])(?:" + _FOLDERS + rb")(?=[)}]/)")
"""The variable in an include of CUDA's."""
_AFTER = re.compile(
    rb"(?:[)}]?/|[)}])((?:lib64|targets/[\w-]+-linux/(?:lib|include)|lib/(?:x64|[Ww]in32))(?![\w-])"
    + library_files.STUBS.encode()
    + rb")"
)
"""A folder after a CUDA folder that ROCm has not: `)/lib64` in `$(CUDA_HOME)/lib64`, no start of `/lib64-stubs`;
the variable's value may end in the slash, `$(CUDA_HOME)lib64`."""
_NAMES = {
    "compiler": "nvcc",
    "path": "/usr/local/cuda",
    "version": "nvcc --version",
    "shells": "folder of CUDA to the shell alone",
}
_PROBE = re.compile(rb"\(wildcard (/usr/bin/nvcc)[ \t]*\)")
"""Whether nvcc is in /usr: of ROCm a link to hipcc may be there, and neither its headers nor its libraries."""
_LIBRARY = re.compile(
    rb"(?<![\w./$({:=-])((?:cu(?:dart|blas|blasLt|fft|rand|sparse|solver)|nccl|nvrtc)(?:_static)?)(?![\w./=:-])"
)
"""A library as a bare word: `cublas`. No part of a path, file, variable or option: `/cublas`, `-lnccl`, `nvrtc.a`."""
_LIBRARY_BESIDE = re.compile(
    _LIBRARY.pattern.replace(rb"nccl|", rb"nccl|nvToolsExt|").replace(rb"cu(?:", rb"cu(?:da|dnn|dadevrt|libos|")
)
"""The same, and names that are other things too but beside such a word: `cuda`, `cudnn`."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source` alone. Any bytes are read; RecursionError where calls nest by the hundred."""
    return parse_among(source, {})


def parse_among(source: SourceFile, peers: Mapping[str, bytes]) -> ProjectFile:
    """Read `source` with the Makefiles, by path, that it includes or that include it. Raises as `parse` does."""
    parsed = ProjectFile(source, peers=peers)
    variables = parsed.once(makefile_variables.of)
    file = variables.files[0]
    changes = makefile_gpus.changes(variables, source.path, ("gfx90a",))
    uses = [use for line in file.lines for use in _uses(variables, file, line, changes)]
    uses = makefile_tools.without_given(variables, file, uses)
    uses += list(makefile_outside.uses(variables, file, uses))
    uses += [*makefile_environment.uses(file), *makefile_packages.uses(variables, file)]
    uses = makefile_text_functions.marked(variables, file, uses)
    clangs = {span for one, span in variables.clang_words() if one is file}
    uses += [use_at("clang for CUDA", span.start, span.end) for span in sorted(clangs)]
    uses += [*_of_commands(variables, file), *makefile_link_folders.uses(variables, file)]
    if source.path.endswith(makefile_outside.OF_CONFIGURE):
        given = _given_by_configure(variables)
        uses = [use for use in uses if use.name not in given]
    uses = makefile_cuda_fortran.without_its_own(variables, file, uses)
    windows = makefile_systems.made_by_cl(file)
    there = next((span for line in file.lines if (span := makefile_ports.place(file.data, line)) is not None), None)
    if windows is not None and uses:
        uses = [Use("name", BY_CL, windows, windows, certainty="syntax")]
    elif there is not None and uses and re.search(rb"\bnvcc\b", source.data):
        parsed.ported = True
        uses = [Use("name", PORTED, there, there, certainty="syntax"), *makefile_ports.gaps(variables, file, uses)]
    else:
        uses += [use_at("GPU value", span.start, span.end) for span in changes.values]
    parsed.uses = sorted(uses, key=lambda use: (use.span, use.name))
    return parsed


def _of_commands(variables: Variables, file: Makefile) -> Iterator[Use]:
    """What whole commands show: what they link, the order of what they take, and standards for sources of C."""
    for link in makefile_links.of(variables):
        if link.file is file:
            how = " without GPUs" if link.lacks_gpus else ""
            kind = f"device code linked{how}" if link.by_nvcc else "device code linked by another"
            kind = "device code linked by make" if link.by_make else kind
            yield use_at(kind, link.word.start, link.word.end)
    for link in makefile_links.of_host_lto(variables):
        if link.file is file:
            yield use_at("objects of -flto", link.word.start, link.word.end)
    for span in makefile_modes.demanded(variables, file):
        yield use_at("GPU demanded", span.start, span.end)
    yield from _of_inputs(variables, file)
    for standard in makefile_c_sources.of(variables):
        if standard.file is file:
            kind = "standard-for-C" if standard.gone else "kept-standard-for-C"
            yield use_at(kind, standard.at.start, standard.at.end)


def _of_inputs(variables: Variables, file: Makefile) -> Iterator[Use]:
    """Where what a command says of its inputs depends on the order for clang."""
    for mixed in makefile_inputs.of(variables):
        if mixed.file is file:
            kind = "object behind a source" if mixed.parts else "objects among sources"
            yield use_at(kind, mixed.word.start, mixed.word.end)
    for late in makefile_languages.behind(variables):
        if late.file is file:
            kind = "language behind inputs" if late.moves else "language behind inputs among others"
            yield use_at(kind, late.option.start, late.option.end)


def _given_by_configure(variables: Variables) -> frozenset[str]:
    """The folders of the toolkit that a template takes from a configure script, which names its variables itself."""
    own = {
        name
        for name, found in variables.assigned.items()
        if any(b"@" not in file.text(line.value) for file, line in found)
    }
    return frozenset(_FOLDERS.decode().split("|")) - own


def broken(data: bytes) -> int:
    """How many calls of make's are not closed."""
    return max(0, data.count(b"$(") + data.count(b"${") - data.count(b")") - data.count(b"}"))


def _uses(variables: Variables, file: Makefile, line: Line, changes: GpuChanges) -> Iterator[Use]:
    data, start = file.data, line.span.start
    if _sets_folder(variables, line):
        at = data.index(line.name.encode(), start)
        yield use_at(line.name, at, at + len(line.name.encode()))
    roots = list(makefile_found.roots(variables, file, line))
    yield from (use_at("folder above nvcc", one.start, one.end) for one in roots)
    for use in _within(variables, file, line, changes):
        if not any(root.start <= use.span.start < root.end for root in roots):
            yield use


def _within(variables: Variables, file: Makefile, line: Line, changes: GpuChanges) -> Iterator[Use]:
    """What a line says beside the name that it sets."""
    data, start, end = file.data, line.span.start, line.span.end
    assigned = line.kind == "assignment"
    if assigned and re.search(r"lib", line.name, re.IGNORECASE):
        plain = _LIBRARY.search(data, line.value.start, end)
        for library in _LIBRARY_BESIDE.finditer(data, line.value.start, end) if plain else ():
            yield use_at(f"library {library[1].decode()}", library.start(1), library.end(1))
    again = _sets_folder(variables, line) and not line.operator.startswith(":")
    for match in _mentions(variables, file, line, changes):
        if again and match["folder"] and match.start() >= line.value.start and not _is_shells(data, match):
            yield use_at("folder of CUDA again", match.start(), match.end("folder") + 1)
        else:
            yield from _named(data, match, end)
    yield from _elsewhere(variables, file, line)
    yield from (use_at(name, one.start, one.end) for name, one in makefile_folders.below(variables, file, line))
    yield from (use_at(name, one.start, one.end) for name, one in makefile_tools.run(variables, file, line))
    yield from (use_at(name, one.start, one.end) for name, one in makefile_tools.named(variables, file, line))
    for match in library_files.of_part(data, start, end):
        yield use_at(library_files.use_name(match["name"].decode()), match.start("file"), match.end("file"))
    yield from (use_at("GPU by asking", one.start, one.end) for one in makefile_tools.asking(variables, file, line))
    for name, one in makefile_questions.of(variables, file, line, changes):
        yield use_at(name, one.start, one.end)
    if line.kind in ("assignment", "recipe", "other") and not makefile_tools.asks_another(file, line):
        yield from makefile_options.uses(variables, file, line, changes)
    yield from fetched_code.known(data, start, end) if line.kind == "recipe" else ()


def _sets_folder(variables: Variables, line: Line) -> bool:
    """Whether a line sets a variable called as CUDA's folder that is to have the name of ROCm's."""
    called = line.kind == "assignment" and re.fullmatch(_FOLDERS, line.name.encode()) is not None
    return called and not makefile_folders.is_no_root(variables, line.name)


def _mentions(variables: Variables, file: Makefile, line: Line, changes: GpuChanges) -> Iterator[re.Match[bytes]]:
    """What a line names of CUDA, without a release of nvcc's that decides nothing for AMD.

    In a text that is printed, a folder that no file sets is another's: `Open $(CUDA_ROOT)/common/Makefile.conf`.
    """
    is_message = makefile_gpus.is_message(file, line)
    for match in _NAMED.finditer(file.data, line.span.start, line.span.end):
        named = match["folder"] or match["asked"] or (_OF_INCLUDE.search(match[0]) or (b"",))[0]
        if is_message and match["folder"] and named.decode() not in variables.assigned:
            continue
        if match["shells"] and re.search(rb"\b" + match["shells"] + rb"=", file.text(line.value)):
            continue  # which the line itself sets
        if named and makefile_folders.is_no_root(variables, named.decode()):
            continue
        if match["compiler"] and (
            makefile_modes.is_mode_word(variables, file, line)
            or makefile_goals.is_goal(variables, file, line, Span(*match.span("compiler")))
        ):
            continue
        if not (match["version"] and makefile_gpus.only_chooses(variables, file, line, changes)):
            yield match


def _elsewhere(variables: Variables, file: Makefile, line: Line) -> Iterator[Use]:
    """CUDA's folder in a place of its own, where a line sets a variable to it, and a search for nvcc in another."""
    for probe in _PROBE.finditer(file.data, line.span.start, line.span.end):
        yield use_at("probe for nvcc", probe.start(1), probe.end(1))
    value = file.text(line.value).strip() if line.kind == "assignment" else b""
    usr = makefile_folders.USR.match(value)
    if usr is not None and not makefile_folders.is_in_usr(variables, file, line):
        usr = None  # asked last: all files are looked through
    folder = usr or (makefile_folders.elsewhere(variables, line.name, value) if value.startswith(b"/") else None)
    if folder is not None and _NAMED.search(file.data, line.span.start, line.span.end) is None:
        at = file.data.index(folder[0], line.value.start)
        yield use_at("/usr/local/cuda", at, at + len(folder[0]))


def _named(data: bytes, match: re.Match[bytes], end: int) -> Iterator[Use]:
    kind = "include" if match["include"] else match.lastgroup or ""
    if kind == "include":
        yield use_at("include of CUDA", match.start(), match.end())
        folder = re.search(rb"(?<!\w)(?:" + _FOLDERS + rb")(?!\w)|(?:/usr/local|/opt)/cuda(?:-[\d.]+)?", match[0])
        assert folder is not None
        name = "/usr/local/cuda" if folder[0].startswith(b"/") else folder[0].decode()
        yield use_at(name, match.start() + folder.start(), match.start() + folder.end())
        if match["targets"]:
            yield use_at("targets of CUDA", match.start("targets"), match.end("targets"))
        return
    name = _NAMES.get(kind, match[kind].decode("utf-8", "replace"))
    name = "folder of CUDA to the shell" if kind == "folder" and _is_shells(data, match) else name
    yield use_at(name, match.start(kind), match.end(kind))
    library = _AFTER.match(data, match.end(kind), end)
    if library is not None and kind in ("folder", "path", "shells"):
        yield use_at("targets of CUDA" if library[1].endswith(b"include") else "lib64 of CUDA", *library.span(1))


def _is_shells(data: bytes, match: re.Match[bytes]) -> bool:
    """Whether make passes a variable on for the shell to read: `$${CUDA_HOME}`."""
    return data[match.start() - 1 : match.start() + 2] == b"$${"
