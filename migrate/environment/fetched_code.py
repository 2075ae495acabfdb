"""Repositories that scripts fetch: code for CUDA that this tree does not hold, and that nothing here converts.

What a few repositories of NVIDIA's hold is known. Of any other nothing is, but where an image of CUDA's is made to
clone and build it in one step, what is cloned may be for CUDA.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cudamigrate.environment import built_packages
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax.project_file import use_at
from cudamigrate.syntax.shell import Script, Word

UNKNOWN = "build of a clone"
"""The name of the use that stands for a clone of which nothing is known."""
_KNOWN = re.compile(
    rb"(?:github\.com[/:]|gh:)(?P<whole>(?:NVIDIA|NVlabs|rapidsai|moderngpu)/"
    rb"(?P<name>cub|thrust|cccl|libcudacxx|cutlass|cuda-samples|cuCollections|nvbench|moderngpu|rmm|NVTX))(?![\w-])"
)
"""An address of NVIDIA's code for CUDA: `https://github.com/NVlabs/cub/archive/1.8.0.zip`."""
_FETCHES = re.compile(rb"(?<![\w.-])(?:git[ \t]+(?:-\S+[ \t]+)*(?:clone|submodule[ \t]+add)|wget|curl|aria2c)(?![\w-])")
_ADDRESS = re.compile(r"(?:https?://|git@|git://|ssh://)\S*?[/:](?P<whole>[\w.-]+/(?P<name>[\w.-]+?))(?:\.git)?/?")
_BUILDS = frozenset(("make", "cmake", "ninja", "meson", "bazel", "nvcc", "scons", "cargo"))
_STARTS = ("cmake", "meson")
"""What only prepares a build, which another command does."""
_CONFIGURES = re.compile(r"(?:\S*/)?(?:configure|build\.sh|install\.sh|setup\.py|autogen\.sh)")
_PIP = re.compile(r"pip[\d.]*")
_OPTION = r"(?:-D)?(?:\w+_)?(?:WITH|USE|ENABLE|BUILD)_(?:\w+_)?CUDA(?::\w+)?="
_ASKS = re.compile(rf"{_OPTION}(?i:on|1|true|yes)|--(?:with|enable)-cuda(?:=(?!no\Z).*)?")
"""An option by which a build is asked to use CUDA: `-DWITH_CUDA=ON`, `--with-cuda=/usr/local/cuda`."""
_REFUSES = re.compile(rf"{_OPTION}(?i:off|0|false|no)|--(?:without|disable)-cuda|--with-cuda=no")
"""The same option where it keeps CUDA out of the build: what is cloned is for the host then."""
OF_HOST = frozenset({
    "abseil/abseil-cpp", "apache/thrift", "aws/aws-sdk-cpp", "Azure/azure-sdk-for-cpp", "boostorg/boost",
    "catchorg/Catch2", "curl/curl", "doctest/doctest", "etcd-cpp-apiv3/etcd-cpp-apiv3", "facebook/zstd",
    "fmtlib/fmt", "gabime/spdlog", "gflags/gflags", "GNOME/libxml2", "google/benchmark", "google/glog",
    "google/googletest", "google/re2", "google/snappy", "grpc/grpc", "jbeder/yaml-cpp", "Kitware/CMake",
    "leethomason/tinyxml2", "linux-rdma/rdma-core", "lz4/lz4", "madler/zlib", "microsoft/cpprestsdk",
    "ninja-build/ninja", "nlohmann/json", "open-source-parsers/jsoncpp", "openssl/openssl",
    "protocolbuffers/protobuf", "pybind/pybind11", "Tencent/rapidjson", "wjakob/nanobind", "zeromq/cppzmq",
    "zeromq/libzmq",
})  # fmt: skip
"""Libraries and tools without code for a GPU, by the files of their repositories, as of 2026-11."""
_WRAPPERS = frozenset(("sudo", "env", "time"))


