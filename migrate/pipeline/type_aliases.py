"""Types of CUDA's under names of the project's own, which another file may declare: `using status_t = CUresult;`.

What is asked of such a name is asked of CUDA's type: an enumerator in its scope (`kind::CU_FUNC_ATTRIBUTE_NUM_REGS`),
overloads for two types that are one in HIP, and casts of pointers to const to an address in device memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

from cudamigrate.analysis import device_pointers
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.scopes import Structure
from cudamigrate.cuda.words import among, whole_words
from cudamigrate.detection import engine, merged_names
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Hit, Span
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook

_LANGUAGES = ("cuda", "cxx")
_USING = re.compile(r"\busing\s+(?P<alias>\w+)\s*=\s*(?:::\s*)?(?:enum\s+)?(?P<type>\w+)\s*;")
_TYPEDEF = re.compile(r"\btypedef\s+(?:enum\s+)?(?:::\s*)?(?P<type>\w+)\s+(?P<alias>\w+)\s*;")
_SCOPES = re.compile(rb"(?<![\w:.])(?:::\s*)?(?:\w+\s*::\s*)*\Z")
"""The scopes before a name, as far as they are spelled: `lib::detail::`."""
_FAR = 400
"""Bytes before a name in which its scopes are looked for."""
_GIVEN = re.compile(rb"\s*=")
_OWN = re.compile(rb"\s*::\s*(\w+)?|\s*(?:/[/*]|\\)")
"""What is asked of a type by its name; or a comment or a line that goes on, which may be before it."""


@dataclass(frozen=True)
class _Aliases:
    """Names of the project's by their whole path, each with CUDA's type; empty where it is none, or one of two."""

    types: Mapping[str, str]

    @cached_property
    def _spelled(self) -> Mapping[bytes, Sequence[str]]:
        """The whole paths of those that have a type, by their last part."""
        found: dict[bytes, list[str]] = {}
        for path in (one for one, named in self.types.items() if named):
            found.setdefault(path.rpartition("::")[2].encode(), []).append(path)
        return found

    def places(self, data: bytes) -> dict[Span, set[str]]:
        """Where a text may name one that has a type, with the scopes before it, and gives it no meaning; the types."""
        found = [(at, name) for name in among(data, self._spelled.keys()) for at in whole_words(data, name)]
        places: dict[Span, set[str]] = {}
        for at, name in sorted(found):
            scopes, end = _SCOPES.search(data, max(0, at - _FAR), at), at + len(name)
            if scopes is None or _GIVEN.match(data, end) is not None:
                continue
            path = _path(data, span := Span(scopes.start(), end)).removeprefix("::")
            if meant := {self.types[one] for one in self._spelled[name] if f"::{one}".endswith(f"::{path}")}:
                places[span] = meant
        return places

    def named(self, path: str, around: str) -> str:
        """The type that a path names in a scope; empty where it names none of CUDA's."""
        scopes = around.split("::") if around and not path.startswith("::") else []
        for depth in range(len(scopes), -1, -1):
            full = "::".join((*scopes[:depth], path.removeprefix("::")))
            if full in self.types:
                return self.types[full]
        return ""


def _path(data: bytes, span: Span) -> str:
    """A name with its scopes, without blanks."""
    return "".join(data[span.start : span.end].decode("latin-1").split())


