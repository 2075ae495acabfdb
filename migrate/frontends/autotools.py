"""Configure scripts and what they are made from: nvcc, CUDA's folders, options of nvcc, and checks for CUDA's parts.

`configure.ac`, m4 macros and the `configure` that a release ships, or that somebody wrote as a shell script, are read
line by line without comments. Variables keep their names, as Makefiles get them by these. A variable is taken for the
folder of the CUDA toolkit where a path of the toolkit follows it, or is its value. A script that knows hipcc or an
option for HIP has one use, which says so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator

from cudamigrate.analysis import configured_programs
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import compiler_options, library_files, shell_cases, shell_options
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {
    "configure.ac": "autotools",
    "configure.in": "autotools",
    "configure": "autotools",
    "configure.sh": "autotools",
    ".m4": "autotools",
}
PART = "build"
TRIGGER = re.compile(rb"nvcc|cuda|nvidia-smi|" + compiler_options.MARKS, re.IGNORECASE)
"""Bytes that make a configure script worth reading, in any case: `nvcc`, `cuda`, `nvidia-smi` or an option of nvcc."""

_COMMENT = re.compile(rb"(?:^|(?<=[ \t]))(?:#(?![!])|dnl\b)[^\n]*", re.MULTILINE)
"""`# ...` or `dnl ...` up to the end of the line; in a script also after a blank."""
_PORTED = re.compile(rb"(?<![\w-])hipcc\b|(?:with|enable)[-_](?:hip|rocm)\b|AC_ARG_(?:WITH|ENABLE)\(\[?(?:hip|rocm)\b")
"""What shows that HIP is configured already: hipcc, `--with-rocm`, `enable_hip`."""
_VARIABLE = rb"\$(?:\{(?P<braced>\w+)\}|(?P<bare>\w+))"
_ANY_VARIABLE = re.compile(_VARIABLE)
_ROOT = rb"(?:/usr/local|/opt)/cuda(?:-\d+(?:\.\d+)?)?(?![\w.-])"
_IN_TOOLKIT = re.compile(
    _VARIABLE + rb"/(?:bin/(?:nvcc|cuda-gdb|ptxas)\b|include/(?:cuda|cublas|cufft)\w*\.h\b|targets/x86_64-linux\b)"
)
"""A variable before a path of the toolkit: `$with_cuda/bin/nvcc`, `${path}/include/cuda.h`."""
_IS_ROOT = re.compile(rb"(?<![\w-])(\w+)=[\"']?" + _ROOT + rb"/?[\"']?(?=[\s;\])]|\Z)")
"""A variable whose value is a folder of the toolkit: `cuda_path="/usr/local/cuda"`, `[cuda_path=/usr/local/cuda])`."""
_IS_INCLUDE = re.compile(rb"(?<![\w-])(\w+)=[\"']?" + _ROOT + rb"/include/?[\"']?\s*$", re.MULTILINE)
"""A variable whose value is the toolkit's folder of headers: `cuda_include="/usr/local/cuda/include"`."""
_COPIED = re.compile(rb"(?<![\w-])(\w+)=[\"']?\$\{?(\w+)\}?/?[\"']?\s*$", re.MULTILINE)
_BELOW = re.compile(
    rb"/((?:targets/x86_64-linux/lib|targets/x86_64-linux/include|lib64|lib\$\{?\w+\}?)(?![\w-])"
    + library_files.STUBS.encode()
    + rb")"
)
"""A folder of libraries after the toolkit's, `lib$SUFFIX` too, or that of a platform's headers."""
_HELD = re.compile(rb"/(\$(?:\{(\w+)\}|(\w+)))(?![\w-])")
"""A folder that a variable holds, after the toolkit's: `$CUDA_HOME/$libdir`."""
_SETS = re.compile(rb"(?<![\w$-])(\w+)=([^\s;)\]]*)")
_LIBRARY_FOLDERS = frozenset((b"lib", b"lib32", b"lib64", b"Win32", b"x64"))
"""Folders of libraries: in the toolkit's, and on Windows in `lib` of that."""
_PATH = re.compile(rb"(?:" + _VARIABLE + rb"|" + _ROOT + rb")/[\w./${}-]*\Z")
"""What is before the name of a file in a path below a variable or the toolkit's folder: `$prefix/lib$SUFFIX/`."""
_HEADER = re.compile(rb"/include/(cuda_runtime(?:_api)?\.h|cuda\.h)(?![\w.])")
_INCLUDE = re.compile(rb"-I[ \t]*(?:" + _VARIABLE + rb"|" + _ROOT + rb")(?:/targets/x86_64-linux)?/include/?(?![\w/])")
_INCLUDE_HELD = re.compile(rb"-I[ \t]*" + _VARIABLE + rb"(?![\w/.])")
"""An option for the folder that a variable holds: `-I${cuda_include}`."""
_HOLDS = re.compile(rb"(?<![\w$-])(\w+)=(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\s;\"'`]+)")
_VALUE = re.compile(rb"(?<![\w$-])\w+\+?=(\"(?:[^\"\\\n]|\\[^\0])*\"|'[^'\n]*'|[^\s;\"'`]+)")
"""What a variable is set to, on one line or on lines that go on."""
_FOLDERS_ALONE = re.compile(rb"\s*(?:-I[ \t]*\S+\s*)*")
_OF_ROOT = re.compile(rb"-I[ \t]*" + _ROOT + rb"(?:/targets/x86_64-linux)?/include/?(?![\w/])")
"""What a variable is set to, folders for headers and nothing else, and the toolkit's by its path among these."""
_NAMED = re.compile(
    rb"(?P<version>(?:(?<![\w$.-])nvcc|\$\{?\w*(?i:nvcc)\w*\}?)[\"']?[ \t]+(?:--version|-V)\b)"
    rb"|(?P<help>\$\{?\w*(?i:nvcc)\w*\}?[\"']?[ \t]+(?:--help|-h)\b(?=[^\n`]*(?:compute_|sm_)))"
    rb"|(?P<compiler>(?<![\w$.{-])nvcc(?![\w.=-]))"
    rb"|(?P<path>" + _ROOT + rb")"
    rb"|(?P<asking>(?<![\w.$-])(?:nvidia-smi|deviceQuery)(?![\w.-]))"
)
"""The compiler, also `nvcc --version`, a folder of the toolkit by its path, or what asks for the GPU.

nvcc's help, searched for `compute_`, lists the GPUs that it compiles for.
"""
_NAMES = re.compile(
    rb"\b(?:A[CM]_(?:ARG_(?:ENABLE|WITH|VAR)|SUBST|CONDITIONAL|DEFINE(?:_UNQUOTED)?|(?:PATH|CHECK)_(?:PROGS?|TOOLS?)))"
    rb"[ \t]*\(\s*\[*\s*(?P<name>\w+)"
)
"""The name of an option, a variable, a condition or a macro: by it the script, its user and Makefiles know the thing.

Source: the manuals of Autoconf and Automake, which give the first argument of these so.
"""
_CHECK = re.compile(
    rb"\b(AC_(?:CHECK_LIB|SEARCH_LIBS|CHECK_HEADERS?|CHECK_FUNCS?|CHECK_TYPES?|CHECK_DECLS?))[ \t]*\([\[\s\"']*"
    rb"(lib)?(cuda(?:rt)?|cu(?:blas|fft|rand|sparse|solver|dnn)|nccl|nvrtc"
    rb"|(?:cu(?:da|blas|fft|rand|sparse|solver|dnn|pti)\w*|nvrtc|nccl|nvml|nvToolsExt|nvjpeg|npp\w*)\.h"
    rb"|cuda[A-Z]\w+|cu(?:blas|fft|rand|sparse|solver|dnn)?[A-Z]\w+|(?:nccl|nvrtc)[A-Z]\w+)(?![\w.])"
)
"""A check of autoconf's for a library, header or function of CUDA's."""
_MACRO = re.compile(rb"^[ \t]*(A[XCM]X?_(?!CONFIG|SUBST|DEFUN)\w*(?:CUDA|NVCC)\w*)(?=[ \t]*(?:\(|$))", re.MULTILINE)
"""A macro that looks for CUDA, called at the begin of a line: `AX_CHECK_CUDA`, `ACX_CUDA([11.0])`."""
MACRO = "macro for CUDA"
_ENVIRONMENT = re.compile(
    rb"\$\{?(CUDA_PATH|CUDA_HOME|CUDA_ROOT|CUDA_DIR|CUDA_INSTALL_PATH|CUDA_TOOLKIT_PATH|CUDAHOME|CUDADIR)\b"
)
_ASSIGNED = re.compile(rb"(?<![\w-])(\w+)\+?=")
_PIECE = re.compile(
    rb"\"(?:"
    + shell_options.EXPANSION
    + rb"|[^\"\\\n]|\\[^\0])*\"|'[^'\n]*'|(?:"
    + shell_options.EXPANSION
    + rb"|[^\"'\n])+"
)
"""What is in quotes, or between them, on one line or on lines that go on; quotes in an expansion are its own."""
_CALLED = re.compile(rb"\$\{?\w*nvcc\}?[ \t]", re.IGNORECASE)
_SETS_FLAGS = rb"(?:nvcc|cuda_?(?:cc|nvcc))\w*flags\w*\+?="
_FLAGS = re.compile(_SETS_FLAGS + rb"[\"']?\Z", re.IGNORECASE)
"""What is before options that nvcc alone gets: `NVCCFLAGS="`, or `$NVCC` and a blank."""
_FLAGS_VALUE = re.compile(_SETS_FLAGS + rb"\"([^\"\n]*)", re.IGNORECASE)
_SET_HERE = re.compile(rb"(?<![\w-])(\w+)\+?=\Z")
_FOR_CUDA = re.compile(rb"nvcc|cuda", re.IGNORECASE)
_GPU_BY_DEFAULT = re.compile(rb"(?<![\w$-])(\w+)=[\"']?((?:sm|compute)_\d{2,3}[af]?)(?=[\"'\s;\])]|\Z)")
"""A variable that is set to a GPU of NVIDIA's: `GPU_ARCH=sm_35`."""
_LONGEST_NAME = 200
_IS_SET = (
    rb"(?<![\w$-])(?:%b=[^\s;]*\bnvcc\b|A[CM]_(?:PATH|CHECK)_(?:PROGS?|TOOLS?)[ \t]*\(\s*\[*\s*%b\b[^()]*?\bnvcc\b"
    rb"|set[ \t]+dummy[ \t]+nvcc;[^\0]{0,300}?\bac_cv_(?:path|prog)_%b\b)"
)
"""How a script sets a variable to nvcc, by itself or by autoconf, in what autoconf makes too."""
_GENERATED = re.compile(rb"^# Generated by (GNU Autoconf)\b", re.MULTILINE)
_HEAD = 2000
"""Within how many bytes a script says what made it."""
_COMPILED_CHECK = re.compile(
    rb"\bac_cv_(?:lib|search|header|func|type|have_decl)_(?:lib)?(?:cu(?:da|blas|fft|rand|sparse|solver|dnn)|nccl|nvrtc)"
)
"""The result of a check that compiles a program with a name of CUDA's: `ac_cv_lib_cublas_cublasInit`."""
_OF_M4 = (".m4", ".ac", ".in")
_UNQUOTED = bytes.maketrans(b"[]", b"  ")
"""What m4 makes of its quotes: `[-lcudart]` is an argument by itself."""
_OF_LIBTOOL = re.compile(rb"\b(?:AC|AU)_DEFUN\(\[LT_INIT\]|\b_LT_TAGVAR\(")
"""What only libtool's own macros have: they know nvcc as one compiler of many, and hipcc as another."""
_MESSAGE = re.compile(
    rb"\bAC_MSG_(?:WARN|NOTICE|ERROR|RESULT|CHECKING|FAILURE)\(\[[^\[\]]*\]"
    rb"|\bA[SC]_HELP_STRING\(\[[^\[\]]*\],?[ \t]*\[(?:[^\[\]]|\[[^\[\]]*\])*\]"
    rb"|\bAC_ARG_VAR\(\[?\w+\]?,[ \t]*\[[^\[\]]*\]"
    rb"|\bAC_DEFINE(?:_UNQUOTED)?\([^()\n]*,[ \t]*\[[^\[\]\n]*\](?=\))"
    rb"|(?:^|[{;&|][ \t]*)[ \t]*(?:echo|printf|\$(?:\{)?(?:as_echo|ECHO)\}?)[ \t]+(?:\"(?:[^\"\\]|\\.)*\"|'[^']*')"
    rb"[ \t]*(?:>&[\d$]\w*[ \t]*)?(?=[;}\n]|\Z)",
    re.MULTILINE,
)
"""What a script says to people: a message of autoconf's, or an `echo` to the screen or the log, not to a file."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    parsed = ProjectFile(source)
    if source.path.endswith(".m4") and _OF_LIBTOOL.search(source.data) is not None:
        return parsed
    code = _COMMENT.sub(lambda found: b" " * len(found[0]), source.data)
    uses = sorted(
        dict.fromkeys([*_uses(code, source.path), *configured_programs.uses(source.data, code)]),
        key=lambda use: (use.span, use.name),
    )
    known = _PORTED.search(code)
    if known is not None and uses:
        parsed.ported = True
        uses = [use_at("hip-configure", *known.span())]
    generated = _GENERATED.search(source.data, 0, _HEAD)
    if (
        not parsed.ported
        and generated is not None
        and (_COMPILED_CHECK.search(code) or configured_programs.compiles_cuda(source.data))
    ):
        uses = [use_at("generated configure", *generated.span(1))]
    parsed.uses = uses
    return parsed


def broken(data: bytes) -> int:
    """Words are replaced by words: what was closed stays closed."""
    return 0


def _uses(code: bytes, path: str) -> Iterator[Use]:
    code = _MESSAGE.sub(lambda found: b" " * len(found[0]), code)
    folders, sized = _folders(code), _sized(code)
    yield from _options(code.translate(_UNQUOTED) if path.endswith(_OF_M4) else code)
    named = {one.start("name") for one in _NAMES.finditer(code)}
    cases = shell_cases.read(code) if b"nvcc" in code else None
    for match in _NAMED.finditer(code):
        kind = match.lastgroup or ""
        if match.start() in named or (kind == "compiler" and cases and _asks_others(code, cases, match)):
            continue
        name = {"compiler": "nvcc", "path": "/usr/local/cuda", "version": "nvcc --version"}.get(kind, "GPU by asking")
        yield use_at(name, *match.span(kind))
        if kind == "path":
            yield from _below(code, match.end(), sized)
    for match in _ANY_VARIABLE.finditer(code):
        if (match["braced"] or match["bare"]) in folders:
            yield from _below(code, match.end(), sized)
    yield from _header_options(code, folders)
    yield from _libraries(code, folders)
    for check in _CHECK.finditer(code):
        yield use_at(f"{check[1].decode()} of CUDA", *check.span(3))
    yield from (use_at(f"{MACRO} {one[1].decode()}", *one.span(1)) for one in _MACRO.finditer(code))
    for match in _GPU_BY_DEFAULT.finditer(code):
        if re.search(rb"\bAC_SUBST[ \t]*\([ \t]*\[*%b\b" % match[1], code):
            yield use_at("GPU for Makefiles", *match.span(2))
    own = set(_ASSIGNED.findall(code))
    asked = {match[1]: match.span(1) for match in reversed(list(_ENVIRONMENT.finditer(code))) if match[1] not in own}
    for variable, place in asked.items():
        yield use_at(variable.decode(), *place)


def _asks_others(code: bytes, cases: shell_cases.Cases, match: re.Match[bytes]) -> bool:
    """Whether nvcc is in a pattern of `case` that compares what the script does not set to nvcc.

    Such a branch is for a compiler that people name, as libtool has one for each: its options are that compiler's.
    """
    compared = cases.compared(code, Span(*match.span()))
    if compared is None:
        return False
    names = [one["braced"] or one["bare"] for one in _ANY_VARIABLE.finditer(compared)]
    names += [other for name, other in _COPIED.findall(code) if name in names]
    return not any(re.search(_IS_SET % (name, name, name), code) for name in names)


def _libraries(code: bytes, folders: frozenset[bytes]) -> Iterator[Use]:
    """Files of CUDA's libraries below the toolkit's folder, `$prefix/lib64/libcudart.so`, and others in values."""
    others = list[Span]()
    for library in library_files.of_part(code, 0, len(code)):
        path = _PATH.search(code, max(0, library.start() - _LONGEST_NAME), library.start("file"))
        inside = path is not None and (path["braced"] or path["bare"] or b"") in {b"", *folders}
        if inside and not library["name"].endswith(b".lib"):
            yield use_at(library_files.use_name(library["name"].decode()), *library.span("file"))
        else:
            others.append(Span(*library.span("file")))
    ends = {one.start(1): one.end(1) for one in _VALUE.finditer(code)} if others else {}
    starts = sorted(ends)
    for one in others:
        nearest = bisect_right(starts, one.start) - 1
        if nearest >= 0 and one.end <= ends[starts[nearest]]:
            yield use_at("library file in a value", one.start, one.end)


def _folders(code: bytes) -> frozenset[bytes]:
    """The variables that hold the folder of the CUDA toolkit."""
    found = {match["braced"] or match["bare"] for match in _IN_TOOLKIT.finditer(code)}
    found.update(_IS_ROOT.findall(code))
    found.update(match[1] for match in _ENVIRONMENT.finditer(code))
    pairs = _COPIED.findall(code)
    while more := {name for name, other in pairs if other in found} - found:
        found |= more
    return frozenset(found)


def _header_options(code: bytes, folders: frozenset[bytes]) -> Iterator[Use]:
    """The options for the toolkit's folder of headers."""
    for match in _INCLUDE.finditer(code):
        if (match["braced"] or match["bare"] or b"") in {b"", *folders}:
            yield use_at("include of CUDA", *match.span())
    headers = _header_folders(code)
    for match in _INCLUDE_HELD.finditer(code) if headers else ():
        if (match["braced"] or match["bare"]) in headers:
            yield use_at("include of CUDA", *match.span())
    yield from _other_branches(code, headers)


