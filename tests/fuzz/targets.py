"""What is fuzzed, each as one function of bytes, with what must hold whatever they are.

A target raises where the program would, and ``AssertionError`` where it would be wrong.
"""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from pygls.exceptions import JsonRpcException

from sqlscribe.checking.check import check
from sqlscribe.checking.extraction import Extraction, extract
from sqlscribe.checking.extraction.grades import Grade, graded, is_sentence
from sqlscribe.checking.extraction.partial import sql_so_far
from sqlscribe.checking.reads import classify
from sqlscribe.errors import TemplateError
from sqlscribe.inspection import Inspector
from sqlscribe.knowledge import examples, notes, profiles
from sqlscribe.loading.bundles import shipped_templates
from sqlscribe.lsp import convert
from sqlscribe.lsp.frames import FrameReader
from sqlscribe.lsp.server import SQLScribeServer, create_server
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Encoding, Span, TextEdit
from sqlscribe.notation.embedded import embedded
from sqlscribe.notation.fenced import fenced_blocks
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.jinja_sql import neutral
from sqlscribe.notation.lexicon import DIALECTS
from sqlscribe.notation.rereading import reread
from sqlscribe.notation.statements import outline, split
from sqlscribe.prompting.meanings import OF_THE_QUESTION, OF_THE_WORKSPACE
from sqlscribe.prompting.template_check import check_template
from sqlscribe.prompting.templates import Plain, Templates, render
from sqlscribe.schema import ddl
from sqlscribe.schema.ddl.codec import decode, encode
from sqlscribe.schema.model import Column, Schema, Table
from sqlscribe.settings import from_client, parse_toml

_PATH = Path("fuzzed.sql")
_SHOP = Schema((Table("orders", (Column("id", "int"), Column("total", "numeric"))),))
_INSPECTOR = Inspector(_SHOP)


def read_sql(data: bytes) -> None:
    """Scripts: splitting, definitions, templates, reads, the checker."""
    chosen, text = _chosen(data)
    dialect = DIALECTS[chosen % len(DIALECTS)]
    document = Document("file:///fuzzed.sql", text)
    _splits(text, dialect)
    script = ddl.read(document, _PATH, dialect)
    ddl.replay([script])
    encoded = encode(script)
    assert encoded is None or decode(encoded, _PATH) == script
    assert len(neutral(text, dialect).text) == len(text)
    classify(text, dialect)
    check(text, _SHOP, dialect)
    _INSPECTOR.inspect(asks.read(document, dialect))


def read_reply(data: bytes) -> None:
    """Replies of models: what comes out as a read is one query, and never prose."""
    chosen, text = _chosen(data)
    dialect = DIALECTS[chosen % len(DIALECTS)]
    sql_so_far(text)
    found = extract(text, dialect, cut_off=chosen >= 128)
    if found.outcome in ("truncated", "no_sql"):
        assert not found.sql
        return
    for sql in (found.sql, *found.alternates):
        # What is no read is refused, or goes back to the model.
        if classify(sql, dialect).read:
            assert len(split(sql, dialect)) == 1
            assert graded(sql, dialect) is Grade.QUERY
            is_prose = is_sentence(sql, dialect, a_too=False)
            assert _MARKS.intersection(text) or not is_prose
            check(sql, _SHOP, dialect)
    if found.outcome == "sql":
        assert found.sql.strip()
        _is_found_again(found, dialect)


_MARKS = frozenset("`~<{'\"")
"""What may set SQL apart in a reply, which then is SQL however much it reads as a sentence."""


def _is_found_again(found: Extraction, dialect: str) -> None:
    """What was a query in a long reply is one in a plain fence, too."""
    if classify(found.sql, dialect).read and "`" not in found.sql and "~" not in found.sql:
        again = extract(f"```sql\n{found.sql}\n```", dialect)
        assert again.outcome == "sql", again


