"""Dockerfiles, YAML and devcontainers: what is seen in them, at which place, and what becomes of it."""

import pytest

from cudamigrate.frontends import devcontainer, docker, yaml
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text


def in_docker(text: str) -> list[str]:
    return [use.name for use in docker.parse(SourceFile("Dockerfile", text.encode(), "docker")).uses]


def in_yaml(text: str) -> list[str]:
    return [use.name for use in yaml.parse(SourceFile("a.yml", text.encode(), "yaml")).uses]


IMAGE = "image nvidia/cuda:12.4.1-devel-ubuntu22.04"


@pytest.mark.parametrize(
    "line",
    [
        "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04",
        "from --platform=linux/amd64 nvidia/cuda:12.4.1-devel-ubuntu22.04 as build",
        "FROM docker.io/nvidia/cuda:12.4.1-devel-ubuntu22.04",
        'ARG BASE="nvidia/cuda:12.4.1-devel-ubuntu22.04"',
        "COPY --from=nvidia/cuda:12.4.1-devel-ubuntu22.04 /a /b",
    ],
)
def test_image_is_seen_in_each_instruction_that_takes_one(line: str) -> None:
    assert IMAGE in in_docker(line + "\n")


@pytest.mark.parametrize(
    "line", ["# FROM nvidia/cuda:12.4.1-devel-ubuntu22.04", "LABEL base=nvidia/cuda:12.4.1-devel-ubuntu22.04"]
)
def test_image_in_a_comment_or_label_is_none(line: str) -> None:
    assert IMAGE not in in_docker(line + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "RUN a && \\\n    # why\n    pip install xformers\n",
        "RUN a && \\\n\n    pip install xformers\n",
        "RUN --mount=type=cache,target=/x \\\n  --network=host pip install xformers\n",
        'RUN ["pip", "install", "xformers"]\n',
        'RUN ["bash", "-ec", "a && pip install xformers"]\n',
        "HEALTHCHECK --interval=5m CMD pip install xformers || exit 1\n",
        'HEALTHCHECK CMD ["sh", "-c", "pip install xformers"]\n',
        "RUN <<EOF\npip install xformers\nEOF\n",
        "RUN <<'EOF' bash\nset -e\npip install xformers\nEOF\nFROM x\n",
        "# escape=`\nRUN a && `\n  pip install xformers\n",
        "ONBUILD RUN pip install xformers\n",
        "run pip install xformers\r\n",
    ],
)
def test_run_line_is_read_as_shell(text: str) -> None:
    assert "xformers" in in_docker(text)


@pytest.mark.parametrize("text", ['CMD ["echo", "a && nvcc k.cu"]\n', 'CMD ["sh", "a.sh", "nvcc k.cu"]\n'])
def test_a_word_that_no_shell_is_given_is_no_script(text: str) -> None:
    assert "nvcc" not in in_docker(text)


def test_environment_of_an_image_keeps_its_form() -> None:
    text = 'ENV A="x" \\\n    PATH="/usr/local/cuda/bin:$PATH"\nENV LD_LIBRARY_PATH /usr/local/cuda/lib64\n'
    after = find_in_text(text, "Dockerfile").after
    assert after == text.replace("/usr/local/cuda/bin", "/opt/rocm/bin").replace(
        "/usr/local/cuda/lib64", "/opt/rocm/lib"
    )


def test_dockerfile_with_an_unknown_instruction_is_broken() -> None:
    assert docker.broken(b"FROM a\nRUM b\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  steps:\n    - run: nvidia-smi\n",
        "a:\n  steps:\n    - run: |\n        set -e\n        nvidia-smi\n",
        "job:\n  script:\n    - nvidia-smi\n",
        "job:\n  before_script: [nvidia-smi]\n",
        "spec:\n  command: ['bash', '-c', 'nvidia-smi']\n",
        'steps:\n  - bash: "nvidia-smi"\n',
        "steps:\n  - command: >\n      sudo\n      nvidia-smi\n",
    ],
)
def test_shell_text_is_read_at_its_place(text: str) -> None:
    result = find_in_text(text, "ci.yml")
    assert result.after == text.replace("nvidia-smi", "amd-smi")
    assert [finding.position.line for finding in result.findings] == [text[: text.index("nvidia")].count("\n") + 1]


@pytest.mark.parametrize("phase", ["before_install", "install", "before_script", "after_success", "before_deploy"])
def test_each_phase_of_a_job_on_travis_is_shell(phase: str) -> None:
    text = f"{phase}:\n  - |\n    sudo apt-get install -y cuda-cufft-dev-10-1\n    CUDA_HOME=/usr/local/cuda-10.1\n"
    found = {finding.rule for finding in find_in_text(text, ".travis.yml").findings}
    assert {"environment/cuda-package", "environment/cuda-home"} <= found


@pytest.mark.parametrize(
    ("path", "key", "reads"),
    [(".cirrus.yml", "build_script", True), ("appveyor.yml", "build_script", False), (".cirrus.yml", "about", False)],
)
def test_scripts_of_tasks_have_names_of_their_own(path: str, key: str, reads: bool) -> None:
    uses = yaml.parse(SourceFile(path, f"task:\n  {key}: nvidia-smi\n".encode(), "yaml")).uses
    assert ("nvidia-smi" in [use.name for use in uses]) is reads


