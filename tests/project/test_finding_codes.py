"""The codes of findings, their table, and the reference made of it."""

import ast
import os
import re
from pathlib import Path

from sqlscribe.notation.codes import CODES, GROUPS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "server" / "sqlscribe"
REFERENCE = ROOT / "docs" / "findings.md"
START = "<!-- codes: made by tests/project/test_finding_codes.py -->"
END = "<!-- end of codes -->"


def emitted() -> set[str]:
    """Every string of the program that is a code. Codes are written whole, so one finds them."""
    code = re.compile(rf"(?:{'|'.join(GROUPS)})/[a-z][a-z-]*")
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path.name == "codes.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value} if code.fullmatch(node.value) else set()
    return found


def test_the_table_has_every_code_and_no_other() -> None:
    assert emitted() == set(CODES)


def test_every_code_belongs_to_a_group() -> None:
    assert {code.partition("/")[0] for code in CODES} == set(GROUPS)
    assert list(CODES) == sorted(CODES)


def reference() -> str:
    lines: list[str] = []
    for group, meaning in GROUPS.items():
        lines += ["", f"## `{group}`: {meaning}", "", "| code | meaning |", "|---|---|"]
        lines += [
            f"| `{code}` | {said} |" for code, said in CODES.items() if code.startswith(f"{group}/")
        ]
    return "\n".join(lines)


def test_the_reference_shows_the_codes_as_they_are() -> None:
    """Run with UPDATE_DOCS=1 to write them into the reference."""
    text = REFERENCE.read_text("utf-8")
    before, _, rest = text.partition(START)
    shown, _, after = rest.partition(END)
    wanted = f"\n{reference()}\n\n"
    if os.environ.get("UPDATE_DOCS"):
        REFERENCE.write_text(f"{before}{START}{wanted}{END}{after}", "utf-8")
        return
    assert shown == wanted
