"""From the files of a folder to what it knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe.files import walk
from sqlscribe.loading import Loaded, Loader, shipped_templates
from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.model import Column, Schema, Table
from sqlscribe.settings import ClientSettings, Settings

DDL = "CREATE TABLE customers (customer_id integer PRIMARY KEY, full_name text);\n"
EXAMPLE = "-- ask: all names\nSELECT full_name FROM customers;\n"


class Folder:
    """A folder that is written and loaded again and again."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.loader = Loader()
        self.buffers: dict[Path, Document] = {}

    def write(self, files: dict[str, str | bytes]) -> Folder:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self

    def load(self, client: ClientSettings | None = None) -> Loaded:
        return self.loader.load(walk(self.root), self.buffers, client or ClientSettings())


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def codes(loaded: Loaded) -> dict[str, list[str]]:
    """The codes of the findings by the name of their file."""
    return {
        file.document.uri.rpartition("/")[2]: [finding.code for finding in file.findings]
        for file in loaded.findings
    }


def test_an_empty_folder_has_the_defaults(folder: Folder) -> None:
    assert folder.load() == Loaded(settings=Settings())


def test_every_file_has_one_purpose(folder: Folder) -> None:
    loaded = folder.write(
        {
            "db/shop.sql": DDL,
            "queries.sql": "SELECT 1;\n",
            "training/names.sql": EXAMPLE,
            # It holds DDL, but it is there to teach.
            "training/ddl.sql": "CREATE TABLE other (id int);\n" + EXAMPLE.replace("all", "the"),
            "docs/prices.md": "# Prices\nAll in euros.\n",
            "rules.md": "Names are never null.\n",
            "profiles/shop.yaml": "customers:\n  full_name: [Ann]\n",
            "prompts/ask/user.j2": "{{ question }}",
            "prompts/README.md": "not a template",
        }
    ).load()
    assert [table.name for table in loaded.schema.tables] == ["customers"]
    assert {example.question for example in loaded.examples} == {"all names", "the names"}
    assert [note.title for note in loaded.notes] == ["Prices"]
    assert loaded.rules == "Names are never null."
    assert [profile.column for profile in loaded.profiles] == ["full_name"]
    assert dict(loaded.templates.workspace) == {"ask/user.j2": "{{ question }}"}


def test_open_texts_come_before_those_on_disk(folder: Folder) -> None:
    path = folder.write({"db.sql": DDL}).root / "db.sql"
    folder.buffers[path] = Document(path.as_uri(), "CREATE TABLE drafts (id int);", 3)
    assert [table.name for table in folder.load().schema.tables] == ["drafts"]
    folder.buffers.clear()
    assert [table.name for table in folder.load().schema.tables] == ["customers"]


class TestSettings:
    """Which settings are in force."""

    def test_a_broken_file_leaves_the_last_good_ones_and_is_a_finding(self, folder: Folder) -> None:
        folder.write({"sqlscribe.toml": 'dialect = "mysql"\n'})
        assert folder.load().dialect == "mysql"
        for broken in ('dialect = "postgres\n', 'dialct = "postgres"\n', b"\x00\x01\x02" * 99):
            folder.write({"sqlscribe.toml": broken})
            loaded = folder.load()
            assert (loaded.dialect, list(codes(loaded))) == ("mysql", ["sqlscribe.toml"])
        folder.write({"sqlscribe.toml": 'dialect = "postgres"\n'})
        assert (folder.load().dialect, codes(folder.load())) == ("postgres", {})

    @pytest.mark.parametrize("broken", ["[model", b"\x89PNG\x00\x01" * 50])
    def test_where_none_was_ever_good_no_model_is_asked(
        self, folder: Folder, broken: str | bytes
    ) -> None:
        loaded = folder.write({"sqlscribe.toml": broken}).load()
        assert loaded.settings.model.name == "verified"
        assert list(codes(loaded)) == ["sqlscribe.toml"]

    def test_a_file_that_is_not_utf8_counts_with_a_remark(self, folder: Folder) -> None:
        text = '# Größe\ndialect = "mysql"\n'.encode("cp1252")
        loaded = folder.write({"sqlscribe.toml": text}).load()
        assert (loaded.dialect, codes(loaded)) == ("mysql", {"sqlscribe.toml": ["file/encoding"]})

    def test_without_the_file_the_defaults_are_in_force_again(self, folder: Folder) -> None:
        folder.write({"sqlscribe.toml": 'dialect = "mysql"\n'}).load()
        (folder.root / "sqlscribe.toml").unlink()
        assert folder.load().settings == Settings()

    def test_the_editor_wins_over_the_file(self, folder: Folder) -> None:
        folder.write({"sqlscribe.toml": 'dialect = "mysql"\n'})
        assert folder.load(ClientSettings({"dialect": "sqlite"})).dialect == "sqlite"

    def test_the_file_counts_as_it_is_in_the_editor(self, folder: Folder) -> None:
        path = folder.write({"sqlscribe.toml": 'dialect = "mysql"\n'}).root / "sqlscribe.toml"
        folder.buffers[path] = Document(path.as_uri(), 'dialect = "duckdb"\n', 1)
        assert folder.load().dialect == "duckdb"

    def test_another_code_page_reads_the_files_anew(self, folder: Folder) -> None:
        folder.write({"rules.md": "订单".encode("gbk")})
        assert folder.load().rules != "订单"
        folder.write({"sqlscribe.toml": 'encoding = "gbk"\n'})
        assert folder.load().rules == "订单"


