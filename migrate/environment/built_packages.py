"""Packages of Python that scripts build from source, from a folder or a clone, and that are code for CUDA.

A folder is known by its name, a clone by its address, as the package's own instructions have them. Of packages with a
port, or that PyTorch's build for ROCm converts, nothing is said: their sources may be those of the port.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.syntax.python_requirements import normalised
from cudamigrate.syntax.shell import Script, Word

PACKAGES = frozenset(
    ("kaolin", "nvdiffrast", "tiny-cuda-nn", "tinycudann", "minkowskiengine", "spconv", "cumm", "natten", "pycuda")
)
"""Packages whose sources are for CUDA, and of which rules/packages.toml says that there is no port."""
_PORTS = frozenset(("rocm", "amd", "rocmsoftwareplatform"))
"""Owners of ports: what is cloned from them is for AMD."""
_ADDRESS = re.compile(
    r"(?:git\+)?(?:https?://|git@|git://|ssh://)\S*?[/:](?P<owner>[\w.-]+)/(?P<name>[\w.-]+?)(?:\.git)?/?(?:@\S+)?(?:#\S*)?"
)
_PIP = re.compile(r"pip[\d.]*")
_PYTHON = re.compile(r"(?:\S*/)?python[\d.]*")
_SETUPS = ("install", "develop", "bdist_wheel", "build", "build_ext")
_WRAPPERS = frozenset(("sudo", "env", "time"))
_ENTERS = ("cd", "pushd")


def of(address: str) -> str:
    """The package that an address of a repository is of; empty for any other, and for a port."""
    match = _ADDRESS.fullmatch(address)
    if match is None or match["owner"].lower() in _PORTS:
        return ""
    return _known((match["name"],))


def named(text: str, here: str = "") -> str:
    """The package that what pip is given is the source of: an address, or a path in the folder `here`; else empty."""
    return of(text) or _of_path(text, here)


def uses(scripts: Iterable[Script]) -> Iterator[Use]:
    """The packages that scripts clone, or build in a folder that none of them clones, each once."""
    cloned = set[str]()
    for script in scripts:
        here = ""
        for command in sorted(script.commands, key=lambda one: one.words[0].span):
            words = [word for word in command.words if word.text not in _WRAPPERS and not _is_set(word)]
            texts = [word.text for word in words]
            if texts[:1] and texts[0] in _ENTERS and len(texts) > 1:
                here = _entered(here, texts[1])
                continue
            for name, word in _of_command(words, texts, here):
                if name not in cloned:
                    cloned.add(name)
                    yield Use("package", name, word.span, word.span, certainty="syntax")


def _entered(here: str, folder: str) -> str:
    """The folder after `cd`; a path that begins with a variable is no part of the one before."""
    return folder if folder.startswith(("$", "~", "-")) else posixpath.normpath(posixpath.join(here, folder))


def _is_set(word: Word) -> bool:
    """Whether a word sets a variable of the environment for a command: `FORCE_CUDA=1 python setup.py install`."""
    return re.match(r"[A-Z_]\w*=", word.text) is not None


def _of_command(words: Sequence[Word], texts: Sequence[str], here: str) -> Iterator[tuple[str, Word]]:
    """The packages that a command clones or installs from source, each with the word that says so."""
    if texts[:1] == ["git"] and "clone" in texts[:4]:
        found = [(of(word.text), word) for word in words]
    elif texts[1:2] and _PYTHON.fullmatch(texts[0]) and posixpath.basename(texts[1]) == "setup.py":
        folder = posixpath.join(here, posixpath.dirname(texts[1]))
        found = [(_known(folder.split("/")), words[1])] if set(_SETUPS) & set(texts[2:]) else []
    elif _installs(texts):
        found = [(named(word.text, here), word) for word in words]
    else:
        found = []
    yield from ((name, word) for name, word in found if name)


def _installs(texts: Sequence[str]) -> bool:
    """Whether a command is `pip install`, by whatever calls pip."""
    at = next((at for at, text in enumerate(texts[:4]) if _PIP.fullmatch(posixpath.basename(text))), None)
    return at is not None and "install" in texts[at + 1 : at + 4]


def _of_path(text: str, here: str) -> str:
    """The package whose folder a path is, or is below."""
    path = posixpath.normpath(text.partition("[")[0])
    if "://" in text or ("/" not in text and path != "."):
        return ""
    return _known((here if path == "." else path).split("/"))


def _known(parts: Iterable[str]) -> str:
    """The innermost of some folders that is called as a package."""
    names = [normalised(part.encode()) for part in parts if part]
    return next((name for name in reversed(names) if name in PACKAGES), "")
