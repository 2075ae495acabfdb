"""What the emulation of matrix products shares with that of the other runtime headers."""

from runtime.conftest import compiler as compiler
from runtime.conftest import wavefront as wavefront
