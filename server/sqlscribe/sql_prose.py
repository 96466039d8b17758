"""What a model says in words about SQL that exists: an explanation, or the question behind it.

The words become a comment and nothing else: they are cleaned of whatever could end that
comment, or make this program take it for a question or an option.
"""

from __future__ import annotations

import asyncio
import re
import textwrap
from dataclasses import dataclass, replace
from typing import Literal

from sqlscribe.answer import Report, prepare, silent
from sqlscribe.checking.check import check
from sqlscribe.errors import ModelError, TemplateError
from sqlscribe.notation.marked_comments import MARK
from sqlscribe.notation.stamps import OURS
from sqlscribe.prompting.context import Request
from sqlscribe.snapshot import Snapshot

Task = Literal["explain", "question"]
_WIDTH = 100
_MOST_CHARACTERS = 4_000


@dataclass(frozen=True)
class Told:
    """The ``words`` of the model, or the ``problem`` why there are none, in one sentence."""

    words: str = ""
    problem: str = ""


async def tell(
    task: Task, sql: str, question: str, snapshot: Snapshot, report: Report = silent
) -> Told:
    """Ask the model about a statement. Cancelling the task cancels the call.

    ``question`` is what the statement was meant to answer, ``""`` if nobody knows.
    """
    report("retrieving")
    used = await asyncio.to_thread(check, sql, snapshot.schema, snapshot.dialect)
    request = Request(question, task, sql=sql, mentions=used.tables)
    # There is no JSON form for words.
    snapshot = replace(snapshot, reply="sql")
    try:
        prompt = await asyncio.to_thread(prepare, request, snapshot)
        model = await snapshot.connect()
        if model is None:
            return Told(problem="this takes a model, and none is set")
        report(f"asking {model.name}")
        reply = await model.complete(list(prompt.messages))
    except (ModelError, TemplateError) as error:
        return Told(problem=str(error))
    words = snapshot.hide(plain(reply.text))
    if not words:
        return Told(problem="the model's reply was empty")
    return Told(words)


def plain(text: str) -> str:
    """A reply as harmless text: no fences, no comment marks, no template braces."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("```")]
    joined = _UNPRINTABLE.sub("", "\n".join(lines)).strip()
    for mark, harmless in (("*/", "* /"), ("/*", "/ *"), ("{", "("), ("}", ")")):
        joined = joined.replace(mark, harmless)
    return joined[:_MOST_CHARACTERS]


_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
_FILE_OPTION = re.compile(r"(?i:dialect|as[ _-]?of)\s*+[:：]")


def block_comment(words: str, newline: str, indent: str) -> str:
    """Words as one block comment, its lines broken at 100 characters."""
    lines: list[str] = []
    for paragraph in words.split("\n"):
        lines += textwrap.wrap(paragraph, _WIDTH - len(indent) - 3) or [""]
    # A line that begins like a question would be read as one, were the comment split up.
    lines = [f"– {line}" if _speaks(line) else line for line in lines]
    return f"/* {f'{newline}{indent}   '.join(lines)} */"


def one_question(words: str) -> str:
    """The words as a question of one line, without what would make it a mark or a mention."""
    line = " ".join(words.split()).strip("\"'` ")
    while (mark := MARK.match(line)) is not None:
        line = line[mark.end() :].lstrip()
    return line.replace("@", "")


def _speaks(line: str) -> bool:
    return any(mark.match(line) for mark in (MARK, OURS, _FILE_OPTION))