def test_packages_that_a_job_has_installed_are_seen() -> None:
    assert "apt cuda-toolkit-12-4" in in_yaml("addons:\n  apt:\n    packages:\n      - cuda-toolkit-12-4\n")
    assert "apt cuda-toolkit-12-4" not in in_yaml("npm:\n  packages:\n    - cuda-toolkit-12-4\n")


@pytest.mark.parametrize(
    "text",
    [
        "steps:\n  - run: print('nvidia-smi')\n    shell: python\n",
        "steps:\n  - shell: pwsh\n    run: nvidia-smi\n",
        "name: nvidia-smi\n",
        "# run: nvidia-smi\n",
        "steps:\n  - run: |\n      # nvidia-smi\n      true\n",
    ],
)
def test_text_for_no_shell_is_not_read_as_one(text: str) -> None:
    assert "nvidia-smi" not in in_yaml(text)


def test_expression_of_a_workflow_is_one_word() -> None:
    text = "a:\n  - run: pip install torch==${{ matrix.torch }} --index-url https://download.pytorch.org/whl/cu130\n"
    assert find_in_text(text, "ci.yml").after == text


@pytest.mark.parametrize(
    "text",
    [
        "env:\n  CUDA_LAUNCH_BLOCKING: '1'\n",
        "environment:\n  - CUDA_LAUNCH_BLOCKING=1\n",
        "env: {CUDA_LAUNCH_BLOCKING: 1}\n",
        "- run: CUDA_LAUNCH_BLOCKING=1 python x.py\n",
        "env:\n  - name: CUDA_LAUNCH_BLOCKING\n    value: '1'\n",
    ],
)
def test_variable_is_renamed_in_each_form(text: str) -> None:
    assert find_in_text(text, "ci.yml").after == text.replace("CUDA_LAUNCH", "HIP_LAUNCH")


def test_compose_service_with_both_forms_gets_devices_once() -> None:
    text = (
        "services:\n  a:\n    image: x\n    runtime: nvidia\n    deploy:\n      resources:\n        reservations:\n"
        "          devices:\n            - driver: nvidia\n              capabilities: [gpu]\n    tty: true\n"
    )
    assert find_in_text(text, "compose.yaml").after == (
        "services:\n  a:\n    image: x\n    devices:\n      - /dev/kfd\n      - /dev/dri\n"
        "    group_add:\n      - video\n    tty: true\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "services:\n  a:\n    runtime: nvidia\n    devices:\n      - /dev/x\n",
        "services:\n  a: {runtime: nvidia}\n",
        "services:\n  a:\n    deploy:\n      resources:\n        limits: {memory: 1g}\n        reservations:\n"
        "          devices:\n            - driver: nvidia\n",
    ],
)
def test_compose_service_that_says_more_is_reported_and_left(text: str) -> None:
    result = find_in_text(text, "docker-compose.yml")
    assert (result.after, [finding.rule for finding in result.findings]) == (text, ["environment/compose-gpus"])


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        (".gitlab-ci.yml", "job:\n  tags: [gpu]\n", True),
        ("post.yml", "tags: [gpu]\n", False),
        ("issue.yml", "labels: [gpu]\n", False),
        ("ci.yml", "jobs:\n  a:\n    runs-on: {group: x, labels: [self-hosted, A100-80]}\n", True),
        ("ci.yml", "jobs:\n  a:\n    runs-on: ubuntu-latest\n", False),
    ],
)
def test_label_of_a_runner_is_one_where_it_chooses_a_runner(path: str, text: str, found: bool) -> None:
    uses = yaml.parse(SourceFile(path, text.encode(), "yaml")).uses
    assert ("runner label" in [use.name for use in uses]) == found


def test_anchors_and_tags_do_not_hide_a_value() -> None:
    assert "image nvidia/cuda:1" in in_yaml("x: &a !t\n  image: &b nvidia/cuda:1\n")


def test_yaml_that_is_broken_is_read_where_it_is_sound() -> None:
    assert IMAGE in in_yaml("a:\n  image: nvidia/cuda:12.4.1-devel-ubuntu22.04\nb: [\n")


def test_devcontainer_commands_and_variables_are_read() -> None:
    text = '{"postCreateCommand": {"a": "nvidia-smi"}, "containerEnv": {"CUDA_LAUNCH_BLOCKING": "1"}, // c\n "x": 1}\n'
    uses = devcontainer.parse(SourceFile("devcontainer.json", text.encode(), "devcontainer")).uses
    assert [use.name for use in uses] == ["nvidia-smi", "CUDA_LAUNCH_BLOCKING"]


def test_a_setting_in_another_encoding_ends_where_it_is_written() -> None:
    data = 'ENV CUDA_HOME="/usr/local/cuda \u00e9" A=b\n'.encode("latin-1")
    use = docker.parse(SourceFile("Dockerfile", data, "docker")).uses[0]
    assert data[use.extent.start : use.extent.end] == 'CUDA_HOME="/usr/local/cuda \u00e9"'.encode("latin-1")


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("RUN x=$((1<<BITS))\nFROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n", True),  # a shift, and no text behind it
        ("RUN <<BITS\nFROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nBITS\n", False),
    ],
)
def test_text_of_a_heredoc_ends_with_its_tag(text: str, reads: bool) -> None:
    assert (IMAGE in in_docker(text)) == reads