def _other_branches(code: bytes, headers: frozenset[bytes]) -> Iterator[Use]:
    """The last option in other values of a variable for the toolkit's headers: what one branch sets to its folder, and
    that holds folders for headers alone wherever it is set, is set to that folder elsewhere.
    """
    values: dict[bytes, list[re.Match[bytes]]] = {}
    for match in _HOLDS.finditer(code) if _INCLUDE.search(code) else ():
        values.setdefault(match[1], []).append(match)
    for found in values.values():
        texts = [one["value"].strip(b"\"'") for one in found]
        alone = all(_FOLDERS_ALONE.fullmatch(text) for text in texts)
        if not alone or not any(_OF_ROOT.search(text) for text in texts):
            continue
        for one in found:
            options = list(_INCLUDE_HELD.finditer(code, *one.span("value")))
            names = {each["braced"] or each["bare"] for each in options}
            if options and headers.isdisjoint(names) and _INCLUDE.search(one["value"]) is None:
                yield use_at("include of CUDA", *options[-1].span())


def _header_folders(code: bytes) -> frozenset[bytes]:
    """The variables that hold the toolkit's folder of headers, where the script finds it by its path or is given it.

    What one of them is set to where the toolkit is elsewhere is such a folder too: `cuda_include=$CUDA_INCLUDE`.
    """
    found = set(_IS_INCLUDE.findall(code))
    pairs = _COPIED.findall(code) if found else []
    while more := {one for pair in pairs if not found.isdisjoint(pair) for one in pair} - found:
        found |= more
    return frozenset(found)


