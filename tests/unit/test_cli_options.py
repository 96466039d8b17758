"""What the commands share."""

import sys
from functools import partial

import pytest

from sqlscribe.cli.options import finish, say


class Large:
    """Something whose text would take long to make, and which counts how often it is made."""

    written = 0

    def __repr__(self) -> str:
        Large.written += 1
        return "large"


async def _large() -> Large:
    return Large()


def test_the_result_of_a_command_is_never_written_out_as_a_text() -> None:
    assert isinstance(finish(_large()), Large)
    assert Large.written == 0


@pytest.mark.parametrize("err", [False, True])
def test_a_terminal_shows_what_it_would_obey_and_a_pipe_gets_it_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], err: bool
) -> None:
    said = "-- \x1b]0;title\x07 is\tthe \u202ename\rx\r\n\x9b31m"
    stream = sys.stderr if err else sys.stdout
    for is_terminal in (True, False):
        monkeypatch.setattr(stream, "isatty", partial(bool, is_terminal))
        say(said, err=err)
    shown, redirected = capsys.readouterr()[err].split("\\u009b31m\n")
    assert shown == "-- \\u001b]0;title\\u0007 is\tthe \\u202ename\\u000dx\r\n"
    assert redirected == f"{said}\n"
