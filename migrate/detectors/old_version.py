"""Tests of a release of CUDA that all code of today is past; HIP defines none, and takes the branch for the old."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import condition_of
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.version_guards import old_tests

WORDS = (b"CUDART_VERSION", b"CUDA_VERSION", b"_VER_MAJOR__")
INSTEAD = True  # the rule for the name has no fix


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each such `#if`, where the file has no definition of the macro and the test decides no warp-level code.

    Where a later branch of the same conditional is for AMD, that is the one to take.
    """
    tests = old_tests(parsed)
    for directive in parsed.lexed.directives if tests else ():
        macro = tests.get(directive.start)
        if macro is None:
            continue
        whole, name = condition_of(parsed.data, directive), macro.decode()
        at = parsed.data.rindex(macro, whole.start, whole.end)
        text = parsed.data[whole.start : whole.end].decode("utf-8", "replace")
        use = Use("name", text, Span(at, at + len(name)), whole, (), "macro", "token")
        yield Hit("build/old-version", use, {"condition": text, "name": name})
