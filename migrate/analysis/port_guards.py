"""The search for guards: macros and constants that tell HIP from CUDA, each with the place that shows it.

Evidence is followed until nothing new follows: a macro that a branch of HIP code needs, one that a build sets with HIP,
one that is 1 where a known guard holds and 0 elsewhere. Every macro is tested against what speaks against it: CUDA code
that needs it, or a build without HIP that sets it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from cudamigrate.analysis import port_conditions, port_configure, port_vendors
from cudamigrate.analysis.port_conditions import BESIDE, is_without, words
from cudamigrate.analysis.port_evidence import OTHER
from cudamigrate.analysis.port_values import passed_on, side
from cudamigrate.cuda.conditions import value_with
from cudamigrate.cuda.preprocessor import compiled_for_hip, for_host
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import BranchEvidence, Conditions, FileEvidence, GuardKind, PortGuard

_VALUED = re.compile(rb"\b([A-Za-z_]\w*)\s*==\s*([A-Za-z_]\w*|[1-9]\d*)\b")
"""A macro compared with a name or a number: `PLATFORM == AMD`, `GPU_KIND == 2`; an undefined macro equals 0."""
OF_TOOLS = re.compile(
    rb"__cplusplus|_?_?(?:WIN|LINUX|linux|APPLE|unix)\w*|_MSC\w*|__(?:GNU|clang|NV|CUDA|MUSA|SYCL|has_)\w*|N?DEBUG|_DEBUG"
    rb"|__HIPSYCL\w*|__(?:ACPP|ADAPTIVECPP)\w*|CUDA\w*VERSION\w*|CUDNN_\w+|CUBLAS_\w+|CUB_\w+|THRUST_\w+|DOXYGEN\w*"
)
"""Macros of compilers, systems and CUDA itself: a branch that needs one says nothing of them."""
_OF_LIBRARIES = re.compile(rb"(?:CUB|THRUST|CUBLAS|CUDNN)_\w+")
"""Macros of libraries by their form; one that the project defines itself is its own: `CUB_TOP_K_AVAILABLE`."""
_TRUTH = {b"0": False, b"false": False, b"": None, OTHER: None}
"""What a macro's value is in a condition, as far as that is known; others are true."""
_OF_DEVICE_PASS = frozenset((b"__HIP_DEVICE_COMPILE__", b"__AMDGCN__"))
"""Macros that only HIP's pass for the device defines."""


