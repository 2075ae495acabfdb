"""Verification -> text and JSON.

Result: what a reader needs of them. The text leads with what is wrong; nothing is called right that was not checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from cudamigrate.errors import printable, printable_json
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import (
    BROKEN,
    NOWHERE,
    OUTSIDE,
    UNFORESEEN,
    WORDS,
    Cause,
    CudaPath,
    Missing,
    Verdict,
    Verification,
    meaning,
)
from cudamigrate.verification import causes, scoped_names
from cudamigrate.wording import count_of

SCHEMA = "cudamigrate-verdict/1"
"""Name and version of the JSON format."""
_NAMED = 20
"""Files that are named at most whose code no pass compiles."""
_MOST = 5
"""Causes shown at the end of another command's output."""
_MOST_REPORTED = 15
"""Causes shown in a report for readers; the report in JSON has them all."""
_WITHIN = " in the headers of "
"""What is between a name and its library, where more of this is needed than was available."""
_NO_MEMBER = re.compile(r"no member named '\w+' in '(?!(?:std|thrust|cub|cuda|hip\w*|at|c10|torch)::)[\w:]+'")
"""What clang says of a member that a class of the code has not; what a library's has, hangs on its release."""
_GIVEN = "name the macro or folder that the build gives, with `--define` or `--include-dir`"
_MOST_CAUSES = 50
"""Causes shown by `verify`; JSON has them all."""


def exit_code(judged: Verification, failed: int, partial: int) -> int:
    """`failed` where a file does not compile, `partial` where one could not be judged, else 0."""
    words = {verdict.word for verdict in judged.verdicts}
    return failed if "failed" in words else partial if "unresolved" in words else 0


def render_json(
    judged: Verification, runs: Mapping[str, object] | None = None, cuda_path: CudaPath | None = None
) -> str:
    """All verdicts and complaints; `runs` are those of programs that were run, where that was asked for.

    `cuda_path` is whether CUDA's path is unchanged, where that was.
    """
    chosen = judged.toolchain
    data = {
        "schema": SCHEMA,
        "engine": None if chosen is None else {"name": chosen.engine, "title": chosen.title, "hip": chosen.release},
        "arch": list(judged.arch),
        "counts": _counts(judged),
        "reverted": list(judged.reverted),
        "unread": [{"path": path, "reason": reason} for path, reason in judged.unread],
        "causes": [asdict(cause) for cause in causes.of(judged)],
        "missing": [asdict(one) for one in causes.missing(judged)],
        "files": [_file(verdict) for verdict in judged.verdicts],
        **({} if runs is None else {"runs": dict(runs)}),
        **({} if cuda_path is None else {"cuda_path": cuda_path_members(cuda_path)}),
    }
    return printable_json(json.dumps(data, indent=2, ensure_ascii=False)) + "\n"


def _file(verdict: Verdict) -> dict[str, object]:
    fields = asdict(verdict)
    fields["verdict"] = fields.pop("word")
    for name in ("seconds", "cached"):
        fields.pop(name)
    return fields


def render_text(judged: Verification) -> str:
    """One screen for a reader: causes of failures first, then what could not be judged and why, then the counts."""
    if judged.absent:
        return f"Not type-checked: {judged.absent}\n"
    lines = [
        *_failures(judged, _MOST_CAUSES),
        *_originals(judged),
        *_lacking(judged, _MOST_CAUSES),
        *_unresolved(judged, _MOST_CAUSES),
        *_unread(judged),
        *_newer(judged),
        *_given(judged),
    ]
    return "\n".join([*lines, *([""] if lines else []), *_totals(judged)]) + "\n"


def render_short(judged: Verification) -> str:
    """The verdict in a few lines, for the end of another command's output."""
    if judged.absent:
        return f"Not verified: {judged.absent}"
    lines = [*_totals(judged), *_details(judged, _MOST)]
    if len(causes.of(judged)) > _MOST or len(_by_package(causes.missing(judged))) > _MOST:
        lines.append("Run `cudamigrate verify` on the result to see all of it.")
    return "\n".join(lines)


def details(judged: Verification) -> list[str]:
    """What a report says of the verdict beside its totals: causes, what could not be judged, and why."""
    if judged.absent:
        return [f"Not type-checked: {judged.absent}"]
    return [*_empty(judged), *_details(judged, _MOST_REPORTED)]


