"""The versions that tests and CI install are pinned and hashed, and fit what the project asks."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / ".ci" / "requirements.txt").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ASKED = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
ENTRIES = re.split(r"\n(?=[A-Za-z0-9])", LOCK)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


def locked() -> dict[str, str]:
    pinned = [entry.split(" ", 1)[0].split("==") for entry in ENTRIES]
    return {canonicalize_name(name.split("[")[0]): version for name, version in pinned}


def test_every_entry_is_one_version_with_its_hashes() -> None:
    assert len(ENTRIES) > len(ASKED)
    unpinned = [entry.splitlines()[0] for entry in ENTRIES if not HASH.search(entry)]
    assert unpinned == []
    assert not re.search(r"^\s*(--index-url|--extra-index-url|--find-links|-e )", LOCK, re.M)


@pytest.mark.parametrize("asked", ASKED)
def test_what_the_project_asks_for_is_locked_to_a_version_that_fits(asked: str) -> None:
    """``make lock`` makes the file anew."""
    requirement = Requirement(asked)
    assert requirement.specifier.contains(locked()[canonicalize_name(requirement.name)])


@pytest.mark.parametrize("tampered", ["1.82.7", "1.82.8"])
def test_the_tampered_versions_of_litellm_can_never_be_chosen(tampered: str) -> None:
    (litellm,) = (Requirement(asked) for asked in ASKED if asked.startswith("litellm"))
    assert not litellm.specifier.contains(tampered)
    assert "!=" + tampered in str(litellm.specifier)
