"""Faults, each put into a real process: ``make faults`` ends with a table of what happened."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from shop import SHOP, write

EVERYTHING = os.environ.get("FAULTS") == "all"
_OUTCOMES = pytest.StashKey[list[tuple[str, str, bool]]]()
_SAID = pytest.StashKey[str]()

_WIDEST = 72

Note = Callable[[str], None]


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_OUTCOMES] = []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "faults" in item.path.parts:
            item.add_marker(pytest.mark.e2e)
            if item.get_closest_marker("slow") and not EVERYTHING:
                item.add_marker(pytest.mark.skip(reason="slow: make faults runs it"))


@pytest.fixture
def note(request: pytest.FixtureRequest) -> Note:
    """Call with what happened, for the table."""

    def say(happened: str) -> None:
        request.node.stash[_SAID] = happened

    return say


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small PostgreSQL workspace with the built-in model."""
    return write(tmp_path / "shop", {**SHOP, "sqlscribe.toml": VERIFIED})


VERIFIED = 'dialect = "postgres"\n[model]\nname = "verified"\n'


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> object:
    report = yield
    marker = item.get_closest_marker("fault")
    if marker is not None and report.when == "call":
        named = marker.args[0]
        parameter = getattr(item, "callspec", None)
        fault = _cut(named.format(**(parameter.params if parameter else {})))
        said = item.stash.get(_SAID, "as expected")
        happened = said if report.passed else str(report.longrepr).splitlines()[-1]
        happened = _cut(" ".join(happened.split()))
        item.config.stash[_OUTCOMES].append((fault, happened, report.passed))
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    outcomes = config.stash.get(_OUTCOMES, [])
    if not outcomes or not EVERYTHING:
        return
    widths = [max(len(row[column]) for row in outcomes) for column in (0, 1)]
    terminalreporter.section("faults")
    for fault, happened, survived in outcomes:
        verdict = "survived" if survived else "NOT SURVIVED"
        terminalreporter.write_line(f"{fault:<{widths[0]}}  {happened:<{widths[1]}}  {verdict}")
    survived = sum(1 for *_, each in outcomes if each)
    terminalreporter.write_line(f"{survived} of {len(outcomes)} faults survived")
