"""Names of integer types that other files declare, for files that shift by what is left of a size: `votes << (32 - n)`.

Whether such a shift goes wrong, the width of what is shifted decides, which `u32 votes` does not show by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cudamigrate.cuda.words import vocabulary
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.warp.type_names import declared, declared_anywhere

_LEFT_OVER = re.compile(rb"(?:<<|>>)=?\s*\(\s*(?:32[uU]?|[A-Za-z_]\w*)\s*-\s*[(A-Za-z_]")
"""A shift by a constant less something."""
_PLAIN = re.compile(rb"(?:(?:unsigned|signed|int|std::|u?int(?:8|16|32|64)_t|char|short|long)\s*)+")
_TYPEDEF = (b"typedef", b"using")


def typed_shifts(results: Sequence[FileResult], read: Read) -> dict[str, bytes]:
    """What to write before the text of a file so that it declares the types that other files do, by path."""
    return typed({one.path: source for one in results if (source := _shifting(one, read)) is not None}, results, read)


def typed(
    asking: Mapping[str, SourceFile], results: Sequence[FileResult], read: Read, plain: re.Pattern[bytes] = _PLAIN
) -> dict[str, bytes]:
    """The same for the files that ask for it, by path, and for types that are `plain`."""
    if not asking:
        return {}
    words, found = {path: vocabulary(source.data) for path, source in asking.items()}, dict[str, bytes]()
    types = _types(results, set().union(*words.values()), read, plain)
    for path, source in asking.items():
        own = {name for name, _ in declared(lexed(source))}
        named = sorted((types.keys() - own) & words[path])
        if named:
            found[path] = b"".join(b"typedef %s %s;\n" % (types[name], name) for name in named)
    return found


def _shifting(result: FileResult, read: Read) -> SourceFile | None:
    """The source of a CUDA file that shifts by what is left of a size."""
    source = read(result.path) if result.cuda and result.skip is None else None
    return source if source is not None and _LEFT_OVER.search(source.data) else None


def _types(
    results: Sequence[FileResult], words: set[bytes], read: Read, plain: re.Pattern[bytes]
) -> dict[bytes, bytes]:
    """The names among some that all files which declare them give to one and the same plain type."""
    found: dict[bytes, set[bytes]] = {}
    for result in results:
        source = read(result.path) if result.language in ("cuda", "cxx") and result.skip is None else None
        if source is None or not any(word in source.data for word in _TYPEDEF):
            continue
        if any(name in words for name in declared_anywhere(source.data)):
            for name, spelled in declared(lexed(source)):
                found.setdefault(name, set()).add(spelled)
    alike = {name: spelled for name, one in found.items() if len(one) == 1 for spelled in one}
    return {name: spelled for name, spelled in alike.items() if plain.fullmatch(spelled)}