def _sized(code: bytes) -> frozenset[bytes]:
    """The variables that hold the name of a folder of libraries, in some builds `lib64`, and nothing else."""
    held: dict[bytes, set[bytes]] = {}
    for match in _SETS.finditer(code):
        held.setdefault(match[1], set()).add(match[2].strip(b"\"'"))
    return frozenset(name for name, values in held.items() if b"lib64" in values <= _LIBRARY_FOLDERS)


def _below(code: bytes, at: int, sized: frozenset[bytes]) -> Iterator[Use]:
    """What follows a folder of the toolkit: the folder of its libraries, or one of its headers."""
    held = _HELD.match(code, at)
    if held is not None and (held[2] or held[3]) in sized:
        yield use_at("lib64 of CUDA", *held.span(1))
    below = _BELOW.match(code, at)
    if below is not None:
        yield use_at("targets of CUDA" if below[1].endswith(b"include") else "lib64 of CUDA", *below.span(1))
        at = below.end(1) - len("/include") if below[1].endswith(b"include") else at
    header = _HEADER.match(code, at)
    if header is not None:
        yield use_at("path of cuda_runtime.h", *header.span(1))


def _options(code: bytes) -> Iterator[Use]:
    """Options that mean nvcc whatever is around them, and all that nvcc alone gets."""
    called, given = [one.end() for one in _CALLED.finditer(code)], _given(code)
    for piece in _PIECE.finditer(code):
        start, end = piece.span()
        if code[start : start + 1] in (b'"', b"'"):
            start, end = start + 1, end - 1
        line = code.rfind(b"\n", 0, piece.start()) + 1
        nearest = bisect_right(called, start) - 1
        by_call = nearest >= 0 and called[nearest] > line
        plain = not by_call and _FLAGS.search(code, max(line, start - _LONGEST_NAME), start) is None
        variable = _SET_HERE.search(code, max(line, piece.start() - _LONGEST_NAME), piece.start()) if plain else None
        plain = plain and (variable is None or variable[1] not in given)
        found = list(shell_options.uses(code, start, end, plain))
        shared = [use for use in found if compiler_options.is_libtools(use)] if plain else []
        if shared and not _is_for_nvcc(code, piece.start(), [use for use in found if use not in shared]):
            found = [use for use in found if use not in shared]
        yield from found


