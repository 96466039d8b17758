"""Progress with editors that show it, refuse it, or never answer."""

from __future__ import annotations

import asyncio

import pytest
from pygls.exceptions import JsonRpcException

from lsp_server import QuietServer
from sqlscribe.lsp import report


@pytest.fixture
def server() -> QuietServer:
    return QuietServer()


async def work(server: QuietServer, token: str | None = None) -> str:
    async with report.progress(server, "SQLScribe", token) as stage:  # type: ignore[arg-type]
        stage("checking")
    return "done"


async def agrees() -> None:
    await asyncio.sleep(0)


async def refuses() -> None:
    raise JsonRpcException("no")


async def test_the_stages_are_shown(server: QuietServer) -> None:
    server.allow_progress(agrees)
    assert await work(server) == "done"
    assert server.wire.progress == ["SQLScribe", "checking", "end"]
    assert not server.work_done_progress.tokens


async def test_the_clients_own_token_is_used_without_asking(server: QuietServer) -> None:
    assert await work(server, "theirs") == "done"
    assert server.wire.progress == ["SQLScribe", "checking", "end"]
    assert not server.work_done_progress.tokens


async def test_a_client_without_support_is_not_asked(server: QuietServer) -> None:
    assert await work(server) == "done"
    assert server.wire.progress == []


async def test_a_client_that_refuses_gets_its_answer_all_the_same(server: QuietServer) -> None:
    server.allow_progress(refuses)
    assert await work(server) == "done"
    await server.settled()
    assert server.wire.progress == []


async def test_a_client_that_never_answers_does_not_hold_the_work_up(
    server: QuietServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "_PATIENCE_SECONDS", 0.01)
    answered = asyncio.Event()

    async def late() -> None:
        await answered.wait()

    server.allow_progress(late)
    assert await asyncio.wait_for(work(server), 10) == "done"
    # Its late answer is of no use, and leaves nothing behind.
    answered.set()
    await server.settled()
    await asyncio.sleep(0)
    assert server.wire.progress == []
    assert not server.work_done_progress.tokens


async def test_a_request_cancelled_while_it_waits_for_the_client_leaves_no_trace(
    server: QuietServer,
) -> None:
    asked, answered = asyncio.Event(), asyncio.Event()
    lost: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: lost.append(context))

    async def slow() -> None:
        asked.set()
        await answered.wait()

    server.allow_progress(slow)
    task = asyncio.create_task(work(server))
    await asyncio.wait_for(asked.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    # The editor's answer to a request that is over still finds who takes it.
    answered.set()
    await server.settled()
    await asyncio.sleep(0)
    assert lost == []
    assert not server.work_done_progress.tokens


@pytest.mark.parametrize("token", [None, "theirs"])
async def test_cancelling_the_progress_cancels_the_work(
    server: QuietServer, token: str | None
) -> None:
    server.allow_progress(agrees)
    begun = asyncio.Event()

    async def long_work() -> None:
        async with report.progress(server, "SQLScribe", token):  # type: ignore[arg-type]
            begun.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(long_work())
    await asyncio.wait_for(begun.wait(), 10)
    [shown] = server.work_done_progress.tokens.values()
    shown.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 10)
    assert server.wire.progress == ["SQLScribe", "end"]


async def test_work_that_fails_ends_its_progress(server: QuietServer) -> None:
    with pytest.raises(ValueError, match="oh"):
        async with report.progress(server, "SQLScribe", "theirs"):  # type: ignore[arg-type]
            raise ValueError("oh")
    assert server.wire.progress == ["SQLScribe", "end"]


def test_what_is_said_names_the_program(server: QuietServer) -> None:
    report.warn(server, "no key")  # type: ignore[arg-type]
    report.tell(server, "stored")  # type: ignore[arg-type]
    assert server.said == ["SQLScribe: no key", "SQLScribe: stored"]
