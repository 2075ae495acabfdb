"""HIP sources, or one source for both vendors: the choice, and what it makes of converted files.

Portable style starts from the fixes for HIP that were applied. Renames go to one header, PyTorch's build makes those it
knows, and every other edit is under a conditional next to the code that CUDA compiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from pathlib import PurePosixPath
from types import MappingProxyType

from cudamigrate import edits
from cudamigrate.cuda.code_files import configured
from cudamigrate.cuda.include_insertion import addition
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.model import Conversion, Edit, FileResult, Finding, Fix, Report, SourceFile, Style
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import own_headers_home, template_includes
from cudamigrate.pipeline.cross_file import OLD_HIP
from cudamigrate.portable import aliases, builds, cuda_side, header, regions

_CODE = ("cuda", "cxx")
_REPLACES = "it replaces what NVIDIA needs, and the result is for both vendors, as {reason}; `--style hip` changes it"
_NOTHING = aliases.Names()
_BY_TORCH = "PyTorch's build makes the extension; `--style hip` changes other builds"


def offered(report: Report) -> Report:
    """The report with the fixes that its style can make: one that portable style takes back is none to ask about."""
    style = report.style
    if style is None or style.name != "portable":
        return report
    languages = {file.path: file.language for file in report.files}

    def kept(finding: Finding) -> bool:
        return builds.is_made(style, languages.get(finding.path, ""), finding.fix)

    return replace(report, findings=tuple(one for one in report.findings if kept(one)))


def is_for_both(fix: Fix, source: SourceFile) -> bool:
    """Whether a fix by itself is right for NVIDIA too: what it asks, or code that CUDA's compiler reads as before."""
    if source.language not in _CODE:
        return builds.is_for_both(fix)
    after = edits.apply(source.data, [fix]).data
    return cuda_side.first_difference(source.data, after, cuda.GUARDS) is None


def without_renamed(source: SourceFile, result: FileResult, passed_over: bool = False) -> FileResult:
    """A file of an extension without what PyTorch's build renames: such code is AMD's too.

    Where that build passes the file over, nothing of it is renamed.
    """

    def is_renamed(finding: Finding) -> bool:
        if finding.fix is None:
            return False
        parts = aliases.split(
            aliases.Source(source.path, source.data, [(finding.fix, finding.group)]), _NOTHING, extension=True
        )
        return bool(parts.by_torch) and not parts.left

    if source.language not in _CODE or passed_over:
        return result
    return replace(result, findings=tuple(one for one in result.findings if not is_renamed(one)))


def chosen(style: str, port: PortFacts) -> Style:
    """The style of a run: the one that was asked for, or for `auto` the one that the repository's facts ask for."""
    extension = bool((port.extensions and not port.kernel_build) or port.hipify)
    guard = _guard(port)
    if style != "auto":
        return Style("portable" if style == "portable" else "hip", "it was asked for", guard, extension)
    if port.is_port:
        return Style("portable", "the repository has a HIP port", guard, extension)
    if port.extensions and not port.kernel_build:
        path, line, _ = port.extensions[0]
        return Style("portable", f"PyTorch builds it and renames CUDA's names ({path}:{line})", guard, extension)
    if port.build:
        path, line, _ = port.build[0]
        return Style("portable", f"it has a build for HIP beside CUDA's ({path}:{line})", guard, extension)
    if port.guards and port.written:
        one = port.guards[0]
        return Style("portable", f"it has branches for HIP (`{one.name}`, {one.path}:{one.line})", guard, extension)
    if port.kernel_build:
        return Style("hip", port.kernel_build, guard, extension)
    return Style("hip", "nothing shows that its CUDA code builds for both vendors", guard, extension)


def of_scan(style: str, port: PortFacts) -> Style | None:
    """The style that `apply` would choose, where it leaves out what a scan counts: build files beside PyTorch's."""
    found = chosen(style, port)
    return found if found.name == "portable" and found.extension else None


def _guard(port: PortFacts) -> str:
    """The macro that asks for HIP: the project's own where a build sets it, and it is only ever defined or not."""
    built = {path for path, _, _ in port.build}
    exact = [
        one.name
        for one in port.guards
        if one.kind == "exact" and "==" not in one.name and one.defined and one.path in built
    ]
    return exact[0] if port.is_port and exact else Style("hip", "").guard


@dataclass(frozen=True, slots=True)
class Styled:
    """Files in portable style, and the headers of names that they include, new or changed, by their paths."""

    conversions: tuple[Conversion, ...]
    headers: Mapping[str, bytes]


