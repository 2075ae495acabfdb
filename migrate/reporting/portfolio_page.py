"""Portfolio -> one HTML page for those who decide: the repositories in the order of migration, and what they share.

Result: a page without scripts that loads nothing and links to the HTML report of each repository beside it. Names and
errors come from repositories and are never markup.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from cudamigrate.errors import printable
from cudamigrate.reporting.portfolio import Portfolio, moves, totals
from cudamigrate.reporting.summary import days, encodable

_TEMPLATES = Path(__file__).parent / "formats" / "templates"


def render(portfolio: Portfolio) -> str:
    """The portfolio as an HTML page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: (
            printable(value, "\n\t\r") if isinstance(value, str) and not isinstance(value, Markup) else value
        ),
    )
    environment.filters.update(number=lambda count: f"{count:,}", days=days)
    style = (_TEMPLATES / "page.css").read_text(encoding="utf-8")
    by_name = {one.name: one for one in portfolio.rows}
    page = environment.get_template("portfolio.html").render(
        looks=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        style=Markup(style),
        version=portfolio.version,
        date=portfolio.date,
        command=portfolio.command,
        totals=totals(portfolio.rows),
        order=[by_name[name] for name in portfolio.order],
        valued=any(one.value for one in portfolio.rows),
        shared=portfolio.shared,
        still=[one for one in portfolio.rows if not one.error and not moves(one)],
        failed=[one for one in portfolio.rows if one.error],
    )
    return encodable(page)
