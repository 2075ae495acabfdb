from __future__ import annotations

from work import peak

from cudamigrate.model import Edit, Finding, Fix, SourceFile, Span
from cudamigrate.reporting import excerpts


def shown(data: bytes, start: int, end: int, *edits: tuple[int, int, bytes]) -> tuple[str, str]:
    source = SourceFile("a.cu", data, "cuda")
    fix = Fix(tuple(Edit(Span(a, b), new) for a, b, new in edits), "safe") if edits else None
    finding = Finding(
        "api/x", "a.cu", Span(start, end), source.position(start), source.position(end), "", "", "full", "fine",
        "token", "none", fix,
    )  # fmt: skip
    (made,) = excerpts.shown(source, [finding])
    return made.before, made.after


def test_line_is_shown_before_and_after_its_fix():
    data = b"int a;\n  cudaFree(p); // free\nint b;\n"
    assert shown(data, 9, 17, (9, 17, b"hipFree")) == ("  cudaFree(p); // free", "  hipFree(p); // free")


def test_without_a_fix_there_is_no_after():
    assert shown(b"cudaFree(p);", 0, 8) == ("cudaFree(p);", "")


def test_all_lines_of_a_call_are_shown_and_windows_line_ends_are_not():
    assert shown(b"f(a,\r\n  b);\r\nx;\r\n", 0, 10, (0, 1, b"g"))[1] == "g(a,\n  b);"


def test_edits_elsewhere_in_the_file_are_not_shown():
    data = b"#include <a>\ncudaFree(p);\n"
    before, after = shown(data, 13, 21, (0, 0, b"#include <hip>\n"), (13, 21, b"hipFree"))
    assert (before, after) == ("cudaFree(p);", "hipFree(p);")


def test_line_that_goes_has_no_after():
    assert shown(b"#include <a>\n#include <b>\n", 0, 12, (0, 13, b"")) == ("#include <a>", "")


def test_byte_order_mark_is_not_shown():
    assert shown(b"\xef\xbb\xbfcudaFree(p);\n", 3, 11, (3, 11, b"hipFree")) == ("cudaFree(p);", "hipFree(p);")


def test_bytes_that_are_not_utf8_are_read_as_latin1():
    assert shown(b"cudaFree(\xe9);\n", 0, 8)[0] == "cudaFree(é);"


def test_long_lines_and_long_calls_are_cut_around_the_place():
    line = b"x" * 5_000 + b"cudaFree(p);" + b"y" * 5_000
    before, after = shown(line, 5_000, 5_008, (5_000, 5_008, b"hipFree"))
    assert len(before) <= excerpts.COLUMNS and len(after) <= excerpts.COLUMNS
    assert "cudaFree(p)" in before and "hipFree(p)" in after
    many = b"f(\n" + b"a,\n" * 50 + b"b);\n"
    assert shown(many, 0, len(many) - 2)[0].splitlines()[-1] == "..."
    assert len(shown(many, 0, len(many) - 2)[0].splitlines()) == excerpts.LINES + 1


def test_characters_of_several_bytes_are_never_split():
    line = "é".encode() * 3_000 + b"cudaFree(p);" + "名".encode() * 3_000
    start = line.index(b"cuda")
    for shift in range(4):
        before, after = shown(
            b"x" * shift + line, start + shift, start + shift + 8, (start + shift, start + shift + 8, b"f")
        )
        assert set(before) <= set("xé.名cudaFree(p);") and "cudaFree(p);名" in before
        assert "éf(p);名" in after


def test_a_line_of_megabytes_is_not_decoded_whole_for_each_finding():
    data = b"cudaFree(p);" * 100_000
    at = 12 * 50_000
    assert peak(lambda: shown(data, at, at + 8, (at, at + 8, b"hipFree"))) < 1.5 * len(data)
