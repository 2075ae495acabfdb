"""Python packages that carry their CUDA sources: our headers go with them, and lists of a package's files name them.

PyTorch compiles such sources where they are installed, or from an archive of the package. Both hold what is below the
package's own folder, so that a header above it is not there: it goes beside the sources, or into the folder of the
setup.py. Of a `MANIFEST.in`, an archive has what that lists.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import Path

from cudamigrate.compilation import torch_extensions
from cudamigrate.cuda.include_insertion import OWN_HEADERS, PORTABLE_HEADER, newline
from cudamigrate.model import Conversion, Edit, FileEntry, Fix, Report, SourceFile, Span
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import installed_headers, own_headers_home
from cudamigrate.project import discovery

Bytes = Callable[[str], bytes | None]
"""The bytes of a file of the repository by its path, None where it has none."""
_CODE = ("cuda", "cxx")
_MANIFEST = "MANIFEST.in"
_PROJECT = ("setup.py", "pyproject.toml", "setup.cfg")
_KERNELS = (".cu", ".cuh")
_OURS = frozenset((*OWN_HEADERS, PORTABLE_HEADER))


def home(report: Report, port: PortFacts, paths: Set[str]) -> str:
    """The folder for our headers, so that they go with the sources of an extension; empty for the root.

    Sources that PyTorch builds at first use have them beside them, where one folder holds all that is changed. Those
    of a setup.py have them in its folder. Where an earlier run has put one elsewhere, that stays the folder.
    """
    read = reader(Path(report.repository.root))
    changed = {one.path for one in report.findings if one.fix is not None}
    files = [file.path for file in report.files if file.path in changed and file.language in _CODE]
    if not files or not port.extensions:
        return ""
    earlier = sorted(posixpath.dirname(path) for path in paths if posixpath.basename(path) in _OURS)
    if earlier:
        return earlier[0]
    around = posixpath.commonpath([posixpath.dirname(path) or "." for path in files])
    for script in dict.fromkeys(path for path, _, _ in port.extensions):
        text = (read(script) or b"").decode("utf-8", "replace")
        for build in torch_extensions.builds(script, text, paths):
            if build.sources.isdisjoint(files):
                continue
            if build.loaded and around != "." and posixpath.join(posixpath.dirname(script), "__init__.py") in paths:
                return around
            if not build.loaded and build.root and all(path.startswith(f"{build.root}/") for path in files):
                return build.root
        package = _package(script, paths)
        if package and _is_below(around, package) and torch_extensions.builds_at_first_use(text):
            return around  # its sources are not seen, but a package has no file from outside
    return ""


def _package(script: str, paths: Set[str]) -> str:
    """The folder of the outermost package that a module is in; empty where it is in none."""
    folder, found = posixpath.dirname(script), ""
    while folder and posixpath.join(folder, "__init__.py") in paths:
        folder, found = posixpath.dirname(folder), folder
    return found


def reader(root: Path) -> Bytes:
    """What gives the bytes of files below a folder."""

    def read(path: str) -> bytes | None:
        source = discovery.read(root, FileEntry(path, "cuda", 0))
        return source.data if isinstance(source, SourceFile) else None

    return read


def with_lists(converted: Sequence[Conversion], added: Mapping[str, bytes], report: Report) -> tuple[Conversion, ...]:
    """The converted files, with the lists of a package's or an installation's files that must name what is added."""
    texts = dict(own_headers_home.build_texts(report)) if added else {}
    made = installed_headers.with_lists(converted, added, texts)
    known = {one.path for one in made}
    return (*made, *(one for one in _lists(added, made, Path(report.repository.root)) if one.path not in known))


def _lists(added: Mapping[str, bytes], converted: Sequence[Conversion], root: Path) -> Iterator[Conversion]:
    """The `MANIFEST.in` of the project around our headers, with those that it must name beside its CUDA sources."""
    by_project: dict[str, list[str]] = {}
    for path in sorted(added):
        project = _project(path, root)
        if project is not None:
            by_project.setdefault(project, []).append(path[len(project) + 1 :] if project else path)
    for project, headers in by_project.items():
        path = posixpath.join(project, _MANIFEST)
        data = reader(root)(path) or b""
        lines = [line.split() for line in data.decode("utf-8", "replace").splitlines()]
        kernels = [one.path[len(project) + 1 :] if project else one.path for one in converted]
        named = [one for one in kernels if one.endswith(_KERNELS) and _is_listed(one, lines)]
        missing = [name for name in headers if not _is_listed(name, lines)]
        if named and missing:
            end = newline(data)
            before = b"" if data.endswith(b"\n") else end
            text = before + b"".join(f"include {name}".encode() + end for name in missing)
            fix = Fix((Edit(Span(len(data), len(data)), text),), "safe")
            after = data + text
            built = Conversion(path, data, after, (fix,))
            yield Conversion(path, data, after, (), part="build", built=built, written=(fix,))


def _project(path: str, root: Path) -> str | None:
    """The nearest folder above a file that is a project of Python's with a list of its files."""
    folder = posixpath.dirname(path)
    while True:
        here = root / folder
        if any((here / name).is_file() for name in _PROJECT):
            return folder if (here / _MANIFEST).is_file() else None
        if not folder:
            return None
        folder = posixpath.dirname(folder)


def _is_listed(path: str, lines: Sequence[Sequence[str]]) -> bool:
    """Whether a line of a `MANIFEST.in` takes a file: patterns do not cross folders, but those of `global-include`."""
    name, folder = posixpath.basename(path), posixpath.dirname(path)
    for line in lines:
        match [word.rstrip("/") for word in line]:
            case ["include", *patterns]:
                taken = any(
                    posixpath.dirname(one) == folder and fnmatchcase(name, posixpath.basename(one)) for one in patterns
                )
            case ["recursive-include", below, *patterns]:
                taken = _is_below(folder, below) and any(fnmatchcase(name, one) for one in patterns)
            case ["global-include", *patterns]:
                taken = any(fnmatchcase(name, one) for one in patterns)
            case ["graft", below]:
                taken = _is_below(folder, below)
            case _:
                taken = False
        if taken:
            return True
    return False


def _is_below(folder: str, other: str) -> bool:
    return other == "." or folder == other or folder.startswith(f"{other}/")
