"""What the notes of an error add to its message."""

from __future__ import annotations

import pytest

from cudamigrate.compilation.engines import _messages
from cudamigrate.model.verification import Place

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


OURS, THEIRS = Place("a.cu", 9, 3), Place("/usr/include/lib/dispatch.h", 7, 1)
INSTANTIATED = "in instantiation of function template specialization 'kernel<Half>' requested here"
EXPANDED = "expanded from macro 'FOR_ALL_TYPES'"


@pytest.mark.parametrize(
    ("notes", "places"),
    [
        ([(INSTANTIATED, OURS), (EXPANDED, THEIRS), (EXPANDED, THEIRS), ("candidate function", OURS)], [OURS, OURS]),
        ([(INSTANTIATED, OURS), (EXPANDED, OURS)], [OURS, OURS]),  # a macro of the project's may be at fault
        ([(EXPANDED, THEIRS), (INSTANTIATED, OURS)], [THEIRS, OURS]),  # the error itself is in the macro
        ([(INSTANTIATED, THEIRS), (EXPANDED, THEIRS)], [THEIRS]),  # a header's own code chose the arguments
        ([(INSTANTIATED, OURS), ("candidate function", OURS), (EXPANDED, THEIRS)], [OURS, OURS, THEIRS]),
    ],
)
def test_the_macro_that_gives_a_template_its_arguments_is_no_place_of_its_errors(
    notes: list[tuple[str, Place]], places: list[Place]
) -> None:
    assert list(_messages.leading(notes)) == places
