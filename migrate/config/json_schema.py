"""The JSON Schema of a configuration file, for editors: made from `Config` and from what checks its values."""

from __future__ import annotations

from dataclasses import MISSING, fields

from cudamigrate.config.setting_values import SETTINGS, TYPED_ONLY, key_of
from cudamigrate.config.settings import OWN_FILE, SHARED_FILE, Config
from cudamigrate.lazy_re import re

_MEANING = re.compile(r"^ *((?:`\w+`(?:, )?)+): (.+?)(?=^ *`\w+`[:,]|\Z)", re.MULTILINE | re.DOTALL)
"""An entry of the docstring of `Config`: names in backquotes, a colon, and a text up to the next entry or the end."""


def json_schema() -> dict[str, object]:
    """The schema: keys with their meaning, the values they take, and defaults."""
    defaults = {
        one.name: one.default if one.default_factory is MISSING else one.default_factory() for one in fields(Config)
    }
    meanings = _meanings()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Configuration of cudamigrate, {OWN_FILE} or [tool.cudamigrate] of {SHARED_FILE}",
        "type": "object",
        "properties": {
            key_of(name): {"description": meanings[name], **kind.schema, **_default(defaults[name])}
            for name, kind in SETTINGS.items()
            if name not in TYPED_ONLY
        },
        "additionalProperties": False,
    }


def _meanings() -> dict[str, str]:
    """What the docstring of `Config` says of each setting."""
    entries = _MEANING.findall(Config.__doc__ or "")
    return {name.strip("` "): " ".join(text.split()) for names, text in entries for name in names.split(",")}


def _default(value: object) -> dict[str, object]:
    """The default of a setting; one that is empty says that something else decides."""
    if value is False or value:
        return {"default": list(value) if isinstance(value, tuple) else value}
    return {}
