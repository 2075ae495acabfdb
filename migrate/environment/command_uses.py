"""Shell commands -> uses as rules spell them: tools, options, packages, images, variables, paths, addresses.

Result: `Use`s with the requirements among them. What they mean is in the rules.

Names: a tool by its own (`nvcc`), `nvidia-smi` with its options, `find nvcc` where it is looked for; `apt NAME` for a
package of a distribution, `image NAME` for a container, `docker --gpus all`, `slurm gpu:TYPE`; variables and paths as
they are, a path without the release in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cudamigrate.environment import (
    build_options,
    cluster_jobs,
    compiler_variables,
    device_links,
    fetched_code,
    hardware_queries,
    mixed_inputs,
    shown_compiler,
    sought_texts,
    toolkit_paths,
)
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import started_programs
from cudamigrate.syntax.python_requirements import Requirement, addresses, normalised, requirement
from cudamigrate.syntax.shell import Assignment, Script, Word, split

TRIGGER = re.compile(
    rb"(?i)cu(?:da|dnn|dss|file|obj|fft|blas|sparse|solver|rand|tensor|\+\+|vs|graph|ml|df|py|cim|pti)|nv(?:[-_]|idia|cc|cr"
    rb"|prof|link|disasm|prune|inf|vp|itop|onnx|parsers|rtc|jpeg|vm|tx|ml|diff|nccl|math|comp)|nccl|libnpp|nsys|\bncu|nsight"
    rb"|ptxas|fatbinary|compute-sanitizer|dcgm|dlprof|nvlabs|nvhpc|rapidsai|datacenter-gpu|tensorrt|gpu|gres|torch|vllm|ollama|tensorflow"
    rb"|sglang|text-generation-inference|llama\.cpp|trt(?:exec|llm)|xformers|sage-attention"
    rb"|\bpip[\d.]*\s|\b(?:uv|poetry|pdm|pixi|conda|mamba|micromamba)\s|--nv\b|--runtime|--constraint|accelerator|tesla"
    rb"|\bclang[^\n]*\.cu\b|[-_ ](?:a100|a10g?|[hv]100|h200|t4|l4|l40s?|rtx)"
)
"""Matches somewhere in every script that names something of CUDA's or installs Python packages."""
_WITH_OPTIONS = {"nvidia-smi"}
"""Tools whose options decide what they become."""
_PRINTING = {"nvcc"}
"""Tools that may also be called for what they print of themselves."""
_FINDERS = {"command", "hash", "type", "which"}
"""Commands that ask whether there is a tool."""
_PIP = re.compile(r"(?:.*/)?pip[\d.]*")
_PYTHON = re.compile(r"(?:.*/)?python[\d.]*")
_CONDA = {"conda", "mamba", "micromamba"}
_SYSTEM = {"apt", "apt-get", "aptitude", "yum", "dnf", "microdnf", "tdnf", "zypper", "apk"}
_CONTAINERS = {"docker", "podman", "nerdctl", "nvidia-docker", "singularity", "apptainer", "docker-compose", "enroot"}
_SLURM = {"sbatch", "srun", "salloc"}
_VALUED = {
    "-r", "-c", "-f", "-i", "-t", "-e", "--requirement", "--constraint", "--find-links", "--index-url", "--index",
    "--extra-index-url", "--target", "--prefix", "--root", "--src", "--python",
    "--torch-backend", "--editable",
    "--default-index", "--platform", "--python-version", "--only-binary", "--no-binary", "--trusted-host",
    "--cache-dir", "--config-settings", "--global-option", "--timeout", "--retries", "--proxy", "--group", "--extra",
    "-p", "--progress-bar", "--upgrade-strategy", "--report", "--abi", "--implementation", "--log", "--cert",
}  # fmt: skip
"""Options of pip and uv that take the next word."""
_CONDA_VALUED = {"-c", "--channel", "-n", "--name", "-p", "--prefix", "--file", "-f"}
_IMAGE = re.compile(
    r"(?:docker://|docker-daemon:)?((?:[\w.-]+(?::\d+)?/)?[\w.-]+/[\w./-]+(?::(?:\$\{\{[^{}\n]*\}\}|[\w.${}-])+)?(?:@sha256:\w+)?)"
)
"""An image with its owner: `docker://nvcr.io/nvidia/cuda:12.4`; the tag may hold variables, `cuda:${VERSION}`, and
expressions of a workflow."""
_ELSEWHERE = re.compile(r"rocm|^cpuonly$|/whl/(?:nightly/|test/)?(?:cpu|xpu)|\+(?:cpu|xpu)")
"""What says that a command installs for other hardware already."""
_OTHER_TAG = re.compile(r"(?:^|[-_.])(?:rocm|cpu|xpu|intel|gaudi|hpu|neuron|npu|vulkan|musa|sycl)")
"""What says in the tag of an image that it is built for other hardware, where its name is that of the one for CUDA."""
_DEVICE_NODE = re.compile(
    rb"/dev/nvidia(?:\d+|ctl|-uvm(?:-tools)?|-modeset|-caps)?(?![\w-])(?::/dev/nvidia[\w-]*(?::\w+)?)?"
)
"""A device file, and where a container sees it: `/dev/nvidia0:/dev/nvidia0:rw`; not `/dev/nvidia-fs`."""
_CDI_DEVICE = re.compile(rb"(?<![\w./])nvidia\.com/gpu(?==(?:all|\d+)(?![\w:-]))")
"""GPUs as the Container Device Interface calls them, by number or all; an identifier names one of NVIDIA's."""
_LAUNCHED = re.compile(r"(?:.*/)?(?:main|launch|webui)\.(?:py|sh)")
"""What starts ComfyUI and the web interface of Stable Diffusion."""
_LAUNCH_OPTIONS = re.compile(rb"(?<![\w-])--(?:cuda-malloc|xformers|use-sage-attention)(?![\w-])")
"""An option that needs CUDA, as a whole word: `--xformers`; not `--xformers-flash` (lookahead)."""


