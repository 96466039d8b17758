"""Between the program's words and the protocol's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from sqlscribe.lsp import convert
from sqlscribe.notation.document import Document, Encoding, Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.session import Opened

UNITS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


@pytest.mark.parametrize(
    ("uris", "path"),
    [
        (
            [
                "file:///c%3A/Work/my%20shop/q.sql",
                "file:///C%3A/Work/my%20shop/q.sql",
                "file:///C:/Work/my shop/q.sql",
                "file:///c:/Work/my%20shop/q.sql",
                "file://localhost/c:/Work/my%20shop/q.sql",
                "FILE:///c:/Work/my%20shop/q.sql",
            ],
            "c:/Work/my shop/q.sql",
        ),
        (["file://server/share/my%20shop/q.sql"], "//server/share/my shop/q.sql"),
        (["file:///data/%E8%AE%A2%E5%8D%95/q.sql", "file:///data/订单/q.sql"], "/data/订单/q.sql"),
        (["file:///data/a%23b/q%20%2520.sql"], "/data/a#b/q %20.sql"),
        (["file:///data/a%3Fb.sql"], "/data/a?b.sql"),
    ],
)
def test_all_spellings_of_a_uri_are_one_path(uris: list[str], path: str) -> None:
    assert {convert.path_of(uri) for uri in uris} == {Path(path)}


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "git:/data/q.sql?x", "inmemory://1", "", "file:///a%00b"]
)
def test_what_is_in_no_file_has_no_path(uri: str) -> None:
    assert convert.path_of(uri) is None


@pytest.mark.parametrize(
    ("uri", "language", "notebook", "expected"),
    [
        ("file:///a/q.sql", "SQL", "", Opened(Path("/a/q.sql"), "sql")),
        ("untitled:Untitled-1", "sql", "", Opened(None, "sql")),
        ("untitled:/a/b%20c/q.sql", "sql", "", Opened(None, "sql", near=Path("/a/b c/q.sql"))),
        ("git:/a/q.sql?x", "sql", "", Opened(None, "sql", near=Path("/a/q.sql"))),
        (
            "vscode-notebook-cell:/a/w.ipynb#W0",
            "python",
            "",
            Opened(None, "python", is_cell=True, near=Path("/a/w.ipynb")),
        ),
        (
            "cell:7",
            "python",
            "file:///a/w.ipynb",
            Opened(None, "python", is_cell=True, near=Path("/a/w.ipynb")),
        ),
        ("cell:7", "sql", "untitled:W.ipynb", Opened(None, "sql", is_cell=True)),
        ("vscode-vfs://github/a/b/q.sql", "sql", "", Opened(None, "sql", remote=True)),
        ("memfs:/shop/q.sql", "sql", "", Opened(None, "sql", remote=True)),
        ("inmemory://1", "", "", Opened()),
        ("untitled://[", "", "", Opened()),
    ],
)
def test_what_a_uri_says(uri: str, language: str, notebook: str, expected: Opened) -> None:
    assert convert.opened(uri, language, notebook) == expected


@given(name=st.text(st.characters(codec="utf-8", exclude_characters="/\x00"), min_size=1))
@settings(max_examples=100, deadline=None)
def test_every_name_comes_back_from_its_uri(name: str) -> None:
    path = Path("/tmp") / name
    assert convert.path_of(path.as_uri()) == path


def units(text: str, encoding: str) -> int:
    return len(text.encode(CODECS[encoding])) // UNITS[encoding]


def position(text: str, offset: int, encoding: str) -> types.Position:
    """The position of an offset, worked out by encoding what stands before it on its line."""
    before = text[:offset]
    lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return types.Position(len(lines) - 1, units(lines[-1], encoding))


TEXTS = st.text(st.sampled_from("ab \n\té订😀\u2028\x0b"), max_size=30)


@given(
    text=TEXTS,
    new=TEXTS,
    places=st.tuples(st.integers(0, 30), st.integers(0, 30)),
    encoding=st.sampled_from(list(UNITS)),
)
@settings(max_examples=100, deadline=None)
def test_a_change_is_made_where_the_client_means_it(
    text: str, new: str, places: tuple[int, int], encoding: Encoding
) -> None:
    start, end = sorted(min(place, len(text)) for place in places)
    change = types.TextDocumentContentChangePartial(
        range=types.Range(position(text, start, encoding), position(text, end, encoding)), text=new
    )
    changed = convert.changed(Document("x", text, 3), change, encoding)
    assert changed == Document("x", text[:start] + new + text[end:], 3)
    span = Span(start, end)
    assert convert.range_of(Document("x", text), span, encoding) == change.range


@pytest.mark.parametrize(
    ("encoding", "start", "end"), [("utf-8", 6, 12), ("utf-16", 4, 6), ("utf-32", 3, 5)]
)
def test_ranges_count_in_the_agreed_units(encoding: Encoding, start: int, end: int) -> None:
    document = Document("x", "SELECT 1;\r\na😀 订单 x")
    at = types.Range(types.Position(1, start), types.Position(1, end))
    assert convert.span(document, at, encoding).of(document.text) == "订单"
    assert convert.range_of(document, Span(14, 16), encoding) == at
    assert convert.offset(document, at.start, encoding) == 14


@pytest.mark.parametrize(
    ("line", "character", "offset"), [(0, 99, 1), (9, 0, 4), (1, 2_000_000_000, 4), (0, 0, 0)]
)
def test_places_behind_the_end_mean_the_end(line: int, character: int, offset: int) -> None:
    document = Document("x", "a\r\nb")
    assert convert.offset(document, types.Position(line, character), "utf-16") == offset


def test_a_whole_new_text_replaces_all() -> None:
    change = types.TextDocumentContentChangeWholeDocument("new")
    assert convert.changed(Document("x", "old", 2), change, "utf-16").text == "new"


@pytest.mark.parametrize("severity", Severity)
def test_a_finding_becomes_a_diagnostic(severity: Severity) -> None:
    finding = Finding("name/unknown-column", severity, "unknown column b", Span(1, 2))
    shown = convert.diagnostic(Document("x", "ab"), finding, "utf-16")
    assert (shown.code, shown.message, shown.source) == (
        "name/unknown-column", "unknown column b", "sqlscribe",
    )  # fmt: skip
    assert shown.severity is not None
    assert shown.severity.name.lower() == severity.value
