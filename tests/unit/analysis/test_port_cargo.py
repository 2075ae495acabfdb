"""What a build script of Rust shows of a port: that it compiles for HIP."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import port_builds
from cudamigrate.model import SourceFile


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("build.rs", 'fn main() {\n    let mut b = cc::Build::new();\n    b.compiler("hipcc").cpp(true);\n}\n', 3),
        ("rust/src/build.rs", 'fn f() { b.compiler(env::var("HIPCC").unwrap()); }\n', 1),
        ("build.rs", 'fn f() {\n b.flag("--offload-arch=gfx90a"); }\n', 2),
        ("build.rs", 'fn f() { println!("cargo:rustc-link-lib=dylib=amdhip64"); }\n', 1),
        ("build.rs", "fn f() { b.cuda(true); } // hipcc would do\n", None),
        ("build.rs", 'fn f() { panic!("no hipcc was found"); }\n', None),
        ("Cargo.toml", '[features]\nrocm = ["hipcc"]\n', None),
    ],
)
def test_a_build_with_hipcc(path: str, text: str, line: int | None) -> None:
    found = port_builds.of(SourceFile(path, text.encode(), "cargo"))
    assert (found.build[0] if found is not None and found.build else None) == line
