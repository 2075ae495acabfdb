"""Name listings of CUDA and HIP, made from public packages: see `collect.py`."""
