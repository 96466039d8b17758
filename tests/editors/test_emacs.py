"""A real Emacs with eglot, in batch: as the recipe sets it up, and with sqlscribe.el.

The scenarios stand in ``emacs/``. ``tests/editors/install`` installs what is needed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from held import Held, fenced
from loopback import Hang, LoopbackModel, Say
from shop import SHOP, use_model, write

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "clients" / "emacs"
WITH_PACKAGE = """\
(add-to-list 'load-path (getenv "PACKAGE"))
(require 'sqlscribe)
(setq eglot-confirm-server-initiated-edits nil)
(add-hook 'sql-mode-hook #'eglot-ensure)
"""

pytestmark = pytest.mark.editor


@pytest.fixture(scope="module")
def emacs() -> str:
    found = shutil.which("emacs")
    if found is None:
        pytest.skip("no emacs: tests/editors/install installs it on Debian")
    asked = [found, "--batch", "--eval", '(unless (locate-library "eglot") (kill-emacs 1))']
    if subprocess.run(asked, check=False, capture_output=True, timeout=60).returncode:
        pytest.skip("this emacs has no eglot: tests/editors/install installs it on Debian")
    return found


class Emacs:
    """One home directory, and one workspace."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.root = write(folder / "shop", SHOP)
        self.asked, self.go = folder / "asked", folder / "go"

    def run(self, scenario: str, text: str, recipe: str) -> dict[str, Any]:
        """Act out a scenario in ``q.sql`` with a text; what it saw."""
        write(self.root, {"q.sql": text})
        write(self.folder, {"recipe.el": recipe})
        result = self.folder / "result.json"
        done = subprocess.run(
            [self.program, "--batch", "-l", str(HERE / "emacs" / "desk.el")],
            env={
                **os.environ,
                "HOME": str(self.folder),
                "LC_ALL": "C.UTF-8",
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "TEST_MODEL_KEY": "FAKE-never-shown",
                "RECIPE": str(self.folder / "recipe.el"),
                "SCENARIO": str(HERE / "emacs" / f"{scenario}.el"),
                "RESULT": str(result),
                "ASKED": str(self.asked),
                "GO": str(self.go),
                "PACKAGE": str(PACKAGE),
            },
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
            timeout=150,
        )
        assert result.exists(), done.stderr
        found: dict[str, Any] = json.loads(result.read_text("utf-8"))
        assert done.returncode == 0, f"{found.get('error')}\n{done.stderr[-3000:]}"
        return found


def recipe() -> str:
    """The lines that the documentation tells people to use."""
    text = (PACKAGE / "README.md").read_text("utf-8")
    return text.partition("```elisp\n")[2].partition("```")[0]


@pytest.fixture
def desk(emacs: str, tmp_path: Path) -> Emacs:
    return Emacs(emacs, tmp_path)


def test_the_recipe_alone_hovers_answers_mends_and_saves(desk: Emacs) -> None:
    write(desk.root, {"sqlscribe.toml": 'dialect = "sqlite"\n[model]\nname = "verified"\n'})
    found = desk.run(
        "recipe",
        "-- ask: how many customers live in 'Oslo'?\n\n"
        "-- ask: everybody's name\nSELECT full_name FROM customers ORDER BY 1;\n\n"
        "SELECT '😀', nme, city FROM customers;\n",
        recipe(),
    )
    assert "verified · about" in found["hover"]
    assert "CREATE TABLE customers" in found["hover"]
    assert "Generate SQL" in found["menu"]
    assert found["answered"].startswith(
        "-- ask: how many customers live in 'Oslo'?\n"
        "SELECT count(*) FROM customers WHERE city = 'Oslo';\n"
    )
    assert "nme" in found["finding"]
    assert "SELECT '😀', full_name, city FROM customers;" in found["fixed"]
    assert "everybody's name\nSELECT full_name FROM customers ORDER BY 1;" in found["saved"]


def test_the_recipe_alone_can_stop_a_slow_answer(desk: Emacs) -> None:
    with LoopbackModel(Held(desk.asked, desk.go, Hang())) as model:
        use_model(desk.root, model.api_base)
        found = desk.run("cancel", "-- ask: all names\n", recipe())
        assert model.exchanges[0].closed.wait(20)
    assert found["before"] == found["after"] == "-- typed meanwhile\n-- ask: all names\n"


def test_the_package_previews_asks_tells_the_state_and_explains(desk: Emacs) -> None:
    answers = (
        Held(desk.asked, desk.go, fenced("SELECT full_name FROM customers")),
        fenced("SELECT city, full_name FROM customers"),
        Say("It lists every name."),
    )
    with LoopbackModel(*answers) as model:
        use_model(desk.root, model.api_base)
        found = desk.run("package", "-- ask: all names\n", WITH_PACKAGE)
    assert "CREATE TABLE customers" in found["prompt"]
    assert found["read-only"] is True
    question = "-- typed meanwhile\n-- ask: all names\n"
    assert found["answered"] == f"{question}SELECT full_name FROM customers;\n"
    assert found["again"] == f"{question}SELECT city, full_name FROM customers;\n"
    assert found["state"] == "SQLScribe: checked"
    assert "SELECT\n" in found["formatted"]


def test_the_package_compiles_without_a_warning(emacs: str, tmp_path: Path) -> None:
    copy = shutil.copy(PACKAGE / "sqlscribe.el", tmp_path)
    compiled = [emacs, "--batch", "--eval", "(setq byte-compile-error-on-warn t)"]
    done = subprocess.run(
        [*compiled, "-f", "batch-byte-compile", copy],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