@dataclass(slots=True)
class UseCollector:
    """What was found so far; uses and the requirements among them."""

    data: bytes
    uses: list[Use] = field(default_factory=list)
    requirements: list[Requirement] = field(default_factory=list)

    def add(self, name: str, span: Span, extent: Span | None = None, args: tuple[Span, ...] = ()) -> None:
        """One use of a name."""
        self.uses.append(Use("name", name, span, extent or span, args, certainty="syntax"))

    def all_uses(self) -> list[Use]:
        """Each use once, in the order of the file."""
        every = [*self.uses, *(item.use for item in self.requirements)]
        return shown_compiler.marked(self.data, sorted(dict.fromkeys(every), key=lambda use: (use.span, use.name)))


def script(found: UseCollector, read: Script) -> None:
    """Everything in a script."""
    folders, within = compiler_variables.folders_above(read), list(compiler_variables.libraries_above(found.data, read))
    compilers = [one.value.span for one in compiler_variables.found_compilers(read)]
    for command in read.commands:
        first = command.words[0].span
        if any(_is_within(first, span) for span in compilers):
            for word in (one for one in command.words if one.text == "nvcc"):
                found.add("nvcc", word.span)
        elif not any(_is_within(first, span) for span in (*folders, *(one.span for one in within))):
            _command(found, command.words, command.read)
        found.uses.extend(fetched_code.known(found.data, first.start, command.words[-1].span.end))
        called = [word.text for word in command.words if word.text not in ("sudo", "doas")]
        for word in command.words if called[:1] != ["rm"] else ():  # what goes installs nothing
            text(found, word.span)
    for word in read.tests:
        text(found, word.span)
    for assignment in read.assignments:
        variable(found, assignment)
    found.uses.extend((*(compiler_variables.folder(span) for span in folders), *within))
    found.uses.extend((*compiler_variables.tools(read), *compiler_variables.options(found.data, read)))
    found.uses.extend(compiler_variables.below_folders(found.data, read))
    found.uses.extend(mixed_inputs.uses(found.data, read))
    found.uses.extend(hardware_queries.uses(found.data, read))
    found.uses.extend(device_links.uses(read))
    found.uses[:] = sought_texts.marked(found.data, read, found.uses)
    for name, span in read.expansions:
        found.add(name, span)
    for span in read.directives:
        directive(found, span)


