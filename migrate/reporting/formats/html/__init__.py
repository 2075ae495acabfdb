"""Report -> one HTML file, for people who decide and for those who then do the work.

Result: a page that loads nothing from anywhere. What a reader needs first is in the page as HTML; findings, files and
rules are data in it, shown as they are asked for, so that ten thousand findings open at once. Text of the scanned
repository is never markup: templates escape it, the data holds no `<`, the script writes text nodes only, and the
page's own policy lets no other script run and no other style apply. Charts are inline SVG that the templates draw.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from functools import cache
from pathlib import Path

from cudamigrate.errors import printable
from cudamigrate.lazy_re import re
from cudamigrate.model import JsonValue, Report
from cudamigrate.reporting.formats.html import data, words
from cudamigrate.reporting.summary import encodable

__all__ = []

_TEMPLATES = Path(__file__).parent.parent / "templates"
COMPRESSED = 64 * 1024
"""Characters of data from which on it is compressed: a page of ten thousand findings is a third as large then."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_RISKY = re.compile("[<>&\u2028\u2029]")
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(report: Report) -> str:
    """The report as an HTML page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )
    environment.filters.update(words.FILTERS)
    script, style = _source("page.js"), _source("page.css")
    page = environment.get_template("page.html").render(
        report=report,
        policy=_policy(script, style),
        style=Markup(style),
        script=Markup(script),
        **_data(_embedded(data.content(report))),
        **words.context(report),
    )
    return encodable(page)


def _shown(value: object) -> object:
    """What a template puts on the page, without characters that browsers act on."""
    from markupsafe import Markup

    return printable(value, "\t") if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _source(name: str) -> str:
    return _inline((_TEMPLATES / name).read_text(encoding="utf-8"))


def _inline(script: str) -> str:
    """A script that may be between script tags; in JavaScript both forms mean the same inside strings."""
    return script.replace("</script", "<\\/script").replace("<!--", "\\x3c!--").replace("\r\n", "\n")


def _policy(script: str, style: str) -> str:
    """What the page may do: run its script and no other, apply its style and no other; load nothing."""
    ours, looks = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style))
    return (
        f"default-src 'none'; script-src 'sha256-{ours}'; style-src 'sha256-{looks}'; base-uri 'none'; "
        "form-action 'none'"
    )


def _data(text: str) -> dict[str, object]:
    """What the template writes into the element of the data: JSON, or gzip in base64, which the script undoes."""
    from markupsafe import Markup

    if len(text) < COMPRESSED:
        return {"data": Markup(text), "encoding": ""}
    # the day of the compression is left out, so that equal reports are equal pages
    packed = gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)
    return {"data": base64.b64encode(packed).decode("ascii"), "encoding": "gzip"}


def _all_shown(value: JsonValue) -> JsonValue:
    """Data whose texts a script puts on the page, where marks of direction would turn them around."""
    if isinstance(value, str):
        return printable(value, "\n\t")
    if isinstance(value, list):
        return [_all_shown(item) for item in value]
    if isinstance(value, dict):
        return {key: _all_shown(item) for key, item in value.items()}
    return value


def _embedded(value: JsonValue) -> str:
    """JSON that may be in a script element: nothing in it can end the element, or begin a comment."""
    text = json.dumps(_all_shown(value), ensure_ascii=False, separators=(",", ":"))
    text = _SURROGATE.sub(lambda match: rf"\\u{ord(match[0]):04x}", text)  # spelled out, not read as one again
    return _RISKY.sub(lambda match: _ESCAPES[match[0]], text)
