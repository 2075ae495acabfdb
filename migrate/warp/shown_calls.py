"""What a report calls a place where code waits."""

from __future__ import annotations

from cudamigrate.lazy_re import re

_BARRIER = re.compile(r"\bbar(?:rier)?(?:\.cta)?\.(?:sync|red|arrive)[.\w]*")


def shown_call(text: str) -> str:
    """How a report names a call of some text: assembly by its barrier, and a lambda as what it is."""
    if text.startswith(("asm", "__asm")):
        barrier = _BARRIER.search(text)
        return f"`{barrier[0]}`" if barrier is not None else "The assembly here"
    return "The lambda that is called here" if text.startswith("[") else f"`{text}()`"
