"""Money in words: what hours and prices make of the move."""

from __future__ import annotations

from dataclasses import replace

from cudamigrate.model.estimate import Business, Card, CardMoney, Days, Performance, PricePair, Source
from cudamigrate.reporting import money

SEEN = Source("somebody's list", "2026-05-18", "independent")
GIVEN = Business(
    1000, 4.0, 2.0, 800, Days(4000, 8000, 16000), (1500.0, 2000.0), (10.7, 2.0), "USD", (), speeds=(0.8, 1.0)
)
"""At 80 % of the speed an hour's work costs 2.50 then, at 100 % it costs 2."""
PAYS = "Months to break even: 2 at best, 11 at worst."


def said(business: Business) -> dict[str, str]:
    return dict(money.rows(business))


def test_rows_follow_from_hours_and_prices():
    rows = said(GIVEN)
    assert rows["Cost of a month now"] == "4,000 USD"
    assert rows["Cost of a month then"] == "2,500 to 2,000 USD"
    assert rows["Cost of 3 years"] == "144,000 USD to stay, 98,000 to 80,000 to move, the move included"
    assert rows["Months to break even"] == "2 at best, 11 at worst"


def test_break_even_price_is_the_speed_expected():
    assert said(GIVEN)["Break-even price ratio"] == "80 to 100 %, equal to the speed; the prices given have 50 %"


def test_without_a_speed_there_are_no_savings_and_no_three_years():
    rows = said(replace(GIVEN, savings=None, speeds=None, months=(None, None)))
    assert "nobody has published" in rows["Savings a month"]
    assert not {"Cost of 3 years", "Months to break even", "Cost of a month then"} & set(rows)


def test_tokens_cost_what_their_seconds_cost():
    # 1,000 a second are 3.6 million an hour: 4 / 3.6 now, 2 / 3.6 / 0.8 and 2 / 3.6 then
    assert said(replace(GIVEN, tokens=1000.0))["Cost of a million tokens"] == "1.11 USD now, 0.69 to 0.56 then"
    assert "Cost of a million tokens" not in said(GIVEN)


def test_cards_are_counted_by_memory():
    card = Card("mi300x", "gfx942", 192, "h100", 80, SEEN)
    rows = said(replace(GIVEN, memory=200.0, cards=(card, replace(card, gpu="mi355x", memory=288))))
    assert rows["Cards for 200 GB"] == "3 H100 of 80 GB, 2 MI300X of 192 GB, 1 MI355X of 288 GB"
    assert rows["Cost of an hour for 200 GB"] == "12.00 USD now, 4.00 then, by memory alone"
    assert "Cards for 192 GB" in (rows := said(replace(GIVEN, memory=192.0, cards=(card,))))
    assert rows["Cards for 192 GB"] == "3 H100 of 80 GB, 1 MI300X of 192 GB"


def test_power_and_support_are_said_where_they_were_given():
    rows = said(replace(GIVEN, power=(0.07, 0.08), support=100.0))
    assert rows["Cost of a GPU hour now"] == "4.00 USD and 0.07 for power"
    assert rows["Cost of a month now"] == "4,070 USD"
    assert "100 of it for support" in rows["Cost of a month then"]


def test_each_pair_of_prices_has_its_verdict_and_source():
    pair = PricePair(3.49, 1.99, 0.5702, "saves at every speed expected", SEEN, "It is dearer to own")
    row = money.price_rows(replace(GIVEN, pairs=(pair,)))[0]
    assert row[:4] == ("", "3.49", "1.99", "57 %")
    assert row[4] == "saves at every speed expected. Against it: It is dearer to own"
    assert row[5] == "somebody's list, 2026-05-18, independent"


def test_each_card_has_a_sentence_with_its_savings_or_no_data():
    card = Card("mi300x", "gfx942", 192, "h100", 80, SEEN)
    both = replace(GIVEN, cards=(card, replace(card, gpu="mi355x", memory=288)))
    first, second = money.briefly(both)
    assert first == f"Money, MI300X for H100: 1,500 to 2,000 USD saved of 4,000 a month. {PAYS}"
    assert second.startswith("Money, MI355X for H100: no data, its price was not given.")
    assert "not known" in money.briefly(replace(both, savings=None))[0]
    assert money.briefly(GIVEN) == []


