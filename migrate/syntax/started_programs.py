"""The programs that a command starts: its first word, and those behind programs that start others.

`sudo -u root mpirun -n 2 nsys profile ./app` starts four. What is set for one alone is passed over: `CUDA_CACHE=1 ncu`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span

WRAPPERS = {
    "command", "doas", "env", "exec", "hash", "ionice", "mpiexec", "mpirun", "nice", "nohup", "numactl", "setsid",
    "srun", "ssh", "stdbuf", "strace", "sudo", "taskset", "time", "timeout", "type", "watch", "which", "xargs",
}  # fmt: skip
"""Commands that take another command, or its name."""
_VALUED = {
    "sudo": ("-u", "-g", "-p"), "doas": ("-u",), "env": ("-u",), "timeout": ("-s", "-k"), "nice": ("-n",),
    "srun": ("-p", "-A", "-J", "-w", "-x", "-o", "-e", "-D", "-C", "-G", "--gres", "--constraint", "--partition"),
    "ssh": ("-l", "-i", "-p"),
}  # fmt: skip
"""Their options that take the next word, which is no command: `sudo -u root nvcc`."""
_COMMAND = re.compile(r"[A-Za-z_/][\w./+-]*")
_SETS = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
TOOLS = frozenset(
    (
        *("nsys", "ncu", "nvprof", "nsight-sys", "nv-nsight-cu-cli", "nsys-ui", "ncu-ui", "nvvp", "dlprof"),
        *("compute-sanitizer", "cuda-memcheck", "cuda-gdb"),
    )
)
"""NVIDIA's tools that run a program, to measure it or to look for its faults; their rules are on commands."""


def behind(texts: Sequence[str], at: int) -> int:
    """The place of the command that the one at `at` starts, which takes another; the number of words where none is."""
    wrapper = texts[at].rpartition("/")[2]
    at += 1
    while at < len(texts) and (_COMMAND.fullmatch(texts[at]) is None or texts[at] == wrapper):
        at += 2 if texts[at] in _VALUED.get(wrapper, ()) else 1
    return at


def started(texts: Sequence[str]) -> Iterator[int]:
    """The places of the programs in the words of one command."""
    at = 0
    while at < len(texts) and _SETS.fullmatch(texts[at]):
        at += 1
    while at < len(texts):
        yield at
        if texts[at].rpartition("/")[2] not in WRAPPERS:
            return
        at = behind(texts, at)


def tool(texts: Sequence[str], spans: Sequence[Span]) -> tuple[str, Span] | None:
    """The one of `TOOLS` that a command starts, by its name or an absolute path, and where its name is.

    One below the folder that the command is run in is the project's own: `./ncu`.
    """
    for at in started(texts):
        folder, _, name = texts[at].rpartition("/")
        if name in TOOLS and folder[:1] in ("", "/", "$"):
            return name, Span(spans[at].end - len(name), spans[at].end)
    return None
