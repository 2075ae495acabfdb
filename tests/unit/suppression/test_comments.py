"""Comments that suppress findings, and what is said of those that should not be there."""

from __future__ import annotations

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.check import Item, check
from cudamigrate.suppression import comments

CALL = "void f(void *p) { cudaFree(p); }"


def checked(text: str, path: str = "a.cu", language: str = "cuda"):
    return check([Item(SourceFile(path, text.encode(), language))], Config(ignore=("build",)))


@pytest.mark.parametrize(
    "text",
    [
        f"{CALL}  // cudamigrate: ignore[api/cudaFree] NVIDIA alone runs this\n",
        f"// cudamigrate: ignore[api/cudaFree] NVIDIA alone runs this\n{CALL}\n",
        f"/* cudamigrate: ignore[api] NVIDIA alone runs this */\n{CALL}\n",
        f"/* cudamigrate: ignore[api] NVIDIA alone runs this */ {CALL}\n",
        f"// cudamigrate: ignore[api/cuda*] NVIDIA alone runs this\n{CALL}\n",
        f"// cudamigrate: ignore[warp, api/cudaFree] NVIDIA alone runs this\n{CALL}\n",
        f"// cudamigrate: ignore-file[api/cudaFree] NVIDIA alone runs this\n\nint n;\n{CALL}\n",
        "// cudamigrate: ignore[api/cudaMemcpy] x\n// cudamigrate: ignore[api/cudaFree] y\n"
        "void f(void *p) { cudaMemcpy(p, p, 4, cudaMemcpyDefault); cudaFree(p); }"
        "  // cudamigrate: ignore[api/cudaMemcpyDefault] z\n",
        "void f(void *p) { cudaFree(\n    p);  // cudamigrate: ignore[api/cudaFree] reason\n}\n",
    ],
)
def test_a_comment_suppresses_what_it_names(text):
    done = checked(text)
    assert (done.problems, done.remarks) == ([], [])
    assert done.suppressed


@pytest.mark.parametrize(
    ("text", "problems", "said"),
    [
        (f"{CALL}  // cudamigrate: ignore[api/cudaFree]\n", 0, "Give the reason"),
        (f"{CALL}  // cudamigrate: ignore[api/cudaMalloc] reason\n", 1, "suppresses nothing"),
        (f"/* cudamigrate: ignore[api/cudaFree] reason */ int n;\n{CALL}\n", 1, "suppresses nothing"),
        (f"// cudamigrate: ignore[api/cudaFree] reason\n\n{CALL}\n", 1, "suppresses nothing"),
        (f"{CALL}  // cudamigrate: ignore reason\n", 1, "is not understood"),
        (f"{CALL}  // cudamigrate: ignore[] reason\n", 1, "Name what to ignore"),
        (f"{CALL}  // cudamigrate: off\n", 1, "is not understood"),
    ],
)
def test_a_comment_that_is_not_right_is_reported(text, problems, said):
    done = checked(text)
    assert len(done.problems) == problems
    (remark,) = done.remarks
    assert said in remark.message
    assert remark.path == "a.cu"


def test_text_in_a_literal_is_no_comment():
    text = 'const char *s = "// cudamigrate: ignore[api/cudaFree] reason"; ' + CALL + "\n"
    done = checked(text)
    assert len(done.problems) == 1 and done.remarks == []
    python = '"""Write `# cudamigrate: ignore[python] reason` to silence."""\n'
    assert comments.read(SourceFile("a.py", python.encode(), "python")) == []


@pytest.mark.parametrize(
    ("path", "language", "line"),
    [
        ("a.py", "python", "import pycuda.autoinit"),
        ("CMakeLists.txt", "cmake", "find_package(CUDAToolkit REQUIRED)"),
        ("a.sh", "shell", "nvcc -o a a.cu"),
        ("job.yaml", "yaml", "image: nvidia/cuda:12.4.1-devel-ubuntu22.04"),
        ("requirements.txt", "requirements", "nvidia-cublas-cu12==12.4.5.8"),
    ],
)
def test_files_of_other_languages_have_comments_of_their_own(path, language, line):
    config = Config(outcomes=("compile-error", "wrong-result", "slower", "fine"))
    source = SourceFile(path, f"{line}\n".encode(), _language(path))
    found = check([Item(source)], config).problems
    assert found
    groups = ", ".join(sorted({one.group for one in found}))
    suppressed = SourceFile(path, f"# cudamigrate: ignore[{groups}] reason\n{line}\n".encode(), source.language)
    done = check([Item(suppressed)], config)
    assert (done.problems, done.remarks) == ([], [])


def _language(path: str) -> str:
    from cudamigrate.frontends import known_files
    from cudamigrate.project import discovery

    return discovery.languages(known_files())(path)


def test_the_check_is_that_of_the_pipeline():
    assert pipeline.check.check is check
