"""Draw places of real projects to be labelled manually: does the code there take a warp to have 32 lanes?

Run as `python -m tests.corpus.label --seed 3 --count 50`. It prints rows for `lane-labels.tsv`, whose verdict and
reason are to be written by someone who reads the code; what is labelled already is not drawn again. The same seed,
projects and rules give the same rows. Half of the rows are findings, half are places where nothing was found although a
number or name that warps often show is in device code.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.model import FileEntry, Report, Skip, Span
from cudamigrate.project import discovery
from cudamigrate.warp import logical_warp_edits
from cudamigrate.warp.lane_code import NAMES, concerns
from tests.corpus import harness

PROJECTS = (
    "auto-gptq", "causal-conv1d", "cupy", "deepspeed", "exllamav2", "gsplat", "lightgbm", "llama-cpp-python",
    "mamba-ssm", "mmcv", "natten", "torch-cluster", "torch-scatter", "vllm", "xgboost",
)  # fmt: skip
SEED, COUNT = 20260, 200
LABELS = Path(__file__).with_name("lane-labels.tsv")
_TOKEN = re.compile(
    rb"(?<![\w.])(?:(?:32|31|5|0x1[fF]|0x20|0[xX][fF]{8})[uUlL]*|warpSize)(?![\w.])", re.ASCII
)  # fmt: skip
_NEAR = re.compile(rb"threadIdx|[Ll]ane|LANE|[Ww]arp|WARP|__shfl|\btid\b|thread_rank")
LANE_CALL = re.compile(rb"\b__(?:shfl|ballot|any|all|activemask|syncwarp|match|reduce)\w*")
_WORDS = frozenset(name.encode() for name in NAMES)
_AROUND = 400


class Place(NamedTuple):
    """One token of one file. `stratum` is what it is drawn from: kinds of findings, or how likely silence is wrong."""

    project: str
    version: str
    path: str
    line: int
    column: int
    token: str
    stratum: str


def scanned(project: harness.Project, include: tuple[str, ...] = ()) -> tuple[Path, Report] | None:
    """A project's folder and its report, of some of its files where `include` names them; None if it cannot be had."""
    root = harness.unpacked(project)
    if isinstance(root, str):
        return None
    return root, pipeline.scan(root, settings(project, include))


def settings(project: harness.Project, include: tuple[str, ...] = ()) -> Config:
    """How a project is read for its labels."""
    return Config(enter_vendored=project.vendored, submodules=project.vendored, include=include)


def found(report: Report) -> dict[str, list[tuple[Span, str]]]:
    """Ranges of the findings on warps by file, with their rules."""
    ranges: dict[str, list[tuple[Span, str]]] = {}
    for finding in report.findings:
        if finding.rule.startswith("warp/"):
            ranges.setdefault(finding.path, []).append((finding.span, finding.rule))
    return ranges


def read(root: Path, path: str, holding: re.Pattern[bytes] | None = None) -> ParsedFile | None:
    """A file of a project as the scan reads it; None for one that holds nothing of what is looked for."""
    if path.endswith((".hip", ".hip.h", ".hip.cpp", ".py", ".pyx", ".pxd")):
        return None
    source = discovery.read(root, FileEntry(path, "cuda", (root / path).stat().st_size))
    if isinstance(source, Skip) or (holding is not None and holding.search(source.data) is None):
        return None
    return cuda.parse(source, _WORDS, Config().hip_guards)


def candidates(parsed: ParsedFile) -> Iterable[tuple[int, str]]:
    """Numbers and names that warps often show, in device code that HIP compiles, with the text of each."""
    for match in parsed.lexed.matches(_TOKEN):
        start = match.start()
        directive = parsed.lexed.directive_at(start)
        if parsed.scope(start) == "host" or parsed.hip(start) is not None:
            continue
        if directive is None or directive.name == "define":
            yield start, match[0].decode()


def calls(parsed: ParsedFile) -> Iterable[tuple[int, str]]:
    """Where the names of lane functions are in code that HIP may compile, by the text alone."""
    for match in parsed.lexed.matches(LANE_CALL):
        directive = parsed.lexed.directive_at(match.start())
        member = parsed.data[: match.start()].rstrip().endswith((b".", b"->"))
        if member or match[0].decode() not in NAMES or parsed.hip(match.start()) is False:
            continue
        if directive is None or directive.name == "define":
            yield match.start(), match[0].decode()


