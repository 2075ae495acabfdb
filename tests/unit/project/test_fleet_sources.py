"""Lists of repositories, and what is unpacked or cloned of them: nothing leaves its folder."""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from cudamigrate.errors import InputError
from cudamigrate.project import fleet_sources
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
    [("", "names no repository"), ("a gpu-hours=many", "takes a number"), ("--upload-pack=x", "is not a folder")],
)
def test_what_is_wrong_with_a_list_is_said(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "list.txt").write_text(text)
    with pytest.raises(InputError, match=said):
        listed(tmp_path / "list.txt")


def test_names_are_plain_file_names(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("https://example.com/..%2f..\nx/a b;c\nfile:///\n")
    names = [one.name for one in listed(tmp_path / "list.txt")]
    assert all(name == Path(name).name and not name.startswith((".", "-")) for name in names)


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
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["work", "x.tar", "y.zip"]


def test_the_size_of_an_archive_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet_sources, "LARGEST", 1000)
    monkeypatch.setattr(fleet_sources, "MOST", 2)
    packed(tmp_path / "a.tgz", ("a", b"x" * 900), ("b", b"x" * 900))
    packed(tmp_path / "b.tgz", ("a", b""), ("b", b""), ("c", b""))
    with zipfile.ZipFile(tmp_path / "c.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"0" * 100_000)
    for name in ("a.tgz", "b.tgz", "c.zip"):
        with pytest.raises(InputError, match="more than"), opened(FleetSource("x", str(tmp_path / name))):
            pass


@pytest.mark.parametrize("name", ["x.zip", "x.tar.gz", "gone.zip", "folder"])
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str) -> None:
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
