"""Variables of Makefiles that are called as CUDA's folder and are not its root, and CUDA's headers by their path.

`ROCM_PATH` is the root of ROCm for hipcc itself, and make passes on what the environment has: a variable that holds
another folder, the toolkit's `include` or one of the project's own, keeps its name. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import makefile_found, makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import library_files
from cudamigrate.syntax.makefile import Line

NAMES = rb"CUDA_PATH|CUDA_HOME|CUDA_ROOT|CUDA_DIR|CUDA_INSTALL_PATH|CUDA_TOOLKIT_PATH|CUDA_ROOT_DIR|CUDAHOME|CUDADIR"
"""The variables that are taken for the toolkit's folder by their names."""
ROOT = rb"(?:/usr/local|/opt)/cuda(?:-\d+(?:\.\d+)?|/\d+\.\d+(?:\.\d+)?(?:/cuda)?(?![\w.-]))?(?![\w.-])"
"""The toolkit's folder where it is installed by default: `/usr/local/cuda-12.4`."""
ABOVE_NVCC = rb"(?<![\w.$({})/-])(?!/usr(?:/local)?/bin/)(?:/[\w.+-]+)+(?=/bin/nvcc(?![\w.:-]))"
"""The toolkit's folder wherever it is, as nvcc is in it: `/apps/cuda-12.4` in `/apps/cuda-12.4/bin/nvcc`."""
ABOVE_LIBRARIES = (
    rb"(?<=-L)(?:/[\w.+-]+)*?/cuda(?:[/-]\d+(?:\.\d+)*)?"
    rb"(?=/lib(?:64)?[ \t]+[^\n]*?-lcu(?:dart|blas|fft|rand|sparse|solver)(?![\w-]))"
)
"""The toolkit's folder wherever it is, as a library of CUDA's is sought in it: `-L/apps/cuda/5.0/lib64 -lcudart`."""
_OF_PROJECT = re.compile(rb"(?:\./|\.\./)*\w[\w.-]*(?:/[\w.-]+)*/?")
"""A folder by a path from where the Makefile is: `device`, `src/gpu`."""
_BELOW = re.compile(
    rb"(?!" + ROOT + rb"/*\Z)(?:" + ROOT + rb"|\$[({](?:" + NAMES + rb")[)}])/+[A-Za-z_][^\s]*"
    rb"|(?:/[\w.+-]+)+/(?:include|inc|lib64|lib|lib32|bin|nvvm|samples|extras|targets/[\w-]+)/*"
)
"""A folder below the toolkit's: `/usr/local/cuda/include/`, `$(CUDA_HOME)/samples`, `/apps/cuda-12/lib64`."""
_HEADER = rb"/include/(?P<header>cuda(?:_runtime(?:_api)?)?\.h)(?![\w.-])"
_AFTER_ROOT = re.compile(rb"(?:\$[({](?P<name>" + NAMES + rb")[)}]|" + ROOT + rb")" + _HEADER)
_SAMPLES = re.compile(
    rb"(?P<folder>(?:" + ROOT + rb"|\$[({](?:" + NAMES + rb")[)}])(?:/[\d.]+)?/samples/common(?:/inc)?(?![\w.-])"
    rb"|(?<=-I)\$[({](?P<name>\w*(?:SAMPLES|SDK)\w*)[)}](?:/C)?/(?:common|shared)/inc(?![\w.-]))"
)
"""The headers of CUDA's samples, `$(CUDA_PATH)/samples/common/inc`, and of the SDK before: `$(SDK)/C/common/inc`."""
_OUTSIDE = re.compile(rb"/|~|\$[({](?:HOME|" + NAMES + rb")[)}]|\$\$HOME|\Z")
"""How the value of a variable begins that leads out of the project."""
_LOOP = re.compile(rb"\bfor[ \t]+(?P<name>\w+)[ \t]+in[ \t]+(?P<among>[^;]*);")
_IN_TOOLKIT = re.compile(ROOT + rb"|\$[({](?:" + NAMES + rb")[)}]")
_STUBS = library_files.STUBS.encode()
_OF_VARIABLE = re.compile(
    rb"\$[({](?P<name>(?!(?:"
    + NAMES
    + rb")[)}])\w+)[)}]/(?P<folder>(?:lib64|targets/x86_64-linux/lib)(?![\w-])"
    + _STUBS
    + rb")"
)
"""A library folder after a variable of the project's own: `$(CUDA)/lib64`."""
_BEHIND = re.compile(rb"/((?:lib64|targets/x86_64-linux/lib)(?![\w-])" + _STUBS + rb")")
_SIZED = re.compile(rb"\$[({](?P<name>\w+)[)}]/(?P<folder>lib\$[({](?P<size>\w+)[)}](?![\w-])" + _STUBS + rb")")
"""A library folder whose end is a variable: `$(CUDA_PATH)/lib$(SIZE)`."""
_SIZES = frozenset((b"", b"32", b"64"))
_HELD = re.compile(rb"\$[({](?P<name>\w+)[)}]/(?P<folder>\$[({](?P<held>[\w.-]+)[)}](?![\w-])" + _STUBS + rb")")
"""A library folder that a variable holds: `$(CUDA_HOME)/$(libdir)`."""
_JOINED = re.compile(rb"\$[({](?P<name>\w+)[)}](?P<folder>\$[({](?P<held>[\w.-]+)[)}](?![\w-])" + _STUBS + rb")")
"""A library folder that a variable holds with its slash: `$(CUDA_INSTALL_PATH)$(LIB_SUFFIX)`."""
_OF_LINKER = re.compile(rb"(?:-L[ \t]?|-rpath[=,]|-R)[\"']?\Z")
"""What is before a folder that the linker looks for libraries in."""
_LIBRARY_FOLDERS = frozenset((b"lib", b"lib32", b"lib64"))
_TOOLKIT = re.compile(rb"(?:/[\w.+-]+)+/cuda(?:-\d+(?:\.\d+)*)?/?|\$[({](?:" + NAMES + rb")[)}]/?")
"""CUDA's folder wherever it is, as a whole value, or in a variable."""
_ELSEWHERE = re.compile(rb"(?:/[\w.+-]+)+/cuda(?:-\d+(?:\.\d+)*)?(?=/?\Z)")
"""CUDA's folder, somewhere else than by default, as the whole value of a variable: `/apps/nvidia/cuda-12.8`."""
_WHOLE = re.compile(rb"(?=[^\n]*(?i:cuda|nvidia))(?![^\n]*(?i:rocm|hip))(?:/[\w.+-]+)+(?=/?\Z)")
"""A folder whose path says so, as the whole value of a variable that is called as CUDA's: `/software/nvidia/12.1`."""
USR = re.compile(rb"/usr(?=/?\Z)")


