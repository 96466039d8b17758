"""The scripts of open documents: questions and statements, read once for each version."""

from __future__ import annotations

import asyncio

from sqlscribe.notation import asks
from sqlscribe.notation.asks import Script
from sqlscribe.notation.document import Document
from sqlscribe.notation.rereading import reread

_READ_AT_ONCE = 100_000
"""Characters of a document that are read in a few milliseconds."""
_REREAD_AT_ONCE = 1_000_000
"""Likewise after an edit, of which only what stands around it is read."""


class Scripts:
    """What was read of each open document. Everything here is called on one thread."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}
        self._known: dict[str, Script] = {}
        self._reading: dict[str, tuple[Document, str, asyncio.Task[Script]]] = {}

    def expect(self, document: Document) -> None:
        """This is the version that is open now: others are not kept."""
        self._open[document.uri] = document

    def forget(self, uri: str) -> None:
        for kept in (self._open, self._known, self._reading):
            kept.pop(uri, None)

    def of(self, document: Document, dialect: str) -> Script:
        """The script of a document in a dialect. After most edits only a part is read."""
        known = self._latest(document, dialect) or self._reread(document, dialect)
        return known or self._keep(asks.read(document, dialect))

    async def read(self, document: Document, dialect: str) -> Script:
        """The same; what takes long is read in a worker thread. However many ask, it is once."""
        known = self._latest(document, dialect)
        if known is None and len(document.text) <= _REREAD_AT_ONCE:
            known = self._reread(document, dialect)
        if known is not None or len(document.text) <= _READ_AT_ONCE:
            return known or self.of(document, dialect)
        reading = self._reading.get(document.uri)
        if reading is None or reading[0] is not document or reading[1] != dialect:
            before = self._known.get(document.uri)
            task = asyncio.ensure_future(asyncio.to_thread(_read, before, document, dialect))
            reading = self._reading[document.uri] = (document, dialect, task)
        script = self._keep(await asyncio.shield(reading[2]))
        if self._reading.get(document.uri) is reading:
            del self._reading[document.uri]
        return script

    def _latest(self, document: Document, dialect: str) -> Script | None:
        script = self._known.get(document.uri)
        if script is None or script.document is not document:
            return None
        return script if script.assumed == dialect else None

    def _reread(self, document: Document, dialect: str) -> Script | None:
        """The script from an earlier version of the document, if that says enough."""
        before = self._known.get(document.uri)
        script = None if before is None else reread(before, document, dialect)
        return None if script is None else self._keep(script)

    def _keep(self, script: Script) -> Script:
        """Keep a script while its document is the open version; no other one is asked for again."""
        if self._open.get(script.document.uri) is script.document:
            self._known[script.document.uri] = script
        return script


def _read(before: Script | None, document: Document, dialect: str) -> Script:
    """The script of a document, of which ``before`` is an earlier version."""
    known = None if before is None else reread(before, document, dialect)
    return known or asks.read(document, dialect)
