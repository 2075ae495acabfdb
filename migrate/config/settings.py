"""Reads the configuration: a file's settings -> Config.

Settings are in `.cudamigrate.toml`, or in `[tool.cudamigrate]` of `pyproject.toml`, in the folder or the nearest
parent that has them, up to the root of the git work tree. Keys are the field names of `Config` with hyphens. A mistake
stops the run with one line that names the file and the key.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cudamigrate import bounded_files
from cudamigrate.config.setting_values import (
    CUDA_NEWEST,
    RESOLVES,
    SETTINGS,
    STYLES,
    TYPED_ONLY,
    WAVES,
    key_of,
    rocm_releases,
)
from cudamigrate.errors import ConfigError
from cudamigrate.lazy_dataclasses import dataclass, field, replace

OWN_FILE = ".cudamigrate.toml"
SHARED_FILE = "pyproject.toml"
_LARGEST = 16 << 20
"""Bytes of a configuration file at most."""
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
    "site-packages/",
)
"""Folder names that by convention hold other people's code. `contrib` and `lib` often hold a project's own.

So does `submodules` where its files are the repository's: what git holds as a submodule is not entered in any case.
"""


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
    `rocm`: the ROCm release aimed at.
    `arch`: the GPU architectures aimed at, such as `gfx942`.
    `wave`: `logical32` keeps groups of 32 lanes on any GPU, `native` writes the full wavefront where that is proved.
    `cuda`: the CUDA release that the source is written for.
    `hip_guards`: macros, beyond the known ones, that are defined only where code is compiled for AMD.
    `outcomes`: the outcomes that `check` reports.
    `fail_on`: the outcomes that make `check` fail; empty means all that it reports.
    `select`: rules or groups of rules that `check` reports; empty means all.
    `ignore`: rules or groups of rules that `check` leaves out; stronger than `select`.
    `per_file_ignores`: globs of files, each with the rules or groups that `check` leaves out there.
    `baseline`: a file of findings that are known, which `check` leaves out.
    `standard`: the C++ standard that `verify` compiles with, where build files do not say it.
    `defines`: macros that `verify` compiles with, beside those of the build files.
    `include_dirs`: folders that `verify` looks for headers in, beside those of the build files.
    `style`: `hip` makes HIP sources, `portable` one source that builds for both vendors, `auto` follows the project.
    `resolve`: whether libclang is asked what tokens leave open: `auto`, `always` or `never`.
    `jobs`: worker processes; 0 means one for each processor core.
    `cache`: keep what each file shows for later runs, in the user's cache folder.
    `scheduler`: address of a Dask cluster that reads the files, such as `tcp://host:8786`; empty for this machine.
    It is given on the command line alone: contents are sent there, so no repository may name it.
    `gpu`: names of GPUs that the estimate is for, such as `mi300x`; empty for those of `arch`.
    `source_gpu`: the NVIDIA GPU that they are compared with, such as `h100`; empty for the usual one of each.
    `verify_time`: seconds that a type check may take, 0 for as long as it needs; files after that are left out.
    `gpu_hours`: GPU-hours a month on the NVIDIA side; 0 where they are not known.
    `day_rate`: what an engineer's day costs; 0 for what the tables of the tool assume.
    `price_from`: what an hour of an NVIDIA GPU costs, with the GPU's name; without one, of that which the first GPU
    aimed at is compared with.
    `price_to`: what an hour of an AMD GPU costs, with the GPU's name; without one, of the first GPU aimed at.
    `tokens_per_second`: tokens of an NVIDIA GPU in a second; 0 where they are not known.
    `memory`: the GB of the model or working set; 0 where they are not known.
    `power_price`: what a kWh costs; 0 where it is in the price of the hour.
    `support`: what a month of support for the AMD side costs; 0 where it is in the price of the hour.
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
    style: str = STYLES[0]
    resolve: str = RESOLVES[0]
    jobs: int = 0
    cache: bool = True
    scheduler: str = ""
    gpu: tuple[str, ...] = ()
    source_gpu: str = ""
    verify_time: float = 0.0
    gpu_hours: float = 0.0
    price_from: tuple[tuple[str, float], ...] = ()
    price_to: tuple[tuple[str, float], ...] = ()
    day_rate: float = 0.0
    tokens_per_second: float = 0.0
    memory: float = 0.0
    power_price: float = 0.0
    support: float = 0.0
    folder: str = ""


def load(start: Path) -> Config:
    """The configuration that holds for `start`, a folder or a file; the defaults where no file has one.

    Raises ConfigError for a file that cannot be read, a key that is not known, or a value of the wrong kind.
    """
    start = start.absolute()
    for folder in _folders(start if start.is_dir() else start.parent):
        own, shared = _own(folder / OWN_FILE), _shared(folder / SHARED_FILE)
        if own is not None and shared is not None:
            raise ConfigError(f"{folder}: settings are in both {OWN_FILE} and {SHARED_FILE}; keep one of them.")
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
        if name not in SETTINGS:
            raise ConfigError(f"There is no setting `{name}`.")
    checked: dict[str, Any] = {
        name: _checked(f"--{key_of(name)}", name, list(value) if isinstance(value, tuple) else value, Path.cwd())
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
        return bounded_files.regular(file, _LARGEST)
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
    except RecursionError:
        raise ConfigError(f"{file}: nests deeper than can be read.") from None


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
        if name in TYPED_ONLY:
            raise ConfigError(f"{file}: `{key}` is given on the command line alone: a repository names no machine.")
        if name not in SETTINGS or key != key_of(name):
            raise ConfigError(f"{file}: unknown key `{key:.80}`{_nearest(key[:80])}")
        values[name] = _checked(str(file), name, value, file.parent)
    return Config(**values, folder=str(file.parent))


def _nearest(key: str) -> str:
    known = [key_of(name) for name in SETTINGS if name not in TYPED_ONLY]
    import difflib  # only where a key is wrong

    close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else f"; known keys are {', '.join(sorted(known))}."


def _checked(where: str, name: str, value: object, folder: Path) -> Any:
    """The value as `Config` holds it; `where` is a file, or the option itself."""
    subject = where if where.startswith("--") else f"{where}: `{key_of(name)}`"
    checked = SETTINGS[name].check(subject, value)
    if name in ("rules", "include_dirs"):
        return tuple(_path(folder, path) for path in checked)
    return _path(folder, checked) if name == "baseline" and checked else checked


def _path(folder: Path, written: str) -> str:
    """An absolute path of what is written relative to `folder` or to a home folder."""
    return os.path.normpath(folder / os.path.expanduser(written))
