"""A desk in a small workspace with the built-in model."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desk import FILES, Desk
from shop import write


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(write(tmp_path, FILES))
    yield made
    made.server.session.shutdown()
