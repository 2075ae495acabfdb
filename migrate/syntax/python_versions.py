"""Versions and specifiers of Python packages, as the library `packaging` compares them.

Specifiers come as the pairs of operator and version that a file's requirements have (`python_requirements.py`), those
of conda among them. Local parts such as `+cu121` do not count: they say which build it is, not which version. What is
not of the standard's form is answered with care: each function says how.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from packaging.specifiers import InvalidSpecifier, Specifier, SpecifierSet
from packaging.version import InvalidVersion, Version

Clauses = Sequence[tuple[str, str]]
"""Operator and version of each specifier; `=` is conda's, which asks for a version and all that begin with it."""
_JUST_ABOVE = ".0.0.0.1"
"""Written behind a version, it makes one that is newer by less than any release is."""


def specifiers(clauses: Clauses) -> SpecifierSet | None:
    """What all the clauses allow; None where one of them is not of the standard's form."""
    try:
        return SpecifierSet(",".join(str(Specifier(_standard(sign, version))) for sign, version in clauses))
    except InvalidSpecifier:
        return None


def _standard(sign: str, version: str) -> str:
    public = version.partition("+")[0]
    if sign == "=":
        return f"=={public}" if public.endswith("*") else f"=={public}.*"
    return f"=={public}" if sign == "===" else f"{sign}{public}"


def allows(clauses: Clauses, version: str) -> bool:
    """Whether a version meets the clauses; not where one of them cannot be read."""
    wanted = specifiers(clauses)
    return wanted is not None and wanted.contains(version, prereleases=True)


def allows_from(clauses: Clauses, oldest: str) -> bool:
    """Whether the clauses leave some version from `oldest` on; so it is taken to be where one of them cannot be read.

    Where a range allows any such version, it allows `oldest`, one of the versions it names, or one just above these.
    """
    wanted = specifiers(clauses)
    if wanted is None:
        return True
    ends = [oldest, *(version.partition("+")[0].removesuffix(".*") for _, version in clauses)]
    tried = [version for end in ends for version in _and_above(end)]
    return any(wanted.contains(version, prereleases=True) for version in tried if version >= Version(oldest))


def _and_above(version: str) -> Iterator[Version]:
    for text in (version, version + _JUST_ABOVE):
        try:
            yield Version(text)
        except InvalidVersion:
            continue


def is_release(version: str) -> bool:
    """Whether a version, which may end in `.*`, is neither a development version nor one before a release."""
    try:
        return not Version(version.partition("+")[0].removesuffix(".*")).is_prerelease
    except InvalidVersion:
        return False
