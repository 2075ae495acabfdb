"""CMake files: languages, packages, targets, variables, generator expressions and compiler options.

A file that can already build for AMD beside CUDA has one, which says so. Comments and the text of messages are no uses.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis import (
    cmake_bin2c,
    cmake_build_types,
    cmake_cccl,
    cmake_checks,
    cmake_compiler_ids,
    cmake_compilers,
    cmake_flow,
    cmake_folders,
    cmake_gpu_numbers,
    cmake_gpu_queries,
    cmake_host_flags,
    cmake_languages,
    cmake_late_flags,
    cmake_left,
    cmake_library_names,
    cmake_nvcc_calls,
    cmake_nvcc_options,
    cmake_nvcc_variables,
    cmake_option_functions,
    cmake_options,
    cmake_other_builds,
    cmake_package_loops,
    cmake_port_links,
    cmake_refusals,
    cmake_rocm_modules,
    cmake_run_tools,
    cmake_separable,
    cmake_shown,
    cmake_tree,
)
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use, UseKind
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.syntax import cmake, cmake_lexer, compiler_options, generator_expressions, library_files
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

FILES = {"CMakeLists.txt": "cmake", ".cmake": "cmake", ".CMake": "cmake", ".cmake.in": "cmake"}
PART = "build"
TRIGGER = re.compile(
    rb"project\s*\(|\bhip\b|cuda|nvcc|compute-sanitizer|nvprof|\bn(?:cu|sys)\b|nccl|cudnn|\.cu\b|nvtx|thrust|\bcub\b|cu(?:blas|fft|rand|sparse|solver)|nvrtc"
    rb"|cccl|rapids_|nvbench|moderngpu|culibos|nvtoolsext|nvidia-[ms]|nvjpeg|cufile|cupti|cutil|shrutil|cudpp|bin2c|"
    + library_files.OF_ALONE.encode()
    + rb"|"
    + compiler_options.MARKS,
    re.IGNORECASE,
)
"""What a CMake file with something of CUDA holds, in any case; `project(` as well, whose languages may be CUDA."""
PORTED = "hip-build"
"""The name of the use that stands for a file which can already build for AMD."""

FOR_BOTH = "CUDA enabled for both"
"""The name of the use that stands for the language CUDA, where a build for AMD enables it too."""
LEFT, ENTERED = "cuda build kept", "entered by a cuda build"
"""The names of the uses that stand for a file which is left for CUDA, and for one that such a file enters."""
_NAME = re.compile(
    r"\$?ENV\{(?P<env>\w+)\}|(?:\$(?:CACHE)?\{|@)(?P<variable>[\w.+-]+)[@}]|(?P<target>\b[A-Za-z][\w-]*::\w+(?:[.+-]\w+)*)"
    r"|\$<(?P<asked>(?:COMPILE|LINK)_LANG_AND_ID):(?P<given>CUDA,[^<>]*)>"
    r"|\$<(?:STREQUAL:\$<)?(?P<languages>(?:COMPILE|LINK)_LANGUAGE)[:>],?(?:(?!CUDA,|HIP)\w+,)*(?P<language>CUDA)(?!,[\w,]*HIP)[,>]"
    r"|\$<(?P<compiler>CUDA_COMPILER_(?:ID(?::NVIDIA(?=>))?|VERSION))\b|(?P<word>\b(?:CMAKE_)?CUDA\w*|\b(?:cuda_std|CUDNN|NCCL)_\w+)"
)
"""Names in an argument: `$ENV{CUDA_HOME}`, `${CUDA_LIBS}`, `@CUDA_LIBS@`, `CUDA::cudart`, `$<LINK_LANGUAGE:CUDA>`."""
_GIVEN = re.compile(
    r"(?P<option>-D)?(?P<given>CMAKE_CUDA_(?:STANDARD(?:_REQUIRED)?|FLAGS(?:_[A-Z]+)?|(?P<own>ARCHITECTURES|(?:HOST_)?COMPILER)))"
    r"(?::[A-Z]+)?=(?P<same>\$\{CMAKE_CUDA_(?:ARCHITECTURES|COMPILER)\}\Z)?"
)
"""A variable of the language that another run of CMake's is given: `-DCMAKE_CUDA_COMPILER:PATH=...`."""
_ABOUT = re.compile(
    r"cuda|nvcc|nccl|cudnn|nvtx|thrust|\bcub\b|ROCm 5|^rapids_|^nvbench::|^fetch |^link (?:cu|nv)|^cmake_minimum"
    r"|\bCCCL\b|^library file |^(?:listed|passed) library$|^options without "
    r"|^find_(?:library|path|program)\(|^try \.cu$|^GPU by|" + cmake_run_tools.NAMES,
    re.IGNORECASE,
)
"""What names that rules know have in common."""
_WHOLE = re.compile(r"[A-Za-z]\w*(?:-\w+)*")
_LINKING = frozenset(
    ("target_link_libraries", "link_libraries", "set", "list", "set_target_properties", "set_property")
)
"""Commands in which the name of a library's file is what gets linked; others look for it, install it or speak of it."""
_SHOWN = re.compile(
    r"CMAKE_CUDA_(?:FLAGS|ARCH|STANDARD|COMPILER(?:_ID|_VERSION)?$)|CUDA_NVCC_FLAGS|CUDA\w*_(?:FOUND|INCLUDE_DIRS)$"
)
"""What messages show under its new name; all else in a message does no harm."""
_SET = re.compile(r"CUDA_VERSION|NCCL_|CUDNN_")
_CODE = ("-fatbin", "--fatbin", "-cubin", "--cubin")
"""Options of nvcc's for a file of machine code."""
_FETCHES = ("fetchcontent_declare", "externalproject_add", "cpmaddpackage", "cpmfindpackage", "rapids_cpm_find")
"""Commands that fetch another repository, of CMake's own modules and of CPM's, which rapids-cmake calls."""
_FETCHED = re.compile(
    r"(?:^|github\.com[/:]|gh:)(?P<whole>(?:NVIDIA|NVlabs|thrust|moderngpu|rapidsai)/(?P<repository>[\w-]+))"
    r"(?=$|[@#/]|\.git\b)"
)
"""A repository of those that are for CUDA: `https://github.com/NVIDIA/cccl.git`, `gh:NVIDIA/nvbench@main`."""
_BY_PACKAGES = ("rapids_cpm_", "thrust_create_target")
"""How commands begin that fetch a library, of rapids-cmake, and that make a target, of Thrust's package."""
_HOLDERS = ("set", "list", "string")
_OPTIONS = (
    "add_definitions",
    "add_compile_options",
    "target_compile_options",
    "add_link_options",
    "target_link_options",
)
_LOOKS = ("find_package", "find_dependency")
_TRIES = ("try_compile", "try_run")
_ASKING = ("if", "elseif")
_COMMAND_NAMED = ("enable_language", "check_language", *cmake.SEARCHES, "project", "include", "find_dependency")


