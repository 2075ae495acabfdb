"""Uses of macros that paste their arguments: the CUDA name that one makes is nowhere in the text.

`#define TYPE(x) x##_t` makes `cudaStream_t` of `TYPE(cudaStream)`, which no conversion of names sees; and where a use
makes `cudaMalloc_orig`, which the code also spells out, a conversion of the argument alone parts the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Step, Use
from cudamigrate.pipeline.own_names import UNKNOWN, Read
from cudamigrate.pipeline.read_again import asked, lexed
from cudamigrate.rulebase.code_rules import Rulebook

MADE, ALIKE, PARTED = "build/pasted-use", "build/pasted-piece", "build/pasted-beside"
_IN_MACROS = ("warp/pasted-name", "warp/pasted-call")
_MACRO = re.compile(rb"\s*(?P<name>[A-Za-z_]\w*)\((?P<parameters>[^()]*)\)(?P<body>.*)", re.DOTALL)
_PASTED = re.compile(rb"(?<![\w\"])\w+(?:\s*##\s*\w+)+")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_CALL = re.compile(rb"(?<!\w)(?P<name>[A-Za-z_]\w*)\s*\((?P<given>[^()]*)\)")


class Macro(NamedTuple):
    """A macro that makes names of its arguments: of each the pieces; `alone` has parameters that are also elsewhere.

    `starts` has where each of the names begins that it makes.
    """

    parameters: tuple[bytes, ...]
    pasted: tuple[tuple[bytes, ...], ...]
    alone: frozenset[bytes]
    path: str
    line: int
    starts: tuple[int, ...]


class List(NamedTuple):
    """A macro that calls its parameter of some number: the arguments of each call."""

    number: int
    calls: tuple[tuple[Span, ...], ...]


class _Made(NamedTuple):
    """A name that a use of a macro makes, and where the words are that it is given, by the number of the piece.

    `start` is where the macro makes it.
    """

    path: str
    macro: bytes
    how: Macro
    pieces: tuple[bytes, ...]
    places: Mapping[int, Span]
    start: int

    @property
    def name(self) -> bytes:
        """The whole name."""
        return b"".join(self.pieces)


def with_pasted_uses(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results with what is made of arguments; a finding on the argument itself goes with its fix where one is."""
    files = [one.path for one in results if one.language in ("cuda", "cxx") and one.skip is None]
    macros: dict[bytes, list[Macro]] = {}
    for path in files:
        for name, macro in asked(read, path, _macros) or ():
            macros.setdefault(name, []).append(macro)
    made = [one for path in files for one in _uses(path, macros, read)] if macros else []
    named = [one.path for one in results if one.cuda and one.skip is None]  # only names of CUDA's matter in a list
    made += _listed(files, named, macros, read) if macros else []
    answered = _answered(results) if made else {}
    made = [one for one in made if not any(one.start in span for span in answered.get(one.how.path, ()))]
    spelled = _spelled(made, book, files, read)
    found: dict[str, list[Finding]] = {}
    for one in made:
        source, hit = read(one.path), _finding(one, book, spelled)
        if source is not None and hit is not None:
            found.setdefault(one.path, []).append(_of_source(source, one, *hit))
    names = frozenset(one.name.decode("latin-1") for one in made)
    return [_with_more(_without_made(one, names), found.get(one.path, [])) for one in results]


def _without_made(result: FileResult, names: Set[str]) -> FileResult:
    """The result without findings on names that no release of CUDA has, where a macro of the project's makes them."""
    left = tuple(one for one in result.findings if one.rule != UNKNOWN or one.name not in names)
    return result if len(left) == len(result.findings) else replace(result, findings=left)


def _answered(results: Sequence[FileResult]) -> dict[str, list[range]]:
    """Where macros make the names of lane calls, which findings in the macros answer for all uses."""
    found: dict[str, list[range]] = {}
    for result in results:
        for one in result.findings:
            if one.rule in _IN_MACROS:
                found.setdefault(result.path, []).append(range(one.span.start, one.span.end))
    return found


def _macros(source: SourceFile) -> list[tuple[bytes, Macro]]:
    """The macros of a file that paste a parameter to something."""
    found = []
    defines = (one for one in lexed(source).directives if one.name == "define") if b"##" in source.data else ()
    for directive in defines:
        match = _MACRO.match(source.data[directive.rest : directive.end])
        if match is None or b"##" not in match["body"]:
            continue
        parameters = tuple(one.strip() for one in match["parameters"].split(b","))
        parts = [(one.start(), one[0]) for one in _PASTED.finditer(match["body"])]
        names = [(at, tuple(piece.strip() for piece in one.split(b"##"))) for at, one in parts]
        names = [(at, one) for at, one in names if not set(one).isdisjoint(parameters)]
        pasted, begun = tuple(one for _, one in names), directive.rest + match.start("body")
        alone = set(_WORD.findall(_PASTED.sub(b" ", match["body"]))) | _repeated(pasted)
        line = source.position(directive.start).line
        if pasted:
            starts = tuple(begun + at for at, _ in names)
            found.append((match["name"], Macro(parameters, pasted, frozenset(alone), source.path, line, starts)))
    return found


