"""Reports built manually that several tests share: one with everything in it, a hostile one, and one of any size."""

from __future__ import annotations

from dataclasses import replace

from cudamigrate.model import (
    Change,
    Edit,
    FileResult,
    Finding,
    Fix,
    Match,
    Position,
    Report,
    Repository,
    Rule,
    Skip,
    Span,
    Target,
    numbered,
)
from cudamigrate.model.estimate import (
    Alternative,
    Blocker,
    Business,
    Card,
    Component,
    CostItem,
    Days,
    Estimate,
    Evidence,
    FrameworkUse,
    Performance,
    Source,
    Staffing,
    Step,
    Verdict,
)

RULES = (
    ("api/cudaMalloc", "full", "compile-error", "none", "`cudaMalloc` is `hipMalloc` in HIP.", "safe"),
    ("warp/sync-shuffle", "full", "wrong-result", "none", "`__shfl_down_sync` keeps groups of 32 lanes.", "unsafe"),
    (
        "ptx/tensor-core",
        "none",
        "compile-error",
        "redesign",
        "`mma.sync` has no equivalent; MFMA works otherwise.",
        None,
    ),
    ("memory/device-major", "partial", "wrong-result", "small", "`p.major >= 8` compares a GFX version on AMD.", None),
    ("launch/occupancy", "manual", "slower", "medium", "A block of 1024 threads leaves half of the registers.", None),
    ("api/cudaMallocAsync", "full", "fine", "none", "`cudaMallocAsync` is `hipMallocAsync` from ROCm 99.1 on.", None),
)


def rule(name: str, support: str, outcome: str, effort: str, message: str, safety: str | None) -> Rule:
    return Rule(
        id=name,
        title=f"What {name} is",
        match=Match("name", ()),
        support=support,  # type: ignore[arg-type]
        outcome=outcome,  # type: ignore[arg-type]
        change=Change("none"),
        safety=safety or "suggestion",  # type: ignore[arg-type]
        effort=effort,  # type: ignore[arg-type]
        message="",
        notes=f"{message}\nDo: read `docs` & decide.\nSource: a header <cuda.h>.",
        since="99.1" if name == "api/cudaMallocAsync" else "",
        library="CUDA Runtime" if name.startswith("api/") else "",
    )


def finding(number: int, path: str, line: int, before: str = "", message: str = "") -> Finding:
    name, support, outcome, effort, said, safety = RULES[number % len(RULES)]
    start = line * 40
    fix = Fix((Edit(Span(start, start + 10), b"hipMalloc"),), safety) if safety else None  # type: ignore[arg-type]
    source = before or f"  {name.partition('/')[2]}(&p, n);"
    return Finding(
        rule=name,
        path=path,
        span=Span(start, start + 10),
        position=Position(line, 3),
        end=Position(line, 13),
        excerpt=source.strip(),
        message=message or said,
        support=support,  # type: ignore[arg-type]
        outcome=outcome,  # type: ignore[arg-type]
        certainty="syntax",
        effort=effort,  # type: ignore[arg-type]
        fix=fix,
        before=source,
        after=source.replace("cuda", "hip") if fix else "",
    )


def report_of(findings: list[Finding], estimate: Estimate | None = None) -> Report:
    ordered = sorted(findings, key=lambda one: (one.path, one.span, one.rule))
    found = [replace(one, ordinal=ordinal) for one, ordinal in numbered(ordered)]
    by_path: dict[str, list[Finding]] = {}
    for one in found:
        by_path.setdefault(one.path, []).append(one)
    files = [FileResult(path, "cuda", 400, 9000, True, tuple(items), ported=1) for path, items in by_path.items()]
    used = {one.rule for one in found}
    return Report(
        version="0.1.0",
        repository=Repository("", "solver", "0123456789" * 4, "main", True),
        target=Target("10.1", "13.0", ("gfx90a", "gfx942")),
        files=tuple(sorted([*files, FileResult("src/plain.cpp", "cxx", 120, 3000, False)], key=lambda file: file.path)),
        findings=tuple(found),
        skipped=(Skip("data/big.cu", "too-large", "3,000,000 bytes"),),
        vendored={"third_party": 12},
        submodules=("libs/sub",),
        rules={row[0]: rule(*row) for row in sorted(RULES) if row[0] in used},
        estimate=estimate,
    )


