"""Shell and Slurm scripts: commands, what they install, and where it is."""

import pytest
import tomli

from cudamigrate.config import Config
from cudamigrate.environment import command_uses
from cudamigrate.environment.torch_wheels import requirements
from cudamigrate.frontends import shell
from cudamigrate.model import SourceFile, Use
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.shipped_data import rules_folder
from cudamigrate.syntax.project_file import ProjectFile


def parse(text: str, path: str = "run.sh") -> ProjectFile:
    return shell.parse(SourceFile(path, text.encode(), "shell"))


def uses(text: str, kind: str = "name") -> list[Use]:
    return [use for use in parse(text).uses if use.kind == kind]


def names(text: str, kind: str = "name") -> list[str]:
    return [use.name for use in uses(text, kind)]


def after(text: str) -> str:
    return find_in_text(text, "run.sh").after


@pytest.mark.parametrize(
    "text",
    [
        "nvidia-smi\n",
        "sudo nvidia-smi\n",
        "sudo -u root -E nvidia-smi\n",
        "srun -p gpu --exclusive timeout -k 5 60 nvidia-smi\n",
        "watch -n 1 nvidia-smi\n",
        "FOO=1 nvidia-smi && true\n",
        "if true; then nvidia-smi; fi\n",
        "srun -n 2 nvidia-smi\n",
        'bash -c "cd x && nvidia-smi"\n',
        "x=1; (nvidia-smi)\n",
        "nvidia-smi > /dev/null 2>&1 || true\n",
    ],
)
def test_command_is_seen_wherever_it_is_run(text: str) -> None:
    assert "nvidia-smi" in names(text)


@pytest.mark.parametrize(
    "text",
    [
        "# nvidia-smi\n",
        "echo nvidia-smi\n",
        "sudo -u nvidia-smi true\n",  # a user of that name
        'echo "run nvidia-smi"\n',
        "cat <<EOF\nnvidia-smi\nEOF\n",
        "./nvidia-smi.sh\n",
    ],
)
def test_text_that_is_no_command_is_none(text: str) -> None:
    assert "nvidia-smi" not in names(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("nvidia-smi | head\n", "environment/nvidia-smi-output"),
        ("x=$(nvidia-smi)\n", "environment/nvidia-smi-output"),
        ("nvidia-smi -L | wc -l\n", "environment/nvidia-smi-options"),
    ],
)
def test_output_that_is_read_is_not_rewritten(text: str, rule: str) -> None:
    result = find_in_text(text, "run.sh")
    assert (result.after, [finding.rule for finding in result.findings]) == (text, [rule])


def test_script_that_knows_amd_is_left_alone() -> None:
    text = "if command -v nvidia-smi; then nvidia-smi; elif command -v rocm-smi; then rocm-smi; fi\n"
    assert find_in_text(text, "run.sh").findings == ()


@pytest.mark.parametrize(
    "command",
    [
        "pip install xformers",
        "pip3 install -U 'xformers>=0.1'",
        "python3 -m pip install --no-cache-dir xformers",
        "uv pip install --system xformers",
        "uv add xformers",
        "poetry add xformers",
        "sudo pip install -r a.txt xformers",
        "/opt/venv/bin/pip install xformers",
        'docker run image bash -c "pip install xformers"',
        "pip install a \\\n  xformers \\\n  b",
        "conda install -y -c conda-forge xformers",
    ],
)
def test_package_is_seen_in_every_way_to_install_it(command: str) -> None:
    assert "xformers" in names(command + "\n", "package")


@pytest.mark.parametrize(
    "command",
    [
        "pip uninstall xformers",
        "pip show xformers",
        "echo pip install xformers",
        "pip install -r xformers",
        "pip install ./xformers/",
        "pip install xformers --index-url https://example.org/rocm7.0",
    ],
)
def test_other_words_are_no_package(command: str) -> None:
    assert names(command + "\n", "package") == []


