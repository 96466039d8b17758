"""URLs as people write them, and that no password is ever shown."""

from pathlib import Path

import pytest

from sqlscribe.errors import DatabaseError
from sqlscribe.schema.database import urls
from sqlscribe.schema.database.connecting import failure
from sqlscribe.schema.database.urls import Place, place_of


@pytest.fixture(autouse=True)
def every_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if all drivers were installed: URLs are read before any is imported."""
    monkeypatch.setattr(urls, "_is_there", lambda module: True)


def place(url: str) -> Place:
    return place_of(url, Path("/nowhere"))


@pytest.mark.parametrize(
    ("url", "driver", "dialect"),
    [
        ("postgresql://ann@db/shop", "postgresql+psycopg", "postgres"),
        ("postgres://ann@db/shop", "postgresql+psycopg", "postgres"),
        ("postgresql+psycopg2://ann@db/shop", "postgresql+psycopg2", "postgres"),
        ("postgresql+asyncpg://ann@db/shop", "postgresql+psycopg", "postgres"),
        ("jdbc:postgresql://db/shop", "postgresql+psycopg", "postgres"),
        ("mysql://ann@db/shop", "mysql+pymysql", "mysql"),
        ("mariadb://ann@db/shop", "mysql+pymysql", "mysql"),
        ("mysql+mysqlconnector://ann@db/shop", "mysql+pymysql", "mysql"),
        ("mssql://ann@db/shop", "mssql+pymssql", "tsql"),
        ("sqlserver://ann@db/shop", "mssql+pymssql", "tsql"),
        ("oracle://ann@db:1521/?service_name=shop", "oracle+oracledb", "oracle"),
        ("snowflake://ann@account/shop/public", "snowflake", "snowflake"),
        ("bigquery://project/dataset", "bigquery", "bigquery"),
        (" postgresql://ann@db/shop\n", "postgresql+psycopg", "postgres"),
    ],
)
def test_an_engine_gets_its_driver_and_its_dialect(url: str, driver: str, dialect: str) -> None:
    found = place(url)
    assert (found.url.drivername, found.dialect) == (driver, dialect)


@pytest.mark.parametrize(
    "password",
    [
        "secret",
        "p@ss",
        "p@ss/word",
        "p:w",
        "what?",
        "a#b",
        "50%",
        "p%40ss",
        "ünïcode",
        "@",
        "x@y/z",
    ],
)
@pytest.mark.parametrize(
    "behind", ["db.example.com:5432/shop", "db/shop?sslmode=require", "[::1]:5432/shop", "db"]
)
def test_a_password_is_taken_as_it_is_pasted(password: str, behind: str) -> None:
    found = place(f"postgresql://ann:{password}@{behind}")
    wanted = {"p%40ss": "p@ss"}.get(password, password)
    assert found.url.password == wanted
    assert found.url.username == "ann"
    assert found.url.host == (
        "::1" if behind.startswith("[") else behind.split(":")[0].split("/")[0]
    )
    assert wanted not in found.shown.replace("ann:***@", "")


def test_what_is_shown_has_no_password_and_no_parameters() -> None:
    found = place("postgresql://ann:hunter2@db:5432/shop?sslpassword=other99&sslmode=require")
    assert found.shown == "postgresql://ann:***@db:5432/shop"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://ann:hunter2@db/shop", 'wrong password "hunter2" for ann'),
        ("postgresql://ann:pw@db/shop", "no login with pw at db"),
        ("postgresql://ann@db/shop?sslpassword=other99", "key other99 does not fit"),
        ("mysql://ann:hunter2@db/shop", "no way to mysql://ann:hunter2@db/shop"),
    ],
)
def test_an_error_never_holds_the_password(url: str, said: str) -> None:
    shown = str(failure(OSError(said), place(url)))
    assert not any(secret in shown for secret in ("hunter2", "other99", " pw "))
    assert "***" in shown


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("", "url"),
        ("shop.db", "url"),
        ("://", "url"),
        ("mongodb://db/shop", "url"),
        ("postgresql://ann:hunter2@db:port/shop", "url"),
        ("sqlite://", "url"),
        ("sqlite:///:memory:", "url"),
        ("sqlite:///none.db", "missing"),
        ("duckdb:///none.duckdb", "missing"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_sentence(url: str, kind: str) -> None:
    with pytest.raises(DatabaseError) as caught:
        place(url)
    assert caught.value.kind == kind
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://u:p@db/shop?local_infile=1", "local_infile"),
        ("mysql://u:p@127.0.0.1/shop?read_default_file=~/.my.cnf&charset=utf8mb4", "read_default"),
        ("postgresql://u:p@db/shop?service=prod", "service"),
        ("postgresql://localhost/shop?host=evil.example", "host"),
        ("mssql+pyodbc://u:p@db/shop?driver=/tmp/own.so", "driver"),
        ("duckdb:///shop.db?enable_external_access=true", "enable_external_access"),
        ("postgresql://reader@evil.example/shop", "yours would be used"),
        ("postgresql://reader:@evil.example/shop", "yours would be used"),
        ("postgresql://reader@localhost,evil.example/shop", "yours would be used"),
        ("postgresql:///shop", "yours would be used"),
        ("mssql://evil.example/shop", "yours would be used"),
        ("bigquery://project/data", "yours would be used"),
        ("postgresql://reader:p@evil.example/shop?sslmode=require", ""),
        ("postgresql://reader@localhost/shop", ""),
        ("postgresql://reader@[::1]:5433/shop", ""),
        ("mysql://reader@db/shop?charset=utf8mb4", ""),
        ("sqlite:///shop.db?mode=ro", ""),
        ("duckdb:///shop.db", ""),
    ],
)
def test_what_a_url_would_use_of_the_users_is_told(
    monkeypatch: pytest.MonkeyPatch, url: str, said: str
) -> None:
    monkeypatch.setattr(urls, "_is_there", lambda module: True)
    found = urls.borrowed(url, Path("/w"))
    assert said in found if said else not found


def test_a_relative_file_lies_in_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "shop.db").touch()
    assert place_of("sqlite:///data/shop.db", tmp_path).file == tmp_path / "data" / "shop.db"
    absolute = f"sqlite:///{tmp_path / 'data' / 'shop.db'}"
    assert place_of(absolute, Path("/elsewhere")).file == tmp_path / "data" / "shop.db"


@pytest.mark.parametrize(
    ("url", "extra"),
    [
        ("postgres://db/shop", "postgres"),
        ("mysql://db/shop", "mysql"),
        ("mssql://db/shop", "tsql"),
        ("oracle://db/shop", "oracle"),
        ("snowflake://account/shop", "snowflake"),
        ("bigquery://project", "bigquery"),
        ("duckdb:///shop.duckdb", "duckdb"),
    ],
)
def test_a_missing_driver_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, url: str, extra: str
) -> None:
    monkeypatch.setattr(urls, "_is_there", lambda module: False)
    with pytest.raises(DatabaseError, match=rf"pip install 'sqlscribe\[{extra}\]'") as caught:
        place(url)
    assert caught.value.kind == "no_driver"
