"""Change or take out a compiler option, in whatever list or text it is.

The rule's words say what becomes of it: `drop`; `to` and the new options; `argument`, what it passes on to another
program; `parts`, the options that commas join; `gcc`, an option of GCC's alone, which goes; `value` and a beginning,
to which its argument is joined; `true` or `false` and what stands for that value; `verbose` and what stands for a
report; `arch`, the GPUs aimed at; `language` and the word for that of a condition, which goes with the options that
depend on it. What separates options is read from the bytes around: commas and quotes in lists, else blanks, semicolons
and joined lines. `debug` is `to` but for command lines, where an option can be for the GPU's code alone; `lines` is
`to` unless the line asks for all debug information; `errors`, such warnings.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis import (
    cmake_loops,
    cmake_options,
    command_inputs,
    host_options,
    makefile_gpus,
    makefile_shared,
    optimisation_levels,
    option_changes,
)
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Target, Use, release
from cudamigrate.python_source import vendors
from cudamigrate.syntax import cmake, compiler_options, generator_expressions, option_lists, shell_values
from cudamigrate.syntax.project_file import ProjectFile

_ENDS = re.compile(rb"[\"')\]>`\r\n#]|\Z")
_CLOSES = re.compile(rb"[)\]}]|\Z")
"""What may end a text of options, and what a list of them."""
_OPENERS = re.compile(rb"[rRbBuUfF]{0,2}\Z")
_UNTOUCHED = ("notebook", "meson", "bazel", "bazelrc", "cargo")
"""Languages in which options are reported and not changed: their quotes are written otherwise, or all else stays."""
_COMMANDS = ("make", "shell", "docker")
"""Languages in which options are words of a command line, where one that takes another is not parted from it."""
_FULL_DEBUG = frozenset(f"-g{level}" for level in ("", "2", "3", "gdb", "dwarf", "dwarf-4", "dwarf-5"))
"""Options with all debug information, of the GPU's code too; clang takes the last one of a line."""
_DEVICE_DEBUG = frozenset(("-G", "--device-debug", "-device-debug"))
"""What becomes such an option; nvcc ignores `-lineinfo` beside it too."""
_RENAMED = {"-fgpu-approx-transcendentals": ("-fcuda-approx-transcendentals", "6.2")}
"""Options by their newest names: the name before, which newer compilers take too, and the release of the change."""
_ERRORS = {
    "reorder": ("-Werror=reorder",),
    "deprecated-declarations": ("-Werror=deprecated-declarations",),
}
"""Kinds of nvcc's `-Werror` by clang's options; what is missing clang has no warning for, or it is an error always."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False for options that mean something else without nvcc's argument, and for what goes with other options."""
    if use.kind == "name":
        return _expression_gone(parsed, use.span.start) is None
    value, option = compiler_options.value(use, parsed.data), use.name.partition(" ")[0]
    if option in host_options.LOOSE:
        return host_options.is_forwarded(parsed, use.span.start)
    if option in host_options.DEPENDENCIES:
        return "--cuda-host-only" not in option_lists.beside(parsed.data, parsed.source.language, use.span)
    if option in ("-Werror", "-std", "--std", "-O", "--optimize"):
        return bool(value)
    if option.startswith("-Werror="):
        return _ERRORS.get(value) != (option,)  # clang's own, by the same name
    if use.name == "-Xlinker" or use.name.startswith("--cuda-gpu-arch=gfx"):
        return "," in value  # that for a GPU of AMD's is HIP's, by an older name
    if option in ("-t", "-x", "--x"):
        return value.isdigit() if option == "-t" else value in ("cu", "cuda")
    if option == "-arch" and "$" in value and parsed.source.language == "make":
        return use.span.start in makefile_gpus.for_target(parsed).options or compiler_options.names_gpus(value)
    return option != "-arch" or not value or "$" in value or compiler_options.names_gpus(value)


