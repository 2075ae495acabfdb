"""Writes those of PyTorch's declaration headers that are lists of signatures: tensor methods, functions, stable calls.

Usage: python -m tests.symbols.declare_torch [--check] [FOLDER]. With `--check` nothing is written, and a header that
differs is an error. FOLDER is the `include` folder of a torch of any build, else that
of the torch which this Python has; torch itself is not imported. The other headers under
`rules/stand-ins/declarations/torch-headers` are hand-written.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from tests.symbols import declare

FOLDER = declare.FOLDER / "torch-headers"
MARKER = "// cudamigrate declarations: {library} for ROCm, names and types only; not the library's own header"

METHODS = "ATen/core/TensorMethods.inc"
FUNCTIONS = "ATen/core/functions.inc"
STABLE = "torch/csrc/stable/ops.h"

_METHODS_BY_HAND = re.compile(
    "data|set_data|is_leaf|output_nr|_version|requires_grad_|retain_grad|retains_grad|contiguous|is_floating_point"
    "|is_complex|is_conj|is_neg|is_signed|is_inference|sparse_dim|_dimI|dense_dim|is_coalesced"
)
"""Methods that `ATen/core/TensorBody.h` declares itself."""

_UNDERSCORED = (
    "to_copy|unique|unique2|softmax|log_softmax|weight_norm|scaled_mm|grouped_mm|scaled_grouped_mm|int_mm|cast_|conj"
    "|neg_view|reshape_alias|unsafe_view"
)
_INTERNAL = re.compile(
    rf"^(_(?!{_UNDERSCORED})|operator|cudnn_|miopen_|mkldnn_|mps_|fbgemm|quantized_|xnnpack|sym_|slow_conv|thnn_"
    r"|sspaddmm|hspmm|native_(?!layer_norm|batch_norm|dropout|group_norm|norm)|special_|.*_outf$|.*_symint$"
    r"|.*_symint_out\w*$|.*_copy_out$|.*_jvp|.*_batch_rule|qscheme|from_file)"
)
_ODD_METHODS = frozenset({"to_sparse", "_cast"})
"""Methods that stay although their names look internal."""

_ODD_TYPES = ("Dimname", "SymInt", "QScheme", "Quantizer", "PyObject")
"""Types that no extension of the corpus hands over, and whose headers are not declared."""

_METHOD = re.compile(r"^  ((?:(?:const )?at::|::std::|void|bool|int64_t|c10::)[^()]*?)\b(\w+)\((.*)\) const;$")
_FUNCTION = re.compile(r"^inline ([^()\n]*?)\b(\w+)\((.*)\) \{$", re.MULTILINE)
_SYMBOLIC = re.compile(r"namespace symint \{.*?\n\}\n", re.DOTALL)
_STABLE = re.compile(
    r"^((?:template[^\n]*\n)?inline (?:torch::stable::Tensor&?|\w+) \w+\([^{]*?\)) \{", re.MULTILINE | re.DOTALL
)
_VERSION = re.compile(r"#define TORCH_VERSION_(?:MAJOR|MINOR) (\d+)")

_STABLE_HEAD = """\
#pragma once

#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/headeronly/core/MemoryFormat.h>

#include <array>

// Generated from the signatures of PyTorch {release}.
namespace torch::stable {{
using DeleterFnPtr = void (*)(void*);
using Ints = torch::headeronly::IntHeaderOnlyArrayRef;
using torch::headeronly::MemoryFormat;
"""


def main(arguments: list[str]) -> int:
    """Write each header and print its size; without a torch to read, say so and leave them as they are."""
    folders = [argument for argument in arguments if argument != "--check"]
    include = Path(folders[0]) if folders else installed()
    if include is None:
        print("PyTorch's declarations are left as they are: this Python has no torch")
        return 0
    if not (include / "ATen/core/TensorBody.h").is_file():
        print(f"PyTorch's declarations are left as they are: {include} holds no headers of torch", file=sys.stderr)
        return 2
    made = headers(include)
    return declare.differing(FOLDER, made) if "--check" in arguments else declare.write(FOLDER, made)


def installed() -> Path | None:
    """The folder of headers of the torch that this Python would import."""
    spec = find_spec("torch")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(folders[0]) / "include" if folders else None


def headers(include: Path) -> dict[str, str]:
    """The text of each header by its path, from the headers of torch."""
    release = ".".join(_VERSION.findall(_read(include / "torch/headeronly/version.h")))
    generated = f"// Generated from the signatures of PyTorch {release}"
    body = _read(include / "ATen/core/TensorBody.h")
    operators = [_read(path) for path in sorted((include / "ATen/ops").glob("*.h")) if _is_public(path)]
    stable = _read(include / "torch/csrc/stable/ops.h")
    aten = MARKER.format(library="PyTorch's ATen")
    return {
        METHODS: _lines(
            aten, f"{generated}; no pragma once: included inside the class.", *(f"  {line}" for line in methods(body))
        ),
        FUNCTIONS: _lines(aten, f"{generated}.", *functions(operators)),
        STABLE: _lines(
            MARKER.format(library="PyTorch"),
            _STABLE_HEAD.format(release=release) + "\n".join(stable_calls(stable)),
            "}  // namespace torch::stable",
        ),
    }


def methods(source: str) -> list[str]:
    """Declarations of the public methods of `at::Tensor`, each once, in order."""
    found = (match for match in map(_METHOD.match, source.splitlines()) if match and _is_plain(match, _ODD_METHODS))
    return _once(f"{_short(m[1])} {m[2]}({_short(m[3])}) const;" for m in found if not _METHODS_BY_HAND.fullmatch(m[2]))


def functions(sources: Iterable[str]) -> list[str]:
    """Declarations of the public functions of `at`, each once, in order."""
    found = (match for source in sources for match in _FUNCTION.finditer(_SYMBOLIC.sub("", source)))
    return _once(f"{_short(m[1])} {m[2]}({_short(m[3])});" for m in found if _is_plain(m))


def stable_calls(source: str) -> list[str]:
    """Declarations of the functions of `torch::stable`, each once, in order.

    Of `new_empty` and `new_zeros` the form with all its defaults stays: calls of the short form fit it too.
    """
    found = []
    for match in _STABLE.finditer(re.sub(r"//[^\n]*", "", source)):
        text = re.sub(r"\s+", " ", match[1]).replace("inline ", "").replace("( ", "(") + ";"
        for old, new in (("torch::stable::", ""), ("torch::headeronly::", ""), ("IntHeaderOnlyArrayRef", "Ints")):
            text = text.replace(old, new)
        if "layout" in text or not text.startswith(("Tensor new_empty", "Tensor new_zeros")):
            found.append(text)
    return _once(found)


def _is_public(path: Path) -> bool:
    return not path.stem.endswith(("_ops", "_native", "_dispatch"))


def _is_plain(match: re.Match[str], kept: frozenset[str] = frozenset()) -> bool:
    """True for a function that extensions call, of types that the declarations have."""
    internal = _INTERNAL.match(match[2]) is not None and match[2] not in kept
    return not internal and not any(name in match[0] for name in _ODD_TYPES)


def _short(text: str) -> str:
    """A type or a list of parameters without the namespaces that the declarations are in anyway."""
    text = re.sub(r"\s+", " ", text).strip().replace("::std::", "std::")
    text = text.replace("at::", "").replace("c10::", "").replace(" &", "&")
    return re.sub(r"\s*=\s*", "=", text).replace("const ITensorListRef&", "TensorList")


def _once(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(lines))


def _lines(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
