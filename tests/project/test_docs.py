"""Documents that name files, commands, settings and codes are right about them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sqlscribe import __version__, settings
from sqlscribe.cli import commands

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TOP_LEVEL = {
    "pyproject.toml", "server", "clients", "prompts", "tests", "examples", "README.md",
    "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "Makefile", "docs",
}  # fmt: skip
START = "<!-- settings: made by tests/project/test_docs.py -->"
END = "<!-- end of settings -->"


def settings_table() -> str:
    rows = ["| key | type | default | meaning |", "|---|---|---|---|"]
    for row in settings.describe():
        default = f"`{row.default}`" if row.default else ""
        rows.append(f"| `{row.key}` | {row.type} | {default} | {row.meaning} |")
    return "\n".join(rows)


def test_the_readme_shows_the_settings_as_they_are() -> None:
    """Run with UPDATE_DOCS=1 to write the table into the README."""
    text = README.read_text("utf-8")
    before, _, rest = text.partition(START)
    shown, _, after = rest.partition(END)
    wanted = f"\n{settings_table()}\n"
    if os.environ.get("UPDATE_DOCS"):
        README.write_text(f"{before}{START}{wanted}{END}{after}", "utf-8")
        return
    assert shown == wanted


@pytest.mark.parametrize("name", sorted(commands.commands))
def test_the_readme_names_every_command(name: str) -> None:
    assert f"| `sqlscribe {name}" in README.read_text("utf-8")


def test_the_changelog_knows_this_version() -> None:
    assert f"## {__version__} " in (ROOT / "CHANGELOG.md").read_text("utf-8")


DOCUMENTS = (
    "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "prompts/README.md", "docs/findings.md",
    "docs/SECURITY.md", "docs/reliability.md",
    "clients/nvim/README.md", "clients/vscode/README.md",
)  # fmt: skip


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_to_a_file_leads_somewhere(document: str) -> None:
    path = ROOT / document
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", path.read_text("utf-8"))
    for link in links:
        if not link.startswith("http"):
            assert (path.parent / link).exists(), link


def test_the_architecture_names_every_module_in_its_place_and_no_other() -> None:
    package = ROOT / "server" / "sqlscribe"
    real = {
        path.relative_to(package).with_suffix("").as_posix()
        for path in package.rglob("*.py")
        if not path.name.startswith("__")
    }
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named: set[str] = set()
    folder = ""
    for line in text.split("```text\n", 1)[1].split("```", 1)[0].splitlines():
        first = line.split()[0]
        if first.endswith("/"):
            folder = first
            continue
        place = folder if line.startswith(" ") else ""
        # Names of modules stand two blanks apart; what follows them is prose.
        for word in re.split(r"  +", line.strip()):
            if f"{place}{word}" in real:
                named.add(f"{place}{word}")
            else:
                assert " " in word or "," in word or not word.isidentifier(), f"no {place}{word}"
    assert named == real, real - named


def test_the_top_level_stays_small() -> None:
    done = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("not a git checkout, so there is no list of the project's files")
    names = {line.partition("/")[0] for line in done.stdout.splitlines()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_help_works_for_every_command() -> None:
    for name in ("--help", *(f"{command} --help" for command in sorted(commands.commands))):
        done = subprocess.run(
            [sys.executable, "-m", "sqlscribe", *name.split()],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("Usage:")


def test_no_two_test_files_share_a_name() -> None:
    """Python would take one for the other."""
    files = [
        path.name
        for path in (ROOT / "tests").rglob("test_*.py")
        if "node_modules" not in path.parts
    ]
    assert sorted(files) == sorted(set(files))
