"""The proof that functions compute the same on a wavefront of any width, by abstract interpretation."""

__all__ = ["escape", "proof"]
