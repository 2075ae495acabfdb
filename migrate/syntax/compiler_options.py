"""Words of a compiler's command line -> uses of its options.

Result: one `Use` of kind `option` for each word that begins with a dash, its `extent` reaching over the argument where
that is a word of its own. Whether an option is one of nvcc's, and what becomes of it, is said by
`rules/build/flags.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import utf8
from cudamigrate.syntax.library_files import OF_ALONE

_TAKES = re.compile(
    r"-gencode|--generate-code|-arch|--gpu-(?:architecture|name)|-code|--gpu-code|-X(?:compiler|ptxas|linker|fatbin|nvlink|cudafe)"
    r"|-Xcuda-(?:ptxas|fatbinary)|-Xarchive|--(?:compiler|ptxas|linker|nvlink|archive|fatbin)-options|--?maxrregcount|-ccbin|--compiler-bindir|-x|-t"
    r"|--threads|--?default-stream|--?cudart|--?cudadevrt|--?diag-(?:suppress|warn|error)|-optf|--options-file"
    r"|--?keep-dir|-rdc|--relocatable-device-code|--?ftz|--?prec-(?:div|sqrt)|--?fmad|--?split-compile(?:-extended)?|--?compress-mode"
    r"|--?std|--?cuda-path|--?time|--machine|--?output-directory|-odir|--linker-options|--include-path|--system-include"
    r"|--library-path|--library|--output-file|--pre-include|--?ftemplate-depth|--dependency-target-name|-hls|-opt-info"
    r"|--host-linker-script|--optimization-info|-ldir|--libdevice-directory|--?target-dir(?:ectory)?|-arbin|--dopt|-dopt"
    r"|--archiver-binary|-brief-diag|--brief-diagnostics|--?device-stack-protector|--?run-args|--x|-jtd|--jump-table-density"
    r"|-Ofc|--Ofast-compile|--?sanitize|--(?:input-|dependency-)?drive-prefix|-idp|-ddp|-dp|--?frandom-seed|--entries"
    r"|--?device-entity-has-hidden-visibility|--?qpp-config|-po"
)
"""Options whose argument follows as a word of its own where it is not joined to them."""
_OF_OTHERS = re.compile(r"--(?:compiler|ptxas|linker|nvlink|archive|fatbin)-options")
"""Options that hand their argument to another program: it may begin with a dash."""
_KINDS = re.compile(r"(all-warnings|cross-execution-space-call|reorder|default-stream-launch)\b")
"""Kinds of warnings that nvcc's `-Werror` takes: `reorder`. Of `-Werror foo`, the second word is something else."""
_LEVEL = re.compile(r"[0-3]\b")
_SOMETIMES = {"-Werror": _KINDS, "--Werror": _KINDS, "-O": _LEVEL, "--optimize": _LEVEL}
"""Options whose argument belongs to them only where it is one of nvcc's."""
_LIBRARY = re.compile(
    r"-l(cudart|cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvrtc|nvToolsExt|cudadevrt|culibos|cuda$|nvjpeg|npp"
    r"|cudpp|gpujpeg|cutil|shrutil|nvblas|cufile|cupti|cutensor|nvJitLink|nvshmem|nvptxcompiler|(?:c10|torch)_cuda$"
    rf"|{OF_ALONE}$)"
)
"""A library of CUDA's to link: `-lcudart`."""
_LINKS = "-l"
"""The option to link a library, whose name may be a word of its own: `-l cudart`."""
_LONG = "--library"
_NAMES_LIBRARY = re.compile(r"[A-Za-z][\w.+-]*\Z")
_PLAIN = re.compile(
    r"-gencode|--generate-code|--?gpu-(?:architecture|code|name)|--?expt-|--?extended-lambda|--?use_fast_math|-lineinfo$"
    r"|--generate-line-info|-Xcompiler|-Xptxas|--ptxas-options|-Xcudafe|-Xfatbin|--fatbin-|-Xnvlink|--?maxrregcount|-ccbin(?::|$)|-ccbin="
    r"|--compiler-(?:bindir|options)|-rdc=|--relocatable-device-code|--?cudart\b|--default-stream|--?diag_suppress|-arch=?(sm|compute)_"
    r"|--?forward-unknown-to-host|--?resource-usage|--?extra-device-vectorization|-Wno-deprecated-gpu-targets|-src-in-ptx"
    r"|--?amdgpu-target=|-D__HIP_PLATFORM_HCC__"
    r"|--?Werror=(?:all-warnings|cross-execution-space-call|default-stream-launch)\b"
    r"|" + _LIBRARY.pattern
)
"""Options that mean nvcc, or a HIP of years ago, whatever is around them."""
_OF_CLANG = re.compile(
    r"--cuda-gpu-arch=(?:sm_|\$)|--(?:no-)?offload-arch=sm_|--no-cuda-gpu-arch=(?:sm_|all)|-xcuda$|--cuda-path="
    r"|--no-cuda-version-check$|--(?:no-)?cuda-(?:include-ptx=|noopt-device-debug$)|--cuda-feature=|--ptxas-path="
    r"|-Xcuda-(?:ptxas|fatbinary)$|-nocuda(?:lib|inc)$"
)
"""Options that mean clang where it compiles CUDA; `--cuda-gpu-arch=gfx906` is HIP's. Source: clang's Options.td."""
CLANG = re.compile(rb"(?:\S*/)?clang(?:\+\+)?(?:-[\d.]+)?")
"""clang as a command, by a path and with a release or not."""
FOR_CUDA = re.compile(
    rb"--cuda-(?:gpu-arch=(?!gfx)|path|include-ptx)|--offload-arch=sm_|--no-cuda-version-check|(?<!\S)-x[ \t]*cuda\b"
    rb"|-Xcuda-|-nocuda(?:lib|inc)\b|(?<=[\w)}])\.cu(?![\w.=,])"
)
"""What makes clang compile CUDA: an option for it, or the source's name, which `.cu` in `$(SRC:.cu=.o)` is none."""
FOR_HIP = re.compile(rb"(?<!\S)-x[ \t]*hip\b|--(?:offload|cuda-gpu)-arch=gfx")
"""What makes clang compile HIP, sources that end in `.cu` too."""
_OF_GPUS = ("-arch", "-code")
_GPU = re.compile(r"[\"']?(?:sm|compute)_\d")
_OLD = re.compile(r"--?amdgpu-target=|-D__HIP_PLATFORM_HCC__")
MARKS = (
    rb"gencode|--generate-code|use_fast_math|-lineinfo|generate-line-info|expt-|extended-lambda|ptxas|Xcompiler|maxrregcount"
    rb"|Xcudafe|Xfatbin|-l[ \t]*(?:nccl|cu|nv)|--default-stream|relocatable-device|amdgpu-target|HIP_PLATFORM_HCC"
    rb"|EIGEN_USE_GPU"
)
"""A pattern that matches wherever an option stands which means nvcc by itself."""
_CALL = re.compile(rb"[^-\"'\s][^\"'\s]*,(?=-[A-Za-z-])")
"""What is before an option in a call of make's that begins in the same word."""
_WORD = re.compile(rb"(?:\\\r?\n|[ \t\r\n;])+|((?:\\?\"[^\"]*\"|[^\s;\\\"']|\\[^\r\n]|'[^']*')+|\\|[\"'])")
"""What parts words (blanks, `;`, joined lines), or a word, with quotes in it too: `-DA="b c"`; a stray quote is one."""

