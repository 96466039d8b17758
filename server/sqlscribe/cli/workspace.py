"""The commands on a workspace as a whole."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click

from sqlscribe.cli.options import (
    finish,
    json_option,
    print_json,
    root_of,
    say,
    session_in,
    workspace_option,
)
from sqlscribe.logs import LEVELS


@click.command()
@click.option("--tcp", metavar="HOST:PORT", help="Listen there instead of on stdio.")
@click.option("--log-level", type=click.Choice([*LEVELS]))
def serve(tcp: str | None, log_level: str | None) -> None:
    """Run the language server on stdio."""
    # Reached for its help only: __main__ starts the server before this library is imported.
    raise click.UsageError("start the server as: sqlscribe serve")


@click.command()
@workspace_option
def index(workspace: Path | None) -> None:
    """Build the search index, or bring it up to date."""
    root = root_of(workspace)

    async def build() -> tuple[dict[str, int], str]:
        session = session_in(root)
        loaded = await session.load(root)
        space = await session.workspace(root)
        return await asyncio.to_thread(space.index.sync, loaded), space.index.remark

    counts, remark = finish(build())
    say(", ".join(f"{number} {kind}s" for kind, number in counts.items()))
    if remark:
        say(remark, err=True)


@click.command()
@click.option("--report", is_flag=True, help="For an issue: with nothing private in it.")
@workspace_option
@json_option
def doctor(report: bool, workspace: Path | None, as_json: bool) -> None:
    """Say what was found: interpreter, keys by name, model, schema, index."""
    from sqlscribe import doctor as examination

    if report and as_json:
        raise click.UsageError("--report is a text; give it without --json")
    root = root_of(workspace)
    if report:
        from sqlscribe import doctor_report

        say(finish(doctor_report.report(session_in(root), root)))
        return
    facts = finish(examination.examine(session_in(root), root))
    if as_json:
        print_json({"facts": facts})
        return
    width = max(map(len, facts))
    for name, fact in facts.items():
        say(f"{name:<{width}}  {fact}")


@click.command()
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), help="Also save it as a picture."
)
def demo(svg: Path | None) -> None:
    """Run the bundled example end to end, with a real server and a real client."""
    if svg is not None and not svg.resolve().parent.is_dir():
        raise click.UsageError(f"--svg {svg}: there is no such folder")
    from sqlscribe import demo as demonstration

    sys.exit(finish(demonstration.run(svg)))
