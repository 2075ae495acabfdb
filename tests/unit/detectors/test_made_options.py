"""Options for NVIDIA's architectures that a program completes while it runs: the usual ways to put them together."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RTC = "#include <nvrtc.h>\nvoid use(nvrtcProgram p, const char *const *o) {{ nvrtcCompileProgram(p, 1, o); }}\n{}\n"
PLAIN = "#include <cuda_runtime.h>\nvoid use(void *p) {{ cudaFree(p); }}\n{}\n"


def made(text: str) -> list[str]:
    """The texts of the findings on options that are put together."""
    found = find_in_text(text).findings
    return [text.encode()[f.span.start : f.span.end].decode() for f in found if f.rule == "build/made-arch-option"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('sprintf(o, "--gpu-architecture=compute_%d%d", a, b);', '"--gpu-architecture=compute_%d%d"'),
        ('snprintf(o, sizeof o, "-arch=sm_%02u", a);', '"-arch=sm_%02u"'),
        ('auto o = fmt::format("--gpu-architecture=sm_{}{}", a, b);', '"--gpu-architecture=sm_{}{}"'),
        ('auto o = std::format("-arch=compute_{0:d}a", a);', '"-arch=compute_{0:d}a"'),
        ('auto o = "--gpu-architecture=compute_" + std::to_string(a);', '"--gpu-architecture=compute_"'),
        ('std::string o("-arch=sm_"); o += std::to_string(a);', '"-arch=sm_"'),
        ('stream << "--gpu-architecture=compute_" << a;', '"--gpu-architecture=compute_"'),
        ('o.append("-arch=sm_").append(std::to_string(a));', '"-arch=sm_"'),
        (
            'sprintf(o, "-O3 -gencode arch=compute_%d,code=sm_%d", a, a);',
            '"-O3 -gencode arch=compute_%d,code=sm_%d"',
        ),
    ],
)
def test_an_option_that_lacks_its_number_is_found_wherever_it_is_made(line: str, found: str) -> None:
    assert made(PLAIN.format(f"void f(int a, int b, char *o) {{ {line} }}")) == [found]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('auto o = "--gpu-architecture=" + architecture(a);', ['"--gpu-architecture="']),
        ('sprintf(o, "-arch=%s", architecture(a));', ['"-arch=%s"']),
        ('auto v = "compute_" + std::to_string(a); auto o = "-arch=" + v;', ['"compute_"']),
        ('sprintf(o, "sm_%d", a);', ['"sm_%d"']),
    ],
)
def test_a_part_of_an_option_is_found_where_a_file_compiles_at_run_time(line: str, found: list[str]) -> None:
    code = f"void f(int a, char *o) {{ {line} }}"
    assert made(RTC.format(code)) == found
    assert made(PLAIN.format(code)) == []


@pytest.mark.parametrize(
    "line",
    [
        'if (word.starts_with("-arch=sm_")) return;',
        'if (strncmp(word, "--gpu-architecture=compute_", 27) == 0) return;',
        'if (word == "sm_") return;',
        'std::cerr << "no GPU for --gpu-architecture=compute_" << a;',
        'printf("usage: --arch=sm_%d\\n", a);',
        'auto o = "--gpu-architecture=" + std::string(p.gcnArchName);',
        'auto o = "--gpu-architecture=gfx" + std::to_string(a);',
        'auto o = "-DKERNEL=gemm_sm_" + std::to_string(a);',
        'auto o = "--gpu-architecture=compute_70";',
        'auto o = "-arch=all";',
        '// sprintf(o, "-arch=sm_%d", a);',
    ],
)
def test_a_text_that_is_no_option_of_the_program_is_left_alone(line: str) -> None:
    assert made(RTC.format(f"void f(int a, char *o) {{ {line}\n}}")) == []


def test_the_branch_for_cuda_may_make_its_option() -> None:
    line = 'sprintf(o, "-arch=sm_%d", a);'
    code = f"void f(int a, char *o) {{\n#ifdef __HIP_PLATFORM_AMD__\n  o[0] = 0;\n#else\n  {line}\n#endif\n}}"
    assert made(RTC.format(code)) == []