_NVIDIA = re.compile(r"(?:^|[=,\[])(?:sm|compute)_|^(?:native|all|all-major|\d+)$|^arch=[^,=]+,code=")
"""NVIDIA's GPUs in an option's value: `sm_90`, `arch=compute_80`, `[sm_70`; `native`, `all` and `90` by themselves.

What has an architecture and a code, `arch=${A},code=${B}`, is of nvcc's alone, whatever variables hold.
"""
_VARIABLES = re.compile(r"(?:\$\{(?:[^{}$]|\$\{[^{}$]*\})*\}|\$\([\w.-]+\))+(?=-)")
"""Variables of CMake, their names made of others too, or of make, before an option: `${${out}}-gencode=...`."""
_BOUND = re.compile(rb"[\s\"',;)>\]\\}#]|\Z")
"""What may follow an option, a comment of make's too: nothing that would make it part of a longer word."""
_MARK = re.compile(rb"\\?[\"']\Z")
_BRACKETS = ((b"(", b")"), (b"{", b"}"), (b"<", b">"))


@dataclass(frozen=True, slots=True)
class Word:
    """One word as the compiler gets it, and where it is, without quotes around it."""

    text: str
    span: Span


def words(data: bytes, start: int, end: int, angles: bool = True) -> list[Word]:
    """The words between two offsets: blanks, semicolons and joined lines part them, quotes hold them together.

    Without `angles`, a `>` behind a word closes nothing, and is its last sign.
    """
    found, at = [], start
    while at < end:
        match = _WORD.match(data, at, end)
        if match is None:
            at += 1
            continue
        at = match.end()
        if match[1]:
            begin = match.start(1)
            call = _CALL.match(data, begin, at)
            found.append(_word(data, call.end() if call else begin, at, _BRACKETS if angles else _BRACKETS[:-1]))
    return found