def read_settings(data: bytes) -> None:
    """Configuration: an error is at a place, and without one there are settings."""
    _, text = _chosen(data)
    parsed = parse_toml(text)
    _stand_within(parsed.findings, text)
    assert parsed.settings is not None or parsed.findings
    try:
        sent = json.loads(text)
    except (ValueError, RecursionError):
        return
    _, problems = from_client(sent)
    assert all(problems)


_TRAINING = (".sql", ".yaml", ".jsonl", ".json", ".yml", ".md")


def read_training(data: bytes) -> None:
    """Examples, profiles and notes: what is used is whole, what is not has its finding."""
    chosen, text = _chosen(data)
    suffix = _TRAINING[chosen % len(_TRAINING)]
    path = Path(f"training{suffix}")
    document = Document(f"file:///training{suffix}", text)
    found, findings = examples.read_examples(document, path, DIALECTS[chosen % len(DIALECTS)])
    _stand_within(findings, text)
    for example in found:
        assert example.question.strip()
        assert example.sql.strip()
        assert 0 <= example.span.start <= example.span.end <= len(text)
        assert example.key
    examples.duplicates(examples.latest(found))
    if suffix in (".yaml", ".yml"):
        described, findings = profiles.read_profiles(document, path)
        _stand_within(findings, text)
        for among in profiles.unfit(described, _SHOP).values():
            _stand_within(among, text)
    if suffix == ".md":
        notes.read_notes(document, path)


_TEMPLATES = ("ask/user.j2", "ask/system.j2", "parts/tables.j2", "repair/findings.j2", "own.j2")
_TABLE: dict[str, Plain] = {"name": "orders", "columns": [{"name": "id", "type": "int"}]}
_VARIABLES: dict[str, Plain] = {
    **dict.fromkeys(OF_THE_WORKSPACE | OF_THE_QUESTION, "text"),
    **{key: [] for key in ("examples", "notes", "values", "matches", "turns", "findings")},
    "tables": [_TABLE],
}
_LARGEST = 4_000_000


def read_template(data: bytes) -> None:
    """Templates of a workspace: a text within its bounds, or an error at a line."""
    chosen, text = _chosen(data)
    name = _TEMPLATES[chosen % len(_TEMPLATES)]
    together = Templates(shipped_templates(), {name: text})
    document = Document("file:///t.j2", text)
    _stand_within(check_template(document, together, name), text)
    try:
        rendered = render(together, name, _VARIABLES)
    except TemplateError:
        return
    assert len(rendered.text) <= _LARGEST


_HOVER = b'{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}'


def read_frames(data: bytes) -> None:
    """What a client writes: whole messages are found, whatever comes behind them."""
    whole = b"Content-Length: %d\r\n\r\n%s" % (len(_HOVER), _HOVER)
    bodies = asyncio.run(_bodies(whole + data))
    assert bodies[0] == _HOVER
    for body in bodies[1:]:
        try:
            json.loads(body, object_hook=_server().protocol.structure_message)
        except (JsonRpcException, ValueError, RecursionError, TypeError, AttributeError):
            # Logged, and the next message is read.
            continue


@cache
def _server() -> SQLScribeServer:
    return create_server()


async def _bodies(data: bytes) -> list[bytes]:
    reader = FrameReader(io.BytesIO(data), lambda: None)
    bodies = []
    while header := await reader.readline():
        length = int(header.removeprefix(b"Content-Length: "))
        assert await reader.readline() == b"\r\n"
        bodies.append(await reader.readexactly(length))
        assert len(bodies[-1]) == length
    return bodies


_TYPED = ("", "'", "\n", ";", "--", "-- ask: x\n", "SELECT 1;\n", "/*", "*/", "$$", '"', "\r", "😀")
_ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
_EDITS = 4


