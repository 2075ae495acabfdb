"""The mutex of CUB's caching allocator."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CUB = "#include <cub/util_allocator.cuh>\n"
POOL = CUB + "class Pool : public cub::CachingDeviceAllocator { void take(); };\n"
LOCKED = "mutex.Lock(); work(); mutex.Unlock();"


def made(root: Path, files: dict[str, str]) -> str:
    """`a.cpp` as converted."""
    written(root, files)
    done = pipeline.apply(root, Config(jobs=1, cache=False))
    return next((one.after.decode() for one in done.conversions if one.path == "a.cpp"), files["a.cpp"])


@pytest.mark.parametrize(
    "text",
    [
        f'#include "pool.h"\nvoid Pool::take() {{ {LOCKED} }}\n',
        f'#include "pool.h"\nvoid Pool::take() {{ {LOCKED.replace("mutex", "this->mutex")} }}\n',
        f"{CUB}void f(cub::CachingDeviceAllocator &pool) {{ {LOCKED.replace('mutex', 'pool.mutex')} }}\n",
        f"{CUB}cub::CachingDeviceAllocator pool(8);\nvoid f() {{ {LOCKED.replace('mutex', 'pool.mutex')} }}\n",
        f"{CUB}struct More : cub::CachingDeviceAllocator {{ void f() {{ {LOCKED} }} }};\n",
    ],
)
def test_the_mutex_of_an_allocator(tmp_path: Path, text: str) -> None:
    after = made(tmp_path, {"pool.h": POOL, "a.cpp": text})
    assert "mutex.lock()" in after and "mutex.unlock()" in after and "ock();" in after and "Lock" not in after


@pytest.mark.parametrize(
    "text",
    [
        f'#include "pool.h"\nvoid Other::take() {{ {LOCKED} }}\n',
        f'#include "pool.h"\nvoid Pool::take() {{ Own mutex; {LOCKED} }}\n',
        f'#include "pool.h"\nvoid Pool::take(Own o) {{ {LOCKED.replace("mutex", "o.mutex")} }}\n',
        f"{CUB}struct More : cub::CachingDeviceAllocator {{ Own mutex; void f() {{ {LOCKED} }} }};\n",
        f"struct CachingDeviceAllocator {{ Own mutex; void f() {{ {LOCKED} }} }};\n",
    ],
)
def test_another_mutex(tmp_path: Path, text: str) -> None:
    assert "mutex.Lock()" in made(tmp_path, {"pool.h": POOL, "a.cpp": text})


def test_a_finding_at_each_call_that_says_the_name(tmp_path: Path) -> None:
    written(tmp_path, {"a.cpp": f"{CUB}struct More : cub::CachingDeviceAllocator {{ void f() {{ {LOCKED} }} }};\n"})
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "library/cub-mutex"]
    assert [one.excerpt for one in found] == [found[0].excerpt] * 2
    assert ["`lock()`" in found[0].message, "`unlock()`" in found[1].message] == [True, True]
