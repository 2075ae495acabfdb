"""Macros that editors define for code that they show, and no compiler does."""

from __future__ import annotations

EDITORS = rb"__INTELLISENSE__|__JETBRAINS_IDE__|__RESHARPER__|__CLION_IDE__|__CDT_PARSER__"
"""A pattern of their names. Source: the documentation of Visual Studio, JetBrains' editors and Eclipse CDT."""
