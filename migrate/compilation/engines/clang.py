"""The embedded engine: clang's front end from a Python wheel, with whatever HIP headers are available.

It type-checks a file for AMD, device and host pass, with no toolkit installed and nothing run but clang's own parser.
It makes no code, so what only code generation sees is left to other checks.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any

from cudamigrate.compilation import toolchain as machine
from cudamigrate.compilation.engines import _messages
from cudamigrate.errors import CompilerCrashError
from cudamigrate.lazy_re import re
from cudamigrate.model import Target, release
from cudamigrate.model.verification import OF_MACRO, Checked, Diagnostic, Kind, Place, Side, Toolchain, Unit
from cudamigrate.rulebase.architectures import architecture
from cudamigrate.shipped_data import stand_ins

INSTALL = "pip install 'cudamigrate[clang]'"
_ABSENT = f"the embedded engine is not installed: {INSTALL}"
_KEEP_GOING = 0x200
"""Parse on after a header that is not there, so that all of them are reported at once (clang-c/Index.h)."""
_FOR_LATER = 0x02 | 0x10
"""Parse what is no whole program, and keep all that files after it may need (clang-c/Index.h)."""
_AT_ONCE = ("-Xclang", "-fpch-instantiate-templates")
"""Templates that precompiled headers use are made with them, not again in every file that reads them."""
_PENDING = """namespace {name} {{
template <typename T> struct all {{
  static int done() {{ struct local {{ int done() {{ return 0; }} }}; return local().done(); }}
}};
template struct all<int>;
}}
"""
"""What comes first behind a preamble, in C++ of any standard. clang keeps with precompiled headers which virtual
functions they use, and goes through these only where a local class of a template is made (`DefineUsedVTables` in
`SemaTemplateInstantiateDecl.cpp`): within a kernel, it would say of each that the kernel uses it, destructors of the
C++ library's exceptions among them. Without a preamble it never does, so they are gone through here, in host code."""
_ERROR = 3
_ALLOCATING = (20,)
"""The C++ standard since which functions of the library that allocate are for the device too, as `constexpr` is: made
ahead for a device, one would lose the complaint about what it calls, which waits for a kernel that uses it."""
_SHORTENED = "-Wshorten-64-to-32"
_INCLUDED = "in file included from"
"""How a note begins that only says what included what."""
_HIP = ("-x", "hip", "-nogpulib", "-nogpuinc", "-D__HIP_PLATFORM_AMD__=1")
"""What hipcc adds of itself."""
_RECIPROCALS = tuple(f"-D__llvm_amdgcn_rcp_{kind}(x)=(x)" for kind in ("f16", "2f16"))
"""What the half header of HIP 5 calls: the type is all that matters where no code is made."""
_HOST = ("-x", "c++", "-D__HIP_PLATFORM_AMD__=1")
"""What the host's compiler gets of a build for AMD."""
_HIP_WRAPPER = "__clang_hip_runtime_wrapper.h"
"""The header of clang's own that hipcc includes first."""
_FOR_DEVICES = "clang/native/resource/include/cuda_wrappers"
"""Where the wheel has clang's own headers that give a device the C++ library's, placement `new` among them. hipcc
searches this folder before the library's; `-nogpuinc` takes it away together with ROCm's."""
_CUDA = ("-x", "cuda", "-nocudalib", "-nocudainc")
"""CUDA's driver expects a toolkit's folders; the wheels have the headers that matter."""
WRAPPER = "__clang_cuda_runtime_wrapper.h"
"""What clang reads first as CUDA; it needs CUDA's own headers."""
_GCC = tuple(Path(folder) for folder in ("/usr/include/c++", "/usr/local/include/c++"))
_C_LIBRARY = tuple(Path(folder, "stdio.h") for folder in ("/usr/include", "/usr/local/include"))
"""The headers of the C library, which HIP's include and which no wheel carries."""


def _installed() -> str:
    """The version of the installed clang, empty where there is none."""
    try:
        return version("libclang-ng")
    except PackageNotFoundError:
        return ""


