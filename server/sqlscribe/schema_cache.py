"""Scripts that were read, kept under ``.sqlscribe/`` from one start to the next.

One file: a line that says by which program it was written, then for each script the
fingerprint of its text, a checksum and what reading made of it. It may be deleted, damaged or
another program's at any time: then scripts are read again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from zlib import crc32

from sqlscribe import __version__
from sqlscribe.generated_files import open_generated, write_generated
from sqlscribe.notation.document import Document
from sqlscribe.schema import ddl
from sqlscribe.schema.ddl.codec import FORMAT, decode, encode

_NAME = "scripts"
_LINE = re.compile(rb"([0-9a-f]{64}) ([0-9a-f]{8}) (.*)", re.DOTALL)
_WORTH_WRITING = 0.1
"""Of all text; a smaller part that is new is read again at the next start instead."""


class SchemaCache:
    """Reads scripts, those that it knows from ``folder``. Not thread-safe.

    Without a folder nothing is kept. ``remark`` says in one sentence why scripts are not kept,
    where they are not.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._head = f"sqlscribe {__version__} {FORMAT} {_reader_fingerprint()}\n".encode()
        self._known: Mapping[bytes, bytes] | None = None
        self._keys: dict[Path, tuple[bytes, int]] = {}
        self._new: dict[bytes, bytes] = {}
        self._unsaved = 0
        self.remark = ""

    def read(self, document: Document, path: Path, dialect: str) -> ddl.DdlScript:
        """What :func:`sqlscribe.schema.ddl.read` makes of a text, or has made of it before."""
        if self._folder is None:
            return ddl.read(document, path, dialect)
        key = _key(document.text, dialect)
        self._keys[path] = key, len(document.text)
        if self._known is None:
            self._known = self._lines()
        line = self._new.get(key) or self._known.get(key)
        known = decode(line, path) if line is not None else None
        if known is not None:
            return known
        script = ddl.read(document, path, dialect)
        encoded = encode(script)
        if encoded is not None:
            self._new[key] = encoded.encode("ascii")
            self._unsaved += len(document.text)
        return script

    def save(self, present: Iterable[Path]) -> None:
        """Write what was read since the last time, if it is worth it.

        Only the scripts at ``present`` are kept. To be called once all of them were read.
        """
        wanted = set(present)
        self._keys = {path: kept for path, kept in self._keys.items() if path in wanted}
        whole = sum(length for _, length in self._keys.values())
        if self._folder is None or not self._new or self._unsaved < whole * _WORTH_WRITING:
            # The file's content need not stay in memory: it is read again where it is wanted.
            self._known = None
            return
        lines = {**(self._lines() if self._known is None else self._known), **self._new}
        keys = dict.fromkeys(key for key, _ in self._keys.values())
        content = b"".join(_line(key, lines[key]) for key in keys if key in lines)
        self._known, self._new, self._unsaved = None, {}, 0
        try:
            write_generated(self._folder, _NAME, self._head + content)
            self.remark = ""
        except OSError as error:
            self.remark = f"scripts are read anew at each start: {error.strerror or error}"

    def _lines(self) -> Mapping[bytes, bytes]:
        """The lines of the file by their keys; none where it is not one of ours."""
        if self._folder is None:
            return {}
        try:
            with open_generated(self._folder / _NAME) as file:
                content = file.read()
        except OSError:
            # Not there yet, or not to be had: the scripts are read themselves.
            return {}
        if not content.startswith(self._head):
            return {}
        lines = map(_LINE.fullmatch, content[len(self._head) :].split(b"\n"))
        return {
            line[1]: line[3]
            for line in lines
            if line is not None and line[2] == _checksum(line[1], line[3])
        }


def _line(key: bytes, content: bytes) -> bytes:
    return b"%s %s %s\n" % (key, _checksum(key, content), content)


def _checksum(key: bytes, content: bytes) -> bytes:
    return b"%08x" % crc32(content, crc32(key))


def _key(text: str, dialect: str) -> bytes:
    whole = f"{dialect}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).hexdigest().encode("ascii")


def _reader_fingerprint() -> str:
    """Of the files that do the reading: a program under development changes between versions."""
    here = Path(__file__).parent
    files = sorted([*(here / "schema").rglob("*.py"), *(here / "notation").glob("*.py")])
    seen = hashlib.sha256()
    for file in files:
        status = file.stat()
        seen.update(f"{file.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return seen.hexdigest()[:16]
