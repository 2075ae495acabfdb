"""What the report says to do about loops that wait: the words that detectors write and a pass over all files reads."""

from __future__ import annotations

FENCES_SAID = "put fences on both sides"
"""What a wait for another block lacks."""
WAVE_SAID = "See that none of them is in the same wave of 64 lanes"
"""What is to be seen to where a wait lacks nothing else."""
ASK_ALONE = "Let one lane ask for its block"
"""What to do about lanes of a wave that ask for one lock."""