def portable(
    made: Sequence[Conversion],
    report: Report,
    read: Callable[[str], bytes | None],
    marks: Sequence[str],
    passed_over: Set[str] = frozenset(),
    homes: Mapping[str, str] = MappingProxyType({"": ""}),
) -> Styled:
    """Converted files in portable style. `read` gives the bytes of a file of the repository, None where it has none.

    `homes` are the folders of the header of names by the project, empty for the root and for all of a tree. `marks` are
    the guards for HIP, as conditions are evaluated with them. `passed_over` are files of an extension that PyTorch's
    build does not convert: they hold HIP's names themselves.
    """
    from cudamigrate.compilation import torch_extensions  # slow to import, and `check` asks for names alone

    style = report.style
    assert style is not None
    work = _Work(style, report, read, (*cuda.GUARDS, *marks), frozenset(passed_over), homes)
    files = {one.path: work.source(one) for one in made if work.language(one.path) in _CODE}
    others = [data for path in work.code() if path not in files and (data := read(path)) is not None]
    given = aliases.names(files.values(), others, work.marks, style.extension)
    if any(torch_extensions.copies_sources(text) for text in work.python()):
        given = _NOTHING  # a header elsewhere is not copied with them
    earlier = {path: read(path) for path in map(_header_path, homes.values())}
    for old in earlier.values():
        given = given if old is None else header.joined(header.names(old), given)
    name = builds.switch([data for path in work.builds() if (data := read(path)) is not None])
    done = [
        work.code_file(one, files[one.path], given) if one.path in files else work.other_file(one, name) for one in made
    ]
    done.extend(work.introduced(done, name))
    text = header.render(given, style.guard) if given else None
    including = {_header_path(work.home(one.path)) for one in done if header.NAME.encode() in one.after}
    wanted = {path for path, old in earlier.items() if path in including or old is not None or len(earlier) == 1}
    headers = {} if text is None else {path: text for path in sorted(wanted) if text != earlier[path]}
    return Styled(tuple(done), headers)


def _header_path(home: str) -> str:
    return f"{home}/{header.NAME}" if home else header.NAME


