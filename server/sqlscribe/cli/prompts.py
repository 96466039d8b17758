"""``sqlscribe prompts``: which templates are in force, where they come from, what is wrong."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sqlscribe.cli.options import (
    finish,
    json_option,
    print_findings,
    print_json,
    root_of,
    say,
    session_in,
    verdict,
    workspace_option,
)
from sqlscribe.notation.findings import FileFindings

if TYPE_CHECKING:
    from sqlscribe.loading import Loaded


@click.group()
def prompts() -> None:
    """List, show and check the templates of prompts."""


@prompts.command("list")
@workspace_option
@json_option
def list_(workspace: Path | None, as_json: bool) -> None:
    """List the templates in force, and where each comes from."""
    templates = _load(workspace).templates
    rows = [
        {"name": name, "origin": templates.origin(name), "overrides": name in templates.shipped}
        for name in templates.names()
    ]
    if as_json:
        print_json({"templates": rows, "variables": dict(templates.aliases)})
        return
    width = max(len(name) for name in templates.names())
    for row in rows:
        say(f"{row['name']:<{width}}  {row['origin']}")
    for name, meaning in templates.aliases.items():
        say(f"{name:<{width}}  stands for {meaning}")


@prompts.command()
@click.argument("name")
@click.option("--shipped", is_flag=True, help="Show the shipped one, though another is in force.")
@workspace_option
def show(name: str, shipped: bool, workspace: Path | None) -> None:
    """Show the template NAME as it is in force."""
    templates = _load(workspace).templates
    text = templates.shipped.get(name) if shipped else templates.source(name)
    if text is None:
        near = difflib.get_close_matches(name, templates.names(), 1, 0.4)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise click.UsageError(f"there is no template {name}{hint}")
    say(text, nl=not text.endswith("\n"))


@prompts.command("check")
@workspace_option
@json_option
def check_(workspace: Path | None, as_json: bool) -> None:
    """Check the workspace's own templates."""
    loaded = _load(workspace)
    problems = [
        FileFindings(file.document, found)
        for file in loaded.findings
        if (found := tuple(f for f in file.findings if f.code.startswith("template/")))
    ]
    if as_json:
        from sqlscribe import contract

        print_json({"diagnostics": contract.diagnostics_json(problems)})
    else:
        print_findings(problems)
    sys.exit(verdict(problems))


def _load(workspace: Path | None) -> Loaded:
    return finish(_loaded(root_of(workspace)))


async def _loaded(root: Path) -> Loaded:
    return await session_in(root).load(root)
