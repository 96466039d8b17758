"""A database's URL as people write it: the driver to use, the file it names, its secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlscribe.errors import DatabaseError
from sqlscribe.models.providers import is_loopback
from sqlscribe.redaction import MASK, SECRET_PARAMETER, redact

if TYPE_CHECKING:
    from sqlalchemy import URL


@dataclass(frozen=True)
class Backend:
    """``module`` is what must be installed for ``driver``; ``extra`` is what installs it."""

    dialect: str
    driver: str
    module: str
    extra: str


_SNOWFLAKE = Backend("snowflake", "snowflake", "snowflake.sqlalchemy", "snowflake")
_BIGQUERY = Backend("bigquery", "bigquery", "sqlalchemy_bigquery", "bigquery")
BACKENDS: dict[str, tuple[Backend, ...]] = {
    "sqlite": (Backend("sqlite", "sqlite+pysqlite", "sqlite3", ""),),
    "duckdb": (Backend("duckdb", "duckdb", "duckdb_engine", "duckdb"),),
    "postgresql": (
        Backend("postgres", "postgresql+psycopg", "psycopg", "postgres"),
        Backend("postgres", "postgresql+psycopg2", "psycopg2", "postgres"),
    ),
    "mysql": (
        Backend("mysql", "mysql+pymysql", "pymysql", "mysql"),
        Backend("mysql", "mysql+mysqldb", "MySQLdb", "mysql"),
    ),
    "mssql": (
        Backend("tsql", "mssql+pymssql", "pymssql", "tsql"),
        Backend("tsql", "mssql+pyodbc", "pyodbc", "tsql"),
    ),
    "oracle": (Backend("oracle", "oracle+oracledb", "oracledb", "oracle"),),
    "snowflake": (_SNOWFLAKE,),
    "bigquery": (_BIGQUERY,),
}
"""By SQLAlchemy's name of the engine; the first driver is the one that our extra installs."""

_ALIASES = {
    "postgres": "postgresql",
    "pgsql": "postgresql",
    "mariadb": "mysql",
    "sqlserver": "mssql",
    "sqlite3": "sqlite",
}
_SCHEME = re.compile(r"\s*(?:jdbc:)?([a-z][a-z0-9_]*)(?:\+([a-z0-9_]+))?:/", re.IGNORECASE)
_LOGIN = re.compile(r"(://[^:/?\s]*:)(.*)\Z", re.DOTALL)
_HOST = re.compile(r"(?:\[[^\]]*\](?::\d+)?|[\w.,:%-]*)(?P<path>/[^@?]*)?(?:\?.*)?\Z", re.DOTALL)
_RESERVED = re.compile(r"[^A-Za-z0-9._~!$&'()*+,;=:%-]")
_SECRET_PARAMETER = re.compile(rf"{SECRET_PARAMETER}|odbc_connect", re.I)


