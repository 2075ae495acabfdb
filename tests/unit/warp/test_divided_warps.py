"""Lanes of both branches of a condition that parts a warp meet at functions across lanes, and on AMD they do not."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.lane_differences import LaneDifferences
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import evaluator_of

ALL = "0xffffffffu"


def met(body: str, before: str = "") -> int:
    head = "__global__ void k(int *a, int n) {\n__shared__ int s[64];\nint lane = threadIdx.x & 31;\n"
    text = f"{before}\n{head}{body}\n}}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return sum(one.kind == "divided" for one in failures(evaluator_of(parsed)))


HANDED = "if (lane < 8) {{\n s[lane] = n;\n {0}\n }} else {{\n {1}\n a[lane] = {2};\n }}"
HELPER = "__device__ int of(int value, int from) { return __shfl_sync(0xffffffff, value, from); }"


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (HANDED.format("__syncwarp();", "__syncwarp();", "s[0]"), ""),
        (HANDED.format(f"__syncwarp({ALL});", "__syncwarp();", "s[lane - 8]"), ""),
        (HANDED.format("__syncwarp(~0u);", "__syncwarp(-1);", "s[0]"), ""),
        (HANDED.format("__syncwarp(all);", "__syncwarp(all);", "s[0]"), "constexpr unsigned all = ~0u;"),
        (HANDED.format("meet();", "meet();", "s[0]"), "__device__ void meet() { s[0] = 1; __syncwarp(); }"),
        ("if (lane % 2 == 0) a[0] = of(n, 1); else a[1] = of(n, 0);", HELPER),
        (f"unsigned v; if (lane == 3) v = __ballot_sync({ALL}, n); else v = __ballot_sync({ALL}, 1); a[0] = v;", ""),
    ],
)
def test_lanes_of_both_branches_meet(body: str, before: str) -> None:
    assert met(body, before) == 1


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (HANDED.format("__syncwarp(0xff);", "__syncwarp(0xffffff00);", "s[0]"), ""),
        (HANDED.format("__syncwarp(0xff);", "__syncwarp(~0xffu);", "s[0]"), ""),
        (HANDED.format("__syncwarp(~0u >> 24);", "__syncwarp(~0xffu);", "s[0]"), ""),
        (HANDED.format("__syncwarp();", "__syncwarp();", "n"), ""),
        (HANDED.format("__syncwarp();", "", "s[0]"), ""),
        ("if (threadIdx.x / 32 == 0) a[0] = of(n, 1); else a[1] = of(n, 0);", HELPER),
        ("if (n == 0) a[0] = of(n, 1); else a[1] = of(n, 0);", HELPER),
        ("if (lane == 0) a[0] = of(n, 1); else a[1] = n;", HELPER),
        (
            f"unsigned m = __activemask(); if (lane == 3) a[0] = __any_sync(m, n); else a[1] = __all_sync({ALL}, n);",
            "",
        ),
    ],
)
def test_lanes_that_need_none_of_the_other_branch(body: str, before: str) -> None:
    assert met(body, before) == 0


TURNS = "for (int i = 0; i < 32; ++i) {{ {} }}"
SHUFFLED = f"n = __shfl_sync({ALL}, n, 3);"


@pytest.mark.parametrize(
    "body",
    [
        TURNS.format(f"if (i == lane) {SHUFFLED}"),
        TURNS.format(f"if (i < lane) {{ n += a[i]; continue; }} {SHUFFLED} break;"),
        TURNS.format(f"bool mine = i == lane; if (mine) n += __ballot_sync({ALL}, n);"),
        f"for (int i = 31; i >= 0; --i) {{ if (i == lane) {SHUFFLED} }}",
        f"int i = 0; while (true) {{ if (lane == i) {{ {SHUFFLED} break; }} i++; }}",
    ],
)
def test_lanes_that_come_in_another_turn_are_not_there(body: str) -> None:
    assert met(body) == 1


@pytest.mark.parametrize(
    "body",
    [
        TURNS.format(f"int m = __shfl_sync({ALL}, n, i); if (i == lane) n = m;"),
        TURNS.format("if (i == lane) n = __shfl_sync(1u << lane, n, lane);"),
        TURNS.format(f"if (i == threadIdx.x / 32) {SHUFFLED}"),
        TURNS.format(f"if (i == n) {SHUFFLED}"),
        f"for (int i = 0; i < 1; ++i) {{ if (i == lane) {SHUFFLED} }}",
        f"for (int d = 1; d < 32; d <<= 1) {{ if (lane >= d) n += __shfl_up_sync({ALL}, n, d); }}",  # all in the first
        f"for (int i = threadIdx.x; i < 1024; i += 32) {{ if (i < n) {SHUFFLED} }}",
    ],
)
def test_lanes_that_come_in_one_turn_or_never_meet_nobody_later(body: str) -> None:
    assert met(body) == 0


READ, WRITE = "__syncwarp(); a[lane] = s[lane];", "s[lane - 8] = n; __syncwarp();"
ROLES = "__device__ void in(int *s, int lane) {{ s[lane] = 1; {0} }}\n"
ROLES += "__device__ void out(int *s, int *a) {{ {0} a[0] = s[0]; }}"
TILE = "auto t = cooperative_groups::tiled_partition<{0}>(cooperative_groups::this_thread_block());\n"
SWITCH = "switch (lane >> 3) {{ case 0: {0} break; case 1: {1} break; default: {2} }}"


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (f"const bool reads = lane < 8; if (reads) {{ {READ} }} if (!reads) {{ {WRITE} }}", ""),
        (f"if (lane < 8) {{ {READ} }} if (lane >= 8) {{ {WRITE} }}", ""),
        (f"if (lane < 8) {{ {READ} }} if (lane % 3 == 0) {{ {WRITE} }}", ""),
        (f"if (lane < 8) {{ {READ} return; }} {WRITE}", ""),
        (f"for (int i = 0; i < n; ++i) {{ if (lane < 8) {{ {READ} continue; }} {WRITE} }}", ""),
        (f"for (int i = 0; i < n; ++i) {{ if (lane < 8) {{ {READ} break; }} {WRITE} }}", ""),
        (f"if (lane >= 8) {{ {WRITE} }} else {{ {READ} return; }} __syncwarp();", ""),
        (f"if (lane < 8) {{ {READ} }} else {{ s[lane] = n; }} __syncwarp();", ""),
        (SWITCH.format(READ, WRITE, ""), ""),
        (SWITCH.format("", WRITE, READ), ""),
        ("if (lane < 8) in(s, lane); else out(s, a);", ROLES.format("__syncwarp();")),
        ("switch (lane / 16) { case 0: out(s, a); break; case 1: in(s, lane); }", ROLES.format("__syncwarp();")),
        ("if (lane < 8) in(s, lane); else out(s, a);", ROLES.format('asm volatile("bar.warp.sync -1;");')),
        ("auto in = [&] { s[0] = 1; __syncwarp(); }; auto out = [&] { __syncwarp(); a[0] = s[0]; };\n"
         "lane == 3 ? in() : out();", ""),
        ("void (*f)(int *, int *) = lane < 8 ? &put : &get; f(s, a);",
         "__device__ void put(int *s, int *) { s[0] = 1; __syncwarp(); }\n"
         "__device__ void get(int *s, int *a) { __syncwarp(); a[0] = s[0]; }"),
        (TILE.format(32) + "if (t.thread_rank() < 8) { t.sync(); a[0] = s[0]; } else { s[0] = n; t.sync(); }", ""),
        (TILE.format(16) + "if (lane % 16 < 8) { t.sync(); a[0] = s[0]; } else { s[0] = n; t.sync(); }", ""),
        ("unsigned m = __activemask(); if (lane < 8) { __syncwarp(m); a[0] = s[0]; }\n"
         "else { s[0] = n; __syncwarp(m); }", ""),
        ("struct Box { int paper[8]; }; __shared__ Box b; if (lane < 8) { __syncwarp(); a[0] = b.paper[lane]; }\n"
         "else { b.paper[0] = n; __syncwarp(); }", ""),
        ("for (int i = lane; i < 40; i += 32) { __syncwarp(); a[i] = s[i]; } s[lane] = n; __syncwarp();", ""),
    ],
)  # fmt: skip
def test_lanes_meet_from_any_places(body: str, before: str) -> None:
    assert met(body, before) >= 1


@pytest.mark.parametrize(
    ("body", "before"),
    [
        # What one part writes first, the other reads behind it in the text.
        (f"if (lane >= 8) {{ {WRITE} }} if (lane < 8) {{ {READ} }}", ""),
        # Lanes that come to the second come to the first.
        (f"if (lane < 16) {{ {READ} }} if (lane < 8) {{ s[lane] = n; __syncwarp(); }}", ""),
        ("for (int o = 16; o > 0; o /= 2) { if (lane < o) { s[lane] += s[lane + o]; __syncwarp(); } }\n"
         "__syncwarp(); a[lane] = s[0];", ""),
        ("if (lane < 16) { int v = s[lane + 16]; __syncwarp(); s[lane] = s[lane] + v; __syncwarp(); }\n"
         "if (lane < 8) { int v = s[lane + 8]; __syncwarp(); s[lane] = s[lane] + v; __syncwarp(); }", ""),
        # All lanes of a warp answer alike.
        (SWITCH.replace("lane >> 3", "threadIdx.x / 32").format(READ, WRITE, ""), ""),
        ("if (threadIdx.x < 32) in(s, lane); else out(s, a);", ROLES.format("__syncwarp();")),
        # Each part waits for its own lanes.
        ("if (lane < 8) in(s, lane); else out(s, a);", ROLES.format("__syncwarp(__activemask());")),
        ("if (lane < 16) { __syncwarp(0xffff); a[0] = s[0]; return; } s[0] = n; __syncwarp(0xffff0000);", ""),
        ("if (lane < 8) { unsigned m = __activemask(); __syncwarp(m); a[0] = s[0]; }\n"
         "else { unsigned m = __activemask(); s[0] = n; __syncwarp(m); }", ""),
        (TILE.format(16) + "if (lane < 16) { t.sync(); a[0] = s[0]; } else { s[0] = n; t.sync(); }", ""),
        ("if (lane < 8) { auto g = cooperative_groups::coalesced_threads(); g.sync(); a[0] = s[0]; }\n"
         "else { auto g = cooperative_groups::coalesced_threads(); s[0] = n; g.sync(); }", ""),
        # The parts share no memory.
        ("__shared__ int r[32]; if (lane < 8) { s[lane] = n; __syncwarp(); a[0] = s[0]; return; }\n"
         "r[lane] = n; __syncwarp(); a[1] = r[8];", ""),
        ("int r[4]; if (lane < 8) { __syncwarp(); a[0] = r[0]; return; } r[0] = n; __syncwarp();", ""),
        # Only one part has a place to meet.
        (f"if (lane < 8) {{ {READ} return; }} s[lane] = n;", ""),
        ("if (lane < 8) in(s, lane); else a[0] = s[0];", ROLES.format("__syncwarp();")),
    ],
)  # fmt: skip
def test_lanes_that_need_none_of_another_place(body: str, before: str) -> None:
    assert met(body, before) == 0


SPLIT = "if ({0}) {{ s[lane] = n; __syncwarp(); a[lane] = s[lane ^ 31]; }}\n"
SPLIT += "else {{ s[lane] = n + 1; __syncwarp(); a[lane] = s[lane ^ 31] * 2; }}"
KNOWN = """__constant__ int tab[32];
struct Lane { __device__ int operator()() const { return threadIdx.x & 31; } };
struct Block { __device__ int operator()() const { return blockIdx.x; } };
__device__ int bits(int of) { return __popc(of) + tab[of & 31]; }
"""
GROUP = "cooperative_groups::tiled_partition<{0}>(cooperative_groups::this_thread_block())"
MASK = "unsigned m = __ballot_sync(~0u, a[threadIdx.x] > 3); "
LEADER = "int at; if (lane == 0) at = atomicAdd(a, 1); at = __shfl_sync(~0u, at, 0); "


@pytest.mark.parametrize(
    ("before", "condition"),
    [
        ("", "__popc(lane & 1)"),
        ("", "__ffs(1 << lane) > 16"),
        ("", "__clz(lane) > 28"),
        ("", "__brev(lane) < n"),
        ("", "__umulhi(lane, 1u << 28)"),
        ("", "min(lane, 16) == 16"),
        ("", "fmaxf(lane, n) > 3.0f"),
        ("", "__byte_perm(lane, n, 1) == 3"),
        ("", "bits(lane) == 3"),
        ("", "tab[lane & 1]"),
        ("", "a[threadIdx.x] > 3"),
        ("int own[1] = {lane & 1};", "own[0]"),
        ("", "[&] { return lane < 16; }()"),
        ("", "Lane()() & 1"),
        ("", GROUP.format(16) + ".meta_group_rank() & 1"),
        ("auto t = " + GROUP.format(8) + ";", "t.meta_group_rank() & 1"),
        (MASK, "(m >> lane) & 1"),
        ("", "__shfl_xor_sync(~0u, a[threadIdx.x], 1) > 20"),
        ("int other = __shfl_up_sync(~0u, tab[lane], 1);", "tab[lane] != other"),
        ("int half = __shfl_sync(~0u, tab[lane], 0, 16);", "half > 1"),
        ("", "__match_any_sync(~0u, a[threadIdx.x]) & 1u"),
        ("", "atomicAdd(a, 1) & 1"),
        ("", "n >> lane & 1"),
    ],
)
def test_what_a_value_is_made_of_tells_that_it_differs_between_lanes(before: str, condition: str) -> None:
    assert met(before + SPLIT.format(condition), KNOWN) == 1


@pytest.mark.parametrize(
    ("before", "condition"),
    [
        ("", "__popc(blockIdx.x & 1)"),
        ("", "__ffs(n) > 16"),
        ("", "__clz(threadIdx.x / 32) > 28"),
        ("", "min(n, 16) == 16"),
        ("", "bits(n) == 3"),
        ("", "tab[n & 1]"),
        ("", "tab[threadIdx.x / 32]"),
        ("int own[1] = {n & 1};", "own[0]"),
        ("", "[&] { return n < 16; }()"),
        ("", "Block()() & 1"),
        ("", GROUP.format(32) + ".meta_group_rank() & 1"),
        ("", "unseen(lane) & 1"),
        ("int warp = threadIdx.x / kUnseen;", "tab[warp] == 1"),
        (MASK, "m == 7"),
        (MASK, "__popc(m) > 16"),
        (MASK, "tab[__ffs(m) - 1] == 3"),
        ("", "__shfl_sync(~0u, a[threadIdx.x], 0) > 20"),
        (MASK, "__shfl_sync(~0u, a[threadIdx.x], __ffs(m) - 1) > 20"),
        ("", "__reduce_add_sync(~0u, lane) > n"),
        ("int v = tab[lane]; for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);", "v > 20"),
        (LEADER, "at > n"),
        (LEADER, "at & 1"),
    ],
)
def test_what_is_the_same_in_a_warp_divides_none(before: str, condition: str) -> None:
    assert met(before + SPLIT.format(condition), KNOWN) == 0


STEP = "{ int x = s[(lane + 1) & 31]; __syncwarp(); s[lane] = x + 1; __syncwarp(); {0} }"
SHUFFLE = "{{ n += __shfl_sync({0}, n, lane ^ 1); {1} }}"
FULL, COUNTED = SHUFFLE.format(ALL, ""), SHUFFLE.format(ALL, "k++;")


def step(more: str) -> str:
    return STEP.replace("{0}", more)


@pytest.mark.parametrize(
    "body",
    [
        f"int k = 0; while (k < a[threadIdx.x]) {step('k++;')} while (k < 4) {step('k++;')}",
        f"int k = 0; while (k < (lane & 3)) {step('k++;')} while (k < 4) {step('k++;')}",
        f"int k = 0; for (; k < tab[lane]; ++k) {step('')} for (; k < 4; ++k) {step('')}",
        f"int k = 0; for (; k < tab[lane]; ++k) {FULL} for (; k < 4; ++k) {FULL}",
        f"int k = 0; for (;; ++k) {{ if (k == a[lane]) break; {FULL} }} for (; k < 4; ++k) {FULL}",
        f"int k = 0; do {COUNTED} while (k < a[lane]); while (k < 9) {COUNTED}",
        f"for (int i = 0; i < a[lane]; ++i) {FULL} for (int j = a[lane]; j < 4; ++j) {FULL}",
        f"for (int i = 0; i < (lane & 3); ++i) {FULL} for (int j = 0; j < 3 - (lane & 3); ++j) {FULL}",
        f"int k = 0; for (; k < (lane & 1); ++k) {FULL} if (k == 0) {FULL}",
        f"for (int i = 0; i < (lane & 1); ++i) {FULL} if (lane % 2 == 0) {FULL}",
        f"for (int r = 0; r < n; ++r) {{ int k = 0; while (k < a[lane]) {COUNTED} while (k < 4) {COUNTED} }}",
        f"for (int r = 0; r < n; ++r) {{ int k = 0; while (true) {{ if (k == a[lane]) break; {COUNTED} }}\n"
        f"while (k < 4) {COUNTED} }}",
    ],
)
def test_lanes_that_have_left_a_loop_are_met_behind_it(body: str) -> None:
    assert met(body, KNOWN) == 1


@pytest.mark.parametrize(
    "body",
    [
        f"int k = 0; while (k < n) {COUNTED} while (k < 4) {COUNTED}",
        f"int k = 0; while (k < a[threadIdx.x / 32]) {COUNTED} while (k < 4) {COUNTED}",
        f"int k = 0; while (k < a[lane]) {{ s[lane] += k; k++; }} while (k < 4) {COUNTED}",
        f"int k = 0; while (k < a[lane]) {COUNTED} while (k < 4) {{ s[lane] += k; k++; }}",
        f"int k = 0; while (k < a[lane]) {COUNTED} {FULL}",  # right on NVIDIA's only where all turn equally often
        f"for (int i = lane; i < n; i += 32) {FULL} for (int j = lane; j < 2 * n; j += 32) {FULL}",
        f"int i = lane; for (; i + 96 < n; i += 128) {FULL} for (; i < n; i += 32) {FULL}",
        f"for (int i = lane; i < 128; i += 32) {FULL} if (lane & 1) s[lane] = n;",
        "int k = 0; while (k < a[lane]) { unsigned m = __activemask(); n += __shfl_sync(m, n, 0); k++; }\n"
        "while (k < 4) { unsigned m = __activemask(); n += __shfl_sync(m, n, 0); k++; }",
        "int k = 0; while (__any_sync(~0u, k < a[lane])) " + COUNTED + " while (__any_sync(~0u, k < 4)) " + COUNTED,
        f"int k = 0; while (true) {{ if (k == a[lane]) return; {COUNTED} }}",
        f"for (int r = 0; r < n; ++r) {{ int k = 0; while (k < n) {{ k++; if (a[lane] == 0) continue; {FULL} }}\n"
        f"while (k < 4) {COUNTED} }}",
    ],
)
def test_lanes_that_turn_equally_often_or_meet_nobody_behind_a_loop(body: str) -> None:
    assert met(body, KNOWN) == 0


JUMPS = """if ({0}) goto work;
while (true) {{
turn:
    {1}
    if (n == 9) goto end;
    s[lane] += n;
    if ({0}) goto work;
}}
work: if (a[n]) {{ n = 9; s[1] = n; }}
{2}
end: a[0] = n;"""
LEFT = """turn: {1}
if (n == 9) goto end;
if ({0}) goto work;
goto turn;
work: n = a[n];
{2}
end: a[0] = n;"""
CHOSEN = "if (n == 1) { if (lane == 0) switch (a[0]) { case 3: goto work; } }"
TAKEN = f"n = __shfl_sync({ALL}, n, 0);"


def rejoined(body: str) -> list[bool]:
    """Whether each of what is found is sure."""
    head = "__global__ void k(int *a, int n) {\n__shared__ int s[64];\nint lane = threadIdx.x & 31;\n"
    parsed = cuda.parse(SourceFile("a.cu", f"{head}{body}\n}}\n".encode(), "cuda"), frozenset())
    return [one.sure for one in failures(evaluator_of(parsed)) if one.kind == "divided"]


@pytest.mark.parametrize(
    ("body", "sure"),
    [
        (JUMPS.format("lane == 0", TAKEN, "goto turn;"), True),  # entered in two places
        (JUMPS.format("lane == 0", "__syncwarp(); n = s[1];", "goto turn;"), True),
        (JUMPS.format("lane == 0", TAKEN, "goto turn;").replace("if (lane == 0)", "", 1).replace("goto work;", "", 1),
         False),
        (LEFT.format("lane == 0", TAKEN, "goto turn;"), False),
        (JUMPS.format("lane == 0", f"{TAKEN} {CHOSEN}", "goto turn;"), True),
    ],
)  # fmt: skip
def test_lanes_that_jump_back_into_a_loop_in_which_others_turn_are_not_there(body: str, sure: bool) -> None:
    assert rejoined(body) == [sure]


@pytest.mark.parametrize(
    "body",
    [
        JUMPS.format("n == 3", TAKEN, "goto turn;"),  # all lanes jump alike
        JUMPS.format("threadIdx.x / 32 == 0", TAKEN, "goto turn;"),
        JUMPS.format("lane == 0", TAKEN, "return;"),  # nobody comes back
        JUMPS.format("lane == 0", "n += a[n];", "goto turn;"),  # nobody meets in the loop
        JUMPS.format("lane == 0", "__syncwarp(); n = a[1];", "goto turn;"),  # nor reads what the others write
        LEFT.format("lane == 0", TAKEN, "return;"),
        f"turn: {TAKEN} if (n < 9) goto turn; if (lane == 0 && n == 10) goto end; s[lane] = n; end: a[0] = n;",
    ],
)
def test_jumps_that_part_no_warp_in_a_loop_are_not_found(body: str) -> None:
    assert rejoined(body) == []


@pytest.mark.parametrize("first", ["a[lane + {0}]", "a[{0}]"])
def test_values_that_depend_on_each_other_are_asked_for_once(monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    asked: list[str] = []
    ask = LaneDifferences._made

    def counted(self: LaneDifferences, *given: object) -> int:
        asked.append("")
        return ask(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(LaneDifferences, "_made", counted)
    many = 12
    start = "".join(f"int w{at} = {first.format(at)};\n" for at in range(many))
    step = "if (w{1} < w{2}) w{0} = w{3} + w{4};\n"
    steps = "".join(step.format(*((at + by) % many for by in (0, 1, 2, 3, 5))) for at in range(many))
    test = "if (w0 < w1) { __syncwarp(); } else { __syncwarp(); }"
    assert met(f"{start}for (int j = 0; j < n; ++j) {{\n{steps}{test}\n}}") in (0, 1)
    assert len(asked) < 200  # twelve variables, each at a few depths; asked along every way it is thousands


TURN = """
__device__ unsigned vote(int v) { return __ballot_sync(0xffffffffu, v > 1); }
__device__ void turn(const int *from, TAKES, unsigned &flag) {
  int lane = threadIdx.x & 31;
  if (ASKS) flag |= vote(lane); else flag |= __ballot_sync(0xffffffffu, false);
}
"""


def met_in_turns(takes: str, asks: str, begins: str) -> int:
    """The calls that need other lanes where a loop of the kernel calls a function with its counter."""
    loop = f"unsigned flag = 0;\nfor (int i = {begins}; i < n; ++i) turn(a, i, flag);\na[0] = flag;"
    return met(loop, TURN.replace("TAKES", takes).replace("ASKS", asks))


@pytest.mark.parametrize(
    ("takes", "asks", "begins"),
    [
        ("int g", "from[lane] == g", "0"),
        ("const int &g", "from[lane] == g", "blockIdx.x"),
        ("int g", "from[lane] == g", "a[lane]"),
    ],
)
def test_what_differs_is_compared_with_what_a_caller_counts(takes: str, asks: str, begins: str) -> None:
    assert met_in_turns(takes, asks, begins) == 1


@pytest.mark.parametrize(("asks", "begins"), [("from[blockIdx.x] == g", "0"), ("from[3] == g", "n")])
def test_what_lanes_have_alike_parts_none(asks: str, begins: str) -> None:
    assert met_in_turns("int g", asks, begins) == 0
