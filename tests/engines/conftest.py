"""One server of each kind for all tests here, and helpers to fill it and to look at it."""

from collections.abc import Callable, Iterator, Sequence

import pytest
import sqlalchemy
from sqlalchemy.pool import NullPool

from engines import mariadb_server, postgres_server

Run = Callable[[str, Sequence[str]], list[tuple[object, ...]]]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture(scope="session")
def mariadb() -> Iterator[str]:
    with mariadb_server() as url:
        yield url


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs statements as somebody who may write; gives the rows of the last one."""

    def run(url: str, statements: Sequence[str]) -> list[tuple[object, ...]]:
        rows: list[tuple[object, ...]] = []
        engine = sqlalchemy.create_engine(url, poolclass=NullPool)
        with engine.begin() as connection:
            for statement in statements:
                result = connection.exec_driver_sql(statement)
                rows = [tuple(row) for row in result] if result.returns_rows else []
        return rows

    return run
