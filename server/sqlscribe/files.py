"""The files of a workspace folder: which there are, and their texts, read again when changed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pathspec

from sqlscribe.notation.document import Document, NotText, Span, decode
from sqlscribe.notation.findings import Finding, Severity

_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", "venv", "env"})
MOST_FILES = 100_000
"""A folder with more of them is not a project; the walk ends there."""
_GUESSED = "file/encoding"

# A file that changed this shortly before it was read may change again within the same clock
# tick of the file system, with the same size: it is read once more next time.
_RACY_NANOSECONDS = 2_000_000_000


@dataclass(frozen=True)
class FileEntry:
    """A file as the walk found it; ``name`` is its path in the folder, with ``/``.

    ``outside`` marks a link that leads out of the folder; it is named and never read.
    """

    name: str
    path: Path
    size: int
    modified: int
    outside: bool = False


def entry(path: Path) -> FileEntry:
    """One file by its path. Raises ``OSError`` where there is none."""
    status = path.stat()
    return FileEntry(path.name, path, status.st_size, status.st_mtime_ns)


_NOTHING_KNOWN: Mapping[str, FileEntry] = {}


@dataclass(frozen=True)
class Text:
    """A text that was read, or the finding that says why not. ``encoding`` as it was read."""

    document: Document
    findings: tuple[Finding, ...] = ()
    encoding: str = "utf-8"

    @property
    def was_read(self) -> bool:
        """False where the text is empty for a reason; a guessed encoding is none."""
        return all(finding.code == _GUESSED for finding in self.findings)


def walk(
    root: Path,
    unreadable: list[str] | None = None,
    known: Mapping[str, FileEntry] = _NOTHING_KNOWN,
) -> Iterator[FileEntry]:
    """Files under ``root``: those of a folder by name, then those of its folders by name.

    Hidden folders and links to folders are left out. Links to files outside are marked: a
    repository must not bring a private file into a prompt. ``unreadable`` gets the names of
    folders that cannot be listed. ``known`` are entries of an earlier walk by their names: what
    did not change is the same object again, which is quicker to make and to compare.
    """
    inside = os.path.realpath(root) + os.sep
    stack = [(root, "")]
    seen = 0
    while stack:
        folder, prefix = stack.pop()
        try:
            with os.scandir(folder) as found:
                items = sorted(found, key=lambda item: item.name)
        except FileNotFoundError:
            # Gone meanwhile.
            continue
        except OSError:
            if unreadable is not None:
                unreadable.append(prefix or str(root))
            continue
        inner: list[tuple[Path, str]] = []
        for item in items:
            try:
                if item.is_dir(follow_symlinks=False):
                    if not item.name.startswith(".") and item.name not in _SKIPPED:
                        inner.append((Path(item.path), f"{prefix}{item.name}/"))
                elif item.is_file():
                    target = os.path.realpath(item.path) if item.is_symlink() else None
                    outside = target is not None and not target.startswith(inside)
                    status = item.stat()
                    seen += 1
                    name = prefix + item.name
                    was = known.get(name)
                    says = (status.st_size, status.st_mtime_ns, outside)
                    if was is None or (was.size, was.modified, was.outside) != says:
                        was = FileEntry(name, Path(item.path), *says)
                    yield was
            except OSError:
                continue
            if seen >= MOST_FILES:
                return
        stack += reversed(inner)


def passed_over(path: Path) -> list[FileEntry]:
    """The file that :func:`walk` does not name, though something stands there: at most one.

    A link out of the folder can be read. A folder or a broken link cannot, and reading it says so.
    """
    try:
        if path.is_file():
            return [entry(path)]
        in_the_way = path.is_dir() or (path.is_symlink() and not path.exists())
    except OSError:
        # The folder itself is not ours to read.
        return []
    return [FileEntry(path.name, path, 0, 0)] if in_the_way else []


class Globs:
    """Patterns of ``sqlscribe.toml``: relative to the folder, ``**`` for any depth.

    ``unusable`` are those that are no patterns, such as ``[z-a]``; they match nothing.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        usable: list[str] = []
        unusable: list[str] = []
        for pattern in patterns:
            anchored = f"/{pattern.removeprefix('./').lstrip('/')}"
            try:
                pathspec.GitIgnoreSpec.from_lines([anchored])
            except (ValueError, re.error):
                unusable.append(pattern)
            else:
                usable.append(anchored)
        self._spec = pathspec.GitIgnoreSpec.from_lines(usable)
        self.unusable = tuple(unusable)

    def match(self, name: str) -> bool:
        return self._spec.match_file(name)


class Reader:
    """Reads texts and keeps them while neither size nor time of change differ.

    Not thread-safe; its owner holds a lock.
    """

    def __init__(self) -> None:
        self._kept: dict[Path, tuple[tuple[object, ...], bool, Text]] = {}

    def read(
        self,
        entry: FileEntry,
        buffers: Mapping[Path, Document],
        *,
        fallback: str = "cp1252",
        megabytes: float = 50,
    ) -> Text:
        """The text of a file: the editor's buffer where it is open, else from disk."""
        open_document = buffers.get(entry.path)
        if open_document is not None:
            self._kept.pop(entry.path, None)
            return Text(open_document)
        signature = (entry.size, entry.modified, fallback, megabytes)
        kept = self._kept.get(entry.path)
        if kept is not None and kept[0] == signature and not kept[1]:
            return kept[2]
        # A time far ahead comes from another clock, and no write of today has it.
        racy = abs(time.time_ns() - entry.modified) < _RACY_NANOSECONDS
        text = _read(entry, fallback, megabytes)
        if kept is not None and kept[2] == text:
            # The same object again, so that what was made of it stays valid.
            text = kept[2]
        self._kept[entry.path] = (signature, racy, text)
        return text

    @property
    def racy(self) -> bool:
        """True while some file was read so soon after its change that it must be read again."""
        return any(racy for _, racy, _ in self._kept.values())

    def forget(self, present: Iterable[Path]) -> None:
        """Drop what is kept of files that are no longer there or no longer read."""
        keep = set(present)
        for path in [path for path in self._kept if path not in keep]:
            del self._kept[path]


def _read(entry: FileEntry, fallback: str, megabytes: float) -> Text:
    uri = entry.path.as_uri()
    if entry.outside:
        return outside(entry)
    if entry.size > megabytes * 1_000_000:
        message = f"not read: {entry.size / 1e6:.0f} MB are more than the limit of {megabytes:g}"
        return _unread(uri, "file/too-large", message)
    try:
        decoded = decode(entry.path.read_bytes(), fallback)
    except NotText as error:
        return _unread(uri, "file/not-text", str(error))
    except OSError as error:
        return _unread(uri, "file/unreadable", f"cannot be read: {error.strerror or error}")
    document = Document(uri, decoded.text)
    if decoded.remark is None:
        return Text(document, (), decoded.encoding)
    severity = Severity.WARNING if decoded.guessed else Severity.INFORMATION
    finding = Finding(_GUESSED, severity, decoded.remark, Span(0, 0))
    return Text(document, (finding,), decoded.encoding)


def outside(entry: FileEntry) -> Text:
    """What stands for a link out of the folder, which nobody may follow."""
    message = "not read: it is a link to a file outside the folder"
    return _unread(entry.path.as_uri(), "file/outside", message)


def _unread(uri: str, code: str, message: str) -> Text:
    return Text(Document(uri, ""), (Finding(code, Severity.WARNING, message, Span(0, 0)),))
