from __future__ import annotations

import re
from dataclasses import replace

from cudamigrate.config import Config
from cudamigrate.model import Change, Example, Match, Rule, Target
from cudamigrate.pipeline.rule_tests import example_message
from cudamigrate.rulebase.code_rules import load
from cudamigrate.rulebase.explain import render_list, render_rule, render_rules

MALLOC = Rule(
    id="api/cudaMalloc",
    title="CUDA Runtime function",
    match=Match("name", ("cudaMalloc",)),
    support="full",
    outcome="compile-error",
    change=Change("rename", ("hipMalloc",)),
    safety="safe",
    effort="none",
    message="`{name}` is `hipMalloc` in HIP.",
    library="CUDA Runtime",
    origin="runtime.toml",
)
WARP = Rule(
    id="warp/hardcoded-size",
    title="Warp size written as 32",
    match=Match("detector", ("warp_size",)),
    support="manual",
    outcome="wrong-result",
    change=Change("none"),
    safety="safe",
    effort="small",
    message="`{text}` assumes 32 lanes.",
    notes="First paragraph\nin two lines.\n\n- a list\n- stays",
    since="7.0",
    formerly=("warp/size",),
    examples=(
        Example("int lane = threadIdx.x % 32;", ("threadIdx.x % 32",)),
        Example("int a = 1;", ()),
        Example("int b = 1;\n  int c;", ("b",), "int b = 2;"),
    ),
)


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_page_names_the_gpus_that_a_rule_is_for() -> None:
    shown = lines(render_rule(replace(MALLOC, arch=("gfx94*", "!gfx950"))))
    assert "GPUs gfx94*, not gfx950" in shown
    assert not any(line.startswith("GPUs") for line in lines(render_rule(MALLOC)))


def test_page_of_a_rename_names_both_sides():
    shown = lines(render_rule(MALLOC))
    assert shown[0] == "api/cudaMalloc"
    assert "`cudaMalloc` is `hipMalloc` in HIP." in shown
    assert "CUDA cudaMalloc" in shown
    assert "HIP hipMalloc" in shown
    assert "Support full: HIP covers it" in shown
    assert "Change safe: `cudamigrate apply` makes the change" in shown
    assert "Rule file runtime.toml" in shown


def test_facts_that_are_not_known_are_left_out():
    assert not any(line.startswith(("Since", "Was", "Header")) for line in lines(render_rule(MALLOC)))


def test_page_of_a_hazard_shows_notes_and_examples():
    text = render_rule(WARP)
    shown = lines(text)
    assert "Found by the detector warp_size" in shown
    assert "Left as it is wrong-result: runs on AMD and silently computes something else" in shown
    assert "First paragraph in two lines." in shown
    assert "- a list\n- stays" in text
    assert "finds `threadIdx.x % 32`" in shown
    assert "nothing is found" in shown
    assert "becomes" in shown
    assert "`threadIdx.x % 32` assumes 32 lanes." in shown
    assert not any(line.startswith("Change") for line in shown)


def test_what_other_rules_make_of_an_example_does_not_hide_whether_this_rule_found_something():
    finds, misses = Example("a(32);", ("a(32)",), "b(32);"), Example("a(16);", (), "b(16);")
    shown = lines(render_rule(replace(WARP, examples=(finds, misses), change=Change("none"))))
    at = shown.index("finds `a(32)`")
    assert shown[at : at + 3] == ["finds `a(32)`", "becomes", "b(32);"]
    at = shown.index("nothing is found by this rule")
    assert shown[at : at + 3] == ["nothing is found by this rule", "becomes", "b(16);"]


def test_other_changes_are_spelled_for_a_reader():
    header = replace(MALLOC, match=Match("include", ("cuda.h",)), change=Change("include", ("hip/hip_runtime.h",)))
    assert "CUDA <cuda.h>" in lines(render_rule(header))
    assert "HIP <hip/hip_runtime.h>" in lines(render_rule(header))
    gone = replace(header, change=Change("include", ()))
    assert "HIP not needed, the line goes" in lines(render_rule(gone))
    template = replace(MALLOC, change=Change("template", ("f(HIP_SYMBOL($1), $*)",)))
    assert "HIP f(HIP_SYMBOL(<argument 1>), <other arguments>)" in lines(render_rule(template))
    same = replace(MALLOC, change=Change("none"), silent=True)
    assert "HIP the same name" in lines(render_rule(same))


def test_list_has_a_line_per_rule_in_the_order_of_the_groups():
    assert lines(render_list([WARP, MALLOC])) == [
        "api (1 rule)",
        "api/cudaMalloc full CUDA Runtime function",
        "",
        "warp (1 rule)",
        "warp/hardcoded-size manual Warp size written as 32",
    ]


def test_empty_list_says_so():
    assert render_list([]) == "No rules.\n"


def test_name_of_a_rule_is_not_what_its_message_is_about() -> None:
    assert "`cudaMalloc` is" in render_rules("api/cudaMalloc", [MALLOC])
    assert "`cudaMallocHost` is" in render_rules("cudaMallocHost", [MALLOC])


def test_no_page_of_a_ptx_rule_has_blanks() -> None:
    rules = [rule for rule in load(Target()).rules.values() if rule.group in ("ptx", "texture", "build", "math")]
    pages = [render_rule(example_message(rule, Config())) for rule in rules if rule.origin != "cmake.toml"]
    assert len(pages) > 40
    blank = re.compile(r"\{(?:instruction|why|shape|difference|fate|text|name)\}")
    assert [page.split("\n")[0] for page in pages if blank.search(page.partition("Found by")[0])] == []
