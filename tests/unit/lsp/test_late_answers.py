"""Answers of the editor that nobody waits for any more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from sqlscribe.lsp.server import SQLScribeServer, create_server


class Wire:
    """Takes what is written, and sends it nowhere."""

    def write(self, data: bytes) -> None:
        assert data

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def server() -> SQLScribeServer:
    made = create_server()
    made.protocol.set_writer(Wire())
    return made


def answer(server: SQLScribeServer, **said: Any) -> None:
    """What the editor sends, as the protocol reads it."""
    server.protocol.handle_message(
        server.protocol.structure_message({"jsonrpc": "2.0", "id": "7", **said})
    )


@pytest.mark.parametrize(
    "said", [{"result": None}, {"error": {"code": -32800, "message": "cancelled"}}]
)
async def test_an_answer_to_a_request_that_was_cancelled_is_dropped(
    server: SQLScribeServer, said: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    async def wait() -> None:
        await server.protocol.send_request_async("workspace/codeLens/refresh", None, "7")

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    answer(server, **said)
    await asyncio.sleep(0)
    assert caplog.records == []


async def test_one_that_is_waited_for_arrives(server: SQLScribeServer) -> None:
    waiting = server.protocol.send_request_async("workspace/codeLens/refresh", None, "7")
    answer(server, error={"code": -32800, "message": "no"})
    with pytest.raises(JsonRpcException, match="no"):
        await waiting
