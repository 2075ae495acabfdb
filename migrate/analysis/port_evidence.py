"""One source file -> what it shows of a HIP port: which branches speak HIP, which CUDA alone, and what they define.

A name of a macro is no evidence. What a branch includes and calls is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from pathlib import PurePosixPath

from cudamigrate.analysis import port_aliases
from cudamigrate.cuda import opened_namespaces
from cudamigrate.cuda.code_files import FILES
from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.port_facts import BranchEvidence, Conditions, FileEvidence, MacroDefinition, SelectingMacro

_CONCERNS = (b"hip", b"rocm", b"amdgcn", b"roctx", b"__global__", b"HIP", b"ROCM", b"Rocm", b"ROCm")
"""What a file has one of that can show anything of a port, or is a kernel that a port may lack; or `_LIBRARY`."""
_LIBRARY = re.compile(rb"\broc[bfprst]")
"""How names of AMD's libraries begin: `rocblas_create_handle`."""
_HIP_HEADER = (
    rb"#[ \t]*include[ \t]*[<\"](?:hip|rocm?|roctx|rocblas|rocfft|rocrand|rocsparse|rocsolver|rocprim|rocthrust|rccl"
    rb"|roctracer|rocwmma|miopen|ck|composable_kernel|amd_smi|hsa|hip(?:blas|fft|rand|sparse|solver|cub|tensor)\w*)"
    rb"(?:[/_.]\w|\w*/)"
)
_HIP = re.compile(
    _HIP_HEADER + rb"|\b(?:hip(?:(?!SYCL)[A-Z]\w|\w+_t\b|(?:blas|fft|rand|sparse|solver)[A-Z_]\w)\w*|__hip_\w+"
    rb"|__builtin_amdgcn_\w+|__ockl_\w+|hipcub\s*::|thrust\s*::\s*hip\b)"
)
"""What HIP code alone says: `hipMalloc`, `hipError_t`, `hiprand_init`, `__hip_bfloat16`, `thrust::hip`. `hipSYCL` is no
name of it."""
_CUDA_HEADER = (
    rb"#[ \t]*include[ \t]*[<\"](?:cuda|cu(?:blas|fft|rand|sparse|solver|dnn|pti|tensor|complex)|cub/|nvml|nvrtc"
    rb"|cooperative_groups|mma\.h|nvtx|nvToolsExt|device_functions|sm_\d)"
)
_CUDA = re.compile(
    _CUDA_HEADER + rb"|\b(?:cuda[A-Z]\w+|cu(?:blas|fft|rand|sparse|solver|dnn)[A-Z_]\w+|thrust\s*::\s*cuda\b)"
)
"""CUDA's headers and names of its runtime and libraries: `cudaMalloc`, `cublasCreate`, `thrust::cuda`."""
_SPEECH = re.compile(_HIP.pattern + rb"|" + _CUDA.pattern)
_BEGINNINGS = tuple(
    b"# hip __hip_ __builtin_amdgcn_ __ockl_ cuda cublas cufft curand cusparse cusolver cudnn thrust".split()
)
_NAME = re.compile(rb"[A-Za-z_]\w*")
_FUNCTION_MACRO = re.compile(rb"(?P<name>\w+)\((?P<parameters>[^()]*)\)(?P<body>.*)", re.DOTALL)
_VENDORS = re.compile(rb"_*(?:hip|HIP|roc|ROC|miopen|rccl|cu[A-Z]|cuda|CU|cub|nv|NV|nccl|__)")
"""How names of HIP's and CUDA's begin: what is given to another one, is given to a third vendor."""
_MANY = 3
_CONSTANT = re.compile(
    rb"\b(?:constexpr|const)\s+(?:static\s+|inline\s+)?(?:bool|auto)\s+(?P<name>\w+)\s*"
    rb"(?:=\s*(?P<value>[^;{}?\n]{1,120});|\{\s*(?P<braced>\w+)\s*\}\s*;)"
)
"""A flag: `constexpr bool kHip = true;`, `const bool kHip{true};`. A value with `?` or braces is not simple."""
_TERM = rb"[!(\s]*[\w:]+[)\s]*"
_TRUTH = re.compile(_TERM + rb"(?:(?:&&|\|\||[=!<>]=|[<>])" + _TERM + rb")*")
"""What is true or false: names, comparisons and what joins them. `0.25 * x` is a number, `a & b` is one, too."""
_GIVEN = re.compile(rb"(?<=\w)(?:<[^<>]*>|\([^()]*\))")
"""What a template or a function is given: `<A, B>` of `is_same_v<A, B>`."""
OF_CUDA = ("__CUDA_ARCH__", "__CUDACC__", "__CUDACC_VER_MAJOR__", "__NVCC__", "CUDART_VERSION", "CUDA_VERSION")
"""Macros of CUDA's compiler and headers, which nothing of HIP's defines; a port may do so itself."""
WIDE = (b"64", b"warpSize", b"__AMDGCN_WAVEFRONT_SIZE", b"__AMDGCN_WAVEFRONT_SIZE__")
"""What a constant is that follows AMD's wave."""
OTHER = b"?"
"""What stands for a value that is not simple: the macro is defined, and that is all that counts."""
_SIMPLE = (b"", b"0", b"1", b"true", b"false", b"32", *WIDE)
_WAVE = re.compile(rb"\b(?:constexpr|const)\s+(?:unsigned\s+)?(?:\w+\s+){1,2}(\w+)\s*(?:=|\{)\s*(32|64)\s*[;}]")
"""A constant that is a wavefront's size: `constexpr int kWarp = 64;`, its type of at most three words."""
_RETURNED = re.compile(rb"\breturn\s+(32|64)\s*;")
_CALL = re.compile(rb"[\s(]*(\w+)\s*\(\s*\)[\s)]*")
"""A call without arguments, in brackets or not: `(wave_size())`."""
_SCOPE = re.compile(
    rb"\b(namespace|class|struct|union)\s+(?:\w+\s+)*?([A-Za-z_][\w:]*)\s*(?:final\s*)?(?::[^;{}()]*)?\{"
)
"""What encloses names: `namespace a::b {`, `struct Traits : Base {`. A `;` or `(` is of no body's beginning."""
_KERNEL = re.compile(rb"__global__[^;{}=]{0,300}?\b(?!__\w+__)(\w+)\s*(?:<[^;{}()]{0,120}>\s*)?\(")
"""The name of a kernel: `__global__ void name(`. `__launch_bounds__` also precedes a `(`, and is no name."""
_FUNCTION = re.compile(rb"\b(\w+)\s*\([^;{}()#]*\)\s*(?:const\s*)?\{")
"""A body after a list in brackets: `f(int a) const {`, but also `if (x) {`. With `#`, a directive is in between."""
_INCLUDE = re.compile(rb'#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]')
"""An include, with the mark that opens its path: `"a.h"` is looked for in the repository, `<a.h>` may not be."""
_LOADED = re.compile(rb'(?:dlopen|LoadLibrary\w*)\s*\(\s*(?:TEXT\s*\(\s*)?L?"((?:lib)?amdhip64[\w.]*)"')
"""HIP's runtime opened by its name: `dlopen("libamdhip64.so", RTLD_NOW)`, `LoadLibraryA("amdhip64.dll")`."""
_CUDA_ONLY = re.compile(_CUDA_HEADER)
_WORD = re.compile(r"[A-Za-z_]\w*")