def _is_within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start < outer.end


def variable(found: UseCollector, assignment: Assignment) -> None:
    """A variable that is set, and what its value names."""
    found.add(assignment.name, assignment.span, assignment.extent, (assignment.value.span,))
    text(found, assignment.value.span)
    _defined(found, assignment.name, assignment.value.span)
    image(found, assignment.value)
    if assignment.name == "COMMANDLINE_ARGS":
        _launch_options(found, assignment.value.span)


def of_environment(found: UseCollector, assignment: Assignment) -> None:
    """A variable of the environment that no script has set, with the options that a build takes from it."""
    variable(found, assignment)
    found.uses.extend(compiler_variables.of_setting(found.data, assignment))


def flags(found: UseCollector, name: str, span: Span) -> None:
    """The options that a build takes from the value of a variable."""
    found.uses.extend(compiler_variables.of_value(found.data, name, span))
    _defined(found, name, span)


def _defined(found: UseCollector, name: str, span: Span) -> None:
    for option, one in build_options.of_variable(found.data, name, span):
        found.add(option, one)


def text(found: UseCollector, span: Span) -> None:
    """Addresses, paths and options of builds in a value or word."""
    found.uses.extend(addresses(found.data, span.start, span.end))
    for name, one in build_options.of(found.data, span):
        found.add(name, one)
    for match in _DEVICE_NODE.finditer(found.data, span.start, span.end):
        found.add("/dev/nvidia", Span(*match.span()))
    for match in _CDI_DEVICE.finditer(found.data, span.start, span.end):
        found.add("cdi nvidia.com/gpu", Span(*match.span()))
    for name, one in toolkit_paths.named(found.data, span):
        found.add(name, one)


def image(found: UseCollector, word: Word) -> None:
    """A container image, where the whole word looks like one; none that its tag gives to other hardware."""
    match = _IMAGE.fullmatch(word.text)
    if match is not None:
        start = word.span.start + len(word.text[: match.start(1)].encode())
        name = match[1].removeprefix("docker.io/")
        tag = name.partition("@")[0].rpartition("/")[2].partition(":")[2]
        if _OTHER_TAG.search(tag) and not name.startswith(("nvcr.io/", "nvidia/")):
            return
        found.add(f"image {name}", Span(start + len(match[1].encode()) - len(name.encode()), word.span.end))


def container_options(found: UseCollector, span: Span) -> None:
    """Options for a container without the command that takes them."""
    _container(found, split(found.data, span))


def directive(found: UseCollector, span: Span) -> None:
    """`#SBATCH` with its options."""
    match = re.match(rb"#+\s*SBATCH\b", found.data[span.start : span.end])
    if match is not None:
        _slurm(found, split(found.data, Span(span.start + match.end(), span.end)))


def _command(found: UseCollector, words: Sequence[Word], read: bool) -> None:
    """The tools of a command, looked for behind others that start them."""
    at = 0
    while at < len(words):
        name = words[at].text.rpartition("/")[2]
        if at and words[0].text in _FINDERS:
            found.add(f"find {name}", words[at].span)
        else:
            _tool(found, name, words[at:], read)
        if name in _SLURM:
            end = started_programs.behind([word.text for word in words], at) if name == "srun" else len(words)
            _slurm(found, words[at + 1 : end])
        if not started_programs.takes_command(name):
            return
        at = started_programs.behind([word.text for word in words], at)


def _slurm(found: UseCollector, words: Sequence[Word]) -> None:
    for name, span in cluster_jobs.slurm(words):
        found.add(name, span)