def speed(name: str, *, known: bool = True) -> Performance:
    ends = (76.0, 94.0) if known else (None, None)
    return Performance(name, "mi300x", *ends, (), (), "h100", no_data=not known)


def test_savings_say_which_hours_they_are_of_where_the_speed_of_others_is_not_known():
    card = Card("mi300x", "gfx942", 192, "h100", 80, SEEN)
    one, speeds = replace(GIVEN, cards=(card,)), (speed("training"), speed("compute", known=False))
    kept = " if all hours are training; compute: no data"
    assert money.briefly(one, speeds) == [
        f"Money, MI300X for H100: 1,500 to 2,000 USD saved of 4,000 a month{kept}. {PAYS}"
    ]
    assert dict(money.rows(one, speeds))["Savings a month"] == f"1,500 to 2,000 USD{kept}"
    other = replace(speeds[1], gpu="mi355x")  # what another card lacks says nothing of this one
    for known in (speeds[:1], (speeds[0], other)):
        assert dict(money.rows(one, known))["Savings a month"] == "1,500 to 2,000 USD"


def test_each_card_with_a_price_has_its_full_costs():
    """The second card costs 3 an hour beside one of 6, and is 50 to 75 % as fast as it."""
    mi300, mi355 = Card("mi300x", "gfx942", 192, "h100", 80, SEEN), Card("mi355x", "gfx950", 288, "b200", 180, SEEN)
    pair = PricePair(6.0, 3.0, 0.5, "saves at the higher speeds alone", SEEN)
    other = CardMoney("mi355x", 6.0, 3.0, (0.0, 2000.0), (None, 2.0), (0.5, 0.75), pairs=(pair,), contrary=(SEEN,))
    both = replace(GIVEN, cards=(mi300, mi355, replace(mi300, gpu="mi325x")), others=(other,), memory=300, tokens=1000)
    heads, rows = money.columns(both)
    assert heads == ["", "MI300X for H100", "MI355X for B200"]
    said = {name: values for name, *values in rows}
    assert said["Cost of a GPU hour then"] == ["2.00 USD", "3.00 USD"]
    assert said["Cost of a month now"] == ["4,000 USD", "6,000 USD"]
    assert said["Cost of a month then"] == ["2,500 to 2,000 USD", "6,000 to 4,000 USD"]
    assert said["Months to break even"] == ["2 at best, 11 at worst", "2 at best, never at worst"]
    assert said["Cost of 3 years"][1] == "216,000 USD to stay, 224,000 to 152,000 to move, the move included"
    assert said["Break-even price ratio"][1] == "50 to 75 %, equal to the speed; the prices given have 50 %"
    assert said["Cost of a million tokens"] == ["1.11 USD now, 0.69 to 0.56 then", "no data"]  # tokens of H100
    same = money.columns(replace(both, cards=(mi300, replace(mi355, peer="h100"))))[1]
    assert "1.67 USD now, 1.67 to 1.11 then" in [row[-1] for row in same]
    assert said["Cost of an hour for 300 GB"][1] == "12.00 USD now, 6.00 then, by memory alone"
    shared = dict(money.rows(both))
    assert shared["GPUs"] == "MI300X for H100 and MI355X for B200; no price was given for MI325X"
    assert shared["GPU hours a month"] == "1,000 of each"
    assert not set(shared) & set(said) and "Published prices, MI325X for H100" in shared
    assert [row[0] for row in money.price_rows(both)] == ["MI355X for B200"]
    assert money.contrary(both) == ["Against the move to MI355X: somebody's list (2026-05-18, independent)."]
    first, second, third = money.briefly(both)
    assert second.startswith("Money, MI355X for B200: 0 to 2,000 USD saved of 6,000 a month.")
    assert "no data" in third and "no data" not in first + second


def test_one_card_has_no_columns():
    assert money.columns(GIVEN) == ([], [])