def _repeated(pasted: Sequence[tuple[bytes, ...]]) -> set[bytes]:
    """The words that are pieces more than once."""
    every = [piece for one in pasted for piece in one]
    return {piece for piece in every if every.count(piece) > 1}


def _uses(path: str, macros: Mapping[bytes, Sequence[Macro]], read: Read) -> Iterator[_Made]:
    """The names that uses of macros in a file make of single words."""
    source = read(path)
    if source is None or not any(name in source.data for name in macros):
        return
    tokens = lexed(source)
    for start in tokens.words(frozenset(macros)):
        name = tokens.token(start)
        opening = tokens.after(name) if name is not None and tokens.directive_at(start) is None else None
        closing = tokens.closing(opening.start) if opening is not None and tokens.text(opening) == b"(" else -1
        if name is None or opening is None or closing < 0:
            continue
        given = [_trimmed(source.data, *one) for one in tokens.arguments(opening.start, closing)]
        for macro in macros[tokens.text(name)]:
            yield from _made(source, tokens.text(name), macro, given)


def _listed(
    files: Sequence[str], named: Sequence[str], macros: Mapping[bytes, Sequence[Macro]], read: Read
) -> list[_Made]:
    """The names that such macros make where a list calls them by its parameter: `#define ALL(X) X(cuInit) X(cuGo)`."""
    lists: dict[bytes, list[tuple[str, List]]] = {}
    for path in named:
        for name, one in asked(read, path, _lists) or ():
            lists.setdefault(name, []).append((path, one))
    found = dict[tuple[str, int, bytes], list[_Made]]()
    for path in files if lists else ():
        for name, given in _given_macros(path, frozenset(lists), macros, read):
            for home, one in lists[name]:
                source = read(home) if one.number < len(given) else None
                macro = given[one.number] if source is not None else b""
                for call in one.calls if source is not None and macro in macros else ():
                    key = (home, call[0].start, macro)
                    if key not in found and source is not None:
                        found[key] = [made for how in macros[macro] for made in _made(source, macro, how, call)]
    return [made for every in found.values() for made in every]


def _lists(source: SourceFile) -> list[tuple[bytes, List]]:
    """The macros of a file that call one of their parameters."""
    found = []
    for directive in lexed(source).directives:
        match = _MACRO.match(source.data[directive.rest : directive.end]) if directive.name == "define" else None
        if match is None or b"(" not in match["body"]:
            continue
        begun, calls = directive.rest + match.start("body"), dict[bytes, list[tuple[Span, ...]]]()
        for one in _CALL.finditer(match["body"]):
            calls.setdefault(one["name"], []).append(_parted(source.data, begun, one))
        for number, parameter in enumerate(match["parameters"].split(b",")):
            if parameter.strip() in calls:
                found.append((match["name"], List(number, tuple(calls[parameter.strip()]))))
    return found


def _parted(data: bytes, begun: int, call: re.Match[bytes]) -> tuple[Span, ...]:
    """The arguments of a call in the body of a macro."""
    at, spans = begun + call.start("given"), list[Span]()
    for one in call["given"].split(b","):
        spans.append(_trimmed(data, at, at + len(one)))
        at += len(one) + 1
    return tuple(spans)


def _given_macros(
    path: str, names: frozenset[bytes], macros: Mapping[bytes, Sequence[Macro]], read: Read
) -> Iterator[tuple[bytes, list[bytes]]]:
    """The uses of lists in a file that are given such a macro, with all that they are given."""
    source = read(path)
    if source is None or not any(one in source.data for one in macros):
        return
    tokens = lexed(source)
    for start in tokens.words(names):
        name = tokens.token(start)
        opening = tokens.after(name) if name is not None and tokens.directive_at(start) is None else None
        closing = tokens.closing(opening.start) if opening is not None and tokens.text(opening) == b"(" else -1
        if name is not None and opening is not None and closing > 0:
            given = [source.data[a:b].strip() for a, b in tokens.arguments(opening.start, closing)]
            yield tokens.text(name), given


def _trimmed(data: bytes, start: int, end: int) -> Span:
    text = data[start:end]
    return Span(start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip()))


