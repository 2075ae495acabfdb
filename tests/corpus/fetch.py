"""Download one source distribution without running any of it.

`pip download` would build the archive to learn its metadata. This uses pip's own finder and session, so that the
index, proxies and certificates are those pip is configured with, and stops at the archive.
Usage: python fetch.py NAME VERSION SHA256 FILE. Exit code 1 with one line on standard error when it cannot be had.
"""

import hashlib
import os
import sys


def fetch(name: str, version: str, digest: str, target: str) -> None:
    """Write the archive to `target` once its hash is right. Raises OSError or ValueError."""
    from pip._internal.commands.download import DownloadCommand

    command = DownloadCommand("download", "")
    options, _ = command.parser.parse_args(["--no-binary", ":all:", "--timeout", "20", "--retries", "1"])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(options, session)
        candidates = finder.find_all_candidates(name)
        link = next((c.link for c in candidates if str(c.version) == version and not c.link.is_wheel), None)
        if link is None:
            raise ValueError(f"the index has no source distribution of {name} {version}")
        answer = session.get(link.url.partition("#")[0], headers={"Accept-Encoding": "identity"})
        answer.raise_for_status()
    if hashlib.sha256(answer.content).hexdigest() != digest:
        raise ValueError(f"{name} {version} has another hash than the pinned one")
    part = f"{target}.{os.getpid()}.part"
    with open(part, "wb") as file:
        file.write(answer.content)
    os.replace(part, target)


if __name__ == "__main__":
    try:
        fetch(*sys.argv[1:5])
    except Exception as error:  # noqa: BLE001  pip's network errors have no common type of their own
        sys.exit(f"{type(error).__name__}: {error}".splitlines()[0])