def test_dropping_a_package_keeps_the_command() -> None:
    text = "pip install a \\\n    nvidia-nccl-cu12 \\\n    'nvidia-cublas-cu12>=1' b\n"
    assert after(text) == "pip install a b\n"


def test_command_that_installs_nothing_else_is_left() -> None:
    text = "pip install nvidia-nccl-cu12 nvidia-cublas-cu12\n"
    assert after(text) == text


def test_version_in_a_variable_keeps_the_index() -> None:
    text = 'pip install "torch==${TORCH}" --index-url https://download.pytorch.org/whl/cu130\n'
    assert after(text) == text
    assert [item.name for item in requirements(parse(text)).values()] == ["torch"]


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("--gpus all", "docker --gpus all"),
        ("--gpus=all", "docker --gpus all"),
        ('--gpus "all"', "docker --gpus all"),
        ("--gpus 2", "docker --gpus 2"),
        ("--runtime=nvidia", "docker --runtime nvidia"),
    ],
)
def test_option_of_docker_is_named_alike_in_all_its_forms(option: str, name: str) -> None:
    assert name in names(f"docker run --rm {option} image\n")


def test_all_of_a_quoted_option_is_replaced() -> None:
    new = "docker run --device=/dev/kfd --device=/dev/dri --group-add=video image\n"
    assert after('docker run --gpus "all" image\n') == new
    assert after("docker run --gpus all image\n") == new


def test_devices_are_handed_over_once() -> None:
    text = "docker run --runtime=nvidia --gpus all image\n"
    assert after(text).count("/dev/kfd") == 1


@pytest.mark.parametrize("verb", ["push", "tag"])
def test_image_that_is_published_is_not_reported(verb: str) -> None:
    assert not [name for name in names(f"docker {verb} vllm/vllm-openai:latest\n") if name.startswith("image")]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("#SBATCH --gres=gpu:A100:2", ["slurm gpu:a100"]),
        ("#SBATCH --gpus-per-node=h100:4", ["slurm gpu:h100"]),
        ('#SBATCH --constraint="a100|v100"', ["slurm gpu:a100", "slurm gpu:v100"]),
        ("#SBATCH --gres=gpu:2", []),
        ("#SBATCH --gres=gpu", []),
        ("##BATCH --gres=gpu:a100", []),
        ("srun --gres=gpu:t4:1 true", ["slurm gpu:t4"]),
    ],
)
def test_type_of_a_gpu_is_seen_in_slurm_options(line: str, found: list[str]) -> None:
    assert [name for name in names(line + "\n") if name.startswith("slurm")] == found


@pytest.mark.parametrize(
    ("before", "changed"),
    [
        ("export PATH=/usr/local/cuda-12.4/bin:$PATH", "export PATH=/opt/rocm/bin:$PATH"),
        ("g++ -L/usr/local/cuda/lib64/ a.o", "g++ -L/opt/rocm/lib/ a.o"),
        ("CUDACXX=/usr/local/cuda/bin/nvcc make", "CUDACXX=/usr/local/cuda/bin/nvcc make"),
        (
            "cmake -DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc .",
            "cmake -DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc .",
        ),
        ("ls /usr/local/cuda/extras", "ls /usr/local/cuda/extras"),
    ],
)
def test_path_changes_where_rocm_has_its_like(before: str, changed: str) -> None:
    assert after(before + "\n") == changed + "\n"


@pytest.mark.parametrize(("rocm", "tool"), [("6.2", "rocm-smi"), ("7.0", "amd-smi"), ("10.1", "amd-smi")])
def test_tool_is_that_of_the_release(rocm: str, tool: str) -> None:
    assert find_in_text("nvidia-smi\n", "run.sh", config=Config(rocm=rocm)).after == f"{tool}\n"


def test_options_of_nvcc_are_given_to_their_rules() -> None:
    assert names("nvcc -O3 -arch=sm_80 a.cu\n", "option") == ["-O3", "-arch=sm_80"]


