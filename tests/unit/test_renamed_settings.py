"""Settings under a name that they had before. The table is filled for the test."""

from __future__ import annotations

import pytest

from sqlscribe import settings
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Severity
from sqlscribe.settings import fields, renamed


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        ("model", "retries"): ("model", "max_repairs"),
        ("example_limit",): ("limits", "examples"),
        ("guess",): ("stamp",),
    }
    monkeypatch.setattr(renamed, "RENAMED", names)


@pytest.mark.parametrize(
    ("toml", "key", "message", "value", "cured"),
    [
        (
            "[model]\nretries = 5\n",
            "retries",
            "retries is called model.max_repairs now",
            5,
            "[model]\nmax_repairs = 5\n",
        ),
        (
            "model.retries = 5\n",
            "model.retries",
            "retries is called model.max_repairs now",
            5,
            "model.max_repairs = 5\n",
        ),
        (
            "[model]\nretries = 5\nmax_repairs = 4\n",
            "retries",
            "retries is called model.max_repairs now, which is set too and counts",
            4,
            None,
        ),
        (
            "[models.fast]\nretries = 5\n",
            "retries",
            "retries is called models.fast.max_repairs now",
            5,
            "[models.fast]\nmax_repairs = 5\n",
        ),
    ],
)
def test_an_old_key_counts_and_is_named_with_its_successor(
    toml: str, key: str, message: str, value: int, cured: str | None
) -> None:
    parsed = settings.parse_toml(toml)
    (finding,) = parsed.findings
    assert (finding.code, finding.severity) == ("config/renamed-key", Severity.WARNING)
    assert (finding.message, finding.span.of(toml)) == (message, key)
    assert parsed.settings is not None
    model = parsed.settings.models.get("fast", parsed.settings.model)
    assert model.max_repairs == value
    if cured is None:
        assert finding.fixes == ()
    else:
        text = Document("", toml).changed(finding.fixes[0].edits).text
        assert text == cured
        assert settings.parse_toml(text).findings == ()


def test_a_key_that_moved_to_another_table_still_counts() -> None:
    parsed = settings.parse_toml("example_limit = 9\n[limits]\nprompt_tokens = 500\n")
    assert parsed.settings is not None
    assert (parsed.settings.limits.examples, parsed.settings.limits.prompt_tokens) == (9, 500)
    (finding,) = parsed.findings
    assert finding.message == "example_limit is called limits.examples now"
    assert finding.fixes == ()


@pytest.mark.parametrize(
    ("toml", "codes"),
    [
        ("[model]\nretries = -1\n", ["config/renamed-key", "config/bad-value"]),
        ('[model]\nretries = "x"\n', ["config/renamed-key", "config/bad-value"]),
        ("model = 1\nguess = true\n", ["config/renamed-key", "config/bad-value"]),
        ("example_limit = 3\nlimits = 1\n", ["config/renamed-key", "config/bad-value"]),
        ("[model.retries]\nx = 1\n", ["config/renamed-key", "config/bad-value"]),
    ],
)
def test_a_bad_value_under_an_old_name_is_said_and_nothing_of_it_counts(
    toml: str, codes: list[str]
) -> None:
    parsed = settings.parse_toml(toml)
    assert parsed.settings is None
    assert [finding.code for finding in parsed.findings] == codes


@pytest.mark.parametrize("data", [{"model.retries": 5}, {"sqlscribe": {"model": {"retries": 5}}}])
def test_an_editor_may_send_an_old_key(data: dict[str, object]) -> None:
    client, problems = settings.from_client(data)
    assert client.values == {"model": {"max_repairs": 5}}
    assert problems == ("model.retries: retries is called model.max_repairs now",)


def test_what_was_read_is_not_changed() -> None:
    data = {"model": {"retries": 5}}
    renamed.under_new_names(data)
    assert data == {"model": {"retries": 5}}


def test_the_table_leads_to_settings_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    keys = {row.key for row in settings.describe()}
    for old, new in renamed.RENAMED.items():
        assert ".".join(new) in keys
        assert ".".join(old) not in keys
    assert "model" in fields.keys_of(fields.Settings)
