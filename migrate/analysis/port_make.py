"""A Makefile or a script -> what it shows of a HIP port: macros, and the variables of Make that turn HIP or CUDA on."""

from __future__ import annotations

from bisect import bisect_right

from cudamigrate.analysis import port_hipify
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span
from cudamigrate.model.port_facts import BuildMacro, FileEvidence
from cudamigrate.syntax import makefile, shell

_ON = re.compile(rb"\(?\s*[\"']?\$[({](\w+)[)}][\"']?\s*,?\s*[\"']?(?:TRUE|true|YES|yes|ON|on|1|y|T)[\"']?\s*\)?\s*")
"""A condition that a variable is on: `($(USE_CUDA),TRUE)`, `"$(USE_CUDA)" "1"`."""
DEFINED = re.compile(r"(?<![\w-])-D\s*([A-Za-z_]\w*)(?:=(\d+)\b)?")
"""A macro set on a command line: `-DUSE_ROCM`, `-D USE_ROCM=1`; not inside a word, as in `lib-Dev` or `--Debug`."""
_HIP_TOOL = re.compile(r"\bhipcc\b|\bHIPCC\b|lamdhip64|--offload-arch|-x hip\b|-D__HIP_PLATFORM_AMD__")
"""What only a build with HIP's compiler says: `hipcc`, `-lamdhip64`, `--offload-arch=gfx90a`, `-x hip`."""
_HIPS = re.compile(r"(?i)hip|rocm|amd")
_CUDA_TOOL = re.compile(r"\bnvcc\b|\bNVCC\b|-lcudart|-gencode|-arch=sm_")
"""What only a build with CUDA's compiler says: `nvcc`, `-lcudart`, `-gencode`, `-arch=sm_80`."""
_DISABLED = re.compile(r"(?m)^[ \t]*#+[ \t]*\w+[ \t]*[:+?]?=(.*)$")
"""A setting that is a comment, for whoever wants it: `#CPPFLAGS = -DHAVE_MPI`."""
_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#.*$")
_OTHER = ("", "")


@dataclass(slots=True)
class Block:
    """A branch: the variables that it needs with those around it, and what it sets up itself."""

    start: int
    needs: tuple[str, ...]
    own: tuple[str, ...]
    end: int = 0


class Conditionals:
    """The branches of a Makefile, and which variables turn on a build with the tools of HIP or of CUDA."""

    def __init__(self, data: bytes) -> None:
        self.blocks: list[Block] = []
        self._read(data)
        self.switches, self.cuda_switches = set[str](), set[str]()
        self._for_cuda: list[tuple[int, int]] = []
        for one in self.blocks:
            text = self._own(data, one)
            sides = _HIP_TOOL.search(text) is not None, _CUDA_TOOL.search(text) is not None
            if sides == (False, True):
                self._for_cuda.append((one.start, one.end))
            alone = len(one.own) == 1 and set(one.needs) <= {*one.own, *_OTHER}
            if alone and sides[0] != sides[1]:
                (self.switches if sides[0] else self.cuda_switches).update(one.own)
        both = self.switches & self.cuda_switches
        self.switches -= both
        self.cuda_switches -= both

    def _own(self, data: bytes, block: Block) -> str:
        """What a branch holds outside of the branches in it."""
        at, parts = block.start, list[bytes]()
        for inner in self.blocks:
            if at <= inner.start and inner.end <= block.end and inner is not block:
                parts.append(data[at : inner.start])
                at = inner.end
        return b"".join((*parts, data[at : block.end])).decode("utf-8", "replace")

    def _read(self, data: bytes) -> None:
        stack: list[Block] = []
        for line in makefile.read(data):
            if line.kind != "conditional":
                continue
            beside = data[line.span.start : line.span.end].lstrip().startswith(b"else")
            if (beside or line.name == "endif") and stack:
                stack.pop().end = line.span.start
            if line.name == "endif":
                continue
            match = _ON.fullmatch(data[line.value.start : line.value.end].strip()) if line.name == "ifeq" else None
            own = (match[1].decode(),) if match is not None else _OTHER
            block = Block(line.span.end, (*(stack[-1].needs if stack else ()), *own), own, len(data))
            self.blocks.append(block)
            stack.append(block)

    def needs(self, offset: int) -> tuple[str, ...]:
        """The variables that are needed for a place, none outside of every conditional."""
        at = bisect_right(self.blocks, offset, key=lambda one: one.start) - 1
        while at >= 0 and self.blocks[at].end <= offset:
            at -= 1
        return self.blocks[at].needs if at >= 0 else ()

    def is_for_cuda(self, offset: int) -> bool:
        """Whether a place is in a branch that calls CUDA's tools, and none of HIP's."""
        return any(start <= offset < end for start, end in self._for_cuda)


