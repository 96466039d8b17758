"""The command line: the same core as the editor's, for people, scripts and CI.

Exit codes: 0 clean, 1 warnings or errors found or no SQL, 2 usage or configuration.
"""

from __future__ import annotations

import errno
import io
import sys

import click

from sqlscribe import __version__
from sqlscribe.cli import (
    checking,
    evaluation,
    examples,
    history,
    prompts,
    questions,
    schema,
    workspace,
)
from sqlscribe.cli.options import USAGE, say
from sqlscribe.errors import SQLScribeError


def command_line() -> None:
    """Run a command; one clear sentence for what a person can mend, and its exit code."""
    _print_any_text()
    try:
        commands.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except click.Abort:
        sys.exit(130)
    except SQLScribeError as error:
        say(f"sqlscribe: {error}", err=True)
        sys.exit(USAGE)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        say(f"sqlscribe: the output was not written: {error.strerror}", err=True)
        sys.exit(USAGE)


def _print_any_text() -> None:
    """Let output hold every letter, whatever the code page of the terminal or of the pipe.

    What is redirected becomes UTF-8, as files with SQL and JSON are; a terminal gets its own
    code page, with the numbers of the letters that it lacks.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sqlscribe")
def commands() -> None:
    """A question in a SQL comment becomes checked SQL."""


for command in (
    workspace.serve,
    questions.ask,
    questions.prompt,
    schema.schema,
    schema.profiles,
    checking.check,
    prompts.prompts,
    examples.examples,
    evaluation.eval_,
    history.history,
    workspace.index,
    workspace.doctor,
    workspace.demo,
):
    commands.add_command(command)
