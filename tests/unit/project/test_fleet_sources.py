"""Lists of repositories, and what is unpacked or cloned of them: nothing leaves its folder."""

from __future__ import annotations

import gzip
import io
import os
import random
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from cudamigrate import parallel
from cudamigrate.errors import InputError
from cudamigrate.project import archives
from cudamigrate.project.fleet_sources import FleetSource, listed, opened


def test_a_list_names_folders_archives_and_addresses(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(
        "# ours\na/one  gpu-hours=2000\n\n../two.tar.gz # packed\nhttps://example.com/x/three.git\n"
        "git@example.com:x/four.git gpu-hours=5\nb/one/\n"
    )
    found = listed(tmp_path / "list.txt")
    assert [one.name for one in found] == ["one", "two", "three", "four", "one-2"]
    assert [one.gpu_hours for one in found] == [2000, 0, 0, 5, 0]
    assert [one.is_address for one in found] == [False, False, True, True, False]
    assert [one.is_archive for one in found] == [False, True, False, False, False]
    assert found[0].place == str(tmp_path / "a/one")


def test_a_folder_stands_for_what_is_in_it(tmp_path: Path) -> None:
    for name in ("b", "a", ".hidden"):
        (tmp_path / name).mkdir()
    for name in ("c.zip", "README.md"):
        (tmp_path / name).write_text("")
    assert [one.name for one in listed(tmp_path)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no repository"),
        ("a gpu-hours=many", "takes a number"),
        ("a gpu-hours=nan", "takes a number"),
        ("a gpu-hours=-5", "takes a number"),
        ("--upload-pack=x", "is not a folder"),
    ],
)
def test_what_is_wrong_with_a_list_is_said(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "list.txt").write_text(text)
    with pytest.raises(InputError, match=said):
        listed(tmp_path / "list.txt")


def test_names_are_plain_file_names(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("https://example.com/..%2f..\nx/a b;c\nfile:///\n")
    names = [one.name for one in listed(tmp_path / "list.txt")]
    assert all(name == Path(name).name and not name.startswith((".", "-")) for name in names)


def test_no_two_have_one_name_and_none_that_of_the_portfolio(tmp_path: Path) -> None:
    lines = ("a", "x/a", "y/a-2", "A", "portfolio", "fleet", "n" * 250, "m/" + "n" * 250)
    (tmp_path / "list.txt").write_text("".join(f"{line}\n" for line in lines))
    names = [one.name for one in listed(tmp_path / "list.txt")]
    assert len({name.lower() for name in names}) == len(lines)
    assert not {"portfolio", "fleet"} & set(names) and max(map(len, names)) < 110


def test_passwords_are_not_shown(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("https://ada:secret@127.0.0.1:9/x.git\nhttps://secret@127.0.0.1:9/y.git\n")
    for source in listed(tmp_path / "list.txt"):
        assert "secret" not in source.shown and source.shown.startswith("https://127.0.0.1:9/")
        with pytest.raises(InputError) as said, opened(source):
            pass
        assert "secret" not in str(said.value)


def test_the_folder_of_the_reports_is_no_repository(tmp_path: Path) -> None:
    for name in ("a", "out"):
        (tmp_path / name).mkdir()
    (tmp_path / "loop.zip").symlink_to("loop.zip")
    assert [one.name for one in listed(tmp_path, tmp_path / "out")] == ["a"]


def packed(path: Path, *members: tuple[str, bytes | None]) -> None:
    """A tar archive; a member without bytes is a link out of the folder."""
    with tarfile.open(path, "w:gz") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            if data is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc"
                archive.addfile(info)
            else:
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))


def test_an_archive_is_unpacked_and_goes_away(tmp_path: Path) -> None:
    packed(tmp_path / "x.tar.gz", ("x-1.0/a.cu", b"1"), ("x-1.0/b/c.cu", b"2"))
    with opened(FleetSource("x", str(tmp_path / "x.tar.gz"))) as folder:
        assert (folder / "a.cu").read_bytes() == b"1" and (folder / "b" / "c.cu").read_bytes() == b"2"
    assert not folder.exists()


HOSTILE = ("../out.cu", "/out.cu", "a/../../out.cu", "C:/out.cu", "..\\out.cu")