def test_windows_line_ends_do_not_become_part_of_words() -> None:
    text = "nvidia-smi\r\npip install a \\\r\n  nvidia-nccl-cu12\r\n"
    assert after(text) == "amd-smi\r\npip install a\r\n"


@pytest.mark.parametrize("name", ["build_rocm.sh", "ci-cpu.sh"])
def test_script_for_other_hardware_is_left(name: str) -> None:
    assert find_in_text("nvidia-smi\n", name).findings == ()


def test_every_name_in_the_rules_makes_a_script_worth_parsing() -> None:
    missed = []
    for path in sorted((rules_folder() / "environment").glob("*.toml")):
        for rule in tomli.loads(path.read_text(encoding="utf-8"))["rule"]:
            for name in (*rule.get("names", ()), *rule.get("family", ())):
                text = f"{name}x" if rule.get("family") else name
                known = ("apt ", "image ", "docker ", "slurm ", "compose ", "find ", "action ", "feature ", "key ")
                word = next((text.removeprefix(prefix) for prefix in known if text.startswith(prefix)), text)
                if not command_uses.TRIGGER.search(word.encode()) and not word.startswith(("-", "1", "2", "3", "4")):
                    missed.append(name)
    described = ("slurm ", "node label", "runner label", "fetch ", "build of a clone")  # by owner, and by the image
    assert [name for name in missed if not name.startswith(described)] == []


def test_a_feature_behind_another_alphabet_is_at_its_place() -> None:
    text = "#SBATCH --constraint=größe&a100\n"
    (use,) = [use for use in uses(text) if use.name == "slurm gpu:a100"]
    assert text.encode()[use.span.start : use.span.end] == b"a100"


NVCC_SCRIPT = """\
GPUS="--generate-code arch=compute_60,code=sm_60 \\
    --generate-code arch=compute_70,code=sm_70"
if [ -n "$MORE" ]; then GPUS="${GPUS} --generate-code arch=compute_80,code=sm_80"; fi
FLAGS="-std=c++14"
FLAGS="$FLAGS $GPUS -Xptxas -v"
THREADS="-t 0"
OTHER="-t 0 -x cu"
SHARED="-t 0 --use_fast_math"
echo "nvcc $FLAGS"
nvcc ${THREADS} $FLAGS a.cu $SHARED -o a
g++ $SHARED $OTHER b.cpp
"""


def test_options_in_variables_of_nvccs_are_read_and_converted() -> None:
    found = names(NVCC_SCRIPT, "option")
    assert found.count("--generate-code") == 3
    assert [one for one in found if one != "--generate-code"] == [
        "-std=c++14",
        "-Xptxas",
        "-t",
        "--use_fast_math",
        "-o",
    ]
    lines = after(NVCC_SCRIPT).splitlines()
    assert lines[0] == 'GPUS="--offload-arch=gfx90a --offload-arch=gfx942"'
    assert 'OTHER="-t 0 -x cu"' in lines and 'SHARED="-t 0 -ffast-math"' not in lines
    assert not any("generate-code" in line or "Xptxas" in line for line in lines)


def test_a_compiler_that_a_variable_holds_reads_its_options() -> None:
    assert names('NVCC=/opt/cuda/bin/nvcc\nFLAGS="-t 0"\n"${NVCC}" $FLAGS -c a.cu\n', "option") == ["-t", "-c"]
    assert names('CC=gcc\nFLAGS="-t 0"\n"${CC}" $FLAGS -c a.c\n', "option") == []


WRITTEN = """FAST="-t 0"
CFLAGS="-O3 $FAST"
ARCH="-t 1"
RELOC="-rdc=true"
FAST="-t 2"
BOTH="-t 3"
OWN="-t 4"
NVCCFLAGS="-std=c++17"
NVCCFLAGS="$ARCH $NVCCFLAGS $RELOC $BOTH"
[ $fast = 1 ] && NVCCFLAGS="$NVCCFLAGS $FAST"
CFLAGS="$CFLAGS $BOTH"
sed -i "s|^NVCCFLAGS.*|NVCCFLAGS := $NVCCFLAGS|;s|^CFLAGS.*|CFLAGS := $CFLAGS|" Makefile
"""


