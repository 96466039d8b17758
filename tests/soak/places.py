"""The folders of a long day: one with two branches of many files, and ten small ones."""

from __future__ import annotations

import shutil
from pathlib import Path

TABLES = 60
EXAMPLES = 80
FOLDERS = 10
BRANCHES = ("main", "feature")
_DIALECTS = ("sqlite", "duckdb", "postgres", "mysql")


class Desk:
    """A folder as a person works in it. ``branch`` is what was last checked out."""

    def __init__(self, root: Path, address: str) -> None:
        self.root = root
        self.config = (
            f'dialect = "sqlite"\n[model]\nname = "openai/test"\napi_base = "{address}"\n'
            'api_key_env = "TEST_MODEL_KEY"\ntimeout_seconds = 10\n'
        )
        self.branch = BRANCHES[0]
        self.checks_out(self.branch)

    def checks_out(self, branch: str) -> None:
        """Write all files of a branch, and remove those that only the other one has."""
        self.branch = branch
        for folder in ("db", "training"):
            shutil.rmtree(self.root / folder, ignore_errors=True)
        _write(self.root, {"sqlscribe.toml": self.config, **_files(branch)})

    def breaks_config(self, number: int) -> None:
        broken = ('dialect = "sqlite\n', "[model]\nname = 7\n", 'nonsense = "x"\n', "]]]]", "\0")
        _write(self.root, {"sqlscribe.toml": broken[number % len(broken)]})

    def mends_config(self) -> None:
        _write(self.root, {"sqlscribe.toml": self.config})

    def changes_schema(self, number: int) -> None:
        """Another column on one table, in place of the one that came last time."""
        table = number % TABLES
        text = _table(table, self.branch)[:-3] + f",\n  extra_{number % 1000} text\n);\n"
        _write(self.root, {f"db/{table:02}.sql": text})


def small_folders(around: Path) -> list[Path]:
    """Ten more folders, each of its own dialect, with the built-in model."""
    made = []
    for number in range(FOLDERS):
        dialect = _DIALECTS[number % len(_DIALECTS)]
        root = around / f"folder_{number}"
        files = {
            "sqlscribe.toml": f'dialect = "{dialect}"\n[model]\nname = "verified"\n',
            "db/tables.sql": "".join(_table(number * 3 + each, "main") for each in range(3)),
            "training/examples.sql": _example(number * 3),
        }
        _write(root, files)
        made.append(root)
    return made


def _files(branch: str) -> dict[str, str]:
    files = {f"db/{number:02}.sql": _table(number, branch) for number in range(TABLES)}
    files["training/examples.sql"] = "".join(map(_example, range(EXAMPLES)))
    files["rules.md"] = f"Revenue is the sum of total, as of {branch}.\n"
    if branch != BRANCHES[0]:
        files["db/views.sql"] = "CREATE VIEW totals AS SELECT id, total FROM sales_1;\n"
    return files


def _table(number: int, branch: str) -> str:
    also = "" if branch == BRANCHES[0] else f",\n  on_{branch} text"
    refers = f" REFERENCES sales_{number - 1} (id)" if number % 10 else ""
    return (
        f"CREATE TABLE sales_{number} (\n  id integer PRIMARY KEY,\n"
        f"  parent_id integer{refers},\n  name_{number} text NOT NULL, -- as on the invoice\n"
        f"  total numeric(10, 2),\n  placed_at timestamp{also}\n);\n"
    )


def _example(number: int) -> str:
    table, least = number % TABLES, number * 7
    return (
        f"-- ask: the names in region {number} with more than {least} in all\n"
        f"SELECT name_{table} FROM sales_{table} WHERE total > {least};\n\n"
    )


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