def of(source: SourceFile, text: str) -> FileEvidence:
    """A Makefile or a script: its macros are HIP's where it calls HIP's tools and none of CUDA's.

    A Makefile that calls both builds for both. What a script for HIP gives to CMake are choices of a build that CMake
    knows, and no macros: with CUDA, the same may be chosen.
    """
    code = _COMMENT.sub("", text)
    tool = _HIP_TOOL.search(code)
    hip = tool is not None and not _CUDA_TOOL.search(code)
    inside = Conditionals(code.encode()) if source.language == "make" else None
    renamed = port_hipify.of_shell(source.data) if source.language == "shell" else _renamed(source)
    macros: dict[tuple[str, tuple[str, ...], bool], tuple[int, str]] = {}
    chosen = _given_to_cmake(source.data) if hip and source.language == "shell" else frozenset()
    for match in DEFINED.finditer(code):
        if match[1] in chosen:
            continue
        at = len(code[: match.start()].encode())
        needs, cuda = (inside.needs(at), inside.is_for_cuda(at)) if inside is not None else ((), False)
        macros[match[1], needs, cuda] = code.count("\n", 0, match.start()) + 1, match[2] or ""
    for name in _of_others(text) if hip else ():
        macros.setdefault((name, _OTHER, False), (0, ""))
    number = code.count("\n", 0, tool.start()) + 1 if tool else 0
    return FileEvidence(
        source.path,
        macros=tuple(
            BuildMacro(name, line, hip and line > 0, hip, needs, cuda=cuda, value=value)
            for (name, needs, cuda), (line, value) in sorted(macros.items())
        ),
        switches=() if inside is None else tuple(sorted(inside.switches)),
        cuda_switches=() if inside is None else tuple(sorted(inside.cuda_switches)),
        build=(number, code.splitlines()[number - 1].strip()[:100]) if tool and source.language == "make" else None,
        hipifies=renamed.line,
        hipified=renamed.sources,
    )


def _renamed(source: SourceFile) -> port_hipify.Hipified:
    """The sources that recipes of a Makefile run hipify on by name: what variables of Make hold is not followed."""
    if source.language != "make" or b"hipify" not in source.data:
        return port_hipify.Hipified()
    recipes = (line for line in source.data.splitlines() if line.startswith(b"\t") and b"hipify" in line)
    return port_hipify.Hipified(
        sources=port_hipify.of_shell(b"\n".join(one.lstrip(b"\t@-+") for one in recipes)).sources
    )


def _given_to_cmake(data: bytes) -> frozenset[str]:
    """The names that a script gives to CMake and to nothing else: `cmake -DLIB_FAST=ON ..`."""
    sides: dict[bool, set[str]] = {True: set(), False: set()}
    for command in shell.read(data, Span(0, len(data))).commands:
        text = " ".join(word.text for word in command.words)
        sides[command.name == "cmake"].update(match[1] for match in DEFINED.finditer(text))
    return frozenset(sides[True] - sides[False])


def _of_others(text: str) -> set[str]:
    """The macros that a Makefile would set in other builds than HIP's: their settings are comments."""
    given = (match[1] for match in _DISABLED.finditer(text) if not _HIPS.search(match[1]))
    return {match[1] for settings in given for match in DEFINED.finditer(settings)}
