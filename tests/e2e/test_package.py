"""The built wheel carries what it needs, and the hook works through real pre-commit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import tomli

from tests.bench import install

ROOT = Path(__file__).parents[2]


def call(command: list[str], cwd: Path, reason: str) -> subprocess.CompletedProcess[str]:
    """Run an installer; without a network the test is skipped and says so."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    offline = (
        "No matching distribution",
        "Temporary failure in name resolution",
        "Connection",
        "Network is unreachable",
    )
    if done.returncode and any(word in done.stdout + done.stderr for word in offline):
        pytest.skip(f"{reason}: no network")
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "-w", str(folder), str(ROOT)]
    done = call(command, ROOT, "the wheel cannot be built")
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("cudamigrate-*.whl")
    return path


@pytest.mark.exhaustive
def test_wheel_carries_rules_and_header(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {
        f"cudamigrate/_rules/{path.relative_to(ROOT / 'rules').as_posix()}"
        for path in (ROOT / "rules").rglob("*")
        if path.is_file()
    }
    assert shipped <= names
    assert not any(name.startswith("cudamigrate/") and "stand-ins" in name for name in names - shipped)
    assert {"cudamigrate/runtime/cudamigrate_hip.h", "cudamigrate/py.typed"} <= names
    pages = {f"cudamigrate/reporting/formats/templates/{name}" for name in ("page.html", "page.css", "page.js")}
    assert pages <= names


@pytest.mark.exhaustive
def test_wheel_and_source_archive_pass_the_checks_of_indexes(wheel: Path, tmp_path: Path) -> None:
    for tool in ("twine", "check_wheel_contents"):
        pytest.importorskip(tool)
    built = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    done = subprocess.run(built, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    for words in (["twine", "check", "--strict", str(wheel), str(archive)], ["check_wheel_contents", str(wheel)]):
        done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "mkdocs.yml", "docs/cudamigrate.1", "rules/README.md"} <= names


@pytest.mark.exhaustive
def test_wheel_is_small_carries_the_manual_and_the_version(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    names = archive.namelist()
    assert wheel.stat().st_size < 5_500_000
    assert any(name.endswith(".data/data/share/man/man1/cudamigrate.1") for name in names)
    (metadata,) = (archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    version = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"\nVersion: {version}\n" in metadata
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:") and "extra ==" not in line]
    heavy = ("torch", "triton", "numpy", "pandas", "plotly", "libclang", "mkdocs", "pygls", "mcp")
    assert [line for line in needed if line.split()[1].startswith(heavy)] == []


@pytest.mark.exhaustive
def test_the_wheel_carries_tables_that_are_used(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    tables = {path.name for path in (tmp_path / "site" / "cudamigrate" / "_rules" / "compiled").iterdir()}
    assert tables >= {
        "code.marshal",
        "project.marshal",
        "marks.marshal",
        "front-ends.marshal",
        "table-releases.marshal",
    }
    (tmp_path / "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    (tmp_path / "a.py").write_text("import pycuda.autoinit\n")
    (tmp_path / "plain.cpp").write_text("int main() { return 0; }\n")
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); sys.argv[1:] = ['check', *sys.argv[1:]]\n"
        "from cudamigrate.__main__ import main\n"
        "try: main()\n"
        "finally: print(*(name in sys.modules for name in ('tomli', 'cudamigrate.rulebase.loader', 'tree_sitter')))"
    )
    printed = {}
    for name in ("a.cu", "a.py", "plain.cpp"):
        environment = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(tmp_path / "cache")}
        done = subprocess.run(
            [sys.executable, "-c", script, name], cwd=tmp_path, capture_output=True, text=True, env=environment
        )
        printed[name] = (done.returncode, done.stdout.splitlines()[-1])
        assert done.stderr == "", done.stderr
    assert printed["a.cu"] == (1, "False False True")
    assert printed["a.py"][1] == "False False True"
    assert printed["plain.cpp"] == (0, "False False False")
    kept = {path.name for path in (tmp_path / "cache" / "cudamigrate").iterdir()}
    assert kept == {"patterns"}  # no tables of rules


@pytest.mark.exhaustive
def test_installed_wheel_finds_its_rules(wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    (tmp_path / "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        "from cudamigrate.shipped_data import rules_folder, stand_ins\n"
        "print(rules_folder())\n"
        "print(stand_ins('declarations') / 'hipblas', stand_ins('cuda'))\n"
        "from cudamigrate.cli.app import main\n"
        "main(['check', 'a.cu'])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    rules = tmp_path / "site" / "cudamigrate" / "_rules"
    headers = rules / "stand-ins"
    assert done.stdout.splitlines()[:2] == [str(rules), f"{headers}/declarations/hipblas {headers}/cuda"]
    assert "api/cudaFree" in done.stdout
    assert done.returncode == 1


PLATFORMS = {
    "linux": ["manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"],
    "macos": ["macosx_14_0_arm64"],
    "windows": ["win_amd64"],
}


@pytest.mark.corpus  # pip asks its index
@pytest.mark.parametrize("python", ["3.10", "3.14"])
@pytest.mark.parametrize("system", PLATFORMS)
def test_nothing_is_compiled_when_the_package_is_installed(wheel: Path, system: str, python: str) -> None:
    foreign = ["--only-binary", ":all:", "--python-version", python, "--target", "unused"]
    foreign += [word for tag in PLATFORMS[system] for word in ("--platform", tag)]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", *foreign, f"{wheel}[clang]"]
    done = subprocess.run(command, cwd=wheel.parent, capture_output=True, text=True)
    if "Retrying" in done.stderr and "NewConnectionError" in done.stderr:
        pytest.skip("wheels cannot be looked up: no network")
    assert done.returncode == 0, done.stderr


def _judges_a_file(command: Path, folder: Path) -> None:
    """Do what the README does after the installation: fetch HIP's headers, and type-check with them."""
    (folder / "a.hip").write_text("#include <hip/hip_runtime.h>\nvoid f(void *p) { (void)hipFree(p); }\n")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder / "home")}
    environment |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "REQUESTS_"))}
    for words in (["headers", "install"], ["verify", "a.hip", "--engine", "clang"]):
        done = subprocess.run([command, *words], cwd=folder, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "1 type-checks" in done.stdout and "HIP headers of triton" in done.stdout


SAMPLE = {"pip": ("3.10", "3.11"), "pipx": ("3.12",), "uv tool": ("3.13",)}
"""What is tried of each way where nobody asks for all: the oldest pip, the Python of this project, and the newest."""


@pytest.mark.corpus  # each asks an index
@pytest.mark.parametrize("version", install.VERSIONS)
@pytest.mark.parametrize("way", install.WAYS)
def test_the_ways_of_the_readme_install_into_empty_environments(
    wheel: Path, way: str, version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    python = install.interpreter(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed here")
    if version not in SAMPLE[way] and not os.environ.get("CUDAMIGRATE_CORPUS_ALL"):
        pytest.skip("one of many environments; set CUDAMIGRATE_CORPUS_ALL=1 to try each way on each Python")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (extra,) = re.findall(r"^pip install '\.(\[\w+\])'", readme, re.MULTILINE)
    (limit,) = re.findall(r"^The base package and what it needs take under (\d+) MB", readme, re.MULTILINE)
    assert "`pipx install` and `uv tool install`" in readme
    for folder, spec in (("base", str(wheel)), ("checkout", f"{ROOT}{extra}")):
        (tmp_path / folder).mkdir()
        seconds, size = install.WAYS[way](python, spec, tmp_path / folder)
        with capsys.disabled():
            print(f"\nPython {version}, {way}, {folder}: {seconds:.1f} s, {size:.1f} MB, commands start")
        assert folder != "base" or size < int(limit)
    _judges_a_file(next((tmp_path / "checkout").rglob("bin/cudamigrate")), tmp_path)


@pytest.mark.corpus  # pre-commit installs the package from its index
@pytest.mark.parametrize("page", ["", "README.md", "docs/checking.md"])
def test_hook_through_pre_commit(page: str, tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com"]
    head = subprocess.run([*git, "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    if head.returncode:
        pytest.skip("the hook is installed from a git commit of this checkout, and there is none")
    rev = head.stdout.strip()
    if page:
        (rev,) = re.findall(r"rev: ([0-9a-f]{40})\b", (ROOT / page).read_text(encoding="utf-8"))
        if subprocess.run([*git, "cat-file", "-e", rev], cwd=ROOT, capture_output=True).returncode:
            pytest.skip("a shallow checkout has not all commits")
    (tmp_path / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {ROOT}\n  rev: {rev}\n  hooks:\n  - id: cudamigrate-check\n"
    )
    (tmp_path / "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    (tmp_path / "notes.md").write_text("cudaFree\n")
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([*git, "add", "-A"], cwd=tmp_path, check=True)
    done = call([sys.executable, "-m", "pre_commit", "run"], tmp_path, "the hook cannot be installed")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "a.cu:1:19: api/cudaFree" in done.stdout
    assert "notes.md" not in done.stdout
