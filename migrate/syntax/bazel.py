"""Bazel's settings files and labels -> the options that they give, each with its place, and what of them is CUDA's.

A line of a `.bazelrc` is a command, with the name of a section or without (`build`, `build:asan`), and options for it.
Nothing is run, and no other file is read. Sources: Bazel, "Write bazelrc configuration files" and its command-line
reference; rules_cuda, cuda/BUILD.bazel; TensorFlow, configure.py, and XLA's hermetic CUDA for the variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import utf8

REPOSITORY = re.compile(
    r"@{1,2}(local_config_cuda|local_cuda|rules_cuda|cuda_\w+|local_config_nccl|cudnn\w*|nccl\w*)\b"
)
"""A repository with NVIDIA's software in a label, with one or two `@`: `@local_config_cuda//cuda`, `@@cudnn9`."""
BUILDS = ("build", "common", "always")
"""Commands whose options a build gets."""
COPTS = ("copts", "cxxopts")
"""What gives a target's sources of C++ options."""
IMPORTS = ("import", "try-import")
"""Commands that take in another file of settings."""
_LINE = re.compile(rb"(?:[^\\\r\n]|\\\r?\n|\\.)+", re.DOTALL)
"""A line with those that go on after a backslash."""
_WORD = re.compile(
    rb"(?:\\\r?\n|[ \t])+|(#.*)|((?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\\[^\r\n]|[^\s\"'\\]|[\"'\\])+)", re.S
)
"""What parts words, a comment, or a word, with quotes in it too."""
_PIECE = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'", re.S)
_ESCAPED = re.compile(r"\\(.)", re.S)
_TAKE = frozenset((
    "copt", "cxxopt", "conlyopt", "linkopt", "host_copt", "host_cxxopt", "per_file_copt", "config", "define",
    "repo_env", "action_env", "host_action_env", "test_env", "crosstool_top", "flag_alias",
))  # fmt: skip
"""Options whose value may be the word after them, whatever that begins with."""
_VARIABLES = ("repo_env", "action_env", "host_action_env")
_SETS_UP = re.compile(
    r"TF_NEED_CUDA|TF_CUDA_CLANG|(?:TF|HERMETIC|LOCAL)_(?:CUDA|CUDNN|NCCL|TENSORRT)_\w+|CUDA_NVCC\w*"
    r"|(?:CUDA|CUDNN|NCCL|TENSORRT)_(?:\w+_)?(?:PATH|HOME|DIR|ROOT|VERSION)"
)
"""Variables that say for a build where CUDA is, and which: `TF_NEED_CUDA`, `CUDA_TOOLKIT_PATH`. What a program reads
as it runs, `CUDA_VISIBLE_DEVICES`, is none."""
_DEFINED = re.compile(r"(?:\w+_)?cuda(?:_\w+)?", re.IGNORECASE)
"""The name of a value that a project's own `config_setting` asks for: `using_cuda`."""
_OF_ROCM = re.compile(r"TF_NEED_ROCM|ROCM_PATH|HIP_PATH|(?:\w+_)?(?:rocm|hip)(?:_\w+)?", re.IGNORECASE)
_ROCM = re.compile(r"@{1,2}(?:local_config_rocm|rules_rocm|local_rocm|rocm_\w+)\b")
"""The same for ROCm: `TF_NEED_ROCM=1`, `--define=using_rocm=true`, `@local_config_rocm//crosstool:toolchain`."""
_OFF = frozenset(("", "0", "no", "false", "off"))
_OF_COMPILER = re.compile(r"@{1,2}rules_cuda//cuda:(?:host_)?copts")
"""The settings of rules_cuda that hold options for the compiler of CUDA's sources, and for the host's."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option without its dashes, and its value, for a command in a section; empty where it is in none.

    `span` is all of it, `inner` the value; without a value both are the same. Of `import` the name is the path.
    """

    command: str
    section: str
    name: str
    value: str
    span: Span
    inner: Span


def options(data: bytes) -> list[Option]:
    """The options of a file of settings, in its order."""
    return [option for line in _LINE.finditer(data) for option in _of_line(data, Span(*line.span()))]


def _of_line(data: bytes, line: Span) -> Iterator[Option]:
    words = list(_words(data, line))
    if not words:
        return
    command, _, section = words[0][0].partition(":")
    if command in IMPORTS:
        yield from (Option(command, "", text, "", span, span) for text, span in words[1:2])
        return
    taken = False
    for (text, span), (following, behind) in pairwise([*words[1:], ("", Span(line.end, line.end))]):
        if taken or not text.startswith("--"):
            taken = False
            continue
        name, joined, value = text[2:].partition("=")
        inner = Span(span.start + data[span.start : span.end].find(b"=") + 1, span.end) if joined else span
        taken = not joined and bool(following) and (name in _TAKE or not following.startswith("-"))
        if taken:
            value, inner, span = following, behind, Span(span.start, behind.end)
        yield Option(command, section, name, value, span, inner)


