"""Rules -> text: what `cudamigrate explain` and `cudamigrate rules` print.

Result: plain text, one page for a rule, one line each for a list of rules.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import GROUPS, Effort, Example, Match, Outcome, Rule, Safety, Support
from cudamigrate.wording import count_of

WIDTH = 96
_SUPPORT: dict[Support, str] = {
    "full": "HIP covers it",
    "partial": "HIP covers part of it",
    "manual": "can be done with HIP, manually",
    "none": "HIP has no equivalent",
}
OUTCOMES: dict[Outcome, str] = {
    "compile-error": "does not build for AMD",
    "wrong-result": "runs on AMD and silently computes something else",
    "missing": "is left out of the build for AMD",
    "slower": "builds and runs, with time lost",
    "fine": "works",
}
_SAFETY: dict[Safety, str] = {
    "safe": "`cudamigrate apply` makes the change",
    "unsafe": "`cudamigrate apply --unsafe` makes the change; read what it made",
    "suggestion": "shown, and never made by the tool",
}
_EFFORT: dict[Effort, str] = {
    "none": "none",
    "trivial": "trivial: a glance",
    "small": "small: a local change",
    "medium": "medium: a change to one function or kernel",
    "large": "large: a change across files",
    "redesign": "redesign: another approach is needed",
}
_BLANK = re.compile(r"(?:(?<!\$)\{[a-z_]+\})+")
"""What only a scan fills in, in the message of a rule about several files."""
_CALL = re.compile(r"\$(\d|\*)")


def render_rule(rule: Rule) -> str:
    """One rule as a page: what it is, what stands for it in HIP, what it costs, and its examples."""
    parts = [f"{rule.id}\n  {rule.title}", wrapped(message(rule)), _facts(rule)]
    if rule.notes:
        parts.append(_paragraphs(rule.notes))
    for number, example in enumerate(rule.examples, 1):
        parts.append(_example(example, f" {number}" if len(rule.examples) > 1 else "", rule.change.kind != "none"))
    return "\n\n".join(parts) + "\n"


def render_rules(name: str, rules: Iterable[Rule]) -> str:
    """The pages of all rules that answer for a name."""
    return "\n".join(render_rule(_named(rule, name)) for rule in rules)


def render_json(name: str, rules: Iterable[Rule]) -> str:
    """The same facts for tools: a JSON object with the name and a list of answers."""
    answers = [_answer(_named(rule, name)) for rule in rules]
    return json.dumps({"name": name, "answers": answers}, indent=2) + "\n"


def _named(rule: Rule, name: str) -> Rule:
    """A rule for several names, with the one that was asked for in its message."""
    message = rule.message.replace("{name}", name).replace("{hint}", rule.hint(name))
    return rule if name == rule.id else replace(rule, message=message)


def _answer(rule: Rule) -> dict[str, object]:
    fields = {
        "rule": rule.id,
        "title": rule.title,
        "library": rule.library,
        "support": rule.support,
        "outcome": rule.outcome,
        "change": rule.change.kind,
        "to": list(rule.change.text),
        "safety": rule.safety,
        "effort": rule.effort,
        "since": rule.since,
        "arch": list(rule.arch),
        "includes": list(rule.includes),
        "message": rule.message,
        "notes": rule.notes,
        "origin": rule.origin,
    }
    return {key: value for key, value in fields.items() if value not in ("", [])}


def render_list(rules: Iterable[Rule]) -> str:
    """One line per rule, in groups: its id, how well HIP covers it, and its title."""
    by_group: dict[str, list[Rule]] = {}
    for rule in rules:
        by_group.setdefault(rule.group, []).append(rule)
    if not by_group:
        return "No rules.\n"
    order = [*(group for group in GROUPS if group in by_group), *sorted(set(by_group) - set(GROUPS))]
    return "\n\n".join(_group(group, by_group[group]) for group in order) + "\n"


def _group(group: str, rules: list[Rule]) -> str:
    column = min(max(len(rule.id) for rule in rules), 48)
    lines = [f"{group} ({count_of(len(rules), 'rule')})"]
    for rule in sorted(rules, key=lambda rule: rule.id):
        lines.append(f"  {rule.id:<{column}}  {rule.support:<7}  {rule.title}".rstrip())
    return "\n".join(lines)


def _facts(rule: Rule) -> str:
    return "\n".join(f"  {label:<14}{value}" for label, value in facts(rule) if value)


def facts(rule: Rule) -> Iterator[tuple[str, str]]:
    """Label and value of each fact, empty values included: what HIP has, how safe, how much work."""
    yield _found(rule.match)
    yield "HIP", _change(rule)
    yield "Header", ", ".join(f"<{line}>" for line in rule.includes)
    yield "Library", rule.library
    yield "Support", f"{rule.support}: {_SUPPORT[rule.support]}"
    yield "Left as it is", f"{rule.outcome}: {OUTCOMES[rule.outcome]}"
    if rule.group == "warp":
        yield "Certainty", "token or syntax; resolved where `cudamigrate scan --resolve` confirms it"
    if rule.change.kind != "none":
        yield "Change", f"{rule.safety}: {_SAFETY[rule.safety]}"
    yield "Manual work", _EFFORT[rule.effort]
    yield "Since ROCm", rule.since
    yield "GPUs", ", ".join(f"not {arch[1:]}" if arch.startswith("!") else arch for arch in rule.arch)
    yield "Was called", ", ".join(rule.formerly)
    yield "Rule file", rule.origin


def _found(match: Match) -> tuple[str, str]:
    if match.kind == "detector":
        return "Found by", f"the detector {', '.join(match.names)}"
    if match.kind == "compiler":
        return "Found by", "the type check of the converted code"
    if match.kind == "tree":
        return "Found by", "what several files of the repository together show"
    if match.kind == "include":
        return "CUDA", ", ".join(f"<{name}>" for name in match.names)
    return "CUDA", ", ".join(match.names)


def _change(rule: Rule) -> str:
    change = rule.change
    if change.kind == "include":
        return ", ".join(f"<{line}>" for line in change.text) or "not needed, the line goes"
    if change.kind == "rewrite":
        return "rewritten in place"
    if change.kind == "template":
        names = {"*": "other arguments"}
        shown = [_CALL.sub(lambda found: f"<{names.get(found[1], f'argument {found[1]}')}>", t) for t in change.text]
        return ", ".join(shown)
    if change.kind == "needs" or (change.kind == "none" and rule.silent):
        return "the same name"
    return ", ".join(change.text)


def message(rule: Rule) -> str:
    """The rule's message, with a name or an example for what is in the source: a page has no source."""
    found = (text for example in rule.examples for text in example.finds)
    word = next(found, "...") if rule.match.kind in ("detector", "compiler", "tree") else rule.match.names[0]
    return _BLANK.sub("...", rule.message.replace("{text}", word).replace("{name}", word))


def _example(example: Example, number: str, changes: bool) -> str:
    """An example; what is found is given where the change does not show it, as where other rules made it."""
    parts = [f"Example{number}", _block(example.before)]
    changed = example.after is not None and example.after != example.before
    if not (changed and changes):
        parts.append("  finds " + ", ".join(f"`{' '.join(text.split())}`" for text in example.finds))
        if not example.finds:
            parts[-1] = "  nothing is found" + (" by this rule" if changed else "")
    if changed and example.after is not None:
        parts += ["  becomes", _block(example.after)]
    return "\n".join(parts)


def _block(source: str) -> str:
    return textwrap.indent(textwrap.dedent(source).strip("\n"), "      ")


def wrapped(text: str) -> str:
    """Prose in lines of the width of a page."""
    return textwrap.fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


def _paragraphs(text: str) -> str:
    """Prose wrapped; a paragraph that holds a list, a table or code keeps its lines."""
    kept = []
    for paragraph in re.split(r"\n\s*\n", textwrap.dedent(text).strip()):
        formed = re.search(r"^(\s{2,}|\t|[-*|] |```)", paragraph, re.MULTILINE)
        kept.append(paragraph if formed else wrapped(paragraph))
    return "\n\n".join(kept)
