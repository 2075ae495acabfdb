"""Uses of the host's C++ library that make an object or call a function, which device code cannot."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re

_LIBRARY = re.compile(
    rb"(?<![\w:])std::(?P<name>sort|stable_sort|swap|fill|fill_n|copy|copy_n|accumulate|iota|lower_bound|upper_bound|find|find_if"
    rb"|reverse|transform|for_each|nth_element|unique|partition|to_string|stoi|stof|memcpy|memset|printf|fprintf|cout|cerr"
    rb"|endl|string|vector|map|unordered_map|set|deque|list|function|unique_ptr|shared_ptr|make_unique|make_shared"
    rb"|mutex|thread|ostringstream|stringstream|rand|getenv|exit|runtime_error)\b(?!::)"
)
"""Names of the host's library: `std::sort`; not `cuda::std::sort`, and no member of a class: `std::string::npos`."""
_C_LIBRARY = frozenset(b"memcpy memset printf".split())
"""What HIP has for device code, also by its name in `std`."""
_FAR = 2000
"""Bytes that template arguments may take."""


def may_use(data: bytes) -> bool:
    """Whether a text may have such a use: a look before its tokens are made."""
    return b"std::" in data and _LIBRARY.search(data) is not None


def objects(lexed: Lexed) -> Iterator[re.Match[bytes]]:
    """The names in code, but in types of references and pointers: `const std::vector<int> &all`, which make nothing."""
    for match in lexed.starting(_LIBRARY, b"std::"):
        after = lexed.token(match.end())
        if after is not None and lexed.text(after) == b"<":
            closing = lexed.angle_closing(after.start, after.start + _FAR)
            after = lexed.token(closing + 1) if closing > 0 else None
        if match["name"] not in _C_LIBRARY and lexed.text(after) not in (b"&", b"*"):
            yield match
