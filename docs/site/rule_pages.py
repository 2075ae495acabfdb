"""Rules -> Markdown: a page for each rule that has words of its own, a page for each table of one-line rules.

Every page has the same sections, in the same order: what it finds, why on AMD, what to do, example, safety, effort,
sources, suppress it. The site's build asks for `pages()`; nothing of it is committed. Facts come from the rule files,
hours from `rules/effort.toml`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from pathlib import Path

import tomli

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.estimate import effort, tables
from cudamigrate.model import GROUPS, Example, Rule
from cudamigrate.pipeline.rule_tests import example_message
from cudamigrate.rulebase import explain

ROOT = Path(__file__).parents[2]
SECTIONS = (
    "What it finds",
    "Why it matters on AMD",
    "What to do",
    "Example",
    "Safety",
    "Effort",
    "Sources",
    "Suppress it",
)
_PARAGRAPH = re.compile(r"^(?=Do:|Source:)|(?<=[.`)\"])\s(?=(?:Do|Source): )", re.MULTILINE)
_WORD = re.compile(r"[a-z]+(?=[ ,;:])")
"""A word of prose; `rules_cuda`, `hipcc's` and `exllamav2#807` keep their letters at the start of a sentence."""
_BLANK = re.compile(r"\{(?!text\}|name\})\w+\}")
"""What only the detector fills in, in a message."""
_UNSAFE_NAME = re.compile(r"[^\w.-]+")


def every_rule() -> list[Rule]:
    """All rules for the default target, those for code and those for build files, packages and environments."""
    goal = pipeline.target(Config())
    books = (pipeline.rules(goal, ()), pipeline.project_rules(goal, ()))
    rules = [rule for book in books for rule in book.rules.values()]
    return [example_message(rule, Config()) if _BLANK.search(rule.message) else rule for rule in rules]


def pages(rules: Iterable[Rule] | None = None) -> dict[str, str]:
    """Path in the site -> Markdown, of all rule pages and their list."""
    found = list(every_rule() if rules is None else rules)
    told = [rule for rule in found if rule.notes or rule.examples]
    rows = [rule for rule in found if not (rule.notes or rule.examples)]
    made = {path_of(rule): page(rule) for rule in told}
    by_file: dict[str, list[Rule]] = {}
    for rule in rows:
        by_file.setdefault(rule.origin, []).append(rule)
    made |= {table_path(origin): table(origin, some) for origin, some in by_file.items()}
    made["rules/index.md"] = listing(told, by_file)
    return made


def path_of(rule: Rule) -> str:
    """The page of a rule, by its id."""
    return f"rules/{rule.group}/{_UNSAFE_NAME.sub('-', rule.id.partition('/')[2])}.md"


def table_path(origin: str) -> str:
    """The page of the one-line rules of a file."""
    return f"rules/tables/{Path(origin).stem}.md"


def page(rule: Rule) -> str:
    """One rule, all sections."""
    why, do, source = _split(rule.notes)
    body = (
        _what(rule),
        _why(rule, why),
        _fix(rule, do),
        _examples(rule),
        _safety(rule),
        _effort(rule),
        source or _checked(rule.origin),
        suppression(rule.id, rule.match.kind),
    )
    parts = [f"# {_plain(rule.id)}", f"**{_prose(rule.title)}**"]
    parts += [f"## {title}\n\n{text}" for title, text in zip(SECTIONS, body, strict=True)]
    return "\n\n".join(parts) + "\n"


def suppression(name: str, kind: str = "name") -> str:
    """How to suppress a rule in a line, a file, paths, and as a whole."""
    comment = "//" if kind not in ("option", "package") else "#"
    return (
        f"In the code, on the line or above it:\n\n```text\n{comment} cudamigrate: ignore[{name}] the reason\n```\n\n"
        f'In the configuration: `ignore = ["{name}"]`, or under `per-file-ignores` for some paths. '
        "[Checking](SITE:checking.md) has baselines and whole files."
    )


def table(origin: str, rules: list[Rule]) -> str:
    """The one-line rules of a file: what all of them share in sections, then a row each."""
    library = next((rule.library for rule in rules if rule.library), Path(origin).stem)
    renamed = sorted((rule for rule in rules if not rule.silent), key=lambda rule: rule.id)
    same = sorted(name for rule in rules if rule.silent for name in rule.match.names)
    some = next((rule for rule in renamed if rule.change.text), rules[0])
    example = f"`{_code(some.match.names[0])}` becomes `{_code(', '.join(some.change.text) or some.match.names[0])}`."
    body = (
        f"The names and headers of {library} listed below, in code; never in comments or strings.",
        "A CUDA name without its HIP counterpart does not build for AMD. Names that HIP spells alike are known and "
        "not reported.",
        "`cudamigrate apply` writes the name, and the header that it needs. Rows without a new name are reported "
        "with what to do.",
        example,
        "Renamed rows are safe: applied without asking. `since` is the first ROCm release with the equivalent; for an "
        "earlier target the name is reported and not written.",
        f"None where the row has a new name. Elsewhere by its word: {_hours('api/row', 'small')} for *small*.",
        _checked(origin),
        suppression(renamed[0].id if renamed else "api"),
    )
    parts = [f"# Rules of {_plain(library)}: `{origin}`"]
    parts += [f"## {title}\n\n{text}" for title, text in zip(SECTIONS, body, strict=True)]
    parts.append(_rows(renamed))
    if same:
        parts.append(f"## Spelled alike\n\n```text\n{textwrap.fill('  '.join(same), 110)}\n```")
    return "\n\n".join(part for part in parts if part) + "\n"


def listing(told: Iterable[Rule], by_file: dict[str, list[Rule]]) -> str:
    """The page that leads to all others."""
    groups: dict[str, list[Rule]] = {}
    for rule in told:
        groups.setdefault(rule.group, []).append(rule)
    counted = sum(map(len, groups.values())), sum(map(len, by_file.values()))
    parts = [
        "# Rules",
        f"{counted[0]:,} rules have a page of their own; {counted[1]:,} that map one name to another are rows of "
        f"{len(by_file)} tables. `cudamigrate explain NAME` prints the same in the terminal.",
        "## Tables of names",
        "\n".join(
            f"- [{origin}]({_within(table_path(origin))}), {len(by_file[origin]):,}" for origin in sorted(by_file)
        ),
    ]
    order = [*(group for group in GROUPS if group in groups), *sorted(set(groups) - set(GROUPS))]
    for group in order:
        rows = [
            f"| [{_plain(rule.id)}]({_within(path_of(rule))}) | {_prose(rule.title)} "
            f"| {rule.support} | {rule.outcome} |"
            for rule in sorted(groups[group], key=lambda rule: rule.id)
        ]
        parts.append(
            "\n".join([f"## {group}\n", "| rule | what it is | HIP | if it stays |", "|---|---|---|---|", *rows])
        )
    return "\n\n".join(parts) + "\n"


def _within(path: str) -> str:
    return path.removeprefix("rules/")


def _what(rule: Rule) -> str:
    names = [f"`{_code(name)}`" for name in rule.match.names]
    by = {
        "detector": f"Found by the detector {', '.join(names)}.",
        "compiler": "Found by the type check of the converted code.",
        "include": f"Includes of {', '.join(names)}.",
        "option": f"The option {', '.join(names)}, in build, package and environment files.",
        "package": f"The package {', '.join(names)}, in lists of requirements.",
        "family": f"Names that begin with {', '.join(names)} and have no rule of their own.",
    }.get(rule.match.kind, f"The name {', '.join(names)}, in {_where(rule)}.")
    return f"{_prose(explain.message(rule))}\n\n{by}"


def _where(rule: Rule) -> str:
    """The files in which a name is looked for."""
    if not rule.match.languages:
        return "code"
    return "Python code" if "python" in rule.match.languages else "build, package and environment files"


def _why(rule: Rule, why: str) -> str:
    facts = dict(explain.facts(rule))
    support = facts["Support"].partition(": ")[2]
    said = f"If it stays as it is: **{rule.outcome}**, it {_outcome(facts['Left as it is'])}."
    return f"{said} {support[:1].upper()}{support[1:]}.\n\n{why}".strip()


def _outcome(fact: str) -> str:
    return fact.partition(": ")[2]


def _fix(rule: Rule, do: str) -> str:
    facts = dict(explain.facts(rule))
    rows = [(label, facts[label]) for label in ("HIP", "Header", "Since ROCm", "GPUs") if facts.get(label)]
    said = "\n".join(
        f"- {label}: {value if (label, rule.change.kind) == ('HIP', 'rewrite') else f'`{value}`'}"
        for label, value in rows
    )
    nothing = (
        "Nothing has to be written: it works as it is." if rule.outcome == "fine" else "As the message above says."
    )
    return "\n\n".join(part for part in (do, said) if part) or nothing


def _safety(rule: Rule) -> str:
    if rule.change.kind == "none":
        return "The rule reports and changes nothing."
    return f"**{rule.safety}**: {dict(explain.facts(rule))['Change'].partition(': ')[2]}."


def _effort(rule: Rule) -> str:
    word = dict(explain.facts(rule))["Manual work"]
    if rule.effort == "none":
        return "None."
    return f"{word[0].upper()}{word[1:]}. {_hours(rule.id, rule.effort)} for one place; see [effort](SITE:effort.md)."


def _hours(name: str, word: str) -> str:
    cost = effort.hours(tables.table("effort"), name, word)  # type: ignore[arg-type]
    return f"{cost.low:g} to {cost.high:g} hours, {cost.likely:g} as the middle ({cost.source.grade})"


def _examples(rule: Rule) -> str:
    if not rule.examples:
        name = next(iter(rule.match.names), rule.title)
        return f"Wherever `{_code(name)}` is used: {_prose(explain.message(rule))}"
    hits = [one for one in rule.examples if one.finds][:2]
    misses = [one for one in rule.examples if not one.finds][:1]
    return "\n\n".join(map(_example, [*hits, *misses]))


def _example(example: Example) -> str:
    parts = ["Found:" if example.finds else "Not found, and rightly so:", _block(example.before, example.path)]
    if example.after is not None and example.after != example.before:
        parts += ["It becomes:", _block(example.after, example.path)]
    elif example.finds:
        parts[0] = "Found: " + ", ".join(f"`` {' '.join(text.split())} ``" for text in example.finds)
    return "\n\n".join(parts)


def _block(source: str, path: str) -> str:
    language = {"": "cuda", ".py": "python", ".txt": "cmake", ".toml": "toml", ".yml": "yaml"}.get(
        Path(path).suffix, "text"
    )
    fence = "`" * (max(map(len, re.findall(r"`+", source)), default=0) + 3)
    return f"{fence}{language}\n{textwrap.dedent(source).strip(chr(10))}\n{fence}"


def _split(notes: str) -> tuple[str, str, str]:
    """The explanation, what to do, and the sources of a rule's notes."""
    parts = {"Do:": "", "Source:": ""}
    why = []
    for part in _PARAGRAPH.split(textwrap.dedent(notes).strip()):
        key = next((key for key in parts if part.startswith(key)), "")
        if key:
            text = _prose(part.removeprefix(key).strip())
            text = f"{text[:1].upper()}{text[1:]}" if _WORD.match(text) else text
            parts[key] = f"{parts[key]}\n\n{text}".strip()
        elif part.strip():
            why.append(_prose(part.strip()))
    return "\n\n".join(why), parts["Do:"], parts["Source:"]