def find(target: Target) -> Toolchain | str:
    """The installed clang and the HIP headers nearest to the release aimed at."""
    clang = _installed()
    if not clang:
        return _ABSENT
    if sys.platform == "linux" and not any(header.exists() for header in _C_LIBRARY):
        return "the headers of the C library are not installed: install g++ (Debian and Ubuntu: apt-get install g++)"
    headers = machine.hip_headers(target.rocm)
    if headers is None:
        return (
            "no HIP headers are installed: cudamigrate headers install (3 MB), or ROCm's or your system's HIP packages"
        )
    torch = machine.torch_headers()
    return Toolchain(
        engine="clang",
        title=f"clang {clang.partition('.')[0]} with {headers.title} (HIP {headers.release})",
        release=headers.release,
        headers=(*headers.folders, *torch),
        arch=_passes_for(target.arch),
        declarations=machine.declarations(),
        key=f"clang {clang} {headers.folders} {headers.release} {torch}",
    )


def find_original() -> Toolchain | str:
    """The same clang with CUDA's headers, to judge code as it was before the move."""
    clang = _installed()
    if not clang:
        return _ABSENT
    headers = machine.cuda_headers()
    if headers is None:
        return "no CUDA headers are available: install the CUDA toolkit, or pip install 'cudamigrate[cuda-headers]'"
    return Toolchain(
        engine="clang",
        title=f"clang {clang.partition('.')[0]} with {headers.title} (CUDA {headers.release})",
        release=headers.release,
        headers=(*headers.folders, str(stand_ins("cuda"))),
        arch=("sm_80",),
        key=f"clang {clang} {headers.folders} {headers.release}",
    )


def find_bare(cuda: str) -> Toolchain | str:
    """The same clang with our declarations in place of CUDA's headers: it answers alike on every machine."""
    clang = _installed()
    if not clang:
        return _ABSENT
    ours = str(stand_ins("cuda"))
    return Toolchain(
        engine="clang",
        title=f"clang {clang.partition('.')[0]}",
        release=cuda,
        headers=(ours,),
        arch=("sm_90",),
        key=f"clang {clang} {cuda}",
        first=f"{ours}/cudamigrate_language.h",
    )


def _passes_for(arch: Sequence[str]) -> tuple[str, ...]:
    """One architecture for each wave size among those aimed at: a type check sees no other difference."""
    wide = [name for name in arch if architecture(name).wave == 64]
    narrow = [name for name in arch if architecture(name).wave != 64]
    return (*wide[-1:], *narrow[-1:])


def check(unit: Unit, toolchain: Toolchain) -> Checked:
    """Parse the file once for the host and once for each architecture."""
    done = Checked(())
    for number in range(1 if unit.host else len(unit.arch) + 1):
        done = check_pass(unit, toolchain, number, done)
        if done.left_out:
            break
    return done


def check_pass(unit: Unit, toolchain: Toolchain, number: int, before: Checked) -> Checked:
    """Parse the file for one of its `passes`; the answer with that of the passes before it."""
    started = time.perf_counter()
    side, arch, options = list(passes(unit))[number]
    read = {*before.read}
    options = [*upon(unit, number), *options]
    read.update(begun(unit, number))
    try:
        tree = parse(unit, toolchain, options)
    except CompilerCrashError as error:
        return Checked((), left_out=f"left out: {error}")
    said = [(_diagnostic(entry, side, arch, unit), entry) for entry in tree.diagnostics]
    found = {(one.kind, one.place, one.message): one for one in before.diagnostics}
    for one in _messages.in_order([(one, _is_of_syntax(entry)) for one, entry in said if one is not None]):
        found.setdefault((one.kind, one.place, one.message), one)
    read.update(str(inclusion.include.name) for inclusion in tree.get_includes())
    read.discard(f"{unit.preamble}.{number}.h")
    file = f"{unit.root}/{unit.path}"
    seconds = before.seconds + time.perf_counter() - started
    return Checked(tuple(found.values()), (file, *sorted(read - {file})), seconds)


def precompile(unit: Unit, headers: Sequence[str], toolchain: Toolchain, place: str, number: int) -> tuple[str, ...]:
    """Parse headers once for a pass over many files, and keep them at `place`: see `preamble.py`.

    The files read, which are listed beside; none where the headers have errors and nothing is kept.
    """
    side, _, options = list(passes(unit))[number]
    options += upon(unit, number)
    at_once = side == "host" or release(unit.flags.standard.rpartition("+")[2]) < _ALLOCATING
    options += _AT_ONCE if at_once else ()
    text = "".join(f"#include <{name}>\n" for name in headers)
    name = "cudamigrate_" + re.sub(r"\W", "_", os.path.basename(place))
    Path(f"{place}.{number}.h").write_text("" if unit.host else _PENDING.format(name=name), encoding="utf-8")
    return keep(unit, toolchain, f"{place}.{number}", text, options, begun(unit, number))


