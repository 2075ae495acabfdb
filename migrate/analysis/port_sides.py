"""Which files of a repository are written for HIP, and which do the same for CUDA beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import FileEvidence

_HIP_PART = re.compile(r"(?:^|(?<=[/_.-]))(?:hip|rocm|amd)(?=[/_.-]|$)")
"""A part of a path that says HIP: `hip` in `src/hip/a.cc` or `a_hip.cc`. No part of a word, so `ship.cc` is not."""
_CUDA_PART = re.compile(r"(?:^|[-_.])(?:cuda|nvidia)(?=[-_.])|\.cuh?$")
"""A part of a file's name that says CUDA: `cuda` in `cuda_sort.h` or `sort.cuda.h`, or the ending `.cu` or `.cuh`."""
_CUDA_PARTS = ("cuda", "nvidia", "nv", "cu")
_VENDORS = frozenset(("hip", "rocm", "amd", "cuda", "nvidia", "nv", "cu"))
_SOURCES = re.compile(r"\.(?:cu|cuh|c|cc|cpp|cxx|h|hh|hpp|hxx|inl|inc|hip)(?:\.inc)?$")
"""The ending of a C, C++, CUDA or HIP source or header, maybe as a fragment: `a.cu`, `a.hpp`, `a.h.inc`."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MIRRORED = 3
"""So many files of one name in two folders side by side are no accident."""
_LIBRARY = re.compile(
    r"^(?:cu|hip|roc)(?=blas|fft|rand|sparse|solver|dnn|cub)|^(?:nv|roc)(?=tx)|^(?:cuda|hip|rocm)(?=[a-z]{3})"
)
"""What a name has before that of both sides: `cu` in `cublas`, `nv` in `nvtx`, `cuda` in `cudautils`, `rocm` in
`rocmmem`."""
_CUDA_LIBRARY = re.compile(r"cu(?=blas|fft|rand|sparse|solver|dnn)")
_PREFIXED = re.compile(r"^(hip|cuda)([a-z]{3}[^/]*)$")
"""A file's name that starts with the vendor's: `cudautils.cuh`, `hiputils.h`."""


def hip_files(evidence: Sequence[FileEvidence], paths: Sequence[str] = ()) -> frozenset[str]:
    """Files in a folder, or with a name, for HIP: where one there speaks HIP, all of the folder is its side.

    So it is where the folder mirrors one for CUDA beside it: kernels compiled at run time need not name HIP.

    A file with HIP in its name beside one with CUDA's in its place is the HIP side of the two. So is one that speaks
    HIP alone beside one that does not, where their names differ by the library: `rocsolver.hpp`, `cusolver.hpp`.
    """
    twins = {path for path in paths if _is_named(path) and _SOURCES.search(path)}
    stems = {bare(path) for path in paths if _CUDA_PART.search(_parted(path.rpartition("/")[2]))} if twins else set()
    twins = {path for path in twins if bare(path) in stems}
    twins = (twins | set(_prefixed(paths))) - {one.path for one in evidence if one.cuda}
    hip = {one.path for one in evidence if one.hip}
    cudas = {bare(path) for path in paths if path not in hip and _CUDA_LIBRARY.match(path.rpartition("/")[2])}
    twins |= {one.path for one in evidence if one.hip and not one.cuda and bare(one.path) in cudas}
    speaking = {one.path for one in evidence if one.hip or any(branch.hip for branch in one.branches)}
    folders = {folder for path in speaking if (folder := hip_folder(path))} | set(_mirrors(paths))
    named = {one.path for one in evidence if _is_named(one.path) and one.path in speaking and not one.cuda}
    if not folders and not named:  # as in most trees, whose files are many
        return frozenset(twins)
    known = {*paths, *(one.path for one in evidence)}  # what a folder for HIP holds is its side, whatever it says
    return frozenset(twins).union(
        path for path in known if _SOURCES.search(path) and (hip_folder(path) in folders or path in named)
    )


def _mirrors(paths: Sequence[str]) -> Iterator[str]:
    """Folders for HIP of which half of the files, and three or more, have a namesake in a folder for CUDA beside it."""
    folders = {path.rpartition("/")[0] for path in paths}
    if not any(folder and hip_folder(f"{folder}/x") for folder in folders):
        return  # most trees have no folder for HIP, and many files whose names would be taken apart for it
    inside: dict[str, set[str]] = {}
    for path in paths:
        if _SOURCES.search(path):
            inside.setdefault(path.rpartition("/")[0], set()).add(bare(path).rpartition("/")[2])
    small: dict[str, set[str]] = {}
    for folder, names in inside.items():
        small.setdefault(folder.lower(), set()).update(names)
    for folder, names in inside.items():
        root = hip_folder(f"{folder}/x") if folder else ""
        if root:
            inner = folder[len(root) :].lower()
            twins = (small.get(twin + inner, set()) for twin in _cuda_names(root.lower()))
            shared = max((len(names & twin) for twin in twins), default=0)
            if shared >= _MIRRORED and 2 * shared >= len(names):
                yield root


def _prefixed(paths: Sequence[str]) -> Iterator[str]:
    """Sources named `hip` and something, beside one named `cuda` and the same."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        is_near = name[:4].lower().startswith(("hip", "cuda")) and _SOURCES.search(path)
        match = _PREFIXED.match(_SOURCES.sub("", name.lower())) if is_near else None
        if match is not None:
            found.setdefault((folder, match[2]), {})[match[1]] = path
    yield from (pair["hip"] for pair in found.values() if len(pair) == 2)


