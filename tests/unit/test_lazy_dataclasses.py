"""Classes whose methods are made when first used do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys

import pytest

from cudamigrate import lazy_dataclasses as lazy


@lazy.dataclass(frozen=True, slots=True, order=True)
class Point:
    x: int
    y: int = 2
    words: tuple[str, ...] = lazy.field(default_factory=tuple, compare=False)


@lazy.dataclass(slots=True, kw_only=True)
class Base:
    kept: dict[str, int] = lazy.field(default_factory=dict, repr=False, compare=False)


@lazy.dataclass(slots=True)
class Child(Base):
    name: str
    size: int = lazy.field(init=False, default=3)

    def __post_init__(self) -> None:
        self.size = len(self.name)


@lazy.dataclass(frozen=True)
class Open:
    value: int = 1


@dataclasses.dataclass(frozen=True)
class Standard(Open):
    more: str = ""


def test_instances_compare_hash_and_show_as_standard_ones_do() -> None:
    one = Point(1)
    assert (one.x, one.y, one.words) == (1, 2, ()) and one == Point(x=1, y=2, words=("not compared",))
    assert one != (1, 2) and hash(one) == hash(Point(1, 2)) and one < Point(2) <= Point(2, 2)
    assert repr(one) == "Point(x=1, y=2, words=())"
    assert repr(Child("abc")) == "Child(name='abc', size=3)" and Child("abc").kept is not Child("abc").kept
    with pytest.raises(TypeError, match="unhashable"):
        hash(Child("abc"))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Child("a", {})  # type: ignore[misc]


def test_frozen_ones_stay_as_they_are() -> None:
    for one, name in ((Point(1), "x"), (Open(), "value")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(one, name, 3)
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(one, name)
    with pytest.raises(AttributeError):
        Child("a").unknown = 1  # type: ignore[attr-defined]


def test_copies_travel() -> None:
    one = Point(1, 5, ("a",))
    for made in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), dataclasses.replace(one), lazy.replace(one)):
        assert made == one and made.words == one.words
    assert lazy.replace(one, y=7) == Point(1, 7) and lazy.replace(Standard(2), more="x") == Standard(2, "x")
    assert lazy.replace(Child("abc"), name="ab").size == 2


def test_the_standard_library_sees_its_own() -> None:
    assert [field.name for field in dataclasses.fields(Child)] == ["kept", "name", "size"]
    assert dataclasses.asdict(Point(1, words=("a",))) == {"x": 1, "y": 2, "words": ("a",)}
    assert dataclasses.is_dataclass(Point) and dataclasses.fields(Point)[2].default_factory is tuple
    assert Standard(3, "a") == Standard(3, "a") and dataclasses.asdict(Standard()) == {"value": 1, "more": ""}
    with pytest.raises(TypeError, match="dataclass of the standard library"):
        lazy.dataclass(type("Wrong", (Standard,), {"__annotations__": {"z": "int"}}))


def test_check_imports_nothing_that_takes_long(tmp_path) -> None:
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 4); }\n")
    slow = (
        "dataclasses",
        "inspect",
        "hashlib",
        "typer",
        "rich",
        "msgspec",
        "jinja2",
        "git",
        "tomli",
        "pathspec",
        "json",
    )
    code = (
        "import sys\nfrom cudamigrate import __main__\nsys.argv[1:] = ['check', 'a.cu']\n"
        "try:\n    __main__.main()\nexcept SystemExit as end:\n    print(end.code)\n"
        f"print([name for name in {slow!r} if name in sys.modules])"
    )
    for _ in range(2):  # the first makes the tables that a wheel carries
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == ["1", "[]"], done.stderr
