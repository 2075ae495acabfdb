"""What the notes of an error add to its message."""

from __future__ import annotations

import pytest

from cudamigrate.compilation.engines import _messages

NOT_VIABLE = "candidate function not viable: "


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (
            "no known conversion from 'hipSurfaceObject_t *' (aka 'struct __hip_surface **') to 'hipTextureObject_t *' "
            "(aka 'struct __hip_texture **') for 1st argument",
            " (no known conversion from 'hipSurfaceObject_t' to 'hipTextureObject_t')",
        ),
        (
            "cannot convert argument of incomplete type 'hipEvent_t' (aka 'ihipEvent_t *') to 'hipStream_t'",
            " (no known conversion from 'hipEvent_t' to 'hipStream_t')",
        ),
        ("no known conversion from 'float **' to 'void **' for 1st argument", ""),
        ("no known conversion from 'hipStream_t *' to 'hipStream_t' for 1st argument", ""),
        ("requires 3 arguments, but 2 were provided", ""),
        (
            "call to __host__ function from __device__ function",
            " (call to __host__ function from __device__ function)",
        ),
    ],
)
def test_a_note_says_why_a_function_is_no_candidate(note: str, said: str) -> None:
    assert _messages.side(NOT_VIABLE + note) == said
