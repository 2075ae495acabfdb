"""What the files of a repository show together: findings that come, go or change by what other files hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from cudamigrate.model import FileResult, Inventory
from cudamigrate.model.port_facts import PortFacts, PortSummary
from cudamigrate.pipeline import lane_spins, left_cuda_builds, macros, runtime_headers, side_by_side, thrust_headers
from cudamigrate.pipeline.absent_headers import with_absent_headers
from cudamigrate.pipeline.absent_macros import without_own_macros
from cudamigrate.pipeline.agreeing_gates import with_gates
from cudamigrate.pipeline.archive_links import with_archive_links
from cudamigrate.pipeline.atomic_headers import with_atomic_headers, without_brought
from cudamigrate.pipeline.bindgen_headers import with_bindgen_headers
from cudamigrate.pipeline.both_sided_work import with_both_sided_work
from cudamigrate.pipeline.carry_macros import with_carry_macros
from cudamigrate.pipeline.caught_imports import with_caught
from cudamigrate.pipeline.cmake_host_languages import with_host_languages
from cudamigrate.pipeline.cmake_hosts import with_cmake_hosts
from cudamigrate.pipeline.cmake_made_results import with_made_results
from cudamigrate.pipeline.cmake_unread_results import with_unread_results
from cudamigrate.pipeline.cpp_standards import makefiles_for_cuda, with_cpp_standards
from cudamigrate.pipeline.cross_file import reconcile
from cudamigrate.pipeline.cub_headers import with_cub_headers
from cudamigrate.pipeline.cub_mutexes import with_cub_mutexes
from cudamigrate.pipeline.cuda_header_copies import with_header_copies
from cudamigrate.pipeline.cut_masks import without_converted
from cudamigrate.pipeline.dead_output import without_dead
from cudamigrate.pipeline.device_constants import with_device_constants
from cudamigrate.pipeline.device_pointers import with_device_pointers
from cudamigrate.pipeline.dispatch_macros import with_dispatch_macros
from cudamigrate.pipeline.early_macros import with_early_macros
from cudamigrate.pipeline.emptied_branches import without_emptied
from cudamigrate.pipeline.enclosed_waits import with_enclosed_waits
from cudamigrate.pipeline.enclosing_includers import with_enclosing_includers
from cudamigrate.pipeline.export_dependencies import with_export_dependencies
from cudamigrate.pipeline.find_modules import with_find_modules
from cudamigrate.pipeline.fragment_places import with_known_places
from cudamigrate.pipeline.given_architectures import with_given_architectures
from cudamigrate.pipeline.given_folders import with_given_folders
from cudamigrate.pipeline.given_gpus import with_given_gpus
from cudamigrate.pipeline.guarded_headers import with_guarded_headers
from cudamigrate.pipeline.header_tables import with_header_tables
from cudamigrate.pipeline.host_alignment import with_host_alignment
from cudamigrate.pipeline.host_assembly import with_host_assembly
from cudamigrate.pipeline.host_compilers import with_host_compilers
from cudamigrate.pipeline.host_extensions import with_host_extensions
from cudamigrate.pipeline.host_values import with_host_values
from cudamigrate.pipeline.imported_packages import with_imported
from cudamigrate.pipeline.include_letters import with_include_letters
from cudamigrate.pipeline.linked_device_code import without_linked
from cudamigrate.pipeline.member_amounts import with_member_amounts
from cudamigrate.pipeline.member_calls import without_member_calls
from cudamigrate.pipeline.mixed_minima import with_mixed_minima
from cudamigrate.pipeline.mixed_operands import with_mixed_operands
from cudamigrate.pipeline.module_files import with_module_files
from cudamigrate.pipeline.number_type_headers import with_number_type_headers
from cudamigrate.pipeline.one_step import as_one_step
from cudamigrate.pipeline.one_thread_output import without_one_thread
from cudamigrate.pipeline.other_branch import RULES as PRODUCTS
from cudamigrate.pipeline.other_branch import untuned
from cudamigrate.pipeline.other_library_names import with_other_library_names
from cudamigrate.pipeline.other_unread_results import with_other_unread_results
from cudamigrate.pipeline.outer_gates import with_outer_gates
from cudamigrate.pipeline.own_atomics import with_own_atomics
from cudamigrate.pipeline.own_bazel_modules import without_own_modules
from cudamigrate.pipeline.own_cuda_loaders import with_own_cuda_loaders
from cudamigrate.pipeline.own_libraries import without_own_interface
from cudamigrate.pipeline.own_library_modules import with_library_modules
from cudamigrate.pipeline.own_link_targets import without_own_targets
from cudamigrate.pipeline.own_loaders import with_own_loaders
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.own_packages import with_own_clones, without_own_libraries, without_own_packages
from cudamigrate.pipeline.own_runtime_words import with_cudas_words
from cudamigrate.pipeline.own_wrappers import without_casts
from cudamigrate.pipeline.passed_kernel_files import with_passed_kernel_files
from cudamigrate.pipeline.pasted_names import with_pasted_names
from cudamigrate.pipeline.pasted_uses import with_pasted_uses
from cudamigrate.pipeline.plain_headers import with_macro_names
from cudamigrate.pipeline.port_alias_headers import with_alias_headers
from cudamigrate.pipeline.port_gaps import without_answered
from cudamigrate.pipeline.port_missing_functions import with_missing_functions
from cudamigrate.pipeline.port_undeclared import with_undeclared
from cudamigrate.pipeline.prebuilt_libraries import with_prebuilt_libraries
from cudamigrate.pipeline.prefixed_cub import with_prefixed_cub
from cudamigrate.pipeline.python_wave_sizes import without_idle_wave_sizes
from cudamigrate.pipeline.qualified_variables import without_variables
from cudamigrate.pipeline.quoted_names import with_quoted_names
from cudamigrate.pipeline.request_amounts import without_small_requests
from cudamigrate.pipeline.restricted_values import with_restricted_values
from cudamigrate.pipeline.roctx_links import with_roctx_links
from cudamigrate.pipeline.rounded_quotients import with_rounded_quotients
from cudamigrate.pipeline.run_time_sources import with_run_time_sources
from cudamigrate.pipeline.runtime_headers import with_runtime_headers
from cudamigrate.pipeline.script_compilers import with_script_compilers
from cudamigrate.pipeline.separable_defaults import without_idle
from cudamigrate.pipeline.set_switches import with_set_switches
from cudamigrate.pipeline.setup_hosts import with_setup_hosts
from cudamigrate.pipeline.setup_openmp import without_host_openmp
from cudamigrate.pipeline.shared_constructors import with_shared_constructors
from cudamigrate.pipeline.shuffle_macros import with_shuffle_macros
from cudamigrate.pipeline.spool import Spool
from cudamigrate.pipeline.stand_ins import with_stand_ins
from cudamigrate.pipeline.started_compilers import with_started_compilers
from cudamigrate.pipeline.static_templates import with_static_templates
from cudamigrate.pipeline.torch7 import with_torch7
from cudamigrate.pipeline.torch_files import with_torch_files
from cudamigrate.pipeline.torch_plain_builds import with_plain_builds
from cudamigrate.pipeline.two_sizes import with_two_sizes
from cudamigrate.pipeline.type_aliases import with_type_aliases
from cudamigrate.pipeline.uncached_loads import without_hosts
from cudamigrate.pipeline.uncalled_autoconf import without_uncalled_macros
from cudamigrate.pipeline.uncalled_functions import with_uncalled_functions
from cudamigrate.pipeline.uncalled_questions import without_uncalled
from cudamigrate.pipeline.undrawn_numbers import without_undrawn
from cudamigrate.pipeline.unincluded_headers import with_unincluded
from cudamigrate.pipeline.unincluded_makefiles import without_unincluded
from cudamigrate.pipeline.unread_branches import without_unread
from cudamigrate.pipeline.unset_branches import without_unset
from cudamigrate.pipeline.unsought_packages import with_unsought
from cudamigrate.pipeline.unused_headers import with_unused_headers
from cudamigrate.pipeline.vendored_builds import with_vendored_builds
from cudamigrate.pipeline.vendored_includes import with_vendored_includes
from cudamigrate.pipeline.version_headers import with_version_headers
from cudamigrate.pipeline.warp_graphs import with_cross_file_findings, without_graphs
from cudamigrate.pipeline.wide_macros import with_wide_macros
from cudamigrate.pipeline.wide_shifts import with_wide_shifts
from cudamigrate.pipeline.wide_tiles import with_wide_tiles
from cudamigrate.pipeline.wrapped_compilers import with_wrapped_compilers
from cudamigrate.rulebase.code_rules import Rulebook


def read_ahead(paths: Sequence[str], read: Read) -> Iterator[None]:
    """Read of the files of a tree what `judged` will ask in any case, step by step; `paths` are those of all."""
    yield from runtime_headers.read_ahead(paths, read)


def _with_names_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with includes of the headers that declare what files name and other libraries bring for CUDA."""
    made = thrust_headers.without_brought(with_number_type_headers(results, book, read), read)
    made = with_cub_mutexes(with_cub_headers(made, book, read), book, read)
    return without_brought(with_atomic_headers(made, book, read), read)


