"""Python source as the front ends and detectors read it: names through imports, strings, guards, compiler flags.

Nothing of it is executed. `source.py` holds the text and its syntax tree, `names.py` what names mean, `guards.py` which
code ROCm runs, `systems.py` which Linux runs, `literals.py` what string literals say, `compiler_options.py` options,
`words.py` commands, environment variables and other words in strings, `kernels.py` CUDA C++ in strings,
`loaded_libraries.py` what ctypes loads, `value_flow.py` where a value goes,
`written_files.py` which texts a script writes to files of code.
"""

__all__ = [
    "literals",
    "loaded_libraries",
    "program",
    "scons_tools",
    "shared_flags",
    "source",
    "torch_version",
    "trigger",
    "tritonasm",
    "value_flow",
    "vendors",
    "written_files",
]
