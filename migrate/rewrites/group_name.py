"""A name of cooperative groups that becomes one of `cudamigrate_groups.h`.

The word, where there is one, is the kind of header whose place ours takes together with this change: where the file has
such a header, ours is included already.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.analysis.cooperative_groups import replaced
from cudamigrate.cuda.include_insertion import GROUPS_HEADER, addition
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Use
from cudamigrate.warp.active_groups import only_counts

_DEDUCED = ("binary_partition", "labeled_partition")


def concerns(parsed: ParsedFile, use: Use) -> bool:
    """False for a group of active lanes that is right whatever number of lanes it has."""
    active = use.name.rpartition("::")[2] in ("coalesced_threads", "coalesced_group")
    return not (active and only_counts(parsed, use.span.start))


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """Rename the qualified name and include our header once. Code for the full wavefront stays as it is.

    So does a call with template arguments where ours has others: CUDA's partitions take the size of the parent there.
    """
    name = use.name.rpartition("::")[2].removeprefix("__")
    given = parsed.lexed.text(parsed.lexed.token(use.span.end)) == b"<"
    if parsed.native or (given and name in _DEDUCED):
        return []
    changes = [Edit(use.span, f"cudamigrate::{name}".encode())]
    present = any(include.path.endswith(GROUPS_HEADER) and not include.conditional for include in parsed.includes)
    if not present and not (words and replaced(parsed, words[0])):
        changes.append(addition(parsed, GROUPS_HEADER))
    return changes
