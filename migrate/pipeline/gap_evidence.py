"""What shows that a place which a HIP port does not answer fails with HIP. Without it, the place is no gap.

A port compiles: that a name of CUDA's would stop its build speaks against what was read, not against the port, as long
as nothing shows that the build reads the name. A false gap costs more than a missed one, so that what is not shown is
counted, and neither listed as a gap nor priced.
"""

from __future__ import annotations

from cudamigrate.cuda.conditions import value_with
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding
from cudamigrate.model.port_facts import NO_BUILD, UNSEEN, PortFacts
from cudamigrate.pipeline import files_left_out
from cudamigrate.pipeline.cross_file import OLD_HIP

OPEN = "under conditions that no build for HIP was seen to meet"
NO_MACHINE = "in images, packages and scripts, which nothing was seen to use with HIP"
NOT_RUN = "in Python, which nothing was seen to run with HIP"
REFUTED = "that would stop the build for HIP, which the port has"
NO_WAVE = "in warp-level code that sees no constant of the port's for the wave"
UNDECIDED = "that AMD may do otherwise, without a sign that the code minds"
BY_OPTION = "for CUDA alone by an option that HIP's side has nothing of"
BY_CHOICE = "in programs that the build skips without CUDA"
ASIDE = "in tests, benchmarks and examples that HIP's side has nothing of"
OTHERWISE = "in files of CUDA's side whose work HIP's side may do in files of its own"
BY_HEADER = "in files that include a header of CUDA's, which no build was seen to leave out for HIP"
DOUBTS = frozenset(
    (UNSEEN, OPEN, NOT_RUN, NO_MACHINE, REFUTED, NO_WAVE, UNDECIDED, BY_OPTION, BY_CHOICE, ASIDE, OTHERWISE, BY_HEADER)
) | {NO_BUILD}
_CODE = ("cuda", "cxx")
_OF_CUDA = re.compile(r"_*(?:cu|nv|npp|nccl|thrust|at|c10|torch|[A-Z])|.*::")
"""How names begin that are a library's of CUDA, a macro or a type, or have a scope before them."""
_NAMES = ("api", "library")
"""Groups of rules on names: a shim, which gives HIP the others, lacks one."""

_LIBRARY = "build/flag-library-"
_FOLDER = "build/cmake-rocm-folder"
_READS = re.compile(r"\s*include\s*\((?!.*\bOPTIONAL\b)")
"""A command of CMake that fails where the file is not there. Another folder to look in, or a text, fails nothing."""
_PLATFORM, _OLD = "build/old-platform-macro", "__HIP_PLATFORM_HCC__"
_FLAG = "build/flag-platform-hcc"
_COMMAND = re.compile(r"\b(\w+)[ \t]*\((?:[ \t]*(?:APPEND|PREPEND)\b)?[ \t]*(\w+)?")
"""A command of CMake and the variable that it changes: `list(APPEND HIP_FLAGS`, `set(FLAGS`, `add_definitions(`."""
_HOST = re.compile(r"CMAKE_(?:C|CXX)_FLAGS")
_CONDITION = re.compile(r"\s*#\s*(?:(?:el)?if(?P<defined>n?def\b)|(?:el)?if\b)(?P<text>[^/]*)")
"""A condition in a line, up to a comment: `#if A && B`, `#elifdef A`."""

HEADER = "build/port-missing-header"
"""The rule on a library that a shim gives names of, and whose header nothing includes."""

OF_AMD = frozenset(
    (
        *("warp/half-wave-leader", "warp/wide-macro", "warp/cut-mask", "warp/lane-shift", "warp/lane-element"),
        *("warp/lane-past-end", "warp/wave-mask-shift", "build/cmake-port-language", "build/cmake-port-library"),
        *(files_left_out.FUNCTION, HEADER),
    )
)
"""Rules on what a port has written for AMD, or lacks: no port answers them, and the code itself shows that it fails."""

UNDECLARED = "undeclared for HIP"
"""The fact of a finding on a name of CUDA's that its file, HIP's alone, sees no declaration of."""

_OF_TARGET = frozenset(("texture/fetch", "texture/surface-access"))
"""Rules on what the compiler refuses for some of AMD's GPUs: a port that was built for others says nothing of it."""