def parse(source: SourceFile) -> ProjectFile:
    """Read `source` alone. Never raises on any bytes."""
    return parse_among(source, CMakeFacts())


def parse_among(source: SourceFile, facts: CMakeFacts) -> ProjectFile:
    """Read `source`, with what the other CMake files of its tree say of it. Never raises on any bytes."""
    found = cmake.read(source.data)
    parsed = ProjectFile(source, commands=found, cmake=facts)
    there = cmake.ported(found)
    parsed.builds, parsed.repeating = _builds(found, there is not None), cmake.repeating(found)
    uses = [use for use in _uses(parsed) if use.kind == "option" or _ABOUT.search(use.name)]
    uses = cmake_compiler_ids.without_nvccs(parsed, cmake_tree.as_ignored(parsed, uses))
    own, numbers = _own(found), _numbers(source.data, found)
    uses = cmake_shown.marked([_as_number(use, numbers) for use in uses if use.name not in own], found)
    uses = cmake_library_names.without_found(uses, found)
    uses = cmake_flow.marked(cmake_host_flags.without_off(uses, found, facts.by_language), found)
    uses = cmake_late_flags.marked(cmake_refusals.marked(uses, found), found)
    uses = cmake_separable.marked(parsed, cmake_compilers.marked(parsed, uses))
    uses.sort(key=lambda use: (use.span, use.name))
    if there is not None and uses:
        parsed.ported = True
        uses = [Use("name", PORTED, there.span, there.span, certainty="syntax"), *filter(_is_old, uses)]
        uses += [_use("name", FOR_BOTH, at, command) for command, at in cmake_flow.enabled_for_both(found)]
        uses += [_use("name", *use) for use in cmake_port_links.uses(found)]
        uses.sort(key=lambda use: use.span)
    if not parsed.ported:
        uses = sorted([*uses, *_left(parsed, found, uses)], key=lambda use: (use.span, use.name))
    parsed.uses = uses
    return parsed