def _details(judged: Verification, most: int) -> Iterator[str]:
    yield from (printable(f"{path}: a repair did not type-check and was taken back") for path in judged.reverted)
    for lines in (
        _failures(judged, most),
        _originals(judged),
        _lacking(judged, most),
        _unresolved(judged, most),
        _unread(judged),
        _newer(judged),
        _given(judged),
    ):
        yield from map(printable, lines)


def _unread(judged: Verification) -> Iterator[str]:
    """Build files whose flags are not known."""
    return (
        f"{path}: {reason}: files are type-checked without the flags that it sets" for path, reason in judged.unread
    )


def _newer(judged: Verification) -> Iterator[str]:
    """Files that were judged by a newer C++ standard than the project's build files name."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in judged.verdicts:
        if one.named:
            found.setdefault((one.named, one.flags.partition(",")[0]), []).append(one.path)
    for (named, taken), paths in sorted(found.items()):
        said = f"{_files(paths)} type-checked as {taken}, the oldest that rocThrust, hipCUB and PyTorch take"
        said += f", where the project's build files name {named}"
        yield f"{said}. As {named} they were not checked: files without these libraries may compile"


def _given(judged: Verification) -> Iterator[str]:
    """Files that were judged with a macro which nothing of the build was seen to define."""
    found: dict[str, list[Verdict]] = {}
    for one in judged.verdicts:
        if one.given:
            found.setdefault(one.given.partition(",")[0], []).append(one)
    for macro, verdicts in sorted(found.items()):
        first, paths = verdicts[0], [one.path for one in verdicts]
        their = "its" if len(paths) == 1 else "their"
        place = f"{first.path}:{first.given.rpartition(' ')[2]}"
        shown = f"{', '.join(paths[:3])}{_more(paths)}"
        why = f"without it nothing of {their} HIP code is compiled ({place})"
        yield f"{_files(paths)} compiled with `{macro}` defined: {why}: {shown}"


def render_cuda_path(path: CudaPath) -> str:
    """Whether what CUDA compiles is unchanged: the first token that is not, and what was compared."""
    lines = [
        f"CUDA path changed: {one.after.path}:{one.after.line}:{one.after.column}: `{one.now.strip()}` "
        f"where line {one.before.line} had `{one.was.strip()}`{f' [{one.side}]' if one.side else ''}"
        for one in path.differences
    ]
    compared = f"{path.files} changed file{'' if path.files == 1 else 's'} of code compared token by token"
    if path.absent:
        how = f"{compared}; not preprocessed: {path.absent}"
    else:
        units = f"{path.units} unit{'' if path.units == 1 else 's'} preprocessed before and after"
        how = f"{compared}, {units} in {path.passes} passes by {path.toolchain}"
    lines.append(f"CUDA path {'unchanged' if path.unchanged else 'changed'} ({how}).")
    if path.left:
        lines.append(f"Not preprocessed: {', '.join(path.left[:_MOST])}{_more_than(path.left, _MOST)}")
    return "\n".join(lines)


def cuda_path_members(path: CudaPath) -> dict[str, object]:
    """The same for JSON."""
    return {"unchanged": path.unchanged, **asdict(path)}


def _more_than(files: Sequence[str], most: int) -> str:
    return f" and {len(files) - most} more" if len(files) > most else ""


def _failures(judged: Verification, most: int) -> Iterator[str]:
    """A line for each cause: where, what, how many files it stops, which finding foresaw it, what to do."""
    found = causes.of(judged)
    for cause in found[:most]:
        place = f"{cause.place.path}:{cause.place.line}:{cause.place.column}"
        more = f", {cause.places} places" if cause.places > 1 else ""
        yield f"{place}: {cause.message} [{cause.side}] stops {_files(cause.files)}{more}{_foreseen(cause)}"
    if len(found) > most:
        yield f"... and {len(found) - most} more causes; --format json lists them all"


def _foreseen(cause: Cause) -> str:
    if cause.foreseen:
        return f". Foreseen by {cause.rule}: {cause.advice}" if cause.advice else f". Foreseen by {cause.rule}"
    if cause.before:
        originals = "its original" if len(cause.files) == 1 else "their originals"
        if scoped_names.NONE in cause.advice:
            return f". In {originals} too, {cause.advice}"
        if cause.message.startswith(NOWHERE):  # no compiler finds a name that nothing declares
            return f". Nor is it declared in {originals}: {cause.advice or _GIVEN}"
        if _NO_MEMBER.match(cause.message):  # nor does any find a member that the code's own class has not
            return (
                f". Nor has it that member in {originals}: no compiler takes it; add the member, or leave the file out"
            )
        if cause.advice:
            return f". Nor does clang compile {originals}: {cause.advice}"
        return f". Nor does clang compile {originals}; nvcc with another host compiler may: then change it"
    what = cause.advice or "change the line"
    if cause.rule == UNFORESEEN:
        return f". Not foreseen ({UNFORESEEN}): {what}"
    if cause.rule:
        return f". Not foreseen ({UNFORESEEN}): the fix of {cause.rule} is not enough here; {what}"
    return f": {cause.advice}" if cause.advice else ""


def _originals(judged: Verification) -> Iterator[str]:
    """An error that the file had as it was is not the move's. That it had others says nothing of those it has now."""
    failed = {one.path: one for one in judged.verdicts if one.word == "failed"}
    never = [
        path
        for path, one in failed.items()
        if one.original == "failed" and any(entry.before for entry in one.diagnostics)
    ]
    if never:
        said = f"Nor does clang compile the originals of {_files(never)}, with CUDA's headers"
        yield f"{said}: {', '.join(never[:_MOST])}{_more_than(never, _MOST)}"
    if late := [path for path in judged.late if path in failed]:
        said = f"Whether the originals of {_files(late)} that failed compile was not checked: no time was left for it"
        yield f"{said}: {', '.join(late[:_MOST])}{_more_than(late, _MOST)}"


