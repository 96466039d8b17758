"""Which editor's end ends the server."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

from sqlscribe.lsp import process


@pytest.mark.parametrize(
    ("process_id", "alive"), [(os.getpid(), True), (2**31 - 1, False), (2**70, False)]
)
def test_only_what_runs_here_is_alive(process_id: int, alive: bool) -> None:
    assert process.is_alive(process_id) is alive


async def test_an_editor_that_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_SECONDS", 0.01)
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    watching = asyncio.create_task(process.watch_parent(editor.pid))
    await asyncio.sleep(0)
    assert not watching.done()
    editor.kill()
    await asyncio.wait_for(watching, 10)
    editor.communicate()
