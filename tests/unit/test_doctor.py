"""What the program says that it found."""

from __future__ import annotations

from pathlib import Path

import pytest

from sqlscribe import doctor
from sqlscribe.session import Session

KEY = "sk-never-shown-0123456789"


async def facts(root: Path, environment: dict[str, str]) -> dict[str, str]:
    session = Session(environment)
    try:
        return await doctor.examine(session, root)
    finally:
        session.shutdown()


async def test_keys_are_named_and_never_shown(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"MISTRAL_API_KEY={KEY}\n", "utf-8")
    found = await facts(tmp_path, {"OPENAI_API_KEY": KEY})
    assert found["keys"] == "MISTRAL_API_KEY, OPENAI_API_KEY"
    assert KEY not in str(found)
    assert "OPENAI_API_KEY is set" in found["model"]


@pytest.mark.parametrize(
    ("toml", "dialect", "configuration"),
    [
        (None, "postgres (guessed from the DDL)", "no sqlscribe.toml: defaults"),
        ('dialect = "mysql"\n', "mysql", "sqlscribe.toml"),
    ],
)
async def test_what_is_in_force_is_said(
    tmp_path: Path, toml: str | None, dialect: str, configuration: str
) -> None:
    (tmp_path / "a.sql").write_text("CREATE TABLE a (id serial, at timestamptz);\n", "utf-8")
    if toml:
        (tmp_path / "sqlscribe.toml").write_text(toml, "utf-8")
    found = await facts(tmp_path, {"OPENAI_API_KEY": KEY})
    assert (found["dialect"], found["configuration"]) == (dialect, configuration)
    assert (found["schema"], found["examples"], found["findings"]) == ("1 tables", "0", "none")
    assert found["index"] == "1 entries in .sqlscribe"


async def test_findings_are_counted(tmp_path: Path) -> None:
    (tmp_path / "sqlscribe.toml").write_text("dialct = 1\n[modl]\n", "utf-8")
    assert (await facts(tmp_path, {}))["findings"] == "2 (sqlscribe check lists them)"
