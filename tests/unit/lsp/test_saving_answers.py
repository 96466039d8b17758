"""*Save as verified example*, from the menu to the training file."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from lsprotocol import types

from desk import FILES, Desk, changed
from shop import write
from sqlscribe.knowledge.examples import read_examples
from sqlscribe.notation.document import Document

TITLE = "Save as verified example"
ASKED = "-- ask: first names\nselect full_name from customers limit 1 -- one\n;\n"


@pytest.fixture(autouse=True)
async def loaded(desk: Desk) -> None:
    await desk.load()
    desk.can(disabled_support=True)


def makes_files(desk: Desk) -> None:
    desk.server.client_capabilities.workspace = types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=[types.ResourceOperationKind.Create]
        )
    )


def made_on_disk(desk: Desk, edit: types.WorkspaceEdit | None) -> list[Path]:
    """Make an edit of files as an editor does; the files that it touches."""
    assert edit is not None
    files = []
    for group in edit.document_changes or []:
        if isinstance(group, types.CreateFile):
            path = Path(group.uri.removeprefix("file://"))
            path.parent.mkdir(exist_ok=True)
            path.touch()
            continue
        assert isinstance(group, types.TextDocumentEdit)
        assert group.text_document.version is None
        path = Path(group.text_document.uri.removeprefix("file://"))
        text = path.read_bytes().decode()
        new = changed(Document(group.text_document.uri, text), group).text
        path.write_bytes(new.encode())
        files.append(path)
    return files


async def test_the_answer_as_it_stands_is_added_to_the_training_file(desk: Desk) -> None:
    today = datetime.date.today().isoformat()
    write(desk.root, {".git/config": "[user]\n\tname = Ada Lovelace\n"})
    before = FILES["training/all.sql"]
    desk.open(ASKED)
    found = await desk.resolved(TITLE)
    [file] = made_on_disk(desk, found.edit)
    text = file.read_text()
    assert text.startswith(
        f"{before}\n-- ask[dialect=postgres]: first names\n"
        "select full_name from customers limit 1;\n"
        f'-- sqlscribe: verified_by="Ada Lovelace" verified_at={today} schema='
    )
    _, example = read_examples(Document(file.as_uri(), text), file, "mysql")[0]
    assert (example.question, example.verified_by) == ("first names", "Ada Lovelace")
    assert desk.server.said == ["SQLScribe: saved in training/all.sql"]

    await desk.load()
    action = await desk.action(TITLE)
    assert action.disabled is not None
    assert action.disabled.reason == "this answer is verified already, in training/all.sql, line 4"
    await desk.run("save", {"uri": desk.uri, "position": {"line": 0, "character": 0}})
    assert "verified already" in desk.server.said[-1]
    assert desk.server.applied == []


async def test_an_open_training_file_counts_as_it_is_in_the_editor(desk: Desk) -> None:
    path = desk.root / "training/all.sql"
    desk.server.session.open(Document(path.as_uri(), "-- ask: x\r\nSELECT 1;\r\n", 7), path)
    desk.open(ASKED)
    found = await desk.resolved(TITLE)
    assert found.edit is not None
    [group] = found.edit.document_changes or []
    assert isinstance(group, types.TextDocumentEdit)
    assert group.text_document.version == 7
    text = changed(Document("", "-- ask: x\r\nSELECT 1;\r\n"), group).text
    assert text.startswith(
        "-- ask: x\r\nSELECT 1;\r\n\r\n-- ask[dialect=postgres]: first names\r\n"
    )


@pytest.mark.parametrize("by_the_editor", [True, False])
async def test_where_there_is_no_file_one_is_made(desk: Desk, by_the_editor: bool) -> None:
    (desk.root / "training/all.sql").unlink()
    if by_the_editor:
        makes_files(desk)
    desk.open(ASKED)
    found = await desk.resolved(TITLE)
    if by_the_editor:
        made_on_disk(desk, found.edit)
    else:
        assert found.edit is None
    text = (desk.root / "training/verified.sql").read_text()
    assert text.startswith("-- ask[dialect=postgres]: first names\nselect full_name")
    assert desk.server.said == ["SQLScribe: saved in training/verified.sql, a new file"]


async def test_another_answer_to_a_verified_question_takes_its_place_only_if_told(
    desk: Desk,
) -> None:
    desk.open("-- ask: All names?\nselect customer_id from customers;\n")
    title = "Replace the verified answer of “all names”"
    assert {TITLE, title} & set(await desk.titles()) == {title}
    await desk.run("save", {"uri": desk.uri, "position": {"line": 0, "character": 0}})
    assert "another answer in training/all.sql, line 1" in desk.server.said[-1]
    [file] = made_on_disk(desk, (await desk.resolved(title)).edit)
    assert file.read_text().startswith(
        "-- ask: all names\nselect customer_id from customers;\n-- sqlscribe: verified_at="
    )


async def test_an_answer_in_another_kind_of_file_is_changed_there(desk: Desk) -> None:
    write(
        desk.root,
        {"training/all.sql": "", "training/a.jsonl": '{"question": "q", "sql": "SELECT 1"}\n'},
    )
    await desk.load()
    desk.open("-- ask: q\nSELECT 2;\n")
    action = await desk.action("Replace the verified answer")
    assert action.disabled is not None
    assert "a.jsonl" in action.disabled.reason
    data = {"uri": desk.uri, "kind": "ask", "text": "q", "replace": True}
    await desk.run("save", data)
    assert "change it in a.jsonl, line 1" in desk.server.said[-1]


async def test_sql_of_another_dialect_gets_a_file_of_its_own(desk: Desk) -> None:
    makes_files(desk)
    desk.open("-- dialect: mysql\n-- ask: odd\nselect `a;b` from `c;d`;\n")
    made_on_disk(desk, (await desk.resolved(TITLE, 1)).edit)
    text = (desk.root / "training/verified_mysql.sql").read_text()
    assert text.startswith("-- dialect: mysql\n\n-- ask[dialect=mysql]: odd\nselect `a;b`")
    assert (desk.root / "training/all.sql").read_text() == FILES["training/all.sql"]


async def test_without_a_place_for_it_nothing_is_saved(desk: Desk) -> None:
    configuration = FILES["sqlscribe.toml"]
    write(desk.root, {"sqlscribe.toml": f'training = ["kb/*.yaml"]\n{configuration}'})
    await desk.load()
    desk.open(ASKED)
    assert (await desk.resolved(TITLE)).edit is None
    assert "no pattern under training" in desk.server.said[0]


async def test_an_unanswered_question_is_no_example(desk: Desk) -> None:
    desk.open("-- ask: first names\n")
    assert TITLE not in await desk.titles()
    await desk.run("save", {"uri": desk.uri, "position": {"line": 0, "character": 0}})
    assert "no answer under this question" in desk.server.said[0]


async def test_a_text_in_no_folder_has_nowhere_to_be_saved(desk: Desk) -> None:
    desk.server.session.set_roots([])
    (desk.root / "sqlscribe.toml").unlink()
    desk.open(ASKED)
    action = await desk.action(TITLE)
    assert action.disabled is not None
    assert "no folder" in action.disabled.reason
    await desk.run("save", {"uri": desk.uri, "position": {"line": 0, "character": 0}})
    assert "no folder" in desk.server.said[0]
