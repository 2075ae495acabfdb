"""Files of other people's code that are read by way of those that the project includes.

A finding says of the include in the project's own code that what it names was passed over. What that file includes in
turn was passed over with it, and no finding names it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from cudamigrate.lazy_re import re
from cudamigrate.syntax import utf8

_INCLUDE = re.compile(rb"^" + utf8.MARK + rb'[ \t]*#[ \t]*include[ \t]*[<"]([^<>"\n]+)[>"]', re.MULTILINE)
_MOST = 500
"""Files that are read to see what one comes to."""


def reached(first: str, text: Callable[[str], bytes]) -> Iterator[str]:
    """The files that one includes, and what these do; `text` gives the bytes of a file, none where it is not there.

    An include is looked for beside the file and in the folders above: those that a build names are among them.
    """
    waiting, seen = [first], {first}
    while waiting and len(seen) < _MOST:
        path = waiting.pop()
        for found in _INCLUDE.findall(text(path)):
            name = found.decode("utf-8", "replace")
            target = next((one for one in _candidates(path, name) if one in seen or text(one)), "")
            if target and target not in seen:
                seen.add(target)
                waiting.append(target)
                yield target


def _candidates(path: str, name: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while True:
        target = posixpath.normpath(posixpath.join(folder, name))
        if not target.startswith(("..", "/")):
            yield target
        if not folder:
            return
        folder = posixpath.dirname(folder)
