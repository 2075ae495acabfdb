"""The result of a file that shows nothing is a `FileResult` to whoever asks, and takes a quarter of the memory."""

from __future__ import annotations

import pickle
from dataclasses import replace as standard
from sys import getsizeof

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult, Skip
from cudamigrate.model.plain_result import PlainResult, as_plain, plain, said

WHOLE = FileResult("a.h", "cxx", 3, 40, cuda=False)


def test_it_says_of_itself_what_the_whole_one_says() -> None:
    one = as_plain("a.h", "cxx", 3, 40)
    assert type(one) is PlainResult and isinstance(one, FileResult) and one.__class__ is FileResult
    assert [one, WHOLE] == [WHOLE, one] and hash(one) == hash(WHOLE) and repr(one) == repr(WHOLE)
    assert all(getattr(one, name) == getattr(WHOLE, name) for name in (*FileResult.__match_args__, "lacking"))
    assert one != as_plain("a.h", "cxx", 4, 40) and one != replace(WHOLE, kernels=1) and one != "a.h"
    assert getsizeof(one) * 3 < getsizeof(WHOLE)


def test_a_copy_with_other_values_is_a_whole_one() -> None:
    one = as_plain("a.h", "cxx", 3, 40)
    for copied in (replace(one, kernels=2), standard(one, kernels=2)):
        assert type(copied) is FileResult and copied == replace(WHOLE, kernels=2)


def test_it_travels_as_it_is() -> None:
    again = pickle.loads(pickle.dumps(as_plain("a.h", "cxx", 3, 40)))
    assert type(again) is PlainResult and again == WHOLE
    assert len(pickle.dumps([again] * 2 + [as_plain(str(n), "cxx", n, n) for n in range(50)])) < 3000


def test_only_what_shows_nothing_becomes_one() -> None:
    assert type(plain(WHOLE)) is PlainResult and plain(WHOLE) == WHOLE and said(WHOLE) == ("a.h", "cxx", 3, 40)
    assert said(plain(WHOLE)) == said(WHOLE)
    skip = Skip("a.h", "limit", "too much")
    changes = ({"cuda": True}, {"skip": skip}, {"builds": frozenset(("cuda",))}, {"ported": 1}, {"enclosed": ("b.h",)})
    for odd in (replace(WHOLE, **change) for change in changes):
        assert plain(odd) is odd and said(odd) is None
