"""What build files say of how a source is compiled, as one list of compiler options says it: `Settings`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cudamigrate.compilation import language_options
from cudamigrate.compilation.host_sources import HostRule
from cudamigrate.compilation.toolchain import SYSTEM
from cudamigrate.lazy_re import re

_STANDARD = re.compile(r"(--?std=|/std:|cxx_std_|cuda_std_|hip_std_)(c\+\+|gnu\+\+)?(\d[\dabxyz])$")
"""The C++ standard in an option or a feature of CMake: `-std=gnu++17`, `cxx_std_20`, `/std:c++2a` (drafts end so)."""
FORCED = ("-include", "--include", "--pre-include", "-pre-include")
"""Options of the compilers, and of nvcc, that include a header before the file."""
_OF_ENVIRONMENT = re.compile(r"^\$ENV\{\w+\}/(\w[\w./-]*?)/?$")
"""A folder below one that the environment names, as CMake writes it: `build` of `$ENV{LIB_HOME}/build`."""
UNNAMED = ""
"""Among open macros: one whose name is not known either, `-D$(MODEL)`."""


@dataclass(slots=True)
class Settings:
    """What build files say: absolute include folders, macros, C++ standards seen, and the files they are in.

    `first` are the folders that are searched before those of a target: CMake begins the list of each target with those
    of its directory. `gpu` are macros that CMake gives sources for GPUs alone, by an expression that asks for the
    language. `made` are the macros that a Makefile gives, and `makes` is true where a Makefile compiles. `open`
    are macros that are given a value which is not known here: it depends on a variable, or on which branch the build
    takes. `some` are all that some branch, function or variable of a CMake file gives. `taken` are macros that options
    take back: `-U`.
    `forced` are absolute paths of headers that options include before each file. `strict` are those of the standards
    that are given without GNU's extensions, as are all of CMake's where `extensions` are switched off.

    `hosts` say which sources the host's compiler gets, and `cxx` the standard that CMake gives it. `written` are the
    programs that put values of `open` macros into command lines. `torch` are absolute paths of sources that PyTorch
    compiles as an extension, `python` is true where setuptools compiles. `tails` are the ends of include folders that
    begin with a variable which nothing sets, and `distant` are those by an absolute path that is not on this machine.
    `several` are those of the `forced` that are one of several which may be
    meant. `outside` is a file that a Makefile includes which compiles nothing itself, and that is not in the tree: what
    compiles the sources is in there. `language` are the options by which more code compiles, as clang takes them.
    """

    includes: dict[str, None] = field(default_factory=dict)
    defines: dict[str, None] = field(default_factory=dict)
    gpu: dict[str, None] = field(default_factory=dict)
    standards: set[str] = field(default_factory=set)
    strict: set[str] = field(default_factory=set)
    extensions: bool = True
    sources: list[str] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    makes: bool = False
    open: set[str] = field(default_factory=set)
    some: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    hosts: list[HostRule] = field(default_factory=list)
    cxx: str = ""
    forced: list[str] = field(default_factory=list)
    written: Mapping[str, str] = field(default_factory=dict)
    torch: set[str] = field(default_factory=set)
    python: bool = False
    tails: set[str] = field(default_factory=set)
    distant: set[str] = field(default_factory=set)
    several: set[str] = field(default_factory=set)
    outside: str = ""
    first: dict[str, None] = field(default_factory=dict)
    language: dict[str, None] = field(default_factory=dict)

    @property
    def names(self) -> set[str]:
        """The macros of `defines`, without their values."""
        return {define.partition("=")[0] for define in self.defines}

    def add(self, other: Settings) -> None:
        """Take in what a build file further in says; a Makefile there defines nothing that one further out does.

        Where it names no standard, its compiler's own has GNU's extensions.
        """
        if other.makes:
            self.defines = dict.fromkeys(name for name in self.defines if name not in self.made)
            self.strict = self.strict if other.standards else set()
        self.outside = other.outside if other.outside or other.makes else self.outside
        self.made |= other.made
        self.open |= other.open
        self.some |= other.some
        self.taken |= other.taken
        self.forced += other.forced
        self.several |= other.several
        self.hosts += other.hosts
        self.torch |= other.torch
        self.tails |= other.tails
        self.distant |= other.distant
        self.makes |= other.makes
        self.python |= other.python
        self.includes.update(other.includes)
        self.first.update(other.first)
        self.defines.update(other.defines)
        self.gpu.update(other.gpu)
        self.standards.update(other.standards)
        self.strict.update(other.strict)
        self.language.update(other.language)
        self.extensions &= other.extensions
        self.sources.extend(other.sources)

    def option(self, word: str, following: str, folder: Path) -> bool:
        """Take one compiler option in; True where it used the word that follows."""
        standard = _STANDARD.match(word)
        if standard:
            self.standards.add(standard[3])
            self.strict.update([standard[3]] if standard[1].endswith("-std=") and standard[2] == "c++" else ())
        for flag in ("-I", "-isystem", "-iquote"):
            if word == flag and following:
                self.folder(following, folder)
                return True
            if word.startswith(flag) and word != flag:
                self.folder(word[len(flag) :].strip(), folder)
                return False
        if word in FORCED and following:
            self.forced.append(os.path.normpath(folder / following))
            return True
        if word in ("-D", "-U", "-std", "--std") and following:
            self.option(word + "=" * word.endswith("std") + following, "", folder)
            return True
        if word.startswith("-D") and re.match(r"-D[A-Za-z_]\w*(?:=.*)?$", word):
            self.defines[word[2:]] = None
        self.language.update(dict.fromkeys(language_options.language(word)))
        if word.startswith("-U") and word[2:].isidentifier():
            self.taken.add(word[2:])
        return False

    def options(self, words: Sequence[str], folder: Path) -> None:
        """Take in a list of compiler options; relative folders count from `folder`."""
        words, skip = list(language_options.plain(words)), False
        for at, word in enumerate(words):
            skip = not skip and self.option(word, "".join(words[at + 1 : at + 2]), folder)

    def of_cmake(self, words: Sequence[str], folder: Path, of_target: bool) -> None:
        """Take in include folders that CMake gives, to a target or to a directory before it has targets.

        Of a directory's, `BEFORE` puts them first, and `SYSTEM` behind all others.
        """
        before, given = dict(self.first), Settings()
        for word in words:
            given.folder(word, folder)
            self.folder(word, folder)
        if not of_target and "SYSTEM" not in words:
            self.first = {**given.includes, **before} if "BEFORE" in words else {**before, **given.includes}

    def folder(self, path: str, base: Path) -> None:
        """Take in an include folder, if it is there and not one that a compiler searches unasked."""
        whole = os.path.normpath(base / path)
        if "$" not in path and whole not in SYSTEM and os.path.isdir(whole):
            self.includes[whole] = None
        elif "$" not in path and os.path.isabs(path) and not os.path.exists(whole):
            self.distant.add(whole)
        self.tails.update(_OF_ENVIRONMENT.findall(path))
