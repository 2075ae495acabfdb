"""Places in text: tree-sitter trees, YAML scalars, shell commands, CMake commands, compiler options, requirements.

Knows the syntax of each and nothing of CUDA. Runs and expands nothing of what it reads.
"""

__all__ = [
    "bazel",
    "build_words",
    "cmake",
    "cmake_lexer",
    "compiler_options",
    "cuda_functions",
    "found_folders",
    "generator_conditions",
    "generator_expressions",
    "json_pairs",
    "library_files",
    "makefile",
    "meson",
    "option_lists",
    "project_file",
    "python_imports",
    "python_requirements",
    "python_tree",
    "python_versions",
    "read_once",
    "rust_crates",
    "rust_texts",
    "shell",
    "shell_cases",
    "shell_options",
    "shell_values",
    "starlark",
    "started_programs",
    "toml_values",
    "tree_sitter_nodes",
    "utf8",
    "yaml_scalars",
]