def test_nothing_of_an_archive_leaves_its_folder(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    packed(work / "x.tar", ("link", None), ("link/out.cu", b"1"), *((name, b"1") for name in HOSTILE), ("in.cu", b"1"))
    with zipfile.ZipFile(work / "y.zip", "w") as archive:
        for name in (*HOSTILE, "in.cu"):
            archive.writestr(name, b"1")
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc")
    for name in ("x.tar", "y.zip"):
        with opened(FleetSource("x", str(work / name))) as folder:
            inside = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
            assert inside <= {"in.cu", "link/out.cu"} and "in.cu" in inside
            assert not any(path.is_symlink() for path in folder.rglob("*"))
            assert sorted(path.name for path in folder.parent.iterdir()) == ["x"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["work", "x.tar", "y.zip"]


def test_the_size_of_an_archive_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST", 1000)
    monkeypatch.setattr(archives, "MOST", 2)
    packed(tmp_path / "a.tgz", ("a", b"x" * 900), ("b", b"x" * 900))
    packed(tmp_path / "b.tgz", ("a", b""), ("b", b""), ("c", b""))
    with zipfile.ZipFile(tmp_path / "c.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"0" * 100_000)
    for name in ("a.tgz", "b.tgz", "c.zip"):
        with pytest.raises(InputError, match="more than"), opened(FleetSource("x", str(tmp_path / name))):
            pass


@pytest.mark.parametrize("name", ["x.tar", "x.tar.gz", "x.tar.xz", "x.tar.bz2", "x.zip"])
def test_damaged_archives_are_refused_or_read(tmp_path: Path, name: str) -> None:
    draw = random.Random(name)
    if name.endswith(".zip"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("a.cu", draw.randbytes(3000) * 3)
    else:
        with tarfile.open(tmp_path / name, "w" + name[5:].replace(".", ":")) as archive:
            info = tarfile.TarInfo("a.cu")
            info.size, info.pax_headers = 9000, {"size": "9000", "comment": "x"}
            archive.addfile(info, io.BytesIO(draw.randbytes(3000) * 3))
    good, refused = (tmp_path / name).read_bytes(), 0
    for number in range(60):
        data = bytearray(good)
        for _ in range(draw.randrange(1, 6)):
            data[draw.randrange(min(len(data), 2_000) if number % 2 else len(data))] ^= 1 << draw.randrange(8)
        (tmp_path / name).write_bytes(data if number % 7 else data[: draw.randrange(len(data))])
        try:
            with opened(FleetSource("x", str(tmp_path / name))):
                pass
        except InputError:
            refused += 1
    assert refused > 5


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limits are those of Linux")
def test_a_header_is_not_kept_in_memory_whatever_size_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_always", True)
    monkeypatch.setattr(archives, "_LIMITS", parallel.Limits(60, 100 << 20, 60))
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 150 << 20
    with gzip.open(tmp_path / "x.tar.gz", "wb", compresslevel=1) as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT))
        for _ in range(15):
            file.write(bytes(10 << 20))
    with pytest.raises(InputError, match="more memory"), opened(FleetSource("x", str(tmp_path / "x.tar.gz"))):
        pass


@pytest.mark.parametrize("name", ["x.zip", "x.tar.gz", "gone.zip", "folder", "pipe.tar", "zero.tar"])
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str) -> None:
    if name == "pipe.tar":
        os.mkfifo(tmp_path / name)
    if name == "zero.tar":
        (tmp_path / name).symlink_to("/dev/zero")
    if name.startswith("x"):
        (tmp_path / name).write_bytes(b"no archive")
    with pytest.raises(InputError), opened(FleetSource("x", str(tmp_path / name))):
        pass


def test_an_address_is_cloned_without_its_hooks(tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    origin.mkdir()
    (origin / "a.cu").write_text("x")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=origin, check=True)
    with opened(FleetSource("o", f"file://{origin}")) as folder:
        assert (folder / "a.cu").read_text() == "x"
    assert not folder.exists()
    for address in (f"ext::sh -c touch% {tmp_path}/harm", f"file://{tmp_path}/none"):
        source = FleetSource("o", address)
        with pytest.raises(InputError), opened(source):
            pass
    assert not (tmp_path / "harm").exists()
