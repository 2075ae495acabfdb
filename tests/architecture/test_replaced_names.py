"""Names that tests replace by a dotted path exist: the slow tests are not run with each change, and would fail late."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
_REPLACED = re.compile(r"""\bsetattr\(\s*["'](cudamigrate\.[\w.]+)["']""")


def test_each_exists():
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in (ROOT / "tests").rglob("*.py")
        if "import" not in path.relative_to(ROOT).parts
        for name in _REPLACED.findall(path.read_text(encoding="utf-8"))
    }
    assert len(named) > 2
    gone = []
    for path, name in sorted(named):
        try:
            pkgutil.resolve_name(name)
        except (AttributeError, ImportError) as error:
            gone.append(f"{path}: {name}: {error}")
    assert gone == [], "moved or gone: name the module that uses it now"
