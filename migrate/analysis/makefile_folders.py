"""Variables of Makefiles that are called as CUDA's folder and are not its root, and CUDA's headers by their path.

`ROCM_PATH` is the root of ROCm for hipcc itself, and make hands on what the environment has: a variable that holds
another folder, the toolkit's `include` or one of the project's own, keeps its name. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.makefile import Line

NAMES = rb"CUDA_PATH|CUDA_HOME|CUDA_ROOT|CUDA_DIR|CUDA_INSTALL_PATH|CUDA_TOOLKIT_PATH|CUDA_ROOT_DIR|CUDAHOME|CUDADIR"
"""The variables that are taken for the toolkit's folder by their names."""
ROOT = rb"(?:/usr/local|/opt)/cuda(?:-\d+(?:\.\d+)?|/\d+\.\d+(?:\.\d+)?(?:/cuda)?(?![\w.-]))?(?![\w.-])"
"""The toolkit's folder where it is installed by default: `/usr/local/cuda-12.4`."""
ABOVE_NVCC = rb"(?<![\w.$({})/-])(?!/usr(?:/local)?/bin/)(?:/[\w.+-]+)+(?=/bin/nvcc(?![\w.:-]))"
"""The toolkit's folder wherever it is, as nvcc is in it: `/apps/cuda-12.4` in `/apps/cuda-12.4/bin/nvcc`."""
_OF_PROJECT = re.compile(rb"(?:\./|\.\./)*\w[\w.-]*(?:/[\w.-]+)*/?")
"""A folder by a path from where the Makefile is: `device`, `src/gpu`."""
_BELOW = re.compile(
    rb"(?!" + ROOT + rb"/*\Z)(?:" + ROOT + rb"|\$[({](?:" + NAMES + rb")[)}])/+[A-Za-z_][^\s]*"
    rb"|(?:/[\w.+-]+)+/(?:include|inc|lib64|lib|lib32|bin|nvvm|samples|extras|targets/[\w-]+)/*"
)
"""A folder below the toolkit's: `/usr/local/cuda/include/`, `$(CUDA_HOME)/samples`, `/apps/cuda-12/lib64`."""
_HEADER = rb"/include/(?P<header>cuda(?:_runtime(?:_api)?)?\.h)(?![\w.-])"
_AFTER_ROOT = re.compile(rb"(?:\$[({](?P<name>" + NAMES + rb")[)}]|" + ROOT + rb")" + _HEADER)
_LOOP = re.compile(rb"\bfor[ \t]+(?P<name>\w+)[ \t]+in[ \t]+(?P<among>[^;]*);")
_IN_TOOLKIT = re.compile(ROOT + rb"|\$[({](?:" + NAMES + rb")[)}]")


def is_no_root(variables: Variables, name: str) -> bool:
    """Whether a variable called as CUDA's folder is another: the project's own, or one below the toolkit's."""
    values = [file.text(line.value).strip() for file, line in variables.assigned.get(name, ())]
    return bool(values) and (all(map(_OF_PROJECT.fullmatch, values)) or any(map(_BELOW.fullmatch, values)))


def headers(variables: Variables, file: Makefile, line: Line) -> Iterator[Span]:
    """Where a line names the runtime's header below a folder of the toolkit, or below each of some in a loop."""
    start, end = line.span.start, line.span.end
    for match in _AFTER_ROOT.finditer(file.data, start, end):
        if match["name"] is None or not is_no_root(variables, match["name"].decode()):
            yield Span(*match.span("header"))
    for loop in _LOOP.finditer(file.data, start, end):
        among = variables.texts(file, Span(*loop.span("among")))
        if any(map(_IN_TOOLKIT.search, among)):
            read = re.compile(rb"\$\$\{?" + loop["name"] + rb"\}?[\"']?" + _HEADER)
            yield from (Span(*one.span("header")) for one in read.finditer(file.data, loop.end(), end))
