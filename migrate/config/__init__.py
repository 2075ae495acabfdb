"""The settings of a run, read from a configuration file and from options, and checked.

Knows the names of settings and the values they take. Reads no other file of a repository, and decides nothing.
"""

from cudamigrate.config.setting_values import CUDA_NEWEST, RESOLVES, WAVES, rocm_releases
from cudamigrate.config.settings import OWN_FILE, SHARED_FILE, VENDORED, Config, load, with_options

__all__ = [
    "CUDA_NEWEST",
    "OWN_FILE",
    "RESOLVES",
    "SHARED_FILE",
    "VENDORED",
    "WAVES",
    "Config",
    "load",
    "rocm_releases",
    "with_options",
]
