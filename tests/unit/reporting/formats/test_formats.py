from __future__ import annotations

import pytest

from cudamigrate import plugins

FORMATS = plugins.load("cudamigrate.reporting.formats")


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_each_format_renders_a_report_as_whole_lines(name, finding, report):
    for made in (report(), report([finding(), finding(2, None)])):
        shown = FORMATS[name].render(made)
        assert isinstance(shown, str)
        assert shown.endswith("\n")
        assert shown == FORMATS[name].render(made)
