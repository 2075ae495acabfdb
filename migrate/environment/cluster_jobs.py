"""What a job of a cluster asks for: GPUs by their model, nodes by a feature or a partition, and modules of CUDA.

The names are the cluster's own. Sources: Slurm's documentation of sbatch; that of Lmod and of Environment Modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax.shell import Word

_GPUS = ("--gres", "--gpus", "-G", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket")
_FEATURES = ("--constraint", "-C")
_PARTITIONS = ("--partition", "-p")
_MODEL = re.compile(r"(?:[^=]*?gpu:)?([A-Za-z][\w.-]*)(?::\d+)?")
"""The model that Slurm is asked for: `gpu:a100:4`; a plain number has none, thus a letter first."""
_FEATURE = re.compile(r"[\w.-]+")
_PART = re.compile(
    r"(?<![A-Za-z0-9])(?:gpus?)?((?:rtx|gtx|[a-z]{1,2})\d{2,4}s?)(?:x\d+)?(?![A-Za-z0-9])", re.IGNORECASE
)
"""A model of GPU in the name of a partition: `a100`, `h100-long`, `gpuA100x4`; one figure is none: `p4`."""
_LOADS = ("load", "add", "switch", "swap", "try-load", "try-add")
_MODULE = re.compile(
    r"(?:[\w.-]+/)?(?:cuda(?:toolkit)?[\d.]*|cudnn|nccl|nvhpc(?:-\w+)?|cudacore|nvidia-hpc-sdk|craype-accel-nvidia\w*)"
    r"(?:[/-].*)?",
    re.IGNORECASE,
)
"""A module of CUDA, of a library on it or of NVIDIA's compilers: `cuda/12.4`, `nvidia/cuda`, `cuda11.2/toolkit`."""


def slurm(words: Sequence[Word]) -> Iterator[tuple[str, Span]]:
    """Each model of GPU that options of Slurm name, as rules do, and where."""
    for number, word in enumerate(words):
        option, value, start = _option(word, words[number + 1] if number + 1 < len(words) else None)
        if option in _GPUS and (match := _MODEL.fullmatch(value)) is not None and match[1] != "gpu":
            yield _found(match, 1, start)
        for match in _FEATURE.finditer(value) if option in _FEATURES else ():
            yield _found(match, 0, start)
        for match in _PART.finditer(value) if option in _PARTITIONS else ():
            yield _found(match, 1, start)


def _option(word: Word, following: Word | None) -> tuple[str, str, int]:
    """An option, its value and where that begins: in the same word or the next."""
    name, equals, value = word.text.partition("=")
    if equals and name.startswith("--"):
        return name, value, word.span.start + len(name.encode()) + 1
    if word.text.startswith("-") and not word.text.startswith("--") and len(word.text) > len("-C"):
        return word.text[:2], word.text[2:], word.span.start + 2
    return word.text, following.text if following is not None else "", following.span.start if following else 0


def _found(match: re.Match[str], group: int, start: int) -> tuple[str, Span]:
    first = start + len(match.string[: match.start(group)].encode())
    return f"slurm gpu:{match[group].lower()}", Span(first, first + len(match[group].encode()))


def modules(words: Sequence[Word]) -> Iterator[Use]:
    """The modules of CUDA that `module load` or `ml` loads."""
    texts = [word.text for word in words]
    if texts[0] not in ("module", "ml") or (texts[0] == "module" and not set(texts[1:2]) & set(_LOADS)):
        return
    if texts[0] == "ml" and texts[1:2] and texts[1] in ("purge", "unload", "spider", "avail", "list", "use", "show"):
        return
    for span in (word.span for word in words[1:] if _MODULE.fullmatch(word.text)):
        yield Use("name", "module of CUDA", span, span, certainty="syntax")
