"""What a class of a Python file shows of extensions that PyTorch builds: plain data."""

from __future__ import annotations

from cudamigrate.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PythonBuilder:
    """A class of a Python file that may have PyTorch build an extension; `bases` are those that it is made from.

    `gives` are the methods whose result PyTorch's build gets as sources, `sources` methods with the files that they
    name. `asks` are the methods that conditions ask which choose something, `refuses` those for whose truth it says no;
    `hip` are its own that are true for ROCm alone.
    """

    name: str
    bases: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    sources: tuple[tuple[str, tuple[str, ...]], ...] = ()
    asks: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    hip: tuple[str, ...] = ()