def _tool(found: UseCollector, name: str, words: Sequence[Word], read: bool) -> None:
    first, rest = words[0], words[1:]
    found.uses.extend(cluster_jobs.modules(words))
    extent = Span(first.span.start, words[-1].span.end)
    if name in _WITH_OPTIONS:
        found.add(" ".join(word.text for word in words) + " |" * read, _basename(first), extent)
    elif first.text == name and [word.text for word in words[1:]] == ["-V"] and name in _PRINTING and not read:
        found.add(f"{name} -V", extent)
        return
    elif first.text == name:
        found.add(f"{name} |" if read and name in _PRINTING else name, first.span, extent)
    if clang := compiler_variables.clang(name, rest):
        found.add(clang, first.span, extent)
    if not (name == "nvcc" and read and first.text == name):  # that stays: a person has to look at its output
        found.uses.extend(compiler_variables.given(name, rest))
    if any(_LAUNCHED.fullmatch(word.text) for word in words[:3]):
        _launch_options(found, extent)
    if name in _CONTAINERS:
        _container(found, rest)
    elif name in _SYSTEM:
        _system(found, rest)
    elif name in _CONDA:
        _conda(found, rest)
    else:
        _python(found, name, words)


def _launch_options(found: UseCollector, span: Span) -> None:
    """Options of ComfyUI and of Stable Diffusion's web interface that are for NVIDIA's GPUs."""
    for match in _LAUNCH_OPTIONS.finditer(found.data, span.start, span.end):
        found.add(f"launch {match[0].decode()}", Span(*match.span()))


def _basename(word: Word) -> Span:
    return Span(word.span.end - len(word.text.rpartition("/")[2].encode()), word.span.end)


def _container(found: UseCollector, words: Sequence[Word]) -> None:
    """Options that pass GPUs to a container, variables set in it, and its image."""
    at = 0
    verb = next((word.text for word in words if not word.text.startswith("-")), "")
    if verb in ("push", "tag", "manifest", "rmi", "login", "save"):
        return
    while at < len(words):
        word, name, value = words[at], *_option(words, at)
        joined = "=" in word.text or value is None
        end = word.span.end if joined or value is None else value.span.end
        span = Span(word.span.start, end + (found.data[end : end + 1] in (b"'", b'"') and not joined))
        setting = value.text.strip("'\"") if value is not None else ""
        if name in ("--gpus", "--runtime"):
            found.add(f"docker {name} {setting}", span, Span(words[0].span.start, words[-1].span.end))
        elif name in ("--nv", "--nvccli"):
            found.add(f"docker {name}", word.span)
        elif name in ("-e", "--env", "--build-arg") and value is not None and "=" in value.text:
            _setting(found, value)
        elif not word.text.startswith("-"):
            image(found, word)
        at += 1 if joined else 2 if name in ("--gpus", "--runtime", "-e", "--env", "--build-arg") else 1


def _option(words: Sequence[Word], at: int) -> tuple[str, Word | None]:
    """An option's name and its value, in the same word or the next."""
    word = words[at]
    name, equals, value = word.text.partition("=")
    if not word.text.startswith("-"):
        return "", None
    if equals:
        return name, Word(value, Span(word.span.start + len(name.encode()) + 1, word.span.end), word.plain)
    return name, words[at + 1] if at + 1 < len(words) else None


def _setting(found: UseCollector, word: Word) -> None:
    """`NAME=value` in one word."""
    name, _, value = word.text.partition("=")
    split_at = word.span.start + len(name.encode())
    setting = Word(value, Span(split_at + 1, word.span.end), word.plain)
    variable(found, Assignment(name, Span(word.span.start, split_at), word.span, setting))


def setting(found: UseCollector, word: Word) -> None:
    """`NAME=value` in one word, nothing where the word has another form."""
    if re.match(r"[A-Za-z_]\w*=", word.text):
        _setting(found, word)


