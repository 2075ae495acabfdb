"""Parameters of a file's functions -> what the calls in the same file give them, and their defaults."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.python_source.source import PySource, argument, enclosing

_METHODS = (b"self", b"cls")
"""First parameters that a call of a method does not give."""
_DEFAULTS = ("default_parameter", "typed_default_parameter")


def function_of(py: PySource, use: Node) -> Node | None:
    """The function around a name that is one of its parameters; None where it is none."""
    function = enclosing(use, "function_definition")
    return function if function is not None and py.raw(use) in _names(py, function) else None


def given(py: PySource, function: Node, parameter: bytes) -> Iterator[Node]:
    """The expressions that one parameter of a function may stand for."""
    names, called = _names(py, function), function.child_by_field_name("name")
    at = names.index(parameter)
    declared = _parameters(function)[at]
    default = declared.child_by_field_name("value") if declared.type in _DEFAULTS else None
    yield from () if default is None else (default,)
    for call in _calls(py, py.raw(called)) if called is not None else ():
        value = argument(py, call, at - (names[0] in _METHODS), parameter.decode("utf-8", "replace"))
        yield from () if value is None else (value,)


def _parameters(function: Node) -> list[Node]:
    listed = function.child_by_field_name("parameters")
    return listed.named_children if listed is not None else []


def _names(py: PySource, function: Node) -> list[bytes]:
    """The names of all parameters, without their types and defaults."""
    return [py.raw(_name(one)) for one in _parameters(function)]


def _name(declared: Node) -> Node:
    while declared.type != "identifier" and declared.named_child_count:
        declared = declared.named_children[0]
    return declared


def _calls(py: PySource, name: bytes) -> Iterator[Node]:
    """The calls of a function of the file, by its name or as an attribute."""
    for call in py.kind("call"):
        function = call.child_by_field_name("function")
        if function is not None and py.raw(function).rpartition(b".")[2] == name:
            yield call
