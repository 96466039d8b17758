"""The name under which a person commits, read from git's files; git itself is not run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

_LARGEST = 1_000_000
_SECTION = re.compile(r'\[\s*([\w.-]+)(?:\s+"[^"]*")?\s*\]')
_NAME = re.compile(r"name\s*=\s*(.*)", re.IGNORECASE)
_WORKTREE = re.compile(r"gitdir:\s*(.+)")


def git_author(folder: Path | None, environment: Mapping[str, str]) -> str:
    """``user.name`` of the repository around ``folder``, else of the person; ``""`` for none."""
    for file in _files(folder, environment):
        if name := _user_name(_read(file)):
            return name
    return ""


def _files(folder: Path | None, environment: Mapping[str, str]) -> Iterator[Path]:
    """The configurations in the order in which they count."""
    for place in (folder, *folder.parents) if folder is not None else ():
        git = place / ".git"
        if git.is_dir():
            yield git / "config"
            break
        if (found := _WORKTREE.match(_read(git))) is not None:
            # A worktree or a submodule: the one has its configuration beside the others'.
            own = place / found[1].strip()
            yield own / "config"
            yield own.parent.parent / "config"
            break
    home = environment.get("HOME") or environment.get("USERPROFILE")
    if home:
        yield Path(home) / ".gitconfig"
    shared = environment.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else "")
    if shared:
        yield Path(shared) / "git" / "config"


def _user_name(text: str) -> str:
    section = name = ""
    for line in text.splitlines():
        line = line.strip()
        if (begins := _SECTION.match(line)) is not None:
            section = begins[1].casefold()
            line = line[begins.end() :].strip()
        if section == "user" and (found := _NAME.fullmatch(line)) is not None:
            # Of several the last one counts.
            name = _value(found[1])
    return name


def _value(written: str) -> str:
    """A value without the quotes and the remark that it may have."""
    value = re.sub(r'("(?:[^"\\]|\\.)*")|\s*[#;].*', lambda found: found[1] or "", written)
    return " ".join(re.sub(r"\\(.)|\"", lambda found: found[1] or "", value).split())


def _read(file: Path) -> str:
    """A file's text; ``""`` for one that is not there, cannot be read, or is none of git's."""
    try:
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return ""
        return file.read_text("utf-8", "replace")
    except (OSError, ValueError):
        return ""
