"""A build script of Rust -> whether it compiles for HIP: what the texts in it say, comments left aside."""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.port_facts import FileEvidence
from cudamigrate.syntax import tree_sitter_nodes, utf8
from cudamigrate.syntax.tree_sitter_nodes import Kinds

_TEXTS = Kinds("rust", "string_content")
_HIP_TOOL = re.compile(
    r"(?:.*[/\\])?hipcc(?:\.exe|\.bat)?|HIPCC|--offload-arch\b.*|cargo::?rustc-link-lib=(?:\w+=)?amdhip64"
)
"""What only a build with HIP's compiler says in a text of its own: `"hipcc"`, `"--offload-arch=gfx90a"`."""


def of(source: SourceFile) -> FileEvidence | None:
    """Where a build script compiles or links for HIP first; None where it does not, or for a manifest."""
    if not source.path.endswith(".rs"):
        return None
    for node in _TEXTS.below(tree_sitter_nodes.parse("rust", source.data).root_node):
        if _HIP_TOOL.fullmatch(utf8.text(node.text or b"")):
            line = node.start_point[0]
            said = source.data.split(b"\n")[line].decode("utf-8", "replace").strip()[:100]
            return FileEvidence(source.path, build=(line + 1, said))
    return None