def of(
    source: SourceFile,
    known: Set[str],
    guards: Sequence[str],
    wanted: Sequence[bytes] = (),
    shared: Set[bytes] = frozenset(),
) -> FileEvidence | None:
    """What a C++ file shows; None where it shows nothing.

    `known` are the last parts of the paths of the repository: other includes lead out of it. `guards` are the macros
    that are known to mark HIP, `wanted` others that are asked for in it. `shared` are names of HIP's that the
    repository defines for CUDA: a branch that has them says nothing of the vendor.
    """
    names = {(mark == b'"', raw.decode("latin-1")) for mark, raw in _INCLUDE.findall(source.data)}
    includes = tuple(sorted({path for _, path in names if path.rpartition("/")[2] in known}))
    unknown = sorted(path for quoted, path in names if quoted and path.rpartition("/")[2] not in known)
    opens = tuple(opened_namespaces.declared(source.data))
    if not _concerns(source.data, wanted):
        left = tuple(path for path in unknown if PurePosixPath(path).suffix.lower() not in FILES)
        shown = FileEvidence(source.path, includes=includes, unknown=left, opens=opens)
        return shown if includes or left or opens else None
    made = _Reader(source, guards, shared).evidence()
    return replace(made, includes=includes, unknown=tuple(unknown), opens=opens)


