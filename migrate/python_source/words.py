"""Words in strings that mean something to a GPU project: commands, environment variables, libraries, packages.

Result: uses named `!nvcc` for a command, `$NAME` for an environment variable, `"word"` for any other literal, and uses
of kind `package` for the requirements that a setup.py lists.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.python_source import own_runners, toolkit_search
from cudamigrate.python_source.literals import inside, plain
from cudamigrate.python_source.names import Names
from cudamigrate.python_source.source import PySource, argument, enclosing

_COMMANDS = (
    "nvcc|nvidia-smi|ptxas|cuobjdump|nvdisasm|nvlink|fatbinary|nsys|ncu|nvprof|cuda-gdb|cuda-memcheck|compute-sanitizer"
    "|trtexec|trtllm-(?:build|serve|bench|eval)"
)
_COMMAND = re.compile(rf"(?:^|[/|;&]\s*|\s)({_COMMANDS})(?:\.exe)?(?=$|\s)")
"""One of the tools as a word of a command line: `cd a && nvcc b.cu`, `/usr/bin/nvcc.exe`; `nvcc_flags` is none."""
_FIRST = re.compile(rf"(?:^|.*/)({_COMMANDS})(?:\.exe)?(?=$|\s)")
"""One of the tools at the beginning, with or without a folder: `nvcc -c a.cu`, `/usr/local/cuda/bin/nvcc`."""
_BEGUN = re.compile(rf"[\w./-]*(?<![\w.-])(?:{_COMMANDS})(?:\.exe)? (?=(?:[^{{}}\\]|\\[\"'\n])*\{{)")
"""The same where something is filled in behind it: `nvcc -c {name}`."""
_ENVIRONMENT = re.compile(
    rb"(?:environ\s*\[|environ\s*\.\s*(?:get|pop|setdefault)\s*\(|getenv\s*\(|putenv\s*\(|setenv\s*\(|delenv\s*\("
    rb"|unsetenv\s*\(|\benv(?:ironment|_vars|s)?\s*\[|_env(?:_var)?\s*\(|\benv\s*\.\s*(?:get|pop|setdefault)\s*\()\s*$"
)
"""What is before the name of a variable of the environment: `os.environ[`, `getenv(`, a dictionary's `env[`."""
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{3,}")
_LIBRARY = re.compile(r"(?:.*/)?(lib[\w+-]+\.so)(?:\.[\d.]+)?$|(\w+?)(?:64)?(?:_[\d_]+)?\.dll$")
"""A shared library, its version left out: `/usr/lib/libcudart.so.12`, and `cublas` of `cublas64_12.dll`."""
_OWN_OPTIONS = frozenset(("NVCC_FLAGS",))
"""Variables that no program of NVIDIA's reads: those who read one made it an option of theirs."""
_WORD = re.compile(r"[\w./:+= -]{2,80}")
_INTERESTING = re.compile(
    r"(?i)cu|nv|tensor|gpu|sm_|compute_|hip|rocm|tf32|trt|ptx|fatbin|sass|jit|geforce|tesla|[ahbvtlp]\d"
)
"""Parts of words that may matter, so that others need no look-up; `[ahbvtlp]` with a digit is a GPU: `a100`, `t4`."""
_WORTH = re.compile(
    rb"[cC][uU]|[nN][vVsSc]|[tT]ensor|[gG][pP][uU]|[sS][mM]_|hip|HIP|rocm|ROCM|ROCm|tf32|TF32|[pP][tT]x|PTX|[jJ][iIaA]"
    rb"|VISIBLE|trt|sass|fatbin|GeForce|Tesla|compute|XLA|[A-Z]\d\d?0?|asm"
)
"""Bytes of which a string has some if it may matter: a fast test before it is decoded, which lets too many pass."""
_FOR_CMAKE = re.compile(
    rb"-D(?:CMAKE_CUDA_(?:ARCHITECTURES|COMPILER|FLAGS|HOST_COMPILER)|CUDA_TOOLKIT_ROOT_DIR|CUDAToolkit_ROOT)(?=(?::\w+)?=)"
)
"""How a literal begins that sets CUDA up for a run of CMake; another `-DNAME=1` may be for a compiler."""
_PROGRAM = re.compile(rf"(?:[\w./-]*/)?(?:{_COMMANDS})(?:\.exe)?")
"""One of the tools and nothing else, with or without a folder: `/usr/local/cuda/bin/nvcc`."""
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:$|[<>=!~;@,\s(])")
"""A requirement by its name: `torch[gpu] >= 2`, `a @ https://...`; a path or address alone (`./a`, `b/c`) is none."""
_JOINED = ("binary_operator", "parenthesized_expression")
_LISTS = (b"install_requires", b"setup_requires", b"tests_require", b"extras_require")


