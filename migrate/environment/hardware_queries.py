"""What scripts ask of the machine in NVIDIA's terms without a tool of NVIDIA's: the list of PCI devices, and CUDA's
libraries, loaded by a line of Python.

Source: the PCI ID repository, vendors 10de (NVIDIA) and 1002 (AMD); Python documentation, ctypes.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.syntax import library_files
from cudamigrate.syntax.project_file import use_at
from cudamigrate.syntax.shell import Command, Script

DEVICES = "PCI devices of NVIDIA"
"""The name of the use that stands for a search of NVIDIA's cards among the PCI devices."""
_VENDOR = re.compile(r"(?i).*(?:nvidia|\b10de\b).*", re.S)
_PYTHON = re.compile(r"python[\d.]*")
_LOADS = re.compile(rb"\b(?:LoadLibrary|CDLL|PyDLL)\s*\(\s*\\?[\"'](?=(?P<file>[\w./-]+))")
"""How ctypes loads a library, in a text that another one may quote."""
_BETWEEN = b" \t\r\n\\\"'"


def uses(data: bytes, script: Script) -> Iterator[Use]:
    """One use for each library that is loaded so, and for each search of the devices."""
    commands = sorted(script.commands, key=lambda one: one.words[0].span)
    for at, command in enumerate(commands):
        if command.name == "lspci":
            yield from _of_devices(data, commands[at:])
        elif _PYTHON.fullmatch(command.name):
            yield from _of_text(data, command)


def _of_devices(data: bytes, commands: list[Command]) -> Iterator[Use]:
    """The search for the vendor in what `lspci` prints, by itself or by what it is piped to."""
    before = commands[0]
    for command in commands:
        if command is not before:
            if data[before.words[-1].span.end : command.words[0].span.start].strip(_BETWEEN) != b"|":
                return
            before = command
        asked = next((word for word in command.words[1:] if _VENDOR.fullmatch(word.text)), None)
        if asked is not None:
            yield use_at(DEVICES, asked.span.start, asked.span.end)
            return


def _of_text(data: bytes, command: Command) -> Iterator[Use]:
    """The libraries of CUDA that the text after `-c` loads."""
    at = next((at for at, word in enumerate(command.words) if word.text == "-c"), len(command.words))
    for word in command.words[at + 1 : at + 2]:
        for match in _LOADS.finditer(data, word.span.start, word.span.end):
            library = library_files.IN_BYTES.fullmatch(match["file"])
            if library is not None:
                yield use_at(f"load lib{library['name'].decode()}", *match.span("file"))
