"""What the rules say of Triton, held against the Triton that is installed; it compiles for GPUs that are not there."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from cudamigrate.model import Target
from cudamigrate.python_source.tritonasm import _FUNCTIONS, instructions
from cudamigrate.rulebase import project_rules

triton = pytest.importorskip("triton", reason="triton is not installed")
RULES = project_rules.load(Target()).rules


def assembly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, backend: str, **options: Any) -> str:
    """The PTX or AMD assembly of a kernel that makes `y` of `x`."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "kernel.py"
    file.write_text(
        "import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n"
        "@triton.jit\ndef kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):\n    o = tl.arange(0, BLOCK)\n"
        f"    x = tl.load(x_ptr + o)\n    {body}\n    tl.store(y_ptr + o, y)\n"
    )
    names: dict[str, Any] = {"__name__": "kernel", "__file__": str(file)}
    exec(compile(file.read_text(), str(file), "exec"), names)
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    target = GPUTarget("cuda", 80, 32) if backend == "ptx" else GPUTarget("hip", "gfx942", 64)
    signature = {"x_ptr": "*fp32", "y_ptr": "*fp32", "BLOCK": "constexpr"}
    source = ASTSource(fn=names["kernel"], signature=signature, constexprs={"BLOCK": 256})
    return str(triton.compile(source, target=target, options=options).asm[backend])


@pytest.mark.parametrize("name", sorted(_FUNCTIONS))
def test_plain_function_is_the_instruction_that_it_takes_the_place_of(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = f"y = tl.{_FUNCTIONS[name].replace('{x}', 'x')}"
    ptx = instructions(assembly(tmp_path, monkeypatch, body, "ptx"))
    assert any(re.fullmatch(rf"{name}\.approx(\.ftz)?\.f32", found) for found in ptx)
    amd = {"ex2": "exp", "sqrt": "sqrt", "rsqrt": "rsq"}[name]
    assert f"v_{amd}_f32" in assembly(tmp_path, monkeypatch, body, "amdgcn")


def test_clusters_and_formats_of_nvidia_do_not_compile_for_amd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "exp" in assembly(tmp_path, monkeypatch, "y = libdevice.exp(x)", "amdgcn")
    with pytest.raises(ValueError, match="num_ctas"):
        assembly(tmp_path, monkeypatch, "y = x", "amdgcn", num_ctas=2)
    for body in ("y = x.to(tl.float8e4b15).to(tl.float32)", "y = libdevice.fast_logf(x)"):
        with pytest.raises(Exception, match=r"conversion|fast_logf|HIP|hip|not supported|KeyError|attribute"):
            assembly(tmp_path, monkeypatch, body, "amdgcn")


def test_functions_said_to_be_missing_are_those_that_are() -> None:
    folder = Path(triton.__file__).parent / "language" / "extra"

    def functions(path: Path) -> set[str]:
        return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}

    cuda, hip = (functions(folder / vendor / "libdevice.py") for vendor in ("cuda", "hip"))
    named = {name.rpartition(".")[2] for name in RULES["triton/missing-libdevice"].match.names}
    assert named == {name for name in cuda - hip if not name.startswith("_")}
