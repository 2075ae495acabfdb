"""Projects of Visual Studio that compile CUDA code by the rules which CUDA's toolkit gives MSBuild, or VCBuild before.

Up to Visual Studio 2008 a project is a `.vcproj`: it names a file of rules, `Cuda.rules`, or calls nvcc in a step.
A project without those rules may include CUDA's headers and link its libraries: a program that compiles its kernels at
run time. A sheet of properties, `.props`, is part of the projects that import it. Nothing is rewritten: HIP SDK for
Windows has rules of its own, in an extension of Visual Studio. One place is found.
"""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {".vcxproj": "visual-studio", ".vcproj": "visual-studio", ".props": "visual-studio"}
PART = "build"
_LIBRARY = (
    rb"(?:cuda|cudart(?:_static)?|cudadevrt|cu(?:blas|blasLt|dnn|fft|fftw|rand|solver|sparse|pti)\w*|npp\w+|nvrtc\w*"
    rb"|nvjpeg\w*|nvml|nvToolsExt\w*)\.lib"
)
"""A library of CUDA's toolkit: `cuda.lib`, `cudart_static.lib`, `nvrtc.lib`, `cudnn64_8.lib`."""
_FOLDER = rb"\$\(CUDA_PATH(?:_V[\d_]+)?\)"
"""The folder of the toolkit: `$(CUDA_PATH)`, `$(CUDA_PATH_V12_3)`."""
TRIGGER = re.compile(
    rb"CudaCompile|\bCUDA [\w.$()]+\.(?:props|targets)|(?i:cuda[\w.-]*\.rules|\bnvcc\b|\bcudart)"
    rb"|\$\(CUDA_PATH|(?:cu|npp|nv)\w+\.lib\b"
)
"""Bytes that make a project worth reading."""
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_BUILT = re.compile(
    rb"<Import\b[^>]*?\bProject\s*=\s*\"[^\"]*?(?P<rules>\bCUDA [\w.$()]+\.(?:props|targets))\""
    rb"|<(?P<compiled>CudaCompile)\b(?=[^>]*?\bInclude\s*=)"
    rb"|<(?P<set>CudaCompile)\s*>(?=(?:(?!</CudaCompile)[^$]|\$\((?!CUDA_PATH))*?(?:<CodeGeneration>\s*\w|\$\(CUDA_PATH))"
    rb"|<(?:Default)?ToolFile\b[^>]*?\b(?:FileName|RelativePath)\s*=\s*\"(?:[^\"]*[\\/])?(?P<file>(?i:[\w.-]*cuda[\w.-]*\.rules))\""
    rb"|\bCommandLine\s*=\s*\"[^\"]*?(?P<step>(?i:\bnvcc(?:\.exe)?\b))"
    rb"|\bAdditionalDependencies\s*=\s*\"[^\"]*?(?P<library>(?i:\bcudart\w*\.lib))"
)
"""The rules of a release of CUDA's, `CUDA 12.3.props`, a source that they compile, or settings for such sources that
name GPUs or the toolkit's folder, as no rules write by themselves; in older projects the file of the rules,
`NvCudaRuntimeApi.v5.5.rules`, a step that calls nvcc, or the library that the link takes.

Source: the projects that NVIDIA's SDK up to 4.2 has; Microsoft, "Visual C++ Project Files"."""
_USED = re.compile(
    rb"<(?P<tag>AdditionalDependencies|AdditionalIncludeDirectories|AdditionalLibraryDirectories|IncludePath|LibraryPath)\b"
    rb"[^<>]*>[^<]*?(?:(?<=[;>\s])(?P<library>" + _LIBRARY + rb")(?=[;<\s])|(?P<folder>" + _FOLDER + rb"))"
)
"""What a project links, or a folder in which it looks for headers or libraries."""
NAME = "project of visual studio with CUDA"
USES = "project of visual studio with CUDA's libraries"


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    code = _COMMENT.sub(lambda match: b" " * len(match[0]), source.data)
    match = _BUILT.search(code)
    if match is not None:
        return ProjectFile(source, [use_at(NAME, *match.span(match.lastgroup or 0))])
    match = _USED.search(code)
    if match is None:
        return ProjectFile(source)
    return ProjectFile(source, [use_at(USES, *match.span("library" if match["library"] else "folder"))])


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0
