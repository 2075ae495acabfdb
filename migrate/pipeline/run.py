"""Scan, apply and check: the stages that find and change, joined; `prove.py` joins those that judge.

Nothing is printed here: where there is someone to watch, a progress callback is called.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate.config import Config
from cudamigrate.errors import InputError
from cudamigrate.frontends import known_files
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import (
    Conversion,
    FileEntry,
    FileResult,
    Finding,
    Fix,
    Inventory,
    Report,
    Repository,
    Rule,
    Skip,
    Target,
)
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import (
    ahead,
    binding_languages,
    fetched_dependencies,
    files_left_out,
    half_converted,
    included_makefiles,
    interpreted_files,
    own_headers_home,
    own_scripts,
    own_sources,
    packaged_headers,
    rule_base,
    suppressed,
    toolkit_headers,
    tree_faults,
    vendored_includes,
)
from cudamigrate.pipeline.cached_work import Cache
from cudamigrate.pipeline.convert_file import convert
from cudamigrate.pipeline.files_aside import FilesAside
from cudamigrate.pipeline.function_status import as_withheld
from cudamigrate.pipeline.inspect_tree import Clues, Inspector, Progress, elsewhere, families, inspect_all, with_choices
from cudamigrate.pipeline.kept_report import KeptReport, Scanned, rests_on
from cudamigrate.pipeline.own_headers import added
from cudamigrate.pipeline.program_version import tool_version as tool_version
from cudamigrate.pipeline.read_again import ReadAgain
from cudamigrate.pipeline.result_store import Store
from cudamigrate.pipeline.rule_base import target
from cudamigrate.pipeline.spool import Spool
from cudamigrate.pipeline.text_facts import TextFacts
from cudamigrate.project import discovery, revisions
from cudamigrate.reporting import excerpts
from cudamigrate.rulebase import code_rules
from cudamigrate.rulebase import project_rules as projectbook
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.rulebase.project_rules import ProjectBook

if TYPE_CHECKING:
    from cudamigrate.pipeline.check import Checked

Choice = Callable[["Report"], Iterable[Finding]]
"""Chooses among the findings of a report those whose fix is made though it needs review."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What `apply` made: the report of the original, the converted files, files to add, and fixes left out.

    `marks` are the guards for HIP that the repository has. `plain` are the files as they were converted for HIP, where
    the style made others of them, and `built` all of them as HIP's compiler gets them. `for_cuda` are files of a port
    that AMD's compiler never gets: another file does their work for HIP, or a build leaves them to CUDA. `passed_over`
    are files of an extension that PyTorch's build does not convert, `homes` the folders of our headers by project.
    `by_build` has fixes, by file, that need no change of it: PyTorch's build makes them, or they are there.
    """

    report: Report
    conversions: tuple[Conversion, ...]
    added: Mapping[str, bytes]
    rejected: tuple[tuple[Finding, str], ...]
    marks: tuple[str, ...] = ()
    plain: tuple[Conversion, ...] = ()
    built: tuple[Conversion, ...] = ()
    for_cuda: frozenset[str] = frozenset()
    passed_over: frozenset[str] = frozenset()
    homes: Mapping[str, str] = field(default_factory=lambda: {"": ""})
    by_build: Mapping[str, frozenset[Fix]] = field(default_factory=dict)

    def with_function_status(self) -> Report:
        """The report after fixes were withheld: what they were for is manual work, and functions have their state."""
        return as_withheld(self.report, [found for found, _ in self.rejected])


@lru_cache(maxsize=16)
def rules(goal: Target, extra: tuple[str, ...] = ()) -> Rulebook:
    """The rule base for a target with its examples, read once per process. Raises RuleError."""
    return code_rules.load(goal, [Path(path) for path in extra])


@lru_cache(maxsize=16)
def project_rules(goal: Target, extra: tuple[str, ...] = ()) -> ProjectBook:
    """Rules for build, package and environment files, with examples, read once per process. Raises RuleError."""
    return projectbook.load(goal, [Path(path) for path in extra])


def scan(path: Path, config: Config, progress: Progress | None = None, debug: bool = False) -> Report:
    """Read a repository, or one file, and report what is CUDA in it, with an estimate. Raises InputError, RuleError."""
    return scanned(path, config, progress, debug).report


def scanned(
    path: Path, config: Config, progress: Progress | None = None, debug: bool = False, text: bool = False
) -> Scanned:
    """The same, with its JSON: nothing is read again where that was kept. `text` asks for it. Raises as `scan` does."""
    from cudamigrate import estimate  # what only finds and changes does without
    from cudamigrate.pipeline import styles

    started = time.perf_counter()
    estimate.check(config)
    tree = _tree(path, config)
    clues = estimate.reader() if path.is_dir() else None

    def make() -> Report:
        report, results = _counted(tree, progress, debug, clues, config)
        style = styles.of_scan(config.style, tree.port)
        priced = replace(report, estimate=estimate.make(report, results, config), style=style)
        return files_left_out.folded(priced, tree.book)

    def finish(report: Report) -> Report:
        return replace(report, repository=tree.repository, seconds=time.perf_counter() - started)

    rests = partial(rests_on, tree.config, tree.inventory, tree.port, tree.choices, clues is not None)
    kept = KeptReport(tree.cache.store, tree.cache.whole(rests, tree.inventory.entries), tree.aside)
    bare = Report(tool_version(), tree.repository, target(tree.config), (), (), (), {}, (), {})
    found = Scanned(kept, bare, make, finish)
    found.prepare(text)
    return found


def read(
    path: Path, config: Config, progress: Progress | None = None, debug: bool = False
) -> tuple[Report, list[FileResult]]:
    """What a scan finds before its estimate, and the results of all files, skipped ones among them."""
    from cudamigrate import estimate

    clues = estimate.reader() if path.is_dir() else None
    return _counted(_tree(path, config), progress, debug, clues, config)


def _counted(
    tree: _Tree, progress: Progress | None, debug: bool, clues: Clues | None, config: Config
) -> tuple[Report, list[FileResult]]:
    """What a scan finds, without what comments in the code suppress."""
    return suppressed.without(*_found(tree, progress, debug, clues, config.resolve == "always"))


@dataclass(frozen=True, slots=True)
class _Tree:
    """What a run is about: the files, the rules, the port if there is one, and what earlier runs kept.

    `config` has the macros that mark HIP in this tree among its own. `choices` has, for files that the build does not
    always compile, what must be chosen for that. `marks` are those that hold for one file.
    """

    inventory: Inventory
    book: Rulebook
    config: Config
    port: PortFacts
    choices: Mapping[str, frozenset[str]]
    marks: Mapping[str, tuple[str, ...]]
    repository: Repository
    cache: Cache
    aside: FilesAside

    @property
    def root(self) -> Path:
        """The scanned folder, or that of the scanned file."""
        return Path(self.inventory.root)


def _tree(path: Path, config: Config) -> _Tree:
    """The files to read, and what all of them are read with."""
    if not path.exists():
        raise InputError(f"{path} does not exist; give a repository folder or a source file")
    book = rule_base.code_rules(target(config), config.rules)
    inventory = interpreted_files.added(discovery.discover(path, config, known_files()), config)
    taken = inventory.entries or inventory.skipped or inventory.ignored
    if path.is_file() and (inventory.other or not taken):
        raise InputError(f"{path} is not a kind of file that is read. Give a folder, or a source or build file.")
    root = Path(inventory.root)
    store = Store() if config.cache and config.resolve != "always" else None
    cache = Cache(root, inventory.entries, store, elsewhere(config.scheduler))
    inventory = own_sources.added(root, own_scripts.added(root, inventory, config), config)
    inventory = included_makefiles.added(root, inventory, config)
    inventory = toolkit_headers.left_out(root, inventory, config, book)
    port, choices, marks = PortFacts(), dict[str, frozenset[str]](), dict[str, tuple[str, ...]]()
    if inventory.entries or inventory.unnamed or inventory.configuring:
        from cudamigrate.pipeline import included_files  # slow to import

        ahead.during_survey(root, inventory, book)
        inventory, port, choices, marks = included_files.surveyed(root, inventory, config, cache)
    config = replace(config, hip_guards=(*config.hip_guards, *port.marks))
    return _Tree(inventory, book, config, port, choices, marks, revisions.repository(root), cache, FilesAside(root))


def _found(
    tree: _Tree, progress: Progress | None, debug: bool, clues: Clues | None, resolve: bool
) -> tuple[Report, list[FileResult]]:
    """What a scan finds, without the estimate, and the results of all files, skipped ones among them."""
    resolver, inventory, config = None, tree.inventory, tree.config
    if resolve:
        from cudamigrate import semantics  # most runs do without

        resolver, left = semantics.resolver(tree.root, config)
        inventory = replace(inventory, skipped=(*inventory.skipped, *left))
    others = families(tree.root, inventory)
    work = Inspector(tree.root, tree.book, config.hip_guards, debug, clues, resolver, others, tree.marks)
    again = ReadAgain(inventory, facts=TextFacts.of(tree.cache, tree.root))
    ahead.during_inspection(inventory, again)

    def inspected() -> tuple[list[FileResult], Spool]:
        spool = Spool.of(len(inventory.entries))
        results = inspect_all(tree.cache, inventory, work, config.jobs, progress, spool)
        return with_choices(results, tree.choices), spool

    made = partial(_report, replace(tree, inventory=inventory), read=again)
    report, results = tree_faults.survived(inspected, made, debug)
    again.keep()
    return report, results


def _report(tree: _Tree, results: list[FileResult], spool: Spool, read: ReadAgain) -> Report:
    """The report of all results; `results` lose the graphs that only what comes first reads."""
    inventory, book, kept, ported = tree.inventory, tree.book, list[FileResult](), None
    if results:
        from cudamigrate.pipeline import together  # imported while workers read

        left = tree.aside, spool, tree.config.jobs
        kept[:], ported = together.judged(results, book, tree.port, inventory, read, *left)
    skipped = [*inventory.skipped, *(result.skip for result in results if result.skip is not None)]
    skipped += binding_languages.skips(inventory)
    return Report(
        version=tool_version(),
        repository=tree.repository,
        target=target(tree.config),
        files=tuple(kept),
        findings=(findings := tuple(finding for result in kept for finding in result.findings)),
        skipped=tuple(sorted(skipped, key=lambda skip: (skip.path, skip.kind))),
        vendored=inventory.vendored,
        submodules=inventory.submodules,
        rules=_rules_of({finding.rule for finding in findings}, book),
        port=ported,
        needed_submodules=vendored_includes.needed_submodules(kept, inventory, read),
        needed_dependencies=fetched_dependencies.needed(kept, book, inventory, read),
    )


def check_report(root: Path, done: Checked, config: Config) -> Report:
    """The problems that `check` found as a report, for the formats that render one."""
    problems: dict[str, list[Finding]] = {}
    for problem in done.problems:
        problems.setdefault(problem.path, []).append(problem)
    findings = tuple(one for path, text in done.sources.items() for one in excerpts.shown(text, problems.get(path, ())))
    book = rule_base.code_rules(target(config), config.rules)
    return Report(
        version=tool_version(),
        repository=revisions.repository(root),
        target=target(config),
        files=tuple(replace(one, findings=()) for one in done.results),
        findings=findings,
        skipped=tuple(done.skipped),
        vendored={},
        submodules=(),
        rules=_rules_of({finding.rule for finding in findings}, book),
    )


def _rules_of(used: Iterable[str], book: Rulebook) -> dict[str, Rule]:
    """The rules with findings, of the code and of what is beside it."""
    found = {rule: book.rules[rule] for rule in used if rule in book.rules}
    left = [rule for rule in used if rule not in found]
    more = rule_base.project_rules(book.goal, book.extra).rules if left else {}
    return dict(sorted({**found, **{rule: more[rule] for rule in left}}.items()))


def apply(
    path: Path,
    config: Config,
    unsafe: bool = False,
    progress: Progress | None = None,
    debug: bool = False,
    resolve: bool = False,
    choose: Choice | None = None,
) -> Applied:
    """Scan and convert. Files that come out worse than they were keep their bytes and are listed as skipped.

    `unsafe` makes the fixes that need review too, or `choose` says which of them. `resolve` asks libclang what tokens
    leave open, unless the configuration says never.
    """
    from cudamigrate import parallel
    from cudamigrate.pipeline import styles  # those who only find do without

    asks = config.resolve == "always" or (resolve and config.resolve == "auto")
    tree = _tree(path, config)
    report = files_left_out.folded(_found(tree, progress, debug, None, asks)[0], tree.book)
    root = Path(report.repository.root)
    report, homes = _housed(replace(report, style=styles.chosen(config.style, tree.port)), tree)
    asked = choose(styles.offered(report)) if choose is not None and not unsafe else ()
    jobs = _by_file(report, _unsafe(report) if unsafe else asked)
    items = [(FileEntry(f.path, f.language, f.size), jobs[f.path], f.findings) for f in report.files if f.path in jobs]
    convert = partial(_convert_entry, root=root, judge=half_converted.judge(report, config))
    done = list(parallel.run(convert, items, config.jobs, sum(entry.size for entry, *_ in items), lost=_unconverted))
    changed = tuple(c for c in done if c.skip is None and c.after != c.before)
    made = Applied(
        report=replace(report, skipped=(*report.skipped, *(c.skip for c in done if c.skip is not None))),
        conversions=changed,
        added=added(changed, homes=homes, root=root),
        rejected=tuple(pair for c in done for pair in c.rejected),
        marks=tree.port.marks,
        for_cuda=frozenset((*tree.port.equivalents, *(tree.port.cuda_only if tree.port.is_port else ()))),
        passed_over=tree.port.passed_over,
        homes=homes,
    )
    return in_style(made)


def _housed(report: Report, tree: _Tree) -> tuple[Report, Mapping[str, str]]:
    """The report whose fixes include our headers from where they will be, and these folders."""
    packaged = packaged_headers.home(report, tree.port, frozenset(one.path for one in tree.inventory.entries))
    return own_headers_home.homed(report, packaged)


def in_style(made: Applied) -> Applied:
    """Files converted for HIP in the style of the run."""
    from cudamigrate.pipeline import styles

    style = made.report.style
    root = Path(made.report.repository.root)
    if style is None or style.name != "portable":
        return replace(made, conversions=packaged_headers.with_lists(made.conversions, made.added, made.report))
    styled = styles.portable(
        made.conversions, made.report, packaged_headers.reader(root), made.marks, made.passed_over, made.homes
    )
    kept = {id(pair[0]) for c in made.conversions for pair in c.rejected}
    before = tuple(pair for pair in made.rejected if id(pair[0]) not in kept)
    changed = tuple(c for c in styled.conversions if c.after != c.before)
    more = added(changed, styled.headers, made.homes, root)
    return replace(
        made,
        conversions=packaged_headers.with_lists(changed, more, made.report),
        added=more,
        rejected=(*before, *(pair for c in styled.conversions for pair in c.rejected)),
        plain=made.conversions,
        built=tuple(c.as_built for c in styled.conversions),
        by_build={c.path: frozenset(c.fixes) for c in styled.conversions if c.fixes and c.after == c.before},
    )


def _unsafe(report: Report) -> Iterable[Finding]:
    """The findings whose fix needs review."""
    return (one for one in report.findings if one.fix is not None and one.fix.safety == "unsafe")


def _by_file(report: Report, chosen: Iterable[Finding]) -> dict[str, tuple[Finding, ...]]:
    """By file, the findings whose fix is safe, and those that were chosen."""
    fixable: dict[str, list[Finding]] = {}
    accepted = {id(finding) for finding in chosen}
    for finding in report.findings:
        if finding.fix is not None and (finding.fix.safety == "safe" or id(finding) in accepted):
            fixable.setdefault(finding.path, []).append(finding)
    return {path: tuple(found) for path, found in fixable.items()}


_Work = tuple[FileEntry, tuple[Finding, ...], tuple[Finding, ...]]
"""A file to convert, the findings whose fixes are wanted, and all its findings."""


def _unconverted(item: _Work, reason: str) -> Conversion:
    """The conversion of a file that ended its worker."""
    return Conversion(item[0].path, b"", b"", (), skip=Skip(item[0].path, "limit", f"{reason}; nothing is changed"))


def _convert_entry(item: _Work, root: Path, judge: half_converted.Judge) -> Conversion:
    entry, chosen, reported = item
    source = discovery.read(root, entry)
    if isinstance(source, Skip):
        return Conversion(entry.path, b"", b"", (), skip=source)
    return half_converted.whole(judge, source, chosen, reported, convert)