@dataclass(frozen=True)
class Place:
    """Where a database is. ``secrets`` are taken out of all that is said about it.

    ``file`` is set for SQLite and DuckDB; such a file exists.
    """

    url: URL
    backend: Backend
    file: Path | None
    secrets: tuple[str, ...]

    @property
    def dialect(self) -> str:
        """The name of the dialect as all of SQLScribe uses it."""
        return self.backend.dialect

    @property
    def shown(self) -> str:
        """The URL for people: no password, no parameters."""
        plain = self.url.difference_update_query(self.url.query)
        drivername = plain.drivername.partition("+")[0]
        return plain.set(drivername=drivername).render_as_string(hide_password=True)

    def without_secrets(self, text: str) -> str:
        """``text`` with the password and what looks like one taken out, short ones too."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", MASK, text)
        return redact(text, self.secrets)


def place_of(url: str, root: Path) -> Place:
    """The place that ``url`` means; a relative file lies in the folder ``root``.

    Raises ``DatabaseError`` for an address that says nothing, for a file that does not
    exist, and for an engine whose driver is not installed.
    """
    backend, parsed, file = _read(url, root)
    if file is not None and not file.is_file():
        raise DatabaseError(f"There is no database file {file}.", kind="missing")
    return Place(parsed, backend, file, tuple(_secrets(parsed)))


def _read(url: str, root: Path) -> tuple[Backend, URL, Path | None]:
    url = url.strip()
    found = _SCHEME.match(url)
    if found is None:
        message = "database.url is no database URL, such as postgresql://user@host/name."
        raise DatabaseError(message, kind="url")
    engine = _ALIASES.get(found[1].lower(), found[1].lower())
    if engine not in BACKENDS:
        known = ", ".join(BACKENDS)
        message = f"database.url names the engine {found[1]}, which is none of {known}."
        raise DatabaseError(message, kind="url")
    backend = _installed(engine, (found[2] or "").lower())
    parsed = _parsed(backend, url[found.end() - 2 :])
    return backend, parsed, _file(parsed, engine, root)


def stays_inside(url: str, root: Path) -> bool:
    """Whether the database is no file, or one in the folder ``root``, links followed.

    Raises ``DatabaseError`` as :func:`place_of` does, but for a file that does not exist.
    """
    *_, file = _read(url, root)
    return file is None or file.resolve().is_relative_to(root.resolve())


_HARMLESS = frozenset(
    "application_name charset client_encoding connect_timeout role schema service_name sslmode"
    " warehouse".split()
)
"""Parameters that only say how to speak, or what of the database is meant."""
_LENT = frozenset({"postgres", "tsql", "bigquery"})
"""Whose drivers bring an account of the user's where the URL names none: from the environment,
from files of passwords, or that of the machine."""


def borrowed(url: str, root: Path) -> str:
    """What of the user's would be used with a URL, though it is not in it; ``""`` for nothing.

    A parameter may name any file to the driver, load a library, or let the server fetch files
    (``local_infile``); those of SQLite are never passed on. Raises ``DatabaseError`` as
    :func:`place_of` does.
    """
    backend, parsed, file = _read(url, root)
    odd = sorted(name for name in parsed.query if name.lower() not in _HARMLESS)
    if odd and backend.dialect != "sqlite":
        return f"sets {', '.join(odd)} for the driver"
    if file is not None or backend.dialect not in _LENT or parsed.password:
        return ""
    if parsed.host is not None and is_loopback(f"http://{_bracketed(parsed.host)}"):
        return ""
    return "names no password, so that yours would be used"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def address_for_reading(file: Path) -> str:
    """The URI that opens a SQLite file for reading, with no file made beside it.

    Where writes go to a log first, readers share a memory file beside the database, make it
    where there is none, and leave it behind. While nobody has written to a log, the file alone
    is all there is to read.
    """
    address = f"{file.absolute().as_uri()}?mode=ro"
    try:
        with file.open("rb") as content:
            has_log = content.read(19)[18:] == b"\x02"
        log = file.with_name(f"{file.name}-wal")
        is_empty = not log.exists() or log.stat().st_size == 0
    except OSError:
        return address
    return f"{address}&immutable=1" if has_log and is_empty else address


def _installed(engine: str, driver: str) -> Backend:
    """The driver asked for where it is there, else the one that is: both read the same URL."""
    choices = BACKENDS[engine]
    asked = [each for each in choices if each.driver.endswith(f"+{driver}")]
    for backend in (*asked, *choices):
        if _is_there(backend.module):
            return backend
    extra = choices[0].extra
    message = (
        f"The driver for {engine} is not installed; this installs it:"
        f" pip install 'sqlscribe[{extra}]'"
    )
    raise DatabaseError(message, kind="no_driver")


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        # The package that would hold it is not there either.
        return False


def _parsed(backend: Backend, rest: str) -> URL:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(backend.driver + _with_plain_password(rest))
    except (ArgumentError, ValueError):
        # What SQLAlchemy says of it may hold a part of the password.
        shape = "engine://user:password@host:port/database"
        message = f"database.url cannot be read; it should look like {shape}."
        raise DatabaseError(message, kind="url") from None


def _with_plain_password(rest: str) -> str:
    """The URL with a password that holds ``@``, ``/``, ``?`` or ``#`` written so that it can be.

    People paste passwords as they are. The last ``@`` with a host and a path behind it ends
    one, else the last with a host: there may be another ``@`` among the parameters.
    """
    login = _LOGIN.match(rest)
    if login is None:
        return rest
    start, behind = login[1], login[2]
    marks = (index for index, letter in enumerate(behind) if letter == "@")
    hosts = [(index, found) for index in marks if (found := _HOST.match(behind, index + 1))]
    with_path = [index for index, found in hosts if found["path"]]
    end = max(with_path or [index for index, _ in hosts], default=-1)
    if end < 0:
        return rest
    return start + _RESERVED.sub(lambda mark: quote(mark[0], safe=""), behind[:end]) + behind[end:]


def _file(url: URL, engine: str, root: Path) -> Path | None:
    if engine not in ("sqlite", "duckdb"):
        return None
    name = (url.database or "").removeprefix("file:")
    if not name or name.startswith(":"):
        message = f"database.url names no file; write {engine}:///name.db"
        raise DatabaseError(message, kind="url")
    return root / Path(name).expanduser()


def _secrets(url: URL) -> Iterator[str]:
    if url.password:
        yield str(url.password)
    for name, value in url.query.items():
        if _SECRET_PARAMETER.fullmatch(name):
            yield from (value,) if isinstance(value, str) else value
