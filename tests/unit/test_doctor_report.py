"""The report for a public issue: useful, and with nothing of the workspace's own words."""

from __future__ import annotations

import getpass
import re
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from sqlscribe import doctor_report
from sqlscribe.answer_history import Answered, History, now
from sqlscribe.redaction import Redactor
from sqlscribe.session import Session

SECRET = "sk-never-shown-0123456789"
WORDS = (
    "acme", "zanzibar", "quokka", "wombat", "gladys", "tasmania", "numbat", "bilby", "hunter2",
)  # fmt: skip

FILES = {
    "sqlscribe.toml": """
schema = ["db/acme_*.sql"]
instructions = "Say zanzibar at acme."
rules = ["acme-rules.md"]
[model]
name = "openai//home/gladys/acme.gguf"
api_base = "https://models.acme.example/v1/quokka"
api_key_env = "ACME_ZANZIBAR_KEY"
timeout_seconds = 12
[models.wombat]
name = "bedrock/arn:aws:bedrock:eu-west-1:123456789012:model/acme"
api_base = "http://127.0.0.1:8077/quokka"
api_key_env = "OPENAI_API_KEY"
[embedding]
name = "builtin"
[database]
url = "postgresql://gladys:hunter2@127.0.0.1:1/zanzibar"
checks = "off"
[privacy]
mask = ["wombat.*"]
[prompts.variables]
quokka = "question"
[checks]
ignore = ["quality/fan-out"]
[limits]
cost_per_day = 2.5
""",
    "db/acme_tables.sql": (
        "CREATE TABLE zanzibar (wombat integer PRIMARY KEY, quokka text); -- of tasmania\n"
        "CREATE TABLE bilby (id integer);\n"
    ),
    "training/numbat.sql": "-- ask: how many quokkas of gladys?\nSELECT count(*) FROM numbat;\n",
    "acme-rules.md": "All of zanzibar is in tasmania.\n",
    "docs/tasmania.md": "# Zanzibar\n\nThe quokka of gladys.\n",
    "prompts/ask/wombat.j2": "zanzibar {{ nothing }}\n",
    "profiles/bilby.yaml": "zanzibar.quokka:\n  values: [wombat]\n",
    "q.sql": "-- ask: quokkas in tasmania\nSELECT gladys FROM zanzibar;\n",
    ".env": f"ACME_ZANZIBAR_KEY={SECRET}\nMISTRAL_API_KEY={SECRET}\n",
}


@pytest.fixture
def acme(tmp_path: Path) -> Path:
    root = tmp_path / "acme" / "zanzibar"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    history = History(root / ".sqlscribe" / "history")
    at = now().replace(hour=12)
    failed = Answered(at, "quokkas of gladys", "failed", model="acme/x", error="timed_out")
    for event in (
        failed,
        failed,
        replace(failed, error="zanzibar", outcome="wombat"),
        replace(failed, error="", outcome="sql"),
    ):
        history.put(event)
    return root


async def reported(root: Path, **environment: str) -> str:
    session = Session(environment)
    try:
        return await doctor_report.report(session, root)
    finally:
        session.shutdown()


async def test_nothing_of_a_workspace_full_of_secrets_appears(
    acme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "gladys")
    monkeypatch.setattr(socket, "gethostname", lambda: "quokka.acme.example")
    text = await reported(acme, TASMANIA="tasmania", OPENAI_API_KEY=SECRET)
    folded = text.casefold()
    assert [word for word in WORDS if word in folded] == []
    for private in (SECRET, "123456789012", str(acme), str(Path.home()), "/tmp", "example/"):
        assert private not in text


async def test_what_helps_is_there(acme: Path) -> None:
    text = await reported(acme, OPENAI_API_KEY=SECRET, SQLSCRIBE_TRUSTED_FOLDERS=str(acme))
    lines = {line[:19].strip(): line[19:].strip() for line in text.splitlines()}
    assert lines["schema"] == "2 tables, 3 columns, 0 foreign keys"
    assert lines["knowledge"].startswith("1 example, ")
    assert lines["keys"] == "MISTRAL_API_KEY, OPENAI_API_KEY"
    assert lines["database"] == "postgresql, not read"
    assert lines["model"] == "openai/***, at https://***"
    assert lines["answers of 30 days"] == "failed 2, sql 1"
    assert re.fullmatch(r"timed_out 2 \(last [\d-]+ 12:\d\d\)", lines["errors of 30 days"])
    settings = text.partition("settings that are not the usual ones:\n")[2].splitlines()
    assert [line.strip() for line in settings] == [
        "schema = 1 given",
        "rules = 1 given",
        "instructions = 21 characters",
        "model.name = openai/***",
        "model.api_base = at https://***",
        "model.api_key_env = a variable of its own",
        "model.timeout_seconds = 12.0",
        "models.1.name = bedrock/***",
        "models.1.api_base = at port 8077 of this machine",
        "models.1.api_key_env = OPENAI_API_KEY",
        "privacy.mask = 1 given",
        "database.url = set",
        "database.checks = off",
        "checks.ignore = quality/fan-out",
        "prompts.variables = 1 given",
        "limits.cost_per_day = 2.5",
    ]


async def test_an_empty_folder_has_a_report_too(tmp_path: Path) -> None:
    text = await reported(tmp_path)
    assert "0 tables" in text
    assert text.endswith("settings: the usual ones")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("openai/gpt-5-mini", "openai/gpt-5-mini"),
        ("ollama_chat/qwen2.5-coder:7b", "ollama_chat/qwen2.5-coder:7b"),
        ("openrouter/meta-llama/llama-3.1-8b", "openrouter/meta-llama/llama-3.1-8b"),
        ("openai//srv/models/x.gguf", "openai/***"),
        ("openai/~/x.gguf", "openai/***"),
        ("/srv/models/x.gguf", "***"),
        (r"openai/C:\models\x.gguf", "openai/***"),
        (r"openai/models\x.gguf", "openai/models***"),
        ("bedrock/arn:aws:bedrock:eu:123:model/x", "bedrock/***"),
        ("openai/ft:gpt-4o:acct-1234567890", "openai/ft:gpt-4o:acct-***"),
        ("openai/of-gladys-x", "openai/of-***-x"),
        ("openai/gladysson", "openai/gladysson"),
        ("openai/sk-abcdefghijklmnop", "openai/***"),
    ],
)
def test_of_a_model_only_its_public_name_is_shown(
    name: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "gladys")
    assert doctor_report._model_name(name, Redactor()) == shown
