"""TensorRT included for the numbers of its release alone: nothing of the library is used, and nothing must replace it.

A header of the library is no use of it. What is used of it spells its namespace, one of its interfaces or one of its
functions somewhere; where no file does, the includes go and the conditions on the release are decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Rule
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook

RULE, _LIBRARY = "library/version-header", "library/tensorrt"
_HEADER = re.compile(r'\s*#\s*include\s*[<"](?:[^">]*/)?NvInfer(?:Version|Runtime|RuntimeCommon|RuntimeBase)?\.h[">]')
"""The headers that have the numbers; those of parsers and plug-ins are included for these."""
_USES = re.compile(
    rb"\bnv(?:infer|onnx|uff|caffe)\w*"
    rb"|\bI(?:Runtime|CudaEngine|ExecutionContext|Builder|BuilderConfig|NetworkDefinition|HostMemory|Plugin\w*)\b"
    rb"|\b(?:create\w*Infer\w+|getInferLib\w+|initLibNvInferPlugins|get\w*PluginRegistry|getPluginCreators"
    rb"|REGISTER_TENSORRT_PLUGIN)\b"
)
"""Namespaces, interfaces and functions of the library."""
_VERSION = re.compile(rb"\bNV_TENSORRT_(?:MAJOR|MINOR|PATCH|BUILD|VERSION)\b")
_CODE = ("cuda", "cxx")


def with_version_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with includes of TensorRT as work of their own where no code uses the library."""
    rule = book.rules.get(RULE)
    shown = [one for result in results for one in result.findings if one.rule == _LIBRARY]
    included = all(_HEADER.match(one.excerpt) for one in shown)
    if not shown or rule is None or not included or any(_holds(one, _USES, read) for one in results):
        return list(results)
    if not any(_holds(one, _VERSION, read) for one in results):  # nothing says what the header is included for
        return list(results)
    return [
        replace(result, findings=tuple(_judged(one, rule) for one in result.findings))
        if any(one.rule == _LIBRARY for one in result.findings)
        else result
        for result in results
    ]


def _holds(result: FileResult, pattern: re.Pattern[bytes], read: Read) -> bool:
    """Whether code of a file has a match of a pattern; a file that cannot be read may."""
    if result.language not in _CODE:
        return False
    source = read(result.path)
    if source is None:
        return True
    return pattern.search(source.data) is not None and any(True for _ in lexed(source).matches(pattern))


def _judged(finding: Finding, rule: Rule) -> Finding:
    if finding.rule != _LIBRARY:
        return finding
    message = rule.message.format(text=finding.excerpt.strip(), name=finding.name)
    return replace(
        finding, rule=rule.id, message=message, support=rule.support, outcome=rule.outcome, effort=rule.effort
    )