def is_declared(parsed: ParsedFile, start: int) -> bool:
    """Whether a name is not called but declared there: by a macro, a function or a friend."""
    use = next((use for use in parsed.uses if use.span.start == start), None)
    return use is None or not concerns(parsed, use)


def is_right(parsed: ParsedFile, start: int) -> bool:
    """Whether HIP reads a call as CUDA does, or as whoever wrote it for HIP means it."""
    use = next((use for use in parsed.uses if use.span.start == start), None)
    return parsed.hip(start) is True or (use is not None and logical_warp_edits.is_right(parsed, use))


def places(project: harness.Project) -> list[Place]:
    """All findings on warps of a project, and all candidates that none of them covers."""
    done = scanned(project)
    if done is None:
        return []
    root, report = done
    ranges = found(report)
    made = partial(_place, project.name, project.version)
    result = []
    for file in report.files:
        parsed = read(root, file.path) if file.cuda else None
        if parsed is None:
            continue
        here = ranges.get(file.path, [])
        result += [made(parsed, span.start, _excerpt(parsed, span), f"found {rule}") for span, rule in here]
        for start, token in candidates(parsed):
            if not any(span.start <= start < span.end for span, _ in here):
                around = parsed.data[max(0, start - _AROUND) : start + _AROUND]
                result.append(made(parsed, start, token, "silent near" if _NEAR.search(around) else "silent far"))
    return result


def _place(project: str, version: str, parsed: ParsedFile, start: int, token: str, stratum: str) -> Place:
    position = parsed.source.position(start)
    return Place(project, version, parsed.source.path, position.line, position.column, token, stratum)


def _excerpt(parsed: ParsedFile, span: Span) -> str:
    return " ".join(parsed.data[span.start : span.end].decode("utf-8", "replace").split())[:40]


def drawn(pool: list[Place], count: int, seed: int) -> list[Place]:
    """`count` findings, half of them of calls, and as many silent places, three quarters near warp-level code."""
    chance = random.Random(seed)
    strata: dict[str, list[Place]] = {}
    for place in sorted(set(pool)):
        counted = place.stratum.startswith("found") and re.search(r"size|popcount|constant|spin", place.stratum)
        kind = "counted" if counted else place.stratum.partition(" warp/")[0]
        strata.setdefault(kind, []).append(place)
    shares = {
        "counted": count // 2,
        "found": count - count // 2,
        "silent near": count * 3 // 4,
        "silent far": count // 4,
    }
    taken: list[Place] = []
    for kind, share in shares.items():
        members = strata.get(kind, [])
        taken += chance.sample(members, min(share, len(members)))
    return sorted(taken)


def gathered() -> list[Place]:
    """The places of all projects."""
    chosen = [project for project in harness.projects() if project.name in PROJECTS]
    with ProcessPoolExecutor(2) as workers:
        return [place for made in workers.map(places, chosen) for place in made]


def is_held_out(place: Place) -> bool:
    """Whether a place is in the half of the files that nobody looks at while detectors are being written."""
    return crc32(f"{place.project}{place.path}".encode()) % 2 == 1


def labelled() -> set[tuple[str, str, str]]:
    """Project, file and position of every place that has a label."""
    rows = (line.split("\t") for line in LABELS.read_text(encoding="utf-8").splitlines() if "\t" in line)
    return {(row[0], row[2], row[3]) for row in rows}


def main() -> None:
    """Print the rows to be labelled, and how many places each stratum has."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--count", type=int, default=COUNT)
    options.add_argument("--held-out", action="store_true", help="only files that `is_held_out` keeps from development")
    chosen = options.parse_args()
    pool = [place for place in gathered() if is_held_out(place) or not chosen.held_out]
    for stratum in sorted({place.stratum for place in pool}):
        print(f"# {stratum}: {sum(place.stratum == stratum for place in pool)}")
    known = labelled()
    new = [place for place in pool if (place.project, place.path, f"{place.line}:{place.column}") not in known]
    for place in drawn(new, chosen.count, chosen.seed):
        print("\t".join(map(str, place)))


if __name__ == "__main__":
    main()
