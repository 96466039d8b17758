"""One folder over time: what is read again, what is indexed again, which model is asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sqlscribe import files, folder_models
from sqlscribe.errors import ConfigurationError
from sqlscribe.knowledge.index import Entry, Index
from sqlscribe.models.discovery import Found
from sqlscribe.notation.document import Document
from sqlscribe.settings import ClientSettings
from sqlscribe.workspace import Workspace

DDL = "CREATE TABLE customers (customer_id integer PRIMARY KEY, full_name text);\n"
OLLAMA = Found("ollama_chat/coder", "http://127.0.0.1:11434", "Ollama runs on port 11434")

Opened = Callable[..., Workspace]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Opens a workspace of ``tmp_path`` with these files, and closes it in the end."""
    spaces: list[Workspace] = []

    def open_workspace(environment: dict[str, str] | None = None, **texts: str) -> Workspace:
        write(tmp_path, **texts)
        spaces.append(Workspace(tmp_path, ClientSettings(), environment or {}))
        return spaces[-1]

    yield open_workspace
    for space in spaces:
        space.close()


def write(root: Path, **texts: str) -> None:
    """``toml=`` is the configuration, ``env=`` the variables, another name is a SQL file."""
    for name, text in texts.items():
        known = {"toml": "sqlscribe.toml", "env": ".env"}
        (root / known.get(name, f"{name}.sql")).write_text(text, "utf-8")


