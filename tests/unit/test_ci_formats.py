"""Findings as CI services read them."""

from pathlib import Path, PurePath, PureWindowsPath

import pytest

from sqlscribe.ci_formats import github_annotations, sarif
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import FileFindings, Finding, Severity

ROOT = Path("/w s")
TEXT = "-- 客户\nSELECT nme FROM t;\n"


def problem(
    name: str = "/w s/db/a,b.sql",
    severity: Severity = Severity.ERROR,
    message: str = "no column nme",
    code: str = "name/unknown-column",
) -> FileFindings:
    start = TEXT.index("nme")
    document = Document(Path(name).as_uri(), TEXT)
    return FileFindings(document, (Finding(code, severity, message, Span(start, start + 3)),))


def test_an_annotation_names_place_and_code() -> None:
    [line] = github_annotations([problem()], ROOT)
    assert line == (
        "::error file=db/a%2Cb.sql,line=2,endLine=2,col=8,endColumn=11,"
        "title=name/unknown-column::no column nme"
    )


@pytest.mark.parametrize(
    ("severity", "command", "level"),
    [
        (Severity.WARNING, "warning", "warning"),
        (Severity.INFORMATION, "notice", "note"),
        (Severity.HINT, "notice", "note"),
    ],
)
def test_severities(severity: Severity, command: str, level: str) -> None:
    [line] = github_annotations([problem(severity=severity)], ROOT)
    assert line.startswith(f"::{command} ")
    [result] = sarif([problem(severity=severity)], ROOT)["runs"][0]["results"]
    assert result["level"] == level


def test_a_message_of_several_lines_stays_one_command() -> None:
    [line] = github_annotations([problem(message="100% wrong\n::set-env name=X::1")], ROOT)
    assert line.endswith("::100%25 wrong%0A::set-env name=X::1")
    assert "\n" not in line


def test_sarif_lists_its_rules_and_places() -> None:
    log = sarif([problem(), problem(code="syntax/error")], ROOT)
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["name/unknown-column", "syntax/error"]
    assert rules[0]["shortDescription"]["text"] == "The table has no such column."
    first, second = run["results"]
    assert (first["ruleIndex"], second["ruleIndex"]) == (0, 1)
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "db/a%2Cb.sql", "uriBaseId": "SRCROOT"}
    assert place["region"] == {"startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 11}
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == "file:///w%20s/"


def test_a_file_elsewhere_keeps_its_address() -> None:
    [result] = sarif([problem(name="/other/a.sql")], ROOT)["runs"][0]["results"]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "file:///other/a.sql"}


def test_nothing_found_is_a_run_with_no_results() -> None:
    assert sarif([], ROOT)["runs"][0]["results"] == []
    assert list(github_annotations([], ROOT)) == []


SHARED = PureWindowsPath("//server/share/team a")
DRIVE = PureWindowsPath("C:/Work/team a")


@pytest.mark.parametrize(
    ("uri", "root", "shown", "address"),
    [
        ("file://server/share/team%20a/db/a.sql", SHARED, "db/a.sql", "db/a.sql"),
        ("file://SERVER/Share/team%20a/db/a.sql", SHARED, "db/a.sql", "db/a.sql"),
        (
            "file://server/other/a%23b.sql",
            SHARED,
            "//server/other/a#b.sql",
            "file://server/other/a%23b.sql",
        ),
        ("file:///C:/Work/team%20a/db/a.sql", DRIVE, "db/a.sql", "db/a.sql"),
        ("file:///c%3A/Work/team%20a/db/a.sql", DRIVE, "db/a.sql", "db/a.sql"),
        ("file://localhost/C:/Work/team%20a/a.sql", DRIVE, "a.sql", "a.sql"),
        ("file:///D:/a.sql", DRIVE, "D:/a.sql", "file:///D:/a.sql"),
        ("file:///C:/Work/team/a.sql", DRIVE, "C:/Work/team/a.sql", "file:///C:/Work/team/a.sql"),
        ("file:///C:/Work/team%20a/%E5%AE%A2.sql", DRIVE, "客.sql", "%E5%AE%A2.sql"),
        ("file:///w%20s/db/a.sql", ROOT, "db/a.sql", "db/a.sql"),
        ("untitled:q.sql", ROOT, "untitled:q.sql", "untitled%3Aq.sql"),
    ],
)
def test_files_of_windows_keep_their_drive_or_server(
    uri: str, root: PurePath, shown: str, address: str
) -> None:
    found = FileFindings(Document(uri, TEXT), problem().findings)
    [line] = github_annotations([found], root)
    assert f"file={shown.replace(':', '%3A')},line=2" in line
    [result] = sarif([found], root)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == address
