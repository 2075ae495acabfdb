"""Makefile rules by which the host's compiler reads HIP's headers: it needs the platform's macro and their folder.

A file that calls CUDA's runtime may be compiled by g++, which found CUDA's headers in a folder of its own, or by an
absolute path in the include. After the conversion the file reads HIP's headers, and these ask which platform they are
for: hipcc says it, g++ does not. Which sources a rule compiles is read from its targets and prerequisites; what they
include is followed. Options that reach the rule already, or that another fix brings, are enough. nvcc compiles for the
host, too, where a command says `-x c++`, and hipcc then says nothing of the platform.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from cudamigrate.analysis import makefile_families, makefile_languages, makefile_variables
from cudamigrate.analysis.makefile_calls import Callers, looped
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.cuda.code_files import copied
from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.include_paths import is_below
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.host_assembly import HOST_SOURCES
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax.makefile import Line

RULE = "build/make-host-headers"
PLATFORM = b"-D__HIP_PLATFORM_AMD__"


ENOUGH = re.compile(rb"__HIP_PLATFORM_|hipconfig|hip-config|\bhip::")
"""What says the platform, or asks HIP for its own options: `-D__HIP_PLATFORM_AMD__`, `$(shell hipconfig -C)`."""
_OF_GPU = re.compile(rb"^\s*(?:\S*/)?(?:nvcc|hipcc)\b")
"""A compiler for GPUs, which a caller exports as the one for the host."""
STRICT, UNREAD = re.compile(rb"(?<![\w-])-Werror(?![\w=-])"), b" -Wno-error=unused-result"
"""Warnings as errors, and what keeps calls of HIP whose result nobody looks at a warning: CUDA's have no such mark."""
_FOLDER, _ROCM_PATH = "build/make-folder", "ROCM_PATH"
"""The rule that renames variables with CUDA's folder, and the new name."""
_AUTOMATIC = re.compile(rb"\$(?:[<^+?*]|[({][<^+?*][FD]?[)}])")
_GLOB = re.compile(
    rb"(?<![\w)}/.])(?P<folder>(?:\$[({][\w.-]+[)}])?(?:[\w./-]*/)?)\*(?P<suffix>\.(?:c|cc|cpp|cxx|C))(?!\w)"
)
"""All sources of a folder: `$(SRC)/*.cpp`, in a command's words, or for `wildcard` or `ls`."""
_SUFFIX_RULE = re.compile(r"(\.\w+)\.\w+")
"""A suffix rule with the source's suffix: `.cpp.o`."""
_MAKES_OBJECTS = re.compile(r"\S*%\S*\.o|\.(?:c|cc|cpp|cxx|C)\.o")
"""The target of a rule that takes the place of make's own: `%.o`, `obj/%.o`, `.cpp.o`."""
_LISTED = re.compile(r"(?:dist_|nodist_)?(\w+)_SOURCES")
"""A variable in which automake gets the sources of a program or library: `tool_SOURCES`, with the program's name."""
_AUTOMAKE = ("{}_CPPFLAGS", "{}_CXXFLAGS", "{}_CFLAGS", "AM_CPPFLAGS", "AM_CXXFLAGS", "AM_CFLAGS", "INCLUDES")
"""Variables whose options automake gives to the compiler of a program's sources."""
_SUBSTITUTED = re.compile(rb"@(\w+)@")
"""What a configure script writes into a Makefile: `@CUDA_CFLAGS@`."""
_CONFIGURE = ("configure.ac", "configure.in", "configure")
_GIVEN = rb"\b%b=[^\n]*(?:-I|__HIP_PLATFORM_)"
"""A configure script's variable that holds include folders."""


def with_host_compilers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each command of a Makefile that lacks what HIP's headers need."""
    rule = book.rules.get(RULE)
    makefiles = [one.path for one in results if one.language == "make" and one.skip is None]
    if rule is None or rule.silent or not makefiles:
        return list(results)
    tree = HipReaders({one.path: one for one in results if one.skip is None}, read)
    if not tree.with_header:
        return list(results)
    files = {path: source.data for path in makefiles if (source := read(path)) is not None}
    families, callers = makefile_families.families(files), Callers(files)
    made = {
        path: _findings(tree, path, {path: data, **families.get(path, {})}, callers, rule)
        for path, data in files.items()
    }
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