def _made(source: SourceFile, name: bytes, macro: Macro, given: Sequence[Span]) -> Iterator[_Made]:
    open_ended = macro.parameters[-1].endswith(b"...")  # what it stands for is several arguments, or none
    named = macro.parameters[:-1] if open_ended else macro.parameters
    if len(given) != len(named) and not (open_ended and len(given) > len(named)):
        return
    spans = dict(zip(named, given, strict=False))
    for start, pasted in zip(macro.starts, macro.pasted, strict=True):
        places = {at: spans[piece] for at, piece in enumerate(pasted) if piece in spans}
        pieces = tuple(
            source.data[places[at].start : places[at].end] if at in places else piece for at, piece in enumerate(pasted)
        )
        if all(re.fullmatch(rb"\w+", piece) for piece in pieces):
            yield _Made(source.path, name, macro, pieces, places, start)


def _spelled(made: Sequence[_Made], book: Rulebook, files: Sequence[str], read: Read) -> dict[bytes, Step]:
    """Where the code spells out names that macros also make of words with rules of their own."""
    sought = frozenset(one.name for one in made if _given_name(one, book) is not None)
    found: dict[bytes, Step] = {}
    for path in files if sought else ():
        source = read(path)
        for start in lexed(source).words(sought) if source is not None else ():
            if source is not None and (name := lexed(source).token(start)) is not None:
                text = lexed(source).text(name)
                line = source.position(start).line
                found.setdefault(text, Step(path, line, f"`{text.decode()}` is spelled out here"))
    return found


def _given_name(made: _Made, book: Rulebook) -> tuple[int, Rule] | None:
    """The piece that is a name of CUDA's with another one in HIP, where the whole is no name of CUDA's."""
    if made.name.decode("latin-1") in book.names:
        return None
    for at in made.places:
        rule = book.names.get(made.pieces[at].decode("latin-1"))
        if rule is not None and rule.change.kind == "rename" and rule.safety == "safe":
            return at, rule
    return None


def _finding(
    made: _Made, book: Rulebook, spelled: Mapping[bytes, Step]
) -> tuple[Rule, Span, dict[str, str], tuple[Step, ...], Edit | None] | None:
    """The rule for a use, its place and words, where else the name is, and what changes."""
    words = {"macro": made.macro.decode(), "name": made.name.decode("latin-1")}
    where = Step(made.how.path, made.how.line, f"`{words['macro']}` pastes here")
    whole, beside = book.names.get(words["name"]), _given_name(made, book)
    if whole is not None and not whole.silent and not _is_seen(made):
        edit = _edit(made, whole)
        rule = book.rules.get(MADE if edit is None else ALIKE)
        place = edit.span if edit is not None else next(iter(made.places.values()))
        words["hip"] = whole.change.text[0] if whole.change.kind == "rename" else ""
        return None if rule is None or rule.silent else (rule, place, words, (where,), edit)
    if beside is None or made.name not in spelled:
        return None
    rule, step = book.rules.get(PARTED), spelled[made.name]
    words |= {"line": str(step.line), "path": step.path}
    place = made.places[beside[0]]
    return None if rule is None or rule.silent else (rule, place, words, (where, step), None)


def _is_seen(made: _Made) -> bool:
    """Whether the macro's own prefix has a finding that answers for all its uses: `cuda##name`."""
    return len(made.pieces) == 2 and 0 not in made.places


def _edit(made: _Made, rule: Rule) -> Edit | None:
    """What makes HIP's name of one of the words given, which nothing else of the macro reads."""
    if rule.change.kind != "rename" or rule.safety != "safe":
        return None
    new = rule.change.text[0].encode()
    for at, place in made.places.items():
        before, behind = (b"".join(part) for part in (made.pieces[:at], made.pieces[at + 1 :]))
        middle = new[len(before) : len(new) - len(behind)]
        is_whole = new == before + middle + behind and _WORD.fullmatch(middle) is not None
        if is_whole and not made.how.alone & _parameters(made, place):
            return Edit(place, middle)
    return None


def _parameters(made: _Made, place: Span) -> set[bytes]:
    """The parameters that have the word at a place."""
    return {
        pasted[at]
        for pasted in made.how.pasted
        for at, piece in enumerate(pasted)
        if made.places.get(at) == place and piece in made.how.parameters
    }


def _of_source(
    source: SourceFile,
    made: _Made,
    rule: Rule,
    place: Span,
    words: dict[str, str],
    trace: tuple[Step, ...],
    edit: Edit | None,
) -> Finding:
    use = Use("paste", " ## ".join(one.decode("latin-1") for one in made.pieces), place, place, (), "macro", "token")
    found = engine.finding(source, Hit(rule.id, use, words, trace), rule)
    return found if edit is None else replace(found, fix=Fix((edit,), "safe"))


def _with_more(result: FileResult, found: Sequence[Finding]) -> FileResult:
    """The result with such findings, each once, in place of those on the words themselves."""
    if not found:
        return result  # its own are not even read
    first = {(one.span, one.rule): one for one in reversed(found)}
    spans = {one.span for one in first.values()}
    kept = [one for one in result.findings if one.span not in spans]
    return replace(result, findings=tuple(engine.in_order([*kept, *first.values()])))
