"""A server killed at any moment: no text of a person's is lost, and the index serves at once."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from faults.conftest import VERIFIED, Note
from shop import SHOP, write
from wire import Wire, until

ASK = "-- ask: how many customers live in 'Oslo'?\n"
TIMES = 4
EXAMPLES = {
    f"training/more{n}.sql": "".join(
        f"-- ask: what is number {n} of {m}?\nSELECT {m} AS number_{n};\n" for m in range(40)
    )
    for n in range(20)
}


def of_the_person(root: Path) -> dict[str, bytes]:
    """Everything but what the server keeps for itself."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".sqlscribe" not in path.parts
    }


def indexing(wire: Wire, turn: int) -> None:
    # Every turn has something to write into the index.
    write(wire.root, {f"training/turn{turn}.sql": f"-- ask: turn {turn}\nSELECT {turn};\n"})
    wire.open("q.sql", ASK)
    wire.start("textDocument/hover", wire.at("q.sql"))


def answering(wire: Wire, turn: int) -> None:
    wire.open("q.sql", ASK.replace("Oslo", f"Oslo {turn}"))
    for _ in range(3):
        wire.start("sqlscribe/answer", {**wire.at("q.sql"), "regenerate": True})


def saving(wire: Wire, turn: int) -> None:
    text = f"-- ask: names of turn {turn}\nSELECT full_name FROM customers LIMIT {turn + 1};\n"
    wire.open("q.sql", text)
    data = {"uri": wire.uri("q.sql"), "position": {"line": 0, "character": 0}}
    asked = {"command": "sqlscribe.saveExample", "arguments": [data]}
    wire.start("workspace/executeCommand", asked)


DOING: dict[str, Callable[[Wire, int], None]] = {
    "indexing": indexing,
    "answering": answering,
    "saving": saving,
}


@pytest.mark.slow
@pytest.mark.fault("killed at {doing}, at random moments")
@pytest.mark.parametrize("doing", DOING)
def test_a_killed_server_loses_nothing(tmp_path: Path, doing: str, note: Note) -> None:
    files = {**SHOP, **EXAMPLES, "sqlscribe.toml": VERIFIED}
    root = write(tmp_path / "shop", files)
    if doing == "saving":
        # With no file to add to, the server makes one itself.
        for path in (root / "training").iterdir():
            path.unlink()
    chance = random.Random(doing)
    for turn in range(TIMES):
        with Wire(root) as wire:
            DOING[doing](wire, turn)
            before = of_the_person(root)
            time.sleep(chance.uniform(0, 1.5))
            wire.kill()
        after = of_the_person(root)
        assert {name: after.get(name) for name in before} == before
        for name in after.keys() - before.keys():
            assert after[name] == b"" or after[name].endswith(b"\n"), name
    write(root, {"training/customers.sql": SHOP["training/customers.sql"]})
    with Wire(root) as wire:
        start = time.monotonic()
        wire.open("well.sql", ASK)
        answer = wire.answer("well.sql")
        assert "city = 'Oslo'" in str(answer["sql"]), answer
        took = time.monotonic() - start
        until(lambda: (root / ".sqlscribe" / "index.db").exists())
        assert "damaged" not in wire.hover("well.sql")
    note(f"{TIMES} times; the index served the next question after {took:.1f} s")