def _concerns(data: bytes, wanted: Sequence[bytes]) -> bool:
    """Whether a file can show anything: asked word by word, which is faster than one pattern for all."""
    if any(word in data for word in (*wanted, *_CONCERNS)):
        return True
    if b"roc" in data and _LIBRARY.search(data) is not None:
        return True
    return b"#if" in data and _CUDA_ONLY.search(data) is not None


class _Reader:
    """One file being read."""

    def __init__(self, source: SourceFile, guards: Sequence[str], shared: Set[bytes]) -> None:
        self.source, self.lexed, self.guards, self.shared = source, lex(source.data), guards, shared
        self.branches = branches(self.lexed, [name.encode() for name in guards])
        self.starts = [one.start for one in self.branches]
        self.parents: list[int] = []
        for one in self.branches:
            at = len(self.parents) - 1
            while at >= 0 and self.branches[at].end <= one.start:
                at = self.parents[at]
            self.parents.append(at)

    def evidence(self) -> FileEvidence:
        """All of it but what it includes."""
        speech = list(self._speech())
        outside = [hip for branch, hip, _ in speech if branch is None]
        aliases = set(port_aliases.of(self.lexed))
        return FileEvidence(
            self.source.path,
            hip=any(outside),
            cuda=not all(outside),
            kernels=tuple(sorted({match[1].decode() for match in self.lexed.starting(_KERNEL, b"__global__")})),
            branches=tuple(self._branches([item for item in speech if item[0] is not None])),
            definitions=tuple(self._definitions()),
            aliases=tuple(sorted(aliases)),
            drops=tuple(self._drops()) if aliases else (),
            stand_ins=tuple(sorted(self._stand_ins() - aliases)) if aliases else (),
            guarded=tuple(self._guarded()),
            renamed=self._renamed(),
            for_cuda=tuple(sorted(set(port_aliases.for_cuda(self.lexed)))),
            selects=tuple(self._selects()),
            build=self._loads(),
            asks=bool(self.lexed.words(frozenset(name.encode() for name in self.guards))),
            asked=frozenset(
                word
                for one in self.branches
                for text in one.conditions
                for word in _WORD.findall(text.decode("latin-1"))
            ),
        )

    def _loads(self) -> tuple[int, str] | None:
        """Where code loads HIP's runtime by its name: that is as good as a build that links it."""
        match = next(self.lexed.starting(_LOADED, b"dlopen", b"LoadLibrary"), None)
        return None if match is None else (self.source.position(match.start()).line, f"loads {match[1].decode()}")

    def _around(self, offset: int) -> list[int]:
        """The branches around an offset, outermost first, by their number."""
        at = bisect_right(self.starts, offset) - 1
        while at >= 0 and self.branches[at].end <= offset:
            at = self.parents[at]
        found = []
        while at >= 0:
            found.append(at)
            at = self.parents[at]
        return found[::-1]

    def _conditions(self, offset: int) -> Conditions:
        return tuple(self.branches[at].conditions for at in self._around(offset))

    def _speech(self) -> Iterator[tuple[int | None, bool, int]]:
        """Each word of HIP, or of CUDA: the branch around it, whether it is HIP's, and its place.

        A line that defines a name of one by a name of the other is HIP's.
        """
        sides: set[tuple[int | None, bool]] = set()
        for match in self.lexed.starting(_SPEECH, *_BEGINNINGS):
            inside = self._around(match.start())
            branch = inside[-1] if inside else None
            if (branch, _HIP.match(match[0]) is not None) in sides or (inside and match[0] in self.shared):
                continue
            line = self.source.line(self.source.position(match.start()).line).encode("utf-8", "replace")
            hip = any(not inside or said[0] not in self.shared for said in _HIP.finditer(line))
            sides.add((branch, hip))
            yield branch, hip, match.start()

    def _branches(self, speech: Sequence[tuple[int | None, bool, int]]) -> Iterator[BranchEvidence]:
        first: dict[int, dict[bool, int]] = {}
        for branch, hip, place in speech:
            if branch is not None:
                first.setdefault(branch, {}).setdefault(hip, place)
        alone = {at for at, sides in first.items() if True not in sides}
        headers = {
            self._around(match.start())[-1:][0]
            for match in self.lexed.matches(_CUDA_ONLY)
            if self._around(match.start())
        }
        for at, sides in first.items():
            one, hip = self.branches[at], True in sides
            place = sides[hip]
            yield BranchEvidence(
                self._conditions(place),
                self.source.position(place).line,
                self.source.line(self.source.position(place).line).strip()[:100],
                hip,
                at in alone,
                any(other != at and one.chain == self.branches[other].chain for other in alone),
                at in alone and at in headers,
                len(sides) > 1,
            )

    def _definitions(self) -> Iterator[MacroDefinition]:
        """Macros with a simple value, and constants, in conditionals or made of what conditionals decide."""
        for directive in self.lexed.directives:
            name, value = port_aliases.macro(self.lexed, directive)
            if name and (value in _SIMPLE or name in OF_CUDA):
                yield self._defined(name, value, directive.start, macro=True)
            elif name and self._around(directive.start):
                called = _CALL.fullmatch(value)
                wide = called is not None and called[1] in {one for one, size, _ in self._returned if size == b"64"}
                yield self._defined(name, b"64" if wide else OTHER, directive.start, macro=True)
        for match in self.lexed.starting(_CONSTANT, b"const"):
            value = (match["value"] or match["braced"]).strip()
            if not value.isdigit() and _TRUTH.fullmatch(_GIVEN.sub(b"", value)):
                yield self._defined(match["name"].decode(), value, match.start(), macro=False)
        yield from self._sizes()

    def _sizes(self) -> Iterator[MacroDefinition]:
        """Constants, and functions, that are the size of a wavefront."""
        waves = [(match[1], match[2], match.start(), False) for match in self.lexed.starting(_WAVE, b"const")]
        waves.extend((*one, True) for one in self._returned)
        scopes = list(self._scopes()) if waves else []
        for word, number, start, call in waves:
            around = [(name, kind) for opening, closing, name, kind in scopes if opening < start < closing]
            yield replace(
                self._defined(word.decode(), number, start, macro=False),
                scope="::".join(name for name, _ in around),
                member=bool(around) and around[-1][1] != b"namespace",
                call=call,
            )

    @cached_property
    def _returned(self) -> list[tuple[bytes, bytes, int]]:
        """Functions that return the size of a wavefront, with what they return and where."""
        return list(self._returning())

    def _returning(self) -> Iterator[tuple[bytes, bytes, int]]:
        found = list(self.lexed.starting(_RETURNED, b"return"))
        bodies = list(self.lexed.matches(_FUNCTION, b"{")) if any(match[1] == b"64" for match in found) else []
        for match in found:
            around = [one for one in bodies if one.end() < match.start() < self.lexed.closing(one.end() - 1)]
            if around:
                yield around[0][1], match[1], match.start()

    def _scopes(self) -> Iterator[tuple[int, int, str, bytes]]:
        """The bodies of namespaces and classes, outermost first, with their names and kinds."""
        for match in self.lexed.starting(_SCOPE, b"namespace", b"class", b"struct", b"union"):
            yield match.end() - 1, self.lexed.closing(match.end() - 1), match[2].decode("latin-1"), match[1]

    def _defined(self, name: str, value: bytes, offset: int, macro: bool) -> MacroDefinition:
        return MacroDefinition(name, value, self._conditions(offset), self.source.position(offset).line, macro)

    def _selects(self) -> Iterator[SelectingMacro]:
        """Macros that are one of their arguments, or nothing: `#define HIP_OR_CUDA(a, b) a`, `#define ON_CUDA(a)`."""
        for directive in self.lexed.directives:
            argument = directive.argument(self.lexed.data) if directive.name == "define" else b""
            head, closed, body = argument.partition(b")")
            name, opened, listed = head.partition(b"(")
            parameters = [part.strip() for part in listed.split(b",")]
            body = body.strip()
            if opened and closed and parameters[0] and body in (b"", *parameters) and name.strip() == name:
                chosen = parameters.index(body) if body else -1
                yield SelectingMacro(name.decode("latin-1"), chosen, self._conditions(directive.start))

    def _guarded(self) -> Iterator[tuple[str, Conditions]]:
        """The includes that are in conditionals alone."""
        found: dict[str, list[Conditions]] = {}
        for directive in self.lexed.directives:
            match = _INCLUDE.match(self.lexed.data, directive.start) if directive.name == "include" else None
            if match is not None:
                found.setdefault(match[2].decode("latin-1"), []).append(self._conditions(directive.start))
        for path, places in found.items():
            if all(places):
                yield from ((path, conditions) for conditions in places)

    def _stand_ins(self) -> set[str]:
        """Names that the file defines itself, as macros or functions: in a shim they stand for CUDA's."""
        macros = {port_aliases.macro(self.lexed, directive)[0] for directive in self.lexed.directives}
        functions = {match[1].decode() for match in self.lexed.matches(_FUNCTION, b"{")}
        return (macros | functions) - {"", "if", "for", "while", "switch", "catch"}

    def _drops(self) -> Iterator[str]:
        """Arguments of CUDA's functions that macros of these names leave out: `cublasSetMathMode:1`, counted from 0.

        `cublasSetMathMode:1+` where it and all behind it are left out, as by `#define cublasSetMathMode(a, ...) f(a)`.
        """
        for directive in self.lexed.directives:
            match = _FUNCTION_MACRO.match(directive.argument(self.lexed.data)) if directive.name == "define" else None
            if match is not None and port_aliases.CUDA_NAME.fullmatch(match["name"]):
                used = set(_WORD.findall(match["body"].decode("latin-1")))
                if b"..." in match["parameters"] and "__VA_ARGS__" not in used:
                    yield f"{match['name'].decode()}:{match['parameters'].count(b',')}+"
                for number, parameter in enumerate(match["parameters"].decode("latin-1").split(",")):
                    if _WORD.fullmatch(parameter.strip()) and parameter.strip() not in used:
                        yield f"{match['name'].decode()}:{number}"

    def _renamed(self) -> tuple[str, ...]:
        """CUDA names that macros give to what is neither CUDA's nor HIP's, where they are several."""
        macros = (port_aliases.macro(self.lexed, one) for one in self.lexed.directives if one.name == "define")
        found = {
            name
            for name, value in macros
            if port_aliases.CUDA_NAME.fullmatch(name.encode()) and _NAME.fullmatch(value) and not _VENDORS.match(value)
        }
        return tuple(sorted(found)) if len(found) >= _MANY else ()
