"""How much is logged, and what never is."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from sqlscribe import logs


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    ours = logging.getLogger("sqlscribe")
    level = ours.level
    yield
    ours.setLevel(level)


@pytest.mark.parametrize(
    ("levels", "level"),
    [
        ([], logging.WARNING),
        ([""], logging.WARNING),
        (["error"], logging.ERROR),
        (["error", "info", ""], logging.INFO),
        (["trace", "warning"], logs.TRACE),
    ],
)
def test_the_most_talkative_level_counts(levels: list[str], level: int) -> None:
    logs.set_level(levels)
    assert logging.getLogger("sqlscribe.anything").getEffectiveLevel() == level


def test_only_our_own_messages_follow_the_level() -> None:
    logs.set_level(["trace"])
    assert not logging.getLogger("pygls.protocol").isEnabledFor(logging.INFO)
    assert not logging.getLogger("httpcore").isEnabledFor(logging.DEBUG)


def test_keys_are_masked_in_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "hunter-the-second")
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    logs.hide_secrets(handler)
    logger = logging.Logger("apart")
    logger.addHandler(handler)
    logger.error("failed with %s", "hunter-the-second and sk-abcdefghijklmn")
    assert written.getvalue() == "failed with *** and ***\n"