def keep(
    unit: Unit, toolchain: Toolchain, place: str, text: str, options: Sequence[str], below: Sequence[str], how: int = 0
) -> tuple[str, ...]:
    """Parse a text in place of a unit, and keep the result at `place`; the files read, `below` first, listed beside.

    None where the text has errors: nothing is kept then. `how` adds to libclang's options for that.
    """
    import clang.cindex as clang  # type: ignore[import-untyped]

    source = f"{place}.hip"
    Path(source).write_text(text, encoding="utf-8")
    whole = replace(unit, root=os.path.dirname(source), path=os.path.basename(source))
    try:
        tree = parse(whole, toolchain, options, _FOR_LATER | how)
    except CompilerCrashError:
        return ()
    if any(entry.severity >= _ERROR for entry in tree.diagnostics):
        return ()
    names = (str(one.include.name) for one in tree.get_includes())
    read = tuple(dict.fromkeys([*below, *(name for name in names if os.path.dirname(name) != whole.root)]))
    try:
        tree.save(f"{place}.pch")
    except clang.TranslationUnitSaveError:
        return ()
    Path(f"{place}.txt").write_text("\n".join(read), encoding="utf-8")
    return read


def upon(unit: Unit, number: int) -> list[str]:
    """The options of a pass over a unit that begin it with its preamble, none where it has none."""
    if not unit.preamble:
        return []
    return ["-include-pch", f"{unit.preamble}.{number}.pch", "-include", f"{unit.preamble}.{number}.h"]


def begun(unit: Unit, number: int) -> list[str]:
    """The files that a pass over a unit has read with its preamble."""
    return Path(f"{unit.preamble}.{number}.txt").read_text(encoding="utf-8").splitlines() if unit.preamble else []


def parse(unit: Unit, toolchain: Toolchain, options: Sequence[str], how: int = _KEEP_GOING) -> Any:
    """One pass over a file: libclang's translation unit. Raises CompilerCrashError."""
    import clang.cindex as clang

    if any(folder.is_dir() for folder in _GCC):
        clang.Config.libcxx_dir = None  # the system's own library, as hipcc would use it
    index = clang.Index.create(excludeDecls=True)
    try:
        words = [*arguments(unit, toolchain), *older_macros(unit, toolchain, options), *options]
        return index.parse(f"{unit.root}/{unit.path}", args=words, options=how)
    except clang.TranslationUnitLoadError:
        raise CompilerCrashError("crashes the compiler") from None


def passes(unit: Unit) -> Iterator[tuple[Side, str, list[str]]]:
    """The passes over a file, those for the device first: where each runs, the architecture, and its options."""
    if unit.host:
        yield "host", "", []
        return
    for arch in unit.arch:
        yield "device", arch, ["--cuda-device-only", f"--offload-arch={arch}"]
    yield "host", "", ["--cuda-host-only", f"--offload-arch={unit.arch[0]}"]


def older_macros(unit: Unit, toolchain: Toolchain, options: Sequence[str]) -> list[str]:
    """The macros for a wave's lanes, which clang defined of itself until ROCm 7 and the headers of older releases use.

    Before ROCm 6 they use two functions too that clang's own headers of that time declared.

    Those headers have them on the host too, where clang took the lanes of the GPU that the pass names.
    """
    if unit.language != "hip" or unit.host or release(toolchain.release) >= (7,):
        return []
    gpu = next((word.partition("=")[2] for word in options if word.startswith("--offload-arch=")), "")
    lanes = architecture(gpu).wave
    older = _RECIPROCALS if release(toolchain.release) < (6,) else ()
    return [f"-D__AMDGCN_WAVEFRONT_SIZE={lanes}", f"-D__AMDGCN_WAVEFRONT_SIZE__={lanes}", *older]


def first_header(unit: Unit, toolchain: Toolchain) -> str:
    """What a compiler for GPUs includes before all else."""
    return _HIP_WRAPPER if unit.language == "hip" else toolchain.first or WRAPPER


