"""Documents, folders and the snapshots made of them."""

from __future__ import annotations

import asyncio
import datetime
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sqlscribe import session as module
from sqlscribe.errors import ConfigurationError
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.prompting.context import Request, Turn
from sqlscribe.session import Opened, Session, request_for
from sqlscribe.settings import ClientSettings
from sqlscribe.workspace import Workspace

DDL = "CREATE TABLE customers (customer_id integer PRIMARY KEY, full_name text);\n"
VERIFIED = '[model]\nname = "verified"\n'


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session({})
    yield made
    made.shutdown()


def folder(root: Path, **files: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "sqlscribe.toml").write_text(files.pop("toml", VERIFIED), "utf-8")
    for name, text in files.items():
        (root / f"{name}.sql").write_text(text, "utf-8")
    return root


def opened(session: Session, path: Path | None, text: str, version: int = 1) -> Document:
    document = Document(path.as_uri() if path else "untitled:1", text, version)
    session.open(document, path)
    return document


class TestPlaces:
    """Which folder a document belongs to."""

    def test_the_innermost_open_folder_wins(self, session: Session, tmp_path: Path) -> None:
        outer, inner = tmp_path / "a", tmp_path / "a" / "b"
        session.set_roots([inner, outer, tmp_path / "a" / "bb"])
        for path, root in (
            (inner / "x" / "q.sql", inner),
            (outer / "q.sql", outer),
            (outer / "bbb" / "q.sql", outer),
            (tmp_path / "q.sql", None),
        ):
            document = opened(session, path, "")
            assert session.place(document.uri) == module.Place(path, root)

    def test_outside_of_all_folders_the_nearest_configuration_counts(
        self, session: Session, tmp_path: Path
    ) -> None:
        outer, inner = folder(tmp_path / "a"), folder(tmp_path / "a" / "b")
        assert session.root_of(inner / "x" / "q.sql") == inner
        assert session.root_of(outer / "q.sql") == outer

    @pytest.mark.parametrize(("roots", "expected"), [(["a"], "a"), (["a", "b"], "a"), ([], None)])
    def test_a_text_in_no_file_belongs_to_the_first_folder(
        self, session: Session, tmp_path: Path, roots: list[str], expected: str | None
    ) -> None:
        session.set_roots([tmp_path / name for name in roots])
        document = opened(session, None, "")
        assert session.place(document.uri).root == (tmp_path / expected if expected else None)

    def test_of_several_folders_it_is_rather_one_that_is_configured(
        self, session: Session, tmp_path: Path
    ) -> None:
        session.set_roots([tmp_path / "a", folder(tmp_path / "b")])
        document = opened(session, None, "")
        assert session.place(document.uri).root == tmp_path / "b"

    def test_a_text_that_is_no_file_belongs_where_it_is_near(
        self, session: Session, tmp_path: Path
    ) -> None:
        session.set_roots([tmp_path / "a", tmp_path / "b"])
        near = Opened(None, "sql", near=tmp_path / "b" / "work.ipynb")
        session.open(Document("cell:1", "", 1), None, near)
        session.open(Document("cell:1", "-- ask: x", 2), None)
        assert session.place("cell:1") == module.Place(None, tmp_path / "b")
        session.open(Document("x://host/q.sql", "", 1), None, Opened(remote=True))
        assert session.place("x://host/q.sql") == module.Place(None, None)
        assert session.remarks("x://host/q.sql")
        assert not session.remarks("cell:1")

    @pytest.mark.parametrize(
        ("name", "language", "expected"),
        [
            ("q.sql", "", True),
            ("q.ddl", "plsql", True),
            ("q.pgsql", "postgres", True),
            ("query", "sql-bigquery", True),
            ("q.py", "python", False),
            ("q.ddl", "", False),
            ("a.md", "markdown", True),
            ("sqlscribe.toml", "sql", False),
        ],
    )
    def test_what_is_looked_at_as_sql(
        self, session: Session, tmp_path: Path, name: str, language: str, expected: bool
    ) -> None:
        path = tmp_path / name
        session.open(Document(path.as_uri(), "", 1), path, Opened(path, language))
        assert session.is_sql(path.as_uri()) is expected


class TestScripts:
    """Documents are read once."""

    async def test_again_once_the_folders_dialect_is_known(
        self, session: Session, tmp_path: Path
    ) -> None:
        root = folder(tmp_path, toml='dialect = "mysql"\n' + VERIFIED)
        session.set_roots([root])
        document = opened(session, root / "q.sql", "# ask: x\n")
        assert session.script(document).questions == ()
        await session.load(root)
        assert [question.text for question in session.script(document).questions] == ["x"]