def known(data: bytes, start: int, end: int) -> Iterator[Use]:
    """NVIDIA's code for CUDA that a command between two places fetches."""
    if _FETCHES.search(data, start, end) is not None:
        for match in _KNOWN.finditer(data, start, end):
            yield use_at(f"fetch {match['name'].decode()}", *match.span("whole"))


@dataclass(frozen=True, slots=True)
class _Clone:
    """A repository that a script clones: `name` with its owner, and the `folder` that it is put into."""

    name: str
    folder: str
    span: Span


def built(scripts: Iterable[Script]) -> Iterator[Use]:
    """The repositories that scripts, one after the other, clone and build, but those that are known.

    In one script what is cloned before a build counts, in a later one what it goes into or names. With them the option
    by which a build in a clone is asked to use CUDA.
    """
    before: list[_Clone] = []
    for script in scripts:
        cloned, named = list[_Clone](), list[_Clone]()
        inside = False
        for command in sorted(script.commands, key=lambda one: one.words[0].span):
            words = [word for word in command.words if word.text not in _WRAPPERS]
            texts = [word.text for word in words]
            below = [one for one in (*before, *cloned) if any(_is_below(text, one.folder) for text in texts[1:])]
            named += [one for one in below if one in before]
            inside = _is_inside(texts, inside, bool(below))
            if texts[:1] == ["git"] and "clone" in texts[:4]:
                cloned += _clones(words)
            elif _is_build(texts):
                made = (*cloned, *named)
                yield from _of_build(words, made, inside or bool(below))
                if texts[0] not in _STARTS or any(map(_REFUSES.fullmatch, texts)):
                    cloned, named = [], []
                    before = [one for one in before if one not in made]
        before += [one for one in cloned if one not in before]


def _is_inside(texts: Sequence[str], inside: bool, enters: bool) -> bool:
    """Whether a script is in a clone after a command: a path from elsewhere leaves it, one from there does not."""
    if texts[:1] not in (["cd"], ["pushd"]):
        return inside
    return enters or (inside and not any(text.startswith(("/", "..", "$", "~", "-")) for text in texts[1:]))


def _of_build(words: Sequence[Word], made: Sequence[_Clone], inside: bool) -> Iterator[Use]:
    """The uses that stand for the clones of a build and for the first option that asks it for CUDA."""
    for one in made:
        if one.name not in OF_HOST and not any(_REFUSES.fullmatch(word.text) for word in words):
            yield use_at(UNKNOWN, one.span.start, one.span.end)
    asks = [word for word in words if inside and _ASKS.fullmatch(word.text)]
    if made and asks:
        yield use_at("clone built with cuda", asks[0].span.start, asks[0].span.end)


def _is_build(texts: Sequence[str]) -> bool:
    """Whether a command configures, builds or installs what is in a folder."""
    name = texts[0].rpartition("/")[2] if texts else ""
    installs = _PIP.fullmatch(name) is not None or texts[1:3] == ["-m", "pip"]
    sources = installs and "install" in texts and any(one.startswith((".", "/")) for one in texts[2:])
    return name in _BUILDS or any(map(_CONFIGURES.fullmatch, texts[:3])) or sources


def _is_below(text: str, folder: str) -> bool:
    """Whether a word is a path with a folder of that name, or is below one."""
    return folder in text.split("/") and "://" not in text


def _clones(words: Sequence[Word]) -> Iterator[_Clone]:
    for at, word in enumerate(words):
        match = _ADDRESS.fullmatch(word.text)
        if (
            match is None
            or built_packages.of(word.text)
            or _KNOWN.search(f"github.com/{match['whole']}".encode()) is not None
        ):
            continue
        after = words[at + 1].text if at + 1 < len(words) else ""
        folder = after if after and not after.startswith("-") else match["name"]
        yield _Clone(match["whole"], folder.rstrip("/").rpartition("/")[2], word.span)
