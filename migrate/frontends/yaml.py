"""YAML of compose, workflows, clusters -> ProjectFile: images, keys, variables, and shell text at its place.

What it is for shows in its keys alone: a key that holds shell text is the same in a workflow of GitHub, a pipeline of
GitLab, a service of compose and a pod of Kubernetes.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.environment import command_uses, conda_files
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import shell as shellwords
from cudamigrate.syntax import tree_sitter_nodes, yaml_scalars
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import by_place, elsewhere
from cudamigrate.syntax.shell import Word
from cudamigrate.syntax.yaml_scalars import Scalar

FILES = {".yml": "yaml", ".yaml": "yaml"}
PART = "environment"
TRIGGER = command_uses.TRIGGER

_SHELL = {"run", "script", "before_script", "after_script", "bash", "command", "commands", "args", "entrypoint", "cmd",
          "test", "pre_install", "install", "setup", "postCreateCommand", "before_install", "before_cache",
          "after_success", "after_failure", "before_deploy", "after_deploy"}  # fmt: skip
"""Keys whose text a shell reads, the phases of a job on Travis CI among them."""
_TASK = re.compile(r"[a-z]\w*_script")
"""A script of a task on Cirrus CI, by the name that it is given: `build_script`. AppVeyor's are for Windows' shell."""
_OTHER_SHELLS = re.compile(r"python|pwsh|powershell|cmd|node|perl|ruby", re.I)
"""What `shell:` names where its text is not for a POSIX shell, within a path too: `python`, `/usr/bin/perl`."""
_OF_WINDOWS = re.compile(r"pwsh|powershell|cmd", re.I)
"""Shells of Windows: programs are called with their options in these too, and addresses are what they are."""
_ENVIRONMENTS = frozenset(("env", "environment", "variables"))
"""Keys of what a job, a step or a service finds in its environment."""
_IMAGES = {"image", "container", "name", "from", "uses"}
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_RUNNER = re.compile(r"(?i)(?:^|[-_.])(?:gpu|cuda|nvidia|a100|a10g?|h100|h200|t4|v100|l4|l40s?|rtx\w*)(?:$|[-_.\d])")
"""A runner's label with GPU as a part of its own: `gpu-large`, `linux.a100`; a digit may follow, as in `gpu2`."""
_NODE = re.compile(
    r"(?:[\w.-]+\.)?nvidia\.com/[\w.-]+|cloud\.google\.com/gke-accelerator|k8s\.amazonaws\.com/accelerator"
)
"""Kubernetes keys that ask for NVIDIA GPUs: `nvidia.com/gpu`, `feature.node.nvidia.com/x`, and those of two clouds."""
_MODEL = re.compile(r"(?i)nvidia[-_].+|tesla[-_].+")


def parse(source: SourceFile) -> ProjectFile:
    """Read the scalars of a YAML file."""
    if elsewhere(source.path, source.data):
        return ProjectFile(source)
    data = source.data
    tree = yaml_scalars.parse(data)
    found = command_uses.UseCollector(data)
    gitlab, cirrus = "gitlab" in source.path.lower(), ".cirrus." in source.path
    for item in yaml_scalars.scalars(data, tree.root_node):
        if item.key:
            _key(found, item)
        elif item.last == "tags" and not gitlab:
            continue  # words about a post or a release
        else:
            _value(found, item, cirrus)
    for one in conda_files.packages(data):
        if isinstance(one, Use):
            found.uses.append(one)
        else:
            found.requirements.append(one)
    return ProjectFile(source, found.all_uses(), tree, requirements=by_place(found.requirements))


def broken(data: bytes) -> int:
    """How many bytes the YAML grammar cannot place."""
    return tree_sitter_nodes.error_bytes(yaml_scalars.parse(data))


def _key(found: command_uses.UseCollector, item: Scalar) -> None:
    if _NODE.fullmatch(item.text):
        found.add(item.text, item.span)
    elif item.text == "deploy":
        _reservation(found, item)
    elif _VARIABLE.fullmatch(item.text):
        value = item.node.child_by_field_name("value")
        at = Span(value.start_byte, value.end_byte) if value is not None else Span(item.span.end, item.span.end)
        extent = Span(item.node.start_byte, item.node.end_byte)
        found.add(item.text, item.span, extent, (at,))


def _reservation(found: command_uses.UseCollector, item: Scalar) -> None:
    """NVIDIA's devices that a compose service reserves."""
    value = item.node.child_by_field_name("value")
    node = yaml_scalars.value_of(found.data, value, "resources", "reservations", "devices")
    if node is None:
        return
    for inner in yaml_scalars.scalars(found.data, node):
        if not inner.key and inner.last == "driver" and inner.text == "nvidia":
            found.add("compose driver nvidia", inner.span, Span(item.node.start_byte, item.node.end_byte))


