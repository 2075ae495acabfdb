"""OpenGL's header that came by way of CUDA's header for it, whose equivalent does not bring it."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit

_BRINGS = ("cuda_gl_interop.h", "cudaGL.h")
_HAS = re.compile(
    r"(?i)(?:.*/)?(?:OpenGL/|GLES?\d?/|GLFW/|EGL/|gl[23]?w?(?:ew|ad|ut|x|ext)?\d?\.h|free_?glut|epoxy/|SDL_?\d?_?opengl|glbinding|qopengl"
    r"|galogen|helper_gl)"
)
"""A header that has OpenGL's names, or loads its functions: `GL/glew.h`, `glad/gl.h`, `GLFW/glfw3.h`, `helper_gl.h`."""
_NAMES = re.compile(
    rb"(?<![\w.:])(?:GL_[A-Z]\w+|GL(?:u?int|enum|sizei|float|u?byte|void|boolean)|gl[A-Z]\w+(?=[ \t]*\())(?!\w)"
)
"""OpenGL's constants, types and functions: `GL_TEXTURE_2D`, `GLuint`, `glBindBuffer(`."""
_UNITS = (".cu", ".c", ".cc", ".cpp", ".cxx", ".c++")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The include of CUDA's header where no other brings OpenGL's names, which the file uses, or who includes it."""
    if any(_HAS.match(include.path) for include in parsed.includes):
        return
    brought = (one for one in parsed.includes if one.path in _BRINGS and parsed.hip(one.line.start) is None)
    include = next(brought, None)
    if include is None:
        return
    if parsed.source.path.lower().endswith(_UNITS) and not any(parsed.lexed.matches(_NAMES, b"GL", b"gl")):
        return
    use = parsed.named_use(include.path, include.span, "token")
    yield Hit("build/gl-header", use, {"name": include.path})
