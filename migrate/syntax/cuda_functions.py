"""Functions of CUDA and its libraries as other languages declare them, by how their names begin."""

from __future__ import annotations

from cudamigrate.lazy_re import re

BEGINS = r"(?:cuda[A-Z]|cu(?:blas|fft|rand|sparse|solver|dnn)[A-Z]|cu[A-Z][a-z]|nccl[A-Z])"
"""How such a name begins; `cudf_rows` and `curl_easy_init` begin otherwise."""
NAME = re.compile(BEGINS + r"\w*")