def with_type_aliases(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with what such names hide."""
    aliases = _aliases(results, read)
    if not any(aliases.types.values()):
        return list(results)  # most trees: no file is read for it
    return [engine.with_more(one, _found(one, aliases, book, read)) for one in results]


def _aliases(results: Sequence[FileResult], read: Read) -> _Aliases:
    """What the files declare, as the findings on CUDA's types show it, and what else they call so."""
    known: dict[str, set[str]] = {}
    for finding in (one for each in results for one in each.findings):
        line = finding.excerpt
        if "using" in line or "typedef" in line:
            for match in (*_USING.finditer(line), *_TYPEDEF.finditer(line)):
                if match["type"] == finding.name:
                    known.setdefault("::".join(filter(None, (finding.enclosing, match["alias"]))), set()).add(
                        finding.name
                    )
    if not known:
        return _Aliases({})
    last = frozenset(path.rpartition("::")[2].encode() for path in known)
    names = b"|".join(sorted(last))
    other = re.compile(
        rb"\busing\s+(?P<alias>" + names + rb")\s*=(?P<type>[^;]*);"
        rb"|\btypedef\s+(?P<old>[^;{}]*?)\b(?P<new>" + names + rb")\s*;"
        rb"|\busing\s+[\w:\s]*::\s*(?P<brought>" + names + rb")\s*;"
        rb"|\b(?:struct|class|union|enum|typename)\s+(?:class\s+|struct\s+)?(?P<own>" + names + rb")\b"
    )
    for result in results:
        source = read(result.path) if result.language in _LANGUAGES and result.skip is None else None
        if source is None or not among(source.data, last) or not other.search(source.data):
            continue
        parsed = cuda.parse(replace(source, language="cuda"), frozenset())
        structure = Structure(parsed.lexed, parsed.tree.root_node)
        for own in parsed.lexed.matches(other):
            name = own["alias"] or own["new"] or own["brought"] or own["own"]
            path = "::".join(filter(None, (structure.enclosing(own.start()), name.decode())))
            kind = (own["type"] or own["old"] or b"").replace(b"::", b" ").split()
            kind = kind[1:] if kind[:1] == [b"enum"] else kind
            is_known = len(kind) == 1 and kind[0].decode("latin-1") in known.get(path, ())
            known.setdefault(path, set()).update(() if is_known else ("",))
    return _Aliases({path: next(iter(types)) if len(types) == 1 else "" for path, types in known.items()})


def _found(result: FileResult, aliases: _Aliases, book: Rulebook, read: Read) -> list[Finding]:
    """What is found in one file beside its findings."""
    source = read(result.path) if result.language in _LANGUAGES and result.skip is None else None
    places = aliases.places(source.data) if source is not None else {}
    if source is None or not _may_hide(source.data, places, result, book):
        return []
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    if parsed.problems:
        return []
    structure = Structure(parsed.lexed, parsed.tree.root_node)
    types: list[tuple[Span, str]] = []
    for span in places:
        path = _path(parsed.data, span)
        named = aliases.named(path, structure.enclosing(span.start)) if parsed.lexed.is_code(span.start) else ""
        if named and parsed.hip(span.start) is None:
            types.append((span, named))
    made = [*_enumerators(parsed, types, book), *_casts(parsed, types, book), *_merged(parsed, result, types, book)]
    known = {(one.rule, one.span) for one in result.findings}
    return [one for one in made if (one.rule, one.span) not in known]


def _may_hide(data: bytes, places: Mapping[Span, Set[str]], result: FileResult, book: Rulebook) -> bool:
    """Whether anything may come of places that name types: a look at the text, before the file is parsed for it."""
    meant = frozenset[str]().union(*places.values())
    if device_pointers.TYPE in meant:
        return True
    asked = (_OWN.match(data, span.end) for span in places)
    if any(one is not None and (one[1] is None or one[1].decode("latin-1") in book.names) for one in asked):
        return True
    return not _written(meant, book).isdisjoint(_replacements(result))


def _written(types: Iterable[str], book: Rulebook) -> frozenset[bytes]:
    """What HIP calls types that have another name there."""
    rules = (book.names.get(one) for one in types)
    return frozenset(one.change.text[0].encode() for one in rules if one is not None and one.change.kind == "rename")


def _replacements(result: FileResult) -> Iterator[bytes]:
    """What the fixes of a file write."""
    return (edit.replacement for one in result.findings if one.fix is not None for edit in one.fix.edits)


def _enumerators(parsed: ParsedFile, types: Sequence[tuple[Span, str]], book: Rulebook) -> Iterator[Finding]:
    """CUDA's enumerators that are asked of the name of their enumeration."""
    for span, _ in types:
        colons = parsed.lexed.after(parsed.lexed.before(span.end))
        name = parsed.lexed.after(colons) if colons is not None and parsed.lexed.text(colons) == b"::" else None
        rule = book.names.get(parsed.lexed.text(name).decode("latin-1")) if name is not None else None
        if name is None or rule is None or rule.silent:
            continue
        use = parsed.named_use(parsed.lexed.text(name).decode("latin-1"), Span(name.start, name.end))
        yield engine.finding_in(parsed, Hit(rule.id, use), rule)


def _casts(parsed: ParsedFile, types: Sequence[tuple[Span, str]], book: Rulebook) -> Iterator[Finding]:
    """Casts of pointers to const to an address in device memory."""
    rule = book.rules.get(device_pointers.CAST)
    for span, named in types:
        hit = device_pointers.cast(parsed, span) if named == device_pointers.TYPE and rule is not None else None
        if hit is not None and rule is not None and not rule.silent:
            yield engine.finding_in(parsed, hit, rule)


def _merged(
    parsed: ParsedFile, result: FileResult, types: Sequence[tuple[Span, str]], book: Rulebook
) -> Iterator[Finding]:
    """Definitions for CUDA's types that are one type in HIP."""
    edits = [Edit(span, text) for span, named in types for text in _written((named,), book)]
    written = {edit.replacement for edit in edits}
    if not written.isdisjoint(_replacements(result)):
        merged = merged_names.added(parsed, result.findings, book, edits)
        yield from (one for one in merged if one.rule in (merged_names.DEFINITION, merged_names.CASE))