@dataclass(frozen=True)
class _Work:
    """What every file of a run is written with."""

    style: Style
    report: Report
    read: Callable[[str], bytes | None]
    marks: tuple[str, ...]
    passed_over: frozenset[str] = frozenset()
    homes: Mapping[str, str] = MappingProxyType({"": ""})

    @cached_property
    def _languages(self) -> Mapping[str, str]:
        return {file.path: file.language for file in self.report.files}

    @cached_property
    def _by_path(self) -> Mapping[str, Sequence[Finding]]:
        """The findings with a fix, by file."""
        found: dict[str, list[Finding]] = {}
        for one in self.report.findings:
            if one.fix is not None:
                found.setdefault(one.path, []).append(one)
        return found

    def language(self, path: str) -> str:
        """The language of a file, empty where the report has none of that path."""
        return self._languages.get(path, "")

    def home(self, path: str) -> str:
        """The folder of the header of names for the file at `path`."""
        return own_headers_home.of(self.homes, path)

    def code(self) -> Iterator[str]:
        return (file.path for file in self.report.files if file.language in _CODE)

    def python(self) -> Iterator[str]:
        """The text of each file of Python."""
        paths = (file.path for file in self.report.files if file.language == "python")
        return (data.decode("utf-8", "replace") for path in paths if (data := self.read(path)) is not None)

    def builds(self) -> Iterator[str]:
        return (file.path for file in self.report.files if file.language == "cmake")

    def source(self, made: Conversion) -> aliases.Source:
        """A file with its applied fixes, each with the group of its rule."""
        groups = {one.fix: one.group for one in self._by_path.get(made.path, ()) if one.fix is not None}
        return aliases.Source(made.path, made.before, [(fix, groups.get(fix, "")) for fix in made.fixes])

    def code_file(self, made: Conversion, source: aliases.Source, given: aliases.Names) -> Conversion:
        """A file of C++ in portable style."""
        alone = made.path in self.passed_over
        parts = aliases.split(source, aliases.without_doubtful(given) if alone else given, self.style.extension)
        if alone:
            parts = replace(parts, by_torch=(), left=(*parts.left, *parts.by_torch))
        order = edits.ordered(made.fixes)
        left = [
            edit for edit in order if edit in set(parts.left) and not regions.is_there(made.before, edit, self.marks)
        ]
        if parts.by_header and (more := self._header(made)) is not None:
            left = sorted([*left, more], key=lambda edit: edit.span)
        fix = regions.around(made.before, left, self.style.guard, self.marks)
        after = _with(made.before, fix)
        written = () if fix is None else (fix,)
        changing = {*left, *parts.by_header}
        by_build = frozenset(one for one in made.fixes if changing.isdisjoint(one.edits))
        built = self._built(made, parts, fix, after)
        return replace(made, after=after, built=built, written=written, by_build=by_build)

    def _built(self, made: Conversion, parts: aliases.Split, fix: Fix | None, after: bytes) -> Conversion:
        """What HIP's compiler gets: after PyTorch's build, where that renames once more."""
        blank = Conversion(made.path, made.before, after, () if fix is None else (fix,))
        if not parts.by_torch:
            return blank
        taken = [edit for edit in parts.by_torch if fix is None or not _overlaps(edit, fix)]
        whole = Fix(tuple(sorted((*taken, *(fix.edits if fix is not None else ())), key=lambda e: e.span)), "safe")
        return replace(blank, after=_with(made.before, whole), fixes=(whole,))

    def _header(self, made: Conversion) -> Edit | None:
        """The edit that includes the header of names, None where the file has it."""
        if header.NAME.encode() in made.before:
            return None
        parsed: ParsedFile = cuda.parse(SourceFile(made.path, made.before, "cuda"), frozenset(), self.marks)
        edit = own_headers_home.moved(addition(parsed, header.NAME), made.path, self.home(made.path))
        project = self._templates.get(made.path) if configured(made.path) else None
        return edit if project is None else template_includes.named(edit, project, self.home(made.path))

    @cached_property
    def _templates(self) -> Mapping[str, str]:
        """The templates of code that CMake fills in elsewhere, each with the folder of the project that does."""
        texts = {path: data for path in self.builds() if (data := self.read(path)) is not None}
        return template_includes.projects(texts, {path for path in self.code() if configured(path)})

    def other_file(self, made: Conversion, name: str) -> Conversion:
        """A file that is no code: build files get a switch, the rest keeps what NVIDIA needs."""
        language = self.language(made.path)
        kept: dict[Fix, str]
        fix: Fix | None
        if language in builds.LANGUAGES and (not self.style.extension or self._compiles_others(made)):
            of_hip = {
                one.fix for one in self._by_path.get(made.path, ()) if one.rule in OLD_HIP and one.fix is not None
            }
            fix, kept = builds.around(language, made.path, made.before, made.fixes, name, of_hip)
        else:
            reason = (_BY_TORCH if language in builds.LANGUAGES else _REPLACES).format(reason=self.style.reason)
            both = [one for one in made.fixes if builds.is_for_both(one)]
            kept = {one: reason for one in made.fixes if one not in both}
            fix = Fix(tuple(dict.fromkeys(edits.ordered(both))), "safe") if both else None
        owners = {one.fix: one for one in self._by_path.get(made.path, ())}
        rejected = tuple((owners[one], why) for one, why in kept.items() if one in owners)
        after = _with(made.before, fix)
        return replace(
            made,
            after=after,
            fixes=tuple(one for one in made.fixes if one not in kept),
            rejected=(*made.rejected, *rejected),
            built=Conversion(made.path, made.before, after, () if fix is None else (fix,)),
            written=() if fix is None else (fix,),
        )

    def _compiles_others(self, made: Conversion) -> bool:
        """Whether a build file compiles sources that PyTorch's build of an extension does not reach."""
        from cudamigrate.pipeline import torch_files  # slow to import, as in `portable`

        folder = made.path.rpartition("/")[0]
        below = {path for path in self.passed_over if not folder or path.startswith(f"{folder}/")}
        return torch_files.names_source(made.before, below)

    def introduced(self, done: Sequence[Conversion], name: str) -> Iterator[Conversion]:
        """The topmost CMake file with the switch, around others that ask it and do not have it."""
        changed = [one for one in done if one.after != one.before and self.language(one.path) == "cmake"]
        asking = [one.path for one in changed if not builds.introduces(one.after, name)]
        around = {str(folder) for path in asking for folder in PurePosixPath(path).parents}
        for path in sorted(self.builds(), key=lambda one: (one.count("/"), one)):
            if str(PurePosixPath(path).parent) not in around:
                continue
            known = next((one for one in done if one.path == path), None)
            data = known.after if known is not None else self.read(path)
            if data is None or builds.introduces(data, name):
                return
            fix = builds.introduction(path, data, name) if known is None else None
            if fix is not None:
                after = _with(data, fix)
                made = Conversion(path, data, after, (), part="build", written=(fix,))
                yield replace(made, built=Conversion(path, data, after, (fix,)))
                return


def _overlaps(edit: Edit, fix: Fix) -> bool:
    return any(edit.span.overlaps(other.span) for other in fix.edits)


def _with(data: bytes, fix: Fix | None) -> bytes:
    return data if fix is None else edits.apply(data, [fix]).data