def _left(parsed: ProjectFile, found: list[Command], uses: list[Use]) -> list[Use]:
    """The use that says why nothing in the file is converted, if so; the file is marked."""
    stuck = cmake_left.stuck(found)
    if stuck is None and not (parsed.cmake.left and uses):
        return []
    parsed.kept = True
    if stuck is not None:
        return [_use("name", LEFT, stuck.at, stuck)]
    first = min(uses, key=lambda use: use.span)
    return [Use("name", ENTERED, first.span, first.extent, certainty="syntax")]


def _numbers(data: bytes, found: list[Command]) -> frozenset[Span]:
    """Where the list of NVIDIA's architectures is a number to the code."""
    return cmake_gpu_numbers.numbers(found) if cmake_gpu_numbers.LIST.encode() in data else frozenset()


def _as_number(use: Use, numbers: frozenset[Span]) -> Use:
    return replace(use, name=f"number of {use.name}") if use.span in numbers else use


def _is_old(use: Use) -> bool:
    """Whether a use is of a HIP of years ago, so that it is wrong in a build for HIP too."""
    return use.name in (cmake_rocm_modules.FOLDER, cmake_rocm_modules.MODULES) or compiler_options.is_old(use)


def _own(found: list[Command]) -> set[str]:
    """Variables that the toolkit or a package may set, and that this file sets itself."""
    sets = (command for command in found if command.name in ("set", "find_library", "find_path") and command.args)
    return {name for command in sets if _SET.match(name := command.args[0].text)}


def _builds(found: list[Command], both: bool) -> frozenset[str]:
    """What the file sets up."""
    kinds = {"project"} if any(command.name == "project" for command in found) else set()
    kinds |= {kind for kind in ("cuda", "hip") if any(cmake.enables(command, kind.upper()) for command in found)}
    kinds -= {"hip"} if cmake.finds_hip_alone(found) else set()
    kinds |= {"hip"} if any(command.name.startswith("hip_add_") for command in found) else set()
    return frozenset(kinds | {"cuda", "hip"} if both else kinds)


def broken(data: bytes) -> int:
    """How many bytes are part of no command and no comment."""
    return cmake_lexer.read(data)[1]


def _uses(parsed: ProjectFile) -> Iterator[Use]:
    data, found = parsed.data, list(parsed.commands)
    for match, argument, command in cmake_folders.below(found, parsed.cmake.toolkits) if b"}/lib64" in data else ():
        yield _part("lib64 of CUDA", match, "lib", argument, command)
    finders = (
        cmake_library_names, cmake_languages, cmake_gpu_queries, cmake_other_builds, cmake_rocm_modules,
        cmake_run_tools, cmake_shown, cmake_bin2c, cmake_package_loops
    )  # fmt: skip
    for finder in finders:
        yield from (_use("name", *use) for use in finder.uses(found))
    if (enabled := list(cmake_languages.enabled(found))) and not cmake_tree.by_find_cuda_alone(parsed):
        yield from (_use("name", *use) for use in enabled)
    for value, command in cmake_build_types.unoptimised(found):
        yield _use("name", cmake_build_types.USE, value.outer, command)
    yield from _host_definitions(parsed)
    compiling = cmake_flow.only_compiles(found) if b"-Xlinker" in data or b"--linker-options" in data else frozenset()
    away = cmake_flow.for_windows(found) if b"Xcompiler" in data or b"--compiler-options" in data else frozenset[Span]()
    set_here = {one.args[0].text for one in found if one.name == "set" and one.args}
    for command in found:
        yield from _head(command)
        for number, argument in enumerate(command.args):
            file = cmake_folders.library_file(argument.text, set_here) if command.name in _LINKING else ""
            if file:
                yield _use("name", f"link {file}", argument.span, command)
            else:
                yield from _names(command, number, argument)
        compiles = bool(compiling) and cmake_flow.is_compiling(command, compiling)
        for use in _options(parsed, command):
            name = use.name.partition("=")[0]
            linker = compiles and name in ("-Xlinker", "--linker-options")
            use = compiler_options.as_windows(use) if _is_for_cl(data, command, use, away) else use
            yield replace(use, name=f"{name}:compiling") if linker else use