_NOT_THEIRS = ", which says nothing of this code; `--engine hipcc` takes another compiler"
_SINGULAR, _PLURAL = ("does", "lacks", "includes", "it"), ("do", "lack", "include", "them")


def _lacking(judged: Verification, most: int) -> Iterator[str]:
    """Headers that hide what else stops files which do not compile."""
    for one in _by_package(causes.lacking(judged))[:most]:
        alone = len(one.files) == 1
        does, lacks, includes, them = _SINGULAR if alone else _PLURAL
        header, broken = one.what.removesuffix(BROKEN), one.what.endswith(BROKEN)
        what = f"{includes} {header}, which{BROKEN}" if broken else f"{lacks} {one.what} as well"
        said = f"{_files(one.files)} that {does} not compile {what}, so more may stop {them}"
        yield f"{said}: {', '.join(one.files[:3])}{_more(one.files)}"


def _unresolved(judged: Verification, most: int) -> Iterator[str]:
    found = _by_package(causes.missing(judged))
    for one in found[:most]:
        reason = f"{one.what}{_NOT_THEIRS}" if one.what.endswith(BROKEN) else one.what
        why = f"not judged for lack of {one.what}" if one.header else f"not judged ({reason})"
        yield f"{_files(one.files)} {why}: {', '.join(one.files[:3])}{_more(one.files)}"
    if len(found) > most:
        yield f"... and for {len(found) - most} more reasons; --format json lists them all"


def _by_package(found: Sequence[Missing]) -> list[Missing]:
    """The headers of one package as one, which installing it brings: `Eigen/Core, Eigen/LU (libeigen3-dev)`.

    So are those of one folder, and those that the same files lack, where it is not known what brings them.
    """
    parts: dict[tuple[str, ...], list[Missing]] = {}
    first: dict[str, tuple[str, ...]] = {}  # by the folder of a header, under what its first one is
    for one in found:
        header, _, package = one.what.removesuffix(")").rpartition(" (")
        folder = one.what.rpartition("/")[0]
        known = (package,) if header else ("", *one.files)
        known = first.setdefault(folder, known) if folder and not header else known
        known = known if one.header else (one.what,)
        parts.setdefault((BROKEN, *one.files) if one.what.endswith(BROKEN) else known, []).append(one)
    return [_together(package, listed) for (package, *_), listed in parts.items()]


