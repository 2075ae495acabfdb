"""Requirements on packages as files write them: names, versions, indexes. No knowledge of particular packages.

Result: a `Requirement`, or the addresses that are there. The same for requirement files, TOML arrays, YAML lists and
the words of a shell command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use

NOWHERE = Span(0, 0)
BUILD_REQUIRES = "build-system.requires"
"""The list of pyproject.toml without whose packages nothing is built."""
_REQUIREMENT = re.compile(
    rb"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
    rb"\s*(?P<extras>\[[A-Za-z0-9._,\s-]*\])?"
    rb"\s*(?:@\s*(?P<url>\S+)|(?P<version>\(?\s*[<>=!~]+\s*[^;#\s\\,]*(?:\s*,\s*[<>=!~]+\s*[^;#\s\\,]*)*))?"
    rb"\s*(?=;|#|\\|\s--|$)"
)
"""`torch[gpu] >=2.0,<3` or `torch @ URL`, up to a marker, comment, continued line, option or end (lookahead)."""
_ADDRESS = re.compile(rb"https?://([^\s\"'<>|;,\\`)\]}]+)")
_LOCAL = re.compile(rb"\+[A-Za-z0-9.]+")
_NORMALISED = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CLAUSE = re.compile(r"(===|==|~=|<=|>=|!=|<|>)\s*([\w.*+!-]+)")
"""One condition on a version: `>=2.0`, `==1.*`; longer signs are first, or `==` would end before `===` does."""
_HARDWARE = frozenset({
    "amd", "cpu", "hip", "hpu", "intel", "ipex", "macos", "metal", "mlx", "mps", "musa", "neuron", "npu", "openvino",
    "osx", "ppc64le", "rocm", "s390x", "sycl", "tpu", "vulkan", "webgpu", "xpu", "zen",
})  # fmt: skip
_FOR_CUDA = re.compile(rb"\bnvidia/cuda[:@]|/whl/(?:test/|nightly/)?cu\d|\+cu\d{2,3}\b")
"""What only a build for CUDA is made from: `nvidia/cuda:12.4.1`, `/whl/cu121`, `torch==2.5.1+cu121`."""
_DOCUMENTS = frozenset({"doc", "docs", "readthedocs", "rtd"})
_NVIDIA = frozenset({"cuda", "gpu", "nvidia"})


def elsewhere(path: str, data: bytes) -> bool:
    """Whether a file says by its name that it is not for NVIDIA's GPUs: `requirements/cpu.txt`, `rocm/Dockerfile`.

    One that asks for an image or a wheel of CUDA's is for them, whatever it is called: a `neuron` may be a cell.
    """
    if _FOR_CUDA.search(data) is not None:
        return False
    *folders, name = path.lower().split("/")
    words = set(re.split(r"[^a-z0-9]+", name))
    named = bool(words & (_HARDWARE | _DOCUMENTS)) or not _HARDWARE.isdisjoint(folders)
    return named and not words & _NVIDIA


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement: `version` covers its specifiers, `whole` what goes where it is dropped; both may be empty.

    `name` is normalised as pip does, `clauses` are operator and version of each specifier. `table` is what the file
    calls the list that it is in, where that counts.
    """

    name: str
    span: Span
    extras: Span = NOWHERE
    version: Span = NOWHERE
    local: Span = NOWHERE
    whole: Span = NOWHERE
    clauses: tuple[tuple[str, str], ...] = ()
    table: str = ""

    @property
    def pin(self) -> str:
        """The one version that is asked for, without its local part; empty where several would do."""
        exact = [version.partition("+")[0] for sign, version in self.clauses if sign in ("==", "===", "=")]
        return exact[0] if len(exact) == 1 and not exact[0].endswith("*") else ""

    @property
    def use(self) -> Use:
        """The use of the package that a front end gives."""
        return Use("package", self.name, self.span, self.span, certainty="syntax", enclosing=self.table)


def normalised(name: bytes) -> str:
    """A package's name as pip compares them."""
    spelled = name.decode("latin-1")
    if _NORMALISED.fullmatch(spelled):
        return spelled
    from packaging.utils import canonicalize_name  # most names need nothing done

    return canonicalize_name(spelled)


def clauses(text: bytes) -> tuple[tuple[str, str], ...]:
    """Operator and version of each specifier in `text`."""
    return tuple(_CLAUSE.findall(text.decode("latin-1")))


def requirement(data: bytes, start: int, end: int, whole: Span = NOWHERE) -> Requirement | None:
    """The requirement that begins at `start`, None where there stands something else."""
    match = _REQUIREMENT.match(data, start, end)
    if match is None:
        return None
    version = _span(match, "version")
    local = NOWHERE
    if (found := _LOCAL.search(data, version.start, version.end)) is not None:
        local = Span(*found.span())
    return Requirement(
        normalised(match["name"]),
        _span(match, "name"),
        _span(match, "extras"),
        version,
        local,
        whole,
        clauses(data[version.start : version.end]),
    )


def _span(match: re.Match[bytes], group: str) -> Span:
    return Span(*match.span(group)) if match[group] is not None else NOWHERE


def addresses(data: bytes, start: int, end: int) -> Iterator[Use]:
    """Each web address in a range, named without its scheme; as rules name indexes of packages and archives."""
    for match in _ADDRESS.finditer(data, start, end):
        name = match[1].decode("latin-1").rstrip("/.")
        span = Span(*match.span(1))
        yield Use("name", name[:300], span, span, certainty="syntax")


def by_place(found: Iterable[Requirement]) -> dict[int, Requirement]:
    """Requirements as the facts of a file keep them."""
    return {item.span.start: item for item in found}


def line_around(data: bytes, span: Span) -> Span:
    """The lines around `span`, with the end of the last."""
    end = data.find(b"\n", span.end)
    return Span(data.rfind(b"\n", 0, span.start) + 1, len(data) if end < 0 else end + 1)


def element(data: bytes, span: Span) -> Span:
    """What to take out so that `span` is no longer an element of the array around it.

    The whole line where it has one of its own, with a comment that follows; else the element and the comma after it.
    """
    line = line_around(data, span)
    before, after = data[line.start : span.start], data[span.end : line.end]
    if not before.strip() and re.fullmatch(rb"[ \t]*,?[ \t]*(?:#[^\n]*)?\r?\n?", after):
        return line
    follows = re.match(rb"[ \t]*,[ \t]*", data[span.end :])
    if follows is not None:
        return Span(span.start, span.end + follows.end())
    return Span(line.start + len(before.rstrip(b" \t")), span.end)
