"""Variables of CMake files that hold the folder of CUDA's toolkit, and library folders below them.

ROCm's libraries are in `lib`, where CUDA's are in `lib64`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from cudamigrate.lazy_re import re
from cudamigrate.syntax import library_files
from cudamigrate.syntax.cmake import Argument, Command

ROOT = "CUDA_TOOLKIT_ROOT_DIR"
TARGET = "CUDA_TOOLKIT_TARGET_DIR"
TOOLKIT = r"(?:/usr/local|/opt)/cuda(?:-\d[\d.]*)?"
"""CUDA's own folder: `/usr/local/cuda-12.1`."""
PATH = re.compile(
    rf"(?P<samples>{TOOLKIT}(?:/[\d.]+)?/samples/common(?:/inc)?(?![\w.-]))|(?P<toolkit>{TOOLKIT})"
    r"(?:/(?:(?P<lib>lib64"
    + library_files.STUBS
    + r")|(?P<targets>targets/[\w-]+-linux/include))(?![\w.-])|(?!/bin|[\w.-]))"
)
"""CUDA's own folder, `/usr/local/cuda-12.1/lib64`; not its programs in `/bin`, nor a longer name (`cuda-samples`)."""
PARTS = {
    "toolkit": "/usr/local/cuda",
    "lib": "lib64 of CUDA",
    "targets": "targets of CUDA",
    "samples": "samples of CUDA",
}
"""The parts of it by what rules call them."""
HOST_COMPILER = re.compile(rf"CMAKE_(?:C|CXX)_COMPILER {TOOLKIT}/bin/(?!nvcc)")
"""A variable of the host's compiler, and one that lies in CUDA's folder: `/opt/cuda/bin/gcc`."""
_BELOW = re.compile(r"\$\{(?P<variable>\w+)\}/(?P<lib>lib64(?![\w.-])" + library_files.STUBS + r")")
"""A library folder below a variable: `${CUDA_PATH}/lib64`."""
_WITH_TARGET = r"cuda|cudart|cudadevrt|cublas|cublasLt|cufft|curand|cusparse|cusolver|nvrtc|nccl|nvToolsExt"
"""Libraries of CUDA for which a package of ROCm's has a target."""
_TARGET_FILE = re.compile(rf"\$\{{{TARGET}\}}/(?:[\w.-]+/)*lib(?P<name>{_WITH_TARGET})\.(?:so|a)(?:\.\d+)*")
"""A library below FindCUDA's folder of the target: `${CUDA_TOOLKIT_TARGET_DIR}/lib/stubs/libcuda.so`."""
_FOLDER = re.compile(rf"{TOOLKIT}/?|\$\{{{ROOT}\}}")
_LINK_FOLDERS = ("link_directories", "target_link_directories")


def library_file(text: str, own: Set[str]) -> str:
    """The library whose file a word is below FindCUDA's folder of the target; none where the folder is `own`, set here.

    No variable of ROCm's has that folder, and the library is linked by its package.
    """
    match = _TARGET_FILE.fullmatch(text)
    return match["name"] if match is not None and TARGET not in own else ""


def below(found: Sequence[Command], others: Set[str]) -> Iterator[tuple[re.Match[str], Argument, Command]]:
    """Library folders of CUDA's below a variable that holds its folder, of the file or of `others`, or FindCUDA's.

    The group `lib` of a match is what is another one in ROCm.
    """
    held = _held(found)
    folders = holding(held) | (others - held.keys())
    for command in found:
        known = folders | ({ROOT} - held.keys() if command.name in _LINK_FOLDERS else set())
        for argument in command.args if command.name != "message" else ():
            for match in _BELOW.finditer(argument.text):
                if match["variable"] in known:
                    yield match, argument, command


def holding(held: Mapping[str, Iterable[str]]) -> set[str]:
    """The variables all of whose values are the folder of the toolkit."""
    return {one for one, values in held.items() if values and all(map(_FOLDER.fullmatch, values))}


def of_others(read: Mapping[str, Sequence[Command]]) -> dict[str, frozenset[str]]:
    """For each file, the variables that hold the folder wherever a file of the tree sets them, and that it uses."""
    held: dict[str, set[str]] = {}
    for found in read.values():
        for name, values in _held(found).items():
            held.setdefault(name, set()).update(values)
    known = holding(held)
    made = {}
    for path, found in read.items() if known else ():
        words = (match["variable"] for one in found for arg in one.args for match in _BELOW.finditer(arg.text))
        if used := known.intersection(words):
            made[path] = frozenset(used)
    return made


def _held(found: Sequence[Command]) -> dict[str, set[str]]:
    """What a file sets variables to."""
    held: dict[str, set[str]] = {}
    for command in found:
        if command.name == "set" and command.args:
            held.setdefault(command.args[0].text, set()).update(command.words()[1:2])
    return held
