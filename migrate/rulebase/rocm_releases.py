"""What was published for which release of ROCm: rules/releases.toml -> indexes of wheels, images, oldest versions.

Result: the newest that fits, or nothing: a name is only written where it is known to exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cudamigrate import shipped_data
from cudamigrate.model import release

_PATCHES = 10
"""Series of torch are listed, not their patch releases; none has had as many as this."""


def table() -> dict[str, Any]:
    """The file as it is."""
    return shipped_data.table("releases")


def torch_index(rocm: str, clauses: Sequence[tuple[str, str]] = ()) -> str:
    """The release whose index of wheels to use: the newest up to `rocm`, of its major release of HIP, with a torch
    release that the specifiers allow.

    Empty where there is none. ROCm 7 and 10 share HIP 7, so that their libraries go together.
    """
    known = [index for index in table()["torch"] if release(index) <= release(rocm) and _hip(index) == _hip(rocm)]
    return max((index for index in known if has_torch(index, clauses)), key=release, default="")


def has_torch(index: str, clauses: Sequence[tuple[str, str]]) -> bool:
    """Whether an index has a torch release that the specifiers allow; a development version is never known."""
    from cudamigrate.syntax import python_versions  # few runs come to a requirement on torch

    if not all(python_versions.is_release(wanted) for _, wanted in clauses):
        return False
    wanted = python_versions.specifiers(clauses)
    known = (f"{series}.{patch}" for series in table()["torch"][index] for patch in range(_PATCHES))
    return wanted is not None and any(map(wanted.contains, known))


def torch_clauses(package: str, clauses: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """What specifiers of torch, torchvision or torchaudio say of the torch release; nothing where that is not known."""
    if package != "torchvision":
        return tuple(clauses)
    series: dict[str, str] = table()["torchvision"]
    known = ((sign, series.get(".".join(version.split(".")[:2]), "")) for sign, version in clauses)
    return tuple((sign, version) for sign, version in known if version)


def image(rocm: str, distribution: str, libraries: bool) -> str:
    """The image for a distribution, or for `pytorch`: the newest up to `rocm` of its major release; empty if none."""
    known: dict[str, dict[str, str]] = table()["images"].get(distribution, {})
    fitting = [key for key in known if release(key) <= release(rocm) and release(key)[0] == release(rocm)[0]]
    newest = max(fitting, key=release, default="")
    row = known.get(newest, {})
    return row.get("libraries", row["base"]) if row and libraries else row.get("base", "")


def package(name: str, rocm: str) -> int:
    """The major release that a package of ROCm has in a release of it, at least; 0 where that is not known."""
    known: dict[str, int] = table()["packages"].get(name, {})
    return max((major for since, major in known.items() if release(since) <= release(rocm)), default=0)


def rocm_hosts() -> tuple[str, ...]:
    """Hosts, some with the first part of a path, whose indexes have wheels for ROCm."""
    return tuple(table()["hosts"]["rocm"])


def floor(package: str) -> str:
    """The oldest version of a package that works on AMD as it is; empty where not known."""
    return str(table()["floors"].get(package, ""))


def _hip(rocm: str) -> int:
    return min(release(rocm)[0], 7)