def uses(py: PySource, names: Names) -> Iterator[Use]:
    """Commands, environment variables and other words, in the order of the text."""
    for node in py.kind("string"):
        if node.end_byte - node.start_byte > 300 or not _WORTH.search(py.text, node.start_byte, node.end_byte):
            continue
        given = _FOR_CMAKE.match(py.text, inside(node)[0])
        if given is not None:
            yield _use(py, given[0].decode(), *given.span(), node)
            continue
        text = plain(py, node)
        text = _path(py, node) if text is None else text
        if not text:
            continue
        command = _command(py, names, node, text)
        if command is not None:
            yield command
            continue
        if not _WORD.fullmatch(text):
            continue
        start = inside(node)[0]
        if _VARIABLE.fullmatch(text) and _is_environment(py, node):
            if text not in _OWN_OPTIONS or not _is_only_read(py, node):
                yield _use(py, f"${text}", start, start + len(text), node)
            continue
        text = _library(text)
        if _INTERESTING.search(text):
            yield _use(py, f'"{text}"', *inside(node), node)


def _library(text: str) -> str:
    """A text, or the library that it names, without its version."""
    library = _LIBRARY.match(text)
    return text if library is None else library[1] or f"lib{library[2]}.so"


def _path(py: PySource, node: Node) -> str:
    """An f-string that ends in a program's path, as `f"{home}/bin/nvcc"`, or what begins with one of its name."""
    start, end = inside(node)
    raw = py.text[start:end].decode("utf-8", "replace")
    begun = _BEGUN.match(raw)
    if begun is not None:
        return begun[0]
    return raw if re.search(rf"/({_COMMANDS})$", raw) and "\\" not in raw and raw.isascii() else ""


def _use(py: PySource, name: str, start: int, end: int, node: Node) -> Use:
    return Use("string", name, py.span(start, end), py.place(node), certainty="syntax")


def _command(py: PySource, names: Names, node: Node, text: str) -> Use | None:
    """A program that is run: the first word of a list or string that a call runs, or a path that is put together."""
    match = _FIRST.match(text)
    if match is None:
        match = _COMMAND.search(text) if len(text.split()) > 1 else None
        if match is None:
            return None
    if not _runs(py, names, node, text):
        return None
    start = inside(node)[0]
    begin = start + len(text[: match.start(1)].encode())
    return _use(py, f"!{match[1]}", begin, begin + len(match[1]), node)


def _runs(py: PySource, names: Names, node: Node, text: str) -> bool:
    """Whether a literal, what is put together with it, or a variable that holds it, is the program of a command."""
    if _is_run(py, names, node, text):
        return True
    holder = node.parent
    while holder is not None and holder.start_byte == node.start_byte and _is_part(py, holder):
        holder = holder.parent
    target = holder.child_by_field_name("left") if holder is not None and holder.type == "assignment" else None
    if target is None or target.type != "identifier":
        return False
    given = [one for one in _arguments(py, py.raw(target)) if _is_run(py, names, one, text)]
    if _PROGRAM.fullmatch(text) is not None and _is_filled_in(py, node, py.raw(target)):
        return True
    if re.fullmatch(rf"(?:{_COMMANDS})(?:\.exe)?", text) is not None:
        return bool(given)
    around = enclosing(
        node, "function_definition"
    )  # a command with its words, put together in the function that runs it
    return _FIRST.match(text) is not None and any(enclosing(one, "function_definition") == around for one in given)


def _is_part(py: PySource, holder: Node) -> bool:
    """Whether an expression that begins with a literal is a longer text: joined to others, or filled in."""
    formats = holder if holder.type == "attribute" else holder.child_by_field_name("function")
    return holder.type in _JOINED or (formats is not None and py.raw(formats).endswith(b".format"))


def _is_filled_in(py: PySource, node: Node, name: bytes) -> bool:
    """Whether a function runs a command that it fills a variable in: `line = f"CC={name} make"`, `run(line)`."""
    around = enclosing(node, "function_definition")
    texts = [one for one in py.kind("string") if around is not None and enclosing(one, "function_definition") == around]
    waiting, seen = [name], {name}
    while waiting:
        filled = b"{%b}" % waiting.pop()
        for text in texts:
            user = enclosing(text, "call", "assignment") if filled in py.raw(text) and _is_formatted(py, text) else None
            if user is not None and user.type == "call":
                function = user.child_by_field_name("function")
                if function is not None and own_runners.RUNS.search(py.raw(function)):
                    return True
            target = user.child_by_field_name("left") if user is not None and user.type == "assignment" else None
            if target is not None and target.type == "identifier" and py.raw(target) not in seen:
                seen.add(py.raw(target))
                waiting.append(py.raw(target))
    return False


def _is_formatted(py: PySource, text: Node) -> bool:
    return b"f" in py.raw(text)[: inside(text)[0] - text.start_byte].lower()


def _arguments(py: PySource, name: bytes) -> Iterator[Node]:
    """The arguments of calls that are a variable and nothing else."""
    for call in py.kind("call"):
        listed = call.child_by_field_name("arguments")
        for one in listed.named_children if listed is not None else ():
            if one.type == "identifier" and py.raw(one) == name:
                yield one