def _given(code: bytes) -> frozenset[bytes]:
    """The variables that the script gives in nvcc's options, and nowhere else: what they hold is for nvcc."""
    inside = Counter(_names_in(one[1] for one in _FLAGS_VALUE.finditer(code)))
    everywhere = Counter(_names_in([code])) if inside else inside
    return frozenset(name for name, many in inside.items() if many == everywhere[name])


def _names_in(texts: Iterable[bytes]) -> Iterator[bytes]:
    """The variables that texts name, each as often as they do."""
    return (one["braced"] or one["bare"] for text in texts for one in _ANY_VARIABLE.finditer(text))


def _is_for_nvcc(code: bytes, at: int, beside: list[Use]) -> bool:
    """Whether options that libtool has too are nvcc's: others are beside them, or the variable is for it.

    That is one which the script gives `$NVCC`, or other options of nvcc's alone, or that is named after CUDA.
    """
    if compiler_options.for_nvcc(beside, code):
        return True
    variable = _SET_HERE.search(code, max(0, at - _LONGEST_NAME), at)
    if variable is None:
        return False
    name = re.escape(variable[1])
    given = re.compile(_CALLED.pattern + rb"[^\n]*\$\{?" + name + rb"\b", re.IGNORECASE)
    values = re.compile(rb"(?<![\w-])" + name + rb"\+?=[\"']?([^\n\"']*)").finditer(code)
    other = (use for one in values for use in compiler_options.uses(compiler_options.words(code, *one.span(1))))
    own = compiler_options.for_nvcc((use for use in other if not compiler_options.is_libtools(use)), code)
    return own or _FOR_CUDA.search(variable[1]) is not None or given.search(code) is not None
