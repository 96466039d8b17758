"""Comments that switch findings off."""

import re

import pytest

from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.ignores import without_ignored


def left(text: str, *patterns: str, dialect: str = "postgres") -> list[tuple[str, str]]:
    """What stays of the findings on a text: one on every ``nme`` and one on every ``SUM``.

    Each as its code and the text from its place on.
    """
    found = [
        Finding(code, Severity.WARNING, "wrong", Span(*match.span()))
        for word, code in (("nme", "name/unknown-column"), ("SUM", "quality/fan-out"))
        for match in re.finditer(rf"\b{word}\b", text)
    ]
    script = asks.read(Document("file:///q.sql", text), dialect)
    kept = without_ignored(script, found, patterns)
    return [(one.code, one.span.of(text)) for one in kept]


COLUMN = ("name/unknown-column", "nme")
SUM = ("quality/fan-out", "SUM")


@pytest.mark.parametrize(
    "text",
    [
        "-- sqlscribe: ignore[name/unknown-column]\nSELECT 1,\n  nme FROM t;\n",
        "/* SQLScribe: Ignore[NAME/unknown-column] */\nSELECT nme FROM t;\n",
        "-- sqlscribe:ignore\nSELECT nme FROM t;\n",
        "-- sqlscribe: ignore[name/*] the view renames it\nSELECT nme FROM t;\n",
        "SELECT nme FROM t; -- sqlscribe: ignore[name/unknown-column]\n",
        "SELECT 1,\n  nme, -- sqlscribe: ignore[name/unknown-column]\n  2 FROM t;\n",
        "SELECT 1,\n  -- sqlscribe: ignore[name/unknown-column]\n  nme\nFROM t;\n",
        "SELECT nme FROM t;\n\n-- sqlscribe: ignore-file[name/unknown-column]\n",
        "-- ask: names\n-- sqlscribe: ignore[name/unknown-column]\nSELECT nme FROM t;\n",
        "SELECT nme -- sqlscribe: ignore[name/unknown-column]",
    ],
)
def test_a_comment_switches_a_finding_off(text: str) -> None:
    assert left(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1; -- sqlscribe: ignore[quality/fan-out]\nSELECT nme FROM t;\n",
        "SELECT 1, -- sqlscribe: ignore[name/unknown-column]\n  nme FROM t;\n",
        "-- sqlscribe: ignore[name/unknown-column]\nSELECT 1;\nSELECT nme FROM t;\n",
        "SELECT nme, '-- sqlscribe: ignore' FROM t;\n",
        "SELECT nme FROM t;\n-- sqlscribe: ignore\n",
        "-- sqlscribe: ignored\nSELECT nme FROM t;\n",
    ],
)
def test_what_it_does_not_mean_stays(text: str) -> None:
    assert COLUMN in left(text)


def test_only_the_named_code_is_switched_off() -> None:
    text = "-- sqlscribe: ignore[quality/fan-out]\nSELECT SUM(nme) FROM t;\n"
    assert left(text) == [COLUMN]


def test_several_codes_in_one_comment() -> None:
    text = "-- sqlscribe: ignore[quality/fan-out, name/unknown-column]\nSELECT SUM(nme) FROM t;\n"
    assert left(text) == []


def test_the_configuration_switches_off_everywhere() -> None:
    assert left("SELECT SUM(nme) FROM t;", "quality/*") == [COLUMN]


def test_a_comment_that_switches_nothing_off_says_so() -> None:
    text = "-- sqlscribe: ignore[quality/fan-out]\nSELECT 1;\n"
    assert left(text) == [("check/unused-ignore", "sqlscribe: ignore[quality/fan-out]")]
    assert left(text, "check/*") == []


def test_a_code_that_there_is_not_gets_the_nearest() -> None:
    text = "-- sqlscribe: ignore[fan-out]\nSELECT SUM(x) FROM t;\n"
    script = asks.read(Document("file:///q.sql", text), "postgres")
    [finding] = without_ignored(script, ())
    assert (finding.code, finding.span.of(text)) == ("check/unknown-code", "fan-out")
    assert finding.fixes[0].edits[0].text == "quality/fan-out"


@pytest.mark.parametrize("text", ["", "-- sqlscribe: ignore", "-- sqlscribe: ignore[", "\n\n"])
def test_odd_texts_are_read(text: str) -> None:
    assert COLUMN not in left(text)


@pytest.mark.parametrize("code", ["ask/stale", "ask/*", "ask/stale, name/unknown-column"])
def test_what_a_checker_cannot_find_is_not_switched_off_in_vain(code: str) -> None:
    assert left(f"-- ask: x\n-- sqlscribe: ignore[{code}]\nSELECT 1;\n") == []
