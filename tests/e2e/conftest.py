"""Every test here starts the real process."""

from pathlib import Path

import pytest

from shop import SHOP, write


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "e2e" in item.path.parts:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small PostgreSQL workspace with the built-in model."""
    configuration = 'dialect = "postgres"\n[model]\nname = "verified"\n'
    return write(tmp_path / "shop", {**SHOP, "sqlscribe.toml": configuration})
