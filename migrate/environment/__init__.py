"""What machines and images a project asks for: commands that need NVIDIA's tools, and indexes of wheels.

Knows names of commands, packages and indexes. Runs no command and installs nothing.
"""

__all__ = [
    "build_options",
    "built_packages",
    "cluster_jobs",
    "command_uses",
    "conda_files",
    "fetched_code",
    "torch_wheels",
]
