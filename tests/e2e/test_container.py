"""The container file is built by Buildah where that is installed, and the image that it makes is used.

The base image that it names comes from a registry. Where none can be reached, one is made of Debian packages,
and the same steps are built upon it. Without a builder, or without either base, the test is skipped and says why.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BASE = "localhost/python-of-debian"
PACKAGES = "python3,python3-pip,python3-venv,ca-certificates"
pytestmark = pytest.mark.corpus  # minutes, and a network


class Builder:
    """Buildah, with its images in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        places = ["--root", str(folder / "images"), "--runroot", str(folder / "run"), "--storage-driver", "vfs"]
        self.words = ["buildah", *places]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One command of it."""
        return subprocess.run([*self.words, *words], cwd=ROOT, capture_output=True, text=True)

    def made(self, *words: str) -> str:
        """The same, which must succeed."""
        done = self.run(*words)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout.strip()

    def base(self) -> str:
        """The image that the file names, or one made of Debian's packages."""
        named = (ROOT / "Dockerfile").read_text(encoding="utf-8").partition("ARG PYTHON=")[2].split()[0]
        if self.run("pull", "--quiet", f"docker.io/library/{named}").returncode == 0:
            return f"docker.io/library/{named}"
        if shutil.which("mmdebstrap") is None:
            pytest.skip(f"no registry gives {named}, and mmdebstrap, which would make another base, is not installed")
        tree = self.folder / "debian.tar"
        suite = platform.freedesktop_os_release().get("VERSION_CODENAME", "stable")
        words = ["mmdebstrap", "--variant=minbase", f"--include={PACKAGES}", suite, str(tree)]
        made = subprocess.run(words, capture_output=True, text=True)
        if made.returncode:
            pytest.skip(f"no base image can be had: {made.stderr.splitlines()[-1]}")
        box = self.made("from", "scratch")
        self.made("add", box, str(tree), "/")
        self.made("config", "--env", "PIP_BREAK_SYSTEM_PACKAGES=1", box)
        certificates = Path("/etc/ssl/certs/ca-certificates.crt")
        if certificates.exists():
            self.made("copy", box, str(certificates), str(certificates))
            self.made("config", "--env", f"REQUESTS_CA_BUNDLE={certificates}", box)
        self.made("commit", box, BASE)
        return BASE


def test_the_container_file_builds_and_its_image_scans(tmp_path: Path) -> None:
    if shutil.which("buildah") is None:
        pytest.skip("buildah is not installed: apt-get install buildah")
    builder = Builder(tmp_path)
    if builder.run("from", "scratch").returncode:
        pytest.skip("buildah cannot make containers here")
    isolation = ["--isolation", "chroot"]
    builder.made("build", *isolation, "--build-arg", f"PYTHON={builder.base()}", "--tag", "cudamigrate", ".")
    box = builder.made("from", "localhost/cudamigrate")
    project = ROOT / "fixtures" / "tutorials" / "dot-product"
    builder.made("copy", box, str(project), "/src")
    scanned = builder.made("run", *isolation, box, "--", "cudamigrate", "scan", "/src")
    assert "Port it" in scanned and "dot.cu" in scanned
    applied = builder.run("run", *isolation, box, "--", "cudamigrate", "apply", "/src", "--output", "/tmp/hip")
    assert applied.returncode == 0 and "with 2 converted files" in applied.stdout, applied.stderr
    assert "judged for" in applied.stderr and "by clang" in applied.stderr, applied.stderr
    assert builder.made("run", *isolation, box, "--", "id", "-un") == "user"
