"""The commands `headers install`, `headers list` and `headers remove`: HIP's headers for the type check."""

from __future__ import annotations

from typing import Annotated

import typer

from cudamigrate.cli.console import DONE, note, say

headers_app = typer.Typer(
    name="headers",
    help="HIP's headers for the type check, where ROCm is not installed: fetch them, list them, remove them.",
    no_args_is_help=True,
)


def size(number: int) -> str:
    """Bytes as a reader thinks of them."""
    return f"{number / 1_000_000:.1f} MB"


@headers_app.command("install")
def install(
    rocm: Annotated[
        str | None,
        typer.Option("--rocm", metavar="VERSION", help="The ROCm release to move to; the nearest headers are fetched."),
    ] = None,
) -> None:
    """Fetch HIP's headers from the package index that pip uses: half a megabyte of a wheel. Nothing is installed."""
    from cudamigrate.compilation import header_store
    from cudamigrate.config import Config

    wheel = header_store.nearest(rocm or Config().rocm)
    for known, folder in header_store.installed():
        if known == wheel:
            say(f"The headers of HIP {wheel.hip} are there already: {folder}")
            raise typer.Exit(DONE)
    note(
        f"Fetching the headers of HIP {wheel.hip}: {size(wheel.fetched)} of the wheel of {wheel.project} "
        f"{wheel.version} ({size(wheel.wheel)}), {size(wheel.bytes)} on disk in {wheel.files} files."
    )
    say(f"The headers of HIP {wheel.hip} are in {header_store.install(wheel)}")


@headers_app.command("list")
def show() -> None:
    """List the headers fetched and those that can be."""
    from cudamigrate.compilation import header_store

    there = dict(header_store.installed())
    for wheel in header_store.wheels():
        where = there.get(wheel)
        said = str(where) if where else f"not fetched: {size(wheel.fetched)} to fetch, {size(wheel.bytes)} on disk"
        say(f"HIP {wheel.hip}  {said}")


@headers_app.command("remove")
def remove() -> None:
    """Remove all headers that were fetched."""
    from cudamigrate.compilation import header_store

    gone = header_store.remove()
    for folder in gone:
        say(f"Removed {folder}")
    if not gone:
        say("There are no headers to remove.")
