"""Configuration file -> Config.

Settings stand in `.cudamigrate.toml`, or in `[tool.cudamigrate]` of `pyproject.toml`, in the folder or the nearest
parent that has them, up to the root of the git work tree. Keys are the field names of `Config` with hyphens. A mistake
stops the run with one line that names the file and the key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from cudamigrate.errors import ConfigError
from cudamigrate.lazy_re import re
from cudamigrate.model import GROUPS, OUTCOMES, release
from cudamigrate.shipped_data import table

CUDA_NEWEST = "13.0"
"""The CUDA release that sources are taken to be written for, unless told otherwise."""
WAVES = ("logical32", "native")
"""What becomes of code for warps of 32 lanes: groups of 32 on any wave, or the whole wave where that is proved."""
STYLES = ("auto", "hip", "portable")
"""What `apply` makes: HIP sources, or one source that builds for both vendors; `auto` follows the project."""
RESOLVES = ("auto", "always", "never")
"""When types and values are asked of libclang: where `apply` finds a question open, of all lane code, or not at all."""
OWN_FILE = ".cudamigrate.toml"
SHARED_FILE = "pyproject.toml"
VENDORED = (
    "third_party/",
    "third-party/",
    "thirdparty/",
    "3rd_party/",
    "3rd-party/",
    "3rdparty/",
    "external/",
    "externals/",
    "extern/",
    "vendor/",
    "vendors/",
    "vendored/",
    "deps/",
    "_deps/",
    "dependencies/",
    "submodules/",
    "site-packages/",
)
"""Folder names that by convention hold other people's code. `contrib` and `lib` often hold a project's own."""

_ARCH = re.compile(r"gfx[0-9a-f]+")
_RELEASE = re.compile(r"\d{1,2}(?:\.\d{1,2})?")
_ROCM = re.compile(r"\d{1,2}\.\d{1,2}(?:\.\d{1,2})?")
"""Releases between two known ones are aimed at as the one below: what came later is not taken for granted."""
_STANDARD = re.compile(r"(?:c|gnu)\+\+(?:1[147]|2[036])")
_MACRO = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SELECTOR = re.compile(r"[a-z][a-z-]*(?:/\S+)?")
"""A group of rules, a rule, or the rules of a group that begin alike: `warp`, `warp/mixed-size`, `api/cublas*`."""


def rocm_releases() -> tuple[str, ...]:
    """ROCm releases that can be aimed at, oldest first; the order of the list counts, not that of the digits."""
    return tuple(table("releases")["rocm"])


def _one_of(words: Sequence[str]) -> dict[str, object]:
    """One of some words, as JSON Schema says it."""
    return {"enum": list(words)}


def _text(pattern: re.Pattern[str]) -> dict[str, object]:
    """Text of one form, as JSON Schema says it."""
    return {"type": "string", "pattern": f"^(?:{pattern.pattern})$"}


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of a run.

    Globs are written as in `.gitignore` and are relative to `folder`, or to the scanned folder where that is empty.

    `include`: globs of the only files to read, in vendored folders too; empty means all that are not vendored.
    `exclude`: globs of files to leave out; stronger than `include`.
    `vendored`: globs of folders that hold other people's code; letter case does not matter.
    `enter_vendored`: read vendored folders like any other.
    `submodules`: read git submodules and repositories nested in the scanned one.
    `max_file_size`: bytes; larger files are skipped.
    `rules`: absolute paths of rule files or folders to add.
    `rocm`, `arch`: the ROCm release and GPU architectures aimed at.
    `wave`: `logical32` keeps groups of 32 lanes on any GPU, `native` writes the whole wave where that is proved.
    `style`: `hip` makes HIP sources, `portable` one source that builds for both vendors, `auto` follows the project.
    `cuda`: the CUDA release that the source is written for.
    `hip_guards`: macros, beyond the known ones, that are defined only where code is compiled for AMD.
    `outcomes`: the outcomes that `check` reports.
    `fail_on`: the outcomes that make `check` fail; empty means all that it reports.
    `select`: rules or groups of rules that `check` reports; empty means all.
    `ignore`: rules or groups of rules that `check` leaves out; stronger than `select`.
    `per_file_ignores`: globs of files, each with the rules or groups that `check` leaves out there.
    `baseline`: a file of findings that are known, which `check` leaves out.
    `standard`, `defines`, `include_dirs`: how `verify` compiles, where build files do not say it.
    `resolve`: when libclang is asked what tokens leave open, one of `RESOLVES`.
    `jobs`: worker processes; 0 means one for each processor core.
    `gpu`: names of GPUs that the estimate is for, such as `mi300x`; empty for those of `arch`.
    `verify_time`: seconds that a type check may take, 0 for as long as it needs; files after that are left out.
    `gpu_hours`, `price_from`, `price_to`, `day_rate`: GPU-hours a month, prices of one on the NVIDIA and the AMD side,
    and of an engineer's day; 0 for what `rules/` states.
    `folder`: absolute path of the configuration file's folder, empty where there is no such file; not a key.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    vendored: tuple[str, ...] = VENDORED
    enter_vendored: bool = False
    submodules: bool = False
    max_file_size: int = 2_000_000
    rules: tuple[str, ...] = ()
    rocm: str = field(default_factory=lambda: rocm_releases()[-1])
    cuda: str = CUDA_NEWEST
    arch: tuple[str, ...] = ("gfx90a", "gfx942")
    wave: str = WAVES[0]
    style: str = STYLES[0]
    hip_guards: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ("compile-error", "wrong-result")
    fail_on: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    baseline: str = ""
    standard: str = ""
    defines: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    resolve: str = RESOLVES[0]
    jobs: int = 0
    gpu: tuple[str, ...] = ()
    verify_time: float = 0.0
    gpu_hours: float = 0.0
    price_from: float = 0.0
    price_to: float = 0.0
    day_rate: float = 0.0
    folder: str = ""


def load(start: Path) -> Config:
    """The configuration that holds for `start`, a folder or a file; the defaults where no file has one.

    Raises ConfigError for a file that cannot be read, a key that is not known, or a value of the wrong kind.
    """
    start = start.absolute()
    for folder in _folders(start if start.is_dir() else start.parent):
        own, shared = _own(folder / OWN_FILE), _shared(folder / SHARED_FILE)
        if own is not None and shared is not None:
            raise ConfigError(f"{folder}: settings stand in both {OWN_FILE} and {SHARED_FILE}; keep one of them.")
        if own is not None:
            return _config(folder / OWN_FILE, own)
        if shared is not None:
            return _config(folder / SHARED_FILE, shared)
    return Config()


def with_options(config: Config, **given: object) -> Config:
    """`config` with the values that are not None replaced, checked as those of a file are.

    Names are the field names of `Config`; lists may be given for tuples. Paths are relative to the current folder.
    Raises ConfigError, naming the option, for a value that does not fit.
    """
    known = {name: value for name, value in given.items() if value is not None}
    for name in known:
        if name not in _KINDS:
            raise ConfigError(f"There is no setting `{name}`.")
    checked: dict[str, Any] = {
        name: _checked(f"--{_key(name)}", name, list(value) if isinstance(value, tuple) else value, Path.cwd())
        for name, value in known.items()
    }
    return replace(config, **checked)


def _folders(start: Path) -> Iterator[Path]:
    """`start` and its parents, up to the first that holds `.git`."""
    for folder in (start, *start.parents):
        yield folder
        if (folder / ".git").exists():
            return


def _bytes(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}.") from None


def _parsed(file: Path, data: bytes) -> dict[str, Any]:
    import tomli  # many projects have no configuration

    try:
        return tomli.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: is not UTF-8 text.") from None
    except tomli.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}.") from None


def _own(file: Path) -> Mapping[str, Any] | None:
    data = _bytes(file)
    return None if data is None else _parsed(file, data)


def _shared(file: Path) -> Mapping[str, Any] | None:
    """The tool's table of a pyproject.toml; a file that does not mention the tool need not even be valid."""
    data = _bytes(file)
    if data is None or b"cudamigrate" not in data:
        return None
    tool = _parsed(file, data).get("tool")
    table = tool.get("cudamigrate") if isinstance(tool, dict) else None
    if table is None or isinstance(table, dict):
        return table
    raise ConfigError(f"{file}: `tool.cudamigrate` must be a table.")