class Guards:
    """The search for guards."""

    def __init__(self, evidence: Sequence[FileEvidence], known: Sequence[str], native: frozenset[str]) -> None:
        self.everything, self.native = evidence, native
        self.evidence = [one for one in evidence if one.path not in native]
        shared = {one.path.rpartition("/")[2] for one in self.evidence}
        self.native_names = {path.rpartition("/")[2] for path in native} - shared
        self.marks = {name.encode() for name in known}
        self.places: dict[str, PortGuard] = {}
        self.switches = {name for one in evidence for name in one.switches}
        self.cuda_switches = {name for one in evidence for name in one.cuda_switches} - self.switches
        self.refuted: set[bytes] = set()

    def found(self) -> list[PortGuard]:
        """All of them, by name."""
        self._from_builds()
        self.refuted = self._contradicted() | self._of_both_branches() | self._of_either()
        # A build says so, and no other; CUDA code speaks against a macro of HIP's only.
        sure = {name for name, guard in self.places.items() if guard.kind in ("exact", "implies-cuda")}
        self.places = {
            name: self.places[name] for name in self.places if name in sure or name.encode() not in self.refuted
        }
        self._sharpened()
        self.marks |= {guard.mark.encode() for guard in self.places.values()}
        for _ in range(6):  # a guard may follow from another one, and so on
            found = (
                *self._from_branches(),
                *self._from_definitions(),
                *self._from_headers(),
                *self._from_alternatives(),
                *port_vendors.others(self.evidence, self.everything, self._side, self._needed),
                *port_vendors.required(self.everything, self.marks, self.cuda_switches),
            )
            new = [guard for guard in found if self._is_new(guard)]
            if not new:
                break
            for guard in new:
                self.places.setdefault(guard.name, guard)
                self.marks.add(self.places[guard.name].mark.encode())
        return sorted(self.places.values(), key=lambda guard: guard.name)

    def written(self) -> frozenset[str]:
        """The files with a branch on HIP's side that speaks HIP, or includes a file for HIP alone."""
        return frozenset(
            one.path for one in self.evidence if any(self._side(place) is True for place in self._speaking(one))
        )

    def _speaking(self, file: FileEvidence) -> Iterator[Conditions]:
        """The conditionals around what speaks HIP in a file, and around what it includes of HIP's."""
        yield from (one.conditions for one in file.branches if one.hip)
        yield from (place for include, place in file.guarded if include.rpartition("/")[2] in self.native_names)

    def included_for_cuda(
        self, paths: Sequence[str], answered: Collection[str] = (), lacking: Collection[str] = ()
    ) -> dict[str, str]:
        """Files that are included on CUDA's side alone, each with one that does so: HIP has the other side.

        `answered` are files of CUDA's side with an equivalent for HIP, `lacking` those without one: what they include
        says nothing of HIP, and what only they include is theirs.
        """
        users: dict[str, str] = {}
        shared: dict[str, str] = {}
        others = set[str]()
        for file in self.everything:
            places: dict[str, set[bool | None]] = {}
            for include, conditions in file.guarded:
                places.setdefault(include, set()).add(self._side(conditions))
            for include in (*file.includes, *file.unknown):
                name = include.rpartition("/")[2]
                if places.get(include) == {False}:
                    users.setdefault(name, file.path)
                elif file.path in answered:
                    shared.setdefault(name, file.path)
                elif file.path not in lacking:
                    others.add(name)
        users = {**shared, **users}
        known = {*answered, *lacking}
        return {
            path: users[name]
            for path in paths
            if path not in known and (name := path.rpartition("/")[2]) in users.keys() - others
        }

    def _is_new(self, guard: PortGuard) -> bool:
        return guard.name not in self.places and guard.name.encode() not in self.marks

    def _from_builds(self) -> None:
        """Macros that are set together with HIP, and nowhere else. A size that a variable has is no macro."""
        files = [(p.path, one) for p in self.evidence for one in p.macros if not (one.variable and one.value)]
        hip = {m.name for _, m in files if m.hip or self.switches.intersection(m.needs)}
        elsewhere = {m.name for _, m in files if not m.hip and not self.switches.intersection(m.needs)}
        asked = frozenset[str]().union(*(one.asked for one in self.everything))
        for path, macro in files:
            name = macro.name.encode()
            if macro.name in hip - elsewhere and macro.name in asked and not self._is_of_cuda(name):
                switched = len(macro.needs) == 1 and macro.needs[0] in self.switches
                kind: GuardKind = "exact" if macro.sure or switched else "implies"
                guard = PortGuard(macro.name, kind, path, macro.line, "set by the build together with HIP")
                if macro.name not in self.places or kind == "exact":
                    self.places[macro.name] = guard
        for guard in (*self._from_builds_for_cuda(asked), *self._from_configured(asked)):
            self.places.setdefault(guard.name, guard)

    def _from_builds_for_cuda(self, asked: frozenset[str]) -> Iterator[PortGuard]:
        """Macros that builds set where they set up CUDA and not HIP, and nothing else sets.

        It counts only beside a build for HIP, and where that does not turn on what turns CUDA on.
        """
        files = [(one.path, macro) for one in self.evidence for macro in one.macros]
        defined = [(path, macro) for path, macro in files if not macro.variable]
        with_hip = {m.name for _, m in files if m.hip or self.switches.intersection(m.needs)}
        if not with_hip:
            return
        coded = {one.name for file in self.evidence for one in file.definitions}
        other = {m.name for _, m in defined if not (m.cuda or self.cuda_switches.intersection(m.needs))}
        other |= passed_on(self.everything) - self.cuda_switches
        for path, macro in defined:
            free = macro.name not in with_hip | other | coded and macro.name in asked
            free = free and with_hip.isdisjoint(macro.needs)
            if free and (port_vendors.is_own(macro.name) or not self._is_foreign(macro.name.encode())):
                reason = "set by the build together with CUDA, and nowhere else"
                yield PortGuard(macro.name, "implies-cuda", path, macro.line, reason)

    def _from_configured(self, asked: frozenset[str]) -> Iterator[PortGuard]:
        """Variables that turn HIP or CUDA on in a build, and that a header passes on."""
        spoken = {name for one in self._branches() if one.hip for name in self._needed(one.conditions)}
        headers = {name for one in self._branches() if one.header for name in self._needed(one.conditions)}
        free = {name for name in asked if not self._is_foreign(name.encode())}
        options = {name for one in self.everything for name in one.options}
        for_hip = {name for name in free & self.switches - options if not self._is_of_cuda(name.encode())}
        yield from port_configure.of_hip(self.everything, for_hip)
        for_cuda = {name for name in free & self.cuda_switches if name.encode() in headers - spoken}
        if not self._gives_names:
            yield from port_configure.of_cuda(self.everything, for_cuda, self.switches)

    @cached_property
    def _asking(self) -> dict[str, list[FileEvidence]]:
        """The files whose conditions ask for a macro, by its name."""
        found: dict[str, list[FileEvidence]] = {}
        for one in self.evidence:
            for name in one.asked:
                found.setdefault(name, []).append(one)
        return found

    @property
    def _gives_names(self) -> bool:
        """Whether something gives HIP the names of CUDA: a shim, hipify, or PyTorch's build."""
        return any(one.hipifies or one.extension or one.aliases for one in self.everything)

    def _sharpened(self) -> None:
        """Make guards that were only known to imply HIP exact, where what is compiled without them is CUDA's alone.

        Where something gives HIP CUDA's names, that tells nothing.
        """
        if self._gives_names:
            return
        chains = [one.conditions[-1] for one in self._branches() if one.cuda and one.conditions]
        for name, guard in self.places.items():
            if guard.kind == "implies" and any(is_without(name.encode(), chain) for chain in chains):
                self.places[name] = replace(guard, kind="exact")

    def _is_foreign(self, name: bytes) -> bool:
        return self._is_settled(name) or name in self.refuted

    def _is_settled(self, name: bytes) -> bool:
        """Whether it is a guard already, or of a compiler: nothing is left to be found out."""
        return self._is_known(name) or OF_TOOLS.fullmatch(name) is not None

    def _is_known(self, name: bytes) -> bool:
        return not self.marks.isdisjoint((name, b"?" + name, b"!" + name, b"-" + name))

    def _is_of_cuda(self, name: bytes) -> bool:
        """A port may set CUDA's own switches too, to keep CUDA's code: a build is no evidence on them."""
        return self._is_foreign(name) or b"CUDA" in name or b"NV" in name

    def _branches(self) -> Iterator[BranchEvidence]:
        for one in self.evidence:
            yield from one.branches

    def _contradicted(self) -> set[bytes]:
        """Macros that CUDA code needs: what only CUDA compiles is where they are set."""
        chains = [one.conditions for one in self._branches() if one.header and self._side(one.conditions) is None]
        return {name for chain in chains for name in self._candidates(chain) if self._implied_by(chain, name)}

    def _of_either(self) -> set[bytes]:
        """Macros that are set for both vendors: by what code needs, where it has names of its own, or by a build."""
        hip = self.switches | {guard.name for guard in self.places.values() if guard.kind in ("exact", "implies")}
        shared = set() if self._gives_names else port_conditions.shared(self.evidence)
        return shared | port_conditions.of_several(self.evidence, hip)

    def _of_both_branches(self) -> set[bytes]:
        """Macros that choose between HIP code and other HIP code, as for single and double precision."""
        found: set[bytes] = set()
        for file in self.evidence:
            chains: dict[tuple[object, ...], set[tuple[bytes, bool]]] = {}
            for one in file.branches:
                for name in self._candidates(one.conditions) if one.hip and not file.hip else ():
                    needed = [hip for hip in (True, False) if self._needs(one.conditions, name, hip)]
                    chain = (one.conditions[:-1], one.conditions[-1][0])
                    chains.setdefault(chain, set()).update((name, hip) for hip in needed)
            for names in chains.values():
                found |= {name for name, hip in names if hip and (name, False) in names}
        return found

    def _needs(self, conditions: Conditions, name: bytes, held: bool) -> bool:
        """Whether a branch is HIP's by a macro, or for want of it and by no other macro that it asks for itself."""
        own = (conditions[-1][-1:],)
        others = () if held else [one for one in self._candidates(own) if one != name]
        implied = self._implied_by(conditions, (b"" if held else b"!") + name)
        return implied and not any(self._implied_by(own, other) for other in others)

    def _side(self, conditions: Conditions) -> bool | None:
        """Whether the known guards put a place on HIP's side, on CUDA's, or on none."""
        return side(conditions, frozenset(self.marks))

    def _candidates(self, conditions: Conditions) -> list[bytes]:
        """Macros and values in the innermost condition that has any."""
        for chain in reversed(conditions):
            names = dict.fromkeys(word for text in chain for word in words(text))
            found = [name for name in names if not self._is_foreign(name)]
            values = [b"%b==%b" % match.groups() for text in chain for match in _VALUED.finditer(text)]
            if found:
                return [*values, *(name for name in found if not any(value.startswith(name) for value in values))]
        return []

    def _implied_by(self, conditions: Conditions, mark: bytes) -> bool:
        """Whether a place is on HIP's side if this were a guard."""
        return any(compiled_for_hip(chain, frozenset((mark,))) is True for chain in conditions[-1:])

    def _from_branches(self) -> Iterator[PortGuard]:
        """What the HIP code in branches needs: one macro, and none that CUDA code needs too.

        A branch in another one, whose own macro is a guard by code of its own, says nothing of what it asks itself.
        """
        found = list(self._spoken())
        names = {guard.name.encode() for _, guard in found}
        yield from (guard for around, guard in found if names.isdisjoint(around))

    def _spoken(self) -> Iterator[tuple[frozenset[bytes], PortGuard]]:
        """What branches show one by one, with the macros that the branches around each need."""
        opposed = self._opposed()
        for file in self.evidence:
            for one in file.branches:
                if not one.hip or (file.hip and not one.opposite) or self._side(one.conditions) is not None:
                    continue
                names = self._candidates(one.conditions)
                implied = [name for name in names if self._implied_by(one.conditions, name)]
                against = [name for name in names if self._implied_by(one.conditions, b"!" + name)]
                where = f"its branch has `{one.text}`"
                around = frozenset(
                    name for depth in range(1, len(one.conditions)) for name in self._needed(one.conditions[:depth])
                )
                if len(implied) == 1:
                    kind: GuardKind = "exact" if implied[0] in opposed else "implies"
                    guard = PortGuard(implied[0].decode(), kind, file.path, one.line, where)
                    yield around - {implied[0]}, guard
                elif len(against) == 1 and one.opposite:
                    guard = PortGuard(against[0].decode(), "cuda", file.path, one.line, f"without it, {where[4:]}")
                    yield around - {against[0]}, guard

    def _opposed(self) -> set[bytes]:
        """Macros whose other branch, somewhere, has code that only CUDA compiles."""
        opposed: set[bytes] = set()
        for one in self._branches():
            for name in self._candidates(one.conditions):
                here, there = (self._implied_by(one.conditions, mark) for mark in (name, b"!" + name))
                if (one.hip and one.opposite and here) or (one.cuda and there):
                    opposed.add(name)
        return opposed

    def _from_headers(self) -> Iterator[PortGuard]:
        """Macros beside a guard for HIP, in most of the files that ask them, whose branches include CUDA's headers.

        HIP has none of these headers, so that the macros are not set where it compiles the files. Where hipify renames
        the headers, that tells nothing.
        """
        exact = {guard.name for guard in self.places.values() if guard.kind == "exact"}
        if not exact or any(one.hipifies or one.extension for one in self.evidence):
            return
        spoken = {name for one in self._branches() if one.hip for name in self._needed(one.conditions)}
        with_hip = {macro.name for one in self.evidence for macro in one.macros if macro.hip}
        for file in self.evidence:
            for one in file.branches:
                names = self._needed(one.conditions) if one.header and self._side(one.conditions) is None else []
                if len(names) == 1 and names[0] not in spoken and names[0].decode() not in with_hip:
                    asking = self._asking.get(names[0].decode(), ())
                    beside = sum(not exact.isdisjoint(other.asked) for other in asking)
                    if beside >= BESIDE and 2 * beside >= len(asking):
                        reason = f"its branch has `{one.text}`, which HIP has not"
                        yield PortGuard(names[0].decode(), "implies-cuda", file.path, one.line, reason)

    def _from_alternatives(self) -> Iterator[PortGuard]:
        """Macros whose branch includes a header of CUDA's in a chain that has another branch for HIP."""
        hip = {name for one in self._branches() if one.hip for name in self._needed(one.conditions)}
        hip |= {macro.name.encode() for one in self.evidence for macro in one.macros if macro.hip}
        for file in self.evidence:
            others = {
                (one.conditions[:-1], one.conditions[-1][0])
                for one in file.branches
                if one.hip and self._side(one.conditions) is True
            }
            for one in file.branches if others else ():
                names = self._needed(one.conditions) if one.header and self._side(one.conditions) is None else []
                beside = (one.conditions[:-1], one.conditions[-1][0]) in others
                if beside and len(names) == 1 and names[0] not in hip:
                    reason = f"its branch has `{one.text}`, and another one of the chain is HIP's"
                    yield PortGuard(names[0].decode(), "implies-cuda", file.path, one.line, reason)

    def _needed(self, conditions: Conditions) -> list[bytes]:
        """The macros that a place needs, of those that nothing is known of."""
        names = dict.fromkeys(word for text in conditions[-1] for word in words(text)) if conditions else {}
        free = (name for name in names if name not in self.marks and not OF_TOOLS.fullmatch(name))
        return [name for name in free if self._implied_by(conditions, name)]

    def _from_definitions(self) -> Iterator[PortGuard]:
        """What is 1 on HIP's side and 0 on CUDA's, or is defined on CUDA's alone, and constants made of guards."""
        asked = frozenset[str]().union(*(one.asked for one in self.evidence))
        built = {macro.name for one in self.evidence for macro in one.macros}
        outside = built | {
            one.name
            for file in self.everything
            for one in file.definitions
            if (file.path in self.native or self._side(one.conditions) is not False or self._is_of_host(one.conditions))
            and one.value not in (b"0", b"false")
        }
        for file in self.evidence:
            values: dict[str, dict[bool, set[bool | None]]] = {}
            for one in file.definitions:
                name, hip = one.name.encode(), self._side(one.conditions)
                if self._is_settled(name) and (self._is_known(name) or not _OF_LIBRARIES.fullmatch(name)):
                    continue
                if one.value in (b"32", b"64"):
                    continue
                if hip is not None:
                    value = _TRUTH.get(one.value, True if one.macro else None)
                    value = True if one.value in (b"1", b"true") else value
                    values.setdefault(one.name, {}).setdefault(hip, set()).add(value)
                elif not one.macro and name not in self.refuted:
                    yield from self._constant(file.path, one.name, one.value, one.line)
            for name_, sides in values.items():
                line = next(one.line for one in file.definitions if one.name == name_)
                if sides == {True: {True}, False: {False}} and name_.encode() not in self.refuted:
                    yield PortGuard(name_, "exact", file.path, line, "1 on HIP's side and 0 on CUDA's")
                elif set(sides) == {False} and name_ not in outside and name_ in asked:
                    yield PortGuard(name_, "implies-cuda", file.path, line, "defined on CUDA's side alone")

    def _is_of_host(self, conditions: Conditions) -> bool:
        """Whether HIP's build may define there after all: in its pass for the host, or where the host's compiler is."""
        host = frozenset(self.marks - _OF_DEVICE_PASS) | {b"?" + name for name in self.marks & _OF_DEVICE_PASS}
        kinds = [compiled_for_hip(chain, host) for chain in conditions]
        return not any(
            kind is False and not for_host(chain, host) for chain, kind in zip(conditions, kinds, strict=True)
        )

    def _constant(self, path: str, name: str, value: bytes, line: int) -> Iterator[PortGuard]:
        marks = frozenset(self.marks)
        with_hip, without = value_with(value, marks, hip=True), value_with(value, marks, hip=False)
        shown = f"it is `{value.decode('latin-1')[:60]}`"
        if without is False and with_hip is not False:
            yield PortGuard(name, "exact" if with_hip else "implies", path, line, shown)
        elif with_hip is False and without is True:
            yield PortGuard(name, "cuda", path, line, shown)
