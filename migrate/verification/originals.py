"""Failing files -> which of their errors the code has as it was: those are not the move's.

An error is the original's where the original has the very same at the very same place, as clang sees it by the C++
standard that the build files name; or another one in that line, where neither the line nor the error has anything that
the move may have changed. All others are the move's, whatever else keeps the original from being compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import OUT_OF_TIME, Checked, Diagnostic, Place, Verdict
from cudamigrate.verification import hints

Error = tuple[Place, str]
"""Where an error is in the code as it was, and its message."""
Wanted = Mapping[str, frozenset[Error]]
"""By file, the errors of its verdict that the original may have as well."""
Check = Callable[[Wanted, bool], Mapping[str, Verdict]]
"""Judges files as they were, by the standard that build files name where that is asked for: the verdicts by path.

What else a file has need not be known where all errors that are wanted of it were found.
"""
_BEGINS = r"_*(?:cu[A-Z_\d]|CU\w|cuda|hip|HIP|roc|ROC|nv\w|NV|thrust|cub\b)"
_OF_A_VENDOR = re.compile(rf"(?<!\w){_BEGINS}|__\w")
"""How names begin that a move may change the meaning of: CUDA's, HIP's, and those of their compilers."""
_HAS_A_VENDOR = re.compile(rf"(?<![A-Za-z0-9]){_BEGINS}|__\w")
"""Names that have such a word behind an underscore too, `is_cuda`: what an error asks for may be the move's then."""
_OF_CUDA = re.compile(
    r"_*(?:cuda|cu[A-Z]|CU[A-Z_]|cu(?:blas|fft|rand|solver|sparse|dnn)[A-Z]|nv(?:rtc|tx|ml)|NV[A-Z]|nccl)\w*"
)
"""Names of CUDA's and its libraries': that one is not known is no matter of the standard of C++."""
_GRAMMAR = frozenset(("a type specifier is required for all declarations",))
"""What is said of a declaration's own text: in a line that the move left as it was, no missing header makes it so."""
_KINDS = ("error", "stand-in")
"""What is said of an error, be it one or not."""
_QUOTED = re.compile(r"'[^']*'")
_OF_C = re.compile(
    r"const|noexcept|true|false|aka|void|bool|char|short|int|long|float|double|(?:un)?signed"
    r"|s?size_t|ptrdiff_t|time_t|clock_t|u?int(?:8|16|32|64)_t"
)
"""A word of a type that C has, whatever else is included."""
_INDEX = re.compile(r"__fetch_builtin_(?=[xyz]\b)")
"""How clang calls what reads a part of `threadIdx` in CUDA code; in HIP's headers it is `__get_x`."""
_CALLED = re.compile(r"(?<=^no matching function for call to ')cuda(?=[A-Z])")
"""How a name of CUDA's runtime begins in what clang says of a call that no declaration takes."""


def compared(
    verdicts: Sequence[Verdict],
    check: Check,
    line: Callable[[Diagnostic], str | None],
    unexplained: Set[str],
    is_local: Callable[[Diagnostic], bool] = lambda entry: False,
) -> list[Verdict]:
    """The verdicts, with what is known of the originals of those that failed for something that no finding explains.

    That an error is made by a newer standard is said only where the original was read whole by the one that is named.
    `line` gives the text of an error's line where the move left it as it was, else None. Findings of the rules
    `unexplained` do not explain an error. `is_local` says of one whether the name that it asks for is a variable of
    other functions: no header that the original lacks declares it.
    """
    is_open = partial(_is_open, unexplained=unexplained)
    failed = [one for one in verdicts if one.word == "failed" and any(map(is_open, one.diagnostics))]
    before = check({one.path: _wanted(one, is_open) for one in failed}, True) if failed else {}
    marked = [_marked(one, before.get(one.path), line, is_local) for one in verdicts]
    whole = {path for path, one in before.items() if one.word != "unresolved"}
    raised = [one for one in marked if one.named and one.path in whole and any(map(_is_left, one.diagnostics))]
    newer = check({one.path: _wanted(one, _is_by_standard) for one in raised}, False) if raised else {}
    return [_raised(one, newer[one.path]) if one.path in newer else one for one in marked]


def noting(check: Check, late: set[str]) -> Check:
    """The same check, which adds to `late` the paths that no time was left for."""

    def noted(wanted: Wanted, named: bool) -> Mapping[str, Verdict]:
        found = check(wanted, named)
        late.update(path for path, one in found.items() if OUT_OF_TIME in one.headers)
        return found

    return noted


