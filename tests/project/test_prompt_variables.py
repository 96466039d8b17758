"""Templates, the code that fills them, and their documentation name the same variables."""

import re
from pathlib import Path

import pytest

from sqlscribe.loading import shipped_templates
from sqlscribe.notation.document import Document
from sqlscribe.prompting.meanings import FUNCTIONS, MEANINGS, OF_THE_QUESTION, OF_THE_WORKSPACE
from sqlscribe.prompting.template_check import check_template
from sqlscribe.prompting.templates import Templates, variables

ROOT = Path(__file__).parents[2]
TEMPLATES = Templates(shipped_templates())


def documented() -> set[str]:
    rows = re.findall(
        r"^\| ((?:`\w+`,? ?)+) \|", (ROOT / "prompts/README.md").read_text("utf-8"), re.M
    )
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def test_every_file_in_the_folder_is_shipped() -> None:
    on_disk = {str(p.relative_to(ROOT / "prompts")) for p in (ROOT / "prompts").rglob("*.j2")}
    assert set(TEMPLATES.names()) == {name.replace("\\", "/") for name in on_disk}


def read_by(name: str) -> set[str]:
    return {use.name for use in variables(TEMPLATES, name)}


@pytest.mark.parametrize("name", TEMPLATES.names())
def test_a_template_is_sound_and_uses_documented_variables_only(name: str) -> None:
    document = Document(name, TEMPLATES.source(name) or "")
    assert check_template(document, TEMPLATES, name) == ()
    assert read_by(name) <= documented()


def test_every_documented_variable_is_used_by_some_template() -> None:
    used = {variable for name in TEMPLATES.names() for variable in read_by(name)}
    # The dates part shows weekday and date; nothing is described that no prompt ever needs.
    assert documented() - used == set()


def test_every_variable_is_documented_and_either_stays_or_changes() -> None:
    assert documented() == OF_THE_WORKSPACE | OF_THE_QUESTION
    assert not OF_THE_WORKSPACE & OF_THE_QUESTION
    told = (ROOT / "prompts/README.md").read_text("utf-8")
    assert {name for name in FUNCTIONS if f"`{name}`" in told} == FUNCTIONS
    assert documented() | FUNCTIONS == MEANINGS


def test_no_prompt_text_stands_in_the_code() -> None:
    for path in (ROOT / "server" / "sqlscribe" / "prompting").glob("*.py"):
        assert "You write" not in path.read_text("utf-8")
