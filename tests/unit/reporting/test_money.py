"""Money in words: what hours and prices make of the move."""

from __future__ import annotations

from dataclasses import replace

from cudamigrate.model.estimate import Business, Days
from cudamigrate.reporting import money

GIVEN = Business(1000, 4.0, 2.0, 800, Days(4000, 8000, 16000), (1500.0, 2000.0), (10.7, 2.0), "USD", ())


def test_rows_follow_from_hours_and_prices():
    said = dict(money.rows(GIVEN))
    assert said["Cost of a month now"] == "4,000 USD"
    assert said["Cost of 3 years"] == "144,000 USD to stay, 98,000 to 80,000 to move"
    assert said["Months to break even"] == "2 at best, 11 at worst"


def test_break_even_price_is_the_speed_expected():
    # 1,500 of 4,000 saved: an hour's work costs 2.5 then, at a price of 2 that is 80 % of the speed
    assert dict(money.rows(GIVEN))["Break-even price"] == "80 to 100 % of the price now; then it is 50 %"


def test_break_even_price_is_left_out_where_it_says_nothing():
    assert "Break-even price" not in dict(money.rows(replace(GIVEN, gpu_hours=0.0)))
    assert "Break-even price" not in dict(money.rows(replace(GIVEN, price_from=1.0)))
