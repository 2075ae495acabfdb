"""What of a CMake file is a use, and what is only text."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cmake
from cudamigrate.model import SourceFile, Target, Use
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.rulebase import project_rules

FAST = (
    "-fgpu-approx-transcendentals",
    "-fgpu-flush-denormals-to-zero",
    "-fno-hip-fp32-correctly-rounded-divide-sqrt",
)


def uses(text: str) -> list[Use]:
    return list(cmake.parse(SourceFile("CMakeLists.txt", text.encode(), "cmake")).uses)


def names(text: str) -> list[str]:
    return [use.name for use in uses(text) if use.kind == "name"]


def options(text: str) -> list[str]:
    return [text.encode()[use.extent.start : use.extent.end].decode() for use in uses(text) if use.kind == "option"]


def after(text: str) -> str:
    return find_in_text(text, "CMakeLists.txt", unsafe=True).after


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PROJECT(app CUDA)", "project(CUDA)"),
        ("enable_language(CXX CUDA)", "enable_language(CUDA)"),
        ("find_package(CUDAToolkit 12 REQUIRED)", "find_package(CUDAToolkit)"),
        ("set_source_files_properties(a.cu PROPERTIES LANGUAGE CUDA)", "LANGUAGE CUDA"),
        ("target_link_libraries(app cudart)", "link cudart"),
        ('include_directories("$ENV{CUDA_HOME}/include")', "$ENV{CUDA_HOME}"),
        ('message("${CMAKE_CUDA_COMPILER} is used")', "CMAKE_CUDA_COMPILER"),
        ("add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-O3>)", "COMPILE_LANGUAGE:CUDA"),
    ],
)
def test_name_is_spelled_as_rules_do(text: str, name: str) -> None:
    assert name in names(text)


@pytest.mark.parametrize(
    "text",
    [
        "# enable_language(CUDA)",
        "#[[ find_package(CUDAToolkit) ]]",
        'message("CMAKE_CUDA_FLAGS are the usual")',
        'option(FAST "CUDA_VERSION matters" ON)',
        "project(CUDA)",
        "target_link_libraries(app cudart_wrapper)",
    ],
)
def test_comments_texts_and_longer_names_are_no_findings(text: str) -> None:
    assert find_in_text(text, "CMakeLists.txt").findings == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('set(CMAKE_CUDA_FLAGS "-O3 -arch sm_80")', ["-O3", "-arch sm_80"]),
        ("list(APPEND CUDA_NVCC_FLAGS -Xptxas -v)", ["-Xptxas -v"]),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-G;-dc>)", ["-G", "-dc"]),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:\n  -G\n  -dc>)", ["-G", "-dc"]),
        (
            'target_compile_options(a PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler -Wall>")',
            ["-Xcompiler -Wall"],
        ),
        ("target_compile_options(a PRIVATE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-G>)", []),
        ('set(CUDA_FLAGS "SHELL:-Xcompiler -O3" "SHELL:-fp-model=precise")', ["-Xcompiler -O3", "-fp-model=precise"]),
        ("set(CUDA_FLAGS $<IF:$<CONFIG:Debug>,\n -G -lineinfo,\n -t 4> -O3)", ["-G", "-lineinfo", "-t 4", "-O3"]),
        (
            "set(OPTIONS $<IF:$<CXX_COMPILER_ID:MSVC>,-Xcompiler=/W4,-Xcompiler=-Wall> -t 4)",
            ["-Xcompiler=/W4", "-Xcompiler=-Wall"],
        ),
        ("set(CUDA_FLAGS $<$<AND:$<CONFIG:Debug>,$<COMPILE_LANGUAGE:CXX>>:-G> $<$<CONFIG:Debug>:-t;4>)", ["-t;4"]),
        ("add_compile_options($<IF:$<COMPILE_LANGUAGE:CUDA>,-G,-t 4>)", ["-G"]),
        ("target_link_options(a PUBLIC $<HOST_LINK:-G> $<DEVICE_LINK:-t;4>)", []),
        ("target_link_options(a PUBLIC $<HOST_LINK:-G> $<$<COMPILE_LANGUAGE:CUDA>:-t;4>)", ["-t;4"]),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-G> -t 4)", []),
        ("add_compile_options(-Wall --use_fast_math)", ["--use_fast_math"]),
        ("execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja --threads 4)", []),
        ('set(CMAKE_CXX_FLAGS "-G -x cu")', []),
        ('set(c "$<COMPILE_LANGUAGE:CUDA>")\ntarget_compile_options(a PUBLIC $<${c}:-G>)', ["-G"]),
        ('set(c "$<COMPILE_LANGUAGE:CXX>")\ntarget_compile_options(a PUBLIC $<${c}:-G>)', []),
        (
            "target_compile_options(a PUBLIC $<${c}:-t 4> $<${c}:--expt-relaxed-constexpr>)",
            ["--expt-relaxed-constexpr"],
        ),
    ],
)
def test_options_are_those_that_nvcc_gets(text: str, found: list[str]) -> None:
    assert options(text) == found


def test_a_file_that_builds_for_both_has_one_finding_and_no_change() -> None:
    text = "if(USE_ROCM)\n  enable_language(HIP)\nelse()\n  enable_language(CUDA)\n  link_libraries(nccl)\nendif()\n"
    result = find_in_text(text, "CMakeLists.txt")
    assert [finding.rule for finding in result.findings] == ["build/cmake-has-hip"]
    assert result.after == text


@pytest.mark.parametrize(
    ("asked", "both"),
    [
        ("WITH_HIP", True),
        ("WITH_HIPBLAS", True),
        ("hip_FOUND_AT", True),
        ("WITH_HIPSYCL", False),
        ("hipSYCL_FOUND", False),
    ],
)
def test_a_compiler_of_sycl_is_no_build_for_hip(asked: str, both: bool) -> None:
    text = f"project(app CXX)\nif({asked})\n  find_package(Other)\nendif()\nenable_language(CUDA)\n"
    assert (after(text) == text) is both


FINDING = "project(app LANGUAGES CXX CUDA)\nfind_package(HIP REQUIRED)\nadd_executable(app app.cu)\n"


@pytest.mark.parametrize(
    ("text", "converted"),
    [
        (FINDING, True),
        (FINDING.replace("HIP REQUIRED", "hip CONFIG"), True),
        (FINDING + "hip_add_library(other b.cu)\n", False),
        (FINDING + "set_source_files_properties(app.cu PROPERTIES LANGUAGE HIP)\n", False),
        (FINDING + "target_link_libraries(app hip::device)\n", False),
        (FINDING.replace("find_package(HIP REQUIRED)", "if(GPU)\n  find_package(HIP)\nendif()"), False),
        (FINDING.replace(" CUDA", "") + "if(FAST)\n  enable_language(CUDA)\nendif()\n", False),
    ],
)
def test_looking_for_hip_is_no_build_for_it(text: str, converted: bool) -> None:
    after = find_in_text(text, "CMakeLists.txt").after
    assert (after != text) is converted and after.count("find_package(") <= 1


def test_a_file_that_builds_for_hip_alone_is_read_as_any_other() -> None:
    text = "project(app LANGUAGES HIP)\nif(hip_FOUND)\nendif()\ntarget_link_libraries(app CUDA::nppc)\n"
    assert [finding.rule for finding in find_in_text(text, "CMakeLists.txt").findings] == ["build/cmake-link-other"]


def test_packages_of_libraries_stand_beside_the_search_for_the_toolkit_once() -> None:
    text = (
        "find_package(CUDAToolkit REQUIRED)\n"
        "target_link_libraries(a CUDA::cublas CUDA::cudart)\n"
        "target_link_libraries(b CUDA::cublas)\n"
    )
    assert after(text) == (
        "find_package(hip REQUIRED)\n"
        "find_package(hipblas REQUIRED)\n"
        "target_link_libraries(a roc::hipblas hip::host)\n"
        "target_link_libraries(b roc::hipblas)\n"
    )


def test_a_list_that_a_command_works_on_keeps_its_name() -> None:
    text = 'set(CMAKE_CUDA_ARCHITECTURES 70 80)\nlist(TRANSFORM CMAKE_CUDA_ARCHITECTURES APPEND "-real")\n'
    result = find_in_text(text, "CMakeLists.txt")
    assert len(result.findings) == 2 and result.after == text


def test_sources_behind_variables_are_marked_as_hip_by_their_ending() -> None:
    text = "set(KERNELS a.cu b.cu)\nset(ALL ${KERNELS} main.cpp)\nadd_library(k ${KERNELS})\nadd_library(all ${ALL})\n"
    assert after(text).splitlines()[2:] == [
        "set_source_files_properties(${KERNELS} PROPERTIES LANGUAGE HIP)",
        "add_library(k ${KERNELS})",
        "set(hip_sources ${ALL})",
        'list(FILTER hip_sources INCLUDE REGEX "\\\\.cu$")',
        "set_source_files_properties(${hip_sources} PROPERTIES LANGUAGE HIP)",
        "add_library(all ${ALL})",
    ]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("set(CUDA_FLAGS -lineinfo)", "set(CUDA_FLAGS -gline-tables-only)"),
        ("set(CUDA_FLAGS --extended-lambda)", 'set(CUDA_FLAGS "")'),
        ("list(APPEND CUDA_FLAGS --extended-lambda -O3)", "list(APPEND CUDA_FLAGS -O3)"),
        ("list(APPEND CUDA_FLAGS -O3 --extended-lambda)", "list(APPEND CUDA_FLAGS -O3)"),
        (
            "target_compile_options(a PRIVATE\n  -O3 # speed\n  --extended-lambda)",
            "target_compile_options(a PRIVATE\n  -O3 # speed\n  )",
        ),
        (
            "list(APPEND CUDA_FLAGS --extended-lambda --expt-relaxed-constexpr -O3 -ccbin g++)",
            "list(APPEND CUDA_FLAGS -O3)",
        ),
        ('set(CUDA_FLAGS "-O3" "-G")', 'set(CUDA_FLAGS "-O3" "-g;-O0")'),
        ('set(CUDA_FLAGS "-O3 -G")', 'set(CUDA_FLAGS "-O3 -g -O0")'),
    ],
)
def test_options_go_with_one_separator_and_come_with_the_right_one(before: str, expected: str) -> None:
    assert after(before + "\n") == expected + "\n"


def test_line_ends_stay_as_they_are() -> None:
    text = "project(a CUDA)\r\nadd_executable(a a.cu)\r\n"
    assert after(text).replace("\r\n", "").count("\n") == 0
    assert "LANGUAGE HIP)\r\nadd_executable" in after(text)


def test_broken_counts_what_the_grammar_does_not_fit() -> None:
    assert cmake.broken(b"project(a)\n") == 0
    assert cmake.broken(b"project(a\nset(b)\n") > 0


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("add_library(a ${CUDA_SOURCES})", 4),
        ("add_library(cuda ${SRC_CU})", 4),
        ("set(CUDA_SOURCES a.cpp)\nadd_library(a ${CUDA_SOURCES})", 2),
        ("add_library(a ${SOURCES} ${CUDA_HEADERS})", 1),
    ],
)
def test_a_variable_that_another_file_fills_is_known_by_its_name(text: str, lines: int) -> None:
    assert len(after(text + "\n").splitlines()) == lines


def test_a_place_behind_bytes_of_another_encoding_is_the_names() -> None:
    data = 'set(X "\u00e9 ${CUDA_INCLUDE_DIRS}")\n'.encode("latin-1")
    (use,) = cmake.parse(SourceFile("CMakeLists.txt", data, "cmake")).uses
    assert data[use.span.start : use.span.end] == b"CUDA_INCLUDE_DIRS"


def test_every_name_that_a_rule_asks_for_makes_a_file_worth_parsing() -> None:
    book = project_rules.load(Target())
    known = [
        name for rule in book.rules.values() for name in rule.match.names if name.startswith("link ") or "::" in name
    ]
    known += [
        name
        for rule in book.rules.values()
        for name in rule.match.names
        if name.startswith("find_") and name[-1] == ")"
    ]
    missed = [name for name in known if not cmake.TRIGGER.search(name.removeprefix("link ").encode())]
    assert len(known) > 30 and missed == []


def test_a_folder_of_cmakes_own_holds_no_sources() -> None:
    text = "project(docs)\nadd_docs(docs ${CMAKE_CURRENT_SOURCE_DIR} ${MORE})\n"
    assert find_in_text(text, "CMakeLists.txt").findings == ()
    (found,) = find_in_text(text.replace("${MORE}", "${CU_SOURCES}"), "CMakeLists.txt").findings
    assert found.rule == "build/cmake-cu-sources"


def test_an_expression_with_several_options_for_a_folder_is_kept_in_one_argument() -> None:
    text = "project(a CUDA)\nadd_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-use_fast_math;--Werror=all-warnings>)\n"
    fast = "-fgpu-approx-transcendentals;-fgpu-flush-denormals-to-zero;-fno-hip-fp32-correctly-rounded-divide-sqrt"
    options = f"$<$<COMPILE_LANGUAGE:HIP>:{fast}>"
    assert find_in_text(text, "CMakeLists.txt").after.splitlines()[-1] == f'add_compile_options("{options}")'
    target = text.replace("add_compile_options(", "target_compile_options(a PRIVATE ")
    assert (
        find_in_text(target, "CMakeLists.txt").after.splitlines()[-1] == f"target_compile_options(a PRIVATE {options})"
    )


@pytest.mark.parametrize(
    "text",
    [
        'list(FIND CUDA_NVCC_FLAGS "-ccbin" at)\n',
        'list(REMOVE_ITEM CUDA_NVCC_FLAGS "-lineinfo")\n',
        'string(FIND "${CUDA_NVCC_FLAGS}" "-ccbin" at)\n',
    ],
)
def test_options_that_are_searched_for_reach_no_compiler(text: str) -> None:
    assert options(text) == []
    assert after(text) == text


@pytest.mark.parametrize("variable", ["SRCS", "PROJECT_SOURCES", "PROJECT_FILES"])
def test_sources_in_a_variable_are_hip_s_whatever_it_is_called(variable: str) -> None:
    text = f"project(app LANGUAGES CXX CUDA)\nset({variable} a.cpp k.cu)\nadd_executable(app ${{{variable}}})\n"
    assert f"set(hip_sources ${{{variable}}})" in after(text)


def test_the_name_of_a_project_holds_no_sources() -> None:
    assert "hip_sources" not in after("project(app LANGUAGES CXX CUDA)\nadd_executable(app ${PROJECT_NAME} a.cpp)\n")


def test_a_target_of_sources_for_the_gpu_alone_gives_its_options_to_nvcc() -> None:
    alone = "add_library(k OBJECT a.cu a.h)\ntarget_compile_options(k PRIVATE -dc -O3)\n"
    assert "target_compile_options(k PRIVATE -fgpu-rdc -O3)" in after(alone)
    for more in ("b.cpp", "${MORE}"):
        assert "PRIVATE -dc -O3" in after(alone.replace("a.h", more))
    assert "PRIVATE -dc -O3" in after(f"{alone}target_sources(k PRIVATE b.cpp)\n")


@pytest.mark.parametrize(
    ("value", "use", "expected"),
    [
        ('"-arch=sm_70"', "target_compile_options(a PRIVATE ${CUDA_F})", '"{0};{1}"'),
        ('"-arch=sm_70"', "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${CUDA_F}>)", '"{0};{1}"'),
        ('"-arch=sm_70"', 'target_compile_options(a PRIVATE "SHELL:${CUDA_F}")', '"{0} {1}"'),
        ('"-arch=sm_70"', 'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${CUDA_F}")', '"{0} {1}"'),
        ("-arch=sm_70", 'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${CUDA_F}")', '"{0} {1}"'),
        ("-arch=sm_70", "target_compile_options(a PRIVATE ${CUDA_F})", "{0} {1}"),
        ('"-O3;-arch=sm_70"', "target_compile_options(a PRIVATE ${CUDA_F})", '"-O3;{0};{1}"'),
        ('"-O3 -arch=sm_70"', "add_definitions(${CUDA_F})", '"-O3 {0} {1}"'),
    ],
)
def test_several_options_in_place_of_one_are_what_the_file_takes_them_for(value: str, use: str, expected: str) -> None:
    made = after(f"set(CUDA_F {value})\n{use}\n").splitlines()[0]
    assert made == f"set(CUDA_F {expected.format('--offload-arch=gfx90a', '--offload-arch=gfx942')})"


@pytest.mark.parametrize(
    ("use", "quote"),
    [("target_compile_options(a PRIVATE ${F})", ""), ('set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} ${F}")', '"')],
)
def test_findcudas_options_for_gpus_are_a_list_where_one_is_taken(use: str, quote: str) -> None:
    made = after(f"cuda_select_nvcc_arch_flags(F Auto)\n{use}\n").splitlines()[0]
    assert made == f"set(F {quote}--offload-arch=gfx90a --offload-arch=gfx942{quote})"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS -use_fast_math)", f'"{" ".join(FAST)}"'),
        ("set_property(SOURCE a.cu PROPERTY COMPILE_FLAGS -use_fast_math)", f'"{" ".join(FAST)}"'),
        ("set_target_properties(t PROPERTIES COMPILE_OPTIONS -use_fast_math)", f'"{";".join(FAST)}"'),
        ('set_target_properties(t PROPERTIES COMPILE_OPTIONS "-use_fast_math")', f'"{";".join(FAST)}"'),
        ('set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS "-O3 -use_fast_math")', f'"-O3 {" ".join(FAST)}"'),
        ("set_target_properties(t PROPERTIES COMPILE_FLAGS -expt-relaxed-constexpr FOLDER x)", '"" FOLDER x'),
        ("set_property(TARGET t PROPERTY COMPILE_OPTIONS -use_fast_math -O3)", f"{' '.join(FAST)} -O3"),
        ("set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS -O3)", "-O3"),
        ("set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS -lineinfo)", "-gline-tables-only"),
    ],
)
def test_a_property_keeps_its_one_value_whatever_becomes_of_its_options(before: str, expected: str) -> None:
    head = before[: before.index("-") - ('"' in before)]
    assert find_in_text(f"{before}\n", "CMakeLists.txt").after == f"{head}{expected})\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('string(REPLACE "/usr/local/cuda" "${ROOT}" V ${V})', 'string(REPLACE "/usr/local/cuda" "${ROOT}" V ${V})'),
        ('string(REGEX REPLACE "/usr/local/cuda/lib64" "" V ${V})',) * 2,
        ("list(TRANSFORM V REPLACE /usr/local/cuda ${ROOT})", "list(TRANSFORM V REPLACE /usr/local/cuda ${ROOT})"),
        ('string(REPLACE "@ROOT@" "/usr/local/cuda" V ${V})', 'string(REPLACE "@ROOT@" "/opt/rocm" V ${V})'),
        ("list(APPEND V REPLACE /usr/local/cuda)", "list(APPEND V REPLACE /opt/rocm)"),
        ('string(FIND "${V}" "/usr/local/cuda" AT)', 'string(FIND "${V}" "/opt/rocm" AT)'),
    ],
)
def test_a_folder_that_is_only_replaced_in_texts_stays_what_is_looked_for(before: str, after: str) -> None:
    assert find_in_text(f"{before}\n", "CMakeLists.txt").after == f"{after}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("set(L CXX)\nset(L ${L} CUDA)\nproject(a ${L})", "set(L CXX)\nset(L ${L} HIP)\nproject(a ${L})"),
        ("list(APPEND L CUDA)\nproject(a LANGUAGES C ${L})", "list(APPEND L HIP)\nproject(a LANGUAGES C ${L})"),
        ('set(L "C;CUDA;CXX")\nenable_language(${L})', 'set(L "C;HIP;CXX")\nenable_language(${L})'),
        ("set(G CUDA)\nset(L C ${G})\nproject(a ${L})", "set(G HIP)\nset(L C ${G})\nproject(a ${L})"),
        ("foreach(l CXX CUDA)\nenable_language(${l})\nendforeach()",) * 2,
        ("set(L CXX)\nset(OTHER CUDA)\nproject(a ${L})",) * 2,
        ("set(NAME CUDA)\nproject(${NAME} CXX)",) * 2,
        ("set(L CUDA_TOOLS)\nproject(a ${L})",) * 2,
        ("set(CUDA CXX)\nset(L ${CUDA})\nproject(a ${L})",) * 2,
    ],
)
def test_a_language_is_named_where_its_variable_is_filled(before: str, after: str) -> None:
    after = after.replace("CXX CUDA)\nenable", "CXX HIP)\nenable")
    assert find_in_text(f"{before}\n", "CMakeLists.txt").after == f"{after}\n"


@pytest.mark.parametrize(
    ("asked", "then"),
    [
        ('"CUDA" IN_LIST L', '"HIP" IN_LIST L'),
        ("L MATCHES CUDA", "L MATCHES HIP"),
        ('"${L}" STREQUAL "CUDA"', '"${L}" STREQUAL "HIP"'),
        ('"CUDA" IN_LIST OTHER',) * 2,
        ("L AND CUDA",) * 2,
    ],
)
def test_a_condition_asks_for_a_language_that_a_variable_holds(asked: str, then: str) -> None:
    text = "list(APPEND L {word})\nproject(a ${{L}})\nif({asked})\nendif()\n"
    found = find_in_text(text.format(word="CUDA", asked=asked), "CMakeLists.txt").after
    assert found == text.format(word="HIP", asked=then)


ENABLED = "get_property(L GLOBAL PROPERTY ENABLED_LANGUAGES)\n"


@pytest.mark.parametrize(
    "text",
    [
        f'{ENABLED}if("CUDA" IN_LIST L)\nendif()',
        f"{ENABLED}if(FAST)\nelseif(NOT CUDA IN_LIST L)\nendif()",
        'get_cmake_property(L ENABLED_LANGUAGES)\nif("CUDA" IN_LIST L)\nendif()',
        f'{ENABLED}set(M ${{L}})\nlist(REMOVE_ITEM M NONE)\nif("CUDA" IN_LIST M)\nendif()',
        f'{ENABLED}list(APPEND L ISPC)\nif("CUDA" IN_LIST L)\nendif()',
        f'{ENABLED}if(L MATCHES "(^|;)CUDA(;|$)")\nendif()',
        f"{ENABLED}list(FIND L CUDA at)",
        f'{ENABLED}list(APPEND M L GPU)\nlist(SORT L)\nif("CUDA" IN_LIST L)\nendif()',
        f'{ENABLED}foreach(L ${{L}})\nif(L STREQUAL "CUDA")\nendif()\nendforeach()',
        f'{ENABLED}foreach(l ${{L}})\nif(l STREQUAL "CUDA")\nendif()\nendforeach()',
        f'{ENABLED}foreach(l IN LISTS L)\nif("${{l}}" STREQUAL "CUDA")\nendif()\nendforeach()',
        f'{ENABLED}foreach(l IN ITEMS ${{L}})\nif("CUDA" STREQUAL "${{l}}")\nendif()\nendforeach()',
        f'set(L CXX CUDA_FAST)\n{ENABLED}if("CUDA" IN_LIST L)\nendif()\nset(L CUDA)',
        f'function(f)\n{ENABLED}if("CUDA" IN_LIST L)\nendif()\nendfunction()\nfunction(g)\nset(L CUDA)\nendfunction()',
        f'{ENABLED}function(f)\nif("CUDA" IN_LIST L)\nendif()\nendfunction()',
        f'if(A)\n{ENABLED}if("CUDA" IN_LIST L)\nendif()\nendif()',
    ],
)
def test_the_languages_that_are_enabled_name_hip(text: str) -> None:
    project = "project(a LANGUAGES CXX {})\n"
    found = find_in_text(f"{project.format('CUDA')}{text}\n", "CMakeLists.txt").after
    then = text.replace('"CUDA"', '"HIP"').replace(")CUDA(", ")HIP(")
    then = then.replace("CUDA IN", "HIP IN").replace("L CUDA at", "L HIP at")
    assert found == f"{project.format('HIP')}{then}\n"


@pytest.mark.parametrize(
    "text",
    [
        'set(L CPU CUDA)\nif("CUDA" IN_LIST L)\nendif()',
        f'{ENABLED}set(L CPU CUDA)\nif("CUDA" IN_LIST L)\nendif()',
        f'{ENABLED}list(APPEND L CUDA)\nif("CUDA" IN_LIST L)\nendif()',
        f'{ENABLED}if(A)\nset(L CUDA)\nendif()\nif("CUDA" IN_LIST L)\nendif()',
        f'{ENABLED}if("CUDA" IN_LIST M)\nendif()',
        f'{ENABLED}fill(L)\nif("CUDA" IN_LIST L)\nendif()',
        f'{ENABLED}string(TOLOWER "${{L}}" L)\nif("CUDA" IN_LIST L)\nendif()',
        f'if(A)\n{ENABLED}endif()\nif("CUDA" IN_LIST L)\nendif()',
        f'function(f)\n{ENABLED}endfunction()\nif("CUDA" IN_LIST L)\nendif()',
        f'{ENABLED}function(f L)\nif("CUDA" IN_LIST L)\nendif()\nendfunction()',
        f'{ENABLED}function(f)\nif("CUDA" IN_LIST L)\nendif()\nendfunction()\nset(L CUDA)\nf()',
        f'{ENABLED}foreach(i 1 2)\nif("CUDA" IN_LIST L)\nendif()\nset(L CUDA)\nendforeach()',
        f'{ENABLED}foreach(l CPU CUDA)\nif(l STREQUAL "CUDA")\nendif()\nendforeach()',
        f'{ENABLED}foreach(l ${{L}})\nendforeach()\nif(l STREQUAL "CUDA")\nendif()',
        f'{ENABLED}if("CUDA_FAST" IN_LIST L)\nendif()',
        f'{ENABLED}list(GET ALL 0 L)\nif(L STREQUAL "CUDA")\nendif()',
        f'{ENABLED}if("L" STREQUAL "CUDA")\nendif()',
        'get_property(L GLOBAL PROPERTY MY_LANGUAGES)\nif("CUDA" IN_LIST L)\nendif()',
        "set(A ${B})\nset(B ${A})\nif(CUDA IN_LIST B)\nendif()",
    ],
)
def test_a_list_of_other_words_keeps_them(text: str) -> None:
    found = find_in_text(f"project(a LANGUAGES CXX CUDA)\n{text}\n", "CMakeLists.txt").after
    assert found == f"project(a LANGUAGES CXX HIP)\n{text}\n"


def test_languages_that_are_enabled_lack_cuda_where_find_cuda_builds() -> None:
    text = f'find_package(CUDA)\n{ENABLED}if("CUDA" IN_LIST L)\nendif()\ncuda_add_executable(a a.cu)\n'
    assert '"CUDA" IN_LIST L' in after(f"project(a CXX)\n{text}")
    assert '"HIP" IN_LIST L' in after(f"project(a CXX CUDA)\n{text}")


@pytest.mark.parametrize(
    ("text", "finds"),
    [
        ("if({c} AND CUDA IN_LIST L)\nendif()", 1),
        ("foreach(l ${{L}})\nif({c} AND l STREQUAL CUDA)\nendif()\nendforeach()", 1),
        ("fill(L)\nif(CUDA IN_LIST L AND {c})\nendif()", 1),
        ("if({c} AND GPU STREQUAL CUDA)\nendif()", 0),
        ("set(L CPU CUDA)\nif({c} AND CUDA IN_LIST L)\nendif()", 0),
        (f"{ENABLED}if({{c}} AND CUDA IN_LIST L)\nendif()", 0),
        ("if(CUDA IN_LIST L)\nif({c})\nendif()\nendif()", 0),
        ("list(APPEND L CUDA)\nproject(a ${{L}})\nif({c} AND CUDA IN_LIST L)\nendif()", 0),
    ],
)
def test_a_condition_that_is_half_converted_is_found(text: str, finds: int) -> None:
    found = find_in_text(f"{text.format(c='CMAKE_CUDA_COMPILER')}\n", "CMakeLists.txt").findings
    assert [one.rule for one in found].count("build/cmake-language-asked") == finds


def test_a_language_in_a_variable_needs_the_release_that_knows_it() -> None:
    text = "cmake_minimum_required(VERSION 3.8)\nset(L {})\nproject(a ${{L}})\n"
    assert "3.21" in after(text.format("CUDA"))
    assert after(text.format("CXX")) == text.format("CXX")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'set(CMAKE_CUDA_ARCHITECTURES "${n}-real;${n}-virtual;${CMAKE_CUDA_ARCHITECTURES}")',
            'set(CMAKE_HIP_ARCHITECTURES "gfx90a;gfx942")',
        ),
        ("set(CMAKE_CUDA_ARCHITECTURES ${n}-real)", "set(CMAKE_HIP_ARCHITECTURES gfx90a gfx942)"),
        (
            "set(CMAKE_CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES} 80)",
            "set(CMAKE_HIP_ARCHITECTURES ${CMAKE_HIP_ARCHITECTURES} gfx90a gfx942)",
        ),
        ('set(CMAKE_CUDA_ARCHITECTURES "${MORE};${CMAKE_CUDA_ARCHITECTURES}")',) * 2,
        ("set(CMAKE_CUDA_ARCHITECTURES ${MORE} ${CMAKE_CUDA_ARCHITECTURES})",) * 2,
        ("set(MORE ${CMAKE_CUDA_ARCHITECTURES} 80)", "set(MORE ${CMAKE_HIP_ARCHITECTURES} 80)"),
    ],
)
def test_a_list_of_gpus_with_what_it_had_is_renamed_on_both_sides_or_on_none(before: str, after: str) -> None:
    assert find_in_text(f"{before}\n", "CMakeLists.txt").after == f"{after}\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("cuda_add_library(a a.cu STATIC)", "add_library(a STATIC a.cu)"),
        (
            "cuda_add_library(a a.cu\n  SHARED EXCLUDE_FROM_ALL b.cu)",
            "add_library(a SHARED EXCLUDE_FROM_ALL a.cu b.cu)",
        ),
        ("cuda_add_library(a STATIC EXCLUDE_FROM_ALL a.cu)", "add_library(a STATIC EXCLUDE_FROM_ALL a.cu)"),
        ("cuda_add_executable(a a.cu WIN32)", "add_executable(a WIN32 a.cu)"),
        ("cuda_add_executable(a WIN32_a.cu)", "add_executable(a WIN32_a.cu)"),
    ],
)
def test_the_kind_of_a_target_is_behind_its_name(before: str, expected: str) -> None:
    assert expected in after(f"{before}\n").splitlines()


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("set(H a.cuh b.h)\ncuda_add_library(a ${H} STATIC)\n", True),
        ("cuda_add_library(a a.hpp)\n", True),
        ("set(H a.cuh b.cpp)\ncuda_add_library(a ${H} STATIC)\n", False),
        ("cuda_add_library(a ${H} a.h)\n", False),
        ("cuda_add_library(a a.cu a.h)\n", False),
    ],
)
def test_a_target_of_headers_alone_says_how_it_is_linked(text: str, given: bool) -> None:
    assert ("set_target_properties(a PROPERTIES LINKER_LANGUAGE CXX)" in after(text)) is given


OWN_LIST = (
    "find_package(CUDA)\n{}list(APPEND CUDA_NVCC_FLAGS -DA -DB)\n"
    'foreach(FLAG ${{CUDA_NVCC_FLAGS}})\n  string(APPEND CMAKE_CUDA_FLAGS " ${{FLAG}}")\nendforeach()\n{}'
)


@pytest.mark.parametrize(
    ("language", "more", "own"),
    [
        ("enable_language(CUDA)\n", "", True),
        ("", "", False),
        ("enable_language(CUDA)\n", "cuda_add_library(a a.cu)\n", False),
        ("enable_language(CUDA)\n", 'set(ALL "${CUDA_NVCC_FLAGS}")\n', False),
    ],
)
def test_a_list_that_the_file_takes_apart_itself_stays_one(language: str, more: str, own: bool) -> None:
    """FindCUDA's commands read the list by its name; where none is called, the entries go where the file puts them."""
    made = after(OWN_LIST.format(language, more))
    assert ("list(APPEND CUDA_NVCC_FLAGS -DA -DB)" in made and "foreach(FLAG ${CUDA_NVCC_FLAGS})" in made) is own
    assert 'string(APPEND CMAKE_HIP_FLAGS " ${FLAG}")' in made