class _Command(NamedTuple):
    """A command of a recipe that compiles for the host: its place, that of the compiler's name, and its rule's line.

    `listed` are the words over which a loop of the shell around it runs, where the command names the loop's variable.
    `c_alone` says that what is in C is for the host, and nothing else.
    """

    span: Span
    compiler: Span
    rule: Line
    listed: Span | None = None
    c_alone: bool = False


def _findings(tree: HipReaders, path: str, family: Mapping[str, bytes], callers: Callers, rule: Rule) -> list[Finding]:
    """What one Makefile lacks, with the fix of each command; `callers` are those of the tree."""
    if not any(suffix.encode() in family[path] for suffix in HOST_SOURCES):
        return []
    variables = makefile_variables.read(path, family)
    file, found = variables.files[0], []
    folder = "$(ROCM_PATH)" if not _folders(tree, family).isdisjoint(variables.assigned) else "/opt/rocm"
    options = f" {PLATFORM.decode()} -I{folder}/include".encode()
    exported = callers.exported(path)
    for command in _commands(variables, file):
        sources = [one for one in _compiled(variables, file, command, tree) if tree.reads_header(one, file.data)]
        sources = [one for one in sources if one.endswith(".c")] if command.c_alone else sources
        if not sources or _has_options(tree, variables, file, command.span):
            continue
        names = set(makefile_variables.references(file, command.span)) - set(variables.assigned)
        given = [value for name in names for value in exported.get(name, ())]
        if any(map(ENOUGH.search, given)) or any(map(_OF_GPU.search, given)):
            continue
        use = Use("name", "host compiler", command.compiler, command.compiler, certainty="syntax")
        words = {"source": posixpath.basename(sources[0]), "more": _others(len(sources) - 1)}
        at = _behind(file.data, command.compiler)
        made = engine.finding(SourceFile(path, file.data, "make"), Hit(RULE, use, words), rule)
        strict = any(STRICT.search(other.text(place)) for other, place in _reached(variables, file, command.span))
        more = options + UNREAD if strict else options
        found.append(replace(made, fix=Fix((Edit(Span(at, at), more),), rule.safety)))
    return [*found, *_automake(tree, variables, file, options, rule), *_built_in(tree, variables, file, options, rule)]


def _behind(data: bytes, word: Span) -> int:
    """Where a word ends, with the quotes around it."""
    around = data[word.start - 1 : word.start] if word.start else b""
    return word.end + (around in (b'"', b"'") and data.startswith(around, word.end))


def _folders(tree: HipReaders, family: Mapping[str, bytes]) -> set[str]:
    """The variables that have ROCm's folder by the name `ROCM_PATH`, once the Makefiles are converted."""
    found = (finding for path in family if path in tree.results for finding in tree.results[path].findings)
    return {_ROCM_PATH, *(one.name for one in found if one.rule == _FOLDER and one.fix is not None)}


def _automake(tree: HipReaders, variables: Variables, file: Makefile, options: bytes, rule: Rule) -> Iterator[Finding]:
    """The lists of automake whose sources lack the options."""
    for line in file.lines if file.path.endswith(".am") else ():
        program = _LISTED.fullmatch(line.name) if line.kind == "assignment" else None
        words = _texts(variables, file, line.value) if program is not None else []
        named = [one for word in words if word.endswith(HOST_SOURCES) for one in _named(variables, word, tree)]
        sources = [one for one in named if tree.reads_header(one, file.data)]
        if program is None or not sources:
            continue
        flags = [one for name in _AUTOMAKE for one in variables.assigned.get(name.format(program[1]), ())]
        if any(_has_options(tree, variables, other, given.value) for other, given in flags):
            continue
        at = Span(line.span.start, line.span.start + len(line.name.encode()))
        use = Use("name", "host compiler", at, at, certainty="syntax")
        says = {"source": posixpath.basename(sources[0]), "more": _others(len(sources) - 1)}
        made = engine.finding(SourceFile(file.path, file.data, "make"), Hit(RULE, use, says), rule)
        ends = [len(other.text(given.span).rstrip()) + given.span.start for other, given in flags if other is file]
        fix = Fix((Edit(Span(ends[0], ends[0]), options),), rule.safety) if ends else None
        yield replace(made, fix=fix) if fix else replace(made, support="manual", effort="trivial")