def group(parsed: ProjectFile, use: Use) -> tuple[str, ...]:
    """The fixes that go together with this one: those of the variable that holds the GPUs, or of a loop over them."""
    if parsed.source.language == "cmake":
        return (cmake_loops.group(parsed, use),)
    return (makefile_gpus.for_target(parsed).groups.get(use.span.start, ""),)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit; none where the option is all that a call or an expression has there. A loop may go with its options."""
    made = [Edit(use.span, words[1].encode())] if words[0] == "language" else _edits(parsed, use, words)
    if not made or words[0] != "arch" or parsed.source.language != "cmake":
        return made
    goes = not made[0].replacement and made[0].span == cmake_options.emptied(parsed, use.span.start)
    return [*made, *cmake_loops.edits(parsed, use, goes)]


def _edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    if compiler_options.lacks(use) or parsed.source.language in _UNTOUCHED:
        return []
    if words[0] == "arch" and (line := makefile_gpus.repeated(parsed).get(use.span.start)) is not None:
        return [Edit(line, b"")]
    new = makefile_shared.for_both(parsed, use, _wanted(parsed, use, words))
    span = compiler_options.whole(parsed.data, use)
    if new is None and words[0] == "arch" and vendors.builds(parsed):
        new = []  # computed from the GPU available; PyTorch names AMD's itself
    if new is None or span is None:
        return []
    both = cmake_options.placed(parsed, span, new)
    both = vendors.option(parsed, use, new) if both is None else both
    if both is not None:
        return both
    inputs = command_inputs.before(parsed, use) if "-x" in words else None
    if inputs is not None and (gap := _gap(parsed, span)) is not None:
        return [Edit(Span(inputs, inputs), f"{' '.join(new)} ".encode()), gap]
    level = optimisation_levels.after(parsed, span, _COMMANDS) if words[0] == "debug" else None
    if level is not None:
        return optimisation_levels.moved(span, new, _gap(parsed, span), level)
    if not new:
        whole = cmake_options.emptied(parsed, use.span.start) if parsed.source.language == "cmake" else None
        gap = Edit(whole, b"") if whole is not None else _gap(parsed, span)
        return [] if gap is None or cmake_options.tears(parsed, gap.span) else [gap]
    return _in_place(parsed, span, new)


def _in_place(parsed: ProjectFile, span: Span, new: Sequence[str]) -> list[Edit]:
    """The new options where the old one is, parted as they are there; none where nothing holds several."""
    quote = compiler_options.quote(parsed.data, span)
    listed = _commas(parsed, span)
    if len(new) > 1 and listed and not _in_list(parsed, _element(parsed, span)):
        return []
    apart = f"{quote}, {quote}" if listed else f"{quote} {quote}" if parsed.source.language == "make" else ""
    joined = (apart or _joint(parsed, span)).join(new)
    if " " in joined and shell_values.is_bare(parsed.data, parsed.source.language, span):
        mark = shell_values.quote(parsed.data, span)
        return [Edit(span, f"{mark}{joined}{mark}".encode())] if mark else []
    cut = generator_expressions.cut(cmake.command_at(parsed, span.start), span.start) if ";" in joined else None
    cut = cut or (cmake_options.bare_text(parsed, span) if " " in joined else None)
    quotes = [Edit(Span(at, at), b'"') for at in (cut.start, cut.end)] if cut is not None else []
    return [Edit(span, joined.encode()), *quotes]


def _wanted(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[str] | None:
    """The options to write; empty to drop it, None to leave it as it is."""
    value, mode = compiler_options.value(use, parsed.data), words[0]
    if (
        mode == "arch"
        and use.span.start in (options := makefile_gpus.for_target(parsed).options)
        and _first(parsed, use)
    ):
        return list(options[use.span.start])
    repeats = mode == "arch" and not _first(parsed, use)
    if mode in ("drop", "gcc") or repeats or option_changes.repeats_report(parsed, use, words):
        return []
    if mode in ("to", "debug", "lines"):
        return _equivalent(parsed, use, words)
    if mode == "arch":
        return _gpus(parsed, use, value)
    if mode == "argument":
        return _passed_on(parsed, use, value)
    if mode == "errors":
        return [word for kind in value.split(",") for word in _ERRORS.get(kind, ())]
    if mode == "parts":
        return [word for part in host_options.parted(use.name) for word in host_options.for_clang(part)]
    if mode == "verbose":
        return [words[1]] if option_changes.is_verbose(value) else []
    if mode in ("true", "false"):
        return [words[1]] if value == mode else []
    return [f"{words[1]}{_written(parsed, use) or value}"] if value else None


def _passed_on(parsed: ProjectFile, use: Use, value: str) -> list[str] | None:
    """The options for the host's compiler, as one that reads all gets them; None where commas do not part them."""
    if _has_commas(parsed, value) or host_options.loosens_kernels(parsed, use.extent):
        return None
    joined = host_options.joined_by_commas(parsed, value) if parsed.source.language == "make" else ""
    parts = [joined] if joined else host_options.parted(value)
    known = [part for part in parts if not _is_of_gcc(parsed, use, part)]
    known = host_options.without_standard(parsed, use.span, known)
    if parts and not known:
        return []
    parts = known
    if any(_is_device_option(parsed, use, part) for part in parts):
        return None
    if not joined and (text := _written(parsed, use)):
        parts = [host_options.in_quotes(part, text, parsed.source.language) for part in parts]
    new = [word for part in parts for word in host_options.for_clang(part)]
    return [*new, *host_options.after(parsed, use.extent)] if parts else None