def below(variables: Variables, file: Makefile, line: Line) -> Iterator[tuple[str, Span]]:
    """What a line names below CUDA's folder, as rules do: headers of the runtime, samples and library folders."""
    yield from (("path of cuda_runtime.h", one) for one in headers(variables, file, line))
    yield from (("samples of CUDA", one) for one in of_samples(variables, file, line))
    yield from of_libraries(variables, file, line)


def of_samples(variables: Variables, file: Makefile, line: Line) -> Iterator[Span]:
    """The folders of the CUDA samples' headers in a line: below CUDA's folder, or below a variable set outside."""
    for match in _SAMPLES.finditer(file.data, line.span.start, line.span.end):
        values = makefile_variables.values(variables, match["name"].decode()) if match["name"] else set[bytes]()
        if all(map(_OUTSIDE.match, values)):
            yield Span(*match.span("folder"))


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


def holds_toolkit(variables: Variables, name: str, what: bytes = rb"bin/nvcc|lib64|targets/|nvvm/") -> bool:
    """Whether what is below a variable is what a toolkit has: nvcc, or libraries in `lib64`."""
    below = re.compile(rb"\$[({]" + re.escape(name.encode()) + rb"[)}]/(?:" + what + rb")")
    return any(below.search(file.data) for file in variables.files)


def is_in_usr(variables: Variables, file: Makefile, line: Line) -> bool:
    """Whether the `/usr` that a line sets is the toolkit's folder, and to be ROCm's: not the second place to look."""
    return holds_toolkit(variables, line.name, b"bin/nvcc") and not _is_fallback(variables, file, line)


def _is_fallback(variables: Variables, file: Makefile, line: Line) -> bool:
    """Whether `/usr` is what a variable is set to where its other folder, a toolkit's, is asked for nvcc in vain.

    ROCm of a distribution has its compiler there too, so that both folders stay two.
    """
    probe = re.compile(rb"\$[({]" + re.escape(line.name.encode()) + rb"[)}]/bin/nvcc")
    others = (other.text(one.value).strip() for other, one in variables.assigned.get(line.name, ()))
    if not any(map(_TOOLKIT.fullmatch, others)):
        return False
    return any(probe.search(file.text(above.value)) for above in conditions(file, line))