def _built_in(tree: HipReaders, variables: Variables, file: Makefile, options: bytes, rule: Rule) -> Iterator[Finding]:
    """The first rule that needs objects which make compiles by a rule of its own, where that lacks the options."""
    rules = [(line, file.text(line.value).decode("utf-8", "replace")) for line in file.lines if line.kind == "rule"]
    if file.path.endswith((".am", ".in")) or not rules:
        return
    with_recipe = {before for before, line in pairwise(file.lines) if line.kind == "recipe" and before.kind == "rule"}
    made = {word for line, text in rules if line in with_recipe for word in text.partition(":")[0].split()}
    if any(_MAKES_OBJECTS.fullmatch(word) for word in made):
        return
    found: dict[str, Line] = {}
    for line, text in rules:
        at = line.value.start + len(text.partition(":")[0].encode()) + 1
        for word in _texts(variables, file, Span(min(at, line.value.end), line.value.end)):
            if word.endswith(".o") and word not in made:
                found |= {one: line for one in _source_of(tree, variables, word) if one not in found}
    lacking = [one for one in found if tree.reads_header(one, file.data) and _is_hosts(tree, variables, one)]
    if lacking:
        line = found[lacking[0]]
        target = Span(line.value.start, line.value.start + len(file.text(line.value).partition(b":")[0].rstrip()))
        use = Use("name", "host compiler", target, target, certainty="syntax")
        says = {"source": posixpath.basename(lacking[0]), "more": _others(len(lacking) - 1)}
        one = engine.finding(SourceFile(file.path, file.data, "make"), Hit(RULE, use, says), rule)
        yield replace(one, fix=Fix((_given(variables, file, options),), rule.safety))


def _given(variables: Variables, file: Makefile, options: bytes) -> Edit:
    """The edit that gives options to make's own rules: in the last value of their variable, or before all rules."""
    values = [line.value for other, line in variables.assigned.get("CPPFLAGS", ()) if other is file]
    if values:
        end = values[-1].start + len(file.text(values[-1]).rstrip())
        return Edit(Span(end, end), options)
    first = next((line.span.start for line in file.lines if line.kind == "rule"), 0)
    return Edit(Span(first, first), b"CPPFLAGS +=" + options + newline(file.data))


def _source_of(tree: HipReaders, variables: Variables, name: str) -> Iterator[str]:
    """The source from which make compiles an object by itself: the first of those beside it that is there."""
    stem = posixpath.normpath(posixpath.join(variables.home(), name[: -len(".o")]))
    yield from [stem + end for end in HOST_SOURCES if stem + end in tree.results][:1]


def _is_hosts(tree: HipReaders, variables: Variables, source: str) -> bool:
    """Whether make's own rule gives a source to the host's compiler, without options that bring what it needs."""
    compiler, flags, rule = (
        ("CC", "CFLAGS", "COMPILE.c") if source.endswith(".c") else ("CXX", "CXXFLAGS", "COMPILE.cc")
    )
    if rule in variables.assigned or "host" not in variables.compilers(compiler):
        return False
    given = [one for name in (compiler, flags, "CPPFLAGS") for one in variables.assigned.get(name, ())]
    return not any(_has_options(tree, variables, other, line.value) for other, line in given)


def _others(count: int) -> str:
    return "" if not count else f" and {count} other file{'s' if count > 1 else ''}"