def test_options_without_quotes_are_reported_where_one_is_missing() -> None:
    result = find_in_text("set(CMAKE_CUDA_FLAGS_RELEASE -DNDEBUG)\n", "CMakeLists.txt")
    found = [one for one in result.findings if one.rule == "build/cmake-unoptimised"]
    assert [one.fix for one in found] == [None]


def test_what_repeats_a_condition_is_renamed_with_it_and_tells_nothing_else() -> None:
    asks = "CUDA_VERSION_MAJOR LESS 6"
    text = f"if({asks})\n  add(old)\nelse({asks})\n  add(new)\nendif({asks})\n"
    assert [one.position.line for one in find_in_text(text, "CMakeLists.txt").findings] == [1]
    more = text.replace(f"else({asks})", "elseif(CUDA_VERSION_MAJOR LESS 7)")
    assert [one.position.line for one in find_in_text(more, "CMakeLists.txt").findings] == [1, 3]
    found = "find_package(CUDA)\nif(CUDA_FOUND)\nelse(CUDA_FOUND)\nendif(CUDA_FOUND)\n"
    assert after(found) == found.replace("CUDA_FOUND", "hip_FOUND").replace("CUDA", "hip")


def test_a_loop_without_words_says_nothing_of_options() -> None:
    text = 'project(p LANGUAGES CUDA)\nforeach()\nendforeach()\nset(CMAKE_CUDA_FLAGS "-Xcompiler=${F} -O3")\n'
    assert '"${F} -O3"' in after(text)


