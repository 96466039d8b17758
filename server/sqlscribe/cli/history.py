"""The command on what was asked before, and what it cost."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from sqlscribe.cli.options import json_option, print_json, root_of, say, workspace_option


@click.command()
@click.option(
    "--days",
    type=click.IntRange(1, 366),
    default=7,
    show_default=True,
    help="How many days, today included.",
)
@workspace_option
@json_option
def history(days: int, workspace: Path | None, as_json: bool) -> None:
    """List what was asked, what came of it, and what it cost by day and by model."""
    from sqlscribe import history_totals
    from sqlscribe.answer_history import History, now
    from sqlscribe.generated_files import GENERATED

    today = now().date()
    kept = History(root_of(workspace) / GENERATED / "history").read(
        today - datetime.timedelta(days - 1), today
    )
    if as_json:
        print_json(history_totals.as_json(kept))
        return
    for line in history_totals.lines(kept):
        say(line)
