"""Makes a SQLite database of the example's tables and rows: database.py FOLDER."""

import csv
import sqlite3
import sys
from pathlib import Path

folder = Path(sys.argv[1])
connection = sqlite3.connect(folder / "shop.db")
for script in sorted((folder / "db").glob("*.sql")):
    connection.executescript(script.read_text("utf-8"))
for file in sorted((folder / "data").glob("*.csv")):
    with file.open(encoding="utf-8", newline="") as lines:
        head, *rows = csv.reader(lines)
    places = ", ".join("?" * len(head))
    names = ", ".join(head)
    values = [[value or None for value in row] for row in rows]
    connection.executemany(f"INSERT INTO {file.stem} ({names}) VALUES ({places})", values)
connection.commit()
connection.close()