def _together(package: str, listed: Sequence[Missing]) -> Missing:
    if len(listed) == 1:
        return listed[0]
    if package == BROKEN:
        names = [one.what.removeprefix(OUTSIDE).removesuffix(BROKEN) for one in listed]
        several = f"{', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''}"
        return Missing(f"{OUTSIDE.rstrip()}s {several}{BROKEN}", listed[0].files, listed[0].header)
    headers = _by_library([one.what.rpartition(" (")[0] if package else one.what for one in listed])
    shown = f"{', '.join(headers[:3])}{f' and {len(headers) - 3} more' if len(headers) > 3 else ''}"
    what = f"{shown} ({package})" if package else shown
    return Missing(what, tuple(dict.fromkeys(path for one in listed for path in one.files)))


def _by_library(headers: Sequence[str]) -> list[str]:
    """What is lacking, each library once: "the headers of a" and "`b` in the headers of a" are one."""
    names: dict[str, list[str]] = {}
    for one in headers:
        name, within, library = one.partition(_WITHIN)
        if within:
            names.setdefault(f"{_WITHIN.removeprefix(' in ')}{library}", []).append(name)
        else:
            names.setdefault(one, [])
    return [f"{what} ({', '.join(found[:3])})" if found else what for what, found in names.items()]


def _more(files: Sequence[str]) -> str:
    return _more_than(files, 3)


def _files(files: Sequence[str]) -> str:
    return f"{len(files)} file{'' if len(files) == 1 else 's'}"


def _totals(judged: Verification) -> Iterator[str]:
    title = judged.toolchain.title if judged.toolchain is not None else ""
    counts = _counts(judged)
    total = sum(counts.values())
    if not total:
        yield "Nothing to type-check: no converted file is CUDA or HIP code."
        return
    some = f"{total - counts['unresolved']} of " if counts["unresolved"] else ""
    yield f"{some}{total} file{'' if total == 1 else 's'} judged for {', '.join(judged.arch)} by {title}:"
    for word in WORDS:
        if counts[word]:
            yield f"  {counts[word]:5} {meaning(word, counts[word])}"
    yield from _empty(judged)
    if counts["checked"] + counts["declarations"]:
        yield "A type check proves that the code compiles, not that its results are right."


def _empty(judged: Verification) -> Iterator[str]:
    """How much of what type-checks is nothing."""
    good = {verdict.path for verdict in judged.verdicts if verdict.word in ("checked", "declarations")}
    found = {path: count for path, count in judged.empty if path in good}
    if found:
        kernels = count_of(sum(found.values()), "kernel")
        has = "that type-checks has" if len(found) == 1 else "that type-check have"
        where = f"{', '.join(list(found)[:3])}{_more(list(found))}"
        yield f"{_files(list(found))} {has} {kernels} with an empty body on AMD, by a test of `__CUDA_ARCH__`: {where}"
    yield from _skipped(judged)


def _skipped(judged: Verification) -> Iterator[str]:
    """How much HIP code of what type-checks no pass compiled."""
    good = [one for one in judged.verdicts if one.word in ("checked", "declarations")]
    device = {one.path: one.skipped for one in good if one.skipped}
    yield from _behind({**device, **dict(judged.unseen[0])}, "GPU code")
    host = {one.path: one.skipped_host for one in good if one.skipped_host}
    yield from _behind({**host, **dict(judged.unseen[1])}, "host code with HIP calls")


def _behind(good: Mapping[str, Sequence[tuple[str, int]]], kind: str) -> Iterator[str]:
    """The lines of some kind of code that no pass compiles, by file, with the conditions that they are behind."""
    if good:
        lines: dict[str, int] = {}
        for condition, count in (pair for skipped in good.values() for pair in skipped):
            lines[condition] = lines.get(condition, 0) + count
        first, *others = sorted(lines, key=lambda condition: (-lines[condition], condition))
        more = f" and {count_of(len(others), 'other condition')}" if others else ""
        has = "that type-checks has" if len(good) == 1 else "that type-check have"
        code = f"{count_of(sum(lines.values()), 'line')} of {kind} that no pass compiles"
        where = f"{', '.join(sorted(good)[:_NAMED])}{_more_than(sorted(good), _NAMED)}"
        yield f"{_files(list(good))} {has} {code}, behind `{first}`{more}: {where}"


def _counts(judged: Verification) -> dict[str, int]:
    return {word: sum(verdict.word == word for verdict in judged.verdicts) for word in WORDS}
