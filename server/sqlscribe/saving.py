"""An answer that a person found right becomes a verified example in the team's training files.

Nothing in those files changes but what is added, and what was added is read back before
anything is written: what could not be read again as this very example is not saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sqlscribe import files
from sqlscribe.files import FileEntry, Globs
from sqlscribe.knowledge.examples import Example, read_examples
from sqlscribe.knowledge.terms import same_question
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Question, Turn
from sqlscribe.notation.document import UNWRITABLE, Document, NotText, Span, TextEdit, decode
from sqlscribe.notation.stamps import stamp
from sqlscribe.notation.statements import outline
from sqlscribe.provenance import sql_fingerprint

NAME = "verified.sql"
"""What a new training file is called."""


@dataclass(frozen=True)
class Verified:
    """What is to be saved. ``turns`` are the comments that led to the SQL, oldest first.

    ``at`` is the day (``2024-01-31``), ``schema`` the fingerprint of the tables.
    """

    turns: tuple[Turn, ...]
    sql: str
    dialect: str
    by: str = ""
    at: str = ""
    schema: str = ""

    @property
    def question(self) -> str:
        return "\n".join(turn.text for turn in self.turns)

    @property
    def facts(self) -> list[tuple[str, str]]:
        facts = [("verified_by", self.by), ("verified_at", self.at), ("schema", self.schema)]
        return [(key, value) for key, value in facts if value]


@dataclass(frozen=True)
class Saved:
    """The edits that save an example in ``document``, or the ``reason`` why there are none."""

    document: Document
    edits: tuple[TextEdit, ...] = ()
    reason: str = ""


def twins(verified: Verified, examples: Iterable[Example]) -> tuple[Example | None, Example | None]:
    """The example that says the same, and the one that answers the question otherwise."""
    asked = same_question(verified.question)
    said = sql_fingerprint(verified.sql, verified.dialect)
    other: Example | None = None
    for example in examples:
        if same_question(example.question) != asked or example.dialect != verified.dialect:
            continue
        if sql_fingerprint(example.sql, example.dialect) == said:
            return example, None
        other = example
    return None, other


def training_file(root: Path, patterns: Sequence[str]) -> tuple[Path | None, bool]:
    """The first ``.sql`` file that is read for examples, else where one may be made.

    The second value says whether it is there already. ``None`` where no pattern takes such a
    file. Walks the folder.
    """
    globs = Globs(patterns)
    for entry in files.walk(root):
        if entry.path.suffix.casefold() == ".sql" and _is_ours(entry, globs):
            return entry.path, True
    for pattern in patterns:
        name = f"{_folder(pattern)}{NAME}"
        if globs.match(name) and _is_within(root / name, root):
            return root / name, False
    return None, False


def own_file(root: Path, path: Path, dialect: str, patterns: Sequence[str]) -> Path | None:
    """The file beside ``path`` for examples of one dialect; ``None`` where it would not be read."""
    own = path.with_name(f"verified_{dialect}.sql")
    read = Globs(patterns).match(own.relative_to(root).as_posix())
    return own if read and own != path and _is_within(own, root) else None


def head_of(dialect: str) -> str:
    """The head of such a file."""
    return f"-- dialect: {dialect}\n"


def _is_ours(entry: FileEntry, globs: Globs) -> bool:
    return not entry.outside and globs.match(entry.name)


def _is_within(path: Path, root: Path) -> bool:
    """Whether a file would be in the folder, where it is read again: not by ``..``, nor a link."""
    return ".." not in path.parts and path.resolve().is_relative_to(root.resolve())


def _folder(pattern: str) -> str:
    """The part of a glob before anything that stands for several names."""
    parts = PurePosixPath(pattern.lstrip("/")).parts
    plain: list[str] = []
    for part in parts[:-1]:
        if any(sign in part for sign in "*?[!"):
            break
        plain.append(part)
    return "".join(f"{part}/" for part in plain)


def added(document: Document, path: Path, verified: Verified, dialect: str) -> Saved:
    """The example at the end of a training file. ``dialect`` is the one of the workspace."""
    before, _ = read_examples(document, path, dialect)
    ended = document.changed(terminator(document, dialect))
    newline = document.newline
    text = ended.text
    gap = ""
    if text.strip("\ufeff \t\r\n"):
        gap = newline if text.endswith(("\n", "\r")) else newline * 2
        gap = gap if not text.endswith((newline * 2,)) else ""
    comment = newline.join(_comment(verified)) + newline
    end = Span(len(text), len(text))
    asked = ended.changed([TextEdit(end, gap + comment)])
    script = asks.read(asked, dialect)
    question = script.questions[-1] if script.questions else None
    if question is None or question.answer is not None or question.span.start < len(text):
        return Saved(document, reason="its question cannot be written as a comment there")
    try:
        placed = asks.place(asked, question, verified.sql, _stamp(verified))
    except ValueError:
        return Saved(document, reason="there is no statement to save")
    after = asked.changed([placed])
    found, _ = read_examples(after, path, dialect)
    if _plain(found[:-1]) != _plain(before) or not _is_read_back(found[-1:], verified):
        return Saved(document, reason=f"{path.name} is read in another dialect than this SQL's")
    new = TextEdit(Span(len(document.text), len(document.text)), after.text[len(text) :])
    return Saved(document, (*terminator(document, dialect), new))


def replaced(
    document: Document, path: Path, old: Example, verified: Verified, dialect: str
) -> Saved:
    """The SQL of a verified example of this file changed, where it stands."""
    script = asks.read(document, dialect)
    here = [each for each in script.questions if each.answer and script.sql_of(each) == old.sql]
    here = [each for each in here if _asked(each) == same_question(old.question)]
    if not here:
        return Saved(document, reason=f"the example is not in {path.name} any more")
    try:
        edit = asks.place(document, here[-1], verified.sql, _stamp(verified))
    except ValueError:
        return Saved(document, reason="there is no statement to save")
    found, _ = read_examples(document.changed([edit]), path, dialect)
    if not any(_is_read_back([example], verified) for example in found):
        return Saved(document, reason=f"{path.name} is read in another dialect than this SQL's")
    return Saved(document, (edit,))


def _asked(question: Question) -> str:
    return same_question("\n".join(turn.text for turn in question.chain))


def verified_of(question: Question, sql: str, dialect: str) -> Verified | None:
    """What a question and its answer say as an example; ``None`` where nothing was asked."""
    # One such character would make the whole training file unreadable.
    turns = tuple(
        replace(turn, text=UNWRITABLE.sub(" ", turn.text))
        for turn in question.chain
        if turn.kind != "error"
    )
    if not turns or not sql.strip():
        return None
    return Verified(turns, sql, dialect)


def _comment(verified: Verified) -> list[str]:
    """The lines of the comments, in the notation in which the file is read."""
    options = f"[dialect={verified.dialect}]" if verified.dialect else ""
    lines: list[str] = []
    for number, turn in enumerate(verified.turns):
        first, *rest = turn.text.split("\n")
        lines.append(f"-- refine: {first}" if number else f"-- ask{options}: {first}")
        lines += [f"-- {line}".rstrip() for line in rest]
    return lines


def _stamp(verified: Verified) -> str:
    return stamp(verified.facts) if verified.facts else ""


def terminator(document: Document, dialect: str) -> list[TextEdit]:
    """What ends the last statement of a file: without it the next question were inside of it."""
    view = outline(document.text, asks.read(document, dialect).dialect)
    if not view.statements or view.statements[-1].end > view.statements[-1].span.end:
        return []
    end = view.statements[-1].span.end
    return [TextEdit(Span(end, end), view.delimiter_at(end))]


def _plain(examples: Iterable[Example]) -> list[tuple[str, str]]:
    return [(example.question, example.sql) for example in examples]


def _is_read_back(examples: Sequence[Example], verified: Verified) -> bool:
    if not examples:
        return False
    one = examples[0]
    same = sql_fingerprint(one.sql, one.dialect) == sql_fingerprint(verified.sql, verified.dialect)
    return (
        same
        and same_question(one.question) == same_question(verified.question)
        and one.dialect == verified.dialect
        and (one.verified_by, one.verified_at) == (verified.by, verified.at)
    )


# Files.


def document_of(path: Path, fallback: str) -> Document | None:
    """The text of a training file; ``None`` where it cannot be read as text.

    ``fallback`` is the code page of files that are not UTF-8.
    """
    try:
        return Document(path.as_uri(), decode(path.read_bytes(), fallback).text)
    except (OSError, NotText):
        return None


def write_new(path: Path, text: str) -> None:
    """Make a file that is not there yet, with its folder. Raises ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8", errors="surrogatepass", newline="") as file:
        file.write(text)
