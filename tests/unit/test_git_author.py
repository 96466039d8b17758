"""Who commits, as git's files say."""

from pathlib import Path

import pytest

from shop import write
from sqlscribe.git_author import git_author


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"repo/.git/config": "[core]\n\tbare = false\n[user]\n\tname = Ada\n"}, "Ada"),
        (
            {"repo/.git/config": "[core]\n", "home/.gitconfig": "[user]\nname=Grace H.\n"},
            "Grace H.",
        ),
        ({"repo/.git/config": "[user]\nname=A\n", "home/.gitconfig": "[user]\nname=B\n"}, "A"),
        ({"home/.config/git/config": '[user] name = "A # B" ; remark\n'}, "A # B"),
        ({"home/.gitconfig": '[user "x"]\nemail=e\n[USER]\nNAME = first\nname = last\n'}, "last"),
        ({"home/.gitconfig": "[alias]\nname = no\n"}, ""),
        ({"home/.gitconfig": "\x00[user\nname"}, ""),
        ({}, ""),
        (
            {
                "repo/.git": "gitdir: ../main/.git/worktrees/w\n",
                "main/.git/config": "[user]\nname = W\n",
            },
            "W",
        ),
    ],
)
def test_the_name_of_the_repository_comes_before_the_person_s(
    tmp_path: Path, files: dict[str, str], name: str
) -> None:
    write(tmp_path, files)
    inside = tmp_path / "repo" / "sub"
    inside.mkdir(parents=True)
    assert git_author(inside, {"HOME": str(tmp_path / "home")}) == name


def test_without_a_home_nobody_is_known() -> None:
    assert git_author(None, {}) == ""
