"""Proof by running: CUDA programs and what they were converted to, built for a GPU that is emulated on the CPU.

Knows C++ sources, a host compiler and a sandbox; `cpp/` is the emulated GPU itself and is apart from the Python.
Runs code of a repository, and only where a caller asks for that.
"""

__all__ = ["compare", "programs", "run", "text"]