def _host_definitions(parsed: ProjectFile) -> Iterator[Use]:
    """What the host's flags define, where FindCUDA gives it to the sources for the GPU."""
    found = parsed.commands
    if parsed.cmake.compiles or any(one.name in cmake_options.COMPILES for one in found):
        for name, command in cmake_host_flags.giving(parsed.data, found):
            yield _use("name", f"{cmake_host_flags.USE} {name}", command.at, command)


def _is_for_cl(data: bytes, command: Command, use: Use, away: frozenset[Span]) -> bool:
    """Whether an option of Microsoft's compiler is given where only a build with it reads it."""
    if not compiler_options.is_for_cl(use):
        return False
    return command.span in away or b"MSVC" in generator_expressions.before(data, command, use.span.start)


def _use(kind: UseKind, name: str, span: Span, command: Command) -> Use:
    return Use(kind, name, span, command.span, command.places, certainty="syntax")


def _head(command: Command) -> Iterator[Use]:
    """What a command is by its name, or by its name and the word that it is given."""
    words = command.words()
    if folders := cmake_cccl.folders(command):
        yield _use("name", cmake_cccl.USE, folders[0].span, command)
    if command.name in _COMMAND_NAMED:
        first, end = int(command.name == "project"), None if command.name in ("project", "enable_language") else 1
        for argument in command.args[first:end]:
            name = "find_package" if command.name in cmake.SEARCHES else command.name
            yield _use("name", f"{name}({argument.text})", argument.span, command)
    elif command.name == "cmake_minimum_required" and len(words) > 1:
        yield _use("name", command.name, command.args[1].span, command)
    elif (folders and not cmake_cccl.gives_others(command)) or cmake_left.found_library(command) is not None:
        return
    elif (
        cmake_nvcc_variables.NAME.search(command.name) or command.name.startswith(_BY_PACKAGES)
    ) and command.name not in _ASKING:
        yield _use("name", command.name, command.at, command)


def _names(command: Command, number: int, argument: Argument) -> Iterator[Use]:
    """Names in one argument: variables, targets, generator expressions, properties, libraries, paths."""
    if command.name == "mark_as_advanced":
        return  # nothing hangs on the name there
    whole = _whole(command, number, argument)
    if whole:
        yield _use("name", whole, argument.span, command)
    for match in cmake_folders.PATH.finditer(argument.text) if not cmake.is_replaced(command, number) else ():
        for group in filter(match.__getitem__, cmake_folders.PARTS):
            yield _part(cmake_folders.PARTS[group], match, group, argument, command)
    for match in _FETCHED.finditer(argument.text) if command.name in _FETCHES else ():
        yield _part(f"fetch {match['repository']}", match, "whole", argument, command)
    for match in library_files.IN_TEXT.finditer(argument.text) if command.name in _LINKING else ():
        yield _part(library_files.use_name(match["name"]), match, "file", argument, command)
    yield from _passed_on(command, number, argument)
    for match in cmake_rocm_modules.OLD.finditer(argument.text):
        yield _part(cmake_rocm_modules.FOLDER, match, "old", argument, command)
    asked = number == 1 and command.name in _LOOKS and command.args[0].text in ("CUDA", "CUDAToolkit")
    for match in _NAME.finditer(argument.text) if not asked else ():  # the release goes with the search
        name, group = _named(match, argument.text, argument, command)
        if name:
            yield _part(name, match, group, argument, command)


def _passed_on(command: Command, number: int, argument: Argument) -> Iterator[Use]:
    """A variable of the language that another run of CMake's is given, in one word with `-D` or behind it."""
    given = _GIVEN.match(argument.text) if "CUDA" in argument.text else None
    if given is not None and (given["option"] or (number and command.args[number - 1].text == "-D")):
        is_named = given["own"] is None or (given["same"] is not None and given["own"] != "HOST_COMPILER")
        yield _part(given["given"] if is_named else f"given {given['given']}", given, "given", argument, command)


def _part(name: str, match: re.Match[str], group: str, argument: Argument, command: Command) -> Use:
    """A use of what a group of a match in an argument holds."""
    first = argument.span.start + len(argument.text[: match.start(group)].encode())
    return _use("name", name, Span(first, first + len(match[group].encode())), command)