class TestIdleSettings:
    """Patterns without a file, masks without a column."""

    @pytest.mark.parametrize(
        ("written", "said"),
        [
            ('rules = ["rule.md"]', "rules: no file matches rule.md; did you mean rules.md?"),
            ('rules = ["rules.md", "zzz"]', "rules: no file matches zzz"),
            ('training = ["examples/**"]', "training: no file matches examples/**"),
            ('schema = ["migrations/**"]', "schema: no file matches migrations/**"),
            ('schema = ["./db/shop.sq"]', "did you mean db/shop.sql?"),
            (
                '[privacy]\nmask = ["customers.fullname"]',
                "privacy.mask: there is no column customers.fullname, so this hides nothing; "
                "did you mean customers.full_name?",
            ),
            ('[privacy]\nmask = ["shoppers.full_name"]', "there is no column shoppers.full_name"),
            ('[privacy]\nmask = ["ssn"]', "there is no column ssn"),
        ],
    )
    def test_what_reaches_nothing_is_told(self, folder: Folder, written: str, said: str) -> None:
        folder.write({"db/shop.sql": DDL, "rules.md": "None.\n", "sqlscribe.toml": written})
        [file] = folder.load().findings
        [finding] = file.findings
        assert finding.code == "config/matches-nothing"
        assert said in finding.message
        assert finding.span.of(written).strip('"') in finding.message

    @pytest.mark.parametrize(
        "written",
        [
            'rules = ["rules.md"]\nschema = ["db"]',
            'schema = ["db/**/*.sql", "more/**/*.sql"]',
            '[privacy]\nmask = ["*.ssn", "customers.full_name", "public.customers.full_name"]',
            '[privacy]\nmask = ["Customers.FULL_NAME", "customer_id"]',
        ],
    )
    def test_what_reaches_something_or_may_do_so_is_not(self, folder: Folder, written: str) -> None:
        folder.write({"db/shop.sql": DDL, "rules.md": "None.\n", "sqlscribe.toml": written})
        assert folder.load().findings == ()

    def test_columns_of_a_database_that_was_not_seen_may_be_masked(self, folder: Folder) -> None:
        toml = '[database]\nurl = "sqlite:///a.db"\n[privacy]\nmask = ["people.ssn"]\n'
        folder.write({"db/shop.sql": DDL, "sqlscribe.toml": toml})
        assert folder.load().findings == ()
        seen = Schema((Table("people", (Column("name"),)),))
        loaded = folder.loader.load(walk(folder.root), {}, ClientSettings(), seen)
        assert codes(loaded) == {"sqlscribe.toml": ["config/matches-nothing"]}


def test_rules_that_leave_little_of_a_prompt_are_told(folder: Folder) -> None:
    folder.write({"rules.md": "Never guess. " * 200, "sqlscribe.toml": ""})
    assert folder.load().findings == ()
    folder.write({"sqlscribe.toml": "[limits]\nprompt_tokens = 1000\n"})
    assert codes(folder.load()) == {"rules.md": ["note/too-long"]}


def test_an_example_that_no_prompt_has_room_for_is_told(folder: Folder) -> None:
    columns = ",\n  ".join(f"id AS a_column_with_a_long_name_{number}" for number in range(100))
    short = "-- ask: how many?\nSELECT count(*) FROM a;\n"
    training = f"{short}\n-- ask: all?\nSELECT\n  {columns}\nFROM a;\n"
    folder.write({"db/a.sql": "CREATE TABLE a (id int);\n", "training/q.sql": training})
    assert folder.load().findings == ()
    folder.write({"sqlscribe.toml": "[limits]\nprompt_tokens = 2000\n"})
    [file] = folder.load().findings
    [finding] = file.findings
    assert finding.code == "example/never-shown"
    assert finding.span.of(file.document.text).startswith("-- ask: all?")
    assert "of 2,000 (limits.prompt_tokens)" in finding.message
    # Rules go in whole, and leave less.
    toml = "[limits]\nprompt_tokens = 4000\n"
    folder.write({"rules.md": "Never guess. " * 400, "sqlscribe.toml": toml})
    assert codes(folder.load()) == {"q.sql": ["example/never-shown"]}


