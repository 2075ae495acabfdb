"""Pages of HTML: the templates, what they read, and how values are shown in them."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate.errors import printable

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent / "formats" / "templates"


def environment() -> Environment:
    """What renders the templates: names and texts come from repositories and are never markup."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_shown,
    )


@cache
def source(name: str) -> str:
    """A style or script of the pages."""
    return inline((_TEMPLATES / name).read_text(encoding="utf-8"))


def inline(text: str) -> str:
    """A script as it may be between its tags; in JavaScript both forms mean the same inside strings."""
    return text.replace("</script", "<\\/script").replace("<!--", "\\x3c!--").replace("\r\n", "\n")


def fingerprint(text: str) -> str:
    """What a page's policy calls a style or script that it may use: SHA-256 in base64."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _shown(value: object) -> object:
    """What a template puts on the page, without characters that browsers act on."""
    from markupsafe import Markup

    return printable(value, "\t") if isinstance(value, str) and not isinstance(value, Markup) else value
