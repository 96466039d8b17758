"""What is told about a folder all the time."""

from __future__ import annotations

from pathlib import Path

import pytest

from shop import SHOP, write
from sqlscribe.database_runs import refusal
from sqlscribe.folder_state import READING, state_of
from sqlscribe.settings import ClientSettings, Settings, parse_toml
from sqlscribe.workspace import Workspace

MODEL = '[model]\nname = "verified"\n'
DATABASE = '[database]\nurl = "sqlite:///shop.db"\nrun_queries = '


def folder(root: Path, toml: str = MODEL) -> Workspace:
    write(root, {**SHOP, "sqlscribe.toml": f'dialect = "postgres"\n{toml}'})
    return Workspace(root, ClientSettings(), {})


def test_the_index_is_told_to_be_made_until_it_is(tmp_path: Path) -> None:
    space = folder(tmp_path)
    loaded = space.load({})
    before = state_of(space, loaded)
    assert (before.index, before.tables, before.examples) == ("it is being made", 2, 1)
    space.index.sync(loaded)
    assert state_of(space, loaded).index == "3 entries"
    space.close()


def test_an_index_that_needs_another_machine_waits_for_a_question(tmp_path: Path) -> None:
    space = folder(tmp_path, '[embedding]\nname = "openai/text-embedding-3-small"\n' + MODEL)
    assert state_of(space, space.load({})).index == "made with the first question"
    space.close()


def test_the_model_is_told_with_the_reason_and_the_database_without_its_address(
    tmp_path: Path,
) -> None:
    space = folder(tmp_path, f"{MODEL}{DATABASE}true\n")
    state = state_of(space, space.load({}))
    assert (state.model, state.why, state.dialect) == ("verified", "configured", "postgres")
    assert state.database == "queries may be run"
    assert "shop.db" not in str(state)
    space.close()


def test_before_a_folder_is_read_nothing_is_known_of_it() -> None:
    assert (READING.model, READING.tables, READING.examples) == ("", None, None)


@pytest.mark.parametrize(
    ("toml", "trusted", "says"),
    [
        ("", None, "database.url"),
        (f"{DATABASE}false", None, "database.run_queries"),
        (f"{DATABASE}true", None, ""),
        (f"{DATABASE}true", True, ""),
        (f"{DATABASE}true", False, "not trusted"),
    ],
)
def test_why_no_query_is_run_is_told_in_a_word(toml: str, trusted: bool | None, says: str) -> None:
    settings = parse_toml(toml).settings
    assert isinstance(settings, Settings)
    reason = refusal(settings, trusted)
    assert says in reason
    assert bool(reason) is bool(says)
