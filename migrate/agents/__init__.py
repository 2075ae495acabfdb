"""For coding agents and the people beside them: what is left to do as tasks, and the product's tools over MCP.

Knows the Model Context Protocol by its official SDK. Writes only into the folder that was named for it, and runs code
of a repository only where that was allowed when the server was started.
"""

__all__ = ["server", "tasks", "text"]
