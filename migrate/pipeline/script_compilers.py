"""Commands of shell scripts by which the host's compiler reads HIP's headers, as of Makefiles in `host_compilers`.

A command names its sources, from the script's folder or from the repository's root. What its variables are set to in
the script counts as written in it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.host_assembly import HOST_SOURCES
from cudamigrate.pipeline.host_compilers import ENOUGH, PLATFORM, RULE, STRICT, UNREAD
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import shell

_COMPILER = re.compile(r"(?:[\w.]+-)*(?:g\+\+|gcc|clang\+\+|clang|c\+\+|cc|icpx|icpc)(?:-\d[\d.]*)?")
"""A compiler of the host, with target and version: `x86_64-linux-gnu-g++-12`."""
_VARIABLE = re.compile(r"\$\{?(\w+)")
_DEFAULT = re.compile(r"\A\$\{\w+:?-([^{}]+)\}\Z")
"""What a variable holds where nobody sets it: `${CXX:-g++}`."""


def with_script_compilers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each command of a shell script that lacks what HIP's headers need."""
    rule = book.rules.get(RULE)
    scripts = [one.path for one in results if one.language == "shell" and one.skip is None]
    if rule is None or rule.silent or not scripts:
        return list(results)
    tree = HipReaders({one.path: one for one in results if one.skip is None}, read)
    if not tree.with_header:
        return list(results)
    sources = {path: source for path in scripts if (source := read(path)) is not None}
    made = {path: list(_findings(tree, source, rule)) for path, source in sources.items()}
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _findings(tree: HipReaders, source: SourceFile, rule: Rule) -> Iterator[Finding]:
    """What one script lacks, with the fix of each command."""
    if not any(suffix.encode() in source.data for suffix in HOST_SOURCES):
        return
    script = shell.read(source.data, Span(0, len(source.data)))
    values = dict[str, list[str]]()
    for one in script.assignments:
        text = source.data[one.extent.start : one.extent.end].decode("utf-8", "replace")
        values.setdefault(one.name, []).append(text.partition("=")[2])
    for command in script.commands:
        texts = [source.data[one.span.start : one.span.end].decode("utf-8", "replace") for one in command.words]
        if not texts or not _is_compiler(texts[0], values):
            continue
        whole = " ".join(_written(texts, values)).encode()
        if ENOUGH.search(whole):
            continue
        named = (path for word in whole.decode("utf-8", "replace").split() for path in _named(tree, source, word))
        lacking = [path for path in dict.fromkeys(named) if tree.reads_header(path, source.data)]
        if lacking:
            yield _lacks(source, rule, command.words[0].span, lacking, whole)


def _lacks(source: SourceFile, rule: Rule, compiler: Span, lacking: Sequence[str], whole: bytes) -> Finding:
    more = f" and {len(lacking) - 1} other file{'s' if len(lacking) > 2 else ''}" if len(lacking) > 1 else ""
    use = Use("name", "host compiler", compiler, compiler, certainty="syntax")
    words = {"source": posixpath.basename(lacking[0]), "more": more}
    made = engine.finding(source, Hit(RULE, use, words), rule)
    at = compiler.end + (source.data[compiler.end : compiler.end + 1] in (b'"', b"'"))
    options = b" " + PLATFORM + b" -I/opt/rocm/include" + (UNREAD if STRICT.search(whole) else b"")
    return replace(made, fix=Fix((Edit(Span(at, at), options),), rule.safety))


def _written(words: Sequence[str], values: dict[str, list[str]]) -> list[str]:
    """Words, and what the script sets the variables in them to, each variable once."""
    found, asked = list(words), set[str]()
    for word in found:  # grows by what is added
        for name in _VARIABLE.findall(word):
            if name not in asked:
                asked.add(name)
                found += values.get(name, ())
    return found


def _is_compiler(word: str, values: dict[str, list[str]]) -> bool:
    """Whether the first word of a command calls a compiler of the host: itself, or a variable that holds just that."""
    name = _VARIABLE.match(word)
    held = values.get(name[1], []) if name is not None else [word]
    held = [_DEFAULT.sub(r"\1", one.strip("\"'")) for one in held]
    return bool(held) and all(_COMPILER.fullmatch(one.rpartition("/")[2]) for one in held)


def _named(tree: HipReaders, source: SourceFile, word: str) -> Iterator[str]:
    """The source of the tree that a word names."""
    text = word.strip("\"'()")
    if text.endswith(HOST_SOURCES):
        places = (posixpath.normpath(posixpath.join(home, text)) for home in (posixpath.dirname(source.path), ""))
        yield from [path for path in places if path in tree.results][:1]