def _has_commas(parsed: ProjectFile, value: str) -> bool:
    """Whether a variable in a value, or what a program fills in, holds options that commas part."""
    if parsed.source.language not in (*_COMMANDS, "cmake") and host_options.is_filled_in(value):
        return True
    if parsed.source.language == "cmake":
        return "${" in value and any(f"${{{name}}}" in value for name in parsed.once(cmake_options.joined_by_commas))
    return host_options.holds_commas(parsed, value)


def _written(parsed: ProjectFile, use: Use) -> str:
    """The argument as a command line has it, quotes and all; empty where the option's own quotes reach around it."""
    span = compiler_options.whole(parsed.data, use) if parsed.source.language in _COMMANDS else None
    if span is None or compiler_options.quote(parsed.data, span):
        return ""
    return compiler_options.written(use, parsed.data)


def _gpus(parsed: ProjectFile, use: Use, value: str) -> list[str] | None:
    """The options for the GPUs aimed at, or for that of a turn of a loop; None where the value names none."""
    computed = "{" in value and parsed.source.language not in ("cmake", "make", "shell", "docker")
    if computed or not compiler_options.names_gpus(value):
        return None
    turn = cmake_loops.turn(parsed, use) if parsed.source.language == "cmake" else ""
    return [f"--offload-arch=${{{turn}}}"] if turn else [f"--offload-arch={name}" for name in parsed.target.arch]