def _word(data: bytes, start: int, end: int, brackets: tuple[tuple[bytes, bytes], ...]) -> Word:
    """A word without the quotes around it and without what closes a call that is around it."""
    text = data[start:end]
    for opening, closing in brackets:
        while text.endswith(closing) and text.count(closing) > text.count(opening):
            text = text[:-1]
    for quote in (b'\\"', b'"', b"'"):
        if len(text) >= 2 * len(quote) and text.startswith(quote) and text.endswith(quote):
            start += len(quote)
            text = text[len(quote) : -len(quote)]
            break
    return Word(utf8.text(text), Span(start, start + len(text)))


_PASSING = ("-Xcompiler", "--compiler-options")
LIBTOOLS = ("-Xcompiler", "-Xlinker")
SINGLE = "-fsingle-precision-constant"
"""The option of GCC's by which `0.1` is a constant of type `float`."""
_NARROW = ":32"
"""What marks the option for a machine of 32 bits."""
_SINGLE = ":single"
"""What marks the name of an option that passes that on."""
CHOOSING = ("-ccbin", "--compiler-bindir")
"""Options that choose the host compiler."""
WRAPPED = ":wrapper"
"""What marks the name of such an option where the compiler is a wrapper, which adds options of its own."""
WRAPPER = re.compile(
    r"(?:\A|[/{\s])(?:mpi(?:cc|cxx|c\+\+|CC|icc|icpc|icx|icpx|gcc|g\+\+)(?![\w.])|MPI_C(?:XX)?_COMPILER\})"
)
"""A compiler for MPI, which adds its include folder and libraries to any command: `/usr/bin/mpic++`.

FindMPI's variables hold one: `${MPI_CXX_COMPILER}`.
"""
_CL = re.compile(r"/[A-Za-z][\w:+-]*(?::[\w+-]*\$?[{(]\w+[)}][\w+-]*)?(?=[\s,\"']|\Z)(?![^\"']*\.(?:o|a|so|obj|lib)\b)")
"""An option of Microsoft's compiler, `/EHsc`: a slash and one word, while a path has a second slash or an ending.

The value of one may be a variable's: `/std:c++{standard}`.
"""


