"""Macros that are the head of a branch are read as branches, with every byte of the file in its place."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.branch_macros import spelled
from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.scopes import readable, syntax_tree
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.syntax import tree_sitter_nodes

MACROS = """\
#define IF_FRONT if ((threadIdx.x & 31) < 16)
#define IF_BELOW(k) if ((threadIdx.x & 31) < (k))
#define IF_MANY if (n > 4)
#define IF_ALL if (n) if (n > 4)
"""
HALVES = """\
__global__ void halves(const float* a, float* o, int n) {
    __shared__ float buf[32]; int lane = threadIdx.x; float x = 0.f;
    HEAD{ for (int i = 0; i < n; ++i) { buf[lane] = a[i] - x; __syncwarp(); __syncwarp(); x = buf[lane + 16]; } }
    else { for (int i = 0; i < n; ++i) { __syncwarp(); x = x + buf[lane - 16]; buf[lane] = x; __syncwarp(); } }
    o[lane] = x;
}
__global__ void roles(float* o, int n) {
    if (threadIdx.x >> 5) { __syncthreads(); o[n] = 1; } else { o[0] = 1; __syncthreads(); }
}
"""
_IFS = tree_sitter_nodes.Kinds("cuda", "if_statement")


@pytest.mark.parametrize(
    "head", ["IF_FRONT ", "IF_FRONT", "IF_BELOW(16) ", "IF_BELOW(16)\n    ", "IF_BELOW(16)\r\n", "IF_BELOW(16)"]
)
def test_the_grammar_reads_a_branch_of_the_same_length(head: str) -> None:
    code = (MACROS + HALVES.replace("HEAD", head)).encode()
    text = readable(lex(code))
    branches = _IFS.below(syntax_tree(lex(code)).root_node)
    assert len(text) == len(code) and text.count(b"\n") == code.count(b"\n")
    assert len(branches) == 2 and not syntax_tree(lex(code)).root_node.has_error
    test = branches[0].child_by_field_name("condition")
    assert test is not None and test.text is not None
    assert spelled(code, test.start_byte, test.text).startswith(head.strip().partition("(")[0].encode())


@pytest.mark.parametrize("code", ["IF_ALL { f(); } else { g(); }", "int IF_FRONT = 0;", "x = IF_FRONT;"])
def test_what_is_no_head_stays(code: str) -> None:
    text = f"{MACROS}void h(int n) {{ {code} }}\n".encode()
    assert readable(lex(text)) == text


@pytest.mark.parametrize("head", ["IF_FRONT ", "IF_BELOW(16) ", "IF_BELOW(16)\n    "])
def test_halves_of_a_warp_that_meet_in_its_branches_are_told(head: str) -> None:
    found = find_in_text(MACROS + HALVES.replace("HEAD", head), "a.cu", None).findings
    said = [one.message for one in found if one.rule == "warp/meets-in-branches"]
    assert len(said) == 1 and f"part by `{head.strip()}`, and" in said[0]


@pytest.mark.parametrize("head", ["IF_FRONT ", "IF_MANY "])
def test_the_kernels_beside_it_keep_their_findings(head: str) -> None:
    found = find_in_text(MACROS + HALVES.replace("HEAD", head), "a.cu", None).findings
    assert sum(one.rule == "launch/barrier-in-branch" for one in found) == 1
    assert any(one.rule == "warp/meets-in-branches" for one in found) == (head == "IF_FRONT ")
