"""Whatever is typed, saved, closed and deleted: the end is what a new editor would show."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lsp_server import QuietServer
from sqlscribe.lsp import diagnostics
from sqlscribe.notation.document import Document
from sqlscribe.session import Session

TEXTS = {
    "sqlscribe.toml": [
        '[model]\nname = "verified"\n',
        'dialect = "mysql"\n[model]\nname = "verified"\n',
        'dialct = "mysql"\n[model]\nname = "verified"\n',
        '[model]\nname = "verified"\n[checks]\nignore = ["name/*"]\n',
    ],
    "db.sql": [
        "CREATE TABLE orders (order_id integer, total numeric);\n",
        "\nCREATE TABLE orders (order_id integer, amount numeric);\n",
        "CREATE TABLE orders (order_id integer,",
        "CREATE VIEW big AS SELECT total FROM orders;\n",
        "",
    ],
    "more.sql": [
        "CREATE TABLE regions (name text);\nSELECT nme FROM regions;\n",
        "SELECT name FROM regions;\n",
        "CREATE TABLE regions (nme text);\n",
    ],
    "q.sql": [
        "-- ask: big\nSELECT order_id FROM orders WHERE total > 10;\nSELECT nme FROM regions;\n",
        "SELECT amount FROM orders;\n-- ask: x @regions\n",
        "CREATE TEMP TABLE t AS SELECT total FROM orders;\nSELECT total, amount FROM t;\n",
    ],
    "training/a.yaml": [
        "- question: turnover\n  sql: SELECT sum(total) FROM orders\n",
        "- question: turnover\n  sqll: SELECT 1\n",
        "- question: names\n  sql: SELECT name FROM regions\n- question: b\n  sql: SELECT 1\n",
    ],
    "training/b.sql": [
        "-- ask: turnover\nSELECT sum(amount) FROM orders;\n",
        "-- ask: turnover\nDELETE FROM orders;\n",
    ],
    "profiles/p.yaml": ["orders:\n  total: [1]\n", "ordrs:\n  total: [1]\nregions:\n  nme: [a]\n"],
    "rules.md": ["```sql\nSELECT totl FROM orders\n```\n", "x\n\n```sql\nSELECT 1\n```\n"],
}  # fmt: skip

NAMES = st.sampled_from(sorted(TEXTS))
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["type", "type", "type", "save", "close", "delete", "wait"]),
        NAMES,
        st.integers(0, 4),
    ),
    max_size=8,
)


class Desk:
    def __init__(self, root: Path, fetches: bool) -> None:
        self.root = root
        self.server = QuietServer(Session({}))
        if fetches:
            self.server.allow_fetching()
        self.server.session.set_roots([root])
        self.version = 0

    def type(self, name: str, text: str) -> None:
        self.version += 1
        path = self.root / name
        self.server.session.open(Document(path.as_uri(), text, self.version), path)
        self.server.diagnostics.schedule(look=False)

    def close(self, name: str) -> None:
        uri = (self.root / name).as_uri()
        if uri in self.server.session.documents:
            self.server.session.close(uri)
            self.server.diagnostics.closed(uri)

    async def fetch(self, name: str) -> None:
        uri = (self.root / name).as_uri()
        if uri in self.server.session.documents:
            await self.server.diagnostics.report(uri)

    async def settled(self) -> None:
        pending = self.server.diagnostics._pending
        while pending is not None and not pending.done():
            await asyncio.wait([pending])
            pending = self.server.diagnostics._pending

    def shown(self) -> dict[str, list[str]]:
        """What is said of each file, but for what depends on how it came about."""
        return {
            uri.rpartition("/")[2]: sorted(
                f"{each.range.start.line}:{each.range.start.character} {each.code} {each.message}"
                for each in report.items
                if each.code != "schema/breaks"
            )
            for uri, report in self.server.diagnostics.reports.items()
            if any(each.code != "schema/breaks" for each in report.items)
        }

    def sent(self) -> dict[str, list[str]]:
        last = {sent.uri: sent.diagnostics for sent in self.server.published}
        return {
            uri.rpartition("/")[2]: sorted(str(each.code) for each in items)
            for uri, items in last.items()
            if items
        }


async def play(root: Path, steps: list[tuple[str, str, int]], fetches: bool) -> None:
    for name, texts in TEXTS.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(texts[0], "utf-8")
    desk = Desk(root, fetches)
    desk.server.diagnostics.schedule()
    await desk.settled()
    for what, name, number in steps:
        text = TEXTS[name][number % len(TEXTS[name])]
        match what:
            case "type":
                desk.type(name, text)
                if fetches:
                    await desk.fetch(name)
            case "save":
                (root / name).write_text(text, "utf-8")
                desk.server.diagnostics.schedule()
            case "close":
                desk.close(name)
            case "delete":
                (root / name).unlink(missing_ok=True)
                desk.server.diagnostics.schedule()
            case _:
                await desk.settled()
    desk.server.diagnostics.schedule()
    await desk.settled()
    fresh = Desk(root, fetches)
    for document in desk.server.session.documents.values():
        fresh.type(
            str(desk.server.session.place(document.uri).path)[len(f"{root}/") :],
            document.host.text,
        )
    fresh.server.diagnostics.schedule()
    await fresh.settled()
    try:
        assert desk.shown() == fresh.shown()
        codes = {
            uri.rpartition("/")[2]: sorted(str(each.code) for each in report.items)
            for uri, report in desk.server.diagnostics.reports.items()
            if report.items and not desk.server.diagnostics.fetched.covers(uri)
        }
        assert desk.sent() == codes
    finally:
        for each in (desk, fresh):
            for task in list(each.server.tasks):
                task.cancel()
            each.server.session.shutdown()


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS, fetches=st.booleans())
def test_nothing_stays_that_is_no_longer_true_and_nothing_is_missing(
    steps: list[tuple[str, str, int]], fetches: bool
) -> None:
    before = diagnostics._QUIET_SECONDS
    diagnostics._QUIET_SECONDS = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(play(Path(folder), steps, fetches))
    finally:
        diagnostics._QUIET_SECONDS = before
