"""An asm statement of device code -> HIP code, or the rule that says why there is none.

A statement is translated as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.ptx import (
    carry_chains,
    lacking,
    loops,
    macros,
    memory,
    parser,
    plan,
    pointers,
    render,
    statement,
    surroundings,
    table,
)
from cudamigrate.ptx.builders import BUILDERS
from cudamigrate.ptx.carry_chains import Chain
from cudamigrate.ptx.parser import Arg, Instruction, Listing
from cudamigrate.ptx.refusal import UNREADABLE, refusal
from cudamigrate.ptx.statement import Statement
from cudamigrate.ptx.table import Table
from cudamigrate.ptx.values import CTYPES, UnsupportedError, bare, read, unambiguous, width
from cudamigrate.ptx.writer import Step, Writer

_AMD = re.compile(r"llvm\.|(?:s|v|ds|buffer|tbuffer|global|flat|scratch|image)_[a-z]")
"""What AMD's own instructions begin with, which are no PTX: `v_add_f32`, `s_waitcnt`, `ds_read`, `llvm.`."""
_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A place of an operand in a row's HIP code, with the type that it is read as: `{a}`, `{a:u}`, `{a:T}`."""
_PRAGMA = re.compile(r'(?:\s*\.pragma\s+"[^"]*"\s*;)+\s*')
_PART = re.compile(r"(?:[{}\s;]|\.reg\s[^;]*;)*")
"""Brackets and declarations without an instruction: a part of what several statements do."""
_SPACES = frozenset(("shared", "local", "const", "global", "param"))
"""Directives that declare a variable in one kind of memory: `.shared .b32 share[576];`."""
OF_A_WARP = ("lane-instruction", "matrix-function")
"""Rules of what lanes do together."""
_ORDER = (
    "matrix-function",
    "async-copy",
    "dependent-launch",
    "register-count",
    "hardware-register",
    "lane-instruction",
    "cache-policy",
)
"""Of several rules in one statement the first of these is reported."""


@dataclass(frozen=True, slots=True)
class Translation:
    """`rule` is the hazard rule without its group; no `edits`: the statement has no translation.

    `runtime` names the headers of our own that the code needs, `standard` those of HIP.
    """

    rule: str
    words: dict[str, str] = field(default_factory=dict)
    edits: tuple[Edit, ...] = ()
    runtime: tuple[str, ...] = ()
    standard: tuple[str, ...] = ()


def translation(parsed: ParsedFile, use: Use) -> Translation | None:
    """What is to be said of one asm statement, worked out once; None where it is AMD's own or a plain barrier."""
    known = parsed.once(_translations)
    if use.span not in known:
        chain = carry_chains.chain(parsed, use.span.start)
        if chain is None:
            known[use.span] = _translation(parsed, use)
        else:
            known.update(_of_chain(parsed, chain))
    return known[use.span]


def carried(parsed: ParsedFile, use: Use) -> Translation | None:
    """The translation of a statement that shares the carry with others through a variable, from now on."""
    found = parsed.once(_translations)[use.span] = _translation(parsed, use, carry_chains.NAME)
    return found


def refused(parsed: ParsedFile, use: Use, why: str) -> Translation | None:
    """What is to be said of a statement that stays for what others do with its carry, from now on."""
    found = parsed.once(_translations)[use.span] = _because(_translation(parsed, use), why)
    return found


def chained(parsed: ParsedFile, use: Use) -> str:
    """What names the statements that pass on the carry with this one; empty for one that passes nothing on."""
    chain = carry_chains.chain(parsed, use.span.start)
    return "" if chain is None else f"carry at {chain.members[0]}"


def _of_chain(parsed: ParsedFile, chain: Chain) -> dict[Span, Translation | None]:
    """The translations of all statements of a chain, or of none."""
    uses = [use for use in parsed.uses if use.kind == "asm" and use.span.start in chain.members]
    declared = chain.declaration
    if declared is not None:
        made = {use.span: _translation(parsed, use, carry_chains.NAME) for use in uses}
        if all(one is not None and one.edits for one in made.values()):
            return {
                span: one and replace(one, edits=tuple(sorted((declared, *one.edits), key=lambda edit: edit.span)))
                for span, one in made.items()
            }
    why = chain.why or "another part of it has no translation"
    return {use.span: _because(_translation(parsed, use), why) for use in uses}


def _because(found: Translation | None, why: str) -> Translation | None:
    """A refusal for a carry that others set or use, with what stops that."""
    if found is None or found.rule != "split-statement" or "why" not in found.words:
        return found
    return replace(found, words={**found.words, "why": f"{found.words['why']}; {why}"})


def _translations(parsed: ParsedFile) -> dict[Span, Translation | None]:
    """What has been said of asm statements of the file so far; it fills as they are asked for."""
    return {}


def spells_ptx(names: Sequence[str]) -> bool:
    """Whether the instructions are PTX's, distinguished from those of other machines by their modifiers."""
    rows = table.load()
    if len(names) == 1 and names[0] in ("trap", "brkpt", "exit"):
        return True
    return any("." in name for name in names) and all(_is_ptx(name, rows) for name in names)