def _whole(command: Command, number: int, argument: Argument) -> str:
    """The name of an argument that means something by its command or by what is before it; else empty."""
    text, before = argument.text, command.args[number - 1].text if number else ""
    if before in ("LANGUAGE", "LINKER_LANGUAGE") and text == "CUDA":
        return "LANGUAGE CUDA"
    if argument is cmake_left.found_library(command):
        return f"link {text}"
    if (
        command.name in cmake_library_names.LINKS
        and (number or command.name == "link_libraries")
        and _WHOLE.fullmatch(text)
    ):
        return f"link {text}"
    if command.name in _TRIES and number and text.endswith(".cu"):
        return "try .cu"
    if tried := cmake_checks.use_name(command, number, text):
        return tried
    if command.name == "set" and number == 1 and cmake_folders.HOST_COMPILER.match(f"{before} {text}"):
        return "host compiler of CUDA"
    searched = cmake_library_names.searched(text)
    if command.name in ("find_library", "find_path", "find_program") and number and searched:
        return f"{command.name}({searched})"
    runs = command.name in ("execute_process", "add_custom_command", "add_custom_target")
    return "nvcc" if runs and number and text == "nvcc" else ""


def _named(match: re.Match[str], text: str, argument: Argument, command: Command) -> tuple[str, str]:
    """The name that rules know for a match, and the group that holds what to change; empty where it is only text."""
    if match["env"]:
        return f"$ENV{{{match['env']}}}", "env"
    if match["variable"]:
        if command.name == "message" and not _SHOWN.match(match["variable"]):
            return "", ""
        return match["variable"], "variable"
    if match["target"]:
        return match["target"], "target"
    if asked := match["asked"] or match["languages"]:
        return f"{asked}:CUDA", "given" if match["asked"] else "language"
    if match["word"] and cmake_options.sets_no_options(command):
        return "", ""
    if match["compiler"]:
        return match["compiler"], "compiler"
    whole = match[0] == text or command.name in ("if", "elseif", "while")
    shown = argument.quoted and command.name == "message"
    return (match["word"], "word") if match.lastgroup and whole and not shown else ("", "")


def _options(parsed: ProjectFile, command: Command) -> Iterator[Use]:
    """Compiler options among the arguments: all of them where nvcc gets them, elsewhere only those that are nvcc's.

    What a list or a text is only searched for, `list(FIND flags "-ccbin" at)`, no compiler gets.
    """
    if command.name in ("list", "string") and command.words()[:1] in (["FIND"], ["REMOVE_ITEM"], ["COMPARE"]):
        return
    data, sure = parsed.data, cmake_nvcc_options.is_sure(parsed, command)
    passed = [one for span in cmake_options.given_flags(command) for one in compiler_options.words(data, *span)]
    yield from compiler_options.uses(passed)
    if command.name not in (*_HOLDERS, *_OPTIONS, *cmake_library_names.LINKS, *cmake.PROPERTIES, "nvcc"):
        given_on = cmake_option_functions.of(parsed).get(command.name)
        sure = cmake_nvcc_variables.NAME.search(command.name) is not None or (given_on is not None and given_on.nvcc)
        if not sure and given_on is None:
            yield from _of_calls(parsed, command)
            return
    outside: list[compiler_options.Word] = []
    for stretch in generator_expressions.stretches(data, command):
        closes = stretch.inside or command.name not in _OPTIONS  # a text may be the end of an expression
        words = compiler_options.words(data, stretch.span.start, stretch.span.end, closes)
        words = [one for one in words if one not in passed]
        if stretch.inside:
            known = sure if stretch.nvcc is None else stretch.nvcc
            yield from compiler_options.uses(words, plain=not known)
        else:
            outside += words  # an option and its argument may be two arguments of the command
    yield from compiler_options.uses(outside, plain=not sure)


def _of_calls(parsed: ProjectFile, command: Command) -> Iterator[Use]:
    """The options of calls of nvcc that a command makes, and the sources whose language clang does not know."""
    held = cmake_compilers.of(parsed)
    for call in cmake_nvcc_calls.options(command, held.compiling | held.others):
        given = [one for part in call for one in compiler_options.words(parsed.data, part.start, part.end)]
        for use in compiler_options.uses(given):
            code = use.name in _CODE
            yield replace(use, name=f"{use.name}:clang", extent=command.span) if code else use
    for span in cmake_nvcc_calls.sources_for_clang(command):
        yield Use("name", "source of nvcc for clang", span, span, certainty="syntax")
