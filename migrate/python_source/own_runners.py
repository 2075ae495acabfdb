"""Functions of a Python text that run a command which they are given: `def build(line): os.system(line)`.

Result: for the name of such a function, which of its parameters are the command.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.python_source.source import PySource, arguments, enclosing, parameters

RUNS = re.compile(
    rb"(?:subprocess|sp|os|shutil|sysconfig|asyncio)\s*\.\s*(?:run|call|check_call|check_output|Popen|getoutput"
    rb"|getstatusoutput|system|popen|which|create_subprocess_\w+)$|(?:^|[._])(?:run|which|check_output|check_call|Popen"
    rb"|system|getoutput|find_executable|set_executables?|run_command|run_cmd|execute|exec_cmd|_join_cuda_home)$"
)
"""What is called to run or seek a program: `subprocess.run`, or a project's own by its last word: `self.run_cmd`."""
_SPLITS = frozenset((b"shlex.split", b"split"))
_ROUNDS = 4
"""Functions that pass a command on to one another which are followed."""
Runners = Mapping[bytes, frozenset[int]]


def runs(py: PySource, call: Node, given: Node) -> bool:
    """Whether a call runs, or seeks, the program that an argument of it names."""
    called = _called(py, call)
    if RUNS.search(called) is not None:
        return True
    known = py.kept.get("runners")
    if known is None:
        known = py.kept["runners"] = _runners(py)
    return _place(py, call, given) in known.get(called.rpartition(b".")[2], ())


def _runners(py: PySource) -> Runners:
    found = dict[bytes, frozenset[int]]()
    for _ in range(_ROUNDS):
        before = dict(found)
        for call in py.kind("call"):
            for name, place in _passed(py, call, found):
                found[name] = found.get(name, frozenset()) | {place}
        if found == before:
            break
    return found


def _passed(py: PySource, call: Node, known: Runners) -> Iterator[tuple[bytes, int]]:
    """The function around a call that runs something, by its name and the place of the parameter that is run."""
    called = _called(py, call)
    own = known.get(called.rpartition(b".")[2])
    given = arguments(call)
    if own is None and RUNS.search(called) is None:
        return
    around = enclosing(call, "function_definition")
    name = around.child_by_field_name("name") if around is not None else None
    listed = around.child_by_field_name("parameters") if around is not None else None
    if name is None or listed is None:
        return
    names = [py.raw(one) for one in parameters(listed)]
    for one in given[:1] if own is None else given:
        if own is None or _place(py, call, one) in own:
            value = py.raw(_whole(py, one))
            yield from [(py.raw(name), names.index(value))] if value in names else []


def _called(py: PySource, call: Node) -> bytes:
    function = call.child_by_field_name("function")
    return py.raw(function) if function is not None else b""


def _whole(py: PySource, argument: Node) -> Node:
    """The command that an argument has, also where it is parted into words: `shlex.split(line)`, `line.split()`."""
    if argument.type == "keyword_argument":
        argument = argument.child_by_field_name("value") or argument
    function = argument.child_by_field_name("function")
    if function is None:
        return argument
    words = arguments(argument)
    if py.raw(function) in _SPLITS:
        return words[0] if words else argument
    return function.child_by_field_name("object") or argument if py.raw(function).endswith(b".split") else argument


def _place(py: PySource, call: Node, given: Node) -> int:
    """The place of an argument among the parameters of a function of the text: behind the object of a method."""
    function = call.child_by_field_name("function")
    first = 1 if function is not None and function.type == "attribute" else 0
    return next((at for at, one in enumerate(arguments(call), first) if one == given), -1)
