"""Speed is a range with reasons; money follows from it; the advice says because."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.errors import ConfigError
from cudamigrate.model.estimate import Estimate, Performance
from tests.unit.estimate.trees import CUTLASS, EXTENSION, KERNEL, TRITON, estimate

ONE = Config(jobs=1, gpu=("mi300x",))
GENERATE = {"serve.py": "import torch\nout = model.generate(ids)\n"}
TRAIN = {"train.py": "import torch\nloss.backward()\n"}


def speed(found: Estimate, workload: str, gpu: str = "mi300x") -> Performance:
    (one,) = (p for p in found.performance if (p.workload, p.gpu) == (workload, gpu))
    return one


def test_workloads_are_those_that_the_code_shows(tmp_path: Path) -> None:
    def shown(name: str, files: dict[str, str]) -> list[str]:
        return [p.workload for p in estimate(tmp_path / name, files, ONE).performance]

    assert shown("a", GENERATE) == ["prefill", "decode-small", "decode-large"]
    assert shown("b", TRAIN) == ["training"]
    assert shown("c", {"a.cu": KERNEL}) == ["compute"]
    assert len(shown("d", {"a.py": "import torch\n"})) == 5


def test_every_range_has_reasons_and_sources_for_each_shift(tmp_path: Path) -> None:
    found = estimate(tmp_path, {**GENERATE, "setup.py": EXTENSION, "a.cu": KERNEL + CUTLASS}, ONE)
    for one in found.performance:
        assert one.low is not None and one.high is not None and one.high - one.low >= 8
        shifts = [reason for reason in one.reasons if "points" in reason]
        assert len(shifts) >= 2
        assert len(one.sources) >= len(shifts)
        assert all(source.text and source.date and source.grade for source in one.sources)


def test_tensor_cores_widen_the_range_downwards(tmp_path: Path) -> None:
    files = {**TRAIN, "setup.py": EXTENSION, "a.cu": KERNEL}
    plain = speed(estimate(tmp_path / "a", files, ONE), "training")
    hard = speed(estimate(tmp_path / "b", {**files, "gemm.cu": CUTLASS}, ONE), "training")
    assert hard.low is not None and plain.low is not None and hard.low < plain.low
    assert any("tensor-core instructions" in reason for reason in hard.reasons)


def test_flash_attention_3_counts_where_attention_does(tmp_path: Path) -> None:
    files = {"a.py": "import torch\nfrom flash_attn_interface import f\nloss.backward()\nmodel.generate(1)\n"}
    found = estimate(tmp_path, files, ONE)
    reported = {p.workload for p in found.performance if any("FlashAttention 3" in reason for reason in p.reasons)}
    assert reported == {"training", "prefill"}
    assert {use.name: use.status for use in found.frameworks}["FlashAttention 3"] == "none"


def test_lanes_count_on_waves_of_64_alone(tmp_path: Path) -> None:
    code = "__global__ void k(int *x) { x[0] = __shfl_down_sync(0xffffffff, x[0], 1); }\n"
    found = estimate(tmp_path, {"a.cu": code}, replace(ONE, gpu=("mi300x", "7900xtx")))
    reported = {p.gpu: any("groups of 32" in reason for reason in p.reasons) for p in found.performance}
    assert reported == {"mi300x": True, "7900xtx": False}


def test_category_orders_the_ranges(tmp_path: Path) -> None:
    trees = {"jax": {"a.py": "import jax\n"}, "torch": {"a.py": "import torch\n"}, "triton": {"a.py": TRITON}}
    high = [speed(estimate(tmp_path / n, t, ONE), "training").high or 0 for n, t in trees.items()]
    assert high == sorted(high, reverse=True) and len(set(high)) == 3


def test_tensorrt_has_no_range_and_the_advice_is_to_stay(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"serve.py": "import tensorrt\nmodel.generate(1)\n"}, ONE)
    assert {(p.low, p.high) for p in found.performance} == {(None, None)}
    assert {verdict.advice for verdict in found.verdicts} == {"stay"}
    assert found.blockers and found.business is None


@pytest.mark.parametrize("name", ["MI300X", "Instinct MI300X", "amd mi300x"])
def test_gpu_is_known_by_its_usual_names(name: str, tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.cu": KERNEL}, replace(ONE, gpu=(name, "RX 7900 XTX")))
    assert [p.gpu for p in found.performance] == ["mi300x", "7900xtx"]


def test_unknown_gpu_is_an_error_that_lists_the_known(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no GPU is called 'voodoo'; known are .*mi300x"):
        estimate(tmp_path, {"a.cu": KERNEL}, replace(ONE, gpu=("voodoo",)))


def test_gpus_follow_from_the_architectures(tmp_path: Path) -> None:
    found = estimate(tmp_path, {"a.cu": KERNEL}, Config(jobs=1, arch=("gfx1100", "gfx950")))
    assert [p.gpu for p in found.performance] == ["mi355x", "7900xtx"]


def test_money_is_days_and_hours_times_prices(tmp_path: Path) -> None:
    config = replace(ONE, gpu_hours=1000.0, price_from=4.0, price_to=2.0, day_rate=1000.0)
    found = estimate(tmp_path, TRAIN, config)
    money, (one,) = found.business, found.performance
    assert money is not None and one.low and one.high
    assert money.cost.p50 == pytest.approx(found.days.p50 * 1000)
    assert money.savings == tuple(pytest.approx(1000 * (4 - 2 * 100 / end), abs=0.01) for end in (one.low, one.high))
    assert money.months[0] == pytest.approx(money.cost.p90 / money.savings[0], abs=0.06)
    assert {source.text for source in money.sources} == {"given by the user"}
    assert (money.cards[0].gpu, money.cards[0].memory, money.cards[0].peer_memory) == ("mi300x", 192, 80)


def test_defaults_have_dates_and_sources(tmp_path: Path) -> None:
    money = estimate(tmp_path, TRAIN, ONE).business
    assert money is not None and money.currency == "USD"
    assert len(money.sources) == 3 and all(source.date for source in money.sources)


def test_price_that_nobody_knows_gives_no_business_view(tmp_path: Path) -> None:
    found = estimate(tmp_path, TRAIN, replace(ONE, gpu=("6900xt",)))
    assert found.business is None
    assert "prices are not known" in found.verdicts[0].because


@pytest.mark.parametrize(("price_to", "advice"), [(1.0, "move"), (3.0, "move-part"), (3.95, "stay"), (9.0, "stay")])
def test_advice_follows_the_price(price_to: float, advice: str, tmp_path: Path) -> None:
    config = replace(ONE, gpu_hours=5000.0, price_from=3.49, price_to=price_to)
    verdicts = estimate(tmp_path, TRAIN, config).verdicts
    assert [(v.workload, v.advice) for v in verdicts] == [("training", advice), ("all", advice)]
    assert all(v.because for v in verdicts)


def test_move_that_never_pays_has_no_months(tmp_path: Path) -> None:
    money = estimate(tmp_path, TRAIN, replace(ONE, price_from=1.0, price_to=3.0)).business
    assert money is not None and money.months == (None, None) and money.savings[1] < 0


def test_advice_names_the_part_that_stays(tmp_path: Path) -> None:
    files = {
        "serve/setup.py": "from setuptools import setup\n",
        "serve/a.py": "import tensorrt\n",
        "train/setup.py": "from setuptools import setup\n",
        "train/b.py": "import torch\nloss.backward()\n",
    }
    whole = estimate(tmp_path, files, ONE).verdicts[-1]
    assert whole.advice == "move-part" and "leave serve" in whole.because
