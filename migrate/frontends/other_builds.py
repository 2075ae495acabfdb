"""Build scripts of systems that are not followed: SCons, Waf, qmake, Premake, xmake, gyp, Buck, Jam, Tup, just, Nix,
and scripts of shells whose commands are not read, as those of Windows.

Nothing is rewritten, as none of them has rules for HIP. One place is found: what shows that a script builds CUDA code.
Of a Nix file each place that asks for packages of CUDA's is found too, where none asks for ROCm's.
Source of their names: nixpkgs' manual, "CUDA" and "ROCm".
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.python_source.scons_tools import NAME
from cudamigrate.syntax.project_file import ProjectFile, use_at

_NAMES = (
    *("SConstruct", "Sconstruct", "sconstruct", "SConscript", "Sconscript", "sconscript", "wscript", "wscript_build"),
    *("xmake.lua", "premake4.lua", "premake5.lua", "BUCK", "TARGETS", "Jamfile", "Jamroot", "Jamfile.v2", "Tupfile"),
    *("SConstruct.*", "SConscript.*", ".pro", ".pri", ".gyp", ".gypi", "justfile", "Justfile", ".justfile", ".just"),
    *(".nix", ".bat", ".cmd", ".ps1", ".csh", ".tcsh", ".fish"),
)
FILES = dict.fromkeys(_NAMES, "other-build")
PART = "build"
TRIGGER = re.compile(rb"nvcc|\.cu\b|cudart|cugencodes|cudaPackages|cudatoolkit|cudaSupport", re.IGNORECASE)
"""Bytes that make a script worth reading."""
_REMARK = re.compile(
    rb"(?P<kept>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|\"\"\".*?\"\"\"|'''.*?'''|\#[^\n]*|--[ \t][^\n]*"
    rb"|^[ \t]*(?:@?rem\b|::)[^\n]*",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
"""A literal, or what no build system reads: a text of three quotes, a comment of `#`, `rem`, or Lua's `--`."""
_BUILT = (
    re.compile(rb"(?<![\w.-])nvcc(?:\.exe)?(?![\w.-])"),
    re.compile(rb"[\w*./$(){}+-]*[\w*]\.cu(?![\w.])|(?<=['\"])\.cu(?=['\"])"),
    re.compile(rb"\bNVCC\w*|\b(?:lib)?cudart\b|\badd_cugencodes\b"),
)
"""What shows that a script builds CUDA code, the most telling first: the compiler, a source, its options, a library."""


_LEFT_BEHIND = (b"\ngoto VCEnd", b"\n:VCReportError", b"\n:VCEnd")
"""What VCBuild of Visual Studio up to 2008 writes around the commands of one step, in a file `BAT00001.bat` of the
output folder that it runs once: a repository that has one builds nothing with it.
"""
_NIX_REMARK = re.compile(rb"(?P<kept>\"(?:[^\"\\\n]|\\.)*\")|\#[^\n]*|/\*.*?\*/", re.DOTALL)
_NIX_ASKS = re.compile(
    rb"(?<![\w'-])(?P<name>cudaPackages(?:_\d+)*(?:\.(?!override|callPackage)[A-Za-z_][\w'-]*)*|cudatoolkit(?:_\d+)*|cudaSupport)"
    rb"(?![\w'-])(?P<set>\s*=\s*\w+)?"
)
"""NVIDIA's packages in Nix, alone or of a set, and the setting that has all packages built with CUDA."""
_NIX_ROCM = re.compile(rb"\brocm(?:Packages|Support)")


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    if source.path.lower().endswith(".bat") and all(mark in source.data for mark in _LEFT_BEHIND):
        return ProjectFile(source)
    code = _REMARK.sub(lambda match: match["kept"] or b" " * len(match[0]), source.data)
    match = next((match for one in _BUILT if (match := one.search(code))), None)
    uses = [] if match is None else [use_at(NAME, *match.span())]
    uses += _of_nix(source.data) if source.path.endswith(".nix") else ()
    return ProjectFile(source, sorted(uses, key=lambda use: use.span))


def _of_nix(data: bytes) -> Iterator[Use]:
    """The packages of CUDA's that a Nix file asks for; none of one that knows ROCm's."""
    code = _NIX_REMARK.sub(lambda match: match["kept"] or b" " * len(match[0]), data)
    for match in _NIX_ASKS.finditer(code) if _NIX_ROCM.search(code) is None else ():
        if match["name"] != b"cudaSupport" or (match["set"] or b"").endswith(b"true"):
            yield use_at("CUDA package of Nix", *match.span("name"))


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0
