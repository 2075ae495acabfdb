"""CUDA names that a macro only makes a text of: `#define NAME(x) #x` makes "cudaFree" of `NAME(cudaFree)`.

Such a name is no use of the function. What reads the text is not seen: the name stays, and is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE = "build/name-as-text"
_MACRO = re.compile(rb"\s*(?P<name>[A-Za-z_]\w*)(?:\((?P<parameters>[^()]*)\))?(?P<body>.*)", re.DOTALL)
_QUOTED = re.compile(rb"(?<!#)#\s*([A-Za-z_]\w*)")
_MAY_QUOTE = re.compile(rb"(?:[^\s#]|\\\r?\n)[ \t]{0,99}#[ \t]{0,9}[A-Za-z_]")
"""The operator, as far as bytes show it: what is before it on its line makes it no directive."""
_GIVEN = re.compile(rb"\b([A-Za-z_]\w*)\s*\(\s*([A-Za-z_]\w*)\s*\)")
"""A macro that gets one word: `STR_(x)`."""
_ONE = frozenset((0,))
"""The places of a macro's arguments that become text, where it has one."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_Definition = tuple[bytes, tuple[bytes, ...], bytes]
"""The name of a macro, its parameters, and its body."""


def with_quoted_names(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results; a name that is only made a text of has a finding of its own in place of its new name."""
    rule = book.rules.get(RULE)
    files = [one.path for one in results if one.language in ("cuda", "cxx") and one.skip is None]
    quoting = [path for path in files if asked(read, path, _quotes)] if rule is not None and not rule.silent else []
    if rule is None or not quoting:
        return list(results)
    defined: dict[bytes, list[_Definition]] = {}
    for path in files:
        for one in asked(read, path, _definitions) or ():
            defined.setdefault(one[0], []).append(one)
    macros = _only_quoting(defined)
    return [_with_texts(one, macros, rule, read) if macros and _renamed(one) else one for one in results]


def _quotes(source: SourceFile) -> bool:
    return _MAY_QUOTE.search(source.data) is not None and any(
        _QUOTED.search(body) is not None for _, _, body in _definitions(source)
    )


def _definitions(source: SourceFile) -> tuple[_Definition, ...]:
    """The macros of a file that have parameters."""
    if b"#" not in source.data or b"define" not in source.data:
        return ()
    found = []
    for directive in lexed(source).directives:
        match = _MACRO.match(source.data[directive.rest : directive.end]) if directive.name == "define" else None
        if match is not None and match["parameters"]:
            parameters = tuple(one.strip() for one in match["parameters"].split(b","))
            found.append((match["name"], parameters, match["body"].strip()))
    return tuple(found)


def _only_quoting(defined: Mapping[bytes, Sequence[_Definition]]) -> dict[bytes, frozenset[int]]:
    """By name: which arguments become text and nothing else, by all definitions of the tree."""
    known: dict[bytes, frozenset[int]] = {}
    grown = True
    while grown:
        grown = False
        for name, alike in defined.items():
            if name not in known and (places := frozenset.intersection(*(_texts(one, known) for one in alike))):
                known[name], grown = places, True
    return known


def _texts(definition: _Definition, known: Mapping[bytes, frozenset[int]]) -> frozenset[int]:
    """The parameters that a macro makes a text of, itself or by a macro that does, and has nowhere else."""
    _, parameters, body = definition
    quoted = set(_QUOTED.findall(body))
    quoted |= {word for outer, word in _GIVEN.findall(body) if known.get(outer) == _ONE}
    if quoted.isdisjoint(parameters):
        return frozenset()
    rest = _GIVEN.sub(lambda match: b" " if known.get(match[1]) == _ONE else match[0], _QUOTED.sub(b" ", body))
    return frozenset(at for at, one in enumerate(parameters) if one in quoted.difference(_WORD.findall(rest)))


def _renamed(result: FileResult) -> list[Finding]:
    """The findings that give a single word another name."""
    return [one for one in result.findings if one.fix is not None and len(one.fix.edits) == 1 and one.name]


def _with_texts(result: FileResult, macros: Mapping[bytes, frozenset[int]], rule: Rule, read: Read) -> FileResult:
    source = read(result.path)
    if source is None or not any(name in source.data for name in macros):
        return result
    texts = dict(_arguments(source, macros))
    kept, changed = [], False
    for one in result.findings:
        macro = texts.get(one.span) if one.fix is not None else None
        if macro is None:
            kept.append(one)
            continue
        name = source.data[one.span.start : one.span.end].decode("latin-1")
        use = Use("name", name, one.span, one.span, (), "unknown", "token")
        words = {"macro": macro.decode("latin-1"), "name": name}
        kept.append(engine.finding(source, Hit(RULE, use, words), rule))
        changed = True
    return replace(result, findings=tuple(engine.in_order(kept))) if changed else result


def _arguments(source: SourceFile, macros: Mapping[bytes, frozenset[int]]) -> Iterator[tuple[Span, bytes]]:
    """The single words that a file gives such macros, outside other macros, and the macro of each."""
    tokens = lexed(source)
    for start in tokens.words(frozenset(macros)):
        name = tokens.token(start)
        opening = tokens.after(name) if name is not None and tokens.directive_at(start) is None else None
        closing = tokens.closing(opening.start) if opening is not None and tokens.text(opening) == b"(" else -1
        if name is None or opening is None or closing < 0:
            continue
        for at, (begin, end) in enumerate(tokens.arguments(opening.start, closing)):
            text = source.data[begin:end]
            word = Span(begin + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip()))
            if at in macros[tokens.text(name)] and _WORD.fullmatch(source.data, word.start, word.end):
                yield word, tokens.text(name)