def _checked(origin: str) -> str:
    paths = sorted(path for path in (ROOT / "rules").rglob("*.toml") if path.name == Path(origin).name)
    said = [tomli.loads(path.read_text(encoding="utf-8")).get("checked", "") for path in paths]
    return f"Compared with: {'; '.join(filter(None, said)) or 'the documentation of ROCm'} (`{origin}`)."


def _rows(rules: list[Rule]) -> str:
    lines = ["## Rows\n", "| CUDA | HIP | since ROCm |", "|---|---|---|"]
    for rule in rules:
        new = ", ".join(rule.change.text)
        said = f"`{_code(new)}`" if new else _prose(explain.message(rule)).replace("|", "\\|")
        lines.append(f"| `{_code(', '.join(rule.match.names[:3]))}` | {said} | {rule.since} |")
    return "\n".join(lines)


def _code(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'")


def _plain(text: str) -> str:
    return text.replace("_", "\\_").replace("*", "\\*").replace("<", "&lt;")


def _prose(text: str) -> str:
    """Text of a rule, in which `<` opens no tag and `_` no emphasis outside code."""
    pieces = re.split(r"(```.*?```|`[^`]*`)", text, flags=re.DOTALL)
    return "".join(piece if at % 2 else _plain(piece).replace("[", "\\[") for at, piece in enumerate(pieces))