class TestLoading:
    """Folders are read in worker threads."""

    async def test_however_many_ask_one_reading_is_under_way_and_one_waits(
        self, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        started, go_on = threading.Event(), threading.Event()
        readings: list[Path | None] = []
        load = Workspace.load

        def slow(space: Workspace, buffers: dict[Path, Document], *, look: bool) -> object:
            readings.append(space.root)
            started.set()
            assert go_on.wait(10)
            return load(space, buffers, look=look)

        monkeypatch.setattr(Workspace, "load", slow)
        root = folder(tmp_path, a=DDL)
        first = asyncio.create_task(session.load(root))
        assert await asyncio.to_thread(started.wait, 10)
        more = [asyncio.create_task(session.load(root)) for _ in range(20)]
        # What is written now is seen by those who asked after the first reading began.
        (root / "b.sql").write_text(DDL.replace("customers", "orders"), "utf-8")
        go_on.set()
        await first
        for loaded in await asyncio.gather(*more):
            assert len(loaded.schema.tables) == 2
        assert readings == [root, root]

    async def test_one_who_gives_up_does_not_stop_the_others(
        self, session: Session, tmp_path: Path
    ) -> None:
        root = folder(tmp_path, a=DDL)
        impatient, patient = (asyncio.create_task(session.load(root)) for _ in range(2))
        await asyncio.sleep(0)
        impatient.cancel()
        assert (await patient).schema.tables
        assert impatient.cancelled()

    async def test_an_open_text_is_read_instead_of_its_file(
        self, session: Session, tmp_path: Path
    ) -> None:
        root = folder(tmp_path, a=DDL)
        session.set_roots([root])
        document = opened(session, root / "a.sql", "CREATE TABLE drafts (id int);")
        assert (await session.load(root)).schema.tables[0].name == "drafts"
        session.close(document.uri)
        assert (await session.load(root)).schema.tables[0].name == "customers"

    async def test_settings_that_come_while_a_folder_is_opened_are_in_force(
        self, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        started, go_on = threading.Event(), threading.Event()

        def slow(root: Path, client: ClientSettings, environment: dict[str, str]) -> Workspace:
            started.set()
            assert go_on.wait(10)
            return Workspace(root, client, environment)

        monkeypatch.setattr(module, "_workspace", slow)
        reading = asyncio.create_task(session.load(folder(tmp_path, a=DDL)))
        assert await asyncio.to_thread(started.wait, 10)
        session.configure(ClientSettings({"dialect": "duckdb"}))
        go_on.set()
        assert (await reading).dialect == "duckdb"

    async def test_a_folder_that_is_removed_is_forgotten(
        self, session: Session, tmp_path: Path
    ) -> None:
        root = folder(tmp_path, a=DDL)
        session.set_roots([root])
        space = await session.workspace(root)
        await session.load(root)
        session.set_roots([])
        assert await session.workspace(root) is not space

    async def test_a_folder_that_is_removed_while_it_is_read_is_not_kept(
        self, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = folder(tmp_path, a=DDL)
        session.set_roots([root])
        load, started, go_on = Workspace.load, threading.Event(), threading.Event()

        def slow(self: Workspace, *given: object, **more: object) -> object:
            started.set()
            assert go_on.wait(10)
            return load(self, *given, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(Workspace, "load", slow)
        reading = asyncio.create_task(session.load(root))
        assert await asyncio.to_thread(started.wait, 10)
        session.set_roots([])
        go_on.set()
        assert (await reading).schema.tables
        assert session.known_now(root) is None

    async def test_of_folders_that_only_documents_opened_a_few_stay(
        self, session: Session, tmp_path: Path
    ) -> None:
        roots = [folder(tmp_path / str(number), a=DDL) for number in range(8)]
        used = opened(session, roots[0] / "q.sql", "")
        await session.load(roots[0])
        for root in roots[1:]:
            document = opened(session, root / "q.sql", "")
            await session.load(root)
            session.close(document.uri)
        assert [root for root in roots if session.known_now(root)] == [roots[0], *roots[-3:]]
        assert used.uri in session.documents


class TestSnapshots:
    """What one answer is made from."""

    @pytest.mark.parametrize(
        ("text", "dialect", "today"),
        [
            ("-- ask: x\n", "mysql", None),
            ("-- dialect: duckdb\n-- as of: 2024-01-31\n\n-- ask: x\n", "duckdb", "2024-01-31"),
            ("-- ask[dialect=tsql, as_of=2023-02-28]: x\n", "tsql", "2023-02-28"),
            ("-- as of: 2024-01-31\n\n-- ask[as_of=2023-02-28]: x\n", "mysql", "2023-02-28"),
            ("-- ask[as_of=yesterday]: x\n", "mysql", None),
        ],
    )
    async def test_options_of_the_question_come_before_those_of_the_file_and_the_folder(
        self, session: Session, tmp_path: Path, text: str, dialect: str, today: str | None
    ) -> None:
        root = folder(tmp_path, toml='dialect = "mysql"\n' + VERIFIED)
        session.set_roots([root])
        document = opened(session, root / "q.sql", text)
        [question] = session.script(document).questions
        snapshot = await session.snapshot(document, question)
        here = datetime.datetime.now().astimezone().date()
        expected = datetime.date.fromisoformat(today) if today else here
        assert (snapshot.dialect, snapshot.today) == (dialect, expected)

    async def test_a_model_that_is_not_configured_is_an_error(
        self, session: Session, tmp_path: Path
    ) -> None:
        root = folder(tmp_path)
        document = opened(session, root / "q.sql", "-- ask[model=fast]: x\n")
        [question] = session.script(document).questions
        with pytest.raises(ConfigurationError, match="fast"):
            await session.snapshot(document, question)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-- ask: a @t.c b\n", [Request("a @t.c b", mentions=("t.c",))]),
        (
            "-- ask: a\nSELECT 1;\n-- refine: b\n",
            [Request("a"), Request("b", "refine", (Turn("user", "a"),), "SELECT 1;")],
        ),
        (
            "-- ask: a\n-- refine: b\nSELECT 1;\n",
            [Request("b", "ask", (Turn("user", "a"),))],
        ),
        (
            "-- ask: a @t\nSELECT 1;\n-- error: no such column\n",
            [
                Request("a @t", mentions=("t",)),
                Request("a @t", "repair", (), "SELECT 1;", error="no such column", mentions=("t",)),
            ],
        ),
        (
            "SELECT 1;\n-- error: no such column\n",
            [Request("", "repair", (), "SELECT 1;", error="no such column")],
        ),
    ],
)
def test_questions_become_requests(text: str, expected: list[Request]) -> None:
    document = Document("x", text)
    questions = asks.read(document, "postgres").questions
    assert [request_for(document, question) for question in questions] == expected