def _config(file: Path, table: Mapping[str, Any]) -> Config:
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in _KINDS or key != _key(name):
            raise ConfigError(f"{file}: unknown key `{key}`{_nearest(key)}.")
        values[name] = _checked(str(file), name, value, file.parent)
    return Config(**values, folder=str(file.parent))


def _key(name: str) -> str:
    return name.replace("_", "-")


def _nearest(key: str) -> str:
    known = [_key(name) for name in _KINDS]
    import difflib  # only where a key is wrong

    close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else f"; known keys are {', '.join(sorted(known))}"


def _checked(where: str, name: str, value: object, folder: Path) -> Any:
    """The value as `Config` holds it; `where` is a file, or the option itself."""
    subject = where if where.startswith("--") else f"{where}: `{_key(name)}`"
    if name in ("rules", "include_dirs"):
        return tuple(os.path.normpath(folder / os.path.expanduser(path)) for path in _strings(subject, value))
    checked = _KINDS[name].check(subject, value)
    return os.path.normpath(folder / os.path.expanduser(checked)) if name == "baseline" and checked else checked


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


def _file(subject: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{subject} must be the path of a file.")
    return value


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a value is checked, and what JSON Schema says of it; a function where that is read from data."""

    check: Callable[[str, object], Any]
    schema: Mapping[str, object] | Callable[[], Mapping[str, object]]


_TEXTS = _Kind(_strings, {"type": "array", "items": {"type": "string"}})
_SWITCH = _Kind(_flag, {"type": "boolean"})
_AMOUNT = _Kind(_amount, {"type": "number", "minimum": 0, "exclusiveMaximum": 1e12})

_SELECTORS = _Kind(_selectors, {"type": "array", "items": _text(_SELECTOR)})

_KINDS: dict[str, _Kind] = {
    "include": _TEXTS,
    "exclude": _TEXTS,
    "vendored": _TEXTS,
    "enter_vendored": _SWITCH,
    "submodules": _SWITCH,
    "max_file_size": _Kind(_number(1), {"type": "integer", "minimum": 1}),
    "rules": _TEXTS,
    "rocm": _Kind(_rocm, _text(_ROCM)),
    "cuda": _Kind(_cuda, _text(_RELEASE)),
    "arch": _Kind(_arch, {"type": "array", "items": _text(_ARCH), "minItems": 1}),
    "wave": _Kind(_wave, _one_of(WAVES)),
    "style": _Kind(_style, _one_of(STYLES)),
    "hip_guards": _Kind(_macros, {"type": "array", "items": _text(_MACRO)}),
    "outcomes": _Kind(_outcomes, {"type": "array", "items": _one_of(OUTCOMES)}),
    "fail_on": _Kind(_outcomes, {"type": "array", "items": _one_of(OUTCOMES)}),
    "select": _SELECTORS,
    "ignore": _SELECTORS,
    "per_file_ignores": _Kind(
        _per_file, {"type": "object", "additionalProperties": {"type": "array", "items": _text(_SELECTOR)}}
    ),
    "baseline": _Kind(_file, {"type": "string"}),
    "standard": _Kind(_standard, _text(_STANDARD)),
    "defines": _TEXTS,
    "include_dirs": _TEXTS,
    "resolve": _Kind(_resolve, _one_of(RESOLVES)),
    "jobs": _Kind(_number(0), {"type": "integer", "minimum": 0}),
    "gpu": _TEXTS,
    "verify_time": _AMOUNT,
    "gpu_hours": _AMOUNT,
    "price_from": _AMOUNT,
    "price_to": _AMOUNT,
    "day_rate": _AMOUNT,
}


def json_schema() -> dict[str, object]:
    """The JSON Schema of a configuration file, for editors: keys, values and defaults, from what checks them here."""
    told = re.findall(
        r"^ *((?:`\w+`(?:, )?)+): (.+?)(?=^ *`\w+`[:,]|\Z)", Config.__doc__ or "", re.MULTILINE | re.DOTALL
    )
    meanings = {name: " ".join(text.split()) for names, text in told for name in re.findall(r"\w+", names)}
    defaults = {
        one.name: one.default if one.default_factory is MISSING else one.default_factory() for one in fields(Config)
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Configuration of cudamigrate, {OWN_FILE} or [tool.cudamigrate] of {SHARED_FILE}",
        "type": "object",
        "properties": {
            _key(name): {
                "description": meanings[name],
                **(kind.schema() if callable(kind.schema) else kind.schema),
                **_default(defaults[name]),
            }
            for name, kind in _KINDS.items()
        },
        "additionalProperties": False,
    }


def _schema(kind: _Kind) -> Mapping[str, object]:
    return kind.schema() if callable(kind.schema) else kind.schema


def _default(value: object) -> dict[str, object]:
    """The default of a setting; one that is empty says that something else decides."""
    if value is False or value:
        return {"default": list(value) if isinstance(value, tuple) else value}
    return {}
