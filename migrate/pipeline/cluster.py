"""Files inspected on a Dask cluster: their contents go there with the tasks, and the results come back in order.

Nothing is shared with the workers but the program itself: the bytes of the files, the Makefiles read with them and the
rules that a user added travel. A task whose worker is lost is done again by another; one that costs several workers is
done here. On each worker, files are read by processes with the limits that they have here, so the report is the same.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cudamigrate import parallel
from cudamigrate.errors import InputError, MigrateError
from cudamigrate.model import FileEntry, FileResult, Skip, SourceFile
from cudamigrate.project import discovery
from cudamigrate.project.file_access import read_linked
from cudamigrate.shipped_data import rules_folder

if TYPE_CHECKING:
    from cudamigrate.pipeline.inspect_tree import Inspector

FILES, BYTES = 64, 1 << 20
"""How much a task holds at most: a task costs about half a second beside the files."""
_AHEAD = 3
"""Tasks for each thread of the cluster that are under way at once: so much is held in memory here."""
_PATIENCE = "15s"


class ClusterError(InputError):
    """The cluster cannot be used: it is not there, or runs another version."""


def run(work: Inspector, entries: Sequence[FileEntry], scheduler: str) -> Iterator[tuple[bytes, FileResult]]:
    """The digest and the result of each entry, in order. Raises ClusterError."""
    try:
        import distributed
    except ImportError:
        raise ClusterError("--scheduler needs Dask: pip install 'cudamigrate[cluster]'") from None
    try:
        client: Any = distributed.Client(scheduler, timeout=_PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    with client:
        threads = max(1, sum(client.nthreads().values()))
        under_way: deque[tuple[Any, bytes]] = deque()
        for parcel in _parcels(work, entries):
            under_way.append((client.submit(answer, parcel, pure=False), parcel))
            if len(under_way) >= threads * _AHEAD:
                yield from _results(*under_way.popleft(), distributed.KilledWorker)
        while under_way:
            yield from _results(*under_way.popleft(), distributed.KilledWorker)


def _results(future: Any, parcel: bytes, killed: type[Exception]) -> Iterator[tuple[bytes, FileResult]]:
    from cudamigrate.pipeline.cached_work import loaded

    try:
        given = future.result()
    except killed:
        given = answer(parcel)  # it costs one worker after the other: here its files have limits too
    found = loaded(given)
    if found is None:
        raise ClusterError("a worker of the cluster sent what is no result")
    said, results = found[0]
    if said:
        raise ClusterError(said)
    yield from results


def _parcels(work: Inspector, entries: Sequence[FileEntry]) -> Iterator[bytes]:
    """Tasks: what is needed to inspect some files."""
    rules = _given(work.book.extra)
    sources: list[SourceFile | tuple[FileEntry, Skip]] = []
    sizes = 0
    for entry in entries:
        source = discovery.read(work.root, entry)
        sources.append(source if isinstance(source, SourceFile) else (entry, source))
        sizes += entry.size
        if len(sources) >= FILES or sizes >= BYTES:
            yield _parcel(work, rules, sources)
            sources, sizes = [], 0
    if sources:
        yield _parcel(work, rules, sources)


def _parcel(
    work: Inspector, rules: list[dict[str, bytes]], sources: list[SourceFile | tuple[FileEntry, Skip]]
) -> bytes:
    read = [one for one in sources if isinstance(one, SourceFile)]
    near = {one.path: work.families[one.path] for one in read if one.path in work.families}
    waves = {one.path: work.waves[one.path] for one in read if one.path in work.waves}
    options = (work.guards, work.debug, work.clues is not None, waves)
    files = [one if isinstance(one, tuple) else (one.path, one.data, one.language) for one in sources]
    return pickle.dumps((contents(), work.book.goal, rules, options, near, files), 5)


def _given(paths: Sequence[str]) -> list[dict[str, bytes]]:
    """The rule files that a user added: for each file or folder the bytes by relative path."""
    found = []
    for path in map(Path, paths):
        inside = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        found.append({str(one.relative_to(path)) if one != path else "": read_linked(one) for one in inside})
    return found


def answer(parcel: bytes) -> bytes:
    """What a worker of the cluster does with a task: a process of its own, with limits for each file, does it."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "cudamigrate.pipeline.cluster"]
    done = subprocess.run(command, input=parcel, capture_output=True, env=env, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return pickle.dumps((f"a worker of the cluster failed: {said[0]}", ()), 5)
    return done.stdout


def _inspected(parcel: bytes) -> tuple[str, tuple[tuple[bytes, FileResult], ...]]:
    """The results of a task; or what is wrong."""
    said, goal, rules, (guards, debug, clues, waves), near, files = pickle.loads(parcel)
    if said != contents():
        return "a worker of the cluster runs another version of cudamigrate; install the same one", ()
    from cudamigrate import estimate
    from cudamigrate.pipeline.cached_work import digest
    from cudamigrate.pipeline.inspect_tree import Inspector
    from cudamigrate.pipeline.rule_base import code_rules

    with tempfile.TemporaryDirectory(prefix="cudamigrate-rules-") as folder:
        book = code_rules(goal, _written(Path(folder), rules))
        work = Inspector(Path(folder), book, guards, debug, estimate.reader() if clues else None, None, near, waves)
        sources = [SourceFile(*one) for one in files if len(one) == 3]

        def lost(source: SourceFile, reason: str) -> FileResult:
            return work.lost(FileEntry(source.path, source.language, len(source.data)), reason)

        parallel.isolate()
        made = parallel.run(work.of, sources, 1, lost=lost)
        results: list[tuple[bytes, FileResult]] = []
        for one in files:
            if len(one) == 2:
                results.append((b"", work.unread(*one)))
            else:
                result = next(made)
                results.append((digest(one[1]) if work.lasts(result) else b"", result))
    return "", tuple(results)


def _written(folder: Path, rules: list[dict[str, bytes]]) -> tuple[str, ...]:
    """The paths of rules that travelled."""
    paths = []
    for number, files in enumerate(rules):
        top = folder / f"{number}"
        for name, data in files.items():
            path = top / name if name else top.with_suffix(".toml")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        paths.append(str(top.with_suffix(".toml") if "" in files else top))
    return tuple(paths)


@cache
def contents() -> bytes:
    """The digest of this program and its rules, which is the same wherever they are installed."""
    hashed = blake2b(digest_size=20)
    package = Path(__file__).resolve().parent.parent
    for folder, ending in ((package, "*.py"), (rules_folder(), "*.toml")):
        for path in sorted(folder.rglob(ending)):
            hashed.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return hashed.digest()


def main() -> None:  # pragma: no cover - runs in the process of a task
    """Answer one task, from standard input to standard output."""
    try:
        found = _inspected(sys.stdin.buffer.read())
    except MigrateError as error:
        found = (str(error), ())
    sys.stdout.buffer.write(pickle.dumps(found, 5))


if __name__ == "__main__":
    main()