def _value(found: command_uses.UseCollector, item: Scalar, cirrus: bool) -> None:
    data, last = found.data, item.last
    word = Word(item.text, item.span, plain=True)
    if last in _SHELL or (cirrus and _TASK.fullmatch(last)):
        _shell(found, item)
        return
    if item.style in ("plain", "single", "double"):
        if last in _IMAGES:
            command_uses.image(found, word)
        _keyed(found, item)
        if not _ENVIRONMENTS.isdisjoint(item.path):
            command_uses.flags(found, last, item.span)
        if re.match(r"[A-Z][A-Z0-9_]*=", item.text):
            command_uses.setting(found, word)
            return
        if _VARIABLE.fullmatch(last):
            command_uses.image(found, word)
    elif _is_container_options(item):
        command_uses.container_options(found, item.span)
    for line in _lines(data, item.span):
        command_uses.text(found, line)


def _is_container_options(item: Scalar) -> bool:
    """Whether a value is what a workflow starts a container with."""
    return item.last == "options" and ("container" in item.path or "services" in item.path)


def _keyed(found: command_uses.UseCollector, item: Scalar) -> None:
    """Values whose key gives them their meaning."""
    last, text = item.last, item.text
    if last == "uses":
        found.add(f"action {text.partition('@')[0]}", item.span)
    elif last == "runtime" and text == "nvidia":
        found.add("compose runtime nvidia", item.span, _pair(item))
    elif _is_container_options(item):
        command_uses.container_options(found, item.span)
    elif last == "gpus" and "services" in item.path:
        found.add("compose gpus", item.span)
    elif last == "name" and _VARIABLE.fullmatch(text):
        found.add(text, item.span, _pair(item))
    elif last == "packages" and "apt" in item.path:
        command_uses.system_package(found, Word(text, item.span, plain=True))
    elif last in ("channels", "conda-channels"):
        found.add(f"conda channel {text}", item.span)
    else:
        _chosen(found, item)


def _chosen(found: command_uses.UseCollector, item: Scalar) -> None:
    """Values that choose a machine: a runner, a node, a runtime of nodes."""
    last, text = item.last, item.text
    if last == "runtimeClassName":
        found.add(f"runtimeClassName {text}", item.span)
    elif last in ("runs-on", "tags", "resource_class") or "runs-on" in item.path[-2:]:
        if _RUNNER.search(text):
            found.add("runner label", item.span)
    elif last == "key" and _NODE.fullmatch(text):
        found.add(f"key {text}", item.span)
    elif "nodeSelector" in item.path and _MODEL.fullmatch(text):
        found.add("node label", item.span)


def _pair(item: Scalar) -> Span:
    node = item.node
    while node.parent is not None and node.type not in ("block_mapping_pair", "flow_pair"):
        node = node.parent
    return Span(node.start_byte, node.end_byte)


def _shell(found: command_uses.UseCollector, item: Scalar) -> None:
    """Text for a shell."""
    data, other = found.data, _other_shell(found.data, item)
    if other and not _OF_WINDOWS.search(other):
        return
    if item.verbatim and not other:
        folded = () if item.style == "literal" else tuple(_folded(data, item.span))
        command_uses.script(found, shellwords.read(data, item.span, folded))
    else:
        for line in _lines(data, item.span):
            command_uses.text(found, line)


def _other_shell(data: bytes, item: Scalar) -> str:
    """The interpreter other than a POSIX shell that a key beside names for the text; empty without one."""
    node = item.node
    while node.parent is not None and node.type not in ("block_mapping", "flow_mapping"):
        node = node.parent
    shell = yaml_scalars.value_of(data, node, "shell")
    named = (shell.text or b"").decode("latin-1") if shell is not None else ""
    return named if _OTHER_SHELLS.search(named) else ""


def _folded(data: bytes, span: Span) -> Iterator[Span]:
    """The line ends that YAML reads as blanks: those between two lines that hold text."""
    for match in re.finditer(rb"(?<=\S)[ \t]*\r?(\n)(?=[ \t]*\S)", data[span.start : span.end]):
        yield Span(span.start + match.start(1), span.start + match.end(1))


def _lines(data: bytes, span: Span) -> Iterator[Span]:
    """The lines of a value."""
    at = span.start
    while at < span.end:
        end = data.find(b"\n", at, span.end)
        end = span.end if end < 0 else end + 1
        yield Span(at, end)
        at = end
