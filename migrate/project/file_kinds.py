"""Files of no known language by their names: what builds are configured with, documentation, and other languages."""

from __future__ import annotations

from cudamigrate.lazy_re import re

CONFIGURING = (".in", ".cmakein", ".ac", ".m4", ".cmake", "/configure")
"""How files end that builds are configured with; which of them say something of code is seen by who reads them."""
NAMING = (
    ".md",
    ".rst",
    ".txt",
    ".tex",
    ".dox",
    ".adoc",
    ".yml",
    ".yaml",
    ".json",
    ".toml",
    ".cfg",
    ".bat",
    ".pl",
    ".nix",
)
"""How files end that say which macros a build may be given: documentation, and what runs builds."""
MODULES = (".cubin", ".fatbin", ".ptx", ".a", ".so")
"""How files of machine code for NVIDIA's GPUs end, of PTX, which is compiled when it is loaded, and libraries."""
PLAIN = re.compile(r"[^.]+(?:\.tpl)?$|[Mm]ake\w*\.\w+$")
"""The names of other files that do, as `INSTALL` and `Make.package`; and of templates for them."""
LANGUAGES = {
    ".go": "Go",
    ".rs": "Rust",
    ".jl": "Julia",
    ".f90": "Fortran",
    ".F90": "Fortran",
    ".f": "Fortran",
    ".F": "Fortran",
    ".for": "Fortran",
    ".f95": "Fortran",
    ".F95": "Fortran",
    ".f03": "Fortran",
    ".F03": "Fortran",
    ".f08": "Fortran",
    ".F08": "Fortran",
    ".cuf": "CUDA Fortran",
    ".CUF": "CUDA Fortran",
    ".java": "Java",
    ".scala": "Scala",
    ".kt": "Kotlin",
    ".cs": "C#",
    ".zig": "Zig",
    ".cl": "OpenCL",
    ".pyx": "Cython",
    ".pxd": "Cython",
    ".pxi": "Cython",
}
"""Languages that are not read: those that call CUDA by bindings, and one that AMD's GPUs run as it is."""