class TestSchema:
    """DDL, and the dialect it is in."""

    @pytest.mark.parametrize(
        ("ddl", "dialect"),
        [
            ("CREATE TABLE `a` (`id` int AUTO_INCREMENT) ENGINE=InnoDB;\n", "mysql"),
            ("CREATE TABLE a (id serial, at timestamptz);\n", "postgres"),
            ("CREATE TABLE a (id integer);\n", ""),
        ],
    )
    def test_the_dialect_is_guessed_where_none_is_set(
        self, folder: Folder, ddl: str, dialect: str
    ) -> None:
        assert folder.write({"a.sql": ddl}).load().dialect == dialect
        assert folder.write({"sqlscribe.toml": 'dialect = "oracle"\n'}).load().dialect == "oracle"

    def test_configured_files_are_read_and_no_others(self, folder: Folder) -> None:
        folder.write({"db/a.sql": DDL, "b.sql": "CREATE TABLE b (id int);\n"})
        folder.write({"sqlscribe.toml": 'schema = ["db/*.sql"]\n'})
        assert [table.name for table in folder.load().schema.tables] == ["customers"]

    def test_migrations_are_replayed_in_order(self, folder: Folder) -> None:
        folder.write(
            {
                "db/V10__drop.sql": "ALTER TABLE customers DROP COLUMN full_name;\n",
                "db/V1__make.sql": DDL,
                "db/V2__add.sql": "ALTER TABLE customers ADD COLUMN city text;\n",
            }
        )
        [table] = folder.load().schema.tables
        assert [column.name for column in table.columns] == ["customer_id", "city"]

    def test_a_binary_file_that_is_called_sql_is_a_finding(self, folder: Folder) -> None:
        loaded = folder.write({"a.sql": DDL, "b.sql": b"\x00\x01\x02\xff" * 99}).load()
        assert len(loaded.schema.tables) == 1
        assert codes(loaded) == {"b.sql": ["file/not-text"]}


class TestPrivacy:
    """Masked columns are never known at all."""

    @pytest.mark.parametrize(
        ("table", "masks", "hidden"),
        [
            ("customers", ["customers.email"], ["email"]),
            ("customers", ["CUSTOMERS.Email"], ["email"]),
            ("customers", ["*.email"], ["email"]),
            ("customers", ["email"], ["email"]),
            ("customers", ["customers.*"], ["city", "email"]),
            ("customers", ["orders.email"], []),
            ("customers", ["*.*mail"], ["email"]),
            ("customers", ["cust*.email"], ["email"]),
            # Where only one of the two names the schema, the column is masked.
            ("sales.customers", ["customers.email"], ["email"]),
            ("sales.customers", ["customers.*"], ["city", "email"]),
            ("customers", ["sales.customers.email"], ["email"]),
            ("sales.customers", ["sales.customers.email"], ["email"]),
            ("sales.customers", ["crm.customers.email"], []),
        ],
    )
    def test_masks(self, folder: Folder, table: str, masks: list[str], hidden: list[str]) -> None:
        profiles = f"{table}:\n  city: [Lyon]\n  email: [a@b.c]\n"
        folder.write({"profiles/shop.yaml": profiles})
        folder.write({"sqlscribe.toml": f"[privacy]\nmask = {masks}\n"})
        shown = {profile.column for profile in folder.load().profiles}
        assert shown == {"city", "email"} - set(hidden)


class TestTemplates:
    """The workspace's own words."""

    @pytest.mark.parametrize("configured", ["words", "./words", "/words/", "words//"])
    def test_they_override_the_shipped_ones_by_name(self, folder: Folder, configured: str) -> None:
        folder.write({"words/ask/user.j2": "mine", "prompts/ask/user.j2": "not in force"})
        folder.write({"sqlscribe.toml": f'[prompts]\nfolder = "{configured}"\n'})
        templates = folder.load().templates
        assert templates.source("ask/user.j2") == "mine"
        assert templates.source("ask/system.j2") == shipped_templates()["ask/system.j2"]

    def test_an_untrusted_workspace_overrides_none_wherever_they_are(self, folder: Folder) -> None:
        folder.write({"ask/user.j2": "theirs", "prompts/ask/user.j2": "theirs"})
        loaded = folder.load(ClientSettings(trusted=False))
        assert not loaded.templates.workspace
        assert folder.load().templates.source("ask/user.j2") == "theirs"

    def test_a_syntax_error_is_a_finding_at_its_line(self, folder: Folder) -> None:
        loaded = folder.write({"prompts/ask/user.j2": "fine\n{% if %}\n"}).load()
        [file] = loaded.findings
        [finding] = file.findings
        assert finding.code == "template/syntax"
        assert finding.span.of(file.document.text) == "{% if %}"