def are_found(wanted: Set[Error], done: Checked) -> bool:
    """Whether a pass over the original found all errors that are wanted of it, and the original's verdict with them.

    That is open where a header was missing and no error is certain.
    """
    decided = all(entry.kind != "missing-header" for entry in done.diagnostics)
    decided = decided or any(entry.kind == "error" and entry.certain for entry in done.diagnostics)
    return bool(wanted) and decided and wanted <= _errors(done.diagnostics)


def _wanted(verdict: Verdict, is_open: Callable[[Diagnostic], bool]) -> frozenset[Error]:
    """Where the original would have the errors of a verdict that are open."""
    return frozenset(_at(entry) for entry in verdict.diagnostics if entry.kind in _KINDS and is_open(entry))


def _is_open(entry: Diagnostic, unexplained: Set[str]) -> bool:
    """Whether no finding explains what is said of a file: then it matters whether that compiled before."""
    return not entry.foreseen or entry.rule in unexplained


def _is_left(entry: Diagnostic) -> bool:
    """Whether an error is neither foreseen nor the original's."""
    return entry.kind == "error" and not entry.foreseen and not entry.before


def _is_by_standard(entry: Diagnostic) -> bool:
    """Whether an error may be made by the standard of C++: one that asks for no name of CUDA's."""
    names = (name for quoted in _QUOTED.findall(entry.message) for name in re.findall(r"\w+", quoted))
    return _is_left(entry) and not any(map(_OF_CUDA.fullmatch, names))


def is_the_originals(verdict: Verdict) -> bool:
    """Whether a file fails as its original does: that does not compile, or has every error that the file has."""
    errors = [entry for entry in verdict.diagnostics if entry.kind == "error"]
    whole = verdict.word == "failed" and bool(errors) and all(entry.before for entry in errors)
    return verdict.original == "failed" or whole


def _marked(
    verdict: Verdict,
    before: Verdict | None,
    line: Callable[[Diagnostic], str | None],
    is_local: Callable[[Diagnostic], bool],
) -> Verdict:
    """The verdict with the errors marked that the original has as well."""
    if before is None:
        return verdict
    had = _errors(before.diagnostics)
    known = before.word == "failed"
    entries = tuple(
        replace(entry, before=_is_had(entry, had, known, line(entry), is_local)) for entry in verdict.diagnostics
    )
    return replace(verdict, diagnostics=entries, original=before.word)


def _is_had(
    entry: Diagnostic, had: Set[Error], known: bool, line: str | None, is_local: Callable[[Diagnostic], bool]
) -> bool:
    """Whether the original `had` an error too; its errors are all `known` where it lacks no header."""
    place, message = _at(entry)
    if (place, message) in had:
        apart = _is_apart(entry, line) or (line is not None and (message in _GRAMMAR or is_local(entry)))
        return known or apart
    words = {word for quoted in _QUOTED.findall(message) for word in re.findall(r"[A-Za-z_]\w*", quoted)}
    there = any((one.path, one.line) == (place.path, place.line) for one, _ in had)
    return there and entry.kind == "error" and all(map(_OF_C.fullmatch, words)) and _is_apart(entry, line)


def _errors(entries: Iterable[Diagnostic]) -> set[Error]:
    """The errors of a file as it was. What clang refuses and nvcc does not says nothing."""
    errors = (one for one in entries if one.kind in _KINDS and not hints.is_stricter(one.message))
    return {(one.place, _as_hips(one.message)) for one in errors}


def _as_hips(message: str) -> str:
    """A message of an original in clang's words for HIP, with HIP's name of a function that is called wrongly there."""
    return _CALLED.sub("hip", _INDEX.sub("__get_", message))


def _at(entry: Diagnostic) -> Error:
    return entry.origin or entry.place, entry.message


def _is_apart(entry: Diagnostic, line: str | None) -> bool:
    """Whether neither an error nor its line, which the move did not change, has a name of CUDA's or HIP's.

    Where the original lacks a header, others of its errors may follow from that.
    """
    return line is not None and not _HAS_A_VENDOR.search(entry.message) and not _OF_A_VENDOR.search(line)


def _raised(verdict: Verdict, newer: Verdict) -> Verdict:
    """The verdict with what to do about errors that the original has by the newer standard alone."""
    had = _errors(newer.diagnostics)
    taken = verdict.flags.partition(",")[0]
    advice = (
        f"an error by {taken}, which rocThrust, hipCUB or PyTorch need: the project's build files name "
        f"{verdict.named}, by which the original has none here; change the line, or give this target "
        f"{verdict.named} if it uses no such library"
    )
    entries = (
        replace(entry, advice=_both(advice, entry.advice)) if _is_by_standard(entry) and _at(entry) in had else entry
        for entry in verdict.diagnostics
    )
    return replace(verdict, diagnostics=tuple(entries))


def _both(first: str, second: str) -> str:
    return f"{first}; {second}" if second else first
