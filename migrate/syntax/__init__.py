"""Places in text: tree-sitter trees, YAML scalars, shell commands, CMake commands, compiler options, requirements.

Knows the syntax of each and nothing of CUDA. Runs and expands nothing of what it reads.
"""
