"""What `nvrtcGetPTX` gave is followed to where it is searched as text, and no other text is."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

GOT = "std::vector<char> code(n); nvrtcGetPTX(p, code.data()); "
DIRECTIVE = 'struct M { std::string t; size_t at() { return t.find(".visible .entry"); } };'


def found(rest: str, body: str) -> list[str]:
    given = "nvrtcProgram p, size_t n, std::string* out, std::string log"
    code = f"#include <nvrtc.h>\n{rest}\nvoid f({given}) {{ {body} }}\n"
    hits = (one for one in find_in_text(code, "a.cpp", None).findings if one.rule == "build/ptx-text")
    return [code[one.span.start : one.span.end] for one in hits]


@pytest.mark.parametrize(
    ("rest", "body", "searched"),
    [
        ("", GOT + 'out->assign(code.data(), n); use(out->find("entry"));', 'out->find("entry")'),
        ("", GOT + 'use(strstr(&code[0], "entry"));', 'strstr(&code[0], "entry")'),
        ("", GOT + "std::string s; s = std::string(code.data(), n); use(s.substr(3));", "s.substr(3)"),
        ("", GOT + "std::string s(code.begin(), code.end()); use(s.rfind(log));", "s.rfind(log)"),
        ("", "std::string s(n, 0); CHECK(nvrtcGetPTX(p, &s[0])); use(s.find(log));", "s.find(log)"),
        (
            "void cut(std::string* t) { std::istringstream in(*t); std::string l; std::getline(in, l); use(l); }",
            GOT + "std::string s(code.data(), n); cut(&s);",
            "std::getline(in, l)",
        ),
        (DIRECTIVE, GOT, 't.find(".visible .entry")'),
    ],
)  # fmt: skip
def test_a_search_in_what_nvrtc_gave_is_told(rest: str, body: str, searched: str) -> None:
    assert found(rest, body) == [searched]


@pytest.mark.parametrize(
    ("rest", "body"),
    [
        ("", GOT + 'use(log.find("entry"));'),
        ("", GOT + "std::string s(code.data(), n); use(s.size());"),
        ("void cut(std::string* t, std::string u) { use(u.find('a')); }", GOT + "cut(code.data(), log);"),
        ("struct M { std::string t; size_t at() { return t.find(\".cu\"); } };", GOT),
        (DIRECTIVE, ""),
        ("", "nvrtcGetProgramLog(p, &log[0]); use(log.find(\"entry\"));"),
    ],
)  # fmt: skip
def test_a_search_in_any_other_text_is_not(rest: str, body: str) -> None:
    assert found(rest, body) == []
