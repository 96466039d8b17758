"""The log as it is sent to an editor."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

import pytest
from lsprotocol import types

from lsp_server import QuietServer
from sqlscribe import settings
from sqlscribe.answer_history import Answered, now
from sqlscribe.lsp.editor_log import EditorLog, reads_errors
from sqlscribe.trace import Trace

OURS = logging.getLogger("sqlscribe")


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    level, handlers = OURS.level, list(OURS.handlers)
    yield
    OURS.setLevel(level)
    OURS.handlers[:] = handlers


def made() -> tuple[QuietServer, EditorLog]:
    server = QuietServer()
    return server, server.log


async def test_lines_come_from_any_thread_with_their_kind_and_without_keys() -> None:
    server, log = made()
    log.begin()
    OURS.setLevel(1)
    logger = logging.getLogger("sqlscribe.somewhere")
    for level in (logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG, 5):
        await asyncio.to_thread(logger.log, level, "%s of sk-abcdefghijklmn", level)
    logging.getLogger("pygls").error("of a library")
    await asyncio.sleep(0)
    assert [params.type for params in server.logged] == [
        types.MessageType.Error,
        types.MessageType.Warning,
        types.MessageType.Info,
        types.MessageType.Log,
        types.MessageType.Log,
    ]
    assert server.logged[0].message == "sqlscribe.somewhere: 40 of ***"


async def test_an_editor_that_reads_standard_error_is_sent_nothing() -> None:
    server, log = made()
    log.is_read = reads_errors({"stderr": True})
    log.begin()
    logging.getLogger("sqlscribe").error("something")
    await asyncio.sleep(0)
    assert server.logged == []


def test_a_line_behind_the_end_is_dropped() -> None:
    server, log = made()

    async def begin() -> None:
        log.begin()

    asyncio.run(begin())
    logging.getLogger("sqlscribe").error("too late")
    assert server.logged == []


@pytest.mark.parametrize(
    ("started_with", "named", "level"),
    [
        ("", None, logging.WARNING),
        ("error", None, logging.ERROR),
        ("debug", "warning", logging.DEBUG),
        ("", "info", logging.INFO),
        ("error", "info", logging.INFO),
        ("", "trace", 5),
    ],
)
def test_the_settings_and_the_command_line_say_how_much(
    started_with: str, named: str | None, level: int
) -> None:
    server, log = made()
    log.started_with = started_with
    client, _ = settings.from_client({"log": {"level": named}})
    server.session.configure(client)
    log.follow_settings()
    assert OURS.level == level


@pytest.mark.parametrize(
    ("value", "verbose"),
    [
        (types.TraceValue.Off, None),
        (types.TraceValue.Messages, None),
        (types.TraceValue.Verbose, "asking=1.5 checking=0.25"),
    ],
)
def test_an_editor_that_traces_is_told_of_each_answer(
    value: types.TraceValue, verbose: str | None
) -> None:
    server, log = made()
    server.protocol.trace = value
    seconds = {"asking": 1.5, "checking": 0.25}
    event = Answered(now(), "a secret question", "sql", "model", "m", seconds=seconds)
    log.answered(Trace(number=7), event)
    if value == types.TraceValue.Off:
        assert server.traced == []
        return
    (told,) = server.traced
    assert told.message.startswith("answer number=7 outcome=sql source=model model=m ")
    assert told.verbose == verbose
    assert "secret" not in str(told)
