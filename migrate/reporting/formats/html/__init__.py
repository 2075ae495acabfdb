"""Report -> one HTML file, for people who decide and for those who then do the work.

Result: a page that loads nothing from anywhere. What a reader needs first is in the page as HTML; findings, files and
rules are data in it, shown as they are asked for, so that ten thousand findings open at once. Text of the scanned
repository is never markup: templates escape it, the data holds no `<`, the script writes text nodes only, and the
page's own policy lets no other script run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from pathlib import Path

from cudamigrate.errors import MissingError, printable
from cudamigrate.lazy_re import re
from cudamigrate.model import JsonValue, Report
from cudamigrate.reporting.formats.html import charts, data, words
from cudamigrate.reporting.summary import encodable

__all__ = []

_TEMPLATES = Path(__file__).parent.parent / "templates"
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
    plots = charts.charts(report)
    scripts = [_plotly(), _source("charts.js"), _source("page.js")]
    page = environment.get_template("page.html").render(
        report=report,
        plots=plots,
        policy=_policy(scripts),
        style=Markup(_source("page.css")),
        scripts=[Markup(script) for script in scripts],
        data=Markup(_embedded({**data.content(report), "charts": [plot.drawing for plot in plots]})),
        **words.context(report),
    )
    return encodable(page)


def _shown(value: object) -> object:
    """What a template puts on the page, without characters that browsers act on."""
    from markupsafe import Markup

    return printable(value, "\n\t\r") if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _plotly() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise MissingError("the html format needs plotly; install it with: pip install 'cudamigrate[report]'") from None
    return _inline(get_plotlyjs())


@cache
def _source(name: str) -> str:
    return _inline((_TEMPLATES / name).read_text(encoding="utf-8"))


def _inline(script: str) -> str:
    """A script that may be between script tags; in JavaScript both forms mean the same inside strings."""
    return script.replace("</script", "<\\/script").replace("<!--", "\\x3c!--").replace("\r\n", "\n")


def _policy(scripts: list[str]) -> str:
    """What the page may do: run these scripts and no other, style itself, show what it drew; load nothing."""
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{value}'" for value in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _embedded(value: JsonValue) -> str:
    """JSON that may be in a script element: nothing in it can end the element, or begin a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = _SURROGATE.sub(lambda match: rf"\\u{ord(match[0]):04x}", text)  # spelled out, not read as one again
    return _RISKY.sub(lambda match: _ESCAPES[match[0]], text)
