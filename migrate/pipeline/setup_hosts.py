"""setup.py whose C++ sources read HIP's headers after the conversion: extensions of setuptools get the macro for them.

setuptools has the host's compiler compile them, also where a class of the project gives its `.cu` files to nvcc.
Sources of Cython read the headers that they declare things of. PyTorch's own command gives the macro to every compiler.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from cudamigrate.compilation import torch_extensions
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.hip_readers import HipReaders, any_header
from cudamigrate.pipeline.host_assembly import HOST_SOURCES
from cudamigrate.pipeline.host_compilers import ENOUGH
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/setup-host-headers"
_MACROS = b'define_macros=[("__HIP_PLATFORM_AMD__", None)]'
_DECLARED = re.compile(rb"cdef\s+extern\s+from\s+[\"']([\w./+-]+)[\"']")
"""A header that Cython includes: `cdef extern from "search.h"`."""


def with_setup_hosts(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each extension of setuptools that lacks what HIP's headers need."""
    rule = book.rules.get(RULE)
    scripts = [one.path for one in results if one.language == "python" and one.skip is None]
    if rule is None or rule.silent or not scripts or not any_header(results):
        return list(results)
    scripts = [path for path in scripts if asked(read, path, _may_lack)]
    if not scripts:
        return list(results)
    tree = HipReaders({one.path: one for one in results if one.skip is None}, read)
    paths = frozenset(one.path for one in results)
    made = {path: list(_findings(tree, path, paths, rule)) for path in scripts}
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _findings(tree: HipReaders, path: str, paths: frozenset[str], rule: Rule) -> Iterator[Finding]:
    """What one file lacks, with the fix of each extension that is given no macros yet."""
    source = tree.read(path)
    if source is None or torch_extensions.is_command_of_pytorch(source.data.decode("utf-8", "replace")):
        return
    for one in torch_extensions.extensions(path, source.data.decode("utf-8", "replace"), paths):
        lacking = [name for name in one.sources if _reads(tree, name, source.data)]
        if not lacking:
            continue
        span = Span(*one.name)
        more = f" and {len(lacking) - 1} other file{'s' if len(lacking) > 2 else ''}" if len(lacking) > 1 else ""
        use = Use("name", "host compiler", span, span, certainty="syntax")
        hit = Hit(RULE, use, {"source": posixpath.basename(lacking[0]), "more": more})
        made = engine.finding(source, hit, rule)
        if one.has_macros:
            yield replace(made, support="manual", effort="trivial")
        else:
            yield replace(made, fix=Fix((_given(source, one.end),), rule.safety))


def _may_lack(source: SourceFile) -> bool:
    """Whether a file may have an extension that is given no macro for HIP's headers."""
    return b"Extension" in source.data and ENOUGH.search(source.data) is None


def _reads(tree: HipReaders, path: str, build: bytes) -> bool:
    """Whether the host's compiler reads HIP's headers in a source of an extension."""
    if path.endswith(HOST_SOURCES):
        return tree.reads_header(path, build)
    source = tree.read(path) if path.endswith(".pyx") else None
    if source is None:
        return False
    headers = [tree.paths.nearest(path, name.decode()) for name in _DECLARED.findall(source.data)]
    return any(tree.reads_header(one[0], build) for one in headers if len(one) == 1)


def _given(source: SourceFile, end: int) -> Edit:
    """The edit that gives an extension the macro, as its last argument."""
    before = source.data[:end].rstrip()
    at = len(before) - before.endswith(b",")
    return Edit(Span(at, at), b", " + _MACROS)
