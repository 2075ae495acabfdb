"""Objects of Makefiles by their whole paths: those with device code to be linked, and the links that take some.

A Makefile that calls make in other folders links what these leave there: `./src/*/*.o`. Which objects both mean is
known by the path alone. A folder that a variable gives counts where the variable has one value.
"""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Iterator, Sequence, Set

from cudamigrate.analysis import makefile_links, makefile_object_names
from cudamigrate.analysis.makefile_links import OBJECT, UNKNOWN, Link, Wanted
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.model import Span

_TARGET = frozenset(("$@", "$(@)", "${@}", "$(@F)", "${@F}"))
"""What a rule makes, as the name of an object in another folder: `-o ../build/$@`."""


def relocated(variables: Variables) -> frozenset[str]:
    """The paths in the tree of the objects whose device code the commands of a Makefile leave to be linked."""
    return frozenset(
        path
        for one in makefile_links.commands(variables)
        if makefile_links.compiles(variables, one)
        for path in _in_tree(variables, makefile_links.outputs(variables, one, _paths))
    )


def taking(variables: Variables, paths: Set[str], stepped: bool) -> Iterator[tuple[Link, str]]:
    """The links of the first Makefile that take an object of another folder among some, each with how it is spelled.

    `lacks_gpus` of a link says that it names no GPU, whatever the other Makefile does. `stepped` says that a Makefile
    makes an object of all device code by `-dlink`; else a linker of the host takes none.
    """
    home = variables.home()
    others = [path for path in paths if posixpath.dirname(path) != home]
    found = list(makefile_links.commands(variables)) if others else []
    for one in found:
        compilers = variables.compiler(one.file, one.span)
        if one.file is not variables.files[0] or not makefile_links.links(one) or not (stepped or "nvcc" in compilers):
            continue
        taken = makefile_links.inputs(variables, one, names=_paths)
        meant = (name for name in sorted(taken) if any(_meets(path, others) for path in _in_tree(variables, {name})))
        name = next(meant, None)
        if name is not None:
            lacks = makefile_links.GPUS.search(one.text) is None
            yield Link(one.file, one.word, compilers == {"nvcc"}, lacks), name


def _paths(variables: Variables, file: Makefile, span: Span, wanted: Wanted) -> set[str]:
    """The paths of objects among some words, with `*` for what is not known of a name."""
    found = (makefile_links.spelled(variables, word) for word in makefile_links.spelled_objects(variables, file, span))
    parts = (word.rpartition("/") for word in found if not word.startswith("-"))
    names = {f"{folder}{slash}{'*.o' if name in _TARGET else UNKNOWN.sub('*', name)}" for folder, slash, name in parts}
    return {name for name in names if any(one.fullmatch(name) for one in wanted)}


def _in_tree(variables: Variables, names: Set[str]) -> Iterator[str]:
    """Paths from the top of the tree, of those whose folder is known and in the tree."""
    for name in names:
        folder = posixpath.dirname(name)
        path = posixpath.normpath(posixpath.join(variables.home(), name))
        if OBJECT.fullmatch(name) and not UNKNOWN.search(folder) and not path.startswith(("..", "/", "(")):
            yield path


def _meets(path: str, others: Sequence[str]) -> bool:
    """Whether a path may be one of others: each folder by itself, as the shell has it."""
    return any(_may_be(path, other) for other in others)


def _may_be(one: str, other: str) -> bool:
    (folder, name), (other_folder, other_name) = posixpath.split(one), posixpath.split(other)
    parts, other_parts = folder.split("/"), other_folder.split("/")
    alike = len(parts) == len(other_parts) and all(map(fnmatch.fnmatchcase, other_parts, parts))
    return alike and makefile_object_names.may_be(name, other_name)
