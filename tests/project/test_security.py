"""Every line of the threat model names the test that shows it, and that test is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "SECURITY.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", TEXT)
MODEL = TEXT.partition("## What each side can try")[2].partition("## Out of scope")[0]
LINES = [line for line in MODEL.splitlines() if re.match(r"\| (?!tries \|)\w", line)]


@pytest.mark.parametrize(("file", "test"), sorted(set(NAMED)))
def test_a_named_test_is_there(file: str, test: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    assert re.search(rf"^ *(?:async )?def {test}\(", text, re.MULTILINE)


def test_every_line_names_a_test() -> None:
    assert len(LINES) > 30
    assert [line for line in LINES if "`tests/" not in line] == []
