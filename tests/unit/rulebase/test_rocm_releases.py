"""What was published for which release: the newest that fits, and nothing where nothing does."""

import pytest

from cudamigrate.model import release
from cudamigrate.rulebase.rocm_releases import image, table, torch_index


@pytest.mark.parametrize(
    ("rocm", "clauses", "index"),
    [
        ("10.1", [], "7.14"),
        ("7.2", [], "7.2"),
        ("7.1", [], "7.1"),
        ("6.2", [], "6.2"),
        ("6.2", [("==", "2.4.1")], "6.1"),
        ("10.1", [("==", "2.4.1")], ""),
        ("10.1", [("==", "2.11.0")], "7.2"),
        ("10.1", [(">=", "2.10"), ("<", "2.11")], "7.1"),
        ("10.1", [("==", "2.14.0rc1")], ""),
        ("10.1", [("~=", "2.11")], "7.14"),
        ("10.1", [("~=", "2.11.0")], "7.2"),
        ("5.7", [("==", "2.2.0")], "5.7"),
        ("10.1", [("==", "2.11.77")], ""),
        ("10.1", [("=", "2.11")], "7.2"),
        ("10.1", [("==", "2.11.*")], "7.2"),
        ("10.1", [("==", "2.11.0+cu130")], "7.2"),
        ("10.1", [("<", "2.11.1"), (">", "2.10.9")], "7.2"),
        ("10.1", [("<", "2.11"), (">", "2.10.9")], ""),
        ("10.1", [("==", "newest")], ""),
    ],
)
def test_index_is_the_newest_of_the_same_hip_that_has_the_torch(
    rocm: str, clauses: list[tuple[str, str]], index: str
) -> None:
    assert torch_index(rocm, clauses) == index


@pytest.mark.parametrize(
    ("rocm", "kind", "name"),
    [
        ("10.1", "ubuntu24.04", "rocm/dev-ubuntu-24.04:10.1.0-full"),
        ("10.1", "ubuntu22.04", "rocm/dev-ubuntu-22.04:10.0.0-full"),
        ("7.13", "ubuntu24.04", "rocm/dev-ubuntu-24.04:7.2-complete"),
        ("10.1", "ubuntu18.04", ""),
        ("6.1", "ubuntu24.04", ""),
    ],
)
def test_image_is_the_newest_of_the_same_release(rocm: str, kind: str, name: str) -> None:
    assert image(rocm, kind, True) == name


def test_base_image_goes_without_the_libraries() -> None:
    assert image("7.2", "ubuntu24.04", False) == "rocm/dev-ubuntu-24.04:7.2"


def test_every_row_is_of_a_release() -> None:
    rows = [*table()["torch"], *(key for images in table()["images"].values() for key in images)]
    assert all(len(release(row)) >= 2 for row in rows)


def test_every_vision_release_belongs_to_a_torch_that_is_listed() -> None:
    listed = {series for versions in table()["torch"].values() for series in versions}
    assert set(table()["torchvision"].values()) <= listed
