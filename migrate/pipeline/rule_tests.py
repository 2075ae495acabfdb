"""Examples of rules as their tests: a piece of source through the pipeline, and what an example states against it."""

from __future__ import annotations

from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.model import Finding, Rule, SourceFile
from cudamigrate.pipeline.convert_file import convert
from cudamigrate.pipeline.inspect_file import inspect
from cudamigrate.pipeline.own_names import defined, is_own
from cudamigrate.pipeline.rule_base import target
from cudamigrate.pipeline.run import project_rules, rules
from cudamigrate.project import discovery
from cudamigrate.rulebase import loader
from cudamigrate.shipped_data import rules_folder


@dataclass(frozen=True, slots=True)
class TextResult:
    """Findings of a piece of source, and the source after its fixes."""

    findings: tuple[Finding, ...]
    after: str


def find_in_text(text: str, path: str = "example.cu", config: Config | None = None, unsafe: bool = False) -> TextResult:
    """Findings in a piece of source, and the source after its fixes; how rules prove themselves."""
    config = config or Config()
    language = discovery.languages(known_files())(path) or "cxx"
    source = SourceFile(path, text.encode(), language)
    result = inspect(source, rules(target(config), config.rules), config.hip_guards)
    own = defined([result])
    findings = tuple(finding for finding in result.findings if not is_own(finding, own, source))
    wanted = ("safe", "unsafe") if unsafe else ("safe",)
    fixable = [f for f in findings if f.fix is not None and f.fix.safety in wanted]
    return TextResult(findings, convert(source, fixable).after.decode())


def check_rules(path: Path, config: Config) -> tuple[int, list[str]]:
    """Run the examples of a rule file or folder; how many there are, and a line for each that does not hold.

    The rules are used as a project would use them: beside the shipped ones, or as some of these. Raises RuleError.
    """
    files = _shipped(path)
    if not files:
        config = replace(config, rules=(*config.rules, str(path.absolute())))
        files = [(given, "") for given in (sorted(path.glob("**/*.toml")) if path.is_dir() else [path])]
    book = rules(target(config), config.rules)
    own = [rule for given, folder in files for rule in loader.read(given, target(config), folder)]
    known = {**project_rules(book.goal, book.extra).rules, **book.rules}
    cases = [(known[rule.id], number) for rule in own for number in range(len(rule.examples))]
    failures = [
        f"{rule.id} example {number + 1}: {said}"
        for rule, number in cases
        for said in check_example(rule, number, config)
    ]
    return len(cases), failures


def _shipped(path: Path) -> list[tuple[Path, str]]:
    """The shipped rule files that a path is or holds, each with its folder, which says the group of its rules."""
    top, given = rules_folder().resolve(), path.resolve()
    files = [*loader.rule_files(top), *loader.project_files(top)]
    inside = [one for one in files if one == given or given in one.parents] if given.is_relative_to(top) else []
    return [(one, "" if one.parent == top else one.parent.name) for one in inside]


def example_message(rule: Rule, config: Config) -> Rule:
    """A detector's rule with its message as its first example gives it, so that a page has no blanks in it."""
    example = next((example for example in rule.examples if example.finds), None)
    if rule.match.kind != "detector" or "{" not in rule.message or example is None:
        return rule
    config = replace(config, wave=example.wave or config.wave)
    found = find_in_text(example.before, example.path or "example.cu", config=config).findings
    message = next((finding.message for finding in found if finding.rule == rule.id), rule.message)
    return replace(rule, message=message)


def check_example(rule: Rule, number: int, config: Config) -> list[str]:
    """What is wrong with one example of a rule; empty where it holds."""
    example = rule.examples[number]
    path = example.path or "example.cu"
    config = replace(config, wave=example.wave or config.wave)
    result = find_in_text(example.before, path, config=config, unsafe=True)
    source = example.before.encode()
    mine = [finding for finding in result.findings if finding.rule == rule.id]
    found = [source[finding.span.start : finding.span.end].decode() for finding in mine]
    if found != list(example.finds):
        return [f"finds {found}, and says {list(example.finds)}"]
    if example.after is None:
        return ["an example that changes needs `after`"] if any(finding.fix for finding in mine) else []
    if result.after != example.after:
        return [f"becomes {result.after!r}, and says {example.after!r}"]
    again = find_in_text(example.after, path, config=config, unsafe=True).findings
    return ["a second run changes it again"] if any(f.rule == rule.id and f.fix for f in again) else []
