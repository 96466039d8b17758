"""Every finding's code with what it means, in one table.

Codes are a contract: configurations, comments and CI rules name them. The reference in
``docs/findings.md`` is made from this table, and a test compares it with what the program emits.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase

GROUPS: Mapping[str, str] = {
    "ask": "questions in comments",
    "check": "what was not checked, and comments that switch findings off",
    "config": "`sqlscribe.toml`",
    "example": "verified examples",
    "file": "files as such",
    "name": "tables and columns against the schema",
    "note": "notes",
    "profile": "value profiles",
    "quality": "SQL that runs, and answers something else than was meant",
    "schema": "DDL and other sources of the schema",
    "syntax": "the grammar",
    "template": "prompt templates",
}

CODES: Mapping[str, str] = {
    "ask/bad-option": "An option of a question or of a file has a value that it cannot have.",
    "ask/empty": "A question has no words.",
    "ask/inside-statement": "A question within a statement gets no answer.",
    "ask/no-statement": "A refinement or an error stands under no statement.",
    "ask/unknown-option": "There is no option of that name.",
    "ask/unknown-table": "A mention names no table or column of the schema.",
    "check/not-checked": "The statement is too long or too deep to be checked.",
    "check/too-long": "The rest of a long file was not checked.",
    "check/unknown-code": "A comment switches off a finding that there is not.",
    "check/unused-ignore": "A comment switches off what is not found there.",
    "config/bad-value": "A setting has a value that it cannot have.",
    "config/key-in-file": "An API key stands in a file; it belongs into the environment.",
    "config/no-effect": "A setting asks for something that this version does not do.",
    "config/syntax": "The file is no TOML.",
    "config/unknown-key": "There is no setting of that name, or it belongs elsewhere.",
    "example/does-not-parse": "The SQL of an example cannot be parsed in its dialect.",
    "example/duplicate": "The same question has the same answer twice.",
    "example/no-answer": "A question in an example file has no SQL.",
    "example/not-a-read": "The SQL of an example is not surely a read.",
    "example/two-answers": "The same question has two answers; the later one counts.",
    "file/encoding": "The file is not UTF-8; its code page was guessed.",
    "file/not-text": "The file holds no text.",
    "file/outside": "The file is a link to one outside of the folder, and is not read.",
    "file/too-large": "The file is larger than the limit, and is not read.",
    "file/unreadable": "The file cannot be read.",
    "name/ambiguous-column": "Several tables of the query have a column of that name.",
    "name/ambiguous-table": "Tables of that name are in several schemas.",
    "name/needs-quotes": "The engine folds the letters of this name unless it is quoted.",
    "name/unknown-alias": "No table or alias of the query has that name.",
    "name/unknown-column": "The table has no such column.",
    "name/unknown-field": "The nested type has no such field.",
    "name/unknown-table": "The schema has no such table.",
    "quality/fan-out": "A join repeats the rows that an aggregate counts.",
    "schema/duplicate-table": "A table is created twice; the later definition counts.",
    "schema/not-understood": "A part of a definition was not understood; columns may be missing.",
    "schema/unknown-table": "A table is changed that no script creates.",
    "syntax/error": "The statement cannot be parsed in its dialect.",
    "template/missing": "A template includes or extends one that there is not.",
    "template/not-used": "A template overrides none, and none uses it.",
    "template/syntax": "A template cannot be compiled.",
    "template/unknown-variable": "A template reads a variable that there is not.",
    "template/volatile": "What changes with each question stands where prompts should stay alike.",
}


def stands_for_some(pattern: str) -> bool:
    """Whether a code, or a pattern such as ``quality/*``, means a finding that there is."""
    return any(fnmatchcase(code, pattern) for code in CODES)


def nearest_code(pattern: str) -> str:
    """The code that was probably meant, or ``""``."""
    by_name = {code.partition("/")[2]: code for code in CODES}
    if pattern in by_name:
        return by_name[pattern]
    near = get_close_matches(pattern, [*CODES, *(f"{group}/*" for group in GROUPS)], 1, 0.6)
    return near[0] if near else ""