def _equivalent(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[str]:
    """The options for one that has an equivalent, without those that are beside it."""
    neighbours = option_lists.beside(parsed.data, parsed.source.language, use.span)
    if (
        words[0] == "debug"
        and parsed.source.language in _COMMANDS
        and not compiler_options.quote(parsed.data, use.span)
    ):
        return ["-Xarch_device -g", "-Xarch_device -O0"][not _FULL_DEBUG.isdisjoint(neighbours) :]
    if words[0] == "lines" and not (_FULL_DEBUG | _DEVICE_DEBUG).isdisjoint(neighbours):
        return []
    new = cmake_options.without_step(parsed, use, [_for_release(word, parsed.target) for word in words[1:]])
    return new if new[0] == "-x" else [word for word in new if word not in neighbours]


def _for_release(word: str, goal: Target) -> str:
    """An option as the release's compiler spells it: a newer name is an error to an older one."""
    older, since = _RENAMED.get(word, (word, "0"))
    return older if release(goal.rocm) < release(since) else word


def _is_device_option(parsed: ProjectFile, use: Use, word: str) -> bool:
    """Whether an option for the host is one of nvcc's own: without what passes it on, it would mean that."""
    if word.startswith("-Werror=") or word in (
        *host_options.LOOSE,
        *host_options.DEPENDENCIES,
        compiler_options.SINGLE,
    ):
        return False  # of GCC's and clang's kinds, or for the host alone
    option = Use("option", word, use.span, use.span)
    rule = parsed.rule(option) if parsed.rule is not None and concerns(parsed, option) else None
    return rule is not None and not rule.silent and rule.match.names != ("-*",)


def _is_of_gcc(parsed: ProjectFile, use: Use, word: str) -> bool:
    """Whether an option for the host is one that only GCC knows."""
    rule = parsed.rule(Use("option", word, use.span, use.span)) if parsed.rule is not None else None
    return rule is not None and rule.change.text[:2] == ("flag", "gcc")


def _commas(parsed: ProjectFile, span: Span) -> bool:
    """Whether what is in `span` is one element of a list that commas part."""
    if not compiler_options.quote(parsed.data, span) or parsed.source.language in ("cmake", "make"):
        return False
    plain = parsed.source.language in ("shell", "docker", "autotools")
    return not plain or re.search(rb"[\[,]\s*[\"']\Z", parsed.data[max(0, span.start - 200) : span.start]) is not None


def _joint(parsed: ProjectFile, span: Span) -> str:
    """What is between two options: in a CMake list a semicolon, elsewhere a blank."""
    if parsed.source.language != "cmake":
        return " "
    command = cmake.command_at(parsed, span.start)
    argument = (
        next((one for one in command.args if one.span.start <= span.start < one.span.end), None) if command else None
    )
    if command is None or argument is None or "SHELL:" in argument.text or cmake_options.fills_text(command):
        return " "
    if "$<" in argument.text:
        return ";"
    listed = any(word.startswith(cmake_options.LIST) for word in command.words()[:2])
    if listed and cmake_options.uses_find_cuda(parsed):
        return " "  # the list becomes a text
    values = command.words()[1:]
    ends = [n for n, word in enumerate(values) if word in ("CACHE", "PARENT_SCOPE")]
    single = command.name == "set" and len(values[: ends[0] if ends else None]) == 1
    if single and argument.quoted and cmake_options.holds_list(parsed, command):
        return ";"
    text = single or command.name == "string" or "COMPILE_FLAGS" in values or "LINK_FLAGS" in values
    return " " if text or not argument.quoted else ";"


def _first(parsed: ProjectFile, use: Use) -> bool:
    """Whether no other option of the same rule is just before this one, or in a command of CMake's before it."""
    if parsed.source.language == "cmake" and cmake_options.repeats(parsed, use):
        return False
    earlier = option_changes.before(parsed, use.span.start)
    if not earlier or option_changes.change(parsed, earlier[-1][0])[:2] != ("flag", "arch"):
        return True
    last = earlier[-1][1]
    if parsed.source.language == "cmake" and cmake_options.follows_alike(parsed, last, use):
        return False
    between = parsed.data[last.end : use.span.start]
    commented = rb"|#[^\n]*\n" if parsed.source.language in ("cmake", "shell") else b""
    # in these, commas part what make or CMake chooses among: `$(if $(SM),-arch=sm_$(SM),-arch=sm_70)`
    comma = b"" if parsed.source.language in ("make", "cmake") else b","
    return re.fullmatch(rb"(?:[\s%b;\\\"'rRfFbBuU]%b)*" % (comma, commented), between) is None


def _gone(parsed: ProjectFile) -> dict[int, int]:
    """Where the options begin that go, and where they end, quotes and all."""
    found = {}
    for use, span in parsed.once(option_changes.options):
        change = option_changes.change(parsed, use)
        if change[:1] == ("flag",) and not compiler_options.lacks(use) and _wanted(parsed, use, change[1:]) == []:
            element = _element(parsed, span)
            found[element.start] = element.end
    return found


def _going(parsed: ProjectFile) -> dict[int, int]:
    """Where options begin that go, or the generator expressions that would be left empty, and where they end."""
    gone = parsed.once(_gone)
    expressions = (_expression_gone(parsed, start) for start in gone)
    return {**gone, **{one.start: one.end for one in expressions if one is not None}}


def _element(parsed: ProjectFile, span: Span) -> Span:
    """The element of a list, or the word of a command, that an option is, with its quotes; else the option alone."""
    data = parsed.data
    if _commas(parsed, span):
        prefix = _OPENERS.search(data, max(0, span.start - 3), span.start - 1)
        return Span(prefix.start() if prefix else span.start - 1, span.end + 1)
    alone = data[span.start - 2 : span.start - 1].isspace() and not data[span.end + 1 : span.end + 2].strip()
    if alone and compiler_options.quote(data, span) and parsed.source.language in ("make", "shell", "docker"):
        return Span(span.start - 1, span.end + 1)
    return (cmake_options.whole_argument(parsed, span) if parsed.source.language == "cmake" else None) or span


def _gap(parsed: ProjectFile, span: Span) -> Edit | None:
    """The edit that takes an option out with one separator: the one after it, at the end the one before it."""
    data, element, listed = parsed.data, _element(parsed, span), _commas(parsed, span)
    if listed and not _in_list(parsed, element):
        return None
    element = _expression_gone(parsed, span.start) or element
    line = option_lists.commented_line(data, parsed.source.language, element.start, parsed.once(_gone))
    if line is not None and _keeps_values(parsed, element.start):
        return Edit(line, b"")
    at = option_lists.skip(data, element.end, listed, parsed.source.language)
    ahead, gone = at, parsed.once(_going)
    while ahead in gone:
        ahead = option_lists.skip(data, gone[ahead], listed, parsed.source.language)
    if listed:
        ahead = option_lists.match(rb"\s*", data, ahead)
    argument = parsed.source.language == "cmake" and element.start < span.start
    if (_CLOSES if listed or argument else _ENDS).match(data, ahead) is None:
        return Edit(Span(element.start, at), b"")
    start = option_lists.back(data, element.start, listed, parsed.source.language)
    if parsed.source.language == "cmake" and option_lists.empties(data, start, element.end):
        return Edit(element, b'""')
    return Edit(Span(start, option_lists.last_end(data, element, gone) if listed else element.end), b"")


def _keeps_values(parsed: ProjectFile, at: int) -> bool:
    """Whether something is left of a command of CMake whose lines go: a `set` without a value unsets its variable."""
    command = cmake.command_at(parsed, at) if parsed.source.language == "cmake" else None
    if command is None or command.name != "set":
        return True
    gone = parsed.once(_gone).items()
    return any(all(not start <= one.span.start < end for start, end in gone) for one in command.args[1:])


def _expression_gone(parsed: ProjectFile, at: int) -> Span | None:
    """The generator expression around a place that would be left empty, with the quotes around it; the outermost."""
    command = cmake.command_at(parsed, at) if parsed.source.language == "cmake" else None
    if command is None:
        return None
    data, start = parsed.data, parsed.data.find(b"$<$<", command.span.start, at + 1)
    while start >= 0:
        end = cmake.expression_end(data, start, command.span.end)
        middle = cmake.expression_end(data, start + 2, end)
        if at < end and data[middle : middle + 1] == b":" and _all_gone(parsed, middle + 1, end - 1):
            quoted = data[start - 1 : start] == data[end : end + 1] == b'"'
            return Span(start - quoted, end + quoted)
        start = data.find(b"$<$<", start + 2, at + 1)
    return None


def _all_gone(parsed: ProjectFile, start: int, end: int) -> bool:
    """Whether options that go are all that is between two places."""
    gone, found = parsed.once(_gone), False
    at = option_lists.match(rb"(?:SHELL:)?[\s;]*", parsed.data, start)
    while at < end and at in gone:
        found, at = True, option_lists.match(rb"[\s;]*", parsed.data, gone[at])
    return found and at >= end


def _in_list(parsed: ProjectFile, element: Span) -> bool:
    """Whether the bracket that is open around the element is that of a list."""
    data, depth = parsed.data, 0
    for at in range(element.start - 1, max(-1, element.start - 2000), -1):
        sign = data[at : at + 1]
        depth += (sign in b"])}") - (sign in b"[({")
        if depth < 0:
            return sign == b"["
    return False
