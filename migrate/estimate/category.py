"""Files and clues -> components: what kind of code base each part of a repository is, and how far it is ported.

Result: `Part`s, one for each folder with a build of its own that has GPU code, with the places that show the category.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from cudamigrate.estimate.survey import Clue, Survey, is_aside
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding
from cudamigrate.model.absent_files import gaps as counted
from cudamigrate.model.estimate import Category, Evidence
from cudamigrate.model.port_facts import PortSummary

NATIVE = ("cuda", "cxx")
"""Languages whose lines are native code."""
ORDER: tuple[Category, ...] = (
    "pytorch-cuda-extension",
    "native-cuda",
    "tensorrt",
    "pytorch-triton",
    "python-kernels",
    "jax",
    "pytorch",
    "packages-only",
    "ported",
    "no-gpu",
)
"""Which category speaks for the whole where parts cost alike."""
_HIP_PATH = re.compile(r"(?:^|[/_.-])(?:hip|rocm|amd|ck)(?=[/_.-])|\.hip$", re.IGNORECASE)
"""A file for AMD GPUs by a word of its path: `src/hip/a.cu`, `gemm_rocm.cpp`, `a.hip`; `ship/a.cu` is none."""
COLLECTION, COLLECTED = 10, 0.3
"""From so many programs on, and with so many of the CUDA files having a main function, it is a collection."""
_GAPS = ("warp", "ptx", "cooperative-groups", "texture", "library", "memory", "launch", "math")
WATCHING = ("api/nvml-", "library/own-nvml")
"""How rules on NVML begin."""
_FEW = 20
"""Of this many files one that includes PyTorch's headers is a plugin of the program, which is no extension."""
_TORCH_HEADERS = re.compile(r"<(?:torch|ATen|c10)/|[\"<]torch/|THC/")


@dataclass(slots=True)
class Part:
    """A component in the making: its files, and what it is. `python` is what its Python alone would make of it.

    `respected` tells that its findings are the gaps of a port that is there.
    """

    path: str
    files: list[FileResult] = field(default_factory=list)
    category: Category = "no-gpu"
    underlying: Category = "no-gpu"
    evidence: tuple[Evidence, ...] = ()
    hip: tuple[Evidence, ...] = ()
    ported: float = 0.0
    python: Category = "no-gpu"
    respected: bool = False

    @property
    def cuda(self) -> list[FileResult]:
        """The files with CUDA code: by their name, or by what was found in them that is more than NVML."""
        native = (file for file in self.files if file.cuda and file.language in NATIVE)
        return [file for file in native if file.language == "cuda" or _computes(file) or file.kernels or file.ported]

    @property
    def watches(self) -> bool:
        """Whether NVML is what its native code uses of NVIDIA's."""
        return not self.cuda and any(file.cuda and file.findings for file in self.files if file.language in NATIVE)

    @property
    def programs(self) -> int:
        """How many programs a collection of small ones holds; 0 where it is none: too few, or with much other code."""
        files = self.cuda
        count = sum(file.programs > 0 for file in files)
        return count if count >= COLLECTION and count >= len(files) * COLLECTED else 0

    @property
    def cuda_lines(self) -> int:
        """Lines of the files with CUDA code."""
        return sum(file.lines for file in self.cuda)

    @property
    def findings(self) -> list[Finding]:
        """All findings, in the order of the files."""
        return [finding for file in self.files for finding in file.findings]

    @property
    def gaps(self) -> int:
        """How many findings a reader gets, where files that a port lacks are one."""
        return counted(self.files)