SEARCH = 'find_library(CUDA_LIBRARIES\n  NAMES cudart\n  PATHS ${PLACES}\n  DOC "the runtime"\n)\n'


def found_in(text: str) -> list[str]:
    return [one.rule for one in find_in_text(text, "FindRuntime.cmake").findings]


def test_a_variable_of_the_module_s_own_search_is_asked_for_as_it_is() -> None:
    text = SEARCH + "if(NOT CUDA_LIBRARIES)\n  message(STATUS none)\nendif()\n"
    found = find_in_text(text, "FindRuntime.cmake", unsafe=True)
    assert [one.rule for one in found.findings] == ["build/cmake-search-library"]
    assert "  PATHS ${PLACES} /opt/rocm/lib\n  DOC" in found.after
    assert found.after.count("PATHS") == 1


def test_a_variable_that_no_search_of_the_file_sets_is_cuda_s() -> None:
    assert "build/cmake-link-runtime" in found_in("if(NOT CUDA_LIBRARIES)\n  message(STATUS none)\nendif()\n")
    other = SEARCH.replace("cudart", "mine")
    assert "build/cmake-link-runtime" in found_in(other + "if(NOT CUDA_LIBRARIES)\nendif()\n")


def test_what_links_a_variable_of_a_search_gets_the_target() -> None:
    text = SEARCH + "target_link_libraries(app ${CUDA_LIBRARIES})\n"
    assert "target_link_libraries(app hip::host)" in find_in_text(text, "CMakeLists.txt", unsafe=True).after


NARROW = "$<$<AND:$<CONFIG:Debug>,$<COMPILE_LANGUAGE:%s>>:-g>"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (f"add_compile_options({NARROW} -lineinfo --ptxas-options=-O=true>)", "-gline-tables-only)"),
        (f"add_compile_options({NARROW} -lineinfo --ptxas-options=-O=true)", "-gline-tables-only)"),
        ("add_compile_options($<$<CONFIG:%s>:-lineinfo --ptxas-options=-O=true>)", ":-gline-tables-only>)"),
        ('set(a "-lineinfo --ptxas-options=-O=%s>")', '-gline-tables-only --ptxas-options=-O=%s>")'),
    ],
)
def test_a_bracket_that_closes_no_expression_is_part_of_its_word(before: str, expected: str) -> None:
    text = "enable_language(CUDA)\n" + before.replace("%s", "CUDA")
    assert expected.replace("%s", "CUDA") in after(text)