def _commands(variables: Variables, file: Makefile) -> Iterator[_Command]:
    """The commands that compile sources for the host, nvcc's among them, each below the line of its rule."""
    rule: Line | None = None
    for line in file.lines:
        if line.kind == "rule":
            rule = line
        elif line.kind == "recipe" and rule is not None and not line.name:
            for part in makefile_variables.commands(file, line):
                compiler = variables.compiler_word(file, part)
                for_host = "host" in variables.compiler(file, part)
                for_host = for_host or makefile_languages.is_for_host(variables, file, part)
                c_alone = not for_host and makefile_languages.is_by_ending(variables, file, part)
                if compiler is not None and (for_host or c_alone):
                    yield _Command(part, compiler, rule, looped(file, line, part), c_alone)


def _compiled(variables: Variables, file: Makefile, command: _Command, tree: HipReaders) -> list[str]:
    """The sources that a command compiles, as far as its rule and its words name them."""
    named = list[str]()
    for place in (command.span, *([command.listed] if command.listed is not None else ())):
        words = _texts(variables, file, place)
        named += [one for word in words if word.endswith(HOST_SOURCES) for one in _named(variables, word, tree)]
        texts = dict.fromkeys((file.text(place), " ".join(words).encode("utf-8", "replace")))
        patterns = [match for text in texts for match in _GLOB.finditer(text)]
        named += [one for match in patterns for one in _matching(variables, file, match, tree)]
    if _AUTOMATIC.search(file.text(command.span)) is None:
        return list(dict.fromkeys(named))
    targets, _, prerequisites = file.text(command.rule.value).decode("utf-8", "replace").partition(":")
    suffix = _SUFFIX_RULE.fullmatch(targets.strip())
    if suffix is not None and suffix[1] in HOST_SOURCES:
        named += _alike(variables, f"%{suffix[1]}", tree)
    at = command.rule.value.end - len(prerequisites.encode("utf-8", "surrogatepass"))
    for word in _texts(variables, file, Span(max(at, command.rule.value.start), command.rule.value.end)):
        if word.endswith(HOST_SOURCES):
            named += _alike(variables, word, tree) if "%" in word else _named(variables, word, tree)
    return list(dict.fromkeys(named))


def _texts(variables: Variables, file: Makefile, span: Span) -> list[str]:
    """The words of a text, with those of the variables that are words of their own in it.

    Each variable's words come once: `FLAGS := $(FLAGS) -g` names itself, in as many lines as add to it.
    """
    found, seen, waiting = list[str](), set[str](), [(file, span)]
    while waiting:
        other, place = waiting.pop()
        for word in other.text(place).decode("utf-8", "replace").split():
            name = re.fullmatch(r"\$[({]([\w.-]+)[)}]", word)
            if name is None:
                found.append(word)
            elif name[1] not in seen:
                seen.add(name[1])
                waiting += [(one, line.value) for one, line in reversed(variables.assigned.get(name[1], ()))]
    return found


def _matching(variables: Variables, file: Makefile, match: re.Match[bytes], tree: HipReaders) -> list[str]:
    """The sources of a folder that a pattern such as `$(SRC)/*.cpp` names, those too that it copies to one."""
    folder, suffix = match["folder"].decode("utf-8", "replace"), match["suffix"].decode()
    name = re.match(r"\$[({]([\w.-]+)[)}]", folder)
    values = variables.assigned.get(name[1], ()) if name is not None else ()
    texts = {other.text(line.value).decode("utf-8", "replace").strip() for other, line in values}
    named = {text + folder[name.end() :] for text in texts} if name is not None else {folder}
    home = variables.home()
    there = {posixpath.normpath(posixpath.join(home, one)) for one in named}
    near = (path for path in tree.paths.paths if (posixpath.dirname(path) or ".") in there)
    return sorted(
        path for path in near if path.endswith(suffix) or (copied(path).endswith(suffix) and _names(file, path))
    )


def _names(file: Makefile, path: str) -> bool:
    return posixpath.basename(path).encode() in file.data


