"""Repositories that scripts fetch: code for CUDA that this tree does not hold, and that nothing here converts.

What a few repositories of NVIDIA's hold is known. Of any other nothing is, but where an image of CUDA's is made to
clone and build it in one step, what is cloned may be for CUDA.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax.project_file import use_at
from cudamigrate.syntax.shell import Command, Script

_KNOWN = re.compile(
    rb"(?:github\.com[/:]|gh:)(?P<whole>(?:NVIDIA|NVlabs|rapidsai|moderngpu)/"
    rb"(?P<name>cub|thrust|cccl|libcudacxx|cutlass|cuda-samples|cuCollections|nvbench|moderngpu|rmm|NVTX))(?![\w-])"
)
"""An address of NVIDIA's code for CUDA: `https://github.com/NVlabs/cub/archive/1.8.0.zip`."""
_FETCHES = re.compile(rb"(?<![\w.-])(?:git[ \t]+(?:-\S+[ \t]+)*(?:clone|submodule[ \t]+add)|wget|curl|aria2c)(?![\w-])")
_ADDRESS = re.compile(r"(?:https?://|git@|git://|ssh://)\S*?[/:](?P<whole>[\w.-]+/(?P<name>[\w.-]+?))(?:\.git)?/?")
_BUILDS = frozenset(("make", "cmake", "ninja", "meson", "bazel", "nvcc", "scons", "cargo"))
_CONFIGURES = re.compile(r"(?:\S*/)?(?:configure|build\.sh|install\.sh|setup\.py|autogen\.sh)")
_WRAPPERS = frozenset(("sudo", "env", "time"))


def known(data: bytes, start: int, end: int) -> Iterator[Use]:
    """NVIDIA's code for CUDA that a command between two places fetches."""
    if _FETCHES.search(data, start, end) is not None:
        for match in _KNOWN.finditer(data, start, end):
            yield use_at(f"fetch {match['name'].decode()}", *match.span("whole"))


def built(script: Script) -> Iterator[Use]:
    """The repositories that a script clones before it builds something, but those that are known."""
    cloned: list[tuple[str, Span]] = []
    for command in script.commands:
        texts = [word.text for word in command.words]
        texts = texts[1:] if texts[:1] and texts[0] in _WRAPPERS else texts
        if texts[:1] == ["git"] and "clone" in texts[:4]:
            cloned += _addresses(command)
        elif texts and (texts[0].rpartition("/")[2] in _BUILDS or any(map(_CONFIGURES.fullmatch, texts[:3]))):
            yield from (use_at("build of a clone", span.start, span.end) for _, span in cloned)
            cloned = []


def _addresses(command: Command) -> Sequence[tuple[str, Span]]:
    found = ((word, _ADDRESS.fullmatch(word.text)) for word in command.words)
    named = ((word, match) for word, match in found if match is not None)
    return [
        (match["whole"], word.span)
        for word, match in named
        if _KNOWN.search(f"github.com/{match['whole']}".encode()) is None
    ]
