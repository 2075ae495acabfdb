"""The values of settings: how each one is checked, and what JSON Schema says of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cudamigrate.errors import ConfigError
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import GROUPS, OUTCOMES, release
from cudamigrate.shipped_data import table

CUDA_NEWEST = "13.0"
"""The CUDA release that sources are taken to be written for, unless a setting says otherwise."""
WAVES = ("logical32", "native")
"""What becomes of code for warps of 32 lanes: groups of 32 on any wave, or the full wavefront where that is proved."""
STYLES = ("auto", "hip", "portable")
"""What `apply` makes: HIP sources, or one source that builds for both vendors; `auto` follows the project."""
RESOLVES = ("auto", "always", "never")
"""When libclang resolves types and values: where `apply` cannot decide, in all warp-level code, or never."""
# These are patterns, for the JSON Schema of the configuration states the same ones.
_PRICES_SUCH_AS = "mi300x=2.5,mi355x=4"
_ARCH = re.compile(r"gfx[0-9a-f]{3,}")
_RELEASE = re.compile(r"\d{1,2}(?:\.\d{1,2})?")
_ROCM = re.compile(r"\d{1,2}\.\d{1,2}(?:\.\d{1,2})?")
"""Any release between the oldest and the newest known one: it is treated as the known release below it."""
_STANDARD = re.compile(r"(?:c|gnu)\+\+(?:1[147]|2[036])")
_MACRO = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SELECTOR = re.compile(r"[a-z][a-z-]*(?:/\S+)?")
"""A group of rules, a rule, or the rules of a group that begin alike: `warp`, `warp/mixed-size`, `api/cublas*`."""


def rocm_releases() -> tuple[str, ...]:
    """ROCm releases that can be aimed at, oldest first; the order of the list counts, not that of the digits."""
    return tuple(table("releases")["rocm"])


@dataclass(frozen=True, slots=True)
class SettingKind:
    """How a value is checked, and what JSON Schema says of it."""

    check: Callable[[str, object], Any]
    schema: Mapping[str, object]


def key_of(name: str) -> str:
    """A field of `Config` as configuration files write it."""
    return name.replace("_", "-")


def _one_of(words: Sequence[str]) -> dict[str, object]:
    """One of some words, as JSON Schema says it."""
    return {"enum": list(words)}


def _text(pattern: re.Pattern[str]) -> dict[str, object]:
    """Text of one form, as JSON Schema says it."""
    return {"type": "string", "pattern": f"^(?:{pattern.pattern})$"}


def _strings(subject: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{subject} must be a list of strings.")
    return tuple(value)


def _flag(subject: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{subject} must be true or false.")
    return value


def _number(least: int) -> Callable[[str, object], int]:
    def check(subject: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ConfigError(f"{subject} must be a whole number, {least} or more.")
        return value

    return check


def _amount(subject: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e12:
        raise ConfigError(f"{subject} must be a number, 0 or more.")
    return float(value)


def _prices(subject: str, value: object) -> tuple[tuple[str, float], ...]:
    """Prices by GPU; the name is empty for one price without a name, which is the first GPU's."""
    if isinstance(value, dict):
        return tuple((str(name), _amount(f"{subject} of `{name}`", price)) for name, price in value.items())
    if not isinstance(value, list):
        price = _amount(subject, value)
        return (("", price),) if price else ()
    pairs = [word.rpartition("=") for text in _strings(subject, value) for word in text.split(",")]
    try:
        found = [(name.strip(), float(price)) for name, _, price in pairs]
    except ValueError:
        raise ConfigError(f"{subject} must be a number, or GPUs with their prices: {_PRICES_SUCH_AS}.") from None
    if sum(not name for name, _ in found) > 1:
        raise ConfigError(f"{subject} has several prices without a GPU. Name each: {_PRICES_SUCH_AS}.")
    return tuple((name, _amount(subject, price)) for name, price in found)


