"""CUDA C++ text: tokens, preprocessor branches, scopes, declarations, and the parsed file that holds them.

Knows the language and the names of HIP's macros. Judges nothing: rules and analyses do.
"""

__all__ = [
    "amd_code",
    "argument_branches",
    "behind_macros",
    "branch_macros",
    "branch_names",
    "code_files",
    "conditions",
    "constant_branches",
    "declarations",
    "enclosed_includes",
    "foreign_headers",
    "function_sides",
    "host_branches",
    "host_code",
    "include_insertion",
    "include_paths",
    "launch_places",
    "lexer",
    "macro_expansion",
    "nesting",
    "own_names",
    "parsed_file",
    "pass_qualifiers",
    "platform_guards",
    "preprocessor",
    "removed_statements",
    "scopes",
    "shadowed_names",
    "template_heads",
    "vendor_branches",
    "version_conditions",
    "words",
]