def _is_ptx(name: str, rows: Table) -> bool:
    """A known opcode, and as its modifiers a type, a qualified word, or words that PTX has; two of these are enough."""
    head, *modifiers = re.split(r"(?<!:)\.", name)
    known = [word for word in modifiers if word in rows.vocabulary or "::" in word]
    if head == "llvm" or (len(known) >= 2 and len(known) == len(modifiers)):
        return head != "llvm"
    return head in rows.heads and (not modifiers or bool(known))


def _translation(parsed: ParsedFile, use: Use, flag: str = "") -> Translation | None:
    """What is to be said of a statement; `flag` is the variable that holds the carry before and after it."""
    read_ = statement.read(parsed, use)
    found = _of_template(parsed, read_, flag)
    for other in read_.others:
        if _what(_of_template(parsed, replace(read_, template=other), flag)) != _what(found):
            words = {"instruction": "asm", "why": "its template holds a macro whose texts become different code"}
            return Translation("built-text", words)
    if found is not None and not found.edits and read_.others:
        known = macros.common([read_.template, *read_.others])
        return _of_template(parsed, replace(read_, template=known, problem=read_.problem or found.words.get("why", "")))
    return found


def _what(found: Translation | None) -> tuple[object, ...]:
    """What a translation writes."""
    return () if found is None else (found.edits, found.runtime, found.standard, found.rule if not found.edits else "")


def _of_template(parsed: ParsedFile, read_: Statement, flag: str = "") -> Translation | None:
    names = parser.opcodes(read_.template)
    if names and all(_AMD.match(name) for name in names):
        return None
    if not names and not read_.problem:
        return _barrier(parsed, read_)
    rows = table.load()
    words = {"instruction": ", ".join(dict.fromkeys(name.replace("\x01", "...") for name in names)) or "asm"}
    listing = Listing()
    try:
        if read_.problem:
            raise UnsupportedError(read_.problem)
        listing = parser.parse(read_.template)
        words["instruction"] = ", ".join(dict.fromkeys(_named(one, listing, rows) for one in listing.instructions))
        return _translated(parsed, read_, listing, rows, words, flag)
    except parser.UnreadableError as error:
        why = f"{UNREADABLE}: {error}"
    except UnsupportedError as error:
        why = str(error)
    rule, more = refusal(listing, names, rows, why)
    return Translation(rule, {**words, "why": why, **more})


def _named(one: Instruction, listing: Listing, rows: Table) -> str:
    """An instruction's name, with the special register that it reads."""
    last = one.args[-1] if one.args else None
    if last is None or last.kind != "register" or last.text in listing.registers or last.text not in rows.registers:
        return one.spelled
    return f"{one.spelled} %{last.text}"


def _barrier(parsed: ParsedFile, read_: Statement) -> Translation | None:
    """An empty template: the compiler keeps order, or a value, in its place; AMD refuses the letters of some types."""
    keep = ['asm volatile("" ::: "memory")']
    if _PRAGMA.fullmatch(parser.uncommented(read_.template)):
        words = {"instruction": ".pragma", "difference": "a hint to NVIDIA's compiler is left out"}
        return Translation("approximate-instruction", words, render.edits(parsed, read_, keep, {}))
    if parser.uncommented(read_.template).strip():
        return _without_instruction(read_.template)
    if not any(operand.constraint in ("f", "d", "l", "h") for operand in read_.operands):
        return None
    return Translation("value-barrier", {"instruction": "asm"}, render.edits(parsed, read_, keep, {}))


def _without_instruction(template: str) -> Translation:
    """A label, a declaration, or a part of what several statements do; other text is no PTX."""
    words = {"instruction": template.strip()[:40], "why": "it is no instruction"}
    if _PART.fullmatch(parser.uncommented(template)) is not None:
        return Translation("split-statement", words)
    try:
        listing = parser.parse(template)
    except parser.UnreadableError:
        return Translation("invalid-text", words)
    if not set(listing.directives) <= _SPACES:
        return Translation("invalid-text", words)
    why = "it is a label, to which another one jumps" if listing.labels else "it declares what others use"
    return Translation("split-statement", {**words, "why": why})


def _translated(
    parsed: ParsedFile, read_: Statement, listing: Listing, rows: Table, words: dict[str, str], flag: str
) -> Translation:
    steps = _steps(listing, rows)
    scope = parsed.lexed.directive_at(read_.use.span.start)
    named = render.parameters(parsed, read_.use.span.start)
    kernel, constants = surroundings.is_in_kernel(parsed, read_.use), surroundings.constants(parsed, read_)
    writer = Writer(read_, listing, rows, scope is not None, named, kernel, constants)
    writer.pointers, writer.flag = pointers.outputs(parsed, read_), flag
    plan.plan(writer, steps)
    for step in steps:
        _write(writer, step)
    if not flag and _carries_out(steps):
        raise UnsupportedError("a carry that another statement uses")
    ends = [writer.stored(number, name) for number, name in writer.results.items()]
    if writer.pending:
        raise UnsupportedError("a result that is never set")
    lines = [unambiguous(line) for line in (*writer.declared, *writer.lines, *ends)]
    made = render.edits(parsed, read_, lines, _kept(read_), plan.early(writer, steps))
    text = "\n".join(lines)
    rule = _reported(writer, steps, rows)
    if rule == "approximate-instruction" and "smid" in writer.registers and surroundings.decides(parsed, read_):
        rule = "unit-number"
    return Translation(
        rule,
        {**words, "difference": _difference(writer, steps, rows), **_cost(parsed, read_, steps, rows)},
        made,
        render.runtime(text),
        render.standard(text),
    )


