"""Speed is a range with reasons; money follows from it; the advice says because."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.errors import ConfigError
from cudamigrate.estimate import check, performance, prices
from cudamigrate.estimate.category import Part
from cudamigrate.estimate.tables import table
from cudamigrate.model.estimate import Category, Estimate, Performance, by_card
from cudamigrate.reporting.money import rows
from tests.unit.estimate.trees import CUTLASS, EXTENSION, KERNEL, TRITON, estimate, survey, write

ONE = Config(jobs=1, gpu=("mi300x",))
SERVE = {"serve.py": "import torch\nout = model(ids, kv_cache)\n"}
TRAIN = {"train.py": "import torch\nloss.backward()\n"}


def speed(found: Estimate, workload: str, gpu: str = "mi300x") -> Performance:
    (one,) = (p for p in found.performance if (p.workload, p.gpu) == (workload, gpu))
    return one


def test_workloads_are_those_that_the_code_shows(tmp_path: Path) -> None:
    def shown(name: str, files: dict[str, str]) -> list[str]:
        return [p.workload for p in estimate(tmp_path / name, files, ONE).performance]

    assert shown("a", SERVE) == ["prefill", "decode-small", "decode-large"]
    assert shown("e", {"a.py": "import torch\ny = model.generate(x)\n"}) == ["decode-small"]
    assert shown("f", {"a.py": "import torch\nloss.backward()\ny = model.generate(x)\n"}) == ["training"]
    assert shown("g", {"a.py": "import torch\n# like diffusers, with a kv_cache\nx = 'diffusers'\n"}) == ["compute"]
    assert shown("j", {"a.py": "import torch\nclass Trainer(Base):\n    pass\n"}) == ["compute"]
    assert shown("h", {"a.py": "import torch\nfrom diffusers import X\n"}) == ["image"]
    assert shown("i", {"a.cu": KERNEL, "benchmarking/a.py": "import torch\nloss.backward()\n"}) == ["compute"]
    assert shown("b", TRAIN) == ["training"]
    assert shown("c", {"a.cu": KERNEL}) == ["compute"]
    assert shown("d", {"a.py": "import torch\n"}) == ["compute"]


def test_every_range_has_reasons_and_sources_for_each_shift(tmp_path: Path) -> None:
    found = estimate(tmp_path, {**SERVE, "setup.py": EXTENSION, "a.cu": KERNEL + CUTLASS}, ONE)
    ranges = [one for one in found.performance if not one.no_data]
    assert [one.workload for one in ranges] == ["decode-small", "decode-large"]
    for one in ranges:
        assert one.low is not None and one.high is not None and one.high - one.low >= 8
        shifts = [reason for reason in one.reasons if "points" in reason]
        assert len(shifts) >= 1
        assert len(one.sources) >= len(shifts)
        assert all(source.text and source.date and source.grade for source in one.sources)


def test_tensor_cores_widen_the_range_downwards(tmp_path: Path) -> None:
    files = {**TRAIN, "setup.py": EXTENSION, "a.cu": KERNEL}
    plain = speed(estimate(tmp_path / "a", files, ONE), "training")
    hard = speed(estimate(tmp_path / "b", {**files, "gemm.cu": CUTLASS}, ONE), "training")
    assert hard.low is not None and plain.low is not None and hard.low < plain.low
    assert any("tensor-core instructions" in reason for reason in hard.reasons)


def test_flash_attention_3_counts_where_it_is_in_code(tmp_path: Path) -> None:
    def said(name: str, files: dict[str, str], gpu: str = "mi300x") -> list[str]:
        found = estimate(tmp_path / name, {**TRAIN, **files}, replace(ONE, gpu=(gpu,), source_gpu=""))
        return [reason for p in found.performance for reason in p.reasons if "FlashAttention 3" in reason]

    code = {"a.py": "import torch\nfrom flash_attn_interface import f\n"}
    (reason,) = said("code", code)
    assert reason.startswith("10 points off the low end, 0 off the high end: ")
    (reason,) = said("other card", code, "mi325x")
    assert reason.startswith("no data")
    assert said("list", {"requirements.txt": "flash-attn-3\n"}) == []


def test_package_lists_move_no_range(tmp_path: Path) -> None:
    listed = {"requirements.txt": "torch==2.1.0+cu121\nonnxruntime-gpu\nflash-attn==2.5\n"}
    image = {"Dockerfile": "FROM nvcr.io/nvidia/pytorch:24.05-py3\n"}
    plain = speed(estimate(tmp_path / "a", TRAIN, ONE), "training")
    pinned = estimate(tmp_path / "b", {**TRAIN, **listed, **image}, ONE)
    assert pinned.frameworks
    assert speed(pinned, "training") == plain


@pytest.mark.parametrize(
    ("source", "card", "low"),
    [("h100", "mi300x", 85), ("h100", "mi355x", None), ("b200", "mi355x", 92), ("", "mi250x", None)],
)
def test_pair_without_a_figure_has_no_data(source: str, card: str, low: float | None, tmp_path: Path) -> None:
    found = estimate(tmp_path, TRAIN, replace(ONE, gpu=(card,), source_gpu=source))
    (one,) = found.performance
    assert (one.low, one.no_data) == (low, low is None)
    assert low is not None or one.reasons[0].startswith(f"no comparison of {card.upper()}")
    assert (low is None) == ([verdict.workload for verdict in found.verdicts] == ["all"])  # no advice without a figure


def test_what_was_found_is_said_where_there_is_no_data(tmp_path: Path) -> None:
    (one,) = estimate(tmp_path, {"gemm.cu": CUTLASS}, ONE).performance
    assert one.no_data and any("tensor-core instructions, " in reason for reason in one.reasons)


def test_every_pair_is_of_cards_that_are_known() -> None:
    cards, gpus = table("gpus"), {"gpu": set[str](), "nvidia": set[str]()}
    for key in gpus:
        gpus[key] = {str(entry["name"]) for entry in cards.all(key)}
    assert {"mi450", "mi355x"} <= gpus["gpu"] and {"b300", "rtx5090"} <= gpus["nvidia"]
    assert all(entry["peer"] in gpus["nvidia"] for entry in cards.all("gpu"))
    pairs = [(e["workload"], e["gpu"], e["from"]) for e in table("performance").all("pair")]
    assert len(set(pairs)) == len(pairs)
    assert all(gpu in gpus["gpu"] and source in gpus["nvidia"] for _, gpu, source in pairs)


def test_lanes_count_on_waves_of_64_alone(tmp_path: Path) -> None:
    code = "__global__ void k(int *x) { x[0] = __shfl_down_sync(0xffffffff, x[0], 1); }\n"
    files = {"serve.py": "import torch\nmodel.generate(1)\n", "setup.py": EXTENSION, "a.cu": code}
    found = estimate(tmp_path, files, replace(ONE, gpu=("mi300x,7900xtx",)))
    reported = {
        p.gpu: any("groups of 32" in reason for reason in p.reasons)
        for p in found.performance
        if p.workload == "decode-small"
    }
    assert reported == {"mi300x": True, "7900xtx": False}


def test_torch_compile_is_a_row_where_it_is_called(tmp_path: Path) -> None:
    def used(name: str, code: str) -> bool:
        uses = estimate(tmp_path / name, {"a.py": f"import torch\n{code}"}, ONE).frameworks
        return "torch.compile" in {use.name for use in uses}

    assert used("call", "f = torch.compile(f)\n")
    assert used("decorator", "@torch.compile\ndef f(x):\n    return x\n")
    assert not used("other", "torch.compiler.reset()\n# torch.compile(f)\nmytorch.compile(f)\ng = torch.compile_mode\n")


def test_category_moves_no_range(tmp_path: Path) -> None:
    code = "loss.backward()\n"
    trees = {
        "jax": {"a.py": f"import jax\n{code}"},
        "torch": {"a.py": f"import torch\n{code}"},
        "triton": {"a.py": TRITON + code},
    }
    found = [speed(estimate(tmp_path / n, t, ONE), "training") for n, t in trees.items()]
    assert {(one.low, one.high) for one in found} == {(85, 94)}


@pytest.mark.parametrize(("category", "low"), [("pytorch-cuda-extension", 60), ("ported", 85)])
def test_gaps_of_a_port_move_no_range(category: Category, low: float, tmp_path: Path) -> None:
    files = {**TRAIN, "setup.py": EXTENSION, "gemm.cu": CUTLASS}
    found = pipeline.scan(write(tmp_path, files), ONE)
    part = Part(".", list(found.files), category, "pytorch-cuda-extension")
    cards = performance.gpus(("mi300x",), (), "h100", table("gpus"))
    (one,) = performance.expected([part], survey(tmp_path), cards, table("performance"))
    assert (one.workload, one.low) == ("training", low)


def test_tensorrt_has_no_range_and_the_advice_is_to_stay(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"serve.py": "import tensorrt\nmodel.generate(1)\n"}, ONE)
    assert {(p.low, p.high) for p in found.performance} == {(None, None)}
    assert {verdict.advice for verdict in found.verdicts} == {"stay"}
    assert found.blockers and found.business is None


@pytest.mark.parametrize("name", ["MI300X", "Instinct MI300X", "amd mi300x"])
def test_gpu_is_known_by_its_usual_names(name: str, tmp_path: Path) -> None:
    config = replace(ONE, gpu=(name, "RX 7900 XTX"), source_gpu="NVIDIA H100")
    found = estimate(tmp_path, {"a.cu": KERNEL}, config)
    assert [(p.gpu, p.peer) for p in found.performance] == [("mi300x", "h100"), ("7900xtx", "h100")]


def test_unknown_gpu_is_an_error_that_lists_the_known(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--to: no GPU is called 'voodoo'; known are .*mi300x"):
        estimate(tmp_path, {"a.cu": KERNEL}, replace(ONE, gpu=("voodoo",)))
    with pytest.raises(ConfigError, match=r"--from: no NVIDIA GPU is called 'mi300x'; known are .*h100"):
        estimate(tmp_path, {"a.cu": KERNEL}, replace(ONE, source_gpu="mi300x"))


def test_gpus_follow_from_the_architectures(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.cu": KERNEL}, Config(jobs=1, arch=("gfx1100", "gfx950")))
    assert [p.gpu for p in found.performance] == ["mi355x", "7900xtx"]


def test_money_is_days_and_hours_times_prices(tmp_path: Path) -> None:
    config = replace(ONE, gpu_hours=1000.0, price_from=(("", 4.0),), price_to=(("", 2.0),), day_rate=1000.0)
    found = estimate(tmp_path, TRAIN, config)
    money, (one,) = found.business, found.performance
    assert money is not None and one.low and one.high
    assert money.cost.p50 == pytest.approx(found.days.p50 * 1000)
    assert money.savings == tuple(pytest.approx(1000 * (4 - 2 * 100 / end), abs=0.01) for end in (one.low, one.high))
    assert money.months[0] == pytest.approx(money.cost.p90 / money.savings[0], abs=0.06)
    assert {source.text for source in money.sources} == {"given by the user"}
    assert (money.cards[0].gpu, money.cards[0].memory, money.cards[0].peer_memory) == ("mi300x", 192, 80)


@pytest.mark.parametrize("given", [{}, {"gpu_hours": 100.0}, {"price_from": (("", 4.0),), "price_to": (("", 2.0),)}])
def test_without_hours_and_prices_there_is_no_money(given: dict[str, object], tmp_path: Path) -> None:
    assert estimate(tmp_path, TRAIN, replace(ONE, **given)).business is None  # type: ignore[arg-type]


def test_rate_that_is_not_given_is_an_assumption_with_a_source(tmp_path: Path) -> None:
    money = estimate(
        tmp_path, TRAIN, replace(ONE, gpu_hours=100.0, price_from=(("", 4.0),), price_to=(("", 2.0),))
    ).business
    assert money is not None and money.currency == "USD"
    assert [source.grade for source in money.sources] == ["given", "derived"]


def test_power_counts_on_both_sides_or_on_none(tmp_path: Path) -> None:
    config = replace(
        ONE, gpu=("mi210",), gpu_hours=100.0, price_from=(("", 2.0),), price_to=(("", 1.0),), power_price=0.1
    )
    found = estimate(tmp_path, TRAIN, config).business
    assert found is not None and found.power == (0.0, 0.0)


def test_power_and_support_raise_what_the_move_costs(tmp_path: Path) -> None:
    config = replace(ONE, gpu_hours=1000.0, price_from=(("", 4.0),), price_to=(("", 2.0),))
    bare = estimate(tmp_path, TRAIN, config).business
    found = estimate(tmp_path, TRAIN, replace(config, power_price=0.1, support=500.0)).business
    assert bare is not None and found is not None and bare.savings and found.savings and found.speeds
    assert found.power == (0.07, 0.075)
    assert {"haink", "MLPerf"} <= {
        word for source in found.sources for word in ("haink", "MLPerf") if word in source.text
    }
    wanted = 1000 * (4.07 - 2.075 / found.speeds[0]) - 500
    assert found.savings[0] == pytest.approx(wanted, abs=0.01) and found.savings[0] < bare.savings[0]


def test_native_code_has_money_without_savings(tmp_path: Path) -> None:
    config = replace(ONE, gpu_hours=100.0, price_from=(("", 4.0),), price_to=(("", 2.0),))
    money = estimate(tmp_path, {"a.cu": KERNEL}, config).business
    assert money is not None and money.savings is None and money.months == (None, None)
    assert money.pairs[0].verdict == "saves from 50 % of the speed on"


def test_price_pairs_are_those_of_the_two_gpus_and_never_measured(tmp_path: Path) -> None:
    config = replace(ONE, gpu_hours=100.0, price_from=(("", 4.0),), price_to=(("", 2.0),))
    money = estimate(tmp_path, TRAIN, config).business
    assert money is not None
    assert money.pairs[0].source.grade == "given" and len(money.pairs) >= 4
    assert all(pair.source.grade != "measured" and pair.source.date for pair in money.pairs[1:])
    dates = [pair.source.date for pair in money.pairs[1:]]
    assert dates == sorted(dates, reverse=True)
    assert any(pair.against for pair in money.pairs) and money.contrary
    other = estimate(tmp_path, TRAIN, replace(config, gpu=("mi355x",))).business
    assert other is not None and len(other.pairs) == 1 and not other.contrary


@pytest.mark.parametrize(
    ("ratio", "words"),
    [(0.5, "saves at every"), (0.9, "saves at the higher"), (1.0, "costs more at every"), (1.2, "costs more at every")],
)
def test_verdict_of_a_ratio(ratio: float, words: str) -> None:
    assert prices.verdict(ratio, (0.8, 1.0)).startswith(words)


def test_pair_without_figures_says_so(tmp_path: Path) -> None:
    found = estimate(tmp_path, SERVE, replace(ONE, gpu=("7900xtx",)))
    (one,) = (one for one in found.performance if one.workload == "prefill")
    assert one.no_data and one.reasons[0].endswith("in prompt processing (prefill) is published")
    assert "prefill" not in {verdict.workload for verdict in found.verdicts}


@pytest.mark.parametrize(("price_to", "advice"), [(1.0, "move"), (3.0, "move-part"), (3.95, "stay"), (9.0, "stay")])
def test_advice_follows_the_price(price_to: float, advice: str, tmp_path: Path) -> None:
    config = replace(ONE, gpu_hours=5000.0, price_from=(("", 3.49),), price_to=(("", price_to),))
    verdicts = estimate(tmp_path, TRAIN, config).verdicts
    assert [(v.workload, v.advice) for v in verdicts] == [("training", advice), ("all", advice)]
    assert all(v.because for v in verdicts)


def test_move_that_never_pays_has_no_months(tmp_path: Path) -> None:
    money = estimate(
        tmp_path, TRAIN, replace(ONE, gpu_hours=100.0, price_from=(("", 1.0),), price_to=(("", 3.0),))
    ).business
    assert money is not None and money.months == (None, None) and money.savings[1] < 0


def test_advice_names_the_part_that_stays(tmp_path: Path) -> None:
    files = {
        "serve/setup.py": "from setuptools import setup\n",
        "serve/a.py": "import tensorrt\n",
        "train/setup.py": "from setuptools import setup\n",
        "train/b.py": "import torch\nloss.backward()\n",
    }
    whole = estimate(tmp_path, files, ONE).verdicts[-1]
    assert whole.advice == "move-part" and "Leave serve" in whole.because


def test_sample_of_what_is_trained_here_is_no_workload(tmp_path: Path) -> None:
    """A component that trains and writes out a sample elsewhere does not serve text; one that only generates does."""
    sample = {"export.py": "import torch\nmodel.generate(tokens)\n"}
    trained = estimate(tmp_path / "a", {**TRAIN, **sample}, ONE)
    alone = estimate(tmp_path / "b", sample, ONE)
    assert [one.workload for one in trained.performance] == ["training"]
    assert [one.workload for one in alone.performance] == ["decode-small"]


@pytest.mark.parametrize(
    ("line", "trains"),
    [
        ("loss.backward()", True),
        ("loss.backward(retain_graph=True)", True),
        ("scaler.scale(loss).backward()", True),
        ("engine.backward(self.loss)", True),
        ("accelerator.backward(train_loss, step)", True),
        ("grads = fused.backward(saved, padding, stride)", False),
        ("dx = kernels.backward(\n    grad, x)", False),
        ('"""Call `loss.backward()` first."""', False),
        ('def f():\n    """An example:\n\n    >>> loss.backward()\n    """', False),
        ('"""What it is."""\nloss.backward()', True),
    ],
)
def test_gradient_of_one_operator_and_an_example_train_nothing(line: str, trains: bool, tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.py": f"import torch\n{line}\n"}, ONE).performance
    assert [one.workload for one in found] == ["training" if trains else "compute"]


def test_repository_does_not_use_itself(tmp_path: Path) -> None:
    project = '[project]\nname = "bitsandbytes"\ndependencies = ["torch"]\n'
    own = {"pyproject.toml": project, "bitsandbytes/__init__.py": "import torch\n", "bitsandbytes/a.py": ""}
    user = {"pyproject.toml": '[project]\nname = "x"\ndependencies = ["bitsandbytes", "torch"]\n'}
    named = [[use.name for use in estimate(tmp_path / n, files).frameworks] for n, files in (("a", own), ("b", user))]
    assert named == [["PyTorch"], ["bitsandbytes", "PyTorch"]]


def test_each_card_has_its_own_dated_prices_or_none(tmp_path: Path) -> None:
    gpu = ("mi300x", "mi325x", "mi355x")
    config = replace(ONE, gpu=gpu, gpu_hours=1000.0, price_from=(("", 4.0),), price_to=(("", 2.0),))
    money = estimate(tmp_path, TRAIN, config).business
    assert money is not None
    prices = {card.gpu: card.price for card in money.cards}
    assert prices["mi325x"] is not None and prices["mi325x"].source.date == "2026-05-18"
    assert (prices["mi325x"].price_from, prices["mi325x"].price_to, prices["mi355x"]) == (2.5, 1.95, None)
    said = dict(rows(money))
    assert said["Published prices, MI355X for B200"] == "no data"
    assert said["Published prices, MI325X for H200"].startswith("2.50 USD an hour now, 1.95 then (2026-05-18): saves")


def test_each_card_with_a_price_has_its_own_money(tmp_path: Path) -> None:
    """What is said of a further card is what would be said of it alone."""
    given = {"gpu_hours": 1000.0, "day_rate": 1000.0, "power_price": 0.1, "support": 100.0}
    named = {"price_from": (("h100", 4.0), ("h200", 5.0)), "price_to": (("MI300X", 2.0), ("mi325x", 2.2))}
    both = estimate(tmp_path / "a", TRAIN, replace(ONE, gpu=("mi300x", "mi355x", "mi325x"), **given, **named)).business
    assert both is not None and [card.gpu for card in both.cards] == ["mi300x", "mi325x", "mi355x"]
    assert [one.gpu for one in both.others] == ["mi325x"] and (both.price_from, both.price_to) == (4.0, 2.0)
    alone = replace(ONE, gpu=("mi325x",), **given, price_from=(("", 5.0),), price_to=(("", 2.2),))
    money = estimate(tmp_path / "b", TRAIN, alone).business
    assert money is not None and by_card(both)[1] == replace(money, sources=both.sources)


def test_advice_is_that_of_the_card_that_gains_most(tmp_path: Path) -> None:
    """The first card costs more at its prices, the second saves."""
    prices = {"price_from": (("", 4.0), ("h200", 4.0)), "price_to": (("", 9.0), ("mi325x", 1.0))}
    config = replace(ONE, gpu=("mi300x", "mi325x"), gpu_hours=5000.0, **prices)
    found = estimate(tmp_path, TRAIN, config).verdicts
    assert [one.advice for one in found] == ["move", "move"] and "on MI325X" in found[0].because


@pytest.mark.parametrize(
    ("now", "then", "said"),
    [
        ((("", 4.0),), (("voodoo", 2.0),), "--price-to: no such GPU is called 'voodoo'; known are .*mi300x"),
        ((("mi300x", 4.0),), (("", 2.0),), "--price-from: no such GPU is called 'mi300x'; known are .*h100"),
        ((("", 4.0),), (("mi300x", 2.0), ("mi355x", 3.0)), "the price of b200 is missing, which mi355x is"),
        ((("", 4.0),), (("mi325x", 2.0),), "--price-to: the price of mi300x is missing"),
    ],
)
def test_prices_that_make_no_pair_are_errors(now: Any, then: Any, said: str, tmp_path: Path) -> None:
    config = replace(ONE, gpu=("mi300x", "mi355x"), gpu_hours=1.0, price_from=now, price_to=then)
    with pytest.raises(ConfigError, match=said):
        check(config)