def arguments(unit: Unit, toolchain: Toolchain) -> list[str]:
    """The options for one file, those of the pass left out."""
    first = [] if unit.host else ["-include", first_header(unit, toolchain)]
    last = set(unit.flags.after)
    folders = [word for one in unit.flags.includes if one not in last for word in ("-I", one)]
    folders += [*machine.searched(toolchain), *(word for one in unit.flags.after for word in ("-idirafter", one))]
    if unit.language == "hip" and not unit.host and _for_devices():
        folders += ["-isystem", _for_devices()]
    return [
        *_language(unit, toolchain),
        *([] if unit.preamble else first),
        f"-std={unit.flags.standard}",
        *unit.flags.language,
        "-ferror-limit=0",
        "-ftemplate-backtrace-limit=0",
        "-Wno-everything",
        *([_SHORTENED] if unit.language == "hip" else []),
        *(["-ivfsoverlay", unit.overlay] if unit.overlay else []),
        *(f"-D{macro}" for macro in unit.flags.defines),
        *folders,
        *(word for one in unit.flags.forced for word in ("-include", one)),
    ]


def _nvcc(release: str) -> tuple[str, ...]:
    """What makes clang read CUDA of a release as nvcc does, which defines its own version in two macros."""
    major, _, minor = release.partition(".")
    versions = (f"-D__CUDACC_VER_MAJOR__={major}", f"-D__CUDACC_VER_MINOR__={minor or 0}")
    return ("-Xclang", f"-target-sdk-version={release}", *versions)


def _language(unit: Unit, toolchain: Toolchain) -> Sequence[str]:
    """What the compiler takes a file for."""
    if unit.host:
        words = ("-x", "c", *_HOST[2:]) if unit.in_c else _HOST
        return words if unit.language == "hip" else words[:2]
    if unit.language == "hip":
        return _HIP
    return (*_CUDA, *_nvcc(toolchain.release))


@cache
def _for_devices() -> str:
    """The folder of clang's headers for devices, empty where the wheel has none."""
    folder = str(distribution("libclang-ng").locate_file(_FOR_DEVICES))
    return folder if os.path.isdir(folder) else ""


def _diagnostic(entry: Any, side: Side, arch: str, unit: Unit) -> Diagnostic | None:
    message = str(entry.spelling)
    if entry.severity < _ERROR and (side == "host" or _SHORTENED not in str(entry.option)):
        return None
    place = _place(entry.location, unit.root)
    said = [(str(child.spelling), child.location) for child in entry.children if child.location.file is not None]
    told = [(text, at) for text, at in said if not text.startswith(_INCLUDED)]
    notes = _messages.leading((text, _place(at, unit.root)) for text, at in told)
    included = tuple(_place(at, unit.root) for text, at in said if text.startswith(_INCLUDED))
    if entry.severity < _ERROR:
        return Diagnostic("mask", place, message, side, arch, notes=notes, included=included)
    header = _messages.missing(message)
    message += next(filter(None, (_messages.side(text) for text, _ in said)), "")
    if os.path.isabs(place.path) and not header and _is_of_syntax(entry):
        macro = _spelled(entry.location, unit.root)
        if macro.path and macro.path != place.path and not os.path.isabs(macro.path):
            notes, message = (macro, *notes), message + OF_MACRO
    kind: Kind = "missing-header" if header else "error"
    why = _messages.why([text for text, _ in told])
    return Diagnostic(kind, place, message, side, arch, header, notes, included=included, said=why)


def _is_of_syntax(entry: Any) -> bool:
    return str(entry.category_name) == "Parse Issue"


def _spelled(location: Any, root: str) -> Place:
    """Where the text is that a location has: of a macro's, in its definition."""
    import ctypes

    import clang.cindex as clang

    file, line, column, offset = clang.c_object_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    into = map(ctypes.byref, (file, line, column, offset))
    clang.conf.lib.clang_getSpellingLocation(location, *into)
    name = str(clang.File(file).name) if file else ""
    return Place(_messages.relative(name, root), line.value, column.value)


def _place(location: Any, root: str) -> Place:
    name = "" if location.file is None else str(location.file.name)
    return Place(_messages.relative(name, root), int(location.line), int(location.column))
