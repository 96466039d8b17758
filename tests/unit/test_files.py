"""Which files of a folder there are, and what is read of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sqlscribe.files import FileEntry, Globs, Reader, Text, passed_over, walk
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Severity

LONG_AGO = 1_600_000_000


def write(root: Path, *names: str, text: bytes = b"x") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def names(root: Path) -> list[str]:
    return [entry.name for entry in walk(root)]


def entry_of(path: Path) -> FileEntry:
    status = path.stat()
    return FileEntry(path.name, path, status.st_size, status.st_mtime_ns)


def test_files_come_in_order_of_name_folder_by_folder(tmp_path: Path) -> None:
    write(tmp_path, "b.sql", "a/2.sql", "a/x/1.sql", "c/3.sql", "a.sql", "a/1.sql")
    expected = ["a.sql", "b.sql", "a/1.sql", "a/2.sql", "a/x/1.sql", "c/3.sql"]
    assert names(tmp_path) == expected


def test_what_did_not_change_is_the_same_entry_again(tmp_path: Path) -> None:
    for name in ("a.sql", "b.sql", "c.sql"):
        (tmp_path / name).write_text("one")
    first = {entry.name: entry for entry in walk(tmp_path)}
    (tmp_path / "b.sql").write_text("another")
    (tmp_path / "c.sql").unlink()
    (tmp_path / "c.sql").symlink_to("/etc/hosts")
    again = {entry.name: entry for entry in walk(tmp_path, None, first)}
    assert again["a.sql"] is first["a.sql"]
    assert (again["b.sql"].size, again["c.sql"].outside) == (7, True)
    assert again == {entry.name: entry for entry in walk(tmp_path)}


def test_hidden_and_installed_folders_are_left_out(tmp_path: Path) -> None:
    left_out = (".git/a.sql", ".sqlscribe/a.sql", "node_modules/a.sql", "x/.venv/a.sql")
    write(tmp_path, *left_out, "venv/a.sql", "x/site-packages/a.sql", "x/kept.sql", ".kept.sql")
    assert names(tmp_path) == [".kept.sql", "x/kept.sql"]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_links_to_folders_are_not_followed_and_broken_links_do_no_harm(tmp_path: Path) -> None:
    write(tmp_path, "real/a.sql")
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    (tmp_path / "real" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "gone.sql").symlink_to(tmp_path / "nowhere.sql")
    (tmp_path / "one.sql").symlink_to(tmp_path / "real" / "a.sql")
    assert names(tmp_path) == ["one.sql", "real/a.sql"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything is readable")
def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    write(tmp_path, "a.sql", "locked/b.sql")
    (tmp_path / "locked").chmod(0)
    unreadable: list[str] = []
    try:
        assert [entry.name for entry in walk(tmp_path, unreadable)] == ["a.sql"]
        assert unreadable == ["locked/"]
    finally:
        (tmp_path / "locked").chmod(0o700)


def test_a_folder_that_cannot_be_listed_is_named_whoever_asks(tmp_path: Path) -> None:
    unreadable: list[str] = []
    write(tmp_path, "file")
    assert list(walk(tmp_path / "file", unreadable)) == []
    assert unreadable == [str(tmp_path / "file")]


def test_a_folder_that_is_gone_has_no_files(tmp_path: Path) -> None:
    assert names(tmp_path / "gone") == []


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("db/**/*.sql", ["db/a.sql", "db/x/y/a.sql"], ["a.sql", "x/db/a.sql", "db/a.txt"]),
        ("**/*.sql", ["a.sql", "x/y/a.sql"], ["a.sqlx"]),
        ("training/**", ["training/a.yaml", "training/x/a.sql"], ["x/training/a.yaml"]),
        ("rules.md", ["rules.md"], ["docs/rules.md"]),
        ("./db/*.sql", ["db/a.sql"], ["db/x/a.sql"]),
        ("/db/*.sql", ["db/a.sql"], []),
        ("订单/*.sql", ["订单/a.sql"], ["a.sql"]),
    ],
)
def test_patterns_are_relative_to_the_folder(
    pattern: str, matching: list[str], other: list[str]
) -> None:
    globs = Globs([pattern])
    assert [name for name in (*matching, *other) if globs.match(name)] == matching


@pytest.mark.parametrize("pattern", ["\\", "db/\\", "[z-a]", "db/[z-a]*.sql"])
def test_what_is_no_pattern_is_told_and_matches_nothing(pattern: str) -> None:
    globs = Globs([pattern, "db/*.sql"])
    assert globs.unusable == (pattern,)
    assert globs.match("db/a.sql")
    assert not Globs([pattern]).match("db/a.sql")


def test_of_several_patterns_one_is_enough_and_none_matches_nothing() -> None:
    assert Globs(["a/*.sql", "b/*.sql"]).match("b/x.sql")
    assert not Globs([]).match("b/x.sql")


class TestReader:
    """What is read, and when."""

    def read(self, reader: Reader, path: Path, **more: object) -> Text:
        return reader.read(entry_of(path), {}, **more)  # type: ignore[arg-type]

    def old(self, path: Path, text: bytes, seconds: int = LONG_AGO) -> Path:
        path.write_bytes(text)
        os.utime(path, (seconds, seconds))
        return path

    def test_an_unchanged_file_is_not_read_again(self, tmp_path: Path) -> None:
        path, reader = self.old(tmp_path / "a.sql", b"SELECT 1"), Reader()
        first = self.read(reader, path)
        # Only a reading could notice this: size and time stay.
        self.old(path, b"SELECT 2")
        assert self.read(reader, path) is first
        assert not reader.racy

    @pytest.mark.parametrize(("text", "seconds"), [(b"SELECT 22", 0), (b"SELECT 2", 1)])
    def test_another_size_or_time_is_read(self, tmp_path: Path, text: bytes, seconds: int) -> None:
        path, reader = self.old(tmp_path / "a.sql", b"SELECT 1"), Reader()
        self.read(reader, path)
        self.old(path, text, LONG_AGO + seconds)
        assert self.read(reader, path).document.text == text.decode()

    def test_a_fresh_file_is_read_again_though_size_and_time_are_the_same(
        self, tmp_path: Path
    ) -> None:
        path, reader = tmp_path / "a.sql", Reader()
        path.write_bytes(b"SELECT 1")
        fresh = entry_of(path)
        assert reader.read(fresh, {}).document.text == "SELECT 1"
        assert reader.racy
        path.write_bytes(b"SELECT 2")
        assert reader.read(fresh, {}).document.text == "SELECT 2"

    def test_the_same_text_stays_the_same_object(self, tmp_path: Path) -> None:
        path, reader = tmp_path / "a.sql", Reader()
        path.write_bytes(b"SELECT 1")
        assert self.read(reader, path) is self.read(reader, path)

    def test_an_open_text_comes_before_the_file(self, tmp_path: Path) -> None:
        path, reader = tmp_path / "a.sql", Reader()
        path.write_bytes(b"SELECT 1")
        self.read(reader, path)
        document = Document("untitled:x", "SELECT 2", 7)
        assert reader.read(entry_of(path), {path: document}).document is document
        # What was read of the file is of no use any more and calls for no other reading.
        assert not reader.racy

    def test_another_code_page_reads_the_file_anew(self, tmp_path: Path) -> None:
        path, reader = self.old(tmp_path / "a.sql", "-- 订单".encode("gbk")), Reader()
        assert "订单" not in self.read(reader, path).document.text
        assert self.read(reader, path, fallback="gbk").document.text == "-- 订单"

    def test_another_limit_reads_the_file_anew(self, tmp_path: Path) -> None:
        path, reader = self.old(tmp_path / "a.sql", b"SELECT 1"), Reader()
        assert not self.read(reader, path, megabytes=0.000001).was_read
        assert self.read(reader, path, megabytes=1).was_read

    def test_files_that_are_gone_are_forgotten(self, tmp_path: Path) -> None:
        path, reader = tmp_path / "a.sql", Reader()
        path.write_bytes(b"SELECT 1")
        self.read(reader, path)
        reader.forget([])
        assert not reader.racy

    @pytest.mark.parametrize(
        ("data", "text", "code", "encoding"),
        [
            (b"-- plain", "-- plain", None, "utf-8"),
            ("-- 订单 é".encode(), "-- 订单 é", None, "utf-8"),
            ("-- é".encode("utf-8-sig"), "-- é", None, "utf-8-sig"),
            ("-- é 订单".encode("utf-16"), "-- é 订单", None, "utf-16"),
            ("SELECT 'é' FROM t".encode("cp1252"), "SELECT 'é' FROM t", "file/encoding", "cp1252"),
            (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "", "file/not-text", "utf-8"),
            (b"", "", None, "utf-8"),
        ],
    )
    def test_encodings(
        self, tmp_path: Path, data: bytes, text: str, code: str | None, encoding: str
    ) -> None:
        found = self.read(Reader(), self.old(tmp_path / "a.sql", data))
        codes = [finding.code for finding in found.findings]
        assert (found.document.text, codes) == (text, [code] if code else [])
        assert found.encoding == encoding
        assert found.was_read == (code in (None, "file/encoding"))
        assert found.document.uri == (tmp_path / "a.sql").as_uri()

    def test_a_code_page_that_was_named_is_no_warning(self, tmp_path: Path) -> None:
        path = self.old(tmp_path / "a.sql", "-- 订单".encode("gb18030"))
        [named] = self.read(Reader(), path, fallback="gb18030").findings
        [guessed] = self.read(Reader(), path).findings
        assert (named.severity, guessed.severity) == (Severity.INFORMATION, Severity.WARNING)

    def test_a_file_above_the_limit_is_a_finding(self, tmp_path: Path) -> None:
        path = self.old(tmp_path / "a.sql", b"x" * 3_000_000)
        found = self.read(Reader(), path, megabytes=2)
        [finding] = found.findings
        assert finding.code == "file/too-large"
        assert "3 MB are more than the limit of 2" in finding.message
        assert found.document.text == ""

    def test_a_file_that_is_gone_meanwhile_is_a_finding(self, tmp_path: Path) -> None:
        gone = FileEntry("a.sql", tmp_path / "a.sql", 3, 0)
        found = Reader().read(gone, {})
        assert [finding.code for finding in found.findings] == ["file/unreadable"]


def test_a_link_to_a_file_outside_is_told_and_one_inside_is_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("private")
    root = tmp_path / "root"
    root.mkdir()
    (root / "real.md").write_text("own")
    (root / "inside.md").symlink_to(root / "real.md")
    (root / "rules.md").symlink_to(secret)
    entries = {entry.name: entry for entry in walk(root)}
    texts = {name: Reader().read(entry, {}) for name, entry in entries.items()}
    assert [text.document.text for text in texts.values()] == ["own", "own", ""]
    [finding] = texts["rules.md"].findings
    assert finding.code == "file/outside"


def test_a_folder_in_place_of_a_file_is_told_when_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "sqlscribe.toml").mkdir()
    [found] = passed_over(tmp_path / "sqlscribe.toml")
    text = Reader().read(found, {})
    assert not text.was_read
    assert [finding.code for finding in text.findings] == ["file/unreadable"]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_in_place_of_a_file_is_read_where_it_leads_somewhere(tmp_path: Path) -> None:
    write(tmp_path, "outside.toml", text=b"x = 1")
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    (tmp_path / "link.toml").symlink_to(tmp_path / "outside.toml")
    read = {
        name: Reader().read(found, {}).was_read
        for name in ("loop.toml", "link.toml", "none.toml")
        for found in passed_over(tmp_path / name)
    }
    assert read == {"loop.toml": False, "link.toml": True}