def _rocm(subject: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(f'{subject} must be a string in quotes, such as "{rocm_releases()[-1]}".')
    known = rocm_releases()
    if not _ROCM.fullmatch(value) or not release(known[0]) <= release(value)[:2] <= release(known[-1]):
        raise ConfigError(f"{subject} must be a release from {known[0]} to {known[-1]}, not `{value}`.")
    return value


def _cuda(subject: str, value: object) -> str:
    if not isinstance(value, str) or not _RELEASE.fullmatch(value):
        raise ConfigError(f'{subject} must be a release such as "{CUDA_NEWEST}", not `{value}`.')
    return value


def _standard(subject: str, value: object) -> str:
    if not isinstance(value, str) or not _STANDARD.fullmatch(value):
        raise ConfigError(f"{subject} must be a C++ standard such as `c++17`, not `{value}`.")
    return value


def _arch(subject: str, value: object) -> tuple[str, ...]:
    names = _strings(subject, value)
    for name in names:
        if not _ARCH.fullmatch(name):
            raise ConfigError(f"{subject} must hold names such as `gfx942`, not `{name}`.")
    if not names:
        raise ConfigError(f"{subject} must name at least one architecture.")
    return names


def _wave(subject: str, value: object) -> str:
    if value not in WAVES:
        raise ConfigError(f"{subject} must be one of {', '.join(WAVES)}, not `{value}`.")
    return str(value)


def _resolve(subject: str, value: object) -> str:
    if value not in RESOLVES:
        raise ConfigError(f"{subject} must be one of {', '.join(RESOLVES)}, not `{value}`.")
    return str(value)


def _style(subject: str, value: object) -> str:
    if value not in STYLES:
        raise ConfigError(f"{subject} must be one of {', '.join(STYLES)}, not `{value}`.")
    return str(value)


def _macros(subject: str, value: object) -> tuple[str, ...]:
    names = _strings(subject, value)
    for name in names:
        if not _MACRO.fullmatch(name):
            raise ConfigError(f"{subject} must hold macro names, not `{name}`.")
    return names


def _outcomes(subject: str, value: object) -> tuple[str, ...]:
    names = _strings(subject, value)
    for name in names:
        if name not in OUTCOMES:
            raise ConfigError(f"{subject} may hold {', '.join(OUTCOMES)}, not `{name}`.")
    return names


def _selectors(subject: str, value: object) -> tuple[str, ...]:
    names = _strings(subject, value)
    for name in names:
        if not _SELECTOR.fullmatch(name) or name.partition("/")[0] not in GROUPS:
            known = ", ".join(GROUPS)
            raise ConfigError(f"{subject} must hold rules such as `warp/mixed-size` or groups ({known}), not `{name}`.")
    return names


def _per_file(subject: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise ConfigError(f'{subject} must be a table such as {{ "tests/**" = ["warp"] }}.')
    return tuple((str(glob), _selectors(f"{subject} of `{glob}`", names)) for glob, names in value.items())


def _name(subject: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{subject} must be a name.")
    return value


def _file(subject: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{subject} must be the path of a file.")
    return value


_TEXTS = SettingKind(_strings, {"type": "array", "items": {"type": "string"}})
_SWITCH = SettingKind(_flag, {"type": "boolean"})
_AMOUNT = SettingKind(_amount, {"type": "number", "minimum": 0, "exclusiveMaximum": 1e12})

_PRICES = SettingKind(
    _prices,
    {
        "anyOf": [
            _AMOUNT.schema,
            {"type": "object", "additionalProperties": _AMOUNT.schema},
            {"type": "array", "items": {"type": "string"}},
        ]
    },
)

_SELECTORS = SettingKind(_selectors, {"type": "array", "items": _text(_SELECTOR)})

SETTINGS: dict[str, SettingKind] = {
    "include": _TEXTS,
    "exclude": _TEXTS,
    "vendored": _TEXTS,
    "enter_vendored": _SWITCH,
    "submodules": _SWITCH,
    "max_file_size": SettingKind(_number(1), {"type": "integer", "minimum": 1}),
    "rules": _TEXTS,
    "rocm": SettingKind(_rocm, _text(_ROCM)),
    "cuda": SettingKind(_cuda, _text(_RELEASE)),
    "arch": SettingKind(_arch, {"type": "array", "items": _text(_ARCH), "minItems": 1}),
    "wave": SettingKind(_wave, _one_of(WAVES)),
    "hip_guards": SettingKind(_macros, {"type": "array", "items": _text(_MACRO)}),
    "outcomes": SettingKind(_outcomes, {"type": "array", "items": _one_of(OUTCOMES)}),
    "fail_on": SettingKind(_outcomes, {"type": "array", "items": _one_of(OUTCOMES)}),
    "select": _SELECTORS,
    "ignore": _SELECTORS,
    "per_file_ignores": SettingKind(
        _per_file, {"type": "object", "additionalProperties": {"type": "array", "items": _text(_SELECTOR)}}
    ),
    "baseline": SettingKind(_file, {"type": "string"}),
    "standard": SettingKind(_standard, _text(_STANDARD)),
    "defines": _TEXTS,
    "include_dirs": _TEXTS,
    "style": SettingKind(_style, _one_of(STYLES)),
    "resolve": SettingKind(_resolve, _one_of(RESOLVES)),
    "jobs": SettingKind(_number(0), {"type": "integer", "minimum": 0}),
    "cache": _SWITCH,
    "scheduler": SettingKind(_name, {"type": "string"}),
    "gpu": _TEXTS,
    "source_gpu": SettingKind(_name, {"type": "string"}),
    "verify_time": _AMOUNT,
    "gpu_hours": _AMOUNT,
    "price_from": _PRICES,
    "price_to": _PRICES,
    "day_rate": _AMOUNT,
    "tokens_per_second": _AMOUNT,
    "memory": _AMOUNT,
    "power_price": _AMOUNT,
    "support": _AMOUNT,
}
"""The settings, by the names of the fields of `Config`."""
TYPED_ONLY = ("scheduler",)
"""Settings that no file may hold: a scanned repository must not say where its, or anybody's, contents are sent."""