def _cost(parsed: ParsedFile, read_: Statement, steps: Sequence[Step], rows: Table) -> dict[str, str]:
    """What functions for matrices cost, and which loops run them."""
    matrices = any(step.row.rule == "matrix-function" for step in steps)
    where = loops.words(loops.around(parsed, read_.use.span.start)) if matrices else ""
    return {"cost": lacking.cost(steps, rows), "where": where}


def _steps(listing: Listing, rows: Table) -> list[Step]:
    if listing.directives:
        raise UnsupportedError(f"the directive `.{listing.directives[0]}`")
    if listing.labels:
        raise UnsupportedError("a jump")
    steps = []
    for one in listing.instructions:
        found = rows.row(one)
        if found is None:
            raise UnsupportedError(f"`{one.spelled}`")
        steps.append(Step(one, *found))
    return steps


def _write(writer: Writer, step: Step) -> None:
    """One instruction, under its predicate where it has one."""
    guard = step.instruction.guard
    condition = ""
    if guard is not None:
        value = writer.value(Arg(guard.kind, guard.text, negated=guard.negated))
        condition = read(value, "pred")
    before, writer.guarded = len(writer.lines), guard is not None
    if step.row.build:
        BUILDERS[step.row.build](writer, step)
    else:
        _fill(writer, step)
    if guard is not None:
        lines = writer.lines[before:]
        del writer.lines[before:]
        if len(lines) == 1:
            writer.line(f"if ({bare(condition)}) {lines[0]}")
        else:
            writer.lines += [f"if ({bare(condition)}) {{", *(f"    {line}" for line in lines), "}"]


def _fill(writer: Writer, step: Step) -> None:
    """A row's expression with its places filled in."""
    args = dict(zip(step.row.operands, step.instruction.args, strict=False))
    source = step.types[-1] if step.types else ""
    target = step.types[0] if step.types else ""

    def place(match: re.Match[str]) -> str:
        name, kind = match[1], match[2] or source
        kind = target if kind == "T" else kind
        if name in ("T", "S", "U"):
            return CTYPES[{"T": target, "S": source, "U": f"u{width(source)}"}[name]]
        if name == "bits":
            return str(width(source))
        if kind in ("u", "s", "b"):
            kind = f"{kind}{width(source)}"
        return writer.source(args[name], kind)

    text = _PLACE.sub(place, step.row.hip)
    if not step.row.operands or not step.row.operands[0].startswith("d"):
        writer.line(text)
        return
    gives = step.row.gives or target
    writer.assign(args["d"], text, f"u{width(target)}" if gives == "u" or gives[0] == "b" else gives)


def _carries_out(steps: Sequence[Step]) -> bool:
    """Whether the last instruction that has to do with the carry sets it."""
    about = [step for step in steps if step.row.build == "carry"]
    return bool(about) and "cc" in about[-1].instruction.modifiers


def _reported(writer: Writer, steps: Sequence[Step], rows: Table) -> str:
    rules = {step.row.rule for step in steps} | {rows.registers[name].get("rule", "") for name in writer.registers}
    for rule in _ORDER:
        if rule in rules:
            return rule
    return "approximate-instruction" if _difference(writer, steps, rows) else "known-instruction"


def _difference(writer: Writer, steps: Sequence[Step], rows: Table) -> str:
    """In what the results differ, each once."""
    remarks = [step.row.approximate for step in steps]
    remarks += [rows.registers[name].get("approximate", "") for name in sorted(writer.registers)]
    if any("ftz" in step.instruction.modifiers and not _flushes(step) for step in steps):
        remarks.append("subnormal numbers are kept where PTX flushes them to zero")
    if any(map(_sums_in_memory, steps)):
        remarks.append("sums of subnormal numbers may be kept that NVIDIA GPUs flush to zero in global memory")
    return "; ".join(dict.fromkeys(text for text in remarks if text))


def _sums_in_memory(step: Step) -> bool:
    """Whether f32 is added in memory that may be global, where `atom` flushes by the PTX ISA, and in shared not."""
    words = set(step.instruction.modifiers)
    return step.row.build == "atomic" and "add" in words and step.types[-1] == "f32" and not memory.is_shared(words)


def _flushes(step: Step) -> bool:
    """Whether the translation makes zero of subnormal numbers, as `.ftz` says: in conversions to integers."""
    return step.row.build == "convert" and step.types[0][0] in "us"


def _kept(read_: Statement) -> dict[int, Span]:
    return {number: operand.span for number, operand in enumerate(read_.operands)}