class TestLoad:
    """What the folder says now."""

    def test_nothing_changed_gives_the_same_object(self, opened: Opened) -> None:
        space = opened(a=DDL)
        assert space.load({}) is space.load({})

    def test_a_change_that_says_the_same_gives_the_same_object(
        self, opened: Opened, tmp_path: Path
    ) -> None:
        space = opened(a=DDL, query="SELECT 1;")
        first = space.load({})
        write(tmp_path, query="SELECT 1, 2;")
        assert space.load({}) is first
        write(tmp_path, a=DDL + DDL.replace("customers", "orders"))
        assert len(space.load({}).schema.tables) == 2

    def test_an_open_text_counts_only_while_it_is_open(
        self, opened: Opened, tmp_path: Path
    ) -> None:
        space = opened(a=DDL)
        draft = {tmp_path / "a.sql": Document("x", "CREATE TABLE drafts (id int);", 1)}
        assert space.load(draft).schema.tables[0].name == "drafts"
        assert space.load({}).schema.tables[0].name == "customers"

    def test_new_settings_count_from_the_next_reading_on_and_never_wait(
        self, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        space = opened(a=DDL)
        started, go_on = threading.Event(), threading.Event()
        load = space._loader.load

        def slow(*arguments: object) -> object:
            started.set()
            assert go_on.wait(10)
            return load(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(space._loader, "load", slow)
        reading = threading.Thread(target=space.load, args=({},))
        reading.start()
        assert started.wait(10)
        space.configure(ClientSettings({"dialect": "mysql"}))
        go_on.set()
        reading.join(10)
        assert space.load({}).dialect == "mysql"

    def test_without_a_folder_there_are_the_defaults(self) -> None:
        space = Workspace(None, ClientSettings({"dialect": "mysql"}), {})
        assert space.load({}).dialect == "mysql"
        assert not space.load({}).schema.tables


class TestIndex:
    """The index follows what is loaded."""

    def test_it_is_brought_up_to_date_only_for_something_new(
        self, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        synced: list[str] = []
        sync = Index.sync

        def counted(index: Index, kind: str, entries: list[Entry]) -> object:
            synced.append(kind)
            return sync(index, kind, entries)

        monkeypatch.setattr(Index, "sync", counted)
        space = opened(a=DDL)
        for _ in range(3):
            [hit] = space.index.search(space.load({}), "customers", "table", 5)
            assert hit.key == "customers"
        assert sorted(synced) == ["example", "note", "table"]
        write(tmp_path, a=DDL.replace("customers", "orders"))
        [hit] = space.index.search(space.load({}), "orders", "table", 5)
        assert (hit.key, len(synced)) == ("orders", 6)

    def test_an_answer_that_outlives_its_folder_opens_no_file_again(self, opened: Opened) -> None:
        space = opened(a=DDL)
        loaded = space.load({})
        assert space.index.search(loaded, "customers", "table", 5)
        space.close()
        assert space.index.search(loaded, "customers", "table", 5) == ()

    def test_a_folder_closed_before_its_index_was_opened_keeps_none_open(
        self, opened: Opened
    ) -> None:
        space = opened(a=DDL)
        loaded = space.load({})
        space.close()
        assert space.index.search(loaded, "customers", "table", 5) == ()

    def test_closing_does_not_wait_for_what_is_being_indexed(
        self, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        started, go_on = threading.Event(), threading.Event()
        sync = Index.sync

        def slow(index: Index, kind: str, entries: list[Entry]) -> object:
            started.set()
            assert go_on.wait(10)
            return sync(index, kind, entries)

        monkeypatch.setattr(Index, "sync", slow)
        space = opened(a=DDL)
        loaded = space.load({})
        indexing = threading.Thread(target=space.index.sync, args=(loaded,))
        indexing.start()
        assert started.wait(10)
        space.close()
        go_on.set()
        indexing.join(10)
        assert not indexing.is_alive()


class TestRemarks:
    """What a person is told besides."""

    def test_what_cannot_be_read_is_told_also_while_the_folder_is_read_again(
        self, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        space = opened(a=DDL)
        told: list[tuple[str, ...]] = []
        walk = files.walk

        def with_a_closed_folder(root: Path, closed: list[str], *rest: Any) -> Iterator[Any]:
            if told:
                told.append(space.remarks(loaded))
            closed.append("shut")
            yield from walk(root, closed, *rest)

        monkeypatch.setattr(files, "walk", with_a_closed_folder)
        loaded = space.load({})
        told.append(space.remarks(loaded))
        space.load({})
        assert told == [("folders that cannot be read: shut",)] * 2


class TestDatabaseFiles:
    @pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
    @pytest.mark.parametrize(
        ("name", "trusted", "used"),
        [
            ("shop.db", None, True),
            ("{folder}/shop.db", None, True),
            ("{outside}/private.db", None, False),
            ("../private.db", None, False),
            ("data/../../private.db", None, False),
            ("link.db", None, False),
            ("{folder}/link.db", None, False),
            ("later.db", None, True),
            ("../later.db", None, False),
            ("{outside}/private.db", True, True),
            ("../private.db", True, True),
        ],
    )
    def test_a_workspace_names_only_files_of_its_own(
        self, opened: Opened, tmp_path: Path, engine: str, name: str, trusted: bool, used: bool
    ) -> None:
        (tmp_path / "shop.db").touch()
        private = tmp_path.parent / "private.db"
        private.touch()
        (tmp_path / "link.db").symlink_to(private)
        name = name.format(folder=tmp_path, outside=tmp_path.parent)
        space = opened({}, toml=f'[database]\nurl = "{engine}:///{name}"\n')
        space.configure(ClientSettings(trusted=trusted))
        loaded = space.load({})
        assert (space.engine(loaded) is not None) is used
        assert any("outside of the folder" in each for each in space.remarks(loaded)) is not used
        if not used:
            with pytest.raises(ConfigurationError, match="outside of the folder"):
                space.refresh_database(loaded)

    @pytest.mark.parametrize(
        ("url", "why"),
        [
            ("{engine}:///../private.db", "outside of the folder"),
            ("mysql://u:p@127.0.0.1:1/x?local_infile=1", "local_infile"),
            ("postgresql://reader@db.example/x", "yours would be used"),
        ],
    )
    @pytest.mark.parametrize("named", ["toml", "env"])
    def test_nothing_is_read_from_where_a_workspace_may_not_lead(
        self, opened: Opened, tmp_path: Path, url: str, why: str, named: str
    ) -> None:
        (tmp_path.parent / "private.db").touch()
        url = url.format(engine="sqlite")
        allows = 'run_queries = true\n[privacy]\nvalues = "samples"\n'
        written = url if named == "toml" else "${DATABASE}"
        space = opened(
            toml=f'[database]\nurl = "{written}"\n{allows}', env=f"DATABASE={url}\n", a=DDL
        )
        snapshot = space.snapshot(space.load({}))
        assert (snapshot.run, snapshot.samples, snapshot.engine) == (None, None, None)
        assert any(why in remark for remark in snapshot.remarks)

    def test_the_user_may_name_any_file(self, opened: Opened, tmp_path: Path) -> None:
        (tmp_path.parent / "private.db").touch()
        url = f"sqlite:///{tmp_path.parent / 'private.db'}"
        space = opened({"SHOP_URL": url}, toml='[database]\nurl = "${SHOP_URL}"\n')
        assert space.engine(space.load({})) is not None


class TestEnvironment:
    """Variables of the process and of the folder."""

    def test_those_of_the_process_come_before_those_of_the_folder(self, opened: Opened) -> None:
        space = opened({"A": "process", "B": "1"}, env="A=folder\nC='$A'\nD\n")
        assert space.environment() == {"A": "process", "B": "1", "C": "$A"}

    def test_a_folder_that_is_not_trusted_has_no_say(self, opened: Opened) -> None:
        space = opened({"A": "process"}, env="A=folder\nOPENAI_API_KEY=theirs\n")
        space.configure(ClientSettings(trusted=False))
        assert space.environment() == {"A": "process"}
        assert any(".env is not used" in each for each in space.snapshot(space.load({})).remarks)
        space.configure(ClientSettings(trusted=True))
        assert space.environment() == {"A": "process", "OPENAI_API_KEY": "theirs"}

    def test_a_folders_own_variables_do_not_trust_it(self, opened: Opened, tmp_path: Path) -> None:
        toml = (
            "[model]\nname = 'openai/x'\napi_base = 'https://elsewhere.example'\n"
            "api_key_env = 'TEAM_KEY'\n"
        )
        trusting = f"SQLSCRIBE_TRUSTED_FOLDERS={tmp_path}"
        space = opened({"TEAM_KEY": "FAKE"}, toml=toml, env=trusting)
        assert space.load({}).settings.model.api_key_env is None
        own = opened({"TEAM_KEY": "FAKE", "SQLSCRIBE_TRUSTED_FOLDERS": str(tmp_path)})
        assert own.load({}).settings.model.api_key_env == "TEAM_KEY"
        own.configure(ClientSettings(trusted=False))
        assert own.load({}).settings.model.api_key_env is None

    def test_what_cannot_be_read_is_said_and_not_used(self, opened: Opened, tmp_path: Path) -> None:
        (tmp_path / ".env").write_bytes(b"A=\xff\xfe\xe9\n")
        space = opened({"B": "1"}, toml='[model]\nname = "openai/x"\n')
        assert space.environment() == {"B": "1"}
        remarks = space.snapshot(space.load({})).remarks
        assert any(".env" in remark for remark in remarks)


class TestModel:
    """Which model is asked."""

    @pytest.fixture
    def looked(self, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
        """Each time a model was looked for: the variables it was looked for in."""
        environments: list[dict[str, str]] = []

        def discover(environment: dict[str, str]) -> Found:
            environments.append(environment)
            return OLLAMA

        monkeypatch.setattr(folder_models.discovery, "discover", discover)
        return environments

    def test_a_configured_one_is_not_looked_for(
        self, opened: Opened, looked: list[dict[str, str]]
    ) -> None:
        space = opened(toml='[model]\nname = "openai/x"\n')
        assert space.snapshot(space.load({})).model_name == "openai/x"
        assert looked == []

    def test_it_is_looked_for_once(self, opened: Opened, looked: list[dict[str, str]]) -> None:
        space = opened()
        names = {space.snapshot(space.load({})).model_name for _ in range(3)}
        model, reason = space.models.resolved(space.load({}).settings.model)
        assert names == {OLLAMA.name}
        assert (model.api_base, reason) == (OLLAMA.api_base, OLLAMA.reason)
        assert len(looked) == 1

    def test_a_new_key_is_noticed_at_once(
        self, opened: Opened, looked: list[dict[str, str]], tmp_path: Path
    ) -> None:
        space = opened()
        space.snapshot(space.load({}))
        write(tmp_path, env="SOME_KEY=1\n")
        space.snapshot(space.load({}))
        assert looked == [{}, {"SOME_KEY": "1"}]

    def test_it_is_looked_for_again_after_a_while(
        self, opened: Opened, looked: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        space = opened()
        space.snapshot(space.load({}))
        now = folder_models.time.monotonic()
        monkeypatch.setattr(folder_models.time, "monotonic", lambda: now + 3600)
        space.snapshot(space.load({}))
        assert len(looked) == 2

    def test_a_model_by_its_short_name(self, opened: Opened, looked: list[dict[str, str]]) -> None:
        toml = '[models.fast]\nname = "openai/fast"\n[models.some]\nmax_repairs = 7\n'
        space = opened(toml=toml)
        loaded = space.load({})
        assert space.snapshot(loaded, "fast").model_name == "openai/fast"
        found = space.snapshot(loaded, "some")
        assert (found.model_name, found.max_repairs) == (OLLAMA.name, 7)
        assert space.snapshot(loaded, "verified").model_name == "verified"

    @pytest.mark.parametrize(
        ("toml", "known"), [("", "none"), ('[models.fast]\nname = "openai/fast"\n', "fast")]
    )
    def test_a_name_that_is_not_configured_is_an_error_that_says_which_are(
        self, opened: Opened, toml: str, known: str
    ) -> None:
        space = opened(toml=toml)
        with pytest.raises(ConfigurationError, match=f"'slow'.*there are: {known}"):
            space.snapshot(space.load({}), "slow")

    async def test_the_built_in_model_needs_no_connection(self, opened: Opened) -> None:
        space = opened(toml='[model]\nname = "verified"\n')
        assert await space.snapshot(space.load({})).connect() is None

    async def test_another_model_is_connected_under_its_name(self, opened: Opened) -> None:
        space = opened(toml='[model]\nname = "openai/x"\n')
        model = await space.snapshot(space.load({})).connect()
        assert model is not None
        assert model.name == "openai/x"


def test_values_are_sent_only_where_the_settings_say_so(opened: Opened) -> None:
    toml = '[model]\nname = "verified"\n[privacy]\nvalues = "{}"\n'
    sent = []
    for values in ("none", "profiles"):
        space = opened(toml=toml.format(values))
        sent.append(space.snapshot(space.load({})).send_profiles)
    assert sent == [False, True]


def test_a_folder_with_no_tables_says_so(opened: Opened) -> None:
    space = opened(toml='[model]\nname = "verified"\n')
    assert "no table definitions" in " ".join(space.snapshot(space.load({})).remarks)


def test_a_folder_in_place_of_the_configuration_is_told_and_no_model_is_looked_for(
    opened: Opened, tmp_path: Path
) -> None:
    (tmp_path / "sqlscribe.toml").mkdir()
    space = opened({"OPENAI_API_KEY": "FAKE-key"}, a=DDL)
    loaded = space.load({})
    assert [f.code for file in loaded.findings for f in file.findings] == ["file/unreadable"]
    assert space.models.resolved(loaded.settings.model)[0].name == "verified"


@pytest.mark.parametrize(
    ("toml", "tokens"),
    [
        ('[model]\nname = "openai/gpt-5-mini"\n', 500),
        ('[model]\nname = "openai/local"\napi_base = "http://127.0.0.1:8077/v1"\n', 0),
        ('[model]\nname = "ollama/coder"\n', 0),
        ('[limits]\nexample_tokens = 7\n[model]\nname = "ollama/coder"\n', 7),
    ],
)
def test_examples_have_less_room_in_prompts_for_a_model_on_this_machine(
    opened: Opened, toml: str, tokens: int
) -> None:
    space = opened(toml=toml)
    assert space.snapshot(space.load({})).limits.examples == tokens
