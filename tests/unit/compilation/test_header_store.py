"""HIP's headers out of a wheel: only what is known and unharmed is kept."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from cudamigrate.compilation import header_store, toolchain
from cudamigrate.errors import InputError

PREFIX = "triton/backends/amd/include/"
VERSION = b"#define HIP_VERSION_MAJOR 7\n#define HIP_VERSION_MINOR 1\n"
FILES = {f"{PREFIX}hip/hip_version.h": VERSION, f"{PREFIX}hip/hip_runtime.h": b"// runtime\n"}


def sha(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def wheel(folder: Path, **harmed: bytes) -> tuple[str, header_store.Wheel]:
    """The address of a wheel, some of its files other than RECORD says, and the row that the table would have."""
    path = folder / "triton.whl"
    rows = [f"{name},{sha(data)}" for name, data in sorted(FILES.items())]
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in FILES.items():
            archive.writestr(name, harmed.get(name.rpartition("/")[2].partition(".")[0], data))
        archive.writestr("triton/other.py", "1")
        record = "\n".join([*(f"{row},1" for row in rows), "triton/other.py,,", "../outside.h,sha256=x,1"])
        archive.writestr("triton-1.0.dist-info/RECORD", record)
    digest = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    return path.as_uri(), header_store.Wheel("7.1", "triton", "1.0", 2, 10, 5, 20, digest)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "cudamigrate" / "headers"


def offered(monkeypatch: pytest.MonkeyPatch, url: str, row: header_store.Wheel) -> header_store.Wheel:
    monkeypatch.setattr(header_store, "_url", lambda wheel: url)
    monkeypatch.setattr(header_store, "wheels", lambda: [row])
    return row


def test_headers_are_fetched_found_and_removed(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = offered(monkeypatch, *wheel(tmp_path))
    assert list(header_store.installed()) == []
    folder = header_store.install(row)
    assert sorted(path.name for path in folder.rglob("*.h")) == ["hip_runtime.h", "hip_version.h"]
    assert [str(folder) in found.folders for found in toolchain._fetched()] == [True]
    assert header_store.install(row) == folder
    assert header_store.remove() == [folder.parent]
    assert list(cache.iterdir()) == [] and header_store.remove() == []


def test_a_file_that_is_not_as_recorded_is_refused(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = offered(monkeypatch, *wheel(tmp_path, hip_runtime=b"// another\n"))
    with pytest.raises(InputError, match=r"hip_runtime\.h has another hash"):
        header_store.install(row)
    assert list(cache.iterdir()) == []


def test_headers_other_than_the_known_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, row = wheel(tmp_path)
    row = offered(monkeypatch, url, replace(row, digest="0" * 64))
    with pytest.raises(InputError, match="other headers than the known ones"):
        header_store.install(row)


def test_the_nearest_release_is_fetched() -> None:
    assert [header_store.nearest(rocm).hip for rocm in ("6.1", "6.3", "7.2", "10.0")] == ["6.1", "6.2", "7.1", "7.1"]


def test_a_python_that_cannot_be_run_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header_store.sys, "executable", "/nowhere/python")
    with pytest.raises(InputError, match="pip cannot be run by /nowhere/python"):
        header_store._url(header_store.wheels()[0])


def test_a_missing_pip_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "/env/bin/python: No module named pip\n"
    monkeypatch.setattr(header_store.subprocess, "run", lambda *given, **more: type("Done", (), {"stderr": said}))
    with pytest.raises(InputError, match=r"looked up by pip, which `cudamigrate\[clang\]` brings"):
        header_store._url(header_store.wheels()[0])


def test_pips_configuration_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "global.proxy='http://one:1'\n:env:.cert='/etc/a=b.pem'\n:env:.proxy='http://two:2'\n"
    monkeypatch.setattr(header_store.subprocess, "run", lambda *given, **more: type("Done", (), {"stdout": said}))
    proxies = {"http": "http://two:2", "https": "http://two:2"}
    assert header_store._connection() == {"timeout": 120, "verify": "/etc/a=b.pem", "proxies": proxies}


def test_no_module_of_the_current_folder_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m pip` would take `pip.py` of the folder that it is started in: a repository, often."""
    (tmp_path / "pip.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    assert "timeout" in header_store._connection()
    with pytest.raises(InputError, match="no wheel"):
        header_store._url(header_store.Wheel("7.1", "no-such-project-of-anybody", "1", 0, 0, 0, 0, ""))
    assert not (tmp_path / "ran").exists()
