"""Settings that are in force and reach nothing: most often, a name in them is misspelt."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from sqlscribe.checking.names.spelling import nearest
from sqlscribe.files import Text
from sqlscribe.knowledge.profiles import is_masked
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.model import Schema
from sqlscribe.settings import Settings
from sqlscribe.settings.places import Path, places

_WILD = re.compile(r"[*?\[\]!\\]")
_KINDS = ("schema", "training", "rules", "docs", "profiles")


def idle(
    text: Text,
    written: Settings,
    found: Collection[str],
    names: Collection[str],
    schema: Schema,
) -> Iterator[Finding]:
    """A finding for each pattern that no file matches, and each mask that hides no column.

    ``text`` is the configuration and ``written`` what it says. ``found`` are the kinds of files
    that are there or told of elsewhere, ``names`` the files of the folder. A pattern with
    wildcards may wait for its first match while the others of its key have some; a mask with
    wildcards may stand there in case.
    """
    where = places(text.document.text)

    def told(severity: Severity, path: Path, message: str, near: str) -> Finding:
        hint = f"; did you mean {near}?" if near else ""
        return Finding("config/matches-nothing", severity, message + hint, where.value(path))

    for kind in _KINDS:
        if (kind,) in where.found:
            for index, pattern in _idle_patterns(getattr(written, kind), kind in found, names):
                message = f"{kind}: no file matches {pattern}"
                near = _near(pattern, names)
                yield told(Severity.INFORMATION, (kind, str(index)), message, near)
    for index, mask in _idle_masks(written.privacy.mask, schema):
        message = f"privacy.mask: there is no column {mask}, so this hides nothing"
        near = _near(mask, _columns(schema))
        yield told(Severity.WARNING, ("privacy", "mask", str(index)), message, near)


def _idle_patterns(
    patterns: Sequence[str], any_found: bool, names: Collection[str]
) -> Iterator[tuple[int, str]]:
    for index, pattern in enumerate(patterns):
        plain = pattern.removeprefix("./").strip("/")
        if _WILD.search(plain):
            matches = any_found
        else:
            matches = plain in names or any(name.startswith(f"{plain}/") for name in names)
        if not matches:
            yield index, pattern


def _idle_masks(masks: Sequence[str], schema: Schema) -> Iterator[tuple[int, str]]:
    exact = [(index, mask) for index, mask in enumerate(masks) if not _WILD.search(mask)]
    if not exact or not schema.tables:
        return
    having: dict[str, list[str]] = defaultdict(list)
    for table in schema.tables:
        for column in table.columns:
            having[column.name.casefold()].append(table.qualified_name)
    for index, mask in exact:
        last = mask.rpartition(".")[2].casefold()
        if not any(is_masked(table, last, (mask,)) for table in having.get(last, ())):
            yield index, mask


def _columns(schema: Schema) -> Iterator[str]:
    for table in schema.tables:
        for column in table.columns:
            yield f"{table.qualified_name}.{column.name}"


def _near(wrong: str, names: Iterable[str]) -> str:
    return next((near.name for near in nearest(wrong, names, 1)), "")