def _alike(variables: Variables, pattern: str, tree: HipReaders) -> list[str]:
    """The sources that a pattern such as `src/%.cpp` means: below its folder, or for a mere `%.cpp` the Makefile's.

    make's `%` stands for folders, too, and `VPATH` may name others; folders that have a Makefile of their own are its.
    """
    home, suffix = variables.home(), posixpath.splitext(pattern)[1]
    folder = pattern.rpartition("/")[0]
    sources = [path for path in tree.paths.paths if path.endswith(suffix) and path in tree.results]
    if folder and "$" not in folder and "%" not in folder:
        below = posixpath.normpath(posixpath.join(home, folder))
        home = "" if below == "." else below
    others = {posixpath.dirname(path) for path, one in tree.results.items() if one.language == "make"} - {home}
    return sorted(path for path in sources if is_below(path, home) and not any(_between(path, home, o) for o in others))


def _between(path: str, home: str, other: str) -> bool:
    """Whether another folder with a Makefile is nearer to a file."""
    return is_below(path, other) and is_below(other, home) and other != home


def _named(variables: Variables, word: str, tree: HipReaders) -> list[str]:
    """The source that a word names: from where make runs, or below that with `VPATH` or a variable before it."""
    home = variables.home()
    for text in (word, _filled(variables, word)):
        path = posixpath.normpath(posixpath.join(home, text))
        if path in tree.paths.paths:
            return [path]
    last = re.split(r"[)}]/*", word)[-1].removeprefix("./")
    if "$" in last or ("VPATH" not in variables.assigned and last == word):
        return []
    found = [one for one in tree.paths.ending(last) if is_below(one, home)]
    return found if len(found) == 1 else []


def _filled(variables: Variables, word: str) -> str:
    """A word with the variables in it that hold one word: `$(NAME).cpp`."""

    def held(match: re.Match[str]) -> str:
        known = makefile_variables.values(variables, match[1])
        text = known.pop().decode("utf-8", "replace") if len(known) == 1 else ""
        return text if text and "$" not in text and len(text.split()) == 1 else match[0]

    return re.sub(r"\$[({]([\w.-]+)[)}]", held, word)


def _has_options(tree: HipReaders, variables: Variables, file: Makefile, span: Span) -> bool:
    """Whether a command gets what HIP's headers need: from what it says, or from what a fix makes of that."""
    places = _reached(variables, file, span)
    return any(ENOUGH.search(other.text(place)) or _gets(tree, other.path, place) for other, place in places) or any(
        _is_configured(tree, name) for name in _substituted(variables, places)
    )


def _reached(variables: Variables, file: Makefile, span: Span) -> list[tuple[Makefile, Span]]:
    """A command's text, and the values of the variables in it and in these."""
    places = [(file, span)]
    names = set(makefile_variables.references(file, span))
    queue = sorted(names)
    for name in queue:
        for other, line in variables.given(name):
            places.append((other, line.value))
            more = sorted(set(makefile_variables.references(other, line.value)) - names)
            names.update(more)
            queue += more
    return places


def _is_configured(tree: HipReaders, name: bytes) -> bool:
    """Whether a configure script of the tree sets a variable to options with include folders."""
    scripts = [path for path in tree.results if posixpath.basename(path) in _CONFIGURE]
    pattern = re.compile(_GIVEN % re.escape(name))
    return any((source := tree.read(path)) is not None and pattern.search(source.data) for path in scripts)


def _substituted(variables: Variables, places: Sequence[tuple[Makefile, Span]]) -> Iterator[bytes]:
    """The variables in some texts that a configure script gives: `@NAME@`, and for automake all that are not set."""
    for file, place in places:
        yield from _SUBSTITUTED.findall(file.text(place))
        if file.path.endswith(".am"):
            names = makefile_variables.references(file, place)
            yield from (name.encode() for name in names if name not in variables.assigned)


def _gets(tree: HipReaders, path: str, place: Span) -> bool:
    """Whether a fix writes the macro of the platform there."""
    result = tree.results.get(path)
    return result is not None and any(
        PLATFORM in edit.replacement and place.start <= edit.span.start <= place.end
        for finding in result.findings
        if finding.fix is not None
        for edit in finding.fix.edits
    )