def native_files(evidence: Sequence[FileEvidence]) -> frozenset[str]:
    """Files that speak HIP where nothing is asked, and CUDA nowhere: their conditions tell nothing of a port."""
    return frozenset(
        one.path for one in evidence if one.hip and not one.cuda and not any(branch.cuda for branch in one.branches)
    )


def _is_named(path: str) -> bool:
    """Whether the name of a file is one for HIP."""
    name = path.rpartition("/")[2]
    low = name.lower()
    return ("hip" in low or "rocm" in low or "amd" in low) and _HIP_PART.search(_parted(name)) is not None


def _parted(name: str) -> str:
    """A name in small letters, with a bar before each word of CamelCase."""
    return _CAMEL.sub("_", name).lower()


def hip_folder(path: str) -> str:
    """The outermost folder around a file that is named for HIP, empty where none is."""
    parts = path.split("/")[:-1]
    low = path.lower()
    if not ("hip" in low or "rocm" in low or "amd" in low):
        return ""
    for number, part in enumerate(parts):
        if _HIP_PART.search(part.lower()) and not any(word in part.lower() for word in ("cuda", "nv")):
            return "/".join(parts[: number + 1])
    return ""


class Sides:
    """Which files do for CUDA what others do for HIP: in folders side by side, or under one name side by side."""

    def __init__(self, by_path: Mapping[str, FileEvidence], native: frozenset[str]) -> None:
        self.by_path, self.native = by_path, native
        self.twins = {
            twin: folder for path in native if (folder := hip_folder(path)) for twin in _cuda_names(folder.lower())
        }
        self.bare = {bare(path): path for path in sorted(native)}
        self.swapped = {_for_hip(path): path for path in sorted(native)}
        self.plain = {
            (folder, without_vendors(path[len(folder) :])): path
            for path in sorted(native)
            if (folder := hip_folder(path))
        }

    def both(self, paths: Sequence[str], graph: IncludeGraph) -> tuple[dict[str, str], dict[str, str]]:
        """The equivalents, and the files of the CUDA side that have none. `graph` has what includes a file.

        A header that only files with an equivalent include is theirs: HIP's files do without it, unless it has a
        kernel that HIP's side lacks.
        """
        if not self.native:
            return {}, {}
        twins, lacking = self.equivalents(paths), self.lacking(paths)
        shared = self._shared(paths, lacking, graph)
        twins, lacking, users = twins | shared, {p: f for p, f in lacking.items() if p not in shared}, graph.users
        kernels = {name for path in self.native if path in self.by_path for name in self.by_path[path].kernels}
        for _ in range(3):  # headers of headers
            for path in tuple(lacking):
                around = users.get(path, frozenset())
                own = self.by_path[path].kernels if path in self.by_path else ()
                if around and around <= twins.keys() and kernels.issuperset(own):
                    twins[path] = twins[min(around)]
                    del lacking[path]
        return twins, lacking

    def _shared(self, paths: Sequence[str], lacking: Iterable[str], graph: IncludeGraph) -> dict[str, str]:
        """For files that HIP's folder lacks their namesakes in a folder that both sides share.

        A folder that mirrors CUDA's may be one for processors too; HIP's files include several files of a shared one.
        """
        used = [path for path in sorted(graph.below(self.native) - self.native) if not self._twin(path)]
        plain: dict[str, list[str]] = {}
        for path in paths:
            if _SOURCES.search(path) and path not in self.native and not self._twin(path):
                plain.setdefault(bare(path).rpartition("/")[2], []).append(path)
        found = {}
        for path in lacking:
            inside = without_vendors(path[len(self._twin(path)) :])
            for other in plain.get(inside.rpartition("/")[2], ()):
                folder = _without_tail(other, inside)
                if folder and sum(one.startswith(f"{folder}/") for one in used) >= _MIRRORED:
                    found[path] = other
        return found

    def equivalents(self, paths: Iterable[str]) -> dict[str, str]:
        """For each file of the CUDA side the file for HIP."""
        return {path: found for path in paths if (found := self._counterpart(path))}

    def builds(self, paths: Sequence[str]) -> dict[str, str]:
        """For each file of a CUDA side that is no source, as one that builds it, its namesake in the folder for HIP."""
        if not self.twins:
            return {}
        names = {path.lower(): path for path in paths}
        inside = ((path, path.lower()) for path in paths if not _SOURCES.search(path))
        pairs = ((path, lower, twin) for path, lower in inside for twin in self.twins if lower.startswith(f"{twin}/"))
        found = {path: names.get(self.twins[twin].lower() + lower[len(twin) :], "") for path, lower, twin in pairs}
        return {path: other for path, other in found.items() if other}

    def lacking(self, paths: Iterable[str]) -> dict[str, str]:
        """For each file of the CUDA side that has no equivalent the folder where it would be."""
        sides = ((path, self._twin(path)) for path in paths if path not in self.native)
        return {path: self.twins[twin] for path, twin in sides if twin and not self._counterpart(path)}

    def _twin(self, path: str) -> str:
        """The folder of the CUDA side around a file in small letters, empty where there is none."""
        lower = path.lower() if _SOURCES.search(path) else ""
        return next((twin for twin in self.twins if lower.startswith(f"{twin}/")), "")

    def _counterpart(self, path: str) -> str:
        if path in self.native or not _SOURCES.search(path):
            return ""
        twin = self._twin(path)
        if twin:
            folder, inside = self.twins[twin], path[len(twin) :]
            found = self.bare.get(bare(folder + inside), "") or self.plain.get((folder, without_vendors(inside)), "")
            return found or self._swapped(path)
        one = self.by_path.get(path)
        speaks = path.endswith((".cu", ".cuh")) or (one is not None and (one.cuda or bool(one.kernels)))
        silent = one is None or not (one.hip or one.cuda or one.branches)  # nothing of a port, and so not read
        name = path.rpartition("/")[2]
        named = _CUDA_PART.search(_parted(name)) is not None or _CUDA_LIBRARY.match(name) is not None
        guarded = one is not None and any(branch.cuda for branch in one.branches)
        alone = guarded and one is not None and not any(branch.hip or branch.mixed for branch in one.branches)
        speaks = speaks or ((silent or alone) and named)
        return (self.bare.get(bare(path), "") if speaks else "") or self._swapped(path)

    def _swapped(self, path: str) -> str:
        """The file for HIP whose whole path is that of one for CUDA with HIP's name in it, inside of words too."""
        return self.swapped.get(_for_hip(path), "") if "cuda" in path.lower() else ""


