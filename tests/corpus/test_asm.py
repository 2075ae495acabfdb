"""What becomes of the asm statements of real projects: each is translated, has no equivalent, or is not for AMD at all.

Statements are counted in the tokens alone, apart from what the translation sees, so that none is passed over.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from cudamigrate import parallel, pipeline
from cudamigrate.config import Config
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detectors import inline_ptx
from cudamigrate.frontends import cuda
from cudamigrate.model import FileEntry, Hit, Skip
from cudamigrate.project import discovery
from cudamigrate.ptx import parser, statement, translate
from tests.corpus import harness

pytestmark = pytest.mark.corpus

_ASM = re.compile(rb"\b(?:asm|__asm__|__asm)\b(?=\s*(?:volatile\b|__volatile(?:__)?\b|goto\b|inline\b|\s)*\()")
FATES = ("translated", "without", "reported", "unanswered", "other")
"""`without` has no equivalent in HIP; `reported` has a rule for what it is: a loop, a text that macros put together,
one of several statements that belong together, or no PTX; `other` is assembly of the host, AMD's own, or an empty
barrier."""
_REPORTED = ("ptx/jump", "ptx/built-text", "ptx/split-statement", "ptx/invalid-text")
FAMILIES = (
    ("matrix", r"mma|wmma|ldmatrix|stmatrix|movmatrix"),
    ("warp-group matrix", r"wgmma"),
    ("tensor memory", r"tcgen05"),
    ("barrier object", r"mbarrier|cp\.async\.mbarrier|fence\.mbarrier_init"),
    ("bulk copy", r"cp\.async\.bulk|cp\.reduce|tensormap|prefetch\.tensormap|fence\.proxy|st\.bulk"),
    ("cluster", r"barrier\.cluster|mapa|getctarank|clusterlaunchcontrol|st\.async|red\.async|multimem"),
    ("asynchronous copy", r"cp\."),
    ("lanes", r"shfl|vote|match|redux|activemask|elect|%lane"),
    ("barrier", r"bar|barrier"),
    ("fence", r"fence|membar"),
    ("atomic", r"atom|red"),
    ("memory", r"ld|st|ldu|prefetch|prefetchu|discard|createpolicy|applypriority"),
    ("address", r"cvta|isspacep"),
    ("conversion", r"cvt"),
    ("bits", r"lop3|prmt|bfe|bfi|shf|brev|popc|clz|bfind|bmsk|fns|and|or|xor|not|shl|shr"),
    ("video", r"v(?:add|sub|min|max|absdiff|avrg|set|mad|shl|shr)[24]?|dp[24]a|sad"),
    ("approximation", r"ex2|lg2|rcp|rsqrt|sqrt|sin|cos|tanh"),
    ("texture", r"tex|tld4|suld|sust|sured|suq|txq"),
    ("control", r"trap|brkpt|exit|nanosleep|griddepcontrol|setmaxnreg|pmevent|bra|ret|call"),
)
"""Families of instructions by how their names begin; what none of them has is arithmetic."""
NEWER = re.compile(
    r"wgmma|tcgen05|cp\.async\.bulk|cp\.reduce\.async|(?:prefetch\.)?tensormap|fence\.proxy|st\.bulk|mbarrier|cp\.async\.mbarrier|"
    r"fence\.mbarrier_init|barrier\.cluster|mapa|getctarank|clusterlaunchcontrol|st\.async|red\.async|multimem|setmaxnreg|"
    r"griddepcontrol|elect\.sync|stmatrix|\S*::cluster|\S*\.f32x2\b|cvt\.rs|\S*\.(?:e2m1|e2m3|e3m2|ue8m0)|\S*kind::|"
    r"ldmatrix\S*\.(?:m16n16|m8n16)|(?:ld|st)\S*\.v8\.[bfsu]32|(?:ld|st)\S*\.v4\.[bfsu]64"
)
"""How instructions begin that sm_90 and later have, or sm_100 and later: "Target ISA notes" of the PTX ISA."""
_HEADS = [(name, re.compile(rf"(?:{heads})(?![a-z0-9_])")) for name, heads in FAMILIES]


def projects() -> list[harness.Project]:
    """Projects that are known to have asm statements."""
    return [project for project in harness.projects() if project.asm]


@pytest.mark.parametrize("project", projects(), ids=lambda project: project.name)
def test_every_asm_statement_is_answered(project: harness.Project, say: Callable[[Iterable[str]], None]) -> None:
    if project.large and not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        pytest.skip(f"{project.name} is large; set CUDAMIGRATE_CORPUS_ALL=1 to read it")
    root = harness.unpacked(project)
    if isinstance(root, str):
        pytest.skip(f"{project.name} {project.version} cannot be fetched: {root}")
    counts, unanswered, lines = _read(project.name, root, harness.settings(project))
    say(lines)
    assert sum(counts.values()) >= project.asm, "fewer statements are seen than before"
    assert unanswered == []


@pytest.mark.parametrize("folder", [one for one in os.environ.get("CUDAMIGRATE_ASM_FOLDERS", "").split(":") if one])
def test_every_asm_statement_of_a_folder_is_answered(folder: str, say: Callable[[Iterable[str]], None]) -> None:
    """Folders of projects that no package index has, as they are on this machine."""
    _, unanswered, lines = _read(Path(folder).name, Path(folder), Config())
    say(lines)
    assert unanswered == []


def _read(name: str, root: Path, config: Config) -> tuple[Counter[tuple[str, str]], list[str], list[str]]:
    """Statements by family and fate, those without an answer, and the table."""
    counts: Counter[tuple[str, str]] = Counter()
    older: Counter[str] = Counter()
    unanswered: list[str] = []
    for family, fate, place, newer in statements(root, config):
        counts[family, fate] += 1
        older[fate] += not newer and fate != "other"
        if fate == "unanswered":
            unanswered.append(place)
    share = older["translated"] / max(1, older.total())
    last = f"without what Hopper and Blackwell alone have: {older['translated']} of {older.total()}, {share:.1%}"
    return counts, unanswered, [*_lines(name, counts), last]


def _lines(name: str, counts: Counter[tuple[str, str]]) -> Iterator[str]:
    """A table of one project: families by fates."""
    yield "  ".join(f"{word:>10}" if at else f"{word:34}" for at, word in enumerate((name, "total", *FATES)))
    families = sorted({family for family, _ in counts}, key=lambda family: -_sum(counts, family))
    for family in [*families, ""]:
        numbers = [_sum(counts, family), *(_sum(counts, family, fate) for fate in FATES)]
        yield "  ".join([f"{family or 'all':34}", *(f"{number:10}" for number in numbers)])


def _sum(counts: Counter[tuple[str, str]], family: str = "", fate: str = "") -> int:
    return sum(number for key, number in counts.items() if family in ("", key[0]) and fate in ("", key[1]))


def statements(root: Path, config: Config) -> Iterator[tuple[str, str, str, bool]]:
    """Family, fate and place of each asm statement in the CUDA code of a project, and whether older GPUs lack it."""
    inventory = discovery.discover(root, config, cuda.FILES)
    book = pipeline.rules(pipeline.target(config))
    work = partial(_of_file, root=Path(inventory.root), config=config, marks=book.marks())
    for found in parallel.run(work, inventory.entries, config.jobs):
        yield from found


def _of_file(entry: FileEntry, root: Path, config: Config, marks: frozenset[bytes]) -> list[tuple[str, str, str, bool]]:
    source = discovery.read(root, entry)
    if isinstance(source, Skip) or b"asm" not in source.data or not cuda.is_cuda(source, marks):
        return []
    parsed = cuda.parse(source, frozenset(), config.hip_guards)
    hits = {hit.use.span.start: hit for hit in inline_ptx.find(parsed)}
    uses = {use.span.start: use for use in parsed.uses if use.kind == "asm"}
    found = []
    for match in parsed.lexed.matches(_ASM):
        start = match.start()
        if parsed.hip(start) is False or parsed.problems:
            continue
        place = f"{source.path}:{source.position(start).line}"
        fate = _fate(parsed, hits.get(start), start)
        use = uses.get(start)
        text = "" if use is None else statement.read(parsed, use).template
        why = hits[start].words.get("why", "") if start in hits else ""
        newer = any(NEWER.match(name) for name in parser.opcodes(text)) or "%cluster" in text
        found.append((_family(text), fate, f"{place}: {why}", newer))
    return found


def _fate(parsed: ParsedFile, hit: Hit | None, start: int) -> str:
    if hit is None:
        return "other" if parsed.hip(start) is True or not _is_left_out(parsed, start) else "unanswered"
    if hit.rule == "ptx/inline-asm":
        return "unanswered"
    if hit.rule in _REPORTED:
        return "reported"
    found = translate.translation(parsed, hit.use)
    return "translated" if found is not None and found.edits else "without"


def _is_left_out(parsed: ParsedFile, start: int) -> bool:
    """Whether a statement that nothing is said of spells PTX: then it should have been found."""
    use = next((use for use in parsed.uses if use.kind == "asm" and use.span.start == start), None)
    if use is None:
        return b"%%" in parsed.data[start : start + 200]
    dotted = re.search(r"[a-z]\w*\.[a-z]", statement.read(parsed, use).template)
    return dotted is not None and translate.translation(parsed, use) is not None and parsed.scope(start) != "host"


def _family(text: str) -> str:
    """The family of a statement: that of its rarest instruction, in the order of the list."""
    words = [word for part in re.split(r"[;{}\n]", text) for word in re.findall(r"^\s*(?:@!?\S+\s+)?(\S+)", part)]
    for name, heads in _HEADS:
        if any(heads.match(word) for word in words) or (name == "lanes" and "%lane" in text):
            return name
    return "arithmetic" if words else "empty"