def parts(
    files: Sequence[FileResult], seen: Survey, telling: frozenset[str], port: PortSummary | None = None
) -> list[Part]:
    """The components with GPU code, by path; what has none counts as part of the component around it.

    `telling` are the words of the survey that show use of a GPU by themselves; `port` is the port that there is.
    """
    by_root = {root: Part(root) for root in seen.roots}
    for file in sorted(files, key=lambda file: file.path):
        by_root[seen.home(file.path)].files.append(file)
    for root in sorted(by_root, key=lambda root: (-root.count("/"), root)):
        _classify(by_root[root], seen, telling)
        if port is not None and by_root[root].cuda:
            _count_port(by_root[root], port)
    kept = {root: part for root, part in by_root.items() if part.underlying != "no-gpu" and _counts(part)}
    if not kept:
        if port is not None:  # all that it has of CUDA is answered, or not shown to fail
            _count_port(by_root["."], port)
        return [by_root["."]]
    for root, part in by_root.items():
        if root != "." and root not in kept and part.files:
            _around(root, kept, by_root).files.extend(part.files)
    kept.update({root: part for root, part in by_root.items() if root == "." and part.findings})
    for part in kept.values():
        part.files.sort(key=lambda file: file.path)
    return [kept[root] for root in sorted(kept)]


def _computes(file: FileResult) -> bool:
    """Whether anything was found in a file but NVML, which watches GPUs and has no program for them."""
    return any(not one.rule.startswith(WATCHING) for one in file.findings)


def _counts(part: Part) -> bool:
    """False for Python in folders of tests and examples: it is run for the project, not moved by itself."""
    return bool(part.cuda) or not is_aside(f"{part.path}/")


def _around(root: str, kept: dict[str, Part], by_root: dict[str, Part]) -> Part:
    folder = root
    while folder != ".":
        folder = folder.rpartition("/")[0] or "."
        if folder in kept:
            return kept[folder]
    return by_root["."]


def _classify(part: Part, seen: Survey, telling: frozenset[str]) -> None:
    part.python, part.evidence = _python(part, seen, telling)
    part.underlying = part.python
    if any(not is_aside(file.path) for file in part.cuda) or (part.cuda and part.python == "no-gpu"):
        part.underlying, part.evidence = _native(part, part.cuda, seen)
    part.ported, part.hip = _ported(part, seen)
    done = part.ported >= 0.6 and part.underlying in ("native-cuda", "pytorch-cuda-extension")
    part.category = "ported" if done else part.underlying


def _count_port(part: Part, port: PortSummary) -> None:
    """A component of a repository with a port: its gaps are all that is left."""
    kernels = sum(file.kernels for file in part.cuda)
    unseen = frozenset(port.unseen)
    lacking = sum(file.kernels if file.path in unseen else file.lacking for file in part.cuda)
    guards = [Evidence(guard.path, guard.line, guard.reason) for guard in port.guards if guard.kind == "exact"]
    places = [place.rpartition(":") for place in port.builds]
    near = [(path, line) for path, _, line in places if _is_around(path, part.path)]
    builds = [Evidence(path, int(line), "builds for HIP") for path, line in near[:2]]
    part.respected = True
    missing = any(file.absent and file.findings for file in part.cuda)
    part.ported = round(1 - lacking / kernels, 2) if kernels else float(not missing)
    if part.ported or part.underlying not in ("native-cuda", "pytorch-cuda-extension"):
        part.category = "ported"
    part.hip = (*guards[:2], *builds, *part.hip)[:5]


def _is_around(build: str, component: str) -> bool:
    """Whether a build file is in a component, or in a folder around it: another one builds other things."""
    folder = build.rpartition("/")[0]
    return (
        component == "."
        or not folder
        or f"{build}/".startswith(f"{component}/")
        or f"{component}/".startswith(f"{folder}/")
    )


def _python(part: Part, seen: Survey, telling: frozenset[str]) -> tuple[Category, tuple[Evidence, ...]]:
    """The first category that the clues allow, the dearest kinds of work first."""
    clue = partial(seen.of, part.path)
    tensorrt = _joined([clue("import tensorrt"), clue("import tensorrt_llm"), clue("tensorrt")])
    torch, jax = clue("import torch"), _joined([clue("import jax"), clue("import flax")])
    kernels = _joined([clue("raw-kernel"), clue("numba-kernel"), clue("import cupy"), clue("import pycuda")])
    packages = _joined([clue(word) for word in sorted(seen.clues.get(part.path, {})) if word in telling])
    choices: list[tuple[bool, Category, Clue]] = [
        (tensorrt.files * 4 >= max(torch.files, 1) and tensorrt.files > 0, "tensorrt", tensorrt),
        (clue("triton-kernel").files > 0, "pytorch-triton", clue("triton-kernel")),
        (jax.files > torch.files, "jax", jax),
        (kernels.files > torch.files, "python-kernels", kernels),
        (torch.files > 0, "pytorch", torch),
        (packages.files > 0, "packages-only", packages),
    ]
    for holds, category, shown in choices:
        if holds:
            return category, tuple(shown.places[:5])
    return "no-gpu", ()


