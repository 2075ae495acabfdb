"""Functions of Thrust whose header the file does not include: CUDA's headers brought it along."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"thrust",)

_OWN = """sequence copy fill transform reduce sort scan count find gather scatter unique partition merge replace
generate for_each inner_product extrema remove logical tabulate transform_reduce transform_scan binary_search equal
swap random tuple pair host_vector device_vector device_ptr device_malloc device_free uninitialized_copy
uninitialized_fill adjacent_difference mismatch reverse set_operations advance distance"""
_HEADERS = {header: f"thrust/{header}.h" for header in _OWN.split()}
_OF = {
    "inclusive_scan": "scan", "exclusive_scan": "scan", "inclusive_scan_by_key": "scan",
    "exclusive_scan_by_key": "scan",
    "sort_by_key": "sort", "stable_sort": "sort", "stable_sort_by_key": "sort", "is_sorted": "sort",
    "reduce_by_key": "reduce", "unique_by_key": "unique", "unique_copy": "unique", "unique_by_key_copy": "unique",
    "copy_if": "copy", "copy_n": "copy", "fill_n": "fill", "count_if": "count", "find_if": "find",
    "find_if_not": "find",
    "remove_if": "remove", "remove_copy": "remove", "remove_copy_if": "remove", "transform_if": "transform",
    "min_element": "extrema", "max_element": "extrema", "minmax_element": "extrema", "for_each_n": "for_each",
    "gather_if": "gather", "scatter_if": "scatter", "replace_if": "replace", "partition_copy": "partition",
    "stable_partition": "partition", "generate_n": "generate", "merge_by_key": "merge", "all_of": "logical",
    "any_of": "logical", "none_of": "logical", "lower_bound": "binary_search", "upper_bound": "binary_search",
    "transform_inclusive_scan": "transform_scan", "transform_exclusive_scan": "transform_scan",
    "set_union": "set_operations", "set_intersection": "set_operations", "set_difference": "set_operations",
    "raw_pointer_cast": "device_ptr", "device_pointer_cast": "device_ptr", "make_tuple": "tuple", "make_pair": "pair",
    "counting_iterator": "iterator/counting_iterator", "make_counting_iterator": "iterator/counting_iterator",
    "constant_iterator": "iterator/constant_iterator", "make_constant_iterator": "iterator/constant_iterator",
    "zip_iterator": "iterator/zip_iterator", "make_zip_iterator": "iterator/zip_iterator",
    "transform_iterator": "iterator/transform_iterator", "make_transform_iterator": "iterator/transform_iterator",
    "permutation_iterator": "iterator/permutation_iterator", "discard_iterator": "iterator/discard_iterator",
    "plus": "functional", "minus": "functional", "multiplies": "functional", "maximum": "functional",
    "minimum": "functional", "less": "functional", "greater": "functional", "identity": "functional",
    "default_random_engine": "random", "uniform_real_distribution": "random", "uniform_int_distribution": "random",
}  # fmt: skip
"""By name: the header of a function, type or iterator that has no header of its own name."""
_PARTS = {
    "thrust/device_ptr.h": frozenset(
        f"thrust/{one}.h" for one in ("device_vector", "device_malloc", "device_free", "device_new", "device_delete")
    )
}
"""Headers that are part of the interface of others: the pointer of a `device_vector` is a `device_ptr`."""
_OF_RULES = frozenset((
    "thrust/functional.h", "thrust/tuple.h", "thrust/transform_reduce.h", "thrust/iterator/counting_iterator.h",
    "thrust/iterator/transform_iterator.h", "thrust/iterator/zip_iterator.h",
))  # fmt: skip
"""Headers that a file which includes one of Thrust's lacks by a rule of the library, `library/functional-header`."""
_BRINGS = ("thrust/", "cub/")
"""Headers of CUDA's release that include much of Thrust, as CUB's do since 2.8."""
_NAME = re.compile(rb"\bthrust\s*::\s*(\w+)")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """The first use of each missing header, in a file that includes headers of Thrust's or CUB's.

    One that includes its project's may have them from there: what is brought, all files together show.
    """
    included = {include.path for include in parsed.includes}
    if not any(include.quoted or include.path.startswith(_BRINGS) for include in parsed.includes):
        return
    reported: set[str] = set()
    others = _OF_RULES if any(path.startswith("thrust/") for path in included) else frozenset[str]()
    for match in parsed.lexed.matches(_NAME, b"thrust"):
        word = match[1].decode()
        owner = _OF.get(word)
        header = f"thrust/{owner}.h" if owner else _HEADERS.get(word, "")
        if (
            not header
            or header in included
            or header in reported
            or header in others
            or not included.isdisjoint(_PARTS.get(header, ()))
            or parsed.lexed.directive_at(match.start()) is not None
        ):
            continue
        reported.add(header)
        span = Span(*match.span())
        use = parsed.named_use(header, span, "token")
        yield Hit("build/thrust-header", use, {"name": f"thrust::{word}", "header": header})
