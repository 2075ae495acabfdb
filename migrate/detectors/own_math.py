"""Functions of the project's own, in the global namespace, that clang or HIP's headers define with the same parameters.

CUDA has most of them too, so that such a function is for what compiles without CUDA's headers, or behind a macro that
they set; a few are HIP's alone. Which they are is from clang's `__clang_hip_math.h`, releases 15 and 22, and for those
on lanes from HIP's headers.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.editor_macros import EDITORS
from cudamigrate.cuda.macro_namespaces import may_be_inside
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use

_ONE = """
    acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv
    exp exp10 exp2 expm1 fabs floor ilogb j0 j1 lgamma llrint llround log log10 log1p log2 logb lrint lround nearbyint
    normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc y0 y1
"""
_TWO = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot"
_BOTH = {
    "%s": _ONE, "%s,%s": _TWO, "%s,%s,%s": "fma norm3d rnorm3d", "%s,%s,%s,%s": "norm4d rnorm4d",
    "%s,int": "ldexp powi scalbn", "int,%s": "jn yn", "%s,int*": "frexp", "%s,%s*": "modf", "%s,%s,int*": "remquo",
    "%s,long": "scalbln", "%s,%s*,%s*": "sincos sincospi", "int,%s*": "norm rnorm",
}  # fmt: skip
"""The parameters of functions for `double`, and with an `f` behind the name for `float`."""
_FLOAT = {
    "": "__smid",
    "float": "__cosf __exp10f __expf __log10f __log2f __logf __saturatef __sinf __tanf",
    "float,float": "__fdividef __powf fdividef",
    "float,float*,float*": "__sincosf",
}
_DEFINED = frozenset(
    [(name, form.replace("%s", "double")) for form, names in _BOTH.items() for name in names.split()]
    + [(f"{name}f", form.replace("%s", "float")) for form, names in _BOTH.items() for name in names.split()]
    + [(name, form) for form, names in _FLOAT.items() for name in names.split()]
)
_LANES = frozenset(("__lane_id", "__lanemask_eq", "__lanemask_gt", "__lanemask_lt"))
"""Functions without parameters that HIP's own headers define, for all lanes of a wave, and CUDA's do not.

Source: HIP's `amd_warp_functions.h` and `amd_device_functions.h`, releases 5.2 and 7.1.
"""
_NAMES = _LANES.union(name for name, _ in _DEFINED)

_PARAMETER = re.compile(
    r"(?:const\s+)?(float|double|int|long)\b(?:\s+int\b)?(?:\s+const)?\s*(\*?)\s*(?:__restrict__\s+)?(?!long\b)\w*"
)
_INSIDE = ("namespace_definition", "class_specifier", "struct_specifier", "template_declaration", "ERROR")
_OTHERS = re.compile(EDITORS + rb"|!\s*defined\s*\(?\s*__(?:CUDACC|NVCC)__")
"""What a condition asks where no compiler of GPU code gets the branch: the macros of editors, and `!__CUDACC__`."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each definition for the device that HIP compiles."""
    for function in parsed.functions:
        if function.name not in _NAMES or function.scope != "device" or parsed.hip(function.span.start) is False:
            continue
        place = _head(parsed, function)
        if place is not None and not _is_apart(parsed, place.start):
            use = Use("name", function.name, place, place, (), "device", "syntax")
            rule = "warp/own-lane-function" if function.name in _LANES else "math/own-device-function"
            yield Hit(rule, use, {"name": function.name})


def _head(parsed: ParsedFile, function: Function) -> Span | None:
    """The name of a function with its parameters, where HIP has the function with the same ones."""
    named = re.compile(rb"(?<![\w:])%b\s*\(" % function.name.encode())
    match = named.search(parsed.data, function.span.start, function.body.start)
    closing = parsed.lexed.closing(match.end() - 1) if match is not None else -1
    if match is None or closing < 0:
        return None
    forms = list[str]()
    for one in parsed.arguments(match.end() - 1, closing):
        said = parsed.data[one.start : one.end].decode("latin-1").strip()
        kind = _PARAMETER.fullmatch(said)
        forms += [] if said == "void" else [kind[1] + kind[2] if kind is not None else "?"]
    same = not forms if function.name in _LANES else (function.name, ",".join(forms)) in _DEFINED
    return Span(match.start(), closing + 1) if same else None


def _is_apart(parsed: ParsedFile, offset: int) -> bool:
    """Whether a function is in a namespace or a class, a template, or in a branch that no compiler for GPUs gets."""
    if any(one.type in _INSIDE for one in parsed.nodes_around(offset, offset + 1)) or may_be_inside(parsed, offset):
        return True
    around = parsed.branches_around(offset)
    return any(_OTHERS.search(condition) is not None for branch in around for condition in branch.conditions)
