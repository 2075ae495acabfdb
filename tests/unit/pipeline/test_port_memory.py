"""`check` knows the repository's HIP port: found once, kept, and found anew when what it rests on has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitrepo import Repo

from cudamigrate.config import Config
from cudamigrate.pipeline import check as checking
from cudamigrate.pipeline import port_memory, port_survey

SHIM = "".join(f"#define cuda{name} hip{name}\n" for name in ("Malloc", "Free", "Memcpy", "Error_t"))
FILES = {
    "vendor.h": f"#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n{SHIM}#else\n#include <cuda_runtime.h>\n#endif\n",
    "a.cu": '#include "vendor.h"\n__global__ void k() {}\n',
    "CMakeLists.txt": "if(LIB_AMD)\n  enable_language(HIP)\nelse()\n  enable_language(CUDA)\nendif()\n",
}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = Repo(tmp_path / "tree")
    made.commit(FILES)
    monkeypatch.chdir(made.root)
    return made


def problems(repo: Repo, files: dict[str, str]) -> list[str]:
    repo.write(files)
    repo.git("add", "-A")
    config = Config(jobs=1)
    done = checking.check(checking.items(Path("."), checking.CheckRequest(), config), config, Path("."))
    return [f"{one.path}:{one.position.line} {one.name}" for one in done.problems]


def test_what_a_shim_covers_is_no_problem_and_what_it_lacks_is_one(repo):
    code = FILES["a.cu"] + "void f(int *a) { cudaFree(a); }\nvoid g(int *a) { cudaFreeHost(a); }\n"
    assert problems(repo, {"a.cu": code}) == ["a.cu:4 cudaFreeHost"]


def test_a_branch_for_one_side_is_no_problem(repo):
    code = FILES["a.cu"] + "#ifndef LIB_AMD\nvoid f(int *a) { cudaFreeHost(a); }\n#endif\n"
    assert problems(repo, {"a.cu": code}) == []


def test_without_a_port_everything_is_a_problem(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = Repo(tmp_path / "tree")
    made.commit({"b.cu": "int b;\n"})
    monkeypatch.chdir(made.root)
    assert "a.cu:1 cudaFree" in problems(made, {"a.cu": "void f(int *a) { cudaFree(a); }\n"})


def test_facts_are_kept_until_what_they_rest_on_changes(repo, monkeypatch):
    surveys = []
    real = port_survey.survey
    monkeypatch.setattr(port_survey, "survey", lambda *given: surveys.append(1) or real(*given))
    first = port_memory.facts(repo.root, Config(jobs=1))
    assert first.is_port
    assert port_memory.facts(repo.root, Config(jobs=1)) == first
    repo.commit({"notes.cpp": "int n;\n"})
    assert port_memory.facts(repo.root, Config(jobs=1)) == first
    assert len(surveys) == 1
    repo.commit({"vendor.h": FILES["vendor.h"].replace("LIB_AMD", "LIB_ROCM")})
    assert port_memory.facts(repo.root, Config(jobs=1)) != first
    repo.commit({"CMakeLists.txt": "project(p)\n"})
    assert not port_memory.facts(repo.root, Config(jobs=1)).build
    assert len(surveys) == 3


def test_no_file_is_read_where_no_cuda_file_is_staged(repo, monkeypatch):
    monkeypatch.setattr(port_memory, "facts", lambda *given: pytest.fail("asked"))
    assert problems(repo, {"readme.md": "# a\n"}) == []


def test_a_folder_below_the_top_is_known_by_its_place(repo, monkeypatch):
    repo.commit({"src/b.cu": '#include "../vendor.h"\n__global__ void b() {}\n'})
    monkeypatch.chdir(repo.root / "src")
    (repo.root / "src/b.cu").write_text('#include "../vendor.h"\nvoid f(int *a) { cudaFree(a); }\n')
    repo.git("add", "-A")
    config = Config(jobs=1)
    done = checking.check(checking.items(Path("."), checking.CheckRequest(), config), config, Path("."))
    assert done.problems == []


def test_a_cache_that_cannot_be_read_is_made_again(repo, tmp_path):
    first = port_memory.facts(repo.root, Config(jobs=1))
    (file,) = (tmp_path / "cache/cudamigrate/ports").glob("*.json")
    file.write_text("{")
    assert port_memory.facts(repo.root, Config(jobs=1)) == first