def _for_hip(path: str) -> str:
    """A path with HIP's name for CUDA's, without endings: `seqcuda/sellcuda.cu` is `seqhip/sellhip.hip.cxx`."""
    return bare(path.lower()).replace("cuda", "hip")


def _cuda_names(folder: str) -> Iterator[str]:
    """What a folder for HIP would be called for CUDA."""
    around, _, last = folder.rpartition("/")
    for word in _CUDA_PARTS:
        name = _HIP_PART.sub(word, last.lower())
        yield f"{around}/{name}" if around else name


def bare(path: str) -> str:
    """A path without its ending and the words that tell CUDA's file from HIP's."""
    stem = _SOURCES.sub("", path)
    split = (_LIBRARY.sub("", part) for part in re.split(r"[-_.]", _parted(stem.rpartition("/")[2])))
    return f"{stem.rpartition('/')[0]}/{'_'.join(part for part in split if part not in _VENDORS)}"


def without_vendors(path: str) -> str:
    """The same with no vendor's word in the names of folders either: `cuda_kernels/a.cu` is `hip_kernels/a.cpp`."""
    folder, _, name = bare(path).rpartition("/")
    folders = (re.split(r"[-_.]", _parted(part)) for part in folder.split("/"))
    plain = ("_".join(word for word in words if word not in _VENDORS) for words in folders)
    return f"{'/'.join(plain)}/{name}"


def _without_tail(path: str, inside: str) -> str:
    """The folder that a path is in at the place `inside`, empty where it is not; both count without vendors' words."""
    folder = path
    for _ in range(inside.count("/")):
        folder = folder.rpartition("/")[0]
    return folder if folder and without_vendors(path[len(folder) :]) == inside else ""