def test_options_in_variables_that_flags_of_nvccs_are_made_of_are_read() -> None:
    places = [WRITTEN[one.span.start : one.extent.end] for one in uses(WRITTEN, "option")]
    assert places == ["-t 1", "-rdc=true", "-t 2", "-std=c++17"]
    lines = after(WRITTEN).splitlines()
    assert 'RELOC="-fgpu-rdc"' in lines and 'FAST="-t 0"' in lines and 'BOTH="-t 3"' in lines


def test_flags_of_the_hosts_that_those_of_nvccs_have_are_left() -> None:
    assert names('CFLAGS="-t 0"\nNVCCFLAGS="$CFLAGS -t 1"\n', "option") == ["-t"]


def test_a_value_that_a_function_above_reads_may_be_anyones() -> None:
    text = 'host() { CFLAGS="$CFLAGS $FAST"; }\nFAST="-t 2"\nNVCCFLAGS="$NVCCFLAGS $FAST"\n'
    assert names(text, "option") == []
    assert names(text.replace("host() { CFLAGS", "host() { NOTES"), "option") == ["-t"]


def test_a_compiler_below_a_variable_that_commands_begin_with() -> None:
    text = 'NVCC=$WHERE/bin/nvcc\n"$NVCC" -c a.cu\n'
    assert after(text).splitlines()[0] == "NVCC=/opt/rocm/bin/hipcc"
    assert after(text.replace('"$NVCC" -c a.cu', "v=$($NVCC --version)")).splitlines()[0] == "NVCC=$WHERE/bin/nvcc"
    assert after(text.replace("/nvcc", "/other")).splitlines()[0] == "NVCC=$WHERE/bin/other"


@pytest.mark.parametrize("compiler", ["$1", '"$CC"', "${CXX:-g++}", "g++", "./compile"])
def test_libraries_of_cuda_are_renamed_whatever_the_compiler_is_called(compiler: str) -> None:
    text = f"{compiler} -I$2 -L$3 -lcuda -lcudart -lm -lcublas_of_mine -o test test.cpp &> /dev/null\n"
    assert after(text) == text.replace("-lcudart", "-lamdhip64").replace("-lcuda ", "-lamdhip64 ")


@pytest.mark.parametrize(
    "text", ["ls -lcuda\n", "grep -lcudart notes\n", "echo -lcudart\n", "$CC -lineinfo -o a a.c\n"]
)
def test_options_of_what_links_nothing_are_left(text: str) -> None:
    assert after(text) == text


@pytest.mark.parametrize(
    "text",
    [
        './configure CUDA_CPPFLAGS="-DA=1 -gencode=arch=compute_50,code=sm_50"\n',
        "CUDA_FLAGS='-gencode=arch=compute_50,code=sm_50'\n./configure\n",
        "make NVCCFLAGS=-gencode=arch=compute_50,code=sm_50\n",
    ],
)
def test_options_of_nvccs_in_variables_of_flags_are_converted(text: str) -> None:
    assert "--offload-arch=gfx90a" in after(text) and "gencode" not in after(text)
    own = text.replace("-gencode=", "-mine=")
    assert names(own, "option") == (["-mine=arch=compute_50,code=sm_50"] if "NVCC" in own else [])
    assert names(text.replace("FLAGS", "NOTES"), "option") == []


def test_options_of_a_compiler_that_the_script_is_given_are_nvccs() -> None:
    text = 'if [ "$#" -ne 1 ]\nthen\n  exit 1\nfi\nNVCC=$1\nlibs=`$NVCC -dryrun a.cu`\n'
    assert names(text, "option") == ["-dryrun"]
    assert names(text.replace("NVCC", "TOOL"), "option") == []
    assert names(text.replace("=$1", "=tool"), "option") == []