def _system(found: UseCollector, words: Sequence[Word]) -> None:
    """Packages of the distribution that are installed or held."""
    texts = [word.text for word in words]
    verb = next((at for at, name in enumerate(texts) if name in ("install", "add", "in", "localinstall")), None)
    if verb is None:
        return
    for word in words[verb + 1 :]:
        if not word.text.startswith(("-", "$", ".", "/")) and "://" not in word.text:
            system_package(found, word)


def system_package(found: UseCollector, word: Word) -> None:
    """A package of the system, with its release or without."""
    found.add(f"apt {re.split('[=<>~]', word.text)[0]}", word.span)


def _python(found: UseCollector, name: str, words: Sequence[Word]) -> None:
    """Packages after `pip install` in its many spellings."""
    texts = [word.text for word in words[:5]]
    for at in range(len(texts) - 1):
        pip = _PIP.fullmatch(texts[at]) and (at == 0 or texts[at - 1] in ("-m", "uv", "pixi"))
        verbs = (
            ("install", "download", "wheel") if pip else ("add",) if at == 0 and name in ("uv", "poetry", "pdm") else ()
        )
        later = next((n for n in range(at + 1, len(texts)) if not texts[n].startswith("-")), 0)
        if later and texts[later] in verbs:
            _packages(found, words[later + 1 :], _VALUED, words[later].span.end)
            return
        if at == 0 and not (pip or _PYTHON.fullmatch(texts[0]) or name in ("uv", "pixi", "poetry", "pdm", "pipenv")):
            return


def _conda(found: UseCollector, words: Sequence[Word]) -> None:
    verb = next((at for at, word in enumerate(words) if word.text in ("install", "create", "update")), None)
    if verb is None:
        return
    for before, word in pairwise(words):
        if before.text in ("-c", "--channel"):
            found.add(f"conda channel {word.text}", word.span)
    _packages(found, words[verb + 1 :], _CONDA_VALUED, words[verb].span.end)


def _packages(found: UseCollector, words: Sequence[Word], valued: set[str], start: int) -> None:
    """The requirements among words; each is dropped with the blank before it, unless nothing else is asked for."""
    items: list[Requirement] = []
    if any(_ELSEWHERE.search(word.text) for word in words):
        return
    at, end = 0, start
    while at < len(words):
        word = words[at]
        if word.text.startswith("-"):
            _backend(found, words[at : at + 2])
            at += 2 if word.text in valued else 1
            end = words[min(at, len(words)) - 1].span.end
            continue
        quote = 1 if found.data[word.span.end : word.span.end + 1] in (b"'", b'"') else 0
        after = word.span.end + quote
        begin = word.span.start + (word.text.rfind("::") + 2 if "::" in word.text else 0)
        item = requirement(found.data, begin, word.span.end, Span(end, after)) or _filled_in(found.data, word)
        if item is not None:
            items.append(item)
        at, end = at + 1, after
    if all(item.name.startswith("nvidia-") for item in items):
        items = [Requirement(i.name, i.span, i.extras, i.version, i.local, clauses=i.clauses) for i in items]
    found.requirements.extend(items)


def _backend(found: UseCollector, words: Sequence[Word]) -> None:
    """`--torch-backend=cu128` of uv."""
    name, equals, value = words[0].text.partition("=")
    given = words[0] if equals else words[-1]
    value = value if equals else given.text
    if name == "--torch-backend" and value.startswith("cu"):
        found.add(f"torch-backend {value}", Span(given.span.end - len(value.encode()), given.span.end))


def _filled_in(data: bytes, word: Word) -> Requirement | None:
    """A requirement whose version a workflow fills in: `torch==${{ matrix.torch }}`."""
    match = re.match(rb"[A-Za-z0-9][\w.-]*", data[word.span.start : word.span.end])
    if match is None or "{{" not in word.text:
        return None
    name = Span(word.span.start, word.span.start + match.end())
    return Requirement(normalised(match[0]), name, version=Span(name.end, word.span.end))