def uses(given: Iterable[Word], plain: bool = False) -> Iterator[Use]:
    """Uses of options among the words of one command line.

    With `plain`, only those which mean nvcc whatever is around them: for words that may be for another compiler.
    """
    queue, at = [_behind_variables(word) for word in given], 0
    while at < len(queue):
        word = queue[at]
        at += 1
        behind = queue[at] if at < len(queue) else Word("", word.span)
        if (word.text == _LINKS and _NAMES_LIBRARY.match(behind.text)) or (
            word.text == _LONG and _LIBRARY.match(_LINKS + behind.text)
        ):
            word = Word(_LINKS + behind.text, Span(word.span.start, behind.span.end))
            at += 1
        elif word.text.startswith(f"{_LONG}=") and _LIBRARY.match(name := _LINKS + word.text[len(_LONG) + 1 :]):
            word = Word(name, word.span)
        following = queue[at].text if at < len(queue) else ""
        means_nvcc = not plain or _is_alone(word.text, following) or _names_gpu(word.text, following)
        if not word.text.startswith("-") or not means_nvcc:
            # What is passed on to the host's compiler is no option of this one, whoever reads the line.
            at += word.text in _PASSING and following != "" and _takes(word.text, following)
            continue
        extent, args = word.span, tuple[Span, ...]()
        if following and _takes(word.text, following):
            argument = queue[at].span
            extent, args = Span(word.span.start, argument.end), (argument,)
            at += 1
        name, equals, joined = word.text.partition("=")
        value = queue[at - 1].text if args else joined
        full = f"{name}{_mark(name, value)}{equals}{joined}"
        yield Use("option", full, word.span, extent, args, certainty="syntax")


def _behind_variables(word: Word) -> Word:
    """The option of nvcc's that a word is behind what variables hold, as where a text is made longer: `${all}-G `."""
    before = _VARIABLES.match(word.text)
    if before is None or _PLAIN.match(word.text, before.end()) is None:
        return word
    return Word(word.text[before.end() :], Span(word.span.start + len(before[0].encode()), word.span.end))


def _mark(name: str, value: str) -> str:
    """What marks an option whose value makes it another thing: a host compiler that is a wrapper, options of cl."""
    if name in CHOOSING and WRAPPER.search(value):
        return WRAPPED
    if name in _PASSING and SINGLE in value:
        return _SINGLE
    if name == "--machine" and value == "32":
        return _NARROW
    return ":cl" if name in _PASSING and _CL.match(value.strip("\\\"'")) else ""


def passes_on(name: str) -> bool:
    """Whether an option of that name passes its argument on to the host's compiler, which is not Microsoft's."""
    return name.partition("=")[0].removesuffix(_SINGLE) in _PASSING


def is_libtools(use: Use) -> bool:
    """Whether libtool has an option of that name too, with the same meaning: `-Xcompiler`, `-Xlinker`."""
    return use.name in LIBTOOLS


def is_for_cl(use: Use) -> bool:
    """Whether an option passes on what only Microsoft's compiler takes."""
    return use.kind == "option" and use.name.partition("=")[0].endswith(":cl")


def as_windows(use: Use) -> Use:
    """Such an option where only a build by Microsoft's compiler reads it."""
    return replace(use, name=use.name.replace(":cl", ":cl on windows", 1))


def as_wrapper(use: Use) -> Use:
    """The choice of a host compiler, where that is known to be a wrapper."""
    name, equals, value = use.name.partition("=")
    return replace(use, name=f"{name}{WRAPPED}{equals}{value}")


def _names_gpu(option: str, following: str) -> bool:
    """Whether an option names one of NVIDIA's GPUs by the word after it: `-arch sm_35`."""
    return option in _OF_GPUS and _GPU.match(following) is not None


def _is_alone(option: str, following: str) -> bool:
    """Whether an option, with the word behind it, means a compiler for CUDA whatever is around it."""
    if option == "-x":
        return following == "cuda"  # clang's: nvcc has `-x cu`
    return _PLAIN.match(option) is not None or _OF_CLANG.match(option) is not None


def is_plain(use: Use, data: bytes) -> bool:
    """Whether an option means a compiler for CUDA whatever is around it; `data` has it."""
    return _is_alone(use.name, _following(use, data)) or _is_of_nvcc(use, data)


def _is_of_nvcc(use: Use, data: bytes) -> bool:
    return _PLAIN.match(use.name) is not None or _names_gpu(use.name, _following(use, data))


def _following(use: Use, data: bytes) -> str:
    return data[use.args[0].start : use.args[0].end].decode("utf-8", "replace") if use.args else ""


def for_nvcc(uses: Iterable[Use], data: bytes) -> bool:
    """Whether one of the options is of nvcc's alone: then no other compiler can be given them, clang neither.

    Any compiler links a library.
    """
    return any(_is_of_nvcc(use, data) and not is_library(use) and not is_old(use) for use in uses)


