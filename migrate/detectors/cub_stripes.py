"""What CUB arranges by warps of 32 lanes, and hipCUB by the wave of the GPU, without an argument to say otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.rulebase.architectures import any_wide
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.library_names import names, qualified
from cudamigrate.warp.sources import Library, libraries
from cudamigrate.warp.tree_queries import CLASSES, plain_name

WORDS = (b"WarpStriped", b"_WARP_TRANSPOSE")

_NAME = re.compile(rb"\b(?:Load|Store)DirectWarpStriped\b")
_CLASS = re.compile(rb"\bBlock(?:Load|Store)(?=\s*<)")
_TYPES = tree_sitter_nodes.Kinds("cuda", *CLASSES)
_MEMBERS = tree_sitter_nodes.Kinds("cuda", "field_identifier", parts=True)
_WAVE, _FARTHEST = 64, 2000


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Stripes by the wave, and blocks that no full waves make up; only for GPUs with waves of 64 lanes."""
    if not any_wide(parsed.target.arch):
        return
    library = libraries()["CUB"]
    functions = library.stripes.get("functions", ())
    owners, bare = names(parsed, (*functions, *library.whole_waves))
    for match in parsed.lexed.matches(_NAME):
        start = qualified(parsed, match.start(), owners, bare, match[0])
        if match[0].decode() in functions and start >= 0 and parsed.hip(start) is None:
            yield _striped(parsed, match[0].decode(), Span(start, match.end()))
    if _speaks_of(parsed, library, owners, bare):
        yield from _exchanges(parsed, frozenset(name.encode() for name in library.stripes.get("members", ())))
    for match in parsed.lexed.matches(_CLASS):
        start = qualified(parsed, match.start(), owners, bare, match[0])
        places = library.whole_waves.get(match[0].decode())
        if places is not None and start >= 0 and parsed.hip(start) is None:
            yield from _transposed(parsed, start, match, places, library.stripes.get("algorithms", ()))


def _striped(parsed: ParsedFile, name: str, span: Span) -> Hit:
    use = Use("name", name, span, span, (), parsed.scope(span.start), parsed.certainty(span.start))
    return Hit("library/cub-wave-stripes", use, {"name": name})


def _speaks_of(parsed: ParsedFile, library: Library, owners: set[bytes], bare: set[bytes]) -> bool:
    """Whether a file includes a header of CUB's or names its namespace."""
    if bare or any(include.path.startswith((*library.headers, "hipcub/")) for include in parsed.includes):
        return True
    spaced = re.compile(rb"\b(?:" + b"|".join(sorted(map(re.escape, owners))) + rb")\s*::")
    return any(True for _ in parsed.lexed.matches(spaced))


def _exchanges(parsed: ParsedFile, members: frozenset[bytes]) -> Iterator[Hit]:
    """Calls of members, where no class of the file has one of the name."""
    root = parsed.tree.root_node
    own = {text(one) for each in _TYPES.below(root) for one in _MEMBERS.below(each) if _is_declared(one)}
    for call in CALLS.below(root):
        function = call.child_by_field_name("function")
        name = plain_name(function)
        if function is None or function.type != "field_expression" or name not in members - own:
            continue
        field = function.child_by_field_name("field")
        if field is not None and parsed.hip(field.start_byte) is None:
            yield _striped(parsed, name.decode(), Span(field.start_byte, field.end_byte))


def _is_declared(name: Node) -> bool:
    return name.parent is not None and name.parent.type.endswith("declarator")


def _transposed(
    parsed: ParsedFile, start: int, match: re.Match[bytes], places: tuple[int, ...], algorithms: tuple[str, ...]
) -> Iterator[Hit]:
    """A class with such an algorithm whose number of threads is known and no multiple of the wave."""
    opening = parsed.data.index(b"<", match.end())
    closing = parsed.lexed.angle_closing(opening, min(len(parsed.data), opening + _FARTHEST))
    args = (
        [parsed.data[one.start : one.end].strip() for one in parsed.arguments(opening, closing)] if closing > 0 else []
    )
    chosen = {one.rpartition(b"::")[2].strip().decode("latin-1") for one in args}.intersection(algorithms)
    sizes = [Values.of(parsed).spelled(args[place - 1]) for place in places if place <= len(args)]
    known = [one for one in sizes if one is not None]
    if not chosen or len(known) != len(sizes) or not known or prod(known) % _WAVE == 0:
        return
    name, span = match[0].decode(), Span(start, closing + 1)
    use = Use("name", name, span, span, (), parsed.scope(start), parsed.certainty(start))
    yield Hit("library/cub-part-wave", use, {"name": name, "threads": str(prod(known)), "algorithm": chosen.pop()})
