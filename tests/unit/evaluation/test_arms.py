"""Arms from a TOML file: settings, templates, and what is switched off."""

from pathlib import Path

import pytest

from sqlscribe.errors import ConfigurationError
from sqlscribe.evaluation.arms import alone, read_arms

ARMS = """
[common]
model.name = "openai/one"
limits.examples = 3

[arms.ours]
description = "as it is"

[arms.bare]
templates = ["shared", "bare"]
examples = false
checked = false
model.max_repairs = 0
"limits.examples" = 1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    for name, text in (
        ("shared/ask/user.j2", "shared"),
        ("shared/x.j2", "x"),
        ("bare/ask/user.j2", "b"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    path = tmp_path / "arms.toml"
    path.write_text(ARMS, "utf-8")
    return path


def test_an_arm_is_what_all_share_and_what_is_its_own(file: Path) -> None:
    ours, bare = read_arms(file)
    assert (ours.name, ours.description, ours.templates) == ("ours", "as it is", None)
    assert ours.client.values == {"model": {"name": "openai/one"}, "limits": {"examples": 3}}
    assert bare.client.values["model"] == {"name": "openai/one", "max_repairs": 0}
    assert (bare.examples, bare.checked, bare.verified) == (False, False, True)
    assert bare.templates == {"ask/user.j2": "b", "x.j2": "x"}


def test_arms_are_chosen_in_the_order_asked_for(file: Path) -> None:
    assert [arm.name for arm in read_arms(file, only=["bare", "ours"])] == ["bare", "ours"]
    with pytest.raises(ConfigurationError, match="'nobody'; there are: ours, bare"):
        read_arms(file, only=["nobody"])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("model.name=openai/two", {"model": {"name": "openai/two"}}),
        ('model.name="openai/two"', {"model": {"name": "openai/two"}}),
        ("model.api_base=http://127.0.0.1:1/v1", {"model": {"api_base": "http://127.0.0.1:1/v1"}}),
        ("limits.examples=0", {"limits": {"examples": 0}}),
        ('instructions=say "no"', {"instructions": 'say "no"'}),
    ],
)
def test_settings_for_every_arm(given: str, expected: dict[str, object]) -> None:
    [arm] = alone([given])
    assert (arm.name, arm.client.values) == ("workspace", expected)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there are no arms"),
        ("arms = 3", "there are no arms"),
        ("[arms", "arms.toml"),
        ("[other]\n[arms.a]", "unknown key other"),
        ("[arms]\na = 1", "are tables"),
        ("[arms.a]\nexamples = 3", "examples takes true or false"),
        ("[arms.a]\ntemplates = 3", "templates takes a folder"),
        ('[arms.a]\ntemplates = "none"', "there is no folder"),
        ('[arms.a]\ntemplates = "."', "there is no template"),
        ("[arms.a]\nmodel.nme = 'x'", "unknown key 'nme'"),
        ("[arms.a]\nmodel.temperature = 9", "at most 2"),
        ('[arms.a]\nmodel.api_base = "http://far.example/v1"', "api_base needs api_key_env"),
        ('[arms.a]\nmodels.x.api_base = "http://far.example/v1"', "api_base needs api_key_env"),
    ],
)
def test_what_is_wrong_with_an_arm_is_told(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "arms.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError) as raised:
        read_arms(tmp_path / "arms.toml")
    assert words in str(raised.value)


@pytest.mark.parametrize("given", ["model.name", "=x", "a b=c"])
def test_a_setting_that_is_none(given: str) -> None:
    with pytest.raises(ConfigurationError, match="--set"):
        alone([given])