def _with_runtime(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with includes of HIP's runtime where files need it before they include it, or not themselves."""
    return with_stand_ins(with_runtime_headers(macros.marked(results, book, read), book, read), read)


def _of_lanes(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> Sequence[FileResult]:
    """The results with what all files together show of lanes, masks and widths: nothing that other passes ask."""
    made = with_cross_file_findings(lane_spins.without_single(results, book, read), book, read)
    made = with_enclosed_waits(made, book, read)
    return _wide(made, book, port, read)


def _wide(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> Sequence[FileResult]:
    """The results with what constants and macros of other files make too wide for a wave, or for its lanes."""
    made = with_wide_macros(with_two_sizes(results, book, port, read), book, port, read)
    made = with_wide_shifts(with_wide_tiles(made, book, port, read), book, port, read)
    made = with_mixed_minima(with_header_tables(made, book, port, read), book, port, read)
    made = with_restricted_values(with_mixed_operands(made, book, port, read), book, port, read)
    made = without_variables(with_carry_macros(made, book, port, read), book, read)
    return with_shuffle_macros(made, book, read)


def _with_loaders(results: Sequence[FileResult], book: Rulebook, read: Read, paths: frozenset[str]) -> list[FileResult]:
    """The results, with one finding for each library that the project declares itself and opens when it runs."""
    return with_own_loaders(with_own_cuda_loaders(results, book, read), book, read, paths)


def _sized(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results with requests for shared memory judged by what other files say of their amounts."""
    return without_small_requests(with_member_amounts(results, book, read), book.goal, read)


def _gated(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results with tests for GPUs and releases opened for AMD, and with those for the pass around them."""
    return with_outer_gates(with_gates(results, book, read), read)


def _with_pasted(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with what macros make of names by pasting, and what they name themselves."""
    made = with_macro_names(with_pasted_uses(with_pasted_names(results, book, read), book, read), book, read)
    return with_quoted_names(made, book, read)


def _called(results: Sequence[FileResult], book: Rulebook, read: Read) -> Sequence[FileResult]:
    """The results with what follows from who calls a function, device code or nobody at all."""
    made = without_one_thread(without_uncalled(with_both_sided_work(results, book, read), read), read)
    made = without_dead(made, read)
    return with_uncalled_functions(made, book, read)


def _named(results: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read) -> Sequence[FileResult]:
    """The results with what is said of libraries and packages settled: which are its own, and which it needs."""
    named = without_own_packages(with_other_library_names(results, book, inventory, read), inventory, read)
    named = without_own_modules(without_own_libraries(named, book, inventory, read), inventory, read)
    named = with_library_modules(with_own_clones(named, inventory, read), book, read)
    named = without_casts(with_imported(with_caught(named, read), book, inventory, read), read)
    named = with_torch7(named, book, inventory.entries, read)
    if any(finding.rule in PRODUCTS for result in named for finding in result.findings):
        from cudamigrate.pipeline import hot_loops  # the translator of PTX is slow to import

        return untuned(hot_loops.named(named, read), read)
    return named


def judged(
    results: list[FileResult],
    book: Rulebook,
    port: PortFacts,
    inventory: Inventory,
    read: Read,
    aside: Read,
    spool: Spool,
    jobs: int = 1,
) -> tuple[Sequence[FileResult], PortSummary | None]:
    """The results that a report has, and what is said of a HIP port; `results` lose their graphs.

    `read` gives the source of a path again, None where it is gone, and `aside` that of a file that was passed over.
    `spool` holds what is too much for memory. `jobs` is the number of processes, as `parallel.run` has it.
    """
    named = _named(without_member_calls(results, read), book, inventory, read)
    of_lanes = side_by_side.begun(partial(_of_lanes, book=book, port=port, read=read), named, read, jobs)
    results[:] = made = without_graphs(named)
    del named  # it holds the graphs
    made = with_vendored_includes(_with_modules(made, book, port, inventory, read), book, inventory, read, aside)
    made = with_host_alignment(with_vendored_builds(made, book, inventory, read, aside), book, read)
    made = with_type_aliases(with_prefixed_cub(with_device_pointers(made, book, read), book, read), book, read)
    made = _sized(with_version_headers(with_unused_headers(made, book, read), book, read), book, read)
    made = _with_pasted(with_find_modules(made, book, port, read), book, read)
    made = spool.all(with_cudas_words(_with_runtime(made, book, read), book, read))
    made = with_dispatch_macros(_with_names_headers(made, book, read), book, read)
    made = with_own_atomics(with_run_time_sources(made, book, read), book, port, read)
    made = spool.all(with_device_constants(with_shared_constructors(made, book, read), book, read))
    paths = frozenset(entry.path for entry in inventory.entries)
    made = _with_loaders(with_host_values(made, book, read), book, read, paths)
    made = of_lanes(with_static_templates(without_own_interface(made, book, paths), book, read))
    for_cuda_alone = left_cuda_builds.shown(made, book, port)
    made = without_idle_wave_sizes(without_unread(_gated(reconcile(made, paths, read), book, read), read))
    made = _compiled(_called(made, book, read), book, port, inventory, read, paths)
    kept, ported = without_answered(made := _lacking(made, book, port, read), port)
    for_cuda = makefiles_for_cuda(made, kept, port)
    made = left_cuda_builds.with_left_builds(without_converted(kept), for_cuda_alone, book, read)
    made = _with_runtime_first(spool.all(made), book, read)
    made = _unbuilt(_built(made, book, read, for_cuda), book, inventory, read, aside)
    return as_one_step(without_undrawn(with_header_copies(with_known_places(made), book, read))), ported


def _compiled(
    made: Sequence[FileResult],
    book: Rulebook,
    port: PortFacts,
    inventory: Inventory,
    read: Read,
    paths: frozenset[str],
) -> list[FileResult]:
    """The results, with what follows from which compiler gets a file, and from which headers it finds."""
    made = with_host_extensions(with_torch_files(made, book, port, inventory, read), book, port, read, paths)
    made = with_plain_builds(with_absent_headers(made, book, inventory, read), book, port, read)
    return with_include_letters(made, book, inventory, read)


def _with_runtime_first(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with HIP's headers before macros and scopes that would change them."""
    made = with_enclosing_includers(with_early_macros(results, book, read), book, read)
    return with_guarded_headers(made, read)


def _unbuilt(
    made: Sequence[FileResult], book: Rulebook, inventory: Inventory, read: Read, aside: Read
) -> list[FileResult]:
    """The results; what no build of the repository has asks for no work, or stops none."""
    made = with_given_architectures(made, book, inventory, read)
    made = with_set_switches(without_unset(made, inventory, read, aside), read)
    made = without_uncalled_macros(without_unincluded(made, inventory, read, aside), read)
    return with_unincluded(made, read)


def _with_modules(
    made: Sequence[FileResult], book: Rulebook, port: PortFacts, inventory: Inventory, read: Read
) -> list[FileResult]:
    """The results, with what is said of machine code that the program loads or links, of nvcc, which makes it
    meanwhile, and of sources that Python passes on to be compiled."""
    made = with_passed_kernel_files(with_started_compilers(without_own_targets(made, read), book, read), book, read)
    made = with_module_files(made, book, port, inventory, read)
    return with_prebuilt_libraries(made, book, inventory, read)


def _lacking(made: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with what the side of its own that a port has for HIP lacks."""
    made = with_alias_headers(with_undeclared(made, port, read), book, port, read)
    return with_missing_functions(made, book, port, read)


def _built(made: Sequence[FileResult], book: Rulebook, read: Read, for_cuda: frozenset[str]) -> Sequence[FileResult]:
    """The results, with what build files have to say once all else is known."""
    made = with_script_compilers(with_host_compilers(with_host_assembly(made, read), book, read), book, read)
    made = with_made_results(with_unsought(with_wrapped_compilers(made, book, read), book, read), book, read)
    made = with_host_languages(with_cmake_hosts(without_host_openmp(made, read), book, read), book, read)
    made = with_setup_hosts(with_export_dependencies(made, book, read), book, read)
    made = with_other_unread_results(with_unread_results(made, book, read), book, read)
    made = without_emptied(without_own_macros(without_hosts(without_idle(made, read), read), read), read)
    made = without_linked(with_archive_links(with_cpp_standards(made, book, read, for_cuda), book, read), read)
    made = with_given_folders(with_given_gpus(with_bindgen_headers(made, book, read), book, read), book, read)
    return with_roctx_links(with_rounded_quotients(made, book, read), book, read)