def make_edits(data: bytes) -> None:
    """Typing: a part read again is as the whole read anew, and so is each position."""
    chosen, _ = _chosen(data)
    dialect = DIALECTS[chosen % len(DIALECTS)]
    numbers, text = data[1 : 1 + 3 * _EDITS], data[1 + 3 * _EDITS :].decode("utf-8", "replace")
    document = Document("file:///typed.sql", text, 1)
    script = asks.read(document, dialect)
    for start, over, what in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=False):
        at = len(document.text) * start // 255
        edit = TextEdit(Span(at, min(at + over % 16, len(document.text))), _typed(what))
        document = _changed(document, edit)
        whole = asks.read(document, dialect)
        assert (reread(script, document, dialect) or whole) == whole
        script = whole
        _answers(script)


def _typed(number: int) -> str:
    return _TYPED[number % len(_TYPED)]


def _changed(document: Document, edit: TextEdit) -> Document:
    """The document after an edit, by offsets, and by the positions of every encoding."""
    expected = document.text[: edit.span.start] + edit.text + document.text[edit.span.end :]
    changed = document.changed([edit])
    assert changed.text == expected
    for encoding in _ENCODINGS:
        where = convert.range_of(document, edit.span, encoding)
        said = convert.span(document, where, encoding)
        # Between the two halves of a line end there is no position.
        if edit.span == said:
            assert document.changed([TextEdit(said, edit.text)]).text == expected
        else:
            assert "\r\n" in document.text
    return changed


def _answers(script: asks.Script) -> None:
    """An answer stands under its question, and nothing else is another."""
    document = script.document
    for question in script.questions:
        if question.kind != "ask":
            continue
        edit = asks.place(document, question, "SELECT 42", "", script.outline)
        old = question.answer or Span(question.span.end, question.span.end)
        assert edit.span.start <= old.end
        gone = edit.span.of(document.text)
        assert not gone.strip() or question.answer is not None
        after = document.changed([edit])
        assert after.text[: question.span.end] == document.text[: question.span.end]
        script_after = asks.read(after, script.assumed)
        at = question.span.start
        if any(note.code == "ask/inside-statement" for note in script_after.findings):
            # What stands unfinished above it goes on below it, and the person is told.
            continue
        again = next(one for one in script_after.questions if one.span.start == at)
        assert again.identity == question.identity
        assert again.answer is not None
        assert "SELECT 42" in again.answer.of(after.text)


def read_markdown(data: bytes) -> None:
    """Fenced blocks: in order, within the text, and the SQL in them at the same places."""
    chosen, text = _chosen(data)
    document = Document("file:///fuzzed.md", text)
    end = 0
    for block in fenced_blocks(document):
        assert end <= block.span.start <= block.span.end <= len(text)
        end = block.span.end
    view = embedded(document, "markdown")
    assert len(view.text) == len(text)
    assert view.line_starts == document.line_starts
    for shown, written in zip(view.text, text, strict=True):
        assert shown in (written, " ")
    script = asks.read(view, DIALECTS[chosen % len(DIALECTS)])
    for question in script.questions:
        assert 0 <= question.span.start <= question.span.end <= len(text)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "sql": read_sql,
    "reply": read_reply,
    "settings": read_settings,
    "training": read_training,
    "template": read_template,
    "frames": read_frames,
    "edits": make_edits,
    "markdown": read_markdown,
}


def _chosen(data: bytes) -> tuple[int, str]:
    """The first byte, which chooses among some, and the rest as a text."""
    return (data[0] if data else 0), data[1:].decode("utf-8", "surrogateescape")


def _splits(text: str, dialect: str) -> None:
    """Statements stand in order, and none over another."""
    end = 0
    for statement in outline(text, dialect).statements:
        assert end <= statement.span.start <= statement.span.end <= statement.end <= len(text)
        end = statement.end


def _stand_within(findings: Iterable[Finding], text: str) -> None:
    for finding in findings:
        assert finding.message
        assert 0 <= finding.span.start <= finding.span.end <= len(text), finding
        for fix in finding.fixes:
            assert all(0 <= edit.span.start <= edit.span.end <= len(text) for edit in fix.edits)
