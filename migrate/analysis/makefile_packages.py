"""What Makefiles ask pkg-config of CUDA: packages named there, held by a variable, or asked for by a file's own words.

CUDA's packages are called after its libraries, with a release or not. Source: the `.pc` files of NVIDIA's packages.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import makefile_questions, makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import use_at

NAME = "pkg-config of CUDA"
_PROGRAM = re.compile(r"(?:\S*/)?pkg-?conf(?:ig)?|\$[({]PKG_?CONF(?:IG)?[)}]", re.IGNORECASE)
_PACKAGE = re.compile(
    rb"(?:cuda|cudart|cu(?:blas|fft|fftw|rand|solver|sparse|File)|npp\w*|nvrtc|nvjpeg|nvjitlink|nvToolsExt|nvidia-ml)"
    rb"(?:-\d+(?:\.\d+)*)?"
)
_HELD = re.compile(r"\$[({]([\w.-]+)[)}]")
_DEMANDS = rb"\$[({]error[^\n]*(?<!\w)%b(?!\w)[^\n]*cuda"
"""What ends a make by whose own words a variable is to hold CUDA's: `$(error define PKG as ... the CUDA runtime)`."""


def uses(variables: Variables, file: Makefile) -> Iterator[Use]:
    """The packages in a file's questions, one use each."""
    if b"pkg" not in file.data.lower():
        return
    for line in file.lines:
        for whole in makefile_questions.asked(file, line):
            for part in makefile_variables.commands_in(file, whole):
                words = compiler_options.words(file.data, part.start, part.end)
                if not words or _PROGRAM.fullmatch(words[0].text) is None:
                    continue
                for word in words[1:]:
                    if _is_of_cuda(variables, file, word.text):
                        yield use_at(NAME, word.span.start, word.span.end)


def _is_of_cuda(variables: Variables, file: Makefile, word: str) -> bool:
    """Whether a word of such a question is a package of CUDA's, itself or as a variable."""
    held = _HELD.fullmatch(word)
    if held is None:
        return _PACKAGE.fullmatch(word.encode("utf-8", "replace")) is not None
    values = makefile_variables.values(variables, held[1])
    if values:
        return any(_PACKAGE.fullmatch(value) for value in values)
    demand = re.compile(_DEMANDS % re.escape(held[1].encode()), re.IGNORECASE)
    return demand.search(file.data) is not None