def _words(data: bytes, line: Span) -> Iterator[tuple[str, Span]]:
    """The words of a line as Bazel reads them, up to a comment."""
    at = line.start
    while at < line.end:
        match = _WORD.match(data, at, line.end)
        if match is None or match[1] is not None:
            return
        if match[2] is not None:
            yield _plain(utf8.text(match[2])), _bare(match[2], match.start(2))
        at = match.end()


def _bare(word: bytes, start: int) -> Span:
    """Where a word is without quotes around all of it."""
    around = len(word) > 1 and word[:1] in (b"'", b'"') and word.find(word[:1], 1) == len(word) - 1
    return Span(start + around, start + len(word) - around)


def _plain(text: str) -> str:
    """A word without its quotes and escapes."""
    bare = _PIECE.sub(lambda one: one[1] if one[1] is not None else one[2], text)
    return _ESCAPED.sub(r"\1", bare) if "\\" in bare else bare


def aliases(found: Iterable[Option]) -> dict[str, str]:
    """The names that a file gives settings of packages, each with the label of the setting."""
    pairs = (one.value.partition("=") for one in found if one.name == "flag_alias")
    return {name: label for name, _, label in pairs}


def label(option: Option, named: Mapping[str, str]) -> str:
    """The setting of a package that an option sets, itself or by a name of `aliases`; empty for Bazel's own."""
    return option.name if option.name.startswith(("@", "//")) else named.get(option.name, "")


def is_for_cuda(option: Option, named: Mapping[str, str]) -> bool:
    """Whether an option sets a build up for CUDA: by a label, a variable or a value that the project asks for."""
    name, _, value = option.value.partition("=")
    if option.name in _VARIABLES:
        return _SETS_UP.fullmatch(name) is not None and value.lower() not in _OFF
    if option.name == "define":
        return _DEFINED.fullmatch(name) is not None and value.lower() not in _OFF
    return REPOSITORY.search(f"{label(option, named)} {option.value}") is not None


def is_for_rocm(option: Option) -> bool:
    """Whether an option sets a build up for ROCm, in the same ways."""
    if option.name in (*_VARIABLES, "define"):
        name, _, value = option.value.partition("=")
        return _OF_ROCM.fullmatch(name) is not None and value.lower() not in _OFF
    return _ROCM.search(f"{option.name} {option.value}") is not None


def switches_cuda_on(option: Option, named: Mapping[str, str]) -> bool:
    """Whether an option makes a build one with CUDA: what a setting only passes on to compilers does not."""
    return is_for_cuda(option, named) and _OF_COMPILER.fullmatch(label(option, named)) is None


def compiler_options(found: Iterable[Option], named: Mapping[str, str]) -> list[str]:
    """What options give the compilers of C++ and of CUDA, in their order."""
    return [
        one.value
        for one in found
        if one.name in ("copt", "cxxopt") or _OF_COMPILER.fullmatch(label(one, named)) is not None
    ]


def _by_platform(option: Option) -> bool:
    """Whether an option makes the section of the platform hold: `linux` on Linux."""
    return option.name == "enable_platform_specific_config" and option.value.lower() not in _OFF - {""}


def in_force(found: Sequence[Option], sections: Iterable[str] = ()) -> list[Option]:
    """The options that a build gets without a word of the user's, and those of `sections`, with all these name."""
    building = [one for one in found if one.command in BUILDS]
    on = {"", *sections}
    while True:
        held = [one for one in building if one.section in on]
        more = {one.value for one in held if one.name == "config"}
        more |= {"linux"} if any(map(_by_platform, held)) else set()
        if more <= on:
            return held
        on |= more


def fitting(names: Iterable[str], include: Iterable[str], exclude: Iterable[str]) -> list[str]:
    """The names of files, relative to their package, that `glob` takes by its patterns: `**/` is any folder or none."""
    wanted, unwanted = ([_pattern(one) for one in patterns] for patterns in (include, exclude))
    found = (name for name in names if any(one.fullmatch(name) for one in wanted))
    return [name for name in found if not any(one.fullmatch(name) for one in unwanted)]


_STANDS = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
_PARTS = re.compile(r"\*\*/|\*\*|\*|[^*]+")


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("".join(_STANDS.get(one) or re.escape(one) for one in _PARTS.findall(text)))
