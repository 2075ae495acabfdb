"""The commands `cache info` and `cache clear`: what earlier runs found in files, kept for later ones."""

from __future__ import annotations

import typer

from cudamigrate.cli.console import say
from cudamigrate.cli.headers_command import size
from cudamigrate.wording import count_of

cache_app = typer.Typer(
    name="cache",
    help="What scan and apply found in files, kept for later runs: how much there is, and remove it.",
    no_args_is_help=True,
)


@cache_app.command("info")
def info() -> None:
    """Say where the cache is, how much it holds, and what bounds it."""
    from cudamigrate.pipeline import result_store

    store = result_store.Store()
    found = store.info()
    say(f"{found.place}: {count_of(found.rows, 'result')}, {size(found.bytes)} of at most {size(store.limit)}")
    ago = f"{count_of(found.days, 'day')} ago" if found.days else "today"
    say(f"The result unused for longest was used {ago}; unused ones are removed after {store.days} days.")


@cache_app.command("clear")
def clear() -> None:
    """Remove everything in the cache."""
    from cudamigrate.pipeline import result_store

    say(f"Removed {size(result_store.Store().clear())}.")
