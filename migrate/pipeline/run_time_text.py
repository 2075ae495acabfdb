"""Device code in raw strings: whether anything in the repository compiles text when the program runs.

Such text may as well be data: hashed, compared, printed, or a test's input. Nothing in the string says which; a call of
a compiler for text says that some of it is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial

from cudamigrate.cuda.include_insertion import is_addition
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile, Step
from cudamigrate.pipeline.own_names import Read

IN_TEXT = "in a raw string"
"""The fact in the chain of a finding of such text."""
_OLDER = "warp/version-branch"
"""A branch by the release of CUDA, of which HIP compiles the one for the oldest."""
_COMPILERS = (
    b"nvrtc", b"hiprtc", b"jitify", b"Jitify", b"cuModuleLoad", b"hipModuleLoad", b"cuLibraryLoad", b"RawModule",
    b"RawKernel", b"SourceModule", b"load_inline",
)  # fmt: skip
"""What compiles text at run time, or loads what another process compiled: NVRTC, Jitify, modules, CuPy and its kin."""

_STOPS = frozenset(("compile-error", "missing"))
"""What a compiler does not take, CUDA's or HIP's."""
_SENTENCE = re.compile(r"\.\s+(?=[A-Z])")
_ALONE = (
    "Not changed: this text is compiled at run time and cannot include the header that the HIP code needs. "
    "Write the HIP code into the text, or give hipRTC the header."
)
_ALONE_BY_TORCH = (
    "Not changed: PyTorch writes this text to a folder of its own, where no header of the project is found. "
    "Write the HIP code into the text, or include the header there and give its folder as `extra_include_paths`."
)
_IN_FILE = (
    "Not changed: a script writes this text to a file, as one part of it, and the HIP code needs a header. "
    "Have the script write the include too."
)
_WITH = "Not changed: line {line} of the same text is left for you, and half a conversion compiles for neither vendor."
IN_ANOTHER_WAY = "Not changed: the HIP code would be spelled in another way in this string. Write it there."
"""What is said where a literal needs escapes, or fills in a place, that a change of the text would run into."""
_HELD = "Not changed: calls in this text stay as they are. Change them first."


def doubt_text(results: Sequence[FileResult], paths: Set[str], read: Read) -> list[FileResult]:
    """The same results; fixes in raw strings need review where no file of `paths` compiles text at run time."""
    doubtful = [one.path for one in results if any(map(_is_text, one.findings))]
    if not doubtful or any(_compiles(read(path)) for path in (*doubtful, *sorted(paths))):
        return list(results)
    return [_reviewed(one) if one.path in doubtful else one for one in results]


def without_headers(text: bytes, found: Sequence[Finding], by_torch: bool = False) -> Iterator[Finding]:
    """Findings of text that is compiled at run time, where no header can be included: fixes without one, or none.

    `by_torch` says that `load_inline` of PyTorch compiles it with hipcc, and hipRTC does not.
    Where one of them stays, a branch for older compilers stays too: what it holds may be right on AMD as it is.
    """
    listed = [one for one in map(partial(_without_header, text, by_torch), found) if one is not None]
    stays = any(one.rule.startswith("warp/") and one.resolution == "manual" for one in listed)
    for finding in listed:
        yield unchanged(finding, _HELD) if stays and finding.rule == _OLDER and finding.fix is not None else finding


def written_without_headers(found: Iterable[Finding]) -> Iterator[Finding]:
    """Findings of text that a script writes to a file, as a part of it: where a header goes, that decides."""
    for finding in found:
        edits = finding.fix.edits if finding.fix is not None else ()
        if not any(b"#include" in edit.replacement for edit in edits):
            yield finding
        elif not all(map(is_addition, edits)):
            yield unchanged(finding, _IN_FILE)


def as_one(found: Sequence[Finding]) -> list[Finding]:
    """The findings of one text: no fix for a name in it where something else in it is CUDA's and stays.

    All of a text goes to one compiler, that of CUDA or that of HIP, which takes it as a whole.
    """
    left = next(
        (one for one in found if one.fix is None and one.resolution == "manual" and one.outcome in _STOPS), None
    )
    if left is None:
        return list(found)
    why = _WITH.format(line=left.position.line)
    return [unchanged(one, why) if one.fix is not None else one for one in found]


def _without_header(text: bytes, by_torch: bool, finding: Finding) -> Finding | None:
    """One of them; None for a header that is missing, since none can be included."""
    fix = finding.fix
    if fix is None or not any(b"#include" in edit.replacement for edit in fix.edits):
        return finding
    if all(is_addition(edit) for edit in fix.edits):
        return None
    from cudamigrate.warp.votes_in_text import without_header  # few files hold such text

    made = without_header(text, fix)
    if made is not None:
        return replace(finding, fix=made)
    step = Step(
        finding.path, finding.position.line, "this text is compiled at run time, without headers of the project"
    )
    what, *_ = _SENTENCE.split(finding.message, maxsplit=1)  # what follows says what takes its place
    return unchanged(
        replace(finding, message=what, trace=(*finding.trace, step)), _ALONE_BY_TORCH if by_torch else _ALONE
    )


def unchanged(finding: Finding, why: str) -> Finding:
    """The finding without its fix, and why."""
    effort = "small" if finding.effort == "none" else finding.effort
    return replace(finding, fix=None, effort=effort, message=f"{finding.message.rstrip('.')}. {why}")


def _is_text(finding: Finding) -> bool:
    trace = finding.trace  # most have none
    return bool(trace) and finding.fix is not None and any(step.text == IN_TEXT for step in trace)


def _compiles(source: SourceFile | None) -> bool:
    return source is not None and any(word in source.data for word in _COMPILERS)


def _reviewed(result: FileResult) -> FileResult:
    return replace(result, findings=tuple(_with_review(one) if _is_text(one) else one for one in result.findings))


def _with_review(finding: Finding) -> Finding:
    assert finding.fix is not None
    step = Step(finding.path, finding.position.line, "no file here compiles text at run time: it may be data")
    return replace(finding, fix=replace(finding.fix, safety="unsafe"), trace=(*finding.trace, step))
