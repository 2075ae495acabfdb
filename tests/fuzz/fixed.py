"""The same hostile inputs in every run: `python -m tests.fuzz.fixed [TARGET...]`.

Each target gets inputs that are made of the fixtures by a generator with a fixed seed: pieces cut, doubled, nested and
spliced with words that its reader gives a meaning, up to 100 KB. Nothing depends on the clock, on the machine or on
what the code does, so a run fails where the code has become wrong and never by chance. Fresh draws, which find what
nobody thought of, are `python -m tests.fuzz MINUTES`.
"""

from __future__ import annotations

import random
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.fuzz import targets
from tests.fuzz.__main__ import seed_files
from tests.fuzz.words import WORDS

SIZES = (200, 1_000, 4_000, 20_000, targets.LONGEST)
"""Bytes of an input at most, in turn: one in five is long."""
COUNT = 300
"""Inputs of a target, about a minute for all targets together."""
_MORE = {
    "cuda": 600,
    "make": 200,
    "shell": 200,
    **dict.fromkeys(("ptx", "patch", "report", "config", "rules"), 3_000),
}
_LONG = ("cuda", "make", "python", "shell")
"""Targets that take longest."""
LONGEST = 60
"""Seconds of processor time that no input takes: it is a crash."""


def inputs(name: str, count: int) -> Iterator[bytes]:
    """The inputs of a target."""
    draw = random.Random(f"cudamigrate {name}")
    seeds = [path.read_bytes() for path in seed_files(name)] or [b"\n".join(WORDS)]
    for number in range(count):
        data = draw.choice(seeds)
        for _ in range(draw.randrange(1, 12)):
            data = changed(data, draw, draw.choice(seeds))
        size = SIZES[number % len(SIZES)]
        yield data[:size] if draw.random() < 0.5 else data[-size:]


def changed(data: bytes, draw: random.Random, other: bytes) -> bytes:
    """Some bytes with one change."""
    start, end = sorted(draw.randrange(len(data) + 1) for _ in range(2))
    piece, word = data[start:end][:2_000], draw.choice(WORDS)
    kind = draw.randrange(7)
    if kind == 0:
        made = word
    elif kind == 1:
        made = b""
    elif kind == 2:
        made = piece * draw.choice((2, 3, 50))
    elif kind == 3:
        made = word * draw.choice((2, 40, 4_000)) + piece
    elif kind == 4:
        at = draw.randrange(len(other) + 1)
        made = other[at : at + draw.randrange(1, 3_000)]
    elif kind == 5:
        made = bytes(draw.randrange(256) for _ in range(draw.randrange(1, 9)))
    else:
        made = word + piece + word
    return (data[:start] + made + data[end:])[: targets.LONGEST]


def tried(name: str, count: int) -> int:
    """Run the inputs of a target; how many of them crashed it."""
    crashes, started = 0, time.process_time()
    for number, data in enumerate(inputs(name, count)):
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
        try:
            targets.run(name, data)
        except BaseException:  # noqa: BLE001 - whatever it is, it is a crash
            crashes += 1
            print(f"{name}: input {number} of {len(data)} bytes\n{traceback.format_exc(limit=-3)}", flush=True)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    print(f"{name}: {count} inputs, {crashes} crashes, {time.process_time() - started:.1f} s", flush=True)
    return crashes


def _expired(*_: object) -> None:
    raise TimeoutError(f"takes more than {LONGEST} seconds of processor time")


def _tried(name: str) -> int:
    """The same in a process of its own."""
    signal.signal(signal.SIGVTALRM, _expired)
    return tried(name, _MORE.get(name, COUNT))


def main(words: list[str]) -> int:
    """Run all targets, or those that are named, on all cores, the longest first."""
    names = sorted(words or targets.TARGETS, key=lambda name: name not in _LONG)
    with ProcessPoolExecutor() as pool:
        return min(1, sum(pool.map(_tried, names)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
