"""Units of systemd and Quadlet."""

from __future__ import annotations

from cudamigrate.frontends import systemd
from cudamigrate.model import SourceFile

CONTAINER = b"""[Container]
# AddDevice=nvidia.com/gpu=1
Image=nvcr.io/nvidia/pytorch:24.05-py3
AddDevice=nvidia.com/gpu=all
Exec=serve --nv
"""
SERVICE = b"""[Service]
Environment="CUDA_HOME=/usr/local/cuda" MODE=fast
ExecStartPre=-nvidia-smi
ExecStart=/usr/bin/podman run \\
    --device nvidia.com/gpu=0 image
Description=nvidia-smi of the machine
"""


def names(path: str, data: bytes) -> list[tuple[str, str]]:
    """What a unit uses, with the text at the place."""
    uses = systemd.parse(SourceFile(path=path, language="systemd", data=data)).uses
    return [(use.name, data[use.span.start : use.span.end].decode()) for use in uses]


def test_a_container_has_its_image_and_devices() -> None:
    assert names("gpu.container", CONTAINER) == [
        ("image nvcr.io/nvidia/pytorch:24.05-py3", "nvcr.io/nvidia/pytorch:24.05-py3"),
        ("cdi nvidia.com/gpu", "nvidia.com/gpu"),
    ]


def test_a_service_has_its_commands_and_variables() -> None:
    found = names("gpu.service", SERVICE)
    assert ("CUDA_HOME", "CUDA_HOME") in found and ("/usr/local/cuda", "/usr/local/cuda") in found
    assert ("cdi nvidia.com/gpu", "nvidia.com/gpu") in found
    assert [name for name, _ in found].count("nvidia-smi") == 1


def test_lines_that_are_no_entries_are_broken() -> None:
    assert systemd.broken(CONTAINER) == 0
    assert systemd.broken(b"[Service]\nwhat is this\n") == 12