def is_lacking(finding: Finding, port: PortFacts) -> bool:
    """Whether a file that is HIP's alone has a name that nothing declares there: known by a fact, or a function's.

    CUDA's compiler declares some functions by itself, and HIP has them not. Names with a prefix of CUDA's may be macros
    of a shim there. One such as `umin` is nothing's but the compiler's, and a name that the project defines is found
    nowhere in it.
    """
    if finding.path not in port.hip_files:  # asked first: a fact is read from the whole finding
        return False
    if finding.fact(UNDECLARED) is not None:
        return True
    own = finding.name != "" and _OF_CUDA.match(finding.name) is None
    missing = finding.group == "api" and finding.outcome == "compile-error" and finding.unconditional
    return own and missing


def is_linked(finding: Finding, port: PortFacts) -> bool:
    """Whether a build links a library of CUDA's for HIP too, by an option in no branch that is CUDA's."""
    option = finding.rule.startswith(_LIBRARY) and finding.outcome == "compile-error"
    return option and finding.position.line in port.links.get(finding.path, ())


def doubt(finding: Finding, result: FileResult, port: PortFacts, wave: str) -> str:
    """Why nothing shows that a place fails with HIP, empty where it is shown; `wave` is the constant that it sees."""
    if finding.rule in OF_AMD or is_lacking(finding, port) or is_linked(finding, port):
        return ""
    if finding.rule == _FOLDER and not _READS.match(finding.excerpt):
        return UNDECIDED
    if finding.rule == _FLAG and not _is_for_host(finding, result.language, port):
        return UNDECIDED
    if result.language not in _CODE:
        in_python = finding.group == "python" or result.language in ("python", "notebook")
        return NOT_RUN if in_python else NO_MACHINE if finding.group in ("environment", "packages") else ""
    if finding.path not in port.compiled:
        return BY_CHOICE if finding.path in port.aside else NO_BUILD if finding.path in port.elsewhere else UNSEEN
    if finding.rule in OLD_HIP:
        return OPEN if finding.rule == _PLATFORM and not _decides(finding, port) else ""
    if not finding.unconditional:
        return OPEN
    if finding.group == "warp" or finding.rule in _OF_TARGET:
        return "" if wave or finding.group != "warp" else NO_WAVE
    if finding.group in _NAMES and finding.name and finding.outcome == "compile-error":
        return "" if finding.path in port.through_shim else REFUTED
    return "" if finding.group == "ptx" else UNDECIDED


def is_seen(path: str, port: PortFacts) -> bool:
    """Whether something shows that HIP compiles a file, or one that does its work."""
    if port.hipify or path in port.compiled or path in port.through_shim or path in port.hipified:
        return True
    return path in port.equivalents or path in port.hip_files or path in port.shims


def _is_for_host(finding: Finding, language: str, port: PortFacts) -> bool:
    """Whether the compiler of the host gets an option, and no new one beside it: HIP's own compiler needs neither."""
    if "__HIP_PLATFORM_AMD__" in finding.above + finding.excerpt + finding.below:
        return False
    if language != "cmake":
        return True
    commands = list(_COMMAND.finditer(f"{finding.above}\n{finding.excerpt}"))
    if not commands:
        return False
    name, variable = commands[-1].groups()
    every = name.lower() in ("add_definitions", "add_compile_definitions", "add_compile_options")
    return every or variable in port.to_host or _HOST.match(variable or "") is not None


def _decides(finding: Finding, port: PortFacts) -> bool:
    """Whether a condition turns on the macro that it asks for, whatever else it asks.

    Where the release of HIP is asked too, the branch may be one for old releases, which had the macro.
    """
    match = _CONDITION.match(finding.excerpt)
    if match is None:
        return False
    text = match["text"].strip().encode()
    text = text if not match["defined"] else (b"!" if match["defined"] == "ndef" else b"") + b"defined(%b)" % text
    others = frozenset(mark.encode() for mark in port.marks if mark.lstrip("?!-") != _OLD)
    values = {value_with(text, others | {mark + _OLD.encode()}, True) for mark in (b"", b"!")}
    return values == {True, False}


def doubt_of_file(result: FileResult, port: PortFacts) -> str:
    """The same of a file that HIP's side has nothing of."""
    place = port.cuda_only.get(result.path, "")
    if result.path not in port.lacking and not place:
        return BY_CHOICE if result.path in port.aside else BY_HEADER
    if files_left_out.is_aside(result.path):
        return ASIDE
    kind = port.undecided.get(result.path) or port.undecided.get(place)
    return {"option": BY_OPTION, "unlike": OTHERWISE}.get(kind or "", "")