def large(count: int, folders: int = 12) -> Report:
    """A report of so many findings in some hundred files, with an estimate."""
    paths = [f"src/part{n % folders}/kernels/file{n}.cu" for n in range(max(1, count // 25))]
    found = [finding(n, paths[n // 25 % len(paths)], 1 + n % 25 * 7) for n in range(count)]
    items = [
        CostItem("findings", "Tensor-core code", Days(0.1, 0.2 + n % 7 / 10, 0.9), 4, "ptx/tensor-core", path)
        for n, path in enumerate(paths)
    ]
    return report_of(found, estimate(items))


def full() -> Report:
    """A report with each kind of finding in a few files, and an estimate with all its parts."""
    paths = ["src/reduce.cu", "src/gemm/tile.cu", "src/gemm/epilogue.cuh", "python/ext/bind.cu"]
    found = [finding(n, paths[n % 5 % 4], 5 + n * 3) for n in range(26)]
    items = [
        CostItem("findings", "Tensor-core code", Days(3, 6, 14), 4, "ptx/tensor-core", "src/gemm/tile.cu"),
        CostItem("findings", "Device checks", Days(0.5, 1, 2), 3, "memory/device-major", "src/reduce.cu"),
        CostItem("findings", "Launch shapes", Days(0.5, 1.5, 3), 3, "launch/occupancy", "python/ext/bind.cu"),
    ]
    return report_of(found, estimate(items))


def estimate(items: list[CostItem]) -> Estimate:
    source = Source("A published port of such a library", "2025-06", "independent")
    more = [
        CostItem("review", "Review of automatic changes", Days(0.5, 1, 2), 9),
        CostItem("tests", "Tests of kernels", Days(1, 2, 4), 4, source=source),
        CostItem("build", "CMake for HIP", Days(0.5, 1, 3), 1),
        CostItem("environment", "Machines, images, CI", Days(1, 2, 5), 1),
        CostItem("tuning", "Tuning to the range expected", Days(1, 3, 8), 4),
    ]
    every = (*items, *more)
    middle = sum(item.days.p50 for item in every)
    place = Evidence("src/gemm/tile.cu", 14, "mma.sync.aligned")
    return Estimate(
        category="native-cuda",
        days=Days(round(middle * 0.6, 2), middle, round(middle * 1.9, 2)),
        published=(10, 30),
        compared="Fewer kernels than most have, and one of them is written in PTX.",
        items=every,
        components=(
            Component(".", "native-cuda", (place,), 4, 1600, 22, Days(9, 15, 30), kernels=4),
            Component("python/ext", "pytorch-cuda-extension", (), 1, 400, 4, Days(1, 2.5, 5)),
        ),
        blockers=_blockers(source, place),
        performance=_performance(source),
        verdicts=_verdicts(),
        plan=_plan(),
        frameworks=(FrameworkUse("PyTorch 2.9", "full", "Use the ROCm wheels.", (place,), source),),
        business=_business(source),
        sources=(source,),
        resolved=Days(11, 19, 38),
        staffing=(Staffing(1, Days(9, 15, 30)), Staffing(3, Days(6, 9, 18))),
        ported=0.1,
    )


def _blockers(source: Source, place: Evidence) -> tuple[Blocker, ...]:
    return (
        Blocker(
            "TensorRT engine",
            ("ptx/tensor-core",),
            (place, Evidence("CMakeLists.txt", 0, "TensorRT")),
            (
                Alternative("MIGraphX", Days(5, 10, 20), "plug-ins of your own", source),
                Alternative("vLLM on ROCm", Days(2, 4, 8)),
            ),
            3,
        ),
    )


def _performance(source: Source) -> tuple[Performance, ...]:
    return (
        Performance("training", "MI300X", 85, 92, ("wave of 64 lanes: -3 points",), (source,)),
        Performance("decode at small batch", "MI300X", None, None, ("TensorRT only",), (source,)),
    )


def _verdicts() -> tuple[Verdict, ...]:
    return (
        Verdict("", "move-part", "The solver moves in weeks and pays back in `7` months; inference waits."),
        Verdict("training", "move", "All of it has equivalents."),
        Verdict("inference", "stay", "TensorRT has no equivalent."),
    )


def _plan() -> tuple[Step, ...]:
    return (
        Step("environment", "Environment", Days(1, 2, 5), (), 1, True),
        Step("repair", "Repair what is left", Days(4, 8, 19), ("environment",), 2, True),
        Step("tuning", "Benchmark and tune", Days(1, 3, 8), ("repair",)),
    )


def _business(source: Source) -> Business:
    return Business(
        20_000,
        4.1,
        2.6,
        900,
        Days(9_000, 15_000, 30_000),
        (18_000, 26_000),
        (None, 0.5),
        "USD",
        (source,),
        (Card("MI300X", "gfx942", 192, "H100", 80, source),),
    )


HOSTILE = (
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "<img src=x onerror=window.hacked=1>",
    "\"'><svg onload=window.hacked=1>",
    "a\u2028window.hacked=1;//\u2029",
    "`${window.hacked=1}`",
    "{{ 7*7 }}{% raw %}",
    "javascript:window.hacked=1",
    "]]>&lt;b&gt;",
    "=HYPERLINK(1)",
    "a|b `c` @someone #1 [x](y) ::error::z%0A",
    "n\nl\r\nt\t\x00\x1b[31m\u202e",
    "\udcff\udcfe",
    "%{label}<a href='javascript:window.hacked=1'>x</a>",
    "#file=../?a=b&c",
)


def hostile(texts: tuple[str, ...] = HOSTILE) -> Report:
    """A report in which every text of the repository tries to be something else."""
    found = []
    for number, text in enumerate(texts):
        path = f"{text}/{text}.cu"
        found.append(finding(2 + number % 3, path, 3 + number, text, f"`{text}` {text}"))
        found.append(finding(0, path, 90 + number, text, text))
    made = report_of(found)
    evil = HOSTILE[0] + HOSTILE[2]
    known = {name: replace(one, title=evil, notes=evil, library=evil) for name, one in made.rules.items()}
    items = [CostItem(evil, evil, Days(1, 2, 3), 1, f.rule, f.path) for f in found[:12]]
    priced = estimate(items)
    places = (Evidence(evil, 1, evil),)
    priced = replace(
        priced,
        compared=evil,
        verdicts=tuple(replace(v, workload=evil, because=evil) for v in priced.verdicts),
        blockers=tuple(replace(b, title=evil, rules=(evil,), places=places) for b in priced.blockers),
        frameworks=tuple(replace(f, name=evil, status=evil, advice=evil) for f in priced.frameworks),
        plan=tuple(replace(s, title=evil, after=(evil,)) for s in priced.plan),
    )
    where = Repository("", evil, "", evil)
    skips = (Skip(evil, evil, evil),)
    vendored, submodules = {evil: 1}, (evil,)
    return replace(
        made,
        repository=where,
        skipped=skips,
        vendored=vendored,
        submodules=submodules,
        rules=known,
        estimate=priced,
    )