def test_watch_runs_what_is_in_quotes() -> None:
    assert "nvidia-smi --id=0 |" in names("watch -n 1 'nvidia-smi --id=0 | tee a.log'\n")
    assert names("watch -n 1 'cat nvidia-smi.log'\n") == ["watch", "cat"]


@pytest.mark.parametrize("then", ["\nthen\n", " \n\n  then\n", "; then\n"])
def test_a_test_ends_with_its_line(then: str) -> None:
    text = f'if [ "$n" -ne 1 ]{then}  echo "Usage: $0 <nvcc>" >&2\nfi\nNVCC=$1\n$NVCC -dryrun a.cu\n'
    assert [use.name for use in parse(text).uses if use.kind == "option"] == ["-dryrun"]
    assert names("echo ']'\nthen_nvcc -V\n") == ["echo", "then_nvcc"]


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("./tool $own_options a.cu | grep -q x", False),
        ("./tool $own_options\n../bin/tool -x ${own_options}", False),
        ("./tool $own_options\nmake FLAGS=$own_options", True),
        ("./build.sh $own_options", True),
        ("./configure $own_options", True),
        ("$TOOL $own_options", True),
        ("./tool", True),
        ('more="$own_options -O3"\n./tool $own_options', True),
    ],
)
def test_options_of_a_program_beside_the_script_are_its_own(command: str, seen: bool) -> None:
    assert names(f'own_options="a.cu -lineinfo"\n{command}\n', "option") == ["-lineinfo"] * seen


def test_options_of_an_nvcc_whose_output_is_read_stay_with_it() -> None:
    text = "V=$(nvcc --run -arch=sm_60 x.cu)\nnvcc -arch=sm_60 -c y.cu\n"
    assert find_in_text(text, "build.sh").after.startswith("V=$(nvcc --run -arch=sm_60 x.cu)\nhipcc --offload-arch=")


def test_the_gpu_of_an_option_may_be_a_word_of_its_own() -> None:
    text = 'GPU_FLAGS="-arch sm_35 -O2"\nMY_FLAGS="-arch x86_64 -O2"\n'
    after = find_in_text(text, "build.sh").after
    assert 'GPU_FLAGS="--offload-arch=' in after
    assert 'MY_FLAGS="-arch x86_64 -O2"' in after


@pytest.mark.parametrize(
    ("folder", "renamed"),
    [
        ("/usr/local/cuda", True),
        ("/opt/cuda/12.4", True),
        ("/usr/local/cuda/include", False),
        ("/x/cuda-12/lib64", False),
    ],
)
def test_a_folder_below_that_of_cuda_is_no_folder_of_rocm(folder: str, renamed: bool) -> None:
    changed = find_in_text(f"export CUDA_PATH={folder}\n", "run.sh", unsafe=True).after
    assert changed.startswith("export ROCM_PATH=") is renamed


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("which nvcc\nnvcc --version\n", False),
        ("if command -v nvcc; then nvcc -V; fi\n", False),
        ("bash ci/install-cuda-12.sh\nnvcc --version\n", False),
        ("which gcc\nnvcc --version\n", True),
        ("which nvcc\nnvcc -O3 a.cu\n", True),
        ("echo see install_cuda.sh\nnvcc -V\n", True),
    ],
)
def test_a_version_is_shown_of_the_compiler_that_stays(text: str, changed: bool) -> None:
    assert (after(text) != text) is changed


@pytest.mark.parametrize(
    ("command", "many"),
    [
        ("wget {}", 1),
        ("rm -f {}", 0),
        ("sudo rm -f {}", 0),
        ("rm -f a && wget {}", 1),
    ],
)
def test_address_among_what_is_removed_is_none(command: str, many: int) -> None:
    address = "https://developer.download.nvidia.com/compute/cuda/repos/a.deb"
    assert len([name for name in names(command.format(address) + "\n") if "developer" in name]) == many
