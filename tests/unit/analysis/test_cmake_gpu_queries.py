"""Where CMake looks for NVIDIA's management tool or runs it, and where it only names it."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import cmake_gpu_queries
from cudamigrate.syntax import cmake


def found(text: str) -> list[str]:
    data = text.encode()
    return [data[span.start : span.end].decode() for _, span, _ in cmake_gpu_queries.uses(cmake.read(data))]


@pytest.mark.parametrize(
    "text",
    [
        'execute_process(COMMAND which nvidia-smi && nvidia-smi | grep "Driver Version:" RESULT_VARIABLE ret)',
        "find_program(NVIDIA_SMI nvidia-smi)",
        "find_program(SMI NAMES nvidia-smi.exe nvidia-smi)",
        "execute_process(COMMAND /usr/bin/nvidia-smi --query-gpu=compute_cap OUTPUT_VARIABLE cap)",
        'execute_process(COMMAND bash -c "nvidia-smi -L | wc -l" OUTPUT_VARIABLE count)',
        "exec_program(nvidia-smi ARGS -L OUTPUT_VARIABLE gpus)",
        'add_custom_target(state COMMAND ${CMAKE_COMMAND} -E echo "GPUs:" COMMAND nvidia-smi)',
    ],
)
def test_query_is_found_once(text: str) -> None:
    assert found(text) == ["nvidia-smi"]


@pytest.mark.parametrize(
    "text",
    [
        'message(STATUS "run nvidia-smi")',
        "find_program(SMI my-nvidia-smi)",
        "add_custom_target(help COMMAND ${CMAKE_COMMAND} -E echo nvidia-smi)",
        'add_custom_command(OUTPUT a COMMAND touch a COMMENT "nvidia-smi")',
        "set(TOOL nvidia-smi)",
        "find_program(SMI NAMES nvidia-smi amd-smi)",
        "find_program(SMI nvidia-smi)\nfind_program(OTHER rocm-smi)",
    ],
)
def test_name_alone_and_a_query_of_both_vendors_are_none(text: str) -> None:
    assert not found(text)
