"""Requests that are refused, and those that fail."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sqlscribe.lsp.server import create_server


@pytest.mark.parametrize(
    ("error", "code", "is_logged"),
    [
        (JsonRpcException("a reason", types.LSPErrorCodes.RequestFailed), -32803, False),
        (JsonRpcException("not now", types.ErrorCodes.InternalError), -32603, True),
        (ValueError("a slip"), -32603, True),
    ],
)
def test_a_refusal_is_told_and_a_failure_is_logged_too(
    error: Exception,
    code: int,
    is_logged: bool,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    protocol = create_server().protocol
    sent: list[Any] = []
    monkeypatch.setattr(protocol, "_send_response", lambda *_, error: sent.append(error))
    future: Future[Any] = Future()
    future.set_exception(error)
    protocol._send_handler_result(future, msg_id="1")
    [told] = sent
    assert (str(error) in told.message, told.code) == (True, code)
    assert bool(caplog.records) == is_logged