def is_library(use: Use) -> bool:
    """Whether an option links one of CUDA's libraries."""
    return use.kind == "option" and _LIBRARY.match(use.name) is not None


def is_parted(use: Use) -> bool:
    """Whether an option links a library whose name is a word of its own: for other programs, `-l` is another thing."""
    return use.name.startswith(_LINKS) and use.span.end - use.span.start > len(use.name.encode())


def is_old(use: Use) -> bool:
    """Whether a use is an option of a HIP of years ago: it is wrong for AMD too."""
    return use.kind == "option" and _OLD.match(use.name) is not None


def _takes(option: str, following: str) -> bool:
    """Whether the word after an option is its argument."""
    if following.startswith(","):
        return False  # a call of make's goes on
    if option in _SOMETIMES:
        return _SOMETIMES[option].match(following) is not None
    return _TAKES.fullmatch(option) is not None and (
        not following.startswith("-") or option.startswith("-X") or _OF_OTHERS.fullmatch(option) is not None
    )


def value(use: Use, data: bytes) -> str:
    """The argument of an option, joined to it or not, without quotes; empty where it has none.

    A front end may also hand an option over with its argument in the name, after a blank.
    """
    if use.args:
        return _unquoted(data[use.args[0].start : use.args[0].end].decode("utf-8", "replace"))
    option, _, given = use.name.partition(" ")
    joined = use.name.partition("=")[2]  # quotes may hold blanks in it: `-Xcompiler="-g -O3"`
    return _unquoted(joined if "=" in option else given)


def written(use: Use, data: bytes) -> str:
    """The argument of an option as a command line has it, with the quotes that are its own; empty where it has none."""
    if not use.args:
        return use.name.partition("=")[2]
    start, end = use.args[0].start, use.args[0].end
    mark = quote(data, use.args[0])
    return data[start - len(mark) : end + len(mark)].decode("utf-8", "replace")


def _unquoted(text: str) -> str:
    """A text without the quotes around it, those of a text in a text too; one that only ends in quoted text keeps them.

    Of a quote that is one of no pair, the text holds half of what is around it.
    """
    text = text.replace('\\"', '"')
    for mark in ("'", '"'):
        if text.count(mark) % 2:
            text = text.removeprefix(mark) if text.startswith(mark) else text.removesuffix(mark)
    for mark in ("'", '"'):
        while len(text) > 1 and text.startswith(mark) and text.find(mark, 1) == len(text) - 1:
            text = text[1:-1]
    return text


def lacks(use: Use) -> bool:
    """Whether an option has no argument although it must have one: what follows is not known."""
    return _TAKES.fullmatch(use.name) is not None and not use.args


def names_gpus(text: str) -> bool:
    """Whether the value of an option names GPUs of NVIDIA's."""
    return _NVIDIA.search(text) is not None


def whole(data: bytes, use: Use) -> Span | None:
    """The option and its argument; None where what follows it is not known.

    Quotes around the argument belong to it where the option has none of its own.
    """
    start, end = use.span.start, use.args[-1].end if use.args else use.span.end
    given = use.name.partition(" ")[2].encode()
    if given and not data[start:end].endswith(given):
        following = re.compile(rb"[\"']\s*,\s*[rRbBuU]{0,2}[\"'](" + re.escape(given) + rb")(?=[\"'])").match(data, end)
        if following is None:
            return None
        end = following.end(1)
    if use.args and not quote(data, Span(start, end)):
        mark = _MARK.search(data, max(0, use.args[0].start - 2), use.args[0].start)
        if mark is not None and data.startswith(mark[0], end):
            end += len(mark[0])
    return Span(start, end) if _BOUND.match(data, end) else None


def quote(data: bytes, span: Span) -> str:
    """The quote that the text in `span` is the whole content of, empty where it is not."""
    before, after = data[span.start - 1 : span.start], data[span.end : span.end + 1]
    return before.decode() if before == after and before in (b'"', b"'") and span.start else ""
