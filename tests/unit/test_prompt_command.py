"""The command that shows a prompt."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from sqlscribe import answer
from sqlscribe.cli import commands
from sqlscribe.prompting.context import Request
from sqlscribe.prompting.prompt import Prompt


def test_the_prompt_is_made_where_a_search_may_wait_for_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "schema.sql").write_text("CREATE TABLE customers (city text);")
    prepare = answer.prepare

    def outside_the_loop(request: Request, snapshot: answer.Snapshot) -> Prompt:
        # A model server that embeds is awaited in a loop of its own.
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        return prepare(request, snapshot)

    monkeypatch.setattr(answer, "prepare", outside_the_loop)
    done = CliRunner().invoke(commands, ["prompt", "cities", "-w", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "Question: cities" in done.output
