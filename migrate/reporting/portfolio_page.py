"""Portfolio -> one HTML page for those who decide: the repositories in the order of migration, and what they share.

Result: a page without scripts that loads nothing and links to the HTML report of each repository beside it. Names and
errors come from repositories and are never markup.
"""

from __future__ import annotations

from cudamigrate.reporting import pages
from cudamigrate.reporting.portfolio import Portfolio, moves, totals
from cudamigrate.reporting.summary import days, encodable


def render(portfolio: Portfolio) -> str:
    """The portfolio as an HTML page."""
    from markupsafe import Markup

    environment = pages.environment()
    environment.filters.update(number=lambda count: f"{count:,}", days=days)
    style = pages.source("page.css")
    by_name = {one.name: one for one in portfolio.rows}
    page = environment.get_template("portfolio.html").render(
        looks=pages.fingerprint(style),
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
