"""Report -> one HTML file, for people who decide and for those who then do the work.

Result: a page that loads nothing from anywhere. What a reader needs first is in the page as HTML; findings, files and
rules are data in it, shown as they are asked for, so that ten thousand findings open at once. Text of the scanned
repository is never markup: templates escape it, the data holds no `<`, the script writes text nodes only, and the
page's own policy lets no other script run and no other style apply. Charts are inline SVG that the templates draw.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from cudamigrate.errors import printable
from cudamigrate.lazy_re import re
from cudamigrate.model import JsonValue, Report
from cudamigrate.reporting import pages
from cudamigrate.reporting.formats.html import data, words
from cudamigrate.reporting.summary import encodable

__all__ = []

COMPRESSED = 32 * 1024
"""Characters of data from which on it is compressed: a page of ten thousand findings is a third as large then."""
_GZIP = 31
"""What zlib calls the format of gzip."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_RISKY = re.compile("[<>&\u2028\u2029]")
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(report: Report) -> str:
    """The report as an HTML page."""
    from markupsafe import Markup

    environment = pages.environment()
    environment.filters.update(words.FILTERS)
    script, style = pages.source("page.js"), pages.source("page.css")
    page = environment.get_template("page.html").render(
        report=report,
        policy=_policy(script, style),
        style=Markup(style),
        script=Markup(script),
        **_data(_embedded(data.content(report))),
        **words.context(report),
    )
    return encodable(page)


def _policy(script: str, style: str) -> str:
    """What the page may do: run its script and no other, apply its style and no other; load nothing."""
    ours, looks = pages.fingerprint(script), pages.fingerprint(style)
    return (
        f"default-src 'none'; script-src 'sha256-{ours}'; style-src 'sha256-{looks}'; base-uri 'none'; "
        "form-action 'none'"
    )


def _data(pieces: Iterable[str]) -> dict[str, object]:
    """What the template writes into the element of the data: JSON, or gzip in base64, which the script undoes."""
    from markupsafe import Markup

    rest, start, size = iter(pieces), list[str](), 0
    while size < COMPRESSED:
        piece = next(rest, None)
        if piece is None:
            return {"data": Markup("".join(start)), "encoding": ""}
        start.append(piece)
        size += len(piece)
    # the day of the compression is left out, so that equal reports are equal pages
    packer = zlib.compressobj(9, wbits=_GZIP)
    packed = [packer.compress(piece.encode("utf-8")) for piece in chain(start, rest)]
    return {"data": base64.b64encode(b"".join((*packed, packer.flush()))).decode("ascii"), "encoding": "gzip"}


def _all_shown(value: JsonValue) -> JsonValue:
    """Data whose texts a script puts on the page, where marks of direction would turn them around."""
    if isinstance(value, str):
        return printable(value, "\n\t")
    if isinstance(value, list):
        return [_all_shown(item) for item in value]
    if isinstance(value, dict):
        return {key: _all_shown(item) for key, item in value.items()}
    return value


def _embedded(value: Mapping[str, JsonValue | Iterator[JsonValue]]) -> Iterator[str]:
    """JSON in pieces, rows that are made as they are written among them.

    It may be in a script element: nothing in it can end the element, or begin a comment.
    """
    before = "{"
    for key, item in value.items():
        yield f"{before}{_json(key)}:"
        if isinstance(item, Iterator):
            yield from _list(item)
        else:
            yield _json(item)
        before = ","
    yield "}"


def _list(rows: Iterator[JsonValue]) -> Iterator[str]:
    before = "["
    for row in rows:
        yield f"{before}{_json(row)}"
        before = ","
    yield "[]" if before == "[" else "]"


def _json(value: JsonValue) -> str:
    text = json.dumps(_all_shown(value), ensure_ascii=False, separators=(",", ":"))
    text = _SURROGATE.sub(lambda match: rf"\\u{ord(match[0]):04x}", text)  # spelled out, not read as one again
    return _RISKY.sub(lambda match: _ESCAPES[match[0]], text)