class TestParsing:
    """A text that did not change is not parsed again."""

    def test_only_the_changed_file_is_parsed(
        self, folder: Folder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        parsed: list[str] = []

        def read(document: Document, path: Path, dialect: str) -> ddl.DdlScript:
            parsed.append(path.name)
            return ddl.DdlScript(path, dialect, (), ())

        monkeypatch.setattr(ddl, "read", read)
        folder.write({"a.sql": DDL, "b.sql": DDL}).load()
        folder.load()
        assert parsed == ["a.sql", "b.sql"]
        folder.write({"b.sql": DDL + DDL}).load()
        assert parsed == ["a.sql", "b.sql", "b.sql"]
        # In another dialect the same text may say something else.
        folder.write({"sqlscribe.toml": 'dialect = "mysql"\n'}).load()
        assert parsed[3:] == ["a.sql", "b.sql"]

    def test_the_schema_stays_the_same_object_while_its_files_do(self, folder: Folder) -> None:
        first = folder.write({"a.sql": DDL}).load()
        second = folder.write({"rules.md": "new", "b.sql": "SELECT 1;\n"}).load()
        assert second.rules == "new"
        assert second.schema is first.schema
        third = folder.write({"b.sql": "CREATE TABLE b (id int);\n"}).load()
        assert len(third.schema.tables) == 2

    def test_nothing_is_kept_of_files_that_are_gone(self, folder: Folder) -> None:
        folder.write({"a.sql": DDL}).load()
        assert folder.loader.reader.racy
        (folder.root / "a.sql").unlink()
        assert folder.load() == Loaded(settings=Settings())
        assert not folder.loader.reader.racy

    def test_nothing_is_kept_of_files_that_are_not_read_any_more(self, folder: Folder) -> None:
        folder.write({"a.sql": DDL}).load()
        only = ClientSettings({"schema": ("other/*.sql",)})
        assert not folder.load(only).schema.tables
        assert not folder.loader.reader.racy


def test_examples_that_do_not_parse_are_findings_and_not_used(folder: Folder) -> None:
    loaded = folder.write({"training/a.sql": "-- ask: names\nSELECT FROM WHERE ((;\n"}).load()
    assert loaded.examples == ()
    [[code]] = codes(loaded).values()
    assert code.startswith("example/")


def test_examples_that_write_are_findings_and_not_used(folder: Folder) -> None:
    text = "- question: clean up\n  sql: DELETE FROM customers\n"
    loaded = folder.write({"training/a.yaml": text}).load()
    assert (loaded.examples, codes(loaded)) == ((), {"a.yaml": ["example/not-a-read"]})


def test_an_unreadable_rule_is_a_finding(folder: Folder) -> None:
    loaded = folder.write({"rules.md": b"\x00\x01\x02\xff" * 99}).load()
    assert (loaded.rules, codes(loaded)) == ("", {"rules.md": ["file/not-text"]})


def test_a_pattern_that_is_none_is_told_at_its_setting_and_the_others_count(
    folder: Folder,
) -> None:
    configuration = 'docs = ["[z-a]"]\nschema = ["\\\\", "db/*.sql"]\n'
    loaded = folder.write({"sqlscribe.toml": configuration, "db/a.sql": DDL}).load()
    assert [table.name for table in loaded.schema.tables] == ["customers"]
    assert codes(loaded) == {"sqlscribe.toml": ["config/bad-value", "config/bad-value"]}
    at = [finding.span.of(configuration) for file in loaded.findings for finding in file.findings]
    assert at == ['["[z-a]"]', '["\\\\", "db/*.sql"]']


def test_a_pattern_of_the_editor_that_is_none_is_told_with_the_prompt(folder: Folder) -> None:
    loaded = folder.write({"a.sql": DDL}).load(ClientSettings({"training": ("[z-a]",)}))
    assert loaded.settings.not_used == ("training holds what is no pattern: '[z-a]'",)


def test_the_schema_is_found_whatever_the_case_of_its_ending(folder: Folder) -> None:
    loaded = folder.write({"DUMP.SQL": DDL}).load()
    assert [table.name for table in loaded.schema.tables] == ["customers"]