def _is_run(py: PySource, names: Names, node: Node, text: str) -> bool:
    """Whether an expression is the program of a command, or a part of its path."""
    parent = node.parent
    while parent is not None and parent.type in ("binary_operator", "parenthesized_expression", "keyword_argument"):
        node, parent = parent, parent.parent
    if parent is not None and parent.type == "list":
        first = next((child for child in parent.named_children if child.type != "comment"), None)
        return first is not None and first.start_byte == node.start_byte and _is_command_line(parent)
    if parent is not None and parent.type == "argument_list" and parent.parent is not None:
        if toolkit_search.joins(py, names, parent.parent) or toolkit_search.seeks(py, names, parent.parent, node):
            return re.fullmatch(rf"(?:.*/)?(?:{_COMMANDS})(?:\.exe)?", text) is not None
        return own_runners.runs(py, parent.parent, node)
    return False


def _is_command_line(node: Node) -> bool:
    """A list whose first element is a program: given to a call, or followed by more words."""
    if node.named_child_count > 1:
        return True
    return node.parent is not None and node.parent.type == "argument_list"


def _is_only_read(py: PySource, node: Node) -> bool:
    """Whether a program asks for a variable and keeps the value, `flags = os.getenv("NVCC_FLAGS", "")`: its own option.

    What it does with the value is not a matter of the variable. Setting it is for another program.
    """
    call = enclosing(node, "call", "subscript", "assignment")
    if call is None or call.type == "assignment":
        return False
    if call.type == "subscript":
        holder = call.parent
        return holder is None or holder.type != "assignment" or holder.child_by_field_name("left") != call
    function = call.child_by_field_name("function")
    return (
        function is not None and re.search(rb"(?:getenv|environ(?:b)?\s*\.\s*get)\s*\Z", py.raw(function)) is not None
    )


def _is_environment(py: PySource, node: Node) -> bool:
    before = py.text[max(0, node.start_byte - 48) : node.start_byte]
    if _ENVIRONMENT.search(before):
        return True
    after = py.text[node.end_byte : node.end_byte + 32]
    if re.match(rb"\s*(?:not\s+)?in\s+(?:os\s*\.\s*)?env", after):
        return True
    if _is_looked_up(py, node):
        return True
    pair = node.parent if node.parent is not None and node.parent.type == "pair" else None
    if pair is not None and pair.child_by_field_name("key") == node:
        around = enclosing(pair, "keyword_argument", "assignment", "call")
        target = None
        if around is not None:
            target = around.child_by_field_name(
                {"keyword_argument": "name", "assignment": "left"}.get(around.type, "function")
            )
        return target is not None and re.search(rb"(?i)env", py.raw(target)) is not None
    return False


def _is_looked_up(py: PySource, node: Node) -> bool:
    """Whether a literal is one of those that a loop looks up: `for name in ["A", "B"]: os.environ[name]`."""
    listed = node.parent if node.parent is not None and node.parent.type in ("list", "tuple", "set") else None
    loop = listed.parent if listed is not None else None
    if loop is None or loop.type != "for_statement" or loop.child_by_field_name("right") != listed:
        return False
    name, body = loop.child_by_field_name("left"), loop.child_by_field_name("body")
    if name is None or name.type != "identifier" or body is None:
        return False
    named = re.compile(rb"\b%b\b" % re.escape(py.raw(name)))
    places = (found.start() for found in named.finditer(py.text, body.start_byte, body.end_byte))
    return any(_ENVIRONMENT.search(py.text[max(0, at - 48) : at]) for at in places)


def packages(py: PySource) -> Iterator[Use]:
    """The requirements in the lists that a setup.py hands to `setup`."""
    for call in py.kind("call"):
        function = call.child_by_field_name("function")
        if function is None or py.raw(function).rpartition(b".")[2] != b"setup":
            continue
        for name in _LISTS:
            yield from _required(py, argument(py, call, -1, name.decode()), 0)


def _required(py: PySource, node: Node | None, depth: int) -> Iterator[Use]:
    if node is None or depth > 60:
        return
    if node.type == "string":
        text = plain(py, node)
        match = _REQUIREMENT.match(text) if text else None
        if match is not None:
            start = inside(node)[0]
            span = py.span(start + match.start(1), start + match.end(1))
            name = re.sub(r"[-_.]+", "-", match[1]).lower()
            yield Use("package", name, span, py.span(*inside(node)), certainty="syntax")
    elif node.type == "identifier":
        for value in py.values(py.raw(node)):
            yield from _required(py, value, depth + 20)
    elif node.type == "pair":
        yield from _required(py, node.child_by_field_name("value"), depth + 1)
    elif node.type in ("list", "tuple", "dictionary", "binary_operator", "parenthesized_expression", "set"):
        for child in node.named_children:
            yield from _required(py, child, depth + 1)
