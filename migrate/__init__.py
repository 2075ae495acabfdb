"""cudamigrate: find what is CUDA in a repository, move it to HIP, and keep new CUDA-only code out.

The names below are the Python interface (`api.py`). They are imported when first used, so that `check` starts at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cudamigrate.api import (
        Applied,
        Checked,
        Config,
        Conversion,
        Finding,
        Fix,
        MigrateError,
        Report,
        Verdict,
        Verification,
        apply,
        check,
        explain,
        render,
        scan,
        settings,
        verify,
        write,
    )

__all__ = [
    "Applied",
    "Checked",
    "Config",
    "Conversion",
    "Finding",
    "Fix",
    "MigrateError",
    "Report",
    "Verdict",
    "Verification",
    "apply",
    "check",
    "explain",
    "render",
    "scan",
    "settings",
    "verify",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cudamigrate import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