def _native(part: Part, code: list[FileResult], seen: Survey) -> tuple[Category, tuple[Evidence, ...]]:
    """PyTorch's or its own: the build says it, else the headers that the code includes, not one file of many."""
    own = seen.of(part.path, "torch-extension"), seen.of(part.path, "embedded-extension")
    headers = [
        Evidence(file.path, finding.position.line, finding.excerpt)
        for file in code
        for finding in file.findings
        if _TORCH_HEADERS.search(finding.excerpt)
    ]
    largest = [Evidence(file.path, 0, f"{file.lines} lines of CUDA code") for file in _largest(code)]
    build = tuple(seen.of(part.path, "cuda-build").places[:2])
    including = len({one.path for one in headers})
    if any(clue.files for clue in own) or (including and including * _FEW >= len(code)):
        shown = [*own[0].places[:2], *own[1].places[:2], *headers[:2]]
        return "pytorch-cuda-extension", (*shown, *largest[:2])
    return "native-cuda", (*build, *largest)


def _largest(code: list[FileResult]) -> list[FileResult]:
    return sorted(code, key=lambda file: (-file.lines, file.path))[:3]


def _joined(clues: list[Clue]) -> Clue:
    """Several clues as one."""
    places = [place for clue in clues for place in clue.places]
    return Clue(sum(clue.files for clue in clues), sum(clue.aside for clue in clues), places)


def _ported(part: Part, seen: Survey) -> tuple[float, tuple[Evidence, ...]]:
    """How far the CUDA code of a component is ported: what its build says, and how many lines are beside HIP's."""
    code = part.cuda
    build, texts = seen.of(part.path, "hip-build"), seen.of(part.path, "hip-text")
    if not code:
        clue = _joined([seen.of(part.path, "hip-code"), texts])
        return (0.5, tuple(clue.places[:3])) if clue.files else (0.0, ())
    native = [file for file in part.files if file.language in NATIVE]
    ported = [file for file in native if file.ported or _HIP_PATH.search(file.path)]
    done = sum(file.lines for file in ported)
    known = {file.path for file in ported}
    share = done / max(1, done + sum(file.lines for file in code if file.path not in known))
    regions = [Evidence(f.path, 0, f"{f.ported} regions for HIP") for f in _most_ported(ported)]
    if not build.files:
        degree = 0.5 * share
    elif part.underlying == "pytorch-cuda-extension":
        # PyTorch's own build renames: the manual work that is left decides
        degree = 0.4 + 0.4 * (share if gaps(part.findings) else 1.0) + 0.2 * share
    else:
        degree = 0.4 + 0.6 * share
    return round(degree, 2), (*build.places[:3], *regions, *texts.places[:3])


def gaps(findings: Iterable[Finding]) -> bool:
    """True where manual work is left that is more than names: lanes, PTX, groups, libraries without an equivalent."""
    hard = [finding for finding in findings if not finding.automatic and finding.effort not in ("none", "trivial")]
    return any(finding.group in _GAPS or (finding.group == "api" and finding.support == "none") for finding in hard)


def _most_ported(files: list[FileResult]) -> list[FileResult]:
    return sorted((file for file in files if file.ported), key=lambda file: (-file.ported, file.path))[:2]


def whole(found: Sequence[Part], weights: Mapping[str, float]) -> Category:
    """The category that speaks for the repository: that of the part with most CUDA code, else with most work."""
    if not found:
        return "no-gpu"
    best = max(found, key=lambda part: (part.cuda_lines, weights[part.path], -ORDER.index(part.category)))
    return best.category