def conditions(file: Makefile, line: Line) -> list[Line]:
    """The conditionals that a line is inside of, outermost first."""
    stack: list[Line] = []
    for one in file.lines:
        if one.span.start >= line.span.start:
            break
        if one.kind == "conditional" and one.name.startswith("if"):
            stack.append(one)
        elif one.kind == "conditional" and one.name == "endif" and stack:
            stack.pop()
    return stack


def elsewhere(variables: Variables, name: str, value: bytes) -> re.Match[bytes] | None:
    """The toolkit's folder as the value that a variable is set to, somewhere else than by default.

    A variable by the name of that folder may hold it under any path that says so: the variable is to be ROCm's.
    """
    if re.fullmatch(NAMES, name.encode()) is not None and not is_no_root(variables, name):
        return _WHOLE.match(value)
    found = _ELSEWHERE.match(value)
    return found if found is not None and is_toolkit(variables, name, value) else None


def is_toolkit(variables: Variables, name: str, value: bytes) -> bool:
    """Whether a variable that is set to a folder is the toolkit's: by what is below it, or by its name and value."""
    named = re.fullmatch(NAMES, name.encode()) is not None and _TOOLKIT.fullmatch(value) is not None
    return named or holds_toolkit(variables, name)


def of_libraries(variables: Variables, file: Makefile, line: Line) -> Iterator[tuple[str, Span]]:
    """The library folders of a line after CUDA's, as rules name them: `lib64` in `$(CUDA)/lib64`, or behind a folder.

    One that a variable gives whose value is not known is of another name: it stays.
    """
    for root in makefile_found.roots(variables, file, line):
        behind = _BEHIND.match(file.data, root.end, line.span.end)
        if behind is not None:
            yield "lib64 of CUDA", Span(*behind.span(1))
    start = line.span.start
    for name, one in _after_variables(variables, file.text(line.span)):
        yield name, Span(start + one.start, start + one.end)


def _after_variables(variables: Variables, text: bytes) -> Iterator[tuple[str, Span]]:
    """The library folders in a text after the Makefile's own variables for CUDA's folder."""
    for match in _OF_VARIABLE.finditer(text):
        if _is_toolkit(variables, match["name"].decode()):
            yield "lib64 of CUDA", Span(*match.span("folder"))
    for pattern, inner, kinds in (
        (_SIZED, "size", _SIZES),
        (_HELD, "held", _LIBRARY_FOLDERS),
        (_JOINED, "held", frozenset(b"/" + one for one in _LIBRARY_FOLDERS)),
    ):
        for match in pattern.finditer(text):
            name = _of_held(variables, match, inner, kinds, text) if _is_cudas(variables, match["name"]) else ""
            if name:
                yield name, Span(*match.span("folder"))


def _of_held(variables: Variables, match: re.Match[bytes], inner: str, kinds: frozenset[bytes], text: bytes) -> str:
    """The name for a library folder of which a variable gives a part that may be one of `kinds`; empty for others."""
    held = {one.rstrip(b"/") for one in makefile_variables.values(variables, match[inner].decode())}
    if held <= kinds and any(one.endswith(b"64") for one in held):
        return "/lib64 of CUDA" if b"/lib64" in held else "lib64 of CUDA"
    is_open = not held or any(b"$" in one for one in held)
    is_linked = _OF_LINKER.search(text, 0, match.start()) is not None
    return "library folder of CUDA" if is_open and is_linked else ""


def _is_cudas(variables: Variables, name: bytes) -> bool:
    return re.fullmatch(NAMES, name) is not None or _is_toolkit(variables, name.decode())


def _is_toolkit(variables: Variables, name: str) -> bool:
    """Whether a variable of the project's own is a folder of CUDA's, whatever sets it."""
    lines = variables.assigned.get(name, ())
    if makefile_found.is_root(variables, name):
        return True
    texts = [
        file.text(line.value).strip() for file, line in lines if not makefile_found.root_value(variables, file, line)
    ]
    in_usr = any(map(USR.match, texts)) and holds_toolkit(variables, name, b"bin/nvcc")
    return bool(lines) and all(_TOOLKIT.fullmatch(text) or (in_usr and USR.match(text)) for text in texts)
