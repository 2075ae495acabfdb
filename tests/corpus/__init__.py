"""Real projects: fetched from the package index by pinned version and hash, never committed."""
