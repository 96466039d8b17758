"""What an engine itself makes of a script: the script loaded into it, its catalogue read back.

Each loader runs the script with the engine's own client and goes on after an error, as a
person would who loads a dump of another version; how many statements failed is told.
"""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

POSTGRES_BIN = "/usr/lib/postgresql/15/bin"


@dataclass(frozen=True)
class EngineColumn:
    name: str
    type: str
    nullable: bool


@dataclass(frozen=True)
class Catalogue:
    """Columns by (schema, table); ``errors`` are the engine's words on what it did not run."""

    tables: dict[tuple[str, str], list[EngineColumn]] = field(default_factory=dict)
    errors: tuple[str, ...] = ()


def sqlite(texts: Sequence[str]) -> Catalogue:
    import apsw
    import apsw.shell

    said = io.StringIO()
    connection = apsw.Connection(":memory:")
    for text in texts:
        shell = apsw.shell.Shell(
            stdin=io.StringIO(text + "\n;\n"), stdout=io.StringIO(), stderr=said, db=connection
        )
        shell.cmdloop()
    tables: dict[tuple[str, str], list[EngineColumn]] = {}
    listed = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema IN ('main', 'temp')"
        " AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    for (name,) in listed.fetchall():
        try:
            rows = connection.execute("SELECT * FROM pragma_table_xinfo(?)", (name,)).fetchall()
        except apsw.SQLError:
            # A view on a table that the script does not make.
            continue
        tables["", name] = [
            EngineColumn(row[1], row[2], not (row[3] or row[5])) for row in rows if row[6] != 1
        ]
    return Catalogue(tables, _errors(said.getvalue(), "Error"))


def duckdb(texts: Sequence[str]) -> Catalogue:
    import duckdb as engine

    connection = engine.connect(":memory:")
    errors: list[str] = []
    for text in texts:
        try:
            statements = connection.extract_statements(text)
        except engine.Error as error:
            errors.append(str(error))
            continue
        for statement in statements:
            try:
                connection.execute(statement)
            except engine.Error as error:
                errors.append(str(error))
    rows = connection.execute(
        "SELECT schema_name, table_name, column_name, data_type, is_nullable"
        " FROM duckdb_columns() WHERE NOT internal ORDER BY table_oid, column_index"
    ).fetchall()
    return Catalogue(_grouped(rows, "main"), tuple(errors))


_POSTGRES_COLUMNS = """
SELECT n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
       CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END
FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'm', 'p', 'f')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
ORDER BY c.oid, a.attnum
"""


def postgres(texts: Sequence[str], url: str) -> Catalogue:
    """A database of its own on the server at ``url``, dropped again."""
    database = "bench_schema"
    client = [f"{POSTGRES_BIN}/psql", "-X", "-q", "-A", "-t", "-F", "\t"]
    admin = [*client, _with_database(url, "postgres"), "-v", "ON_ERROR_STOP=1"]
    drop = f"DROP DATABASE IF EXISTS {database}"
    _run([*admin, "-c", drop, "-c", f"CREATE DATABASE {database}"], "")
    mine = [*client, _with_database(url, database)]
    errors: list[str] = []
    for text in texts:
        errors += _errors(_run(mine, text).stderr, "ERROR:")
    listed = _run([*mine, "-c", _POSTGRES_COLUMNS], "").stdout
    _run([*admin, "-c", drop], "")
    rows = [tuple(line.split("\t")) for line in listed.splitlines() if line.count("\t") == 4]
    return Catalogue(_grouped(rows, "public"), tuple(errors))


def mariadb(texts: Sequence[str], url: str) -> Catalogue:
    """A database of its own on the server at ``url``, dropped again with all that were made."""
    parts = urlsplit(url)
    client = [
        "mariadb", "--no-defaults", "--batch", "--skip-column-names", "--force",
        f"--host={parts.hostname}", f"--port={parts.port}", "--protocol=tcp",
        f"--user={unquote(parts.username or 'root')}", "--default-character-set=utf8mb4",
        *([f"--password={unquote(parts.password)}"] if parts.password else []),
    ]  # fmt: skip
    database, own = "bench_schema", "'information_schema', 'mysql', 'performance_schema', 'sys'"
    _run([*client, "-e", f"DROP DATABASE IF EXISTS {database}; CREATE DATABASE {database}"], "")
    errors: list[str] = []
    for text in texts:
        errors += _errors(_run([*client, database], text).stderr, "ERROR ")
    listed = _run(
        [
            *client, "-e",
            "SELECT table_schema, table_name, column_name, column_type, is_nullable"
            " FROM information_schema.columns JOIN information_schema.tables"
            f" USING (table_schema, table_name) WHERE table_schema NOT IN ({own})"
            " AND table_type <> 'SEQUENCE' ORDER BY table_schema, table_name, ordinal_position",
        ],
        "",
    ).stdout  # fmt: skip
    rows = [tuple(line.split("\t")) for line in listed.splitlines() if line.count("\t") == 4]
    for schema in {row[0] for row in rows} | {database}:
        _run([*client, "-e", f"DROP DATABASE IF EXISTS `{schema}`"], "")
    return Catalogue(_grouped(rows, database), tuple(errors))


def _grouped(
    rows: Sequence[tuple[object, ...]], default: str
) -> dict[tuple[str, str], list[EngineColumn]]:
    tables: dict[tuple[str, str], list[EngineColumn]] = {}
    for schema, table, column, type_, nullable in rows:
        where = "" if schema == default else str(schema)
        columns = tables.setdefault((where, str(table)), [])
        columns.append(EngineColumn(str(column), str(type_), nullable in (True, "YES")))
    return tables


def _with_database(url: str, database: str) -> str:
    """A SQLAlchemy URL as libpq writes it, with another database."""
    parts = urlsplit(url)
    return parts._replace(scheme="postgresql", path=f"/{database}").geturl()


def _run(command: list[str], text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, input=text, capture_output=True, encoding="utf-8", errors="replace", check=False
    )


def _errors(said: str, mark: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in said.splitlines() if re.search(re.escape(mark), line))
