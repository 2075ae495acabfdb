"""cudamigrate: find what is CUDA in a repository, move it to HIP, and keep new CUDA-only code out."""
