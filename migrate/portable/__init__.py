"""One source for both vendors: fixes for HIP -> edits after which CUDA compiles what it compiled before.

Knows lines, conditionals and macros of C++, CMake and Make. Never decides what HIP needs: the fixes say that. Never
edits code that only CUDA or only HIP compiles.
"""

__all__ = ["aliases", "builds", "cuda_side", "header", "regions", "torch"]
