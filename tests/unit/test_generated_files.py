"""Generated files are read as plain files, or not at all."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sqlscribe.generated_files import make_generated, open_generated


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link(path: Path) -> None:
    (path.parent / "private").write_text("private", "utf-8")
    path.symlink_to(path.parent / "private")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("make", [pipe, endless, link, Path.mkdir, lambda path: None])
def test_what_is_no_plain_file_is_refused_at_once(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "kept")
    with pytest.raises(OSError, match="kept") as caught:
        open_generated(tmp_path / "kept")
    assert caught.value.errno in (errno.EINVAL, errno.ELOOP, errno.ENOENT)


def test_a_plain_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"\r\n\x1a kept\r\n")
    with open_generated(tmp_path / "kept") as file:
        assert file.read() == b"\r\n\x1a kept\r\n"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_the_file_for_git_is_not_written_through_a_link_to_nothing(tmp_path: Path) -> None:
    generated = tmp_path / "shop" / ".sqlscribe"
    generated.mkdir(parents=True)
    (generated / ".gitignore").symlink_to(tmp_path / "elsewhere")
    make_generated(generated / "answers")
    assert (generated / "answers").is_dir()
    assert not (tmp_path / "elsewhere").exists()
